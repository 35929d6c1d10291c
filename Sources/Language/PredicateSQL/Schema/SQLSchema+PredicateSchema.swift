public import PredicateSyntax

/// A schema that predicates are checked against: the entities of a database.
///
///     for finding in predicate.check(against: schema, entity: "Person") { print(finding) }
extension SQLSchema: PredicateSchema {
    /// The entities are stored in a database.
    public var origin: SchemaOrigin { .stored }

    /// Returns the property of a key: the values of an attribute, the objects of a relationship, or the elements of a
    /// composite attribute.
    public func property(_ key: String, of entity: String) -> PredicateProperty? {
        guard let (owner, prefix) = place(entity) else { return PredicateProperty() }
        let path = prefix + key
        if let attribute = owner.attributes[path] ?? (path == owner.primaryKey ? owner.primaryKeyAttribute : nil) {
            var property = PredicateProperty()
            property.kinds = attribute.type.element.kind.map { [$0] } ?? []
            if property.kinds == [.number] { property.isWhole = attribute.type.element == .integer }
            property.isToMany = attribute.type.isArray
            return property
        }
        if owner.isComposite(path) { return PredicateProperty(objects: "\(owner.name).\(path)", isToMany: false) }
        guard prefix.isEmpty else { return nil }
        return owner.relationships[key].map { PredicateProperty(objects: $0.destination, isToMany: $0.isToMany) }
    }

    /// Returns the sorted names of attributes and relationships, and that of the primary key.
    public func keys(of entity: String) -> [String] {
        guard let (owner, prefix) = place(entity) else { return [] }
        let paths = owner.keyNames.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
        return Set(paths.map { String($0.prefix { $0 != "." }) }).sorted()
    }

    /// Returns the entity of a name, or the owner and the key prefix for a composite attribute: `Person.address`
    private func place(_ name: String) -> (owner: SQLEntity, prefix: String)? {
        if let own = entities[name] { return (own, "") }
        for dot in name.indices where name[dot] == "." {
            let path = name[name.index(after: dot)...]
            if let owner = entities[String(name[..<dot])], owner.isComposite(String(path)) {
                return (owner, path + ".")
            }
        }
        return nil
    }
}

extension SQLType {
    /// The type of the elements of an array, or the type itself.
    package var element: SQLType {
        if case .array(let element, _) = self { element } else { self }
    }

    package var isArray: Bool {
        if case .array = self { true } else { false }
    }

    /// The kind of the values; nil for ``any``.
    package var kind: PredicateValue.Kind? {
        switch self {
        case .integer, .double, .single, .decimal: .number
        case .string, .paddedString: .string
        case .boolean: .boolean
        case .date: .date
        case .uuid: .uuid
        case .data: .data
        case .array: .array
        case .any, .json: nil
        }
    }
}
