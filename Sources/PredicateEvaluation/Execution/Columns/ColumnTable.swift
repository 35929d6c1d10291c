import PredicateSyntax

/// A columnar table of objects, for many queries over the same data.
///
/// ```swift
/// let table = try ColumnTable(people, keyPaths: ["name", "age", "dept.name"])
/// try table.count(matching: FormatPredicate("age > 21 AND dept.name == 'Sales'"))
/// ```
///
/// Numbers, dates and Booleans are stored in flat arrays, strings in one run of bytes, or with dictionary encoding if few
/// of them differ; lists of them in one array, with a range for each row; lists of dictionaries in such an array for each
/// key. Building a table costs as much as a few queries over objects, or two to three over dictionaries; from then on each
/// query is several times faster. The results are those of the rows. ``ColumnTableBuilder`` makes tables of rows whose keys
/// are not known beforehand.
public struct ColumnTable: Sendable {
    /// The columns, and the rows that they form.
    private enum Content {
        /// Objects with certain key paths, and with the layout of their rows where no path leads through several keys.
        case paths([String: Column], KeyedRecord.Layout?)
        /// Dictionaries, or anything else, as one column of all rows.
        case rows(Column)
    }

    /// The key paths of the columns.
    public let keyPaths: [String]
    /// The number of rows.
    public let count: Int
    private let content: Content

    /// Makes a table with a column for each key path; a missing key is nil if its object tolerates that.
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

    /// Makes a table of records, with a column for each name of the layout; a name that a record lacks is nil.
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

    /// A table whose rows are the values of one column.
    init(_ rows: Column, _ count: Int) {
        self.count = count
        content = .rows(rows)
        if case .members(let members) = rows.storage { keyPaths = members.keyPaths } else { keyPaths = [] }
    }

    /// A reader of values that are stored in an object itself; nil for other values.
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
    public subscript(row: Int) -> any KeyValueCoding {
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

    /// The source of the value at the end of some keys; nil where only the plan finds it.
    func source(of keys: [String]) -> Source? {
        switch content {
        case .paths(let columns, .some):
            keys.count == 1 ? keys.first.flatMap { columns[exactly: $0] }.map { ColumnSource($0) } : nil
        // A key with a dot in it is not a path.
        case .paths where keys.contains { $0.utf8.contains(UInt8(ascii: ".")) }: nil
        case .paths(let columns, nil): columns[exactly: keys.joined(separator: ".")].map { ColumnSource($0) }
        case .rows(let rows): rows.source(of: keys[...])
        }
    }
}

extension Column {
    /// The source of the value at the end of some keys: a column of its own, or the values of one.
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

/// A key of values that have no columns of their own.
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

/// A row of a table whose columns are named by paths: the first key of a path is an object with the rest.
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
