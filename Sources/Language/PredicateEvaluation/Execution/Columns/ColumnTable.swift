public import PredicateSyntax

/// A columnar table of objects, for many queries over the same data.
///
/// ```swift
/// let table = try ColumnTable(people, keyPaths: ["name", "age", "dept.name"])
/// try table.count(matching: FormatPredicate("age > 21 AND dept.name == 'Sales'"))
/// ```
///
/// Numbers, dates and Booleans are stored in flat arrays. Strings are stored contiguously, or with a dictionary encoding if few
/// of them are distinct. Lists are stored in one array with a range for each row, and lists of dictionaries in one such array
/// for each key. Building a table costs as much as a few queries over objects, or two to three over dictionaries; from then on
/// each query is several times faster. The results are the same as for the rows. ``init(rows:)`` makes tables from rows
/// whose keys are not known beforehand.
public struct ColumnTable: Sendable {
    /// The columns, and the form of their rows.
    private enum TableContent {
        /// Objects with certain key paths; the layout of their rows if no path has several keys.
        case paths([String: Column], KeyedRecord.Layout?)
        /// Dictionaries, or any other values, as one column of all rows.
        case rows(Column)
    }

    /// The key paths of the columns.
    package let keyPaths: [String]
    /// The number of rows.
    public let count: Int
    private let content: TableContent

    /// Makes a table with a column for each key path. A missing key is nil if its object tolerates missing keys.
    /// - Throws: ``EvaluationError/Code/undefinedKey(_:of:nearMisses:)`` for other missing keys, and
    ///   ``EvaluationError/Code/host(_:)`` for a value that is a live object instead of data.
    public init<Objects: Sequence>(
        _ objects: Objects, keyPaths: [String]
    ) throws(EvaluationError) where Objects.Element: KeyedValueConvertible {
        var paths: [ResolvedKeyPath] = []
        for path in keyPaths {
            paths.append(try ResolvedKeyPath(components: KeyPathExpression.keys(of: path)))
        }
        let builders = keyPaths.map { _ in ColumnBuilder() }
        var count = 0
        var readers: [(UnsafeRawPointer) -> PredicateValue?] = []
        for object in objects {
            try withUnsafePointer(to: object) { (address) throws(EvaluationError) in
                if count == 0 { readers = paths.map { Self.reader($0, address) } }
                for index in paths.indices {
                    if let value = readers[index](UnsafeRawPointer(address)) {
                        builders[index].append(value)
                    } else {
                        builders[index].append(
                            try Self.data(at: paths[index], keyPaths[index], of: address.pointee.keyedValue))
                    }
                }
            }
            count += 1
        }
        self.init(keyPaths, builders.map { $0.column() }, count)
    }

    /// Makes a table of records with a column for each name of the layout; a name that a record lacks is nil.
    public init(_ records: some Sequence<KeyedRecord>, layout: KeyedRecord.Layout) {
        let builders = layout.names.map { _ in ColumnBuilder() }
        var count = 0
        for record in records {
            for index in builders.indices {
                let isOwn = record.layout === layout
                builders[index].append(isOwn ? record[slot: index] : record[layout.names[index]])
            }
            count += 1
        }
        self.init(layout.names, builders.map { $0.column() }, count, layout)
    }

    private init(_ keyPaths: [String], _ columns: [Column], _ count: Int, _ layout: KeyedRecord.Layout? = nil) {
        self.keyPaths = keyPaths
        self.count = count
        let isFlat = keyPaths.allSatisfy { !$0.utf8.contains(UInt8(ascii: ".")) }
        content = .paths(
            Dictionary(zip(keyPaths, columns), uniquingKeysWith: { first, _ in first }),
            layout ?? (isFlat ? KeyedRecord.Layout(keyPaths) : nil))
    }

    /// Makes a table whose rows are the values of one column.
    init(_ rows: Column, _ count: Int) {
        self.count = count
        content = .rows(rows)
        if case .members(let members) = rows.storage { keyPaths = members.keyPaths } else { keyPaths = [] }
    }

    /// Returns a reader of values that are stored in the object itself; nil for other values.
    private static func reader<Object>(
        _ path: ResolvedKeyPath, _ sample: UnsafePointer<Object>
    ) -> (UnsafeRawPointer) -> PredicateValue? {
        guard let subject = Subject(Object.self, sample: sample),
            case .stored(let offset, let type)? = subject.location(of: path.steps)
        else { return { _ in nil } }
        return { type.value(at: $0 + offset) }
    }

