import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateQuery
import PredicateSession
import PredicateSyntax

/// A file in addition to the filtered ones, and keys of its records: `orders.csv:customer_id`, `weather.csv:origin,hour`,
/// `shop.sqlite:orders.customer_id`
struct OtherFile {
    let path: String
    /// The keys; empty for the lines of a file.
    let keys: [String]
    private let values: [OutputValue]
    /// The table of a SQLite file.
    private let table: OtherTable?
    /// The zone of dates without an offset; nil for UTC.
    private let zone: LocalZone?

    /// The maximum number of values, and of records.
    private static let mostValues = 5_000_000, mostRecords = 1_000_000

    /// Reads `FILE:KEY`, `FILE:KEY,KEY` or, for a table of the SQLite file that is filtered, `TABLE:KEY`.
    private init(_ text: String, beside store: String?, _ context: PredicateContext) throws(CommandFailure) {
        zone = context.zone
        guard let colon = text.lastIndex(of: ":"), FileAccess.size(of: text) == nil else {
            (path, keys, values, table) = (text, [], [], nil)
            return
        }
        let name = String(text[..<colon])
        let ownTable = FileAccess.size(of: name) == nil ? store : nil
        path = ownTable ?? name
        var keys = OutputList.items(String(text[text.index(after: colon)...])).filter { !$0.isEmpty }
        let isStore = ownTable != nil || SQLiteFile.isOne(path)
        table = isStore ? try OtherTable(path, ownTable == nil ? nil : name, &keys, context) : nil
        (self.keys, values) = (keys, keys.map { OutputValue($0, context) })
    }

    /// Reads `NAME=FILE:KEY`.
    private static func named(
        _ setting: String, _ option: CommandOption, beside store: String?, _ context: PredicateContext
    ) throws(CommandFailure) -> (name: String, file: OtherFile) {
        guard let (name, file) = OutputList.assignment(setting), !name.isEmpty else {
            throw missing(setting, option)
        }
        return (name, try OtherFile(file, beside: store, context))
    }

    /// The error for a setting that lacks a part.
    private static func missing(_ setting: String, _ option: CommandOption) -> CommandFailure {
        let hint =
            option.name == FilterOption.lookup.name
            ? "--lookup user=users.csv:id makes user the record of users.csv that has this id"
            : "--values IDS=users.csv:id makes $IDS the ids of users.csv"
        return .message("--\(option.name) takes \(option.placeholder), found '\(setting)'", hints: [hint])
    }

    /// Returns the variable of `--values IDS=orders.csv:customer_id`: the distinct values in order.
    /// `store` is the SQLite file that is filtered.
    static func variable(
        _ setting: String, beside store: String?, _ context: PredicateContext
    ) throws(CommandFailure) -> (name: String, value: PredicateValue) {
        let (word, file) = try named(setting, .columnValues, beside: store, context)
        if file.keys.count > 1 { throw .message("--values takes one key, found '\(setting)'") }
        let name = String(word.drop { $0 == "$" })
        var seen: Set<PredicateValue> = []
        var values: [PredicateValue] = []
        try file.forEach(isWhole: false) { (record) throws(CommandFailure) in
            let value = file.values.values(in: record).first ?? record.member("column1")
            for element in value.elements ?? [value] where element.kind != nil {
                guard seen.insert(element.asKey).inserted else { continue }
                values.append(element)
            }
            if values.count > mostValues { throw .message("\(file.path): more than \(mostValues) distinct values") }
        }
        return (name, .array(values))
    }

    /// Returns the records for `--lookup user=users.csv:id`, by key. If several have the same key, the first one counts;
    /// `repeated` describes the others.
    static func table(
        _ setting: String, _ context: PredicateContext
    ) throws(CommandFailure) -> (
        name: String, file: OtherFile, records: [PredicateValue: PredicateValue], repeated: RepeatedKeys
    ) {
        let (name, file) = try named(setting, FilterOption.lookup, beside: nil, context)
        if file.keys.isEmpty {
            throw missing(setting, FilterOption.lookup)
        }
        var records: [PredicateValue: PredicateValue] = [:]
        var repeated = RepeatedKeys()
        try file.forEach(isWhole: true) { (record) throws(CommandFailure) in
            for case (let key?, let record) in file.entries(of: record) {
                if records[key] == nil { records[key] = record } else { repeated.add(key) }
            }
            if records.count > mostRecords { throw .message("\(file.path): more than \(mostRecords) records") }
        }
        return (name, file, records, repeated)
    }

