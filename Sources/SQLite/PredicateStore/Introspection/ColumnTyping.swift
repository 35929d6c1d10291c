import Foundation
internal import PredicateSQL
import PredicateSQLite

/// The rules for the type of a column: its declared type and, if that is ambiguous, a sample of its values.
///
/// | declared                        | type |
/// |---------------------------------|------|
/// | BOOL…                           | boolean, if its values are 0 and 1 |
/// | …DATE…, …TIMESTAMP…             | date, stored as most of its values: ISO 8601 strings or seconds since 1970; seconds since 2001 in a Core Data store |
/// | …UUID…, …GUID…                  | uuid: as sixteen bytes, or as strings with hyphens in one case |
/// | …DECIMAL…, with TEXT            | decimal, if its values are decimal numbers as strings |
/// | …JSON…                          | array of strings, integers or Booleans, if its values are JSON arrays of one kind; JSON, if all are objects |
/// | …INT…                           | integer |
/// | …CHAR…, …CLOB…, …TEXT…          | string |
/// | …REAL…, …FLOA…, …DOUB…          | double |
/// | …BLOB…                          | data |
/// | any other, or none              | the type of its values: integer, double, string or data |
/// | any, with values of other types | any; also if fractions are mixed with integers that a double cannot represent |
struct ColumnTyping {
    /// Values of a column that are not NULL.
    typealias Sample = [SQLBinding]

    /// True for a Core Data store, in which dates are seconds since 2001.
    let isCoreData: Bool

    /// In a `STRICT` table all values are assumed to have one type.
    func type(_ declaredType: String, _ sample: Sample, isStrict: Bool = false) -> SQLType {
        let name = declaredType.uppercased()
        if name.contains("BOOL"), sample.allSatisfy(\.isZeroOrOne) { return .boolean }
        if Self.isUUID(declaredType), let type = uuidType(declaredType, sample) { return type }
        if name.contains("DATE") || name.contains("TIMESTAMP"), let type = dateType(sample, isStrict: isStrict) {
            return type
        }
        // A column with numeric affinity stores decimal numbers as doubles.
        if name.contains("DECIMAL"), SQLiteAffinity(declaredType: declaredType) == .text,
            sample.allSatisfy(\.isDecimalText)
        {
            return .decimal
        }
        if name.contains("JSON"), let type = arrayType(sample) ?? objectType(sample) { return type }
        switch SQLiteAffinity(declaredType: declaredType) {
        case .integer: return sample.allSatisfy(\.isInteger) ? .integer : numberType(sample)
        case .text: return sample.allSatisfy(\.isText) ? .string : .any
        case .real: return numberType(sample)
        case .numeric, .blob, .unknown: return typeOfValues(declaredType, sample)
        }
    }

    /// The type of a column without a sample: its declared type if that is a plain one, otherwise any.
    func type(of column: ColumnFacts) -> SQLType {
        switch column.declaredType.uppercased() {
        case "INTEGER", "INT", "BIGINT": .integer
        case "REAL", "DOUBLE", "FLOAT": .double
        case "TEXT": .string
        default: .any
        }
    }

    /// An example value of a column that is declared as UUID but holds strings in several spellings.
    func looseUUID(_ declaredType: String, _ sample: Sample) -> String? {
        guard Self.isUUID(declaredType) else { return nil }
        for value in sample {
            if case .text(let text) = value { return text }
        }
        return nil
    }

    /// The type of a column of JSON arrays; nil if there is any other value, or if no array has an element.
    private func arrayType(_ sample: Sample) -> SQLType? {
        guard sample.contains(where: { $0.isArray && !$0.isArray(of: []) }) else { return nil }
        let types: [SQLType] = [.string, .integer, .boolean]
        return types.first { type in sample.allSatisfy { $0.isArray(of: [type]) } }.map { .array($0, .json) }
    }

    /// The type of a column of JSON objects; nil if there is any other value, or none.
    private func objectType(_ sample: Sample) -> SQLType? {
        !sample.isEmpty && sample.allSatisfy(\.isObject) ? .json : nil
    }

    private static func isUUID(_ declaredType: String) -> Bool {
        let name = declaredType.uppercased()
        return name.contains("UUID") || name.contains("GUID")
    }

    private func uuidType(_ declaredType: String, _ sample: Sample) -> SQLType? {
        if sample.isEmpty {
            return SQLiteAffinity(declaredType: declaredType) == .text ? .uuid(.text) : .uuid(.blob)
        }
        return SQLType.UUIDStorage.allCases.first { storage in sample.allSatisfy { $0.isUUID(storage) } }.map(
            SQLType.uuid)
    }

