import PredicateCoreData
import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateStore
import PredicateSyntax

/// An interactive session without its terminal: lines in, replies out.
///
/// `session.reply(to: "age > 21")` returns how many of the loaded objects match, and which.
///
/// A session accesses files only through its ``SessionEnvironment``.
package final class Session {
    package var settings: SessionSettings
    let environment: SessionEnvironment
    /// The registered functions with their zone, and the values of variables.
    private(set) var context: PredicateContext

    /// The objects in memory: all objects, or the first ones of a file or a stored table.
    var table = ObjectTable.empty {
        didSet { cachedStatistics = nil }
    }
    var file: RecordFile?
    /// All objects, if there are more than those in memory.
    var stream: (any ObjectStream)?
    /// True if there are more objects than those in memory.
    var isSample: Bool { stream != nil }
    /// True if the keys of all objects are known: those of a header, or of a stored table.
    var knowsAllKeys: Bool { !isSample || header != nil || tableName != nil }
    /// The number of records that the last question could not read, and the first error. Errors among the first objects of the
    /// file count as problems of the load.
    package var unread: (count: Int, first: DataError)? {
        file?.firstError.map { (file?.unreadable ?? 1, $0) }
    }
    var source: DataSource?
    /// How to read the strings that are compared with keys of the loaded objects.
    var texts: TextReadings?
    /// The header of the file, with the types of its columns.
    var header: RecordHeader?
    /// The columns whose dates have no time.
    var days: Set<String> = []
    /// The notes before the text of the current reply.
    var pendingNotes: [String] = []
    /// The notes of the last load about the file and its columns.
    var loadNotes: [ReadingNote] = []
    /// The relationships that are not followed, because the table is large.
    var omissions: [String] = []
    /// The problems of the last load: records that could not be read.
    package internal(set) var loadProblems: [String] = []
    /// The arguments for specifiers, as words.
    var argumentWords: [String] = []
    /// The last predicate or expression.
    var current: Query?
    /// The order of the matches that are shown.
    var order: [SortColumn] = []
    /// The columns of matches; nil for all keys.
    var columns: [ShownColumn]?
    /// The number of matches of the last predicate that have been shown.
    var shown = 0
    private var cachedStatistics: KeyStatistics?

    package init(
        settings: SessionSettings = SessionSettings(), environment: SessionEnvironment = SessionEnvironment(),
        context: PredicateContext = .standard
    ) {
        (self.settings, self.environment, self.context) = (settings, environment, context)
    }

    package func set(_ variable: String, _ value: PredicateValue) {
        context.variables[variable] = value
    }

    /// The zone of dates; nil for UTC.
    var zone: LocalZone? { context.zone }

    var painter: Painter { Painter(isColoured: settings.isColoured) }

    /// Wraps the sentences of a string to the width of the terminal.
    func fitted(_ text: String) -> String {
        settings.wrapsLines ? Paragraph.wrapped(text, width: settings.width) : text
    }

    /// The facts about the keys of the objects, computed lazily.
    package var statistics: KeyStatistics {
        if let cachedStatistics { return cachedStatistics }
        let statistics = KeyStatistics(table, isPart: isSample, hasHeader: knowsAllKeys, in: zone)
        cachedStatistics = statistics
        return statistics
    }

    /// Returns the reply to a line: a command that begins with a colon, a predicate or an expression.
    package func reply(to line: String) -> Reply {
        let line = line.trimmed
        if line.isEmpty { return Reply() }
        pendingNotes = []
        var reply: Reply
        do throws(SessionError) {
            reply = if let command = try command(in: line) { try run(command) } else { Reply(try result(of: line)) }
        } catch {
            reply = Reply(painter.paint(error: fitted(error.text)), isError: true)
        }
        let notes = pendingNotes.map { painter.paint(fitted($0), .notable) }
        reply.text = (notes + [reply.text]).joined(separator: "\n")
        return reply
    }

    /// Returns true if a line is a predicate, an expression or a command, even if evaluating it fails.
    package func canRead(_ line: String) -> Bool {
        let line = line.trimmed
        if line.hasPrefix(":"), !line.hasPrefix(":=") { return (try? SessionCommandLine(line)) != nil }
        let words = FormatPredicate.specifiers(in: line).map(\.kind.placeholder)
        return (try? Query(line, words: words, in: zone)) != nil
    }

    /// The greeting in the first session.
    package static let greeting = """
        A predicate, such as age > 21 AND name BEGINSWITH "J", shows what matches.
        :load FILE reads objects, :explain counts the objects that pass each clause.
        """

    /// Returns the command in a line; `help`, `exit` and `?` need no colon.
    private func command(in line: String) throws(SessionError) -> SessionCommandLine? {
        if line.hasPrefix(":"), !line.hasPrefix(":=") { return try SessionCommandLine(line) }
        guard !table.columns.contains(line) else { return nil }
        switch line.lowercased() {
        case "help", "?": return try SessionCommandLine(":help")
        case "quit", "exit", "\\q", ".quit", ".exit": return try SessionCommandLine(":quit")
        default: return nil
        }
    }

    private func run(_ line: SessionCommandLine) throws(SessionError) -> Reply {
        switch line.command {
        case .load: Reply(try load(line.rest))
        case .object: Reply(try takeObject(line.rest))
        case .table: Reply(try takeTable(line.rest))
        case .sample: Reply(try sample(line.rest))
        case .keys: Reply(try keys(line.rest))
        case .set: Reply(try setVariable(line.rest))
        case .args: Reply(try setArguments(line.rest))
        case .explain: Reply(try explain(line.rest))
        case .why: Reply(try decide(line.rest))
        case .check: Reply(try check(line.rest))
        case .tree: Reply(try TreeDump(query(line.rest).node).description)
        case .sql: Reply(try sql(line.rest))
        case .limit: Reply(try setLimit(line.rest))
        case .more: Reply(try more(line.rest))
        case .sort: Reply(try sort(line.rest))
        case .show: Reply(try show(line.rest))
        case .countBy: Reply(try countBy(line.rest))
        case .columns: Reply(try setColumns(line.rest))
        case .group: Reply(try group(line.rest))
        case .sum: Reply(try aggregate(.sum, line.rest))
        case .avg: Reply(try aggregate(.average, line.rest))
        case .min: Reply(try aggregate(.minimum, line.rest))
        case .max: Reply(try aggregate(.maximum, line.rest))
        case .median: Reply(try aggregate(.median, line.rest))
        case .write: Reply(try write(line.rest))
        case .help: Reply(try help(line.rest))
        case .quit: Reply(quits: true)
        }
    }

    /// Returns the query for a command's format and makes it the current one. For an empty format, returns the current query.
    func query(_ format: String) throws(SessionError) -> Query {
        if !format.isEmpty { current = try Query(format, words: argumentWords, in: zone) }
        if let current { return current }
        throw SessionError("there is no predicate yet", hints: ["type one, such as age > 21"])
    }

    /// Returns the predicate for a command's format, or the current one. Throws if there is none, and for an expression.
    func predicate(_ format: String = "") throws(SessionError) -> (query: Query, predicate: FormatPredicate) {
        let query = try format.isEmpty ? query("") : Query(format, words: argumentWords, in: zone)
        guard case .predicate(let predicate) = query.content else {
            throw SessionError(
                "\(query.printed) is an expression", hints: ["this needs a predicate, such as age > 21"])
        }
        current = query
        return (query, try reading(predicate))
    }

    /// Returns the predicate with its strings read as `predicate filter` does: as dates if they are compared with dates.
    func reading(_ predicate: FormatPredicate) throws(SessionError) -> FormatPredicate {
        try settle(.predicate(predicate.node))
        return try SessionError.reading { () throws(ValueError) in try texts?.reading(predicate) ?? predicate }
    }

    /// Returns the expression with the strings in its conditions read.
    func reading(_ expression: FormatExpression) throws(SessionError) -> FormatExpression {
        try settle(.expression(expression.node))
        return try SessionError.reading { () throws(ValueError) in try texts?.reading(expression) ?? expression }
    }

    func requireObjects() throws(SessionError) {
        guard table.isEmpty else { return }
        throw SessionError(reasonForNoObjects.text, hints: reasonForNoObjects.hints)
    }

    /// Why no objects are loaded, and how to load some.
    var reasonForNoObjects: (text: String, hints: [String]) {
        switch source {
        case nil: ("no objects are loaded", [":load FILE reads objects, :object {…} takes one"])
        case .table(nil, _): ("no table has been read yet", [":table NAME reads one"])
        case .table(_?, _), .file, .object: ("the loaded data has no objects", [])
        }
    }

    /// Checks the variables and keys of a query, and reads the related objects that it needs.
    func prepare(_ query: Query) throws(SessionError) {
        try requireVariables(of: query)
        try requireKeys(of: query)
        try follow(query)
    }

    /// Throws if a variable has no value.
    func requireVariables(of query: Query) throws(SessionError) {
        for name in query.fields.variables where context.variables[exactly: name] == nil {
            throw SessionError(
                "the variable $\(name) has no value",
                hints: NearMiss.hints(for: name, among: context.variables.keys, prefix: "$") + [
                    settings.namesOptions ? "--set \(name)=VALUE sets it" : ":set \(name) VALUE sets it"
                ])
        }
    }

    /// Returns the time since an instant in parentheses; empty if times are not shown.
    func time(since start: ContinuousClock.Instant) -> String {
        settings.showsTime ? " (\(Count.seconds(ContinuousClock.now - start)))" : ""
    }
}

