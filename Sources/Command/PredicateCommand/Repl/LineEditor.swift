import CEdit
import Foundation
import PredicateChecks
import PredicateData
import PredicateSession

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The result of reading a line of the terminal.
enum LineInput: Equatable {
    case line(String)
    /// Ctrl-C: the entry is discarded
    case cancelled
    /// Longer than ``LineEditor/longestLine``: the entry is discarded
    case tooLong
    /// Ctrl-D, or the end of the input
    case end
}

/// Lines of a file or a pipe.
final class StreamLines {
    private let source: any ByteSource
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// Returns the next line; nil at the end.
    func next() throws(CommandFailure) -> String? {
        while true {
            if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) { return take(upTo: end) }
            if isAtEnd { return start < buffer.count ? take(upTo: buffer.count) : nil }
            try refill()
        }
    }

    private func take(upTo end: Int) -> String {
        var line = buffer[start..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        start = min(end + 1, buffer.count)
        return String(decoding: line, as: UTF8.self)
    }

    private func refill() throws(CommandFailure) {
        buffer.removeFirst(start)
        start = 0
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        do throws(DataError) {
            let count = try source.read(into: &piece)
            isAtEnd = count == 0
            buffer += piece[..<count]
        } catch {
            throw .message("standard input: \(error.message)")
        }
    }
}

/// Reads lines from a terminal, with editing, completion and history by libedit.
///
/// The editor passes libedit one key at a time, so that it notices Ctrl-C and a change of the terminal's size between keys.
/// Keys that were typed ahead wait in ``KeyReader``.
final class LineEditor {
    /// libedit has global state, so there is one editor, used by one thread.
    nonisolated(unsafe) private static var complete: (String) -> LineCompletion = { _ in LineCompletion.none }
    nonisolated(unsafe) private static var finished: LineInput?
    nonisolated(unsafe) private static let name = strdup("predicate")
    /// The number of keys pressed in this line.
    nonisolated(unsafe) private static var keys = 0
    /// The longest line in bytes. With a few thousand more, libedit writes out of bounds on a small terminal.
    static let longestLine = 2_000
    /// The characters that separate words in the line that is completed.
    nonisolated(unsafe) private static var wordBreaks = strdup(UnfinishedFormat.wordBreaks)

    private let history: HistoryFile?
    /// A Boolean value that indicates whether bracketed paste mode is on.
    private let marksPaste: Bool

    init(history: HistoryFile?, marksPaste: Bool, complete: @escaping (String) -> LineCompletion) {
        self.history = history
        self.marksPaste = marksPaste
        Self.complete = complete
        if marksPaste { Self.write(KeyQueue.marksPaste) }
        Self.chooseUTF8()
        predicates_edit_set_up(
            Self.name, { _ in KeyReader.next() },
            { text, _, end in LineEditor.matches(text.map { String(cString: $0) } ?? "", end) },
            { LineEditor.currentWordBreaks() })
        rl_initialize()
        using_history()
        stifle_history(Int32(HistoryFile.limit))
        for entry in history?.entries ?? [] { Self.recall(entry) }
    }

    deinit {
        if marksPaste { Self.write(KeyQueue.marksPasteNoLonger) }
    }

