import Foundation
import PredicateSQL
public import PredicateSyntax

extension PredicateStore {
    /// Returns a value of the metadata of the file, or nil for a key without one.
    ///
    /// Metadata guard changes that run once; in one transaction they are written with the change or not at all:
    ///
    /// ```swift
    /// try store.transaction { () throws(StoreError) in
    ///     guard try store.metadata("due dates are moved") == nil else { return }
    ///     try store.update("Task", ["due": nextMonth], where: isLate)
    ///     try store.setMetadata(true, for: "due dates are moved")
    /// }
    /// ```
    ///
    /// They are kept in a table of the file, `predicates_metadata`, which introspection leaves out.
    public func metadata(_ key: String) throws(StoreError) -> PredicateValue? {
        try metadata()[exactly: key]
    }

    /// Returns all metadata of the file, by key; none if none were ever set.
    public func metadata() throws(StoreError) -> [String: PredicateValue] {
        var metadata: [String: PredicateValue] = [:]
        guard try hasMetadataTable() else { return metadata }
        let rows = try connection.rows(of: SQLFragment("SELECT key, kind, value FROM \(MetadataValue.table)"))
        while let row = try rows.next() {
            guard let key = row.text(0), let kind = row.text(1), row.count > 2 else { continue }
            guard let value = MetadataValue(kind: kind, stored: row[2])?.value else {
                throw StoreError(.metadataKind(key: key, found: "the kind '\(kind)'"))
            }
            metadata[key] = value
        }
        return metadata
    }

    /// Sets a value of the metadata of the file; nil removes it.
    ///
    /// A value is a Boolean, a number, a string, a date, data, a UUID or a URL. Throws a ``StoreError``: `metadataKind` for
    /// any other, `readOnlyConnection`.
    public func setMetadata(_ value: (any PredicateValueConvertible)?, for key: String) throws(StoreError) {
        let value = value?.predicateValue ?? .null
        if value == .null || value == .nullObject { return try removeMetadata(key) }
        guard let stored = MetadataValue(value) else {
            throw StoreError(.metadataKind(key: key, found: value.kindName))
        }
        let sql = """
            INSERT INTO \(MetadataValue.table) (key, kind, value) VALUES (?1, ?2, ?3)
            ON CONFLICT (key) DO UPDATE SET kind = ?2, value = ?3
            """
        try connection.transaction { () throws(StoreError) in
            try connection.execute(MetadataValue.declaration)
            try connection.run(
                SQLFragment(sql, bindings: [.text(key), .text(stored.kind.rawValue), stored.stored]))
        }
    }

    private func removeMetadata(_ key: String) throws(StoreError) {
        try connection.transaction { () throws(StoreError) in
            guard try hasMetadataTable() else { return }
            try connection.run(
                SQLFragment("DELETE FROM \(MetadataValue.table) WHERE key = ?1", bindings: [.text(key)]))
        }
    }

    private func hasMetadataTable() throws(StoreError) -> Bool {
        let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1"
        return try connection.rows(of: SQLFragment(sql, bindings: [.text(MetadataValue.table)])).next() != nil
    }
}

/// A value of the metadata as a row keeps it: the word for its kind, and a value of SQLite's.
struct MetadataValue {
    /// The name of the table.
    static let table = "predicates_metadata"
    static let declaration = """
        CREATE TABLE IF NOT EXISTS \(table) (key TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL, value) WITHOUT ROWID
        """

    enum Kind: String {
        case bool, integer, double, decimal, string, date, data, uuid, url
    }

    let kind: Kind
    let stored: SQLBinding
    let value: PredicateValue

    /// nil for a value that is no single value of a plain kind.
    init?(_ value: PredicateValue) {
        self.value = value
        switch value {
        case .bool(let value): (kind, stored) = (.bool, .integer(value ? 1 : 0))
        case .integer(let value): (kind, stored) = (.integer, .integer(value))
        case .double(let value): (kind, stored) = (.double, Self.stored(value))
        case .decimal(let value): (kind, stored) = (.decimal, .text(value.description))
        case .string(let value): (kind, stored) = (.string, .text(value))
        case .date(let value): (kind, stored) = (.date, Self.stored(value.timeIntervalSinceReferenceDate))
        case .data(let value): (kind, stored) = (.data, .blob(value))
        case .uuid(let value): (kind, stored) = (.uuid, .text(value.uuidString))
        case .url(let value): (kind, stored) = (.url, .text(value.absoluteString))
        case .null, .nullObject, .type, .array, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            return nil
        @unknown default: return nil
        }
    }

    /// SQLite has NULL for what is not a number.
    private static func stored(_ number: Double) -> SQLBinding { number.isNaN ? .null : .double(number) }

    /// nil for a kind that is not known, and for a row that was not written here.
    init?(kind word: String, stored: SQLBinding) {
        guard let kind = Kind(rawValue: word), let value = Self.value(kind, stored) else { return nil }
        (self.kind, self.stored, self.value) = (kind, stored, value)
    }

    private static func value(_ kind: Kind, _ stored: SQLBinding) -> PredicateValue? {
        switch (kind, stored) {
        case (.bool, .integer(let value)): .bool(value != 0)
        case (.integer, .integer(let value)): .integer(value)
        case (.double, .double(let value)): .double(value)
        case (.double, .null): .double(.nan)
        case (.decimal, .text(let text)):
            Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map(PredicateValue.decimal)
        case (.string, .text(let text)): .string(text)
        case (.date, .double(let value)): .date(Date(timeIntervalSinceReferenceDate: value))
        case (.date, .null): .date(Date(timeIntervalSinceReferenceDate: .nan))
        case (.data, .blob(let data)): .data(data)
        case (.uuid, .text(let text)): UUID(uuidString: text).map(PredicateValue.uuid)
        case (.url, .text(let text)): URL(string: text).map(PredicateValue.url)
        case (.bool, _), (.integer, _), (.double, _), (.decimal, _), (.string, _), (.date, _), (.data, _), (.uuid, _),
            (.url, _):
            nil
        }
    }
}

extension Dictionary where Key == String {
    /// The entry whose key has the same code points.
    subscript(exactly key: String) -> Value? {
        guard let index = index(forKey: key), self[index].key.hasSameCodePoints(as: key) else { return nil }
        return self[index].value
    }
}