    /// Returns the keys in a record of the file, each with the record that it leads to. A path through an array gives one
    /// record for each element: `items.id` of `{"items": [{"id": 1}]}`.
    private func entries(of record: PredicateValue) -> [(key: PredicateValue?, record: PredicateValue)] {
        if case .dictionary(let members) = record, members[keys[0]] == nil, keys.count == 1 {
            return Self.entries((values[0].slotPath ?? RecordsPath.keys(keys[0]))[...], record, in: record)
        }
        return [(LookupKey.of(values.values(in: record)), record)]
    }

    private static func entries(
        _ path: ArraySlice<String>, _ value: PredicateValue, in record: PredicateValue
    ) -> [(key: PredicateValue?, record: PredicateValue)] {
        guard let key = path.first else { return [(LookupKey.of([value]), record)] }
        if case .array(let elements) = value { return elements.flatMap { entries(path, $0, in: $0) } }
        return entries(path.dropFirst(), value.member(key), in: record)
    }

    /// Passes each record to a closure; for a table, only the keys unless `isWhole` is true. Throws for a record that cannot be
    /// read, and for a key that the file lacks.
    private func forEach(
        isWhole: Bool, _ body: (PredicateValue) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        if let table { return try table.forEach(values, isWhole: isWhole, body) }
        if SQLiteFile.isOne(path) { throw .message("\(path): values of a SQLite file need a key: \(path):TABLE.KEY") }
        let reader: RecordReader
        do throws(DataError) {
            reader = try RecordReader(source: try FileSource(path: path), options: options)
        } catch {
            throw .text(RecordProblems.text(error, in: path))
        }
        if let header = reader.header { try ColumnMatch.checkKeys(values, header, path) }
        while true {
            let record: SourceRecord?
            do throws(DataError) {
                record = try reader.next()
            } catch {
                throw .text(RecordProblems.text(error, in: path))
            }
            guard let record else { return }
            try body(record.value)
        }
    }

    private var options: RecordOptions {
        var options = RecordOptions(format: DataFormat(fileName: path))
        options.zone = zone
        guard keys.isEmpty else { return options }
        // Lines are read as rows of one column, so that the column's type is inferred.
        options.format = .csv
        (options.hasHeader, options.hasQuotes, options.delimiter, options.skippedLines) = (false, false, 0x1F, 0)
        return options
    }
}

/// The records of another file that are not used, because an earlier record has their key.
struct RepeatedKeys {
    private var count = 0
    private var first: PredicateValue?

    mutating func add(_ key: PredicateValue) {
        count += 1
        first = first ?? key
    }

    /// The note about the records of a file; nil if there are none.
    func note(_ path: String) -> String? {
        guard let first else { return nil }
        let key = JSONWriter().text(of: first)
        return "\(path): \(Count.of(count, "record")) with the key of an earlier one, such as \(key): the first counts"
    }
}

/// The keys by which records of other files are found.
enum LookupKey {
    /// Returns one key for several values; nil if one of them is missing.
    static func of(_ values: [PredicateValue]) -> PredicateValue? {
        if values.contains(where: { $0.kind == nil }) { return nil }
        return values.count == 1 ? values[0].asKey : .array(values.map(\.asKey))
    }
}

extension PredicateValue {
    /// The form in which values are compared as keys: `1.0` and `1` are the same.
    var asKey: PredicateValue {
        guard case .double(let number) = self, let integer = Int64(exactly: number) else { return self }
        return .integer(integer)
    }

    /// The value of a key; nil for a value that has no keys.
    fileprivate func member(_ key: String) -> PredicateValue {
        if case .dictionary(let members) = self { members[key] ?? .null } else { .null }
    }
}
