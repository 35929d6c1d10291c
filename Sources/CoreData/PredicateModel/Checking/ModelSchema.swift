public import PredicateChecks
public import PredicateSyntax

extension FormatPredicate {
    /// Checks the predicate against an entity of a model.
    ///
    ///     let predicate = try FormatPredicate("ANY books.titel == %@", "Emma")
    ///     for finding in try predicate.check(against: model, entity: "Author") { print(finding) }
    ///
    /// Finds keys that do not exist, values that never match, to-many keys that are compared with a single value, and
    /// everything else that `PredicateFinding.Code` lists. Findings are in source order. Variables may have any
    /// value, except that `$FETCH_SOURCE` is an object of the entity `fetchSource` if that is given.
    /// - Throws: ``ModelError`` if the model has no such entity.
    public func check(
        against model: ManagedObjectModel, entity: String, fetchSource: String? = nil
    ) throws(ModelError) -> [PredicateFinding] {
        try model.requireEntity(entity)
        var scope = CheckScope(model, entity: entity, isFetch: true)
        if let fetchSource {
            try model.requireEntity(fetchSource)
            scope.variables["FETCH_SOURCE"] = KnownType(entity: fetchSource)
        }
        return Checker.findings(in: self, scope: scope)
    }
}

extension FormatExpression {
    /// Checks the expression against an entity of a model, as ``FormatPredicate/check(against:entity:fetchSource:)``
    /// does.
    ///
    /// `try FormatExpression("books.@avg.price").check(against: model, entity: "Author")`
    /// - Throws: ``ModelError`` if the model has no such entity.
    public func check(against model: ManagedObjectModel, entity: String) throws(ModelError) -> [PredicateFinding] {
        try model.requireEntity(entity)
        return Checker.findings(in: self, scope: CheckScope(model, entity: entity)).findings
    }
}