    /// The type of a date column, decided by most of its values, so that one empty string does not make it a string column. A
    /// column without values is assumed to contain the output of `CURRENT_TIMESTAMP`.
    private func dateType(_ sample: Sample, isStrict: Bool) -> SQLType? {
        func holds(_ test: (SQLBinding) -> Bool) -> Bool {
            isStrict ? sample.allSatisfy(test) : 2 * sample.count(where: test) > sample.count
        }
        if isCoreData, sample.allSatisfy(\.isNumber) { return .date(.since2001) }
        if sample.isEmpty || holds(\.isDateText) { return .date(.iso8601) }
        return holds(\.isSecondsSince1970) ? .date(.since1970) : nil
    }

    /// The type of a numeric column: double, unless a value is not a number or an integer that a double cannot represent.
    private func numberType(_ sample: Sample) -> SQLType {
        sample.allSatisfy(\.isNumber) && sample.allSatisfy(\.isHeldByDouble) ? .double : .any
    }

    /// The type of a column, decided by its values. A column without values is double if it has numeric affinity.
    private func typeOfValues(_ declaredType: String, _ sample: Sample) -> SQLType {
        guard !sample.isEmpty else {
            return SQLiteAffinity(declaredType: declaredType) == .numeric ? .double : .data
        }
        if sample.allSatisfy(\.isInteger) { return .integer }
        if sample.allSatisfy(\.isNumber) { return numberType(sample) }
        if sample.allSatisfy(\.isText) { return .string }
        return sample.allSatisfy(\.isBlob) ? .data : .any
    }
}

extension SQLBinding {
    fileprivate var isInteger: Bool { if case .integer = self { true } else { false } }

    /// False for an integer that a double cannot represent.
    fileprivate var isHeldByDouble: Bool {
        if case .integer(let value) = self { Int64(exactly: Double(value)) == value } else { true }
    }

    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    fileprivate var isBlob: Bool { if case .blob = self { true } else { false } }

    fileprivate var isZeroOrOne: Bool { self == .integer(0) || self == .integer(1) }

    fileprivate var isNumber: Bool { number != nil }

    private var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .boolean(let value): value ? 1 : 0
        case .null, .text, .blob: nil
        }
    }

    /// True for a number of seconds from 1970 to 2200. Milliseconds are greater. Julian day numbers are excluded: as seconds,
    /// they would all fall into one month of 1970.
    fileprivate var isSecondsSince1970: Bool {
        guard let number else { return false }
        return (0...7_258_118_400).contains(number) && !(2_000_000...3_000_000).contains(number)
    }

    fileprivate var isDateText: Bool {
        if case .text(let text) = self { StoredText.date(text) != nil } else { false }
    }

    fileprivate var isDayText: Bool {
        if case .text(let text) = self { text.utf8.count == 10 && StoredText.date(text) != nil } else { false }
    }

    fileprivate var isDecimalText: Bool {
        if case .text(let text) = self { StoredText.decimal(text) != nil } else { false }
    }

    /// True for a JSON object.
    fileprivate var isObject: Bool {
        if case .text(let text) = self { StoredJSON.object(text) != nil } else { false }
    }

    fileprivate var isArray: Bool { isArray(of: [.string, .integer, .boolean]) }

    /// True for a JSON array whose elements are nil or of one of these types.
    fileprivate func isArray(of types: [SQLType]) -> Bool {
        if case .text(let text) = self { JSONArray.holds(text, elementsOf: types) } else { false }
    }

    fileprivate func isUUID(_ storage: SQLType.UUIDStorage) -> Bool {
        switch self {
        case .blob(let data): storage == .blob && data.count == 16
        case .text(let text): storage.uuid(text) != nil
        case .null, .integer, .double, .boolean: false
        }
    }
}

/// Samples column values, because SQLite allows values of any storage class in any column.
struct ColumnSampler {
    private let connection: StoreConnection
    private let typing: ColumnTyping

    /// The type of a column according to its declared type and its sample.
    struct SampledColumn {
        let type: SQLType
        /// An example string of a column that is declared as UUID but is typed as string; nil for all other columns.
        var looseUUID: String?
    }

