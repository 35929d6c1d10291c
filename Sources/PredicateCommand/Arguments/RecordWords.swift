import PredicateData
import PredicateSession

/// The options of a command that reads records.
protocol RecordReadingOption: CommandOption {
    static var format: Self { get }
    static var types: Self { get }
    static var path: Self { get }
}

/// The options for reading records: `--format csv`, `--types age=integer`, `--path result.items`.
struct RecordWords {
    /// The input format; nil to detect it.
    let format: DataFormat?
    let types: [String: ColumnType]
    let path: String?

    init<Option: RecordReadingOption>(
        _ reader: ArgumentReader<Option>, in command: Command
    ) throws(CommandFailure) {
        format = try Self.format(
            reader.value(of: .format), option: "--format", allowed: DataFormat.allCases, in: command)
        types = try Self.types(reader.values(of: .types), in: command)
        path = reader.value(of: .path)
        if path == "" { throw .usage(UsageError("--path needs a key", in: command)) }
        if path != nil, let format = self.format, format != .json { throw .message(Self.pathNeedsDocument) }
    }

    /// Returns the options for reading a file.
    func options(for file: String) throws(CommandFailure) -> RecordOptions {
        let format = format ?? (file == "-" ? nil : DataFormat(fileName: file))
        if path != nil, format != nil, format != .json { throw .message("\(file): \(Self.pathNeedsDocument)") }
        return RecordOptions(format: format, recordsPath: path, types: types)
    }

    /// Loads a file into a session. Throws for options that do not apply.
    func load(_ file: String, into session: Session) throws(CommandFailure) -> Reply {
        let reply = session.load(file: file, options: try options(for: file))
        if !session.tableNames.isEmpty { try checkAbsence() }
        return reply
    }

    /// Throws if one of the options was given: they do not apply to SQLite files.
    func checkAbsence() throws(CommandFailure) {
        let options = [("--types", !types.isEmpty), ("--format", format != nil), ("--path", path != nil)]
        guard let option = options.first(where: \.1)?.0 else { return }
        throw .message("\(option) does not apply to a SQLite file, which has a schema")
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