    private static func data(
        at path: ResolvedKeyPath, _ name: String, of object: KeyedValue
    ) throws(EvaluationError) -> PredicateValue {
        let found = try path.value(from: object)
        guard let value = found.predicateValue else {
            let description = "a column holds plain data, found \(found.className)"
            throw EvaluationError(.host(EvaluationError.HostError(name: name, description: description)))
        }
        return value
    }
}

// MARK: - Rows

extension ColumnTable {
    /// A row as an object with the keys of the columns: `table[0].value(forKey: "age")`.
    package subscript(row: Int) -> any KeyValueCoding {
        guard row >= 0, row < count else { return PredicateValue.null }
        switch content {
        case .paths(let columns, let layout?):
            return KeyedRecord(layout, keyPaths.map { columns[$0]?.value(row) ?? .null })
        case .paths(let columns, nil):
            return PathsRow(keyPaths: keyPaths, columns: columns, row: row, prefix: "")
        case .rows(let rows):
            guard case .members(let members) = rows.storage, !rows.isNull(row) else { return rows.value(row) }
            return MembersRow(members: members, row: row)
        }
    }

    /// Returns the source of the value at the end of a path; nil if only the plan can find it.
    func source(of keys: [String]) -> Source? {
        switch content {
        case .paths(let columns, .some):
            keys.count == 1 ? keys.first.flatMap { columns[exactly: $0] }.map { ColumnSource($0) } : nil
        // A key that contains a dot is not a path.
        case .paths where keys.contains { $0.utf8.contains(UInt8(ascii: ".")) }: nil
        case .paths(let columns, nil): columns[exactly: keys.joined(separator: ".")].map { ColumnSource($0) }
        case .rows(let rows): rows.source(of: keys[...])
        }
    }
}

extension Column {
    /// Returns the source of the value at the end of a path: a column of its own, or the values of a column.
    fileprivate func source(of keys: ArraySlice<String>) -> Source? {
        guard let first = keys.first else { return ColumnSource(self) }
        switch storage {
        case .members(let members): return members.column(first)?.source(of: keys.dropFirst())
        case .values: return MemberSource(self, ValueSource(first, Array(keys.dropFirst()), isDictionary: false))
        case .lists: return keys.count == 1 ? elements(of: first).map { ColumnSource($0) } : nil
        case .integers, .numbers, .doubles, .dates, .bools, .strings, .codes: return nil
        }
    }
}

/// A key of values without columns of their own.
private final class MemberSource: Source {
    private let column: Column
    private let member: ValueSource

    init(_ column: Column, _ member: ValueSource) {
        self.column = column
        self.member = member
    }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        withUnsafePointer(to: column.value(object.load(as: Int.self))) {
            member.result(for: UnsafeRawPointer($0), test)
        }
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        withUnsafePointer(to: column.value(object.load(as: Int.self))) { member.number(of: UnsafeRawPointer($0)) }
    }
}

/// A row of a table whose columns are named by paths: the first key of a path yields an object with the remaining
/// keys.
private struct PathsRow: KeyValueCoding {
    let keyPaths: [String]
    let columns: [String: Column]
    let row: Int
    let prefix: String

    func value(forKey key: String) -> KeyedValue? {
        let path = prefix + key
        if let column = columns[path] { return column.value(row).keyedValue }
        guard keyPaths.contains(where: { $0.hasPrefix(path + ".") }) else { return nil }
        return .object(PathsRow(keyPaths: keyPaths, columns: columns, row: row, prefix: path + "."))
    }

    var allKeys: [String] {
        keyPaths.filter { $0.hasPrefix(prefix) }.map { path in
            String(path.dropFirst(prefix.count).prefix { $0 != "." })
        }
    }
}

/// A row that is a dictionary.
private struct MembersRow: DictionaryCoding {
    let members: MemberColumns
    let row: Int

    func value(forKey key: String) -> KeyedValue? {
        members.slot(of: key).flatMap { members.value(of: $0, row)?.keyedValue }
    }

    var allKeys: [String] { Array(members.dictionary(row).keys) }

    var toleratesMissingKeys: Bool { true }

    var entries: [String: KeyedValue]? { KeyedValue.value(.dictionary(members.dictionary(row))).entries }

    var entryCount: Int { members.dictionary(row).count }
}

// MARK: - Builder

