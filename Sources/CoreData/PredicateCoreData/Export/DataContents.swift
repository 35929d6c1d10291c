import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The formats of the data in a store's binary attributes, determined from the first values: JSON of SwiftData, property lists,
/// keyed archives, gzip. [NSP-478]
package struct DataContents: Sendable {
    private struct Place: Hashable {
        let entity: String
        let key: String
    }

    private var forms: [Place: String] = [:]
    private static let mostValues: Int64 = 40
    /// The maximum size in bytes of an external file that is read; pictures and films are larger.
    private static let largestFile = 1 << 20

    init() {}

    package init(_ store: CoreDataStore) throws(CoreDataError) {
        for entity in store.layout.ordered where store.file.columns[entity.table] != nil {
            for attribute in store.model.storedAttributes(of: entity.name) {
                guard attribute.type == .binaryData || attribute.type == .transformable,
                    let stored = store.schema.entities[entity.name]?.attributes[attribute.name]
                else { continue }
                forms[Place(entity: entity.name, key: attribute.name)] = try Self.words(
                    stored, of: entity, store.connection)
            }
        }
    }

    /// True if the values of a binary attribute can be decoded.
    func decodes(_ attribute: AttributeDescription, of entity: String) -> Bool {
        attribute.type == .binaryData && forms[Place(entity: entity, key: attribute.name)] != nil
    }

    /// The format of an attribute's values in an entity and its subentities: `JSON: array of string`; nil if a value has
    /// another format. For a composite attribute, the formats of its elements.
    package func words(_ key: String, of entity: String, in model: ManagedObjectModel) -> String? {
        for name in model.subtree(of: entity).map(\.name) {
            if let found = forms[Place(entity: name, key: key)] { return found }
            let elements = forms.filter { $0.key.entity == name && $0.key.key.hasPrefix(key + ".") }
            guard !elements.isEmpty else { continue }
            return elements.map { "\($0.key.key.dropFirst(key.count + 1)) \($0.value)" }.sorted().joined(
                separator: "; ")
        }
        return nil
    }

    /// The forms of the first values, without those whose file is missing or large; nil if one of them cannot be decoded.
    private static func words(
        _ attribute: SQLAttribute, of entity: StoredEntity, _ connection: StoreConnection
    ) throws(CoreDataError) -> String? {
        guard let column = attribute.column else { return nil }
        let query: SQLText = """
            SELECT \(name: column) FROM \(name: entity.table) WHERE Z_ENT = \(bind: .integer(entity.number))
            AND \(name: column) IS NOT NULL LIMIT \(number: mostValues)
            """
        let rows = try storing { () throws(StoreError) in try connection.rows(of: SQLFragment(query)) }
        var shapes: Set<String> = []
        while let row = try storing({ () throws(StoreError) in try rows.next() }) {
            guard case .blob = row[0] else { return nil }
            let stored = attribute.type.value(of: row[0])
            let content =
                attribute.externalFolder.map { ExternalData.value(of: stored, in: $0, limit: largestFile) } ?? stored
            guard case .data(let data) = content else { continue }
            guard let value = ArchivedJSON.value(of: Array(data)) else { return nil }
            shapes.insert("\(ArchivedJSON.form(of: data)): \(shape(of: value))")
        }
        return shapes.isEmpty ? nil : shapes.sorted().prefix(3).joined(separator: "; ")
    }

    private static func shape(of value: PredicateValue) -> String {
        switch value {
        case .array(let elements), .orderedSet(let elements):
            elements.first.map { "array of \(shape(of: $0))" } ?? "empty array"
        case .dictionary(let entries):
            if case .string(let name)? = entries["$class"] {
                "archived \(name)"
            } else if entries.isEmpty {
                "empty dictionary"
            } else {
                "dictionary of \(entries.keys.sorted().prefix(4).joined(separator: ", "))"
            }
        case .set, .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object, .expression, .predicate:
            // Without the article.
            value.kindName.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
        }
    }
}