    /// A sampler for the tables of one file. A Core Data store is recognized by two tables.
    init(connection: StoreConnection, tables: [TableFacts]) {
        let names = Set(tables.map(\.name))
        self.connection = connection
        self.typing = ColumnTyping(isCoreData: names.isSuperset(of: ["Z_PRIMARYKEY", "Z_METADATA"]))
    }

    /// Returns the columns of a table by name.
    func columns(of table: TableFacts) throws(StoreError) -> [String: SampledColumn] {
        switch table.kind {
        case .table, .shadow: try storedColumns(of: table)
        case .view, .virtual: computedColumns(of: table)
        }
    }

    private func column(_ facts: ColumnFacts, _ sample: ColumnTyping.Sample, isStrict: Bool = false) -> SampledColumn {
        let type = typing.type(facts.declaredType, sample, isStrict: isStrict)
        return SampledColumn(
            type: type, looseUUID: type == .string ? typing.looseUUID(facts.declaredType, sample) : nil)
    }

    // MARK: - Tables

    private func storedColumns(of table: TableFacts) throws(StoreError) -> [String: SampledColumn] {
        var columns: [String: SampledColumn] = [:]
        for facts in table.columns {
            let values = facts.isRowID(in: table) ? [] : try values(of: facts.name, in: table.name)
            columns[facts.name] = column(facts, values, isStrict: table.isStrict)
        }
        return columns
    }

    private static let sampledRows = 1000
    private static let sampledValues = 100

    /// Returns at most 100 non-NULL values from the first 1000 rows, so that the cost does not depend on the table's size.
    private func values(of column: String, in table: String) throws(StoreError) -> [SQLBinding] {
        let rows: SQLText = "SELECT t0.\(name: column) AS value FROM \(name: table) t0"
        let sql: SQLText = """
            SELECT t1.value FROM (\(rows) LIMIT \(number: Self.sampledRows)) t1 WHERE t1.value IS NOT NULL \
            LIMIT \(number: Self.sampledValues)
            """
        return try connection.rows(of: SQLFragment(sql)).all().compactMap(\.first)
    }

    /// True if the sampled values of a column are strings that contain only a day: `2026-01-31`
    func holdsDays(_ column: String, in table: String) -> Bool {
        let sample = try? connection.limitingSteps(to: Self.steps) { () throws(StoreError) in
            try values(of: column, in: table)
        }
        return sample.map { !$0.isEmpty && $0.allSatisfy(\.isDayText) } ?? false
    }

    // MARK: - Views and virtual tables

    /// The limit for sampling a view, in steps of SQLite's virtual machine: some hundredths of a second.
    private static let steps = 4_000_000

    /// Samples all columns in one query. If a view takes too long or fails, its columns get their declared types, and
    /// columns without a plain declared type get the type any.
    private func computedColumns(of table: TableFacts) -> [String: SampledColumn] {
        guard let rows = try? rows(of: table) else {
            return Dictionary(
                uniqueKeysWithValues: table.columns.map { ($0.name, SampledColumn(type: typing.type(of: $0))) })
        }
        var columns: [String: SampledColumn] = [:]
        for (index, facts) in table.columns.enumerated() {
            let values = rows.lazy.compactMap { row in row.indices.contains(index) ? row[index] : nil }
            let sample = Array(values.filter { $0 != .null }.prefix(Self.sampledValues))
            // The columns of a full-text index have no declared type.
            let isText = table.kind == .virtual && sample.isEmpty && facts.declaredType.isEmpty
            columns[facts.name] = isText ? SampledColumn(type: .string) : column(facts, sample)
        }
        return columns
    }

    private func rows(of table: TableFacts) throws(StoreError) -> [[SQLBinding]] {
        let names = SQLText.joined(table.columns.map { "t0.\(name: $0.name)" }, by: ", ")
        let sql: SQLText = "SELECT \(names) FROM \(name: table.name) AS t0 LIMIT \(number: Self.sampledRows)"
        return try connection.limitingSteps(to: Self.steps) { () throws(StoreError) in
            try connection.rows(of: SQLFragment(sql)).all()
        }
    }
}

extension ObjectStore {
    /// True if an attribute holds dates whose sampled values are strings that contain only a day.
    package func holdsDays(_ key: String, of entity: SQLEntity) -> Bool {
        guard let attribute = entity.attributes[key], case .date(let storage) = attribute.type else { return false }
        guard storage == .iso8601 || storage == .timestamp else { return false }
        return ColumnSampler(connection: connection, tables: []).holdsDays(attribute.column ?? key, in: entity.table)
    }
}
