/// A cache of prepared statements that are not in use, by their text; evicts the least recently used one.
///
/// A statement in use is taken out of the cache: a second use of the same text at the same time prepares it again.
struct StatementCache {
    private struct Entry {
        let statement: SQLiteStatement
        let lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    var count: Int { entries.count }

    /// Removes and returns a statement; `put(_:)` returns it after use.
    mutating func take(_ sql: String) -> SQLiteStatement? {
        // Equal strings may be different statements: a name with a precomposed accent, or with a combining one.
        guard let entry = entries[sql], entry.statement.sql.utf8.elementsEqual(sql.utf8) else { return nil }
        entries[sql] = nil
        return entry.statement
    }

    mutating func put(_ statement: SQLiteStatement) {
        statement.reset()
        guard capacity > 0 else { return statement.finalize() }
        uses += 1
        entries.updateValue(Entry(statement: statement, lastUse: uses), forKey: statement.sql)?.statement.finalize()
        if entries.count > capacity { removeOldest() }
    }

    private mutating func removeOldest() {
        guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        entries.removeValue(forKey: oldest.key)?.statement.finalize()
    }

    mutating func removeAll() {
        for entry in entries.values { entry.statement.finalize() }
        entries.removeAll()
    }
}
