import Foundation
import PredicateData
import PredicateSyntax

/// The settings of `predicate filter`.
struct FilterSettings {
    let predicateOptions: PredicateOptions
    /// The files to read; `-` is standard input.
    let files: [String]
    let isInverted: Bool
    let isQuiet: Bool
    let isStrict: Bool
    let countsOnly: Bool
    /// True if only the names of files with a match are written.
    let listsFiles: Bool
    /// The number of matches or groups to write; nil for no limit.
    let limit: Int?
    /// The keys to write; nil for whole records.
    let keys: [String]?
    /// The same keys, as paths in records.
    let recordKeys: [RecordKey]?
    /// The format to write; nil for the format of the input.
    let output: OutputFormat?
    let sort: SortOrder?
    let grouping: Grouping?
    let place: RecordPlace
    let records: RecordReadingOptions
    /// The choice of a table in a SQLite file.
    let rows: TableChoice
    let allowsResidual: Bool
    let explainsPlan: Bool
    /// A Boolean value that indicates whether objects of a Core Data store are written with their URIs.
    let writesObjectIDs: Bool
    let decodesArchives: Bool

    private typealias Option = FilterOption

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        let (format, names) = try Self.operands(reader)
        try Self.checkFiles(names)
        files = try FileList.expanded(names.isEmpty ? ["-"] : Array(names))
        predicateOptions = try PredicateOptions(format, reader)
        isInverted = reader.has(Option.invert)
        isQuiet = reader.has(Option.quiet)
        isStrict = reader.has(Option.strict)
        countsOnly = reader.has(Option.count)
        listsFiles = reader.has(Option.filesWithMatches)
        limit = isQuiet ? 1 : try Self.limit(reader)
        keys = reader.has(Option.keys) ? try reader.names(of: Option.keys) : nil
        recordKeys = try keys.map { (names) throws(CommandFailure) in try RecordKey.all(names) }
        output = try reader.choice(of: Option.output)
        sort = try SortOrder(reader.names(of: Option.sort))
        grouping = try Self.grouping(reader)
        place = RecordPlace(showsFile: reader.has(Option.withFilename), showsLine: reader.has(Option.lineNumber))
        records = try RecordReadingOptions(reader)
        rows = try TableChoice(reader)
        allowsResidual = reader.has(Option.residual)
        explainsPlan = reader.has(Option.explainPlan)
        writesObjectIDs = reader.has(Option.objectIDs)
        decodesArchives = reader.has(Option.decode)
        try checkCombinations(reader)
    }

    /// Returns the predicate and the files. If all operands are files, all records match.
    private static func operands(
        _ reader: ArgumentReader
    ) throws(CommandFailure) -> (format: String, files: ArraySlice<String>) {
        let words = reader.operands
        guard let first = words.first else {
            guard reader.command.options.contains(where: reader.has) else {
                throw reader.failure("expected a predicate")
            }
            return (allRecords, [])
        }
        let areFiles = words.allSatisfy { $0 == "-" || FileManager.default.fileExists(atPath: $0) }
        let isPredicate = (try? FormatPredicate(format: first, arguments: [])) != nil
        return areFiles && !isPredicate ? (allRecords, words[...]) : (first, words.dropFirst())
    }

    private static let allRecords = "TRUEPREDICATE"

    /// Throws for `-1` among the files, unless a file has this name: head and grep take a number of matches in this
    /// way.
    private static func checkFiles(_ names: ArraySlice<String>) throws(CommandFailure) {
        let isNumber = { (name: String) in name.first == "-" && Int(name) != nil }
        guard let number = names.first(where: { isNumber($0) && !FileManager.default.fileExists(atPath: $0) }) else {
            return
        }
        throw .usage(UsageError(unknownNumber: number, in: .filter))
    }

    var variables: [String: PredicateValue] { predicateOptions.variables }

    /// The keys to write whose values are computed: `tags.@count`
    var computedKeys: [String: RecordKey] {
        Dictionary((recordKeys ?? []).filter(\.isComputed).map { ($0.name, $0) }) { first, _ in first }
    }

    /// The keys that sort and group the matches, and those of aggregates.
    var arrangingKeys: [RecordKey] {
        grouping.map { $0.keys + $0.aggregates.map(\.key) } ?? sort?.keys.map(\.key) ?? []
    }

    /// The number of matches after which reading stops; nil if all matches are needed.
    var stoppingLimit: Int? { sort == nil && grouping == nil ? limit : nil }

    /// A Boolean value that indicates whether the input is lines of text.
    var isReadingLines: Bool { records.format == .lines }

    /// Returns the options for reading a file.
    ///
    /// Only the needed keys of a record are read: those in the predicate and those that sort or group. If columns are
    /// written as JSON, the written keys are read too.
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

    private static func limit(_ reader: ArgumentReader) throws(CommandFailure) -> Int? {
        guard reader.has(Option.first) else { return nil }
        guard let text = reader.value(of: Option.first) else { return 1 }
        if let limit = Int(text), limit > 0 { return limit }
        throw reader.failure("--first takes a number above 0, found '\(text)'")
    }

    private static func grouping(_ reader: ArgumentReader) throws(CommandFailure) -> Grouping? {
        var aggregates: [Grouping.KeyAggregate] = []
        for (option, function) in Self.aggregates {
            for name in try reader.names(of: option) {
                aggregates.append(Grouping.KeyAggregate(function: function, key: try RecordKey(name)))
            }
        }
        let (counts, groups) = (reader.has(Option.countBy), reader.has(Option.groupBy))
        guard counts || groups || !aggregates.isEmpty else { return nil }
        if counts, groups {
            throw reader.failure("--count-by and --group-by cannot be combined: both name the groups")
        }
        let keys = try RecordKey.all(try reader.names(of: counts ? Option.countBy : Option.groupBy))
        return Grouping(keys, aggregates, isCount: counts)
    }

    private static let aggregates: [(CommandOption, Grouping.KeyAggregate.Function)] = [
        (Option.sum, .sum), (Option.avg, .avg), (Option.min, .min), (Option.max, .max),
    ]

    private func checkCombinations(_ reader: ArgumentReader) throws(CommandFailure) {
        guard let grouping else { return }
        if let name = sortNames.first(where: { !grouping.columns.contains($0) }) {
            let hint = SortOrder.hint(for: name, among: grouping.columns)
            throw .message(
                "the groups have no column '\(name)' to sort by",
                hints: [hint ?? "their columns are \(grouping.columns.joined(separator: ", "))"])
        }
        let others = [
            ("--keys", keys != nil), ("--count", countsOnly), ("--files-with-matches", listsFiles),
            ("--line-number", place.showsLine), ("--with-filename", place.showsFile),
        ]
        guard let other = others.first(where: \.1)?.0 else { return }
        throw reader.failure("\(other) is for records and cannot be combined with groups")
    }
}

