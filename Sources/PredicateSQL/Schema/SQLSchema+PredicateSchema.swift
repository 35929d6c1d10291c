public import PredicateSyntax

/// The entities of a database as what predicates are checked against.
///
///     for finding in predicate.check(against: schema, entity: "Person") { print(finding) }
extension SQLSchema: PredicateSchema {
    /// A store that is fetched from.
    public var origin: SchemaOrigin { .stored }

    /// The values of an attribute, the objects of a relationship.
    public func property(_ key: String, of entity: String) -> SchemaProperty? {
        guard let entity = entities[entity] else { return SchemaProperty() }
        if let attribute = entity.attributes[key] {
            var property = SchemaProperty()
            property.kinds = attribute.type.kind.map { [$0] } ?? []
            if property.kinds == [.number] { property.isWhole = attribute.type == .integer }
            return property
        }
        return entity.relationships[key].map { SchemaProperty(objects: $0.destination, isToMany: $0.isToMany) }
    }

    /// The names of attributes and relationships, sorted.
    public func keys(of entity: String) -> [String] {
        entities[entity].map { (Array($0.attributes.keys) + Array($0.relationships.keys)).sorted() } ?? []
    }
}

extension SQLType {
    /// The kind of the values; nil for ``any``.
    package var kind: PredicateValue.Kind? {
        switch self {
        case .integer, .double, .decimal: .number
        case .string: .string
        case .boolean: .boolean
        case .date: .date
        case .uuid: .uuid
        case .data: .data
        case .any: nil
        }
    }
}