/// A builder of tables from rows of plain data, whose keys and types are discovered row by row.
///
/// ```swift
/// let builder = ColumnTableBuilder()
/// builder.append(["name": "jo", "age": 30, "dept": ["name": "Sales"]])
/// try builder.table().count(matching: FormatPredicate("dept.name == 'Sales'"))
/// ```
///
/// Rows are dictionaries; a key that a row lacks is nil there. Values of one kind, lists of them and nested
/// dictionaries get columns of their own. Values of mixed kinds are stored unchanged and evaluated one by one. So are
/// dictionaries whose keys are data, as they differ too much from row to row.
package final class ColumnTableBuilder {
    private let root = ColumnBuilder()

    /// Makes a builder without rows.
    package init() {}

    /// The number of rows so far.
    package var count: Int { root.count }

    /// Adds a row: a dictionary, or any other value, to which predicates refer as `SELF`.
    package func append(_ row: PredicateValue) {
        root.append(row)
    }

    /// Adds a dictionary, given as distinct keys with their values.
    package func append(keys: [String], values: ArraySlice<PredicateValue>) {
        root.append(keys: keys, values: values)
    }

    /// Returns the table of all rows so far.
    package func table() -> ColumnTable {
        ColumnTable(root.column(), count)
    }
}

extension ColumnTable {
    /// Makes a table from rows of plain data: `ColumnTable(rows: [["name": "jo", "age": 30], ["name": "al"]])`.
    public init(rows: some Sequence<PredicateValue>) {
        let builder = ColumnTableBuilder()
        for row in rows { builder.append(row) }
        self = builder.table()
    }

    /// Returns the indices of the rows for which the predicate holds.
    ///
    /// `try table.indices(matching: FormatPredicate("age > 21"))`
    /// - Throws: The ``EvaluationError`` of the first row that has one.
    public func indices(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Int] {
        var indices: [Int] = []
        try query(predicate.evaluator(), variables) { sweep, rows in
            sweep.forEachAccepted(of: rows) { indices.append($0) }
        } each: { row in
            indices.append(row)
        }
        return indices
    }

    /// Counts the rows for which the predicate holds: `try table.count(matching: FormatPredicate("age > 21"))`.
    /// - Throws: The ``EvaluationError`` of the first row that has one.
    public func count(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Int {
        var count = 0
        try query(predicate.evaluator(), variables) { sweep, _ in
            count += sweep.acceptedCount
        } each: { _ in
            count += 1
        }
        return count
    }

    private func query(
        _ evaluator: PredicateEvaluator, _ variables: PredicateVariables,
        some: (ColumnSweep, Range<Int>) -> Void, each: (Int) -> Void
    ) throws(EvaluationError) {
        let batch = evaluator.batch(variables)
        var failure: EvaluationError?
        ColumnQuery(self, batch).evaluate(0..<count, batch, some: some) { row, result in
            switch result {
            case .success(let holds): if holds { each(row) }
            case .failure(let error): failure = error
            }
            return failure == nil
        }
        if let failure { throw failure.located(in: evaluator.predicate) }
    }
}

/// A predicate compiled for a table.
struct ColumnQuery: Sendable {
    private let table: ColumnTable
    /// Nil if plans are as fast.
    private let program: Program?

    init(_ table: ColumnTable, _ batch: Batch) {
        self.table = table
        guard batch.programs != nil else {
            program = nil
            return
        }
        var maker = ProgramMaker(.columns(table), batch.hasVariables ? batch.slots : [])
        program = maker.program(of: batch.plan) { address in table[address.load(as: Int.self)].keyedValue }
    }

    /// Evaluates a range of rows that begins at a multiple of ``ColumnSweep/width``. `some` is called for each chunk
    /// without an error; for other chunks `each` is called row by row until it returns false.
    func evaluate(
        _ rows: Range<Int>, _ batch: Batch, some: (ColumnSweep, Range<Int>) -> Void,
        each: (Int, Result<Bool, EvaluationError>) -> Bool
    ) {
        let sweep = program.flatMap { ColumnSweep($0, batch.slots) }
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: ColumnSweep.width) {
            let chunk = start..<min(start + ColumnSweep.width, rows.upperBound)
            if let sweep, sweep.run(chunk) {
                some(sweep, chunk)
            } else {
                for row in chunk where !each(row, result(row, batch)) { return }
            }
        }
    }

    private func result(_ row: Int, _ batch: Batch) -> Result<Bool, EvaluationError> {
        Result { () throws(EvaluationError) in
            guard let program else { return try batch.holds(table[row].keyedValue) }
            return try withUnsafePointer(to: row) { (address) throws(EvaluationError) in
                try program.holds(UnsafeRawPointer(address), batch.slots)
            }
        }
    }
}
