import PredicateData
import PredicateSession

/// The options of a command that reads records.
protocol RecordReadingOption: CommandOption {
    static var format: Self { get }
    static var types: Self { get }
    static var path: Self { get }
    static var delimiter: Self { get }
    static var decimal: Self { get }
    static var dayFirst: Self { get }
    static var monthFirst: Self { get }
    static var skip: Self { get }
    static var encoding: Self { get }
}

/// The options for reading records: `--format csv`, `--types age=integer`, `--path result.items`.
struct RecordWords {
    /// The input format; nil to detect it.
    let format: DataFormat?
    let types: [String: ColumnType]
    let path: String?
    private let delimiter: UInt8?
    private let hasDecimalComma: Bool?
    private let dateOrder: DateOrder?
    private let skippedLines: Int
    private let encoding: TextEncoding?

    init<Option: RecordReadingOption>(
        _ reader: ArgumentReader<Option>, in command: Command
    ) throws(CommandFailure) {
        format = try Self.format(
            reader.value(of: .format), option: "--format", allowed: DataFormat.allCases, in: command)
        types = try Self.types(reader.values(of: .types), in: command)
        path = reader.value(of: .path)
        delimiter = try reader.value(of: .delimiter).map { (name) throws(CommandFailure) in
            try Self.delimiter(name, in: command)
        }
        hasDecimalComma = try reader.value(of: .decimal).map { (name) throws(CommandFailure) in
            try Self.hasDecimalComma(name, in: command)
        }
        skippedLines =
            try reader.value(of: .skip).map { (word) throws(CommandFailure) in
                if let number = Int(word), number >= 0 { return number }
                throw .usage(UsageError("--skip takes a number of lines, found '\(word)'", in: command))
            } ?? 0
        encoding = try reader.value(of: .encoding).map { (name) throws(CommandFailure) in
            if let encoding = TextEncoding(name: name) { return encoding }
            let hint = "iconv -f \(name) -t UTF-8 rewrites a file"
            throw .usage(
                UsageError("--encoding takes \(TextEncoding.list), found '\(name)'", hints: [hint], in: command))
        }
        if reader.has(.dayFirst), reader.has(.monthFirst) {
            throw .usage(UsageError("--day-first and --month-first cannot be combined", in: command))
        }
        dateOrder = reader.has(.dayFirst) ? .dayFirst : reader.has(.monthFirst) ? .monthFirst : nil
        if path == "" { throw .usage(UsageError("--path needs a key", in: command)) }
        if path != nil, let format = self.format, format != .json { throw .message(Self.pathNeedsDocument) }
    }

    /// Returns the options for reading a file.
    func options(for file: String) throws(CommandFailure) -> RecordOptions {
        let format = format ?? (file == "-" ? nil : DataFormat(fileName: file))
        if path != nil, format != nil, format != .json { throw .message("\(file): \(Self.pathNeedsDocument)") }
        var options = RecordOptions(format: format, recordsPath: path, types: types)
        options.delimiter = delimiter
        options.hasDecimalComma = hasDecimalComma
        options.dateOrder = dateOrder
        options.skippedLines = skippedLines
        options.encoding = encoding
        // A delimiter, or lines before a header, make CSV of a file of any name.
        if delimiter != nil || skippedLines > 0, options.format == nil { options.format = .csv }
        return options
    }

    /// Loads a file into a session. Throws for options that do not apply.
    func load(_ file: String, into session: Session) throws(CommandFailure) -> Reply {
        let reply = session.load(file: file, options: try options(for: file))
        if !session.tableNames.isEmpty { try checkAbsence() }
        return reply
    }

    /// Throws if one of the options was given: by default, they do not apply to SQLite files.
    func checkAbsence(
        _ reason: String = "does not apply to a SQLite file, which has a schema"
    ) throws(CommandFailure) {
        let options = [
            ("--types", !types.isEmpty), ("--format", format != nil), ("--path", path != nil),
            ("--delimiter", delimiter != nil), ("--decimal", hasDecimalComma != nil),
            ("--encoding", encoding != nil), ("--skip", skippedLines > 0), ("--day-first", dateOrder == .dayFirst),
            ("--month-first", dateOrder == .monthFirst),
        ]
        guard let option = options.first(where: \.1)?.0 else { return }
        throw .message("\(option) \(reason)")
    }

    /// `;`, `tab`
    private static func delimiter(_ name: String, in command: Command) throws(CommandFailure) -> UInt8 {
        let names = ["tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "]
        let text = names[name.lowercased()] ?? name
        if text.utf8.count == 1, let byte = text.utf8.first, byte >= 0x20 || byte == 0x09, byte != 0x22 { return byte }
        throw .usage(
            UsageError("--delimiter takes one ASCII character or its name, found '\(name)'", in: command))
    }

    /// `,`, `comma`
    private static func hasDecimalComma(_ name: String, in command: Command) throws(CommandFailure) -> Bool {
        switch name.lowercased() {
        case ",", "comma": return true
        case ".", "point", "dot": return false
        default: throw .usage(UsageError("--decimal takes . or , and found '\(name)'", in: command))
        }
    }

    private static let pathNeedsDocument = "--path is for JSON documents only"

    /// Returns the format that an option names.
    static func format(
        _ name: String?, option: String, allowed: [DataFormat], in command: Command
    ) throws(CommandFailure) -> DataFormat? {
        guard let name else { return nil }
        if let format = DataFormat(rawValue: name.lowercased()), allowed.contains(format) { return format }
        let names = allowed.map(\.rawValue)
        let hints = UsageError.suggestions(for: name, among: names)
        let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        throw .usage(UsageError("\(option) takes \(list), found '\(name)'", hints: hints, in: command))
    }

    private static func types(
        _ declarations: [String], in command: Command
    ) throws(CommandFailure) -> [String: ColumnType] {
        do throws(DataError) {
            return try ColumnType.types(declarations.joined(separator: ","))
        } catch {
            throw .usage(UsageError("--types: \(error.message)", in: command))
        }
    }
}
