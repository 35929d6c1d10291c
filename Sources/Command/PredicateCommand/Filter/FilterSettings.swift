import Foundation
import PredicateData
import PredicateEvaluation
import PredicateSession
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
    /// The query for the output: columns, order and page.
    var query: OutputQuery
    /// The format to write; nil for the format of the input.
    let output: OutputFormat?
    let place: RecordPlace
    let records: RecordReadingOptions
    let colour: ColourChoice
    /// The records of other files, by key.
    let lookups: Lookups
    /// The choice of a table in a SQLite file.
    let rows: TableChoice
    let allowsResidual: Bool
    let explainsPlan: Bool
    /// A Boolean value that indicates whether objects of a Core Data store are written with their URIs.
    let writesObjectIDs: Bool
    let decodesArchives: Bool
    /// The first option that needs a SQLite file.
    private let storeOption: CommandOption?

    private typealias Option = FilterOption

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        try Self.checkFirstWord(reader)
        let (format, names) = try Self.operands(reader)
        if names.isEmpty { try Self.checkValues(reader) }
        try Self.checkFiles(names, reader)
        files = try FileList.expanded(names.isEmpty ? ["-"] : Array(names))
        predicateOptions = try PredicateOptions(format, reader)
        isInverted = reader.has(Option.invert)
        isQuiet = reader.has(Option.quiet)
        isStrict = reader.has(Option.strict)
        countsOnly = reader.has(Option.count)
        listsFiles = reader.has(Option.filesWithMatches)
        query = try OutputQuery(reader, predicateOptions.context, isQuiet: isQuiet)
        output = try Self.output(reader)
        place = RecordPlace(showsFile: reader.has(Option.withFilename), showsLine: reader.has(Option.lineNumber))
        records = try RecordReadingOptions(reader)
        try records.checkColumnOptions(of: files.filter { !SQLiteFile.isOne($0) })
        colour = try ColourChoice(reader)
        lookups = try Lookups(reader.values(of: Option.lookup), reader.context)
        rows = try TableChoice(reader)
        allowsResidual = reader.has(Option.residual)
        explainsPlan = reader.has(Option.explainPlan)
        writesObjectIDs = reader.has(Option.objectIDs)
        decodesArchives = reader.has(Option.decode)
        storeOption = OptionGroup.rows.first(where: reader.has)
    }

    /// Throws for `--output out.csv` and `--output xlsx`, with a hint on how to write such files.
    private static func output(_ reader: ArgumentReader) throws(CommandFailure) -> OutputFormat? {
        let word = reader.value(of: Option.output) ?? ""
        let message = "--output takes the name of a format, found '\(word)'"
        if let format = OutputFormat(rawValue: word.split(separator: ".").last?.lowercased() ?? ""), word.contains(".")
        {
            throw reader.failure(message, hints: ["the shell writes a file: --output \(format.rawValue) > \(word)"])
        }
        if ["xlsx", "xls", "ods", "excel"].contains(word.lowercased()) {
            throw reader.failure(message, hints: ["write csv, which spreadsheet programs open"])
        }
        return try reader.choice(of: Option.output)
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

    /// Throws for `--median people.csv` without a file: the only file name is taken as the value of an option.
    private static func checkValues(_ reader: ArgumentReader) throws(CommandFailure) {
        for option in reader.command.options where option.takesWord {
            let words = reader.values(of: option).flatMap { [$0] + $0.split(separator: " ").suffix(1).map(String.init) }
            // A key may by chance be the name of a file without an extension.
            let names = words.filter { $0.contains(".") || $0.contains("/") }
            guard let file = names.first(where: { FileAccess.size(of: $0) != nil }) else { continue }
            let cure = "predicate filter --\(option.name) \(option.placeholder) \(file)"
            throw reader.failure(
                "--\(option.name) takes \(option.placeholder), found the file '\(file)', and there is no file to read",
                hints: ["write the value before the file: \(cure)", "a hyphen as the file reads standard input: -"])
        }
    }

    /// Throws for a word before the predicate that is meant as the value of an option: `--first three 'age > 40'`,
    /// `-n 3 'age > 40'`
    private static func checkFirstWord(_ reader: ArgumentReader) throws(CommandFailure) {
        let words = reader.operands
        guard let option = reader.optionsBefore[0], let word = words.first, !CommandLineTool.isPredicate(word),
            FileAccess.size(of: word) == nil,
            option.value != .none || words.dropFirst().first.map(CommandLineTool.isPredicate) ?? false
        else { return }
        let hints = Int(word) != nil ? ["--first \(word) prints the first matches"] : []
        throw reader.failure("--\(option.name) \(option.ruleText), found '\(word)'", hints: hints)
    }

    /// Throws for `-1` among the files, unless a file has this name: head and grep take a number of matches in this way.
    ///
    /// Also throws for `--distinct city`, where the word is not the name of a file.
    private static func checkFiles(_ names: ArraySlice<String>, _ reader: ArgumentReader) throws(CommandFailure) {
        let isMissing = { (name: String) in name != "-" && !FileManager.default.fileExists(atPath: name) }
        for index in names.indices where isMissing(names[index]) {
            guard let option = reader.optionsBefore[index] else { continue }
            throw reader.failure("--\(option.name) \(option.ruleText), and there is no file '\(names[index])'")
        }
        let isNumber = { (name: String) in name.first == "-" && Int(name) != nil }
        guard let number = names.first(where: { isNumber($0) && !FileManager.default.fileExists(atPath: $0) }) else {
            return
        }
        throw .usage(UsageError(unknownOption: number, in: .filter))
    }

    /// The context of the predicate.
    var context: PredicateContext { predicateOptions.context }

    /// The settings for rows that arrive in the right order, none of which is left out.
    var ofRowsInOrder: FilterSettings {
        var settings = self
        settings.query = query.ofRowsInOrder
        return settings
    }

    /// A Boolean value that indicates whether the input is lines of text.
    var isReadingLines: Bool { records.format == .lines }

    /// Returns the options for reading a file.
    ///
    /// Only the needed keys of a record are read: those in the predicate and those that sort or group. If columns are
    /// written as JSON, the written keys are read too.
    func recordOptions(for file: String, keys needed: Set<String>?) throws(CommandFailure) -> RecordOptions {
        var options = try records.options(for: file)
        let others = query.arranging + lookups.keys
        options.keys = Self.union([keysToRead(options.format, needed)] + others.map(\.roots))
        return options
    }

    private func keysToRead(_ format: DataFormat?, _ needed: Set<String>?) -> Set<String>? {
        if query.grouping != nil { return needed }
        if query.isDistinct { return query.keys.flatMap { Self.union([needed] + $0.map(\.roots)) } }
        let computed = Self.union([needed] + (query.keys ?? []).filter { $0.needsColumn }.map(\.roots))
        if output?.json == nil || format?.namesKeys == true { return computed }
        guard let keys = query.keys else { return nil }
        return Self.union([computed] + keys.map(\.roots))
    }

    /// Returns the union of the sets; nil if one of them is nil.
    private static func union(_ sets: [Set<String>?]) -> Set<String>? {
        sets.reduce([]) { union, set in set.flatMap { union?.union($0) } }
    }
}