enum DataSource {
    case file(name: String)
    case object
    /// A SQLite file. The name is nil until a table is read.
    case table(name: String?, store: OpenedStore)
}

package struct SessionSettings: Sendable {
    /// The columns of the terminal.
    package var width: Int
    package var isColoured: Bool
    /// True if sentences are wrapped to the width of the terminal.
    package var wrapsLines = false
    /// True if replies show how long they took.
    package var showsTime: Bool
    /// True if hints name options of the command line instead of commands of the session.
    package var namesOptions = false
    /// The maximum number of objects in a table.
    package var rowLimit = 10
    /// The maximum number of objects in memory of a file or a table that can be read again.
    package var mostSampled = RecordFile.mostSampled

    package init(width: Int = 80, isColoured: Bool = false, showsTime: Bool = true) {
        self.width = width
        self.isColoured = isColoured
        self.showsTime = showsTime
    }
}

/// The reply to one line.
package struct Reply: Sendable {
    /// The reply, without a final line end. It may be empty.
    package var text: String
    package var isError = false
    /// True if the session ends.
    package var quits = false

    package init(_ text: String = "", isError: Bool = false, quits: Bool = false) {
        self.text = text
        self.isError = isError
        self.quits = quits
    }
}

package struct OpenedFile {
    package var source: any ByteSource
    /// The size in bytes; nil for a pipe.
    package var size: Int?

    package init(source: any ByteSource, size: Int? = nil) {
        self.source = source
        self.size = size
    }

    /// Returns true for a SQLite file, and for a Core Data store of the XML type. A pipe is not examined, because it cannot be
    /// read twice.
    package func isDatabase() throws(DataError) -> Bool {
        guard size != nil else { return false }
        var bytes = [UInt8](repeating: 0, count: StoreType.headLength)
        let count = try source.read(into: &bytes)
        switch StoreType(head: Array(bytes.prefix(count))) {
        case .sqlite?, .xml?: return true
        case .binary?, nil: return false
        @unknown default: return false
        }
    }
}

