import PredicateSQL

/// A statement about the rows whose value in a column is one of many keys, which runs for some of them at a time.
///
/// `SELECT t0."id", t0."number" FROM "phone" AS t0 WHERE t0."owner_id" IN (?1, ?2, …)`
struct KeyStatement {
    /// The text up to the list of keys.
    private let opening: String
    /// ` ORDER BY …` after the list; empty for none.
    private let order: String

    /// The most keys of one run.
    static let chunk = 512

    /// A statement that goes on with `WHERE column IN (…)`.
    init(_ text: String, where column: String, order: String = "") {
        opening = "\(text) WHERE \(column) IN ("
        self.order = order
    }

    /// The statement for some keys. Their number is rounded up to a power of two, so that few texts are prepared; NULL in
    /// the places left is equal to no key.
    private func fragment(_ keys: ArraySlice<SQLBinding>) -> SQLFragment {
        var count = 1
        while count < keys.count { count *= 2 }
        let places = (1...count).map { "?\($0)" }.joined(separator: ", ")
        let rest = Array(repeating: SQLBinding.null, count: count - keys.count)
        return SQLFragment("\(opening)\(places))\(order)", bindings: keys + rest)
    }

    /// Runs the statement for all keys.
    func run(for keys: [SQLBinding], on core: StoreCore) throws(StoreError) {
        for start in stride(from: 0, to: keys.count, by: Self.chunk) {
            let fragment = fragment(keys[start..<min(start + Self.chunk, keys.count)])
            try core.explaining { () throws(StoreError) in _ = try core.connection.run(fragment) }
        }
    }

    /// Reads the rows for all keys.
    func read(
        for keys: [SQLBinding], on core: StoreCore, _ body: (SQLiteStatement) throws(StoreError) -> Void
    ) throws(StoreError) {
        for start in stride(from: 0, to: keys.count, by: Self.chunk) {
            let fragment = fragment(keys[start..<min(start + Self.chunk, keys.count)])
            try core.explaining { () throws(StoreError) in
                let rows = try core.connection.rows(of: fragment)
                while try rows.next(body) != nil {}
            }
        }
    }
}
