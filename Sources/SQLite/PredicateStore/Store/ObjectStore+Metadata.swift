import Foundation
internal import PredicateSQL
public import PredicateSyntax

extension ObjectStore {
    /// Returns a value of the file's metadata, or nil if the key has none.
    ///
    /// Use metadata to run a change only once. In one transaction, the metadata and the change are written together:
    ///
    /// ```swift
    /// try store.transaction { () throws(StoreError) in
    ///     guard try store.metadata(for: "due dates are moved") == nil else { return }
    ///     try store.update("Task", ["due": nextMonth], where: isLate)
    ///     try store.setMetadata(true, for: "due dates are moved")
    /// }
    /// ```
    ///
    /// Metadata is stored in the table `predicates_metadata`, which introspection ignores.
    public func metadata(for key: String) throws(StoreError) -> PredicateValue? {
        try metadata()[exactly: key]
    }

    /// Returns all metadata of the file by key.
    package func metadata() throws(StoreError) -> [String: PredicateValue] {
        var metadata: [String: PredicateValue] = [:]
        guard try hasMetadataTable() else { return metadata }
        let rows = try connection.rows(of: SQLFragment("SELECT key, kind, value FROM \(name: MetadataValue.table)"))
        while let row = try rows.next() {
            guard let key = row.text(0), let kind = row.text(1), row.count > 2 else { continue }
            guard let value = MetadataValue(kind: kind, stored: row[2])?.value else {
                throw StoreError(.unsupportedMetadata(key: key, found: "the kind '\(kind)'"))
            }
            metadata[key] = value
        }
        return metadata
    }

    /// Sets a value of the file's metadata; nil removes it.
    ///
    /// Supported values are Booleans, numbers, strings, dates, data, UUIDs and URLs. Throws a ``StoreError``:
    /// `unsupportedMetadata` for any other value, `readOnlyConnection`.
    public func setMetadata(_ value: (any PredicateValueConvertible)?, for key: String) throws(StoreError) {
        let value = value?.predicateValue ?? .null
        if value == .null || value == .nullObject { return try removeMetadata(key) }
        guard let stored = MetadataValue(value) else {
            throw StoreError(.unsupportedMetadata(key: key, found: value.kindName))
        }
        let sql: SQLText = """
            INSERT INTO \(name: MetadataValue.table) (key, kind, value) VALUES (?1, ?2, ?3)
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
                SQLFragment("DELETE FROM \(name: MetadataValue.table) WHERE key = \(bind: .text(key))"))
        }
    }

    private func hasMetadataTable() throws(StoreError) -> Bool {
        let sql: SQLText =
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(bind: .text(MetadataValue.table))"
        return try connection.rows(of: SQLFragment(sql)).next() != nil
    }
}

/// A metadata value as a table row: the name of its kind, and an SQLite value.
struct MetadataValue {
    static let table = "predicates_metadata"
    static let declaration: SQLText = """
        CREATE TABLE IF NOT EXISTS \(name: table) (key TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL, value)
        WITHOUT ROWID
        """

    enum Kind: String {
        case bool, integer, double, decimal, string, date, data, uuid, url
    }

    let kind: Kind
    let stored: SQLBinding
    let value: PredicateValue

    /// nil for a value of an unsupported kind.
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

    /// SQLite stores NaN as NULL.
    private static func stored(_ number: Double) -> SQLBinding { number.isNaN ? .null : .double(number) }

    /// nil for an unknown kind, and for a row that this package did not write.
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