/// The size of a file, the time of its last change, and its number, which show whether it has changed.
package struct FileVersion: Hashable, Sendable {
    private let numbers: [Int]

    package init(_ numbers: [Int]) { self.numbers = numbers }
}

/// A file that was created, and is being written.
package struct CreatedFile {
    package let write: ByteSink
    /// Removes the file, because it cannot be completed.
    package let remove: () -> Void

    package init(write: @escaping ByteSink, remove: @escaping () -> Void) {
        (self.write, self.remove) = (write, remove)
    }

    func write(_ text: String) throws(DataError) {
        var text = text
        try text.withUTF8 { bytes in
            Result { () throws(DataError) in try write(UnsafeRawBufferPointer(bytes)) }
        }.get()
    }
}

/// A session's access to files, its progress display and its cancellation. Tests replace them.
package struct SessionEnvironment {
    package var open: (_ path: String) throws(DataError) -> OpenedFile = { (path) throws(DataError) in
        throw DataError(.openFailed(path: path, errno: 2))
    }
    /// Returns the version of a file; nil for a pipe.
    package var version: (_ path: String) -> FileVersion? = { _ in nil }
    /// Creates a file; an existing file is an error.
    package var create: (_ path: String) throws(DataError) -> CreatedFile = { (path) throws(DataError) in
        throw DataError(.openFailed(path: path, errno: 1))
    }
    package var progress: (TaskProgress) -> Void = { _ in }
    /// Removes the progress display.
    package var finishProgress: () -> Void = {}
    /// Returns true if the user has cancelled the current task.
    package var isCancelled: @Sendable () -> Bool = { false }

    package init() {}
}
