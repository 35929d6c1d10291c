import Foundation
@_spi(Dialect) import PredicateSQL
import PredicateStore

/// The objects of two stores that are matched by keys, in temporary tables on the connection of the new store.
///
/// A hierarchy has one table if the objects of any of its entities are matched by keys. The identity of an object of
/// the new store is then the primary key of its match in the old store, or its own key made negative if it has none.
final class ObjectMatches {
    private let new: CoreDataStore
    /// The temporary tables, by the new store's table for the hierarchy.
    private var tables: [String: String] = [:]
    private let prefix = "predicates_" + UUID().uuidString

    init(_ entities: [ComparedEntity], _ old: CoreDataStore, _ new: CoreDataStore) throws(CoreDataError) {
        self.new = new
        for case let entity in entities where entity.rule.hasKeys {
            guard let table = entity.new?.entity.table, entity.old != nil, tables[table] == nil else { continue }
            try add(table)
        }
        for entity in entities {
            guard let before = entity.old, let after = entity.new, let table = tables[after.entity.table] else {
                continue
            }
            let (rows, others) = try storing { () throws(StoreError) in
                (
                    try RowCursor(old.connection, Self.query(entity.rule, before)),
                    try RowCursor(new.connection, Self.query(entity.rule, after))
                )
            }
            try changing { () throws(StoreError) in
                try match(rows, others, by: entity.rule.keyCount, in: table)
            }
        }
    }

    deinit {
        try? changing { () throws(StoreError) in
            for table in tables.values { try new.connection.execute("DROP TABLE temp.\(name: table)") }
        }
    }

    private func add(_ table: String) throws(CoreDataError) {
        let name = "\(prefix)_\(tables.count)"
        try changing { () throws(StoreError) in
            try new.connection.execute("CREATE TEMP TABLE \(name: name) (new INTEGER PRIMARY KEY, old INTEGER)")
            try new.connection.execute("CREATE INDEX temp.\(name: name + "_old") ON \(name: name) (old, new)")
        }
        tables[table] = name
    }

    /// Runs work that writes temporary tables, which the connection to the objects of an XML store refuses otherwise.
    private func changing(_ work: () throws(StoreError) -> Void) throws(CoreDataError) {
        guard let xml = new.xml else { return try storing(work) }
        try xml.changing(new.connection) { () throws(CoreDataError) in try storing(work) }
    }

    /// Pairs the objects of both stores that have equal keys. Both cursors are sorted by these keys.
    private func match(
        _ before: RowCursor, _ after: RowCursor, by count: Int, in table: String
    ) throws(StoreError) {
        let zero = SQLBinding.integer(0)
        let insert = SQLText.insert(into: "temp.\(name: table)", ["new", "old"], .values([zero, zero]))
        let pairs = try RepeatedStatement(new.connection, SQLFragment(insert))
        while before.hasRow, after.hasRow {
            let order = before.order(to: after, by: 0..<count)
            if order == .same, let old = before.integer(count), let new = after.integer(count) {
                _ = try pairs.run([.integer(new), .integer(old)])
            }
            if order != .after { try before.advance() }
            if order != .before { try after.advance() }
        }
    }

    /// `SELECT "ZNAME", Z_PK, Z_PK FROM "ZITEM" WHERE Z_ENT = 2 ORDER BY 1, 2`
    private static func query(_ rule: ObjectMatching.Rule, _ side: ComparedSide) -> SQLText {
        let columns = rule.columns(side)
        let terms = SQLText.joined(columns + ["Z_PK"], by: ", ")
        return """
            SELECT \(terms) FROM \(name: side.entity.table)
            WHERE Z_ENT = \(number: side.entity.number) ORDER BY \(terms)
            """
    }

    // MARK: - Identities

    /// True if the objects in a table of the new store have identities other than their primary keys.
    func hasMatches(_ table: String) -> Bool { tables[table] != nil }

    /// The identity of an object of the new store, given the column with its primary key, and its table.
    func identity(_ key: SQLText, in table: String) -> SQLText {
        guard let match = tables[table] else { return key }
        return "COALESCE((SELECT m.old FROM temp.\(name: match) AS m WHERE m.new = \(key)), -\(key))"
    }

    /// `temp."…" AS m CROSS JOIN "ZITEM" AS s ON s.Z_PK = m.new`: the matched objects of a table.
    func matched(in table: String) -> SQLText {
        guard let match = tables[table] else { return "\(name: table) AS s" }
        return "temp.\(name: match) AS m CROSS JOIN \(name: table) AS s ON s.Z_PK = m.new"
    }

    /// The condition that an object of a table has no match; nil if objects are matched by primary key.
    func isUnmatched(in table: String) -> SQLText? {
        tables[table].map { "NOT EXISTS (SELECT 1 FROM temp.\(name: $0) AS m WHERE m.new = s.Z_PK)" }
    }
}

extension ObjectMatching.Rule {
    var hasKeys: Bool {
        switch self {
        case .keys: true
        case .identity, .primaryKey: false
        }
    }

    /// The number of columns that must be equal.
    var keyCount: Int {
        switch self {
        case .keys(let keys): keys.count
        case .identity, .primaryKey: 1
        }
    }

    /// The columns that must be equal.
    func columns(_ side: ComparedSide) -> [SQLText] {
        switch self {
        case .keys(let keys): keys.map { "\(name: side.schema.attributes[$0]?.column ?? $0)" }
        case .identity, .primaryKey: ["Z_PK"]
        }
    }
}
