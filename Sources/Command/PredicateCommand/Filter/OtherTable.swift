import PredicateCoreData
import PredicateData
import PredicateEvaluation
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// A table of a SQLite file that is used together with the filtered records: `shop.sqlite:orders.customer_id`, or
/// `orders:customer_id` for a table in the filtered file.
struct OtherTable {
    private let path: String
    private let store: ObjectStore
    private let entity: SQLEntity

    /// Opens the table, and removes its name from the keys. The name stands before the keys or before the colon; a file with
    /// one table needs none.
    init(
        _ path: String, _ name: String?, _ keys: inout [String], _ context: PredicateContext
    ) throws(CommandFailure) {
        self.path = path
        store = try Self.store(path, context)
        let first = keys.first.map { KeyPathExpression.keys(of: $0) } ?? []
        if let name = name ?? (first.count > 1 ? first[0] : nil), let found = store.schema.entities[name] {
            entity = found
            keys = keys.map { $0.hasPrefix(name + ".") ? String($0.dropFirst(name.count + 1)) : $0 }
        } else if name == nil, let only = store.schema.onlyTable {
            entity = only
        } else {
            throw Self.unknown(name ?? (first.count > 1 ? first[0] : nil), isFile: name != nil, path, store.schema)
        }
    }

    private static func store(_ path: String, _ context: PredicateContext) throws(CommandFailure) -> ObjectStore {
        if let store = try CoreDataFile.open(path, .none, context) { return store.objects }
        let connection = try SQLiteFile.open(path)
        return try SchemaFile.tables(of: connection).store(connection, context)
    }

    /// The failure for a table that the file lacks. `isFile` is true if the name could also be that of a file.
    private static func unknown(
        _ name: String?, isFile: Bool, _ path: String, _ schema: SQLSchema
    ) -> CommandFailure {
        let names = schema.entities.keys.sorted()
        let list = NameList.hint("tables", names)
        guard let name else {
            return .message("\(path): the file has several tables", hints: [list, "write \(path):TABLE.KEY"])
        }
        let suggestions = UsageError.suggestions(for: name, among: names)
        return .message(
            isFile
                ? "there is no file '\(name)', and no table '\(name)' in \(path)"
                : "\(path): there is no table '\(name)'",
            hints: suggestions.isEmpty ? [list] : suggestions)
    }

    /// Passes the rows to a closure, as records of all columns or of the given keys. Each record also has `values` as members,
    /// named by their spelling.
    func forEach(
        _ values: [OutputValue], isWhole: Bool, _ body: (PredicateValue) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let columns = try RowColumns(
            isWhole ? nil : [], others: values.of(entity), of: entity, in: store, findsDays: false)
        let request = PredicateFetchRequest(
            entity.name, limit: .max, keys: columns.keysToFetch, prefetching: columns.relationshipsToPrefetch)
        let objects = try store.reading { (store) throws(StoreError) in try store.fetchCursor(request) }
        while let object = try store.reading({ (_) throws(StoreError) in try objects.next() }) {
            let values = try store.reading { (_) throws(StoreError) in try columns.values(of: object) { _ in } }
            try body(.dictionary(Dictionary(zip(columns.allNames, values)) { $1 }))
        }
    }
}
