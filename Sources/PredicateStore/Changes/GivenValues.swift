import PredicateSQL
import PredicateSyntax

/// The values that a change gives an object: those of columns, and the objects of to-many relationships.
struct GivenValues {
    /// The values of attributes and to-one relationships, with identities in place of objects.
    var columns: [String: PredicateValue] = [:]
    /// The primary keys of related objects, by key.
    private(set) var related: [(key: String, objects: StoredKeys)] = []

    /// Throws `missingValue` for nil where the schema does not allow it, `compilation` for objects of the wrong kind.
    init(_ values: ObjectValues, of entity: SQLEntity, in core: StoreCore, isNew: Bool = true) throws(StoreError) {
        for (key, value) in values {
            let value = value?.predicateValue.withIdentities(in: core) ?? .null
            if let relationship = entity.relationships[key], relationship.isToMany {
                related.append((key, try StoredKeys(value, key, relationship.destination, core)))
            } else {
                columns[key] = value
            }
        }
        try entity.checkNil(columns)
        if isNew, let version = entity.versionKey, columns[version] == nil { columns[version] = 1 }
    }
}

extension StoredKeys {
    /// The primary keys of objects that a value for a to-many relationship lists.
    init(_ value: PredicateValue, _ key: String, _ destination: String, _ core: StoreCore) throws(StoreError) {
        let layout = try core.layout(destination)
        guard let elements = value.listedObjects else { throw Self.wrongKind(value, key, destination) }
        for element in elements {
            guard case .object(let object) = element, let id = object.base as? SQLObjectID,
                id.entity.hasSameCodePoints(as: destination),
                let key = layout.entity.primaryKeyType.binding(of: id.key)
            else { throw Self.wrongKind(element, key, destination) }
            insert(key)
        }
    }

    private static func wrongKind(_ value: PredicateValue, _ key: String, _ destination: String) -> StoreError {
        let code = SQLCompilationError.Code.valueKind(
            key: key, expected: "SQLObjectIDs of \(destination)", found: value.kindName)
        return StoreError(.compilation(SQLCompilationError(code)))
    }
}

extension SQLEntity {
    /// Throws `missingValue` for nil where the schema does not allow it.
    func checkNil(_ values: [String: PredicateValue]) throws(StoreError) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where value == .null || value == .nullObject {
            guard let attribute = attributes[key], !attribute.isNullable else { continue }
            throw StoreError(.missingValue(key: key, entity: name))
        }
    }
}

extension PredicateValue {
    /// The elements of a value for a to-many relationship: an object alone, a collection, nothing for nil. nil for other kinds.
    package var listedObjects: [PredicateValue]? {
        switch self {
        case .null, .nullObject: []
        case .array(let elements), .orderedSet(let elements): elements
        case .set(let elements): Array(elements)
        case .object: [self]
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .dictionary, .expression,
            .predicate:
            nil
        @unknown default: nil
        }
    }
}
