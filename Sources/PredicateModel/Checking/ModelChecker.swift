import PredicateChecks
import PredicateSyntax

extension ManagedObjectModel {
    /// Checks the model: every predicate and expression in it, inverses, indexes, constraints, default values, names.
    ///
    /// `for finding in model.check() where !finding.isWarning { print(finding) }`
    public func check() -> [ModelFinding] {
        var checker = ModelChecker(model: self)
        checker.run()
        return checker.findings
    }
}

/// The checks of a model, entity by entity.
struct ModelChecker {
    let model: ManagedObjectModel
    private(set) var findings: [ModelFinding] = []

    init(model: ManagedObjectModel) {
        self.model = model
    }

    mutating func note(
        _ code: ModelFinding.Code, _ path: [String], _ message: String, hint: String? = nil, isWarning: Bool = false
    ) {
        findings.append(ModelFinding(code, message, hint: hint, at: path, isWarning: isWarning))
    }

    mutating func append(_ found: [ModelFinding]) { findings += found }

    mutating func run() {
        for name in repeated(model.entities.map(\.name)) {
            note(.duplicateEntity, ["entity \(name)"], "there is another entity of this name")
        }
        for name in repeated(model.entities.map(\.canonicalName)) where model.entity(name) == nil {
            note(.duplicateRenamingIdentifier, ["entity \(name)"], "two entities have this renaming identifier")
        }
        let reached = Set(model.entitiesInPreorder.map { ExactName($0.name) })
        for entity in model.entities {
            if !reached.contains(ExactName(entity.name)) {
                note(.inheritanceCircle, ["entity \(entity.name)"], "its superentities form a cycle")
            }
            check(entity)
        }
        for request in model.fetchRequestTemplates { check(request) }
        for configuration in model.configurations { check(configuration) }
        for composite in model.composites { check(composite) }
    }

    /// Names that stand more than once, each once.
    func repeated(_ names: [String]) -> [String] {
        var seen: Set<ExactName> = [], found: Set<ExactName> = []
        return names.filter { !seen.insert(ExactName($0)).inserted && found.insert(ExactName($0)).inserted }
    }

    func near(_ name: String, _ names: [String]) -> String? {
        let near = NearMiss.candidates(for: name, among: names)
        return near.isEmpty ? nil : "did you mean \(near.joined(separator: " or "))?"
    }

    func nearEntity(_ name: String) -> String? { near(name, model.entities.map(\.name)) }

    // MARK: Entities

    private mutating func check(_ entity: EntityDescription) {
        let path = ["entity \(entity.name)"]
        if let parent = entity.superentityName, model.entity(parent) == nil {
            note(.unknownEntity, path, "there is no entity '\(parent)' to inherit from", hint: nearEntity(parent))
        }
        checkNames(of: entity, path)
        for attribute in entity.attributes { check(attribute, of: entity, path + ["attribute \(attribute.name)"]) }
        for relationship in entity.relationships {
            check(relationship, of: entity, path + ["relationship \(relationship.name)"])
        }
        for property in entity.fetchedProperties {
            check(property, of: entity, path + ["fetched property \(property.name)"])
        }
        checkIndexes(of: entity, path)
    }

    private mutating func checkNames(of entity: EntityDescription, _ path: [String]) {
        let properties = entity.properties
        for name in repeated(properties.map(\.name)) {
            note(.duplicateProperty, path, "there are two properties '\(name)'")
        }
        for name in repeated(properties.compactMap(\.renamingIdentifier)) {
            note(.duplicateRenamingIdentifier, path, "two properties have the renaming identifier '\(name)'")
        }
        for property in properties {
            if Self.reserved.contains(property.name) {
                note(
                    .reservedName, path + ["\(property.noun) \(property.name)"],
                    "every object has a method of this name already", isWarning: true)
            }
            guard let parent = entity.superentityName, let other = model.property(property.name, of: parent),
                other.declaringEntity.name != entity.name
            else { continue }
            note(
                .redeclaredProperty, path + ["\(property.noun) \(property.name)"],
                "\(other.declaringEntity.name) has a property of this name already")
        }
    }

    /// Names of methods without parameters that every managed object has.
    private static let reserved: Set = [
        "class", "superclass", "hash", "self", "isProxy", "retain", "release", "autorelease", "retainCount", "zone",
        "description", "debugDescription", "copy", "mutableCopy", "dealloc", "finalize", "init", "entity", "objectID",
        "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "isFault", "hasChanges", "changedValues",
        "observationInfo", "awakeFromFetch", "awakeFromInsert", "willSave", "didSave", "willTurnIntoFault",
        "didTurnIntoFault", "prepareForDeletion",
    ]

    // MARK: The rest of the model

    private mutating func check(_ request: FetchRequestTemplate) {
        checkRequest(request, ["fetch request \(request.name)"]) { $0 }
    }

    /// The entity of a request, and its predicate in the scope that it has.
    mutating func checkRequest(
        _ request: FetchRequestTemplate, _ path: [String], scope: (CheckScope) -> CheckScope
    ) {
        guard let entity = request.entityName else {
            return note(.missingFetchRequest, path, "expected an entity to fetch")
        }
        guard model.entity(entity) != nil else {
            return note(.unknownEntity, path, "there is no entity '\(entity)' to fetch", hint: nearEntity(entity))
        }
        let scope = scope(CheckScope(model, entity: entity, isFetch: true))
        if let predicate = request.predicate { append(predicate.findings(in: scope, at: path)) }
        if let predicate = request.havingPredicate { append(predicate.findings(in: scope, at: path)) }
        for key in request.sortKeys.map(\.keyPath) + request.propertiesToFetch {
            let expression = FormatExpression(.keyPath(KeyPathExpression(keys: key)))
            append(expression.findings(in: scope, at: path).findings)
        }
    }

    private mutating func check(_ configuration: ModelConfiguration) {
        for name in configuration.entityNames where model.entity(name) == nil {
            note(
                .invalidConfiguration, ["configuration \(configuration.name)"], "there is no entity '\(name)'",
                hint: nearEntity(name))
        }
    }

    private mutating func check(_ composite: CompositeDescription) {
        let path = ["composite \(composite.name)"]
        for name in repeated(composite.attributes.map(\.name)) {
            note(.duplicateProperty, path, "there are two attributes '\(name)'")
        }
        for attribute in composite.attributes {
            check(attribute, of: nil, path + ["attribute \(attribute.name)"])
        }
    }

    private mutating func check(
        _ property: FetchedPropertyDescription, of entity: EntityDescription, _ path: [String]
    ) {
        guard let request = property.fetchRequest else {
            return note(.missingFetchRequest, path, "expected a fetch request")
        }
        checkRequest(request, path) { $0.forFetchedProperty(property, of: entity.name) }
    }
}