    /// Selects a UTF-8 locale, by which libedit counts characters. Containers often do not set one.
    private static func chooseUTF8() {
        setlocale(LC_CTYPE, "")
        let codeSet = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) }
        if codeSet != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
    }

    /// Shows the prompt, and returns the next line.
    func next(prompt: String) -> LineInput {
        Interruption.forget()
        Self.finished = nil
        rl_callback_handler_install(prompt) { line in
            LineEditor.finished = line.map { .line(String(cString: $0)) } ?? .end
            // libedit has echoed Ctrl-D as ^D.
            if line == nil { LineEditor.write("\u{8}\u{8}  ") }
            free(line)
        }
        Self.keys = 0
        while Self.finished == nil {
            if Self.isFull { skipLine() } else { waitForKey() }
        }
        rl_callback_handler_remove()
        if Self.finished != nil, Self.endsAtCursor { Self.write("\n") }
        return Self.finished ?? .end
    }

    private static func write(_ text: String) {
        Array(text.utf8).withUnsafeBytes { bytes in
            // If the terminal cannot be written to, the next read ends the session.
            try? DescriptorSink.standardOutput(bytes)
        }
    }

    private func waitForKey() {
        let state = KeyReader.wait()
        if Interruption.take() {
            Self.finished = .cancelled
        } else if Interruption.takeResize() {
            rl_resize_terminal()
        } else {
            switch state {
            case .ready:
                Self.keys += 1
                rl_callback_read_char()
            case .ended: Self.finished = .end
            case .interrupted: break
            }
        }
    }

    /// Adds an entry to the history.
    func remember(_ entry: String) {
        let line = RecalledLine.of(entry)
        guard let added = history?.add(line), added else { return }
        Self.recall(line)
    }

    /// A Boolean value that indicates whether the cursor is still on the line that was typed.
    private static var endsAtCursor: Bool {
        switch finished {
        case .cancelled, .end, .tooLong: true
        case .line, nil: false
        }
    }

    /// Discards the input up to the end of the line.
    private func skipLine() {
        while true {
            let state = KeyReader.wait()
            if Interruption.take() { return Self.finished = .cancelled }
            switch state {
            case .interrupted: continue
            case .ended: return Self.finished = .end
            case .ready:
                let key = KeyReader.next()
                if key == 13 || key == 10 { return Self.finished = .tooLong }
            }
        }
    }

    /// Adds a line to libedit's history, unless it is too long.
    private static func recall(_ line: String) {
        if line.utf8.count <= longestLine { add_history(line) }
    }

    /// True if the line has reached its maximum length.
    private static var isFull: Bool {
        // Before the first key, libedit returns the length of the previous line.
        keys > 0 && predicates_edit_length() >= longestLine
    }

    private static var line: String { predicates_edit_line().map { String(cString: $0) } ?? "" }

    private static func currentWordBreaks() -> UnsafeMutablePointer<CChar>? {
        free(wordBreaks)
        wordBreaks = strdup(LineCompletion.wordBreaks(of: line))
        return wordBreaks
    }

    /// Returns the completions for Tab: the common prefix of all words, then the words.
    private static func matches(
        _ text: String, _ end: Int32
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        predicates_edit_end_completion()
        // libedit counts positions in code points.
        let head = String(String.UnicodeScalarView(line.unicodeScalars.prefix(Int(end))))
        let completion = complete(head)
        guard !completion.words.isEmpty else { return nil }
        // libedit's word may be longer than the completed part, or shorter, as in a path with slashes.
        let kept = text.utf8.count - completion.length
        let words = completion.words.map { word in
            kept < 0 ? word.suffix(fromByte: -kept) : text.prefix(upToByte: kept) + word
        }
        let common = commonPrefix(words)
        // If the words differ before the cursor, as a quoted and an unquoted key do, the typed characters stay.
        let list = [common.utf8.count < text.utf8.count ? text : common] + words
        let result = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: list.count + 1)
        for (index, word) in list.enumerated() { (result + index).initialize(to: strdup(word)) }
        (result + list.count).initialize(to: nil)
        return result
    }

    private static func commonPrefix(_ words: [String]) -> String {
        words.dropFirst().reduce(words.first ?? "") { $0.commonPrefix(with: $1) }
    }
}

extension String {
    fileprivate func prefix(upToByte count: Int) -> String {
        String(decoding: utf8.prefix(count), as: UTF8.self)
    }

    fileprivate func suffix(fromByte count: Int) -> String {
        String(decoding: utf8.dropFirst(count), as: UTF8.self)
    }

    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}

/// The lines of earlier sessions, in `~/.local/state/predicate/history`.
///
/// Each line is appended immediately: a crash loses nothing, and concurrent sessions can share the file.
final class HistoryFile {
    static let limit = 1000

    private let path: String
    /// The lines, oldest first.
    private(set) var entries: [String]
    /// True if the file did not exist, as in the first session.
    let isNew: Bool

    /// Opens the file; nil if the environment variables name no folder for it.
    init?(_ environment: [String: String]) {
        guard let folder = Self.folder(environment) else { return nil }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = folder + "/history"
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        isNew = text == nil
        let lines = (text ?? "").split(separator: "\n").map(String.init)
        entries = Array(lines.suffix(Self.limit))
        if lines.count > 2 * Self.limit { rewrite() }
        if isNew { append("") }
    }

    private static func folder(_ environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/predicate" }
        return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state/predicate" : nil }
    }

    /// Adds a line. Returns false for an empty line and for a repetition of the last one.
    func add(_ line: String) -> Bool {
        guard !line.isEmpty, entries.last != line else { return false }
        entries.append(line)
        append(line + "\n")
        return true
    }

    /// Appends a string with a single write, so that the lines of two sessions do not mix.
    private func append(_ text: String) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        Array(text.utf8).withUnsafeBytes { bytes in
            // A session also works without a history.
            try? DescriptorSink.write(bytes, to: descriptor)
        }
    }

    private func rewrite() {
        let text = entries.map { $0 + "\n" }.joined()
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
