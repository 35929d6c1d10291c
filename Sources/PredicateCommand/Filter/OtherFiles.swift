import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// A file beside those that are filtered, and a key of its records: `orders.csv:customer_id`
struct OtherFile {
    let path: String
    /// Nil for the lines of a file.
    let key: String?

    /// The maximum number of values, and of records.
    private static let mostValues = 5_000_000, mostRecords = 1_000_000

    /// Reads `NAME=FILE:KEY`.
    private static func named(_ setting: String, _ option: String) throws(CommandFailure) -> (String, OtherFile) {
        guard let equals = setting.firstIndex(of: "="), equals != setting.startIndex else {
            throw .message("\(option) takes NAME=FILE:KEY, found '\(setting)'")
        }
        let name = setting[..<equals].drop { $0 == "$" }
        let rest = setting[setting.index(after: equals)...]
        guard let colon = rest.lastIndex(of: ":"), FileAccess.size(of: String(rest)) == nil else {
            return (String(name), OtherFile(path: String(rest), key: nil))
        }
        let key = rest[rest.index(after: colon)...]
        return (String(name), OtherFile(path: String(rest[..<colon]), key: key.isEmpty ? nil : String(key)))
    }

    /// Returns the variable of `--values IDS=orders.csv:customer_id`: the distinct values in order.
    static func variable(_ setting: String) throws(CommandFailure) -> (name: String, value: PredicateValue) {
        let (name, file) = try named(setting, "--values")
        var seen: Set<PredicateValue> = []
        var values: [PredicateValue] = []
        try file.forEach { (record, _) throws(CommandFailure) in
            let value = file.value(of: record)
            for element in value.elements ?? [value] where element.kind != nil {
                guard seen.insert(element.asKey).inserted else { continue }
                values.append(element)
            }
            if values.count > mostValues { throw .message("\(file.path): more than \(mostValues) distinct values") }
        }
        return (name, .array(values))
    }

    /// Returns the records of `--lookup user=users.csv:id` by key. The first of several with one key counts.
    static func table(
        _ setting: String
    ) throws(CommandFailure) -> (name: String, records: [PredicateValue: PredicateValue]) {
        let (name, file) = try named(setting, "--lookup")
        guard file.key != nil else { throw .message("--lookup takes KEY=FILE:ID, found '\(setting)'") }
        var records: [PredicateValue: PredicateValue] = [:]
        try file.forEach { (record, _) throws(CommandFailure) in
            let key = file.value(of: record).asKey
            if key.kind != nil, records[key] == nil { records[key] = record }
            if records.count > mostRecords { throw .message("\(file.path): more than \(mostRecords) records") }
        }
        return (name, records)
    }

    /// Returns the value of the key in a record.
    private func value(of record: PredicateValue) -> PredicateValue {
        guard let key else { return record.member("column1") }
        if case .dictionary(let members) = record, let value = members[key] { return value }
        return RecordsPath.keys(key).reduce(record) { $0.member($1) }
    }

    /// Reads the records. Throws for one that cannot be read, and for a key that the file lacks.
    private func forEach(
        _ body: (PredicateValue, Int) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        if SQLiteFile.isOne(path) {
            throw .message("\(path): values of a SQLite file cannot be read here", hints: ["export them to a CSV file"])
        }
        let reader: RecordReader
        do throws(DataError) {
            reader = try RecordReader(source: try FileSource(path: path), options: options)
        } catch {
            throw .text(RecordProblems.text(error, in: path))
        }
        if let key, let header = reader.header {
            try ColumnMatch.checkKeys([OutputValue(key)], header, path)
        }
        var number = 0
        while true {
            let record: SourceRecord?
            do throws(DataError) {
                record = try reader.next()
            } catch {
                throw .text(RecordProblems.text(error, in: path))
            }
            guard let record else { return }
            number += 1
            try body(record.value, number)
        }
    }

    private var options: RecordOptions {
        var options = RecordOptions(format: DataFormat(fileName: path))
        options.zone = EvaluationRegistry.ambient.zone
        guard key == nil else { return options }
        // Lines are rows of one column, so that its type is inferred.
        options.format = .csv
        (options.hasHeader, options.hasQuotes, options.delimiter, options.skippedLines) = (false, false, 0x1F, 0)
        return options
    }
}

/// The records that take the place of keys: `--lookup user=users.csv:id`
struct Lookups {
    private let tables: [String: [PredicateValue: PredicateValue]]

    init(_ settings: [String]) throws(CommandFailure) {
        var tables: [String: [PredicateValue: PredicateValue]] = [:]
        for setting in settings {
            let (name, records) = try OtherFile.table(setting)
            tables[name] = records
        }
        self.tables = tables
    }

    /// Returns the keys of the options: `user` of `--lookup user=users.csv:id`.
    static func names(_ reader: ArgumentReader) -> Set<String> {
        Set(reader.values(of: FilterOption.lookup).map { String($0.prefix { $0 != "=" }) })
    }

    var isEmpty: Bool { tables.isEmpty }

    /// Returns true if one of the paths begins with a key that is looked up.
    func concern(_ paths: [[String]]) -> Bool {
        !isEmpty && paths.contains { path in path.first.map { tables[$0] != nil } ?? false }
    }

    /// Returns a record with other records in place of its keys; nil where there is none.
    func resolved(_ record: SourceRecord) -> SourceRecord {
        guard !isEmpty, case .dictionary(var members) = record.value else { return record }
        for (name, records) in tables {
            guard let key = members[name] else { continue }
            members[name] = records[key.asKey] ?? .null
        }
        var record = record
        record.value = .dictionary(members)
        return record
    }
}

extension PredicateValue {
    /// The value by which values are compared: `1.0` and `1` are one.
    fileprivate var asKey: PredicateValue {
        guard case .double(let number) = self, let integer = Int64(exactly: number) else { return self }
        return .integer(integer)
    }

    /// The value of a key; nil for values without keys.
    fileprivate func member(_ key: String) -> PredicateValue {
        if case .dictionary(let members) = self { members[key] ?? .null } else { .null }
    }
}