extension FilterSettings {
    /// Returns the SQLite file to read; nil if the files hold records.
    ///
    /// Throws if there are other files, and for options that do not apply to a SQLite file.
    func storeFile() throws(CommandFailure) -> String? {
        guard let file = files.first(where: SQLiteFile.isOne) else {
            if let option = storeOption { throw noStore(option) }
            return nil
        }
        guard files.count == 1 else {
            throw .message(
                "\(file): a SQLite file cannot be combined with other files",
                hints: ["run the command once for each of them"])
        }
        try records.checkAbsence()
        if place.showsLine { throw .message("--line-number does not apply to a SQLite file, whose rows have no lines") }
        if place.showsFile { throw .message("--with-filename does not apply to a SQLite file") }
        if listsFiles { throw .message("--files-with-matches does not apply to a SQLite file") }
        return file
    }

    /// The first option on the command line that needs a SQLite file.
    private var storeOption: String? {
        let options = [
            ("--table", rows.table != nil), ("--entity", rows.entity != nil), ("--schema", rows.schema != nil),
            ("--model", rows.model != nil), ("--object-ids", writesObjectIDs), ("--decode", decodesArchives),
            ("--residual", allowsResidual), ("--explain-plan", explainsPlan),
        ]
        return options.first(where: \.1)?.0
    }

    private func noStore(_ option: String) -> CommandFailure {
        let file = files.first ?? "-"
        if file == "-" { return .usage(UsageError("\(option) needs a SQLite file", in: .filter)) }
        do throws(DataError) {
            _ = try FileSource(path: file)
        } catch {
            return .message(error.message)
        }
        let hint = "a SQLite file begins with the words 'SQLite format 3'"
        return .message("\(option) needs a SQLite file, and '\(file)' is not one", hints: [hint])
    }
}

/// Expands directories on the command line to the data files below them.
enum FileList {
    /// Returns the files; `-` is standard input. In a directory, only files with the extensions of JSON, JSON Lines,
    /// CSV and TSV are taken, also compressed; hidden files are skipped. Throws for a directory without such files.
    static func expanded(_ names: [String]) throws(CommandFailure) -> [String] {
        var files: [String] = []
        for name in names {
            guard name != "-", isDirectory(name) else {
                files.append(name)
                continue
            }
            let found = Self.files(below: name, depth: 0)
            if found.isEmpty {
                let hint = "data files end in .json, .jsonl, .ndjson, .csv or .tsv, optionally followed by .gz or .zst"
                throw .message("\(name): there are no data files in this directory", hints: [hint])
            }
            files += found
        }
        return files
    }

    private static let maximumDepth = 64

    private static func files(below directory: String, depth: Int) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.flatMap { name in
            let path = directory.hasSuffix("/") ? directory + name : directory + "/" + name
            if isDirectory(path, followsLinks: false) {
                return depth < maximumDepth ? files(below: path, depth: depth + 1) : []
            }
            return DataFormat(fileName: name) != nil ? [path] : []
        }
    }

    private static func isDirectory(_ path: String, followsLinks: Bool = true) -> Bool {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}
