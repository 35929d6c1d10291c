import PredicateSyntax

/// A column that a statement gives a value: that of an attribute or of a to-one relationship.
struct AssignedColumn {
    let key: String
    let name: QuotedName
    private let type: SQLType
    /// The entity of objects, of which the column keeps the primary key.
    private let destination: SQLEntity?
    private let schema: SQLSchema
    /// True for data with a byte in front that says where they are.
    private let isTagged: Bool

    /// The column of a key. Throws for a key that the entity does not have, or that no column holds.
    init(_ key: String, of entity: EntityReference, in schema: SQLSchema) throws(SQLCompilationError) {
        (self.key, self.schema) = (key, schema)
        isTagged = entity.entity.attributes.exactly(key)?.externalFolder != nil
        switch entity.property(key) {
        case .attribute(let attribute):
            (name, type, destination) = (attribute.column.name, attribute.type, nil)
            return
        case .toOne(let destination, let column):
            guard let destination = schema.entities.exactly(destination) else { break }
            (name, type, self.destination) = (column.name, destination.primaryKeyType, destination)
            return
        case .toMany, .manyToMany: break
        case nil: throw SQLCompilationError(schema.missingKey(key, of: entity.entity))
        }
        throw SQLCompilationError(.notAColumn(key: key))
    }

    /// The type of the column's parameters.
    func parameterType(_ dialect: any SQLDialect) -> SQLBinding.ParameterType {
        type.binding(of: .null, dialect)?.1 ?? .text
    }

    /// A value as the column keeps it. Throws for one of another kind.
    func binding(
        of value: PredicateValue, _ dialect: any SQLDialect
    ) throws(SQLCompilationError) -> (SQLBinding, SQLBinding.ParameterType) {
        let (binding, type) = try type.binding(of: try primaryKey(value), for: key, dialect)
        guard isTagged, case .blob(let data) = binding else { return (binding, type) }
        return (.blob([1] + data), type)
    }

    private func leadsTo(_ id: SQLObjectID, _ destination: SQLEntity) -> Bool {
        if id.entity.hasSameCodePoints(as: destination.name) { return true }
        return schema.entities.exactly(id.entity).map { $0.sharesObjects(with: destination) } ?? false
    }

    /// The primary key of an object; every value that is for an attribute.
    private func primaryKey(_ value: PredicateValue) throws(SQLCompilationError) -> PredicateValue {
        guard let destination, !value.isNil else { return value }
        if case .object(let host) = value, let id = host.base as? SQLObjectID, leadsTo(id, destination) {
            return id.key
        }
        throw SQLCompilationError(
            .valueKind(key: key, expected: "an SQLObjectID of \(destination.name)", found: value.columnKindName))
    }
}

extension SQLType {
    /// A value as a column of this type keeps it, for a key. Throws for one of another kind.
    fileprivate func binding(
        of value: PredicateValue, for key: String, _ dialect: any SQLDialect
    ) throws(SQLCompilationError) -> (SQLBinding, SQLBinding.ParameterType) {
        if let binding = binding(of: value, dialect) { return binding }
        throw SQLCompilationError(
            .valueKind(key: key, expected: ValueKind(self).name, found: name(ofRefused: value)))
    }
}
