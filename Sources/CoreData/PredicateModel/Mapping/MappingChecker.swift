import PredicateChecks
import PredicateSyntax

extension MappingModel {
    /// Checks the mapping model against its source and destination models: entities, names of properties, and the
    /// keys and kinds of every expression.
    ///
    ///     let mapping = try MappingModel(path: "Library1to2.xcmappingmodel").resolved(from: old, to: new)
    ///     for finding in mapping.check(from: old, to: new) { print(finding) }
    ///
    /// `$source` is an object of the source entity, `$destination` one of the destination entity. A lookup by
    /// `$manager` must name an existing entity mapping or relationship. What a source file leaves out is checked only
    /// after ``resolved(from:to:)`` has filled it in.
    public func check(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> [ModelFinding] {
        entityMappings.flatMap { mapping in
            var checker = MappingChecker(mapping, among: entityMappings.map(\.name), source, destination)
            checker.run()
            return checker.findings
        }
    }
}

/// The checks of one entity mapping.
private struct MappingChecker {
    let mapping: EntityMapping
    /// The names of all entity mappings.
    let names: [String]
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    private(set) var findings: [ModelFinding] = []

    init(
        _ mapping: EntityMapping, among names: [String], _ source: ManagedObjectModel,
        _ destination: ManagedObjectModel
    ) {
        (self.mapping, self.names, self.source, self.destination) = (mapping, names, source, destination)
    }

    private var path: [String] { ["entity mapping \(mapping.name)"] }

    private mutating func note(
        _ code: ModelFinding.Code, _ path: [String], _ message: String, near name: String = "",
        _ candidates: [String] = [], isWarning: Bool = false
    ) {
        let near = NearMiss.candidates(for: name, among: candidates)
        let hint = near.isEmpty ? nil : "did you mean \(near.joined(separator: " or "))?"
        findings.append(ModelFinding(code, message, hint: hint, at: path, isWarning: isWarning))
    }

    mutating func run() {
        checkEntity(mapping.sourceEntityName, source, "source")
        checkEntity(mapping.destinationEntityName, destination, "destination")
        if let filter = mapping.sourceFilter, let entity = mapping.sourceEntityName, source.entity(entity) != nil {
            findings += filter.findings(in: CheckScope(source, entity: entity), at: path + ["source filter"])
        }
        for attribute in mapping.attributeMappings { checkAttribute(attribute) }
        for relationship in mapping.relationshipMappings { checkRelationship(relationship) }
    }

    private mutating func checkEntity(_ name: String?, _ model: ManagedObjectModel, _ role: String) {
        guard let name, model.entity(name) == nil else { return }
        note(
            .unknownEntity, path, "the \(role) model has no entity '\(name)'", near: name, model.entities.map(\.name))
    }

    // MARK: Properties

    private mutating func checkAttribute(_ property: PropertyMapping) {
        let path = path + ["attribute \(property.name)"]
        let value = property.valueExpression.map { check($0, path) }
        guard let entity = knownDestination else { return }
        guard case .attribute(let attribute)? = destination.property(property.name, of: entity)?.property else {
            let names = destination.attributes(of: entity).map(\.name)
            return note(
                .unknownKey, path, "\(entity) has no attribute '\(property.name)'", near: property.name, names)
        }
        if let value { checkKind(value, KnownType(PredicateProperty(attribute)), path) }
    }

    /// A value of the wrong kind cannot be set, unless a policy converts it.
    private mutating func checkKind(_ value: KnownType, _ wanted: KnownType, _ path: [String]) {
        guard !value.isOpen, !wanted.isOpen, !value.isToMany, !value.kinds.canEqual(wanted.kinds) else { return }
        let schema = ModelSchema([destination])
        note(
            .kindMismatch, path, "expected \(wanted.noun(schema)), found \(value.noun(schema))",
            isWarning: mapping.migrationPolicyClassName != nil)
    }

    private mutating func checkRelationship(_ property: PropertyMapping) {
        let path = path + ["relationship \(property.name)"]
        if let value = property.valueExpression { _ = check(value, path) }
        if let objects = property.sourceKeyPath { _ = check(objects, path) }
        if let name = property.sourceMappingName { checkMapping(name, path) }
        guard let entity = knownDestination else { return }
        guard case .relationship? = destination.property(property.name, of: entity)?.property else {
            let names = destination.relationships(of: entity).map(\.name)
            return note(
                .unknownKey, path, "\(entity) has no relationship '\(property.name)'", near: property.name, names)
        }
    }

    private var knownDestination: String? {
        mapping.destinationEntityName.flatMap { destination.entity($0) == nil ? nil : $0 }
    }

    // MARK: Expressions

    /// Checks an expression against the models; returns the type of its value in the source model.
    private mutating func check(_ expression: ModelExpression, _ path: [String]) -> KnownType {
        let (found, type) = expression.findings(in: scope("source", mapping.sourceEntityName, source), at: path)
        let other = expression.findings(
            in: scope("destination", mapping.destinationEntityName, destination), at: path)
        findings += found + other.findings.filter { !found.contains($0) }
        if case .message(let message)? = (try? expression.expression())?.node { checkLookup(message, path) }
        return type
    }

    /// Returns a scope in which one variable is an object and the others may have any value.
    private func scope(_ variable: String, _ entity: String?, _ model: ManagedObjectModel) -> CheckScope {
        var scope = CheckScope(model, entity: entity ?? "")
        scope.subject = .unknown
        if let entity, model.entity(entity) != nil {
            scope.variables[variable] = KnownType(entity: entity)
        }
        return scope
    }

    /// `FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "BookToBook", $source.books)`
    private mutating func checkLookup(_ message: MessageExpression, _ path: [String]) {
        guard case .variable("manager") = message.target,
            case .constantValue(.string(let name))? = message.arguments.first
        else { return }
        if message.selector.contains("ForEntityMappingNamed:") { return checkMapping(name, path) }
        guard message.selector.contains("ForSourceRelationshipNamed:"), let entity = mapping.sourceEntityName,
            source.entity(entity) != nil
        else { return }
        if case .relationship? = source.property(name, of: entity)?.property { return }
        let names = source.relationships(of: entity).map(\.name)
        note(.unknownKey, path, "\(entity) has no relationship '\(name)'", near: name, names)
    }

    private mutating func checkMapping(_ name: String, _ path: [String]) {
        guard !names.contains(where: { $0.hasSameCodePoints(as: name) }) else { return }
        note(.unknownMapping, path, "there is no entity mapping '\(name)'", near: name, names)
    }
}