extension FilterSettings {
    /// Returns the SQLite file to read; nil if the files contain records.
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
        if !lookups.isEmpty {
            throw .message(
                "--lookup does not apply to a SQLite file",
                hints: [
                    "foreign keys are paths: customer.name",
                    "a pipe joins its rows with a file: predicate filter \(file) | predicate filter --lookup …",
                ])
        }
        if listsFiles { throw .message("--files-with-matches does not apply to a SQLite file") }
        return file
    }

    private func noStore(_ option: CommandOption) -> CommandFailure {
        let (file, option) = (files.first ?? "-", "--\(option.name)")
        if file == "-" { return .usage(UsageError("\(option) needs a SQLite file", in: .filter)) }
        do throws(DataError) {
            _ = try FileSource(path: file)
        } catch {
            return .message(error.message)
        }
        let hint = "a SQLite file begins with the words 'SQLite format 3', and an XML store has the element <database>"
        return .message("\(option) needs a SQLite file or an XML store, and '\(file)' is neither", hints: [hint])
    }
}

extension CommandOption {
    /// What the option takes, if it leaves the next word to the operands.
    fileprivate var ruleText: String { value == .none ? "takes no value" : "takes a number" }
}

/// Expands directories on the command line to the data files below them.
enum FileList {
    /// Returns the files; `-` is standard input. From a directory, only files with the extensions of JSON, JSON Lines, CSV and
    /// TSV are taken, compressed or not; hidden files are skipped. Throws for a directory without such files.
    static func expanded(_ names: [String]) throws(CommandFailure) -> [String] {
        var files: [String] = []
        for name in names {
            guard name != "-", FileAccess.isFolder(name) else {
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
            if FileAccess.isFolder(path, followsLinks: false) {
                return depth < maximumDepth ? files(below: path, depth: depth + 1) : []
            }
            return DataFormat(fileName: name) != nil ? [path] : []
        }
    }
}