/// Core Data models as the schema that predicates are checked against. Entities are looked up in all models.
///
/// Besides the entities of the models, the schema has entities for the types of composite attributes and, in the
/// predicate of a fetched property, for `$FETCHED_PROPERTY.userInfo`.
package struct ModelSchema: FetchSchema {
    package let models: [ManagedObjectModel]
    /// True for predicates of fetches from a store, which has no columns for transient properties.
    package var isFetch = false
    /// Entities that are left out, because it is unknown which of several models a predicate is about.
    package var ambiguous: Set<String> = []
    /// The entries of `$FETCHED_PROPERTY.userInfo`; nil except in a fetched property.
    var userInfo: [String: PredicateValue]?

    package init(_ models: [ManagedObjectModel], isFetch: Bool = false) {
        self.models = models
        self.isFetch = isFetch
    }

    package var origin: SchemaOrigin { .stored }

    // MARK: Entities

    /// The names of all entities.
    package var entityNames: [String] { models.flatMap(\.entities).map(\.name).filter { !ambiguous.contains($0) } }

    package func entity(named name: String) -> String? {
        let isEntity = models.contains { $0.entity(name) != nil }
        let found = isEntity ? name : entity(ofClass: name)
        return found.flatMap { ambiguous.contains($0) ? nil : $0 }
    }

    private func entity(ofClass name: String) -> String? {
        let suffix = "." + name
        return models.lazy.flatMap(\.entities).first { entity in
            entity.managedObjectClassName.map { $0 == name || $0.hasSuffix(suffix) } ?? false
        }?.name
    }

    package func isEntity(_ entity: String, kindOf other: String) -> Bool {
        models.contains { $0.isEntity(entity, kindOf: other) }
    }

    package func words(for entity: String) -> String? {
        if let name = Self.composite(entity) { return "a composite \(name)" }
        switch entity {
        case Self.fetchedProperty: return "the fetched property"
        case Self.userInfo: return "its userInfo"
        default: return "an object of \(entity)"
        }
    }

    package func keys(of entity: String) -> [String] {
        if let name = Self.composite(entity) { return composite(named: name)?.attributes.map(\.name).sorted() ?? [] }
        if entity == Self.userInfo { return userInfo.map { $0.keys.sorted() } ?? [] }
        return models.flatMap { $0.properties(of: entity) }.map(\.name).sorted()
    }

    package func missing(_ key: String, in entity: String) -> SchemaAbsence? {
        if let name = Self.composite(entity) {
            return SchemaAbsence("the composite \(name) has no key '\(key)'", isError: true)
        }
        if entity == Self.userInfo {
            return SchemaAbsence(
                "the fetched property has no entry '\(key)' in userInfo: it is nil", isError: false)
        }
        let near = NearMiss.candidates(for: key, among: keys(of: entity))
        let others = models.flatMap { $0.keysOfSubentities(of: entity) }
        let meant = near.isEmpty ? NearMiss.candidates(for: key, among: others) : []
        let hint = meant.isEmpty ? nil : "did you mean \(meant.joined(separator: " or "))?"
        return SchemaAbsence("\(entity) has no key '\(key)'", isError: true, hint: hint)
    }

    // MARK: Properties

    package func property(_ key: String, of entity: String) -> PredicateProperty? {
        if let name = Self.composite(entity) {
            return composite(named: name).map { composite in
                composite.attributes.first { $0.name.hasSameCodePoints(as: key) }.map(PredicateProperty.init)
            } ?? PredicateProperty()
        }
        switch entity {
        case Self.fetchedProperty:
            return key == "userInfo" ? PredicateProperty(objects: Self.userInfo, isToMany: false) : PredicateProperty()
        case Self.userInfo:
            guard let userInfo else { return PredicateProperty() }
            return userInfo[key].map { value in value.kind.map { PredicateProperty($0) } ?? PredicateProperty() }
        default: return property(key, ofEntity: entity)
        }
    }

    private func property(_ key: String, ofEntity entity: String) -> PredicateProperty? {
        if ambiguous.contains(entity) { return PredicateProperty() }
        for model in models {
            guard let found = model.property(key, of: entity)?.property else { continue }
            var property = property(found, in: model)
            if isFetch, found.isTransient { property.limitation = .transient }
            return property
        }
        if let own = Self.keysOfObjects[key] { return own }
        guard models.contains(where: { $0.entity(entity) != nil }) else { return PredicateProperty() }
        for model in models {
            let owners = model.subentities(of: entity, having: key)
            guard let found = owners.first?.property(key) else { continue }
            var property = property(found, in: model)
            property.limitation = .subentities(owners.map(\.name))
            return property
        }
        return nil
    }

    private func property(_ property: PropertyDescription, in model: ManagedObjectModel) -> PredicateProperty {
        func objects(_ entity: String?, _ isToMany: Bool) -> PredicateProperty {
            PredicateProperty(objects: entity.flatMap { model.entity($0)?.name }, isToMany: isToMany)
        }
        switch property {
        case .attribute(let attribute): return PredicateProperty(attribute)
        case .relationship(let relationship):
            var result = objects(relationship.destinationEntityName, relationship.isToMany)
            result.typeName = "to \(relationship.isToMany ? "many" : "one") \(relationship.destinationEntityName ?? "")"
            return result
        case .fetchedProperty(let fetched):
            var result = objects(fetched.fetchRequest?.entityName, true)
            result.typeName = "fetched"
            return result
        }
    }

    /// The keys that every managed object has in addition to its properties.
    private static let keysOfObjects: [String: PredicateProperty] = {
        let open = ["objectID", "entity", "class", "superclass", "managedObjectContext", "faultingState"]
        let booleans = [
            "hasChanges", "hasPersistentChangedValues", "isInserted", "inserted", "isUpdated", "updated", "isDeleted",
            "deleted", "isFault", "fault",
        ]
        return Dictionary(
            uniqueKeysWithValues: open.map { ($0, PredicateProperty()) }
                + booleans.map { ($0, PredicateProperty(.boolean)) }
                + [("description", PredicateProperty(.string)), ("hash", PredicateProperty(.number))])
    }()

    // MARK: Pseudo-entities

    static let fetchedProperty = "$FETCHED_PROPERTY"
    static let userInfo = "$FETCHED_PROPERTY.userInfo"
    private static let compositePrefix = "composite "

    private static func composite(_ entity: String) -> String? {
        entity.hasPrefix(compositePrefix) ? String(entity.dropFirst(compositePrefix.count)) : nil
    }

    fileprivate static func entity(ofComposite name: String) -> String { compositePrefix + name }

    private func composite(named name: String) -> CompositeDescription? {
        models.lazy.flatMap(\.composites).first { $0.name == name }
    }
}

