import CEdit
import PredicateData
import PredicateSession

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Lines typed on a terminal, with editing, completion and history by libedit.
///
/// The editor takes one key at a time, so that Ctrl-C and a new size of the terminal are noticed between keys. What was
/// typed or pasted ahead waits in ``KeyReader``.
final class LineEditor: LineSource {
    /// libedit uses global variables, so there is one editor, used by one thread.
    nonisolated(unsafe) private static var complete: (String) -> Completion = { _ in Completion.none }
    nonisolated(unsafe) private static var finished: LineInput?
    nonisolated(unsafe) private static let name = strdup("predicate")
    /// The number of keys pressed in this line.
    nonisolated(unsafe) private static var keys = 0
    /// The longest line in bytes: with some thousands more, libedit writes out of bounds on a small terminal.
    static let longestLine = 2_000
    /// What separates the words of the line that is completed.
    nonisolated(unsafe) private static var wordBreaks = strdup(Completion.wordBreaks)

    private let history: HistoryFile?
    /// True if the terminal is told to mark pasted text.
    private let marksPaste: Bool

    init(history: HistoryFile?, marksPaste: Bool, complete: @escaping (String) -> Completion) {
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

    /// Selects a UTF-8 locale, by which libedit counts characters; it is often not set in containers.
    private static func chooseUTF8() {
        setlocale(LC_CTYPE, "")
        let codeSet = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) }
        if codeSet != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
    }

    var hasInput: Bool { KeyReader.hasInput }

    func next(prompt: String) throws(CommandFailure) -> LineInput {
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

    func remember(_ entry: String) {
        let line = RecalledLine.of(entry)
        guard let added = history?.add(line), added else { return }
        Self.recall(line)
    }

    /// True if the cursor is after the typed text.
    private static var endsAtCursor: Bool {
        switch finished {
        case .cancelled, .end, .tooLong: true
        case .line, nil: false
        }
    }

    /// Discards input up to the end of the line.
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
        wordBreaks = strdup(Completion.wordBreaks(of: line))
        return wordBreaks
    }

    /// Returns the completions for Tab: first the common prefix of all words, then the words.
    private static func matches(
        _ text: String, _ end: Int32
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        predicates_edit_end_completion()
        // libedit counts code points.
        let head = String(String.UnicodeScalarView(line.unicodeScalars.prefix(Int(end))))
        let completion = complete(head)
        guard !completion.words.isEmpty else { return nil }
        // libedit's word may be longer than what is completed, or only the end of it, as of a path with slashes.
        let kept = text.utf8.count - completion.length
        let words = completion.words.map { word in
            kept < 0 ? word.suffix(fromByte: -kept) : text.prefix(upToByte: kept) + word
        }
        let common = commonPrefix(words)
        // Nothing is taken back where words differ before the cursor, as a quoted key and a plain one do.
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
