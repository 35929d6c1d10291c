import PredicateSQL
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A dictionary of plain values as one row of an SQLite table.
///
/// `{"age": 21, "name": null}` with columns `c0 INTEGER`, `c1 TEXT`
struct FlatRow {
    private struct Column {
        let key: String
        let type: SQLType
        let declaration: String
        let binding: SQLBinding
    }

    private let columns: [Column]

    /// Nil if the object is no dictionary of plain values; `types` says what the columns of nil values hold.
    init?(_ object: PredicateValue, types: [String: SQLType], otherwise type: SQLType) {
        guard case .dictionary(let entries) = object else { return nil }
        var columns: [Column] = []
        let absent = types.keys.filter { entries[$0] == nil }.map { ($0, PredicateValue.null) }
        for (key, value) in (entries.map { ($0.key, $0.value) } + absent).sorted(by: { $0.0 < $1.0 }) {
            // In a schema such a key is the path of an element. [NSP-410]
            guard !key.contains("."), let cell = value.cell(or: types[key] ?? type) else { return nil }
            columns.append(
                Column(key: key, type: cell.type, declaration: cell.type.declaration, binding: cell.binding))
        }
        self.columns = columns
    }

    static let table = "row"

    /// The table; `tellingKinds` as one whose columns may hold values of any kind.
    func schema(tellingKinds: Bool) -> SQLSchema {
        var attributes: [String: SQLAttribute] = [:]
        for (index, column) in columns.enumerated() {
            let affinity = tellingKinds ? SQLAffinity(declaredType: column.declaration) : nil
            attributes[column.key] = SQLAttribute(column.type, column: "c\(index)", affinity: affinity)
        }
        return SQLSchema([SQLEntity(Self.table, primaryKey: "number", attributes: attributes)])
    }

    /// The table without rows.
    var creation: String {
        let declared = columns.enumerated().map { ", c\($0) \($1.declaration)" }.joined()
        return
            "DROP TABLE IF EXISTS \"\(Self.table)\"; CREATE TABLE \"\(Self.table)\" (number INTEGER NOT NULL\(declared))"
    }

    var insertion: SQLFragment {
        let places = columns.indices.map { ", ?\($0 + 1)" }.joined()
        return SQLFragment("INSERT INTO \"\(Self.table)\" VALUES (1\(places))", bindings: columns.map(\.binding))
    }
}

extension PredicateValue {
    /// The column type of a plain value; nil of nil and of what no column holds.
    var columnType: SQLType? {
        if case .null = self { nil } else { cell(or: .any)?.type }
    }

    /// The value in a column, with the type for nil; nil if a column cannot hold it unchanged.
    fileprivate func cell(or type: SQLType) -> (type: SQLType, binding: SQLBinding)? {
        switch self {
        case .null: (type, .null)
        case .bool(let value): (.boolean, .integer(value ? 1 : 0))
        case .integer(let value): (.integer, .integer(value))
        case .double(let value): value.isNaN ? nil : (.double, .double(value))
        case .string(let value): value.utf8.contains(0) ? nil : (.string, .text(value))
        case .date(let date): (.date, .double(date.timeIntervalSinceReferenceDate))
        case .data(let data): (.data, .blob(data))
        case .uuid(let uuid): (.uuid(.text), .text(uuid.uuidString))
        case .nullObject, .decimal, .url, .type, .array, .set, .orderedSet, .object, .dictionary, .expression,
            .predicate:
            nil
        }
    }
}

extension SQLType {
    /// The type that a column is declared with, whose affinity keeps the values as they are.
    fileprivate var declaration: String {
        switch self {
        case .integer, .boolean: "INTEGER"
        case .double, .date: "REAL"
        case .string, .decimal, .uuid: "TEXT"
        case .data, .any: "BLOB"
        }
    }
}
