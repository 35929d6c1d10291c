@_spi(Dialect) import PredicateSQL
import PredicateStore
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Selects the rows of a record in SQLite. Each row is loaded into a table of its own.
///
/// A row must be selected exactly if the record says true. A row for which the evaluation fails must not be selected.
struct RowsInSQLite {
    enum RowOutcome: Hashable {
        /// SQLite selects the row, or does not
        case selected(Bool)
        /// The compiler rejects the predicate for this table
        case refused
        /// The object is not a dictionary of plain values
        case notFlat
        /// SQLite reports an error that the values of the row can cause
        case rowError
        case failed(String)
    }

    private let predicate: FormatPredicate
    private let variables: [String: PredicateValue]
    /// The types of the columns, derived from all rows.
    private let types: [String: SQLType]

    init(_ predicate: FormatPredicate, _ variables: [String: PredicateValue], rows: [PredicateValue]) {
        self.predicate = predicate
        self.variables = variables
        var types: [String: SQLType] = [:]
        for case .dictionary(let entries) in rows {
            for (key, value) in entries where types[key] == nil { types[key] = value.columnType }
        }
        self.types = types
    }

    /// Returns the outcomes for an object. A column whose type no row determines is tried as text and as integer, and
    /// every column both with its type and as a column of any type.
    func outcomes(for object: PredicateValue) -> [RowOutcome] {
        var outcomes: [RowOutcome] = []
        for type in [SQLType.string, .integer] {
            guard let row = FlatRow(object, types: types, otherwise: type) else { return [.notFlat] }
            for tellsKinds in [false, true] {
                let outcome = outcome(for: row, tellingKinds: tellsKinds)
                if !outcomes.contains(outcome) { outcomes.append(outcome) }
            }
        }
        let judged = outcomes.filter { $0 != .refused }
        return judged.isEmpty ? outcomes : judged
    }

    private func outcome(for row: FlatRow, tellingKinds: Bool) -> RowOutcome {
        let query: SQLQuery
        do {
            let compiler = SQLCompiler(schema: row.schema(tellingKinds: tellingKinds), calendarZone: .gmt)
            query = try compiler.compile(predicate, entity: FlatRow.table, variables: PredicateVariables(variables))
        } catch {
            return .refused
        }
        do throws(StoreError) {
            let connection = try StoreConnection.inMemory()
            try connection.execute(row.creation)
            try connection.run(row.insertion)
            return .selected(try !connection.rows(of: query.select).all().isEmpty)
        } catch {
            return error.isOfARow ? .rowError : .failed("\(error)")
        }
    }
}

extension StoreError {
    /// A Boolean value that indicates whether the row can cause the error: an invalid pattern, a sum that is too
    /// large.
    fileprivate var isOfARow: Bool {
        switch code {
        case .evaluation, .mixedKinds: true
        default: message == "integer overflow"
        }
    }
}

/// A dictionary of plain values as a row of a SQLite table.
///
/// `{"age": 21, "name": null}` with columns `c0 INTEGER`, `c1 TEXT`
struct FlatRow {
    private struct BoundColumn {
        let key: String
        let type: SQLType
        let declaration: String
        let binding: SQLBinding
    }

    private let columns: [BoundColumn]

    /// Creates the row; nil if the object is not a dictionary of plain values. `types` holds the types of columns
    /// whose value is nil.
    init?(_ object: PredicateValue, types: [String: SQLType], otherwise type: SQLType) {
        guard case .dictionary(let entries) = object else { return nil }
        var columns: [BoundColumn] = []
        let absent = types.keys.filter { entries[$0] == nil }.map { ($0, PredicateValue.null) }
        for (key, value) in (entries.map { ($0.key, $0.value) } + absent).sorted(by: { $0.0 < $1.0 }) {
            // In a schema, such a key is the path of an element. [NSP-410]
            guard !key.contains("."), let cell = value.cell(or: types[key] ?? type) else { return nil }
            columns.append(
                BoundColumn(key: key, type: cell.type, declaration: cell.type.declaration, binding: cell.binding))
        }
        self.columns = columns
    }

    static let table = "row"

    /// Returns the schema of the table. With `tellingKinds`, its columns may hold values of any type.
    func schema(tellingKinds: Bool) -> SQLSchema {
        var attributes: [String: SQLAttribute] = [:]
        for (index, column) in columns.enumerated() {
            let affinity = tellingKinds ? SQLiteAffinity(declaredType: column.declaration) : nil
            attributes[column.key] = SQLAttribute(column.type, column: "c\(index)", affinity: affinity)
        }
        return SQLSchema([SQLEntity(Self.table, primaryKey: "number", attributes: attributes)])
    }

