import PredicateData
import PredicateEvaluation
import PredicateSession
import PredicateSyntax

extension CommandOption {
    static let format = CommandOption(
        "format", "f", value: "FORMAT", .values(of: DataFormat.self),
        help:
            "Read json, jsonl, csv, tsv, lines, log (Apache and nginx), logfmt or deb822 (dpkg) (default: by file name"
            + " or content)")
    static let types = CommandOption(
        "types", "t", value: "NAME=TYPE,...", .types,
        help: "Types of columns, which are otherwise inferred: string, integer, double, decimal, boolean, date, uuid,"
            + " data; int, float, text and bool are accepted, too")
    static let path = CommandOption(
        "path", "p", value: "KEY.KEY",
        help: "Path to the records in a JSON document: result.items, also through arrays: runs.results; * is every"
            + " member of an object, packages.*, whose key is @key; write a dot inside a key as v1\\.0")
    static let parent = CommandOption(
        "parent", value: "KEY",
        help:
            "Give each record at --path the object around it under KEY: --path items.labels --parent item has item.number"
    )
    static let delimiter = CommandOption(
        "delimiter", "d", value: "CHAR", .words(["comma", "semicolon", "tab", "pipe"]),
        help: "Delimiter of CSV, also as tab, comma, semicolon or pipe (default: detected in the first rows)")
    static let decimal = CommandOption(
        "decimal", value: "CHAR", .words(["point", "comma"]),
        help: "Decimal separator of CSV, a point or a comma (default: detected in the columns)")
    static let dates = CommandOption(
        "dates", value: "NAME=NOTATION,...", .words(DateNotation.allCases.map(\.rawValue)),
        help: "Notations of dates: dmy reads 25.12.2024 and 25/12/24, mdy 12/25/2024, ymd 24-12-25, epoch seconds since"
            + " 1970, epochms milliseconds; dmy, mdy and ymd alone are for all columns of CSV whose cells do not decide"
    )
    static let skip = CommandOption("skip", value: "N", help: "Skip N lines before the header of CSV")
    static let header = CommandOption(
        "header", value: "yes|no", .words(["yes", "no"]),
        help:
            "Whether the first row of CSV has the keys (default: detected); without them they are column1, column2 and so"
            + " on")
    static let ragged = CommandOption(
        "ragged",
        help:
            "Rows of CSV may have fewer fields than the header (the missing ones are nil), or more (column4, column5"
            + " and so on)")
    static let quotes = CommandOption(
        "quotes", value: "lazy|none", .words(["lazy", "none"]),
        help: "Quotes inside fields of CSV are ordinary characters (lazy), as in 55\" wide, or all quotes are (none)")
    static let comment = CommandOption(
        "comment", value: "TEXT", help: "Skip lines that begin with TEXT, as in --comment '#'")
    static let nilText = CommandOption(
        "nil", value: "TEXT", help: "Read unquoted fields TEXT of CSV as nil in all columns, as \\N always is")
    static let pattern = CommandOption(
        "pattern", value: "REGEX",
        help: "Read lines whose keys are the named groups of a regular expression: '(?<level>\\w+): (?<text>.*)'")
    static let unmatched = CommandOption(
        "unmatched", value: "skip|join", .words(LinePattern.Unmatched.allCases.map(\.rawValue)),
        help:
            "Leave out lines that --pattern does not match (skip), or add them to the record before them and to its last group"
            + " (join), as the lines of a stack trace (default: they are errors)")
    static let encoding = CommandOption(
        "encoding", value: "NAME", .words(["utf-8", "utf-16", "windows-1252", "latin1"]),
        help: "Encoding of the input: utf-8, utf-16, windows-1252 or latin1 (default: detected)")
}

extension OptionGroup {
    static let records: [CommandOption] = [
        .format, .types, .path, .parent, .delimiter, .decimal, .dates, .skip, .header, .ragged, .quotes, .comment,
        .nilText, .pattern, .unmatched, .encoding,
    ]
}

