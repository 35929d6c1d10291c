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
    static let delimiter = CommandOption(
        "delimiter", "d", value: "CHAR", .words(["comma", "semicolon", "tab", "pipe"]),
        help: "Delimiter of CSV, also as tab, comma, semicolon or pipe (default: detected in the first rows)")
    static let decimal = CommandOption(
        "decimal", value: "CHAR", .words(["point", "comma"]),
        help: "Decimal separator of CSV, a point or a comma (default: detected in the columns)")
    static let dayFirst = CommandOption("day-first", help: "Read 25.12.2024 and 25/12/24 as dates in CSV")
    static let monthFirst = CommandOption("month-first", help: "Read 12/25/2024 as dates in CSV")
    static let skip = CommandOption("skip", value: "N", help: "Skip N lines before the header of CSV")
    static let noHeader = CommandOption(
        "no-header", help: "The first row of CSV is data; the keys are column1, column2 and so on")
    static let header = CommandOption(
        "header", help: "The first row of CSV has the keys, even if it looks like data (default: detected)")
    static let ragged = CommandOption(
        "ragged", help: "Rows of CSV may have fewer fields than the header; the missing ones are nil")
    static let lazyQuotes = CommandOption(
        "lazy-quotes", help: "Quotes inside fields of CSV are ordinary characters, as in 55\" wide")
    static let noQuotes = CommandOption("no-quotes", help: "All quotes in CSV are ordinary characters")
    static let extra = CommandOption(
        "extra",
        help: "Rows of CSV may have fewer and more fields than the header; further ones are column4, column5 and so on")
    static let comment = CommandOption(
        "comment", value: "TEXT", help: "Skip lines that begin with TEXT, as in --comment '#'")
    static let nilText = CommandOption(
        "nil", value: "TEXT", help: "Read unquoted fields TEXT of CSV as nil in all columns, as \\N always is")
    static let pattern = CommandOption(
        "pattern", value: "REGEX",
        help: "Read lines whose keys are the named groups of a regular expression: '(?<level>\\w+): (?<text>.*)'")
    static let encoding = CommandOption(
        "encoding", value: "NAME", .words(["utf-8", "utf-16", "windows-1252", "latin1"]),
        help: "Encoding of the input: utf-8, utf-16, windows-1252 or latin1 (default: detected)")
}

extension OptionGroup {
    /// The options for reading records.
    static let records: [CommandOption] = [
        .format, .types, .path, .delimiter, .decimal, .dayFirst, .monthFirst, .skip, .noHeader, .header, .ragged,
        .extra, .lazyQuotes, .noQuotes, .comment, .nilText, .pattern, .encoding,
    ]
}