    /// The statements that create the table without rows.
    var creation: String {
        let declared = columns.enumerated().map { ", c\($0) \($1.declaration)" }.joined()
        return
            "DROP TABLE IF EXISTS \"\(Self.table)\"; CREATE TABLE \"\(Self.table)\" (number INTEGER NOT NULL\(declared))"
    }

    var insertion: SQLFragment {
        let values = columns.map { column -> SQLText in ", \(bind: column.binding)" }
        return SQLFragment("INSERT INTO \(name: Self.table) VALUES (1\(SQLText.joined(values, by: "")))")
    }
}

extension PredicateValue {
    /// The column type of a plain value; nil for nil and for values that no column holds.
    var columnType: SQLType? {
        if case .null = self { nil } else { cell(or: .any)?.type }
    }

    /// Returns the value in a column, where nil has the given type; nil if a column cannot hold the value unchanged.
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
        case .array(let elements): Self.arrayCell(elements, or: type)
        case .nullObject, .decimal, .url, .type, .set, .orderedSet, .object, .dictionary, .expression, .predicate:
            nil
        }
    }

    /// An array of strings, integers or Booleans in JSON.
    private static func arrayCell(
        _ elements: [PredicateValue], or type: SQLType
    ) -> (type: SQLType, binding: SQLBinding)? {
        let types = Set(elements.compactMap(\.columnType))
        let element = types.first ?? (type.isArray ? type.element : .string)
        guard types.count < 2, [.string, .integer, .boolean].contains(element) else { return nil }
        let array = SQLType.array(element, .json)
        return array.binding(of: .array(elements)).map { (array, $0) }
    }
}

extension SQLType {
    /// The declared type of the column, whose affinity keeps the values unchanged.
    fileprivate var declaration: String {
        switch self {
        case .integer, .boolean: "INTEGER"
        case .double, .single, .date: "REAL"
        case .string, .paddedString, .decimal, .uuid, .array, .json: "TEXT"
        case .data, .any: "BLOB"
        }
    }
}

/// The tables for the SQL conditions of a file's records.
///
///     schema   Person {"table": "person", "attributes": {"age": {"type": "integer"}}}
///     schema   Phone {"attributes": {"number": {"type": "string"}}}
///
/// Each line is an entity in the JSON form of `SQLSchema`. Predicates select objects of the first entity.
struct CaseSchema: Hashable, Sendable {
    let schema: SQLSchema
    /// The entity whose objects are selected.
    let entity: String

    /// Reads the schema at the beginning of a file.
    init(_ fields: [CaseField], _ path: String) throws(ConformanceFileError) {
        var names: [String] = []
        var entities: [String] = []
        for field in fields {
            let name = String(field.value.prefix { !$0.isWhitespace })
            let json = field.value.dropFirst(name.count)
            guard field.name == "schema", !name.isEmpty, !json.isBlank else {
                throw Self.invalid("the name of an entity and its JSON", field, path)
            }
            guard !names.contains(name) else {
                throw ConformanceFileError(.duplicate(name), path: path, line: field.line)
            }
            names.append(name)
            entities.append("\"\(name)\": \(json)")
        }
        do throws(SQLSchemaError) {
            schema = try SQLSchema(json: Data("{\"entities\": {\(entities.joined(separator: ", "))}}".utf8))
            try schema.check()
        } catch {
            throw ConformanceFileError(
                .invalidField("schema", expected: "readable: \(error)"), path: path, line: fields.first?.line)
        }
        entity = names.first ?? ""
    }

    private static func invalid(_ expected: String, _ field: CaseField, _ path: String) -> ConformanceFileError {
        ConformanceFileError(.invalidField("schema", expected: expected), path: path, line: field.line)
    }

    /// Returns the condition of a predicate with its bindings: `t0."age" = ?1 [21]`, or `refused: …` with the reason.
    func condition(
        of predicate: FormatPredicate, _ dialect: any SQLDialect, _ variables: [String: PredicateValue],
        _ limits: PredicateLimits
    ) -> String {
        do throws(SQLCompilationError) {
            return try SQLCompiler(schema: schema, dialect: dialect, limits: limits, calendarZone: .gmt)
                .compile(predicate, entity: entity, variables: PredicateVariables(variables)).where.shown
        } catch {
            return "refused: " + [error.title, error.label].compactMap(\.self).joined(separator: ": ")
        }
    }
}

extension SQLFragment {
    /// `t0."age" = ?1 [21]`
    package var shown: String {
        bindings.isEmpty ? text : "\(text) [\(bindings.map(\.shown).joined(separator: ", "))]"
    }
}

extension SQLBinding {
    /// `NULL`, `21`, `1.0`, `true`, `'jo'`, `x6a.6f`
    fileprivate var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .text(let value): "'\(value)'"
        case .blob(let data): "x" + data.map { String($0, radix: 16) }.joined(separator: ".")
        }
    }
}