extension PredicateProperty {
    /// Describes the values of an attribute.
    init(_ attribute: AttributeDescription) {
        if attribute.type == .composite {
            self.init(objects: attribute.compositeName.map(ModelSchema.entity(ofComposite:)), isToMany: false)
        } else {
            self.init()
            kinds = attribute.type.kind.map { [$0] } ?? []
        }
        range = attribute.type.integerRange
        isWhole = kinds == [.number] ? range != nil : nil
        typeName = attribute.type.name
        if attribute.type == .transformable { limitation = .archived }
    }
}

extension AttributeType {
    /// The kind of the values; nil if they may be of any kind.
    package var kind: PredicateValue.Kind? {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: .number
        case .boolean: .boolean
        case .string: .string
        case .date: .date
        case .binaryData: .data
        case .uuid: .uuid
        case .uri: .url
        case .undefined, .transformable, .objectID, .composite, .unknown: nil
        }
    }
}

/// The contexts of the predicates in a model.
extension CheckScope {
    /// Objects of an entity. `isFetch` is true if only stored properties may be used.
    init(_ model: ManagedObjectModel, entity: String, isFetch: Bool = false) {
        self.init(ModelSchema([model], isFetch: isFetch), entity: entity)
    }

    /// Values of an attribute, as in a validation rule.
    init(_ model: ManagedObjectModel, attribute: AttributeDescription) {
        self.init(ModelSchema([model]), valuesOf: PredicateProperty(attribute))
    }

    /// Returns the scope with the variables of a fetched property of an entity.
    func forFetchedProperty(_ property: FetchedPropertyDescription, of entity: String) -> CheckScope {
        var copy = self
        copy.variables["FETCH_SOURCE"] = KnownType(entity: entity)
        copy.variables["FETCHED_PROPERTY"] = KnownType(entity: ModelSchema.fetchedProperty)
        guard var schema = copy.schema as? ModelSchema else { return copy }
        schema.userInfo = property.userInfo
        copy.schema = schema
        return copy
    }
}

extension ModelPredicate {
    /// The findings, or a finding for the syntax error of a format that is not a predicate.
    func findings(in scope: CheckScope, at path: [String]) -> [ModelFinding] {
        do throws(PredicateFormatError) {
            return Checker.findings(in: try predicate(), scope: scope).map { ModelFinding($0, at: path) }
        } catch {
            return [.notAPredicate(error, at: path)]
        }
    }
}

extension ModelExpression {
    /// The findings, or a finding for the syntax error of a format that is not an expression, and the type of the
    /// value.
    func findings(in scope: CheckScope, at path: [String]) -> (findings: [ModelFinding], type: KnownType) {
        do throws(PredicateFormatError) {
            return try expression().findings(in: scope, at: path)
        } catch {
            return ([.notAPredicate(error, at: path)], .unknown)
        }
    }
}

extension FormatExpression {
    /// The findings in source order, and the type of the value.
    func findings(in scope: CheckScope, at path: [String] = []) -> (findings: [ModelFinding], type: KnownType) {
        let (findings, type) = Checker.findings(in: self, scope: scope)
        return (findings.map { ModelFinding($0, at: path) }, type)
    }
}

extension ModelFinding {
    /// A finding about a predicate of the model.
    init(_ finding: PredicateFinding, at path: [String]) {
        self.init(
            .predicate(finding.code), finding.message, hint: finding.hint, at: path, format: finding.format,
            range: finding.range, isWarning: finding.level != .error)
    }

    fileprivate static func notAPredicate(_ error: PredicateFormatError, at path: [String]) -> ModelFinding {
        ModelFinding(
            .notAPredicate, error.title, hint: error.hints.first, at: path, format: error.text, range: error.range)
    }
}
