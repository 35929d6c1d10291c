import PredicateChecks
import PredicateSyntax

extension ModelBundle {
    /// Checks every version, and whether the current version exists. The places of findings include the version's name.
    ///
    /// `for finding in bundle.check() { print(finding) }`
    ///
    /// A version that cannot be read is a finding as well.
    public func check() -> [ModelFinding] {
        var findings: [ModelFinding] = []
        if let current = currentVersionName, !versions.contains(where: { $0.name == current }) {
            findings.append(
                ModelFinding(
                    .missingVersion, "the current version '\(current)' is not in the bundle",
                    hint: "the versions are \(versions.map(\.name).joined(separator: ", "))"))
        }
        for version in versions {
            do throws(ModelError) {
                findings += try version.model().check().map { finding in
                    var finding = finding
                    finding.place.file = version.name
                    return finding
                }
            } catch {
                var finding = ModelFinding(.unreadableVersion, error.title, hint: error.hints.first)
                finding.place = error.place
                findings.append(finding)
            }
        }
        return findings
    }
}

extension ManagedObjectModel {
    /// Checks the predicates and expressions of the model, inverses, indexes, constraints, default values and names.
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

    mutating func note(
        _ code: ModelFinding.Code, _ path: [String], _ message: String, hint: String? = nil, isWarning: Bool = false
    ) {
        findings.append(ModelFinding(code, message, hint: hint, at: path, isWarning: isWarning))
    }

    mutating func append(_ found: [ModelFinding]) { findings += found }

    mutating func run() {
        for name in repeated(model.entities.map(\.name)) {
            note(.duplicateEntity, ["entity \(name)"], "another entity has the same name")
        }
        for name in repeated(model.entities.map(\.canonicalName)) where model.entity(name) == nil {
            note(.duplicateRenamingIdentifier, ["entity \(name)"], "another entity has the same renaming identifier")
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

    /// The names that occur more than once, each listed once.
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
            note(.duplicateProperty, path, "two properties are named '\(name)'")
        }
        for name in repeated(properties.compactMap(\.renamingIdentifier)) {
            note(.duplicateRenamingIdentifier, path, "two properties have the renaming identifier '\(name)'")
        }
        for property in properties {
            if Self.reserved.contains(property.name) {
                note(
                    .reservedName, path + ["\(property.noun) \(property.name)"],
                    "every managed object already has a method of this name", isWarning: true)
            }
            guard let parent = entity.superentityName, let other = model.property(property.name, of: parent),
                other.declaringEntity.name != entity.name
            else { continue }
            note(
                .redeclaredProperty, path + ["\(property.noun) \(property.name)"],
                "\(other.declaringEntity.name) already has a property of this name")
        }
    }

    /// The names of methods without parameters that every managed object has.
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