/// The values of the options for reading records: `--format csv`, `--types age=integer`, `--path result.items`.
struct RecordReadingOptions {
    /// The options that apply to every file.
    private var common = RecordOptions()
    private let given: [RecordOption]

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        let options = RecordOption.allCases.compactMap { option in
            OptionGroup.records.first { $0.name == option.rawValue && reader.has($0) }.map { (option, $0) }
        }
        given = options.map(\.0)
        // A misspelled format has a hint.
        let _: DataFormat? = try reader.choice(of: .format)
        for (option, name) in options {
            do throws(ValueError) { try option.read(reader.values(of: name), into: &common) } catch {
                throw reader.failure(error.message, hints: error.hints)
            }
        }
        common.zone = reader.context.zone
        if common.comment != nil, format == .lines { throw .message("--comment does not apply to lines of text") }
        if hasPattern, let format, format != .log, format != .lines {
            throw .message("--pattern is for lines of text, not for \(format.rawValue)")
        }
        if path != nil, let format, !Self.mayHavePath(format) { throw .message(Self.pathNeedsDocument) }
        if common.parentKey != nil, path.map({ $0.split(separator: ".").allSatisfy { $0 == "*" } }) ?? true {
            throw reader.failure("--parent needs a path to the records that has a key: --path KEY.KEY")
        }
    }

    /// The format of the input; nil to detect it.
    var format: DataFormat? { common.format }
    var types: [String: ColumnType] { common.types }
    var path: String? { common.recordsPath }
    private var hasPattern: Bool { common.linePattern != nil }

    /// True if lines before the header are skipped.
    var skipsLines: Bool { common.skippedLines.map { $0 > 0 } ?? false }

    func options(for file: String) throws(CommandFailure) -> RecordOptions {
        let format = format(of: file)
        if path != nil, let format, !Self.mayHavePath(format) { throw .message("\(file): \(Self.pathNeedsDocument)") }
        var options = common
        options.format = format
        let areForColumns = given.contains { (RecordOption.ofRows + [.skip, .nil]).contains($0) }
        if areForColumns, format == nil { options.format = .csv }
        return options
    }

    /// The format that an option or the name of a file determines; nil to detect it.
    private func format(of file: String) -> DataFormat? {
        let named = hasPattern ? .log : format ?? (file == "-" ? nil : DataFormat(fileName: file))
        return path == nil ? named : named ?? .json
    }

    /// Loads a file into a session. Throws for an option that does not apply to the file.
    func load(_ file: String, into session: Session) throws(CommandFailure) -> Reply {
        let reply = session.load(file: file, options: try options(for: file))
        if !session.tableNames.isEmpty { try checkAbsence() }
        return reply
    }

    /// Throws if one of the options was given. The default reason is that they do not apply to SQLite files.
    func checkAbsence(
        _ reason: String = "does not apply to a SQLite file, which has a schema"
    ) throws(CommandFailure) {
        if let option = given.first { throw .message("--\(option.rawValue) \(reason)") }
    }

    /// Throws for an option that applies to text columns if no file has any.
    func checkColumnOptions(of files: [String]) throws(CommandFailure) {
        var refusal: CommandFailure?
        for file in files {
            do throws(CommandFailure) {
                return try checkColumnOptions(format(of: file), file)
            } catch {
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
    }

    private func checkColumnOptions(_ format: DataFormat?, _ file: String) throws(CommandFailure) {
        let others: [RecordOption]
        switch format {
        case nil, .csv, .tsv: others = []
        case .log: others = RecordOption.ofRows
        case .json, .jsonLines, .logfmt, .deb822, .lines: others = RecordOption.ofRows + RecordOption.ofCells
        }
        guard let option = given.first(where: others.contains) else { return }
        let reason = hasPattern ? "cannot be combined with --pattern" : "is for CSV and TSV"
        throw .message("\(file.displayName): --\(option.rawValue) \(reason)")
    }

    private static func mayHavePath(_ format: DataFormat) -> Bool {
        switch format {
        case .json, .jsonLines: true
        case .csv, .tsv, .lines, .log, .logfmt, .deb822: false
        }
    }

    private static let pathNeedsDocument = "--path is for JSON documents only"
}