/// The values of the options for reading records: `--format csv`, `--types age=integer`, `--path result.items`.
struct RecordReadingOptions {
    /// The format of the input; nil to detect it.
    let format: DataFormat?
    let types: [String: ColumnType]
    let path: String?
    private let delimiter: UInt8?
    private let hasDecimalComma: Bool?
    private let dateOrder: DateOrder?
    private let skippedLines: Int?
    private let hasHeader: Bool?
    private let isRagged: Bool
    private let hasLazyQuotes: Bool
    private let hasQuotes: Bool
    private let hasExtraFields: Bool
    private let comment: String?
    private let nilTexts: [String]
    private let pattern: LinePattern?
    private let encoding: TextEncoding?
    /// The zone of dates without an offset; nil for UTC.
    private let zone: LocalZone?

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        format = try reader.choice(of: .format)
        types = try Self.types(reader)
        path = reader.value(of: .path)
        delimiter = try Self.delimiter(reader)
        hasDecimalComma = try Self.hasDecimalComma(reader)
        skippedLines = try Self.skippedLines(reader)
        hasHeader = reader.has(.noHeader) ? false : reader.has(.header) ? true : nil
        (isRagged, hasLazyQuotes) = (reader.has(.ragged), reader.has(.lazyQuotes))
        (hasQuotes, hasExtraFields) = (!reader.has(.noQuotes), reader.has(.extra))
        (comment, nilTexts) = (reader.value(of: .comment), reader.values(of: .nilText))
        pattern = try Self.pattern(reader)
        encoding = try Self.encoding(reader)
        zone = reader.context.zone
        if comment == "" { throw reader.failure("--comment takes the beginning of a line, such as '#'") }
        if comment != nil, format == .lines { throw .message("--comment does not apply to lines of text") }
        if pattern != nil, let format, format != .log, format != .lines {
            throw .message("--pattern divides lines of text, and not \(format.rawValue)")
        }
        if reader.has(.noHeader), reader.has(.header) {
            throw reader.failure("--no-header and --header cannot be combined")
        }
        if reader.has(.dayFirst), reader.has(.monthFirst) {
            throw reader.failure("--day-first and --month-first cannot be combined")
        }
        dateOrder = reader.has(.dayFirst) ? .dayFirst : reader.has(.monthFirst) ? .monthFirst : nil
        if path == "" { throw reader.failure("--path needs a key") }
        if path != nil, let format = self.format, !Self.mayHavePath(format) { throw .message(Self.pathNeedsDocument) }
    }

    /// Returns the options for reading a file.
    func options(for file: String) throws(CommandFailure) -> RecordOptions {
        let format = pattern != nil ? .log : format ?? (file == "-" ? nil : DataFormat(fileName: file))
        if path != nil, let format, !Self.mayHavePath(format) { throw .message("\(file): \(Self.pathNeedsDocument)") }
        var options = RecordOptions(format: path == nil ? format : format ?? .json, recordsPath: path, types: types)
        options.delimiter = delimiter
        options.hasDecimalComma = hasDecimalComma
        (options.dateOrder, options.zone) = (dateOrder, zone)
        options.skippedLines = skippedLines
        options.encoding = encoding
        options.hasHeader = hasHeader
        (options.isRagged, options.hasLazyQuotes) = (isRagged, hasLazyQuotes)
        (options.hasQuotes, options.hasExtraFields) = (hasQuotes, hasExtraFields)
        (options.comment, options.linePattern) = (comment, pattern)
        options.nilTexts = NilTexts(NilTexts.usual + nilTexts)
        if isForColumns, options.format == nil { options.format = .csv }
        return options
    }

    /// True if lines before the header are skipped.
    var skipsLines: Bool { skippedLines.map { $0 > 0 } ?? false }

    /// True if an option was given that applies only to CSV and TSV.
    private var isForColumns: Bool {
        delimiter != nil || skippedLines != nil || hasHeader != nil || isRagged || hasLazyQuotes || !hasQuotes
            || hasExtraFields || !nilTexts.isEmpty
    }

    /// Loads a file into a session, or only some keys of its first records. Throws for an option that does not apply to
    /// the file.
    func load(
        _ file: String, into session: Session, keys: Set<String>? = nil, limit: Int? = nil
    ) throws(CommandFailure) -> Reply {
        var options = try options(for: file)
        options.keys = keys
        let reply = session.load(file: file, options: options, limit: limit)
        if !session.tableNames.isEmpty { try checkAbsence() }
        return reply
    }

    /// Throws if one of the options was given. The default reason is that they do not apply to SQLite files.
    func checkAbsence(
        _ reason: String = "does not apply to a SQLite file, which has a schema"
    ) throws(CommandFailure) {
        let options = [
            ("--types", !types.isEmpty), ("--format", format != nil), ("--path", path != nil),
            ("--encoding", encoding != nil), ("--comment", comment != nil), ("--pattern", pattern != nil),
        ]
        guard let option = (options + rowOptions + cellOptions).first(where: \.1)?.0 else { return }
        throw .message("\(option) \(reason)")
    }

    /// The options for rows of CSV and TSV, each with a flag that is true if it was given.
    private var rowOptions: [(String, Bool)] {
        [
            ("--delimiter", delimiter != nil), ("--no-header", hasHeader == false), ("--header", hasHeader == true),
            ("--ragged", isRagged), ("--extra", hasExtraFields), ("--lazy-quotes", hasLazyQuotes),
            ("--no-quotes", !hasQuotes),
        ]
    }

    /// The options for cells, which logs have as well.
    private var cellOptions: [(String, Bool)] {
        [
            ("--decimal", hasDecimalComma != nil), ("--skip", skippedLines != nil),
            ("--day-first", dateOrder == .dayFirst), ("--month-first", dateOrder == .monthFirst),
            ("--nil", !nilTexts.isEmpty),
        ]
    }

    /// Throws for an option that applies to text columns if no file has any.
    func checkColumnOptions(of files: [String]) throws(CommandFailure) {
        var refusal: CommandFailure?
        for file in files {
            let format = pattern != nil ? .log : format ?? (file == "-" ? nil : DataFormat(fileName: file))
            do throws(CommandFailure) {
                return try checkColumnOptions(path == nil ? format : format ?? .json, file)
            } catch {
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
    }

    private func checkColumnOptions(_ format: DataFormat?, _ file: String) throws(CommandFailure) {
        let others: [(String, Bool)]
        switch format {
        case nil, .csv, .tsv: others = []
        case .log: others = rowOptions
        case .json, .jsonLines, .logfmt, .deb822, .lines: others = rowOptions + cellOptions
        }
        guard let option = others.first(where: \.1)?.0 else { return }
        let reason = pattern != nil ? "cannot be combined with --pattern" : "is for CSV and TSV"
        throw .message("\(file.displayName): \(option) \(reason)")
    }

    /// `;`, `tab`
    private static func delimiter(_ reader: ArgumentReader) throws(CommandFailure) -> UInt8? {
        guard let word = reader.value(of: .delimiter) else { return nil }
        let names = ["tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "]
        let text = names[word.lowercased()] ?? word
        if text.utf8.count == 1, let byte = text.utf8.first, byte >= 0x20 || byte == 0x09, byte != 0x22 { return byte }
        throw reader.failure("--delimiter takes one ASCII character or its name, found '\(word)'")
    }

    /// `,`, `comma`
    private static func hasDecimalComma(_ reader: ArgumentReader) throws(CommandFailure) -> Bool? {
        guard let word = reader.value(of: .decimal) else { return nil }
        switch word.lowercased() {
        case ",", "comma": return true
        case ".", "point", "dot": return false
        default: throw reader.failure("--decimal takes . or , and found '\(word)'")
        }
    }

    private static func skippedLines(_ reader: ArgumentReader) throws(CommandFailure) -> Int? {
        guard let word = reader.value(of: .skip) else { return nil }
        if let number = Int(word), number >= 0 { return number }
        throw reader.failure("--skip takes a number of lines, found '\(word)'")
    }

    private static func encoding(_ reader: ArgumentReader) throws(CommandFailure) -> TextEncoding? {
        guard let word = reader.value(of: .encoding) else { return nil }
        if let encoding = TextEncoding(name: word) { return encoding }
        throw reader.failure(
            "--encoding takes \(TextEncoding.list), found '\(word)'",
            hints: ["iconv -f \(word) -t UTF-8 rewrites a file"])
    }

    private static func pattern(_ reader: ArgumentReader) throws(CommandFailure) -> LinePattern? {
        guard let pattern = reader.value(of: .pattern) else { return nil }
        do throws(DataError) { return try LinePattern(pattern) } catch { throw .message(error.message) }
    }

    private static func mayHavePath(_ format: DataFormat) -> Bool {
        switch format {
        case .json, .jsonLines: true
        case .csv, .tsv, .lines, .log, .logfmt, .deb822: false
        }
    }

    private static let pathNeedsDocument = "--path is for JSON documents only"

    private static func types(_ reader: ArgumentReader) throws(CommandFailure) -> [String: ColumnType] {
        do throws(DataError) {
            return try ColumnType.types(reader.values(of: .types).joined(separator: ","))
        } catch {
            throw reader.failure("--types: \(error.message)")
        }
    }
}