    /// Checks the entity of a request, and its predicate in the given scope.
    mutating func checkRequest(
        _ request: FetchRequestTemplate, _ path: [String], scope: (CheckScope) -> CheckScope
    ) {
        guard let entity = request.entityName else {
            return note(.missingFetchRequest, path, "the fetch request has no entity")
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

    private mutating func check(_ configuration: ConfigurationDescription) {
        for name in configuration.entityNames where model.entity(name) == nil {
            note(
                .invalidConfiguration, ["configuration \(configuration.name)"], "there is no entity '\(name)'",
                hint: nearEntity(name))
        }
    }

    private mutating func check(_ composite: CompositeDescription) {
        let path = ["composite \(composite.name)"]
        for name in repeated(composite.attributes.map(\.name)) {
            note(.duplicateProperty, path, "two attributes are named '\(name)'")
        }
        for attribute in composite.attributes {
            check(attribute, of: nil, path + ["attribute \(attribute.name)"])
        }
    }

    private mutating func check(
        _ property: FetchedPropertyDescription, of entity: EntityDescription, _ path: [String]
    ) {
        guard let request = property.fetchRequest else {
            return note(.missingFetchRequest, path, "the fetched property has no fetch request")
        }
        checkRequest(request, path) { $0.forFetchedProperty(property, of: entity.name) }
    }
}

/// The checks of attributes, relationships and indexes.
extension ModelChecker {
    // MARK: Attributes

    /// `entity` is nil for an attribute of a composite type.
    mutating func check(_ attribute: AttributeDescription, of entity: EntityDescription?, _ path: [String]) {
        switch attribute.type {
        case .undefined where !attribute.isTransient:
            note(.missingType, path, "the attribute has no type; only a transient attribute may lack one")
        case .unknown(let name): note(.unknownType, path, "unknown type '\(name)'", isWarning: true)
        case .composite: checkComposite(attribute, path)
        case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
            .binaryData, .uuid, .uri, .transformable, .objectID:
            break
        }
        checkBounds(attribute, path)
        checkDefault(attribute, path)
        for rule in attribute.validations {
            append(rule.predicate.findings(in: CheckScope(model, attribute: attribute), at: path))
        }
        if let entity, let derivation = attribute.derivation { check(derivation, attribute, entity, path) }
    }

    private mutating func checkComposite(_ attribute: AttributeDescription, _ path: [String]) {
        guard let name = attribute.compositeName else { return }
        guard !model.composites.contains(where: { $0.name == name }) else { return }
        note(
            .unknownComposite, path, "there is no composite type '\(name)'",
            hint: near(name, model.composites.map(\.name)))
    }

    private mutating func checkBounds(_ attribute: AttributeDescription, _ path: [String]) {
        if let least = attribute.minimumValue?.amount, let most = attribute.maximumValue?.amount, least > most {
            note(
                .contradictoryBounds, path,
                "the minimum \(attribute.minimumValue?.modelText ?? "") is above the maximum"
                    + " \(attribute.maximumValue?.modelText ?? "")")
        }
        if let least = attribute.minimumLength, let most = attribute.maximumLength, least > most {
            note(.contradictoryBounds, path, "the minimum length \(least) is above the maximum length \(most)")
        }
        for (bound, name) in [(attribute.minimumValue, "minimum"), (attribute.maximumValue, "maximum")] {
            guard let bound, attribute.type.isNumber, bound.amount == nil else { continue }
            note(.contradictoryBounds, path, "the \(name) is not a number: \(bound.modelText)")
        }
    }

    private mutating func checkDefault(_ attribute: AttributeDescription, _ path: [String]) {
        guard let value = attribute.defaultValue else { return }
        guard let kind = value.kind, attribute.type.kind == kind || attribute.type.kind == nil else {
            return note(
                .invalidDefault, path, "the default value \(value.modelText) is not a valid \(attribute.type.name)")
        }
        if case .integer(let number) = value, let range = attribute.type.integerRange, !range.contains(number) {
            note(.invalidDefault, path, "the default value \(number) is out of range for \(attribute.type.name)")
        }
        if let amount = value.amount, isOutside(amount, attribute) {
            note(.invalidDefault, path, "the default value \(value.modelText) is outside the bounds")
        }
        if case .string(let text) = value, attribute.type == .string {
            let length = text.utf16.count
            if length < attribute.minimumLength ?? 0 || length > attribute.maximumLength ?? .max {
                note(.invalidDefault, path, "the default value \(value.modelText) is too short or too long")
            }
        }
    }

    private func isOutside(_ amount: Double, _ attribute: AttributeDescription) -> Bool {
        if let least = attribute.minimumValue?.amount, amount < least { return true }
        if let most = attribute.maximumValue?.amount, amount > most { return true }
        return false
    }

    /// `name`, `author.name`, `canonical:(name)`, `books.@count`, `books.price.@sum`, `now()`
    private mutating func check(
        _ derivation: ModelExpression, _ attribute: AttributeDescription, _ entity: EntityDescription, _ path: [String]
    ) {
        let found = derivation.findings(in: CheckScope(model, entity: entity.name), at: path)
        append(found.findings)
        guard found.findings.allSatisfy(\.isWarning) else { return }
        if found.type.isToMany {
            return note(.invalidDerivation, path, "\(derivation.format) has several values")
        }
        guard let kind = attribute.type.kind, !found.type.isOpen, found.type.kinds != [kind] else { return }
        note(
            .invalidDerivation, path,
            "\(derivation.format) is \(found.type.noun(ModelSchema([model]))), not \(attribute.type.name)")
    }

    // MARK: Relationships

    mutating func check(_ relationship: RelationshipDescription, of entity: EntityDescription, _ path: [String]) {
        checkCounts(relationship, path)
        guard let destination = relationship.destinationEntityName else {
            return note(.missingDestination, path, "the relationship has no destination")
        }
        guard model.entity(destination) != nil else {
            return note(
                .unknownEntity, path, "the destination entity '\(destination)' does not exist",
                hint: nearEntity(destination))
        }
        guard let name = relationship.inverseName else {
            return note(
                .missingInverse, path, "the relationship has no inverse, so the other side is not kept up to date",
                isWarning: true)
        }
        checkInverse(relationship, name, destination, entity, path)
    }

    private mutating func checkCounts(_ relationship: RelationshipDescription, _ path: [String]) {
        if relationship.isOrdered, !relationship.isToMany {
            note(.invalidCounts, path, "ordering has no effect on a to-one relationship", isWarning: true)
        }
        if relationship.minimumCount < 0 || relationship.maximumCount < 0 {
            note(.invalidCounts, path, "counts must not be negative")
        }
        let most = relationship.maximumCount
        if most > 0, relationship.minimumCount > most {
            note(.invalidCounts, path, "the minimum count \(relationship.minimumCount) is above the maximum \(most)")
        }
    }

    private mutating func checkInverse(
        _ relationship: RelationshipDescription, _ name: String, _ destination: String, _ entity: EntityDescription,
        _ path: [String]
    ) {
        let owner = relationship.inverseEntityName ?? destination
        if !model.isEntity(destination, kindOf: owner), !model.isEntity(owner, kindOf: destination) {
            return note(
                .invalidInverse, path, "the inverse belongs to \(owner), but the destination is \(destination)")
        }
        guard let found = model.property(name, of: owner) ?? model.property(name, of: destination) else {
            let names = model.relationships(of: destination).map(\.name)
            return note(
                .invalidInverse, path, "\(owner) has no relationship '\(name)'", hint: near(name, names))
        }
        guard case .relationship(let inverse) = found.property else {
            return note(.invalidInverse, path, "'\(name)' of \(owner) is not a relationship")
        }
        if inverse.inverseName?.hasSameCodePoints(as: relationship.name) != true {
            let other = inverse.inverseName.map { name in
                "'\(name)'" + (inverse.destinationEntityName.map { " of \($0)" } ?? "")
            }
            return note(
                .invalidInverse, path,
                "the inverse of '\(name)' of \(owner) is \(other ?? "none"), not this relationship")
        }
        guard let back = inverse.destinationEntityName,
            model.isEntity(back, kindOf: entity.name) || model.isEntity(entity.name, kindOf: back)
        else {
            return note(
                .invalidInverse, path,
                "the destination of '\(name)' of \(owner) is \(inverse.destinationEntityName ?? "missing"), not \(entity.name)"
            )
        }
    }

    // MARK: Indexes and constraints

    mutating func checkIndexes(of entity: EntityDescription, _ path: [String]) {
        for name in repeated(entity.indexes.map(\.name)) {
            note(.duplicateIndex, path, "two indexes are named '\(name)'")
        }
        for index in entity.indexes { check(index, of: entity, path + ["index \(index.name)"]) }
        for keys in entity.compoundIndexes {
            checkKeys(keys, of: entity, path + ["index \(keys.joined(separator: ", "))"])
        }
        for keys in entity.uniquenessConstraints {
            checkKeys(keys, of: entity, path + ["uniqueness constraint \(keys.joined(separator: ", "))"])
        }
    }

    private mutating func check(_ index: FetchIndexDescription, of entity: EntityDescription, _ path: [String]) {
        for element in index.elements {
            switch element.value {
            case .property(let name): checkKeys([name], of: entity, path)
            case .expression(let expression):
                append(expression.findings(in: CheckScope(model, entity: entity.name), at: path).findings)
            }
        }
        if let condition = index.partialIndexPredicate {
            append(condition.findings(in: CheckScope(model, entity: entity.name), at: path))
        }
    }

    /// Checks keys that must have a column: attributes and to-one relationships.
    private mutating func checkKeys(_ keys: [String], of entity: EntityDescription, _ path: [String]) {
        for key in keys {
            // Indexes may also name the object itself, its entity, and elements of composite attributes.
            let first = key.split(separator: ".").first.map(String.init) ?? key
            if ["self", "entity", "objectID"].contains(first.lowercased()) { continue }
            switch model.property(first, of: entity.name)?.property {
            case nil:
                note(
                    .unknownIndexedKey, path, "\(entity.name) has no key '\(key)'",
                    hint: near(key, model.properties(of: entity.name).map(\.name)))
            case .attribute(let attribute)? where !attribute.isStored:
                note(.unknownIndexedKey, path, "'\(key)' is transient and is not stored")
            case .relationship(let relationship)? where relationship.isToMany:
                note(.unknownIndexedKey, path, "'\(key)' is a to-many relationship, which has no column")
            case .fetchedProperty?: note(.unknownIndexedKey, path, "'\(key)' is a fetched property")
            case .attribute?, .relationship?: break
            }
        }
    }
}

extension PredicateValue {
    /// A number, or a date in seconds; nil for other values.
    package var amount: Double? {
        if case .date(let date) = self { date.timeIntervalSinceReferenceDate } else { realNumber }
    }
}
