import Foundation
import PredicateData
import PredicateSyntax

/// The settings of `predicate filter`.
struct FilterSettings {
    let words: PredicateWords
    /// The files to read; `-` is standard input.
    let files: [String]
    let isInverted: Bool
    let isQuiet: Bool
    let isStrict: Bool
    let countsOnly: Bool
    /// The number of matches or groups to write; nil for no limit.
    let limit: Int?
    /// The keys to write, nil for whole records.
    let keys: [String]?
    /// The format to write, nil for that of the input.
    let output: OutputFormat?
    let sort: SortOrder?
    let grouping: Grouping?
    let place: RecordPlace
    let records: RecordWords
    /// The table of a SQLite file.
    let rows: EntityWords
    let allowsResidual: Bool
    let explainsPlan: Bool
    /// True if the objects of a Core Data store are written with their URIs.
    let writesObjectIDs: Bool

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<FilterOption>(words, .filter)
        guard let format = reader.positionals.first else {
            throw .usage(UsageError("expected a predicate", in: .filter))
        }
        try Self.checkFiles(reader.positionals.dropFirst())
        files = try FileList.expanded(reader.positionals.count > 1 ? Array(reader.positionals.dropFirst()) : ["-"])
        self.words = try PredicateWords(
            format, arguments: reader.values(of: .arg), settings: reader.values(of: .set),
            isUntrusted: reader.has(.untrusted), in: .filter)
        isInverted = reader.has(.invert)
        isQuiet = reader.has(.quiet)
        isStrict = reader.has(.strict)
        countsOnly = reader.has(.count)
        limit = isQuiet ? 1 : try Self.limit(reader)
        keys = reader.has(.keys) ? try RecordKey.names(reader.values(of: .keys), option: "--keys") : nil
        output = try Self.output(reader.value(of: .output))
        sort = try SortOrder(reader.values(of: .sort))
        grouping = try Self.grouping(reader)
        place = RecordPlace(showsFile: reader.has(.withFilename), showsLine: reader.has(.lineNumber))
        records = try RecordWords(reader, in: .filter)
        rows = try EntityWords(
            schema: reader.value(of: .schema), entity: reader.value(of: .entity), table: reader.value(of: .table),
            model: reader.value(of: .model), in: .filter)
        allowsResidual = reader.has(.residual)
        explainsPlan = reader.has(.explainPlan)
        writesObjectIDs = reader.has(.objectIDs)
        try checkCombinations()
    }

    /// Throws for `-1`, which no file is called: a number of matches.
    private static func checkFiles(_ names: ArraySlice<String>) throws(CommandFailure) {
        let isNumber = { (name: String) in name.first == "-" && Int(name) != nil }
        guard let number = names.first(where: { isNumber($0) && !FileManager.default.fileExists(atPath: $0) }) else {
            return
        }
        throw .usage(UsageError(unknownNumber: number, in: .filter))
    }

    var variables: [String: PredicateValue] { words.variables }

    /// The number of matches after which no more records are read; nil if all of them are needed.
    var stoppingLimit: Int? { sort == nil && grouping == nil ? limit : nil }

    /// True for lines of any text.
    var isReadingLines: Bool { records.format == .lines }

    /// Returns the options for reading a file.
    ///
    /// Only the keys that the predicate needs are read from a record, and those by which records are sorted or grouped. If
    /// columns are written as JSON, the written keys are needed too.
    func recordOptions(for file: String, keys needed: Set<String>?) throws(CommandFailure) -> RecordOptions {
        var options = try records.options(for: file)
        let sorted = (sort?.keys ?? []).flatMap(\.key.roots) + (grouping?.roots ?? [])
        options.keys = keysToRead(options.format, needed)?.union(grouping == nil ? sorted : grouping?.roots ?? [])
        return options
    }

    private func keysToRead(_ format: DataFormat?, _ needed: Set<String>?) -> Set<String>? {
        if output?.json == nil || grouping != nil || format == .json || format == .jsonLines { return needed }
        guard let keys else { return nil }
        return needed?.union(keys)
    }

    private static func limit(_ reader: ArgumentReader<FilterOption>) throws(CommandFailure) -> Int? {
        guard reader.has(.first) else { return nil }
        guard let text = reader.value(of: .first) else { return 1 }
        if let limit = Int(text), limit > 0 { return limit }
        throw .usage(UsageError("--first takes a number above 0, found '\(text)'", in: .filter))
    }

    private static func output(_ name: String?) throws(CommandFailure) -> OutputFormat? {
        guard let name else { return nil }
        let names = OutputFormat.allCases.map(\.rawValue)
        if let format = OutputFormat(rawValue: name.lowercased()) { return format }
        let hints = UsageError.suggestions(for: name, among: names)
        let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        throw .usage(UsageError("--output takes \(list), found '\(name)'", hints: hints, in: .filter))
    }

    private static func grouping(_ reader: ArgumentReader<FilterOption>) throws(CommandFailure) -> Grouping? {
        var aggregates: [Grouping.Aggregate] = []
        for (option, function) in Self.aggregates {
            for name in try RecordKey.names(reader.values(of: option), option: "--\(function.rawValue)") {
                aggregates.append(Grouping.Aggregate(function: function, key: try RecordKey(name)))
            }
        }
        guard reader.has(.countBy) || reader.has(.groupBy) || !aggregates.isEmpty else { return nil }
        if reader.has(.countBy), reader.has(.groupBy) {
            throw .usage(UsageError("--count-by and --group-by cannot be combined: both name the groups", in: .filter))
        }
        let names = try RecordKey.names(reader.values(of: .countBy) + reader.values(of: .groupBy), option: "--group-by")
        var keys: [RecordKey] = []
        for name in names { keys.append(try RecordKey(name)) }
        return Grouping(keys, aggregates, isCount: reader.has(.countBy))
    }

    private static let aggregates: [(FilterOption, Grouping.Aggregate.Function)] = [
        (.sum, .sum), (.avg, .avg), (.min, .min), (.max, .max),
    ]

    private func checkCombinations() throws(CommandFailure) {
        guard grouping != nil else { return }
        let others = [
            ("--keys", keys != nil), ("--count", countsOnly), ("--line-number", place.showsLine),
            ("--with-filename", place.showsFile),
        ]
        guard let other = others.first(where: \.1)?.0 else { return }
        throw .usage(UsageError("\(other) is for records and cannot be combined with groups", in: .filter))
    }
}
