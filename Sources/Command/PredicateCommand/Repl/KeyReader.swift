import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The keys that were read ahead from a terminal, as code points. Pasted text is treated as if it had been typed.
///
/// In bracketed paste mode, a terminal writes `ESC [200~` before pasted text and `ESC [201~` after it. In between, a
/// tab becomes a space, so that nothing is completed, and control characters except line ends are dropped.
struct KeyQueue {
    private var keys: [Int32] = []
    private var first = 0
    /// The bytes at the end, which may be an incomplete character or paste marker.
    private var rest: [UInt8] = []
    private var isPasting = false
    private var wasReturn = false

    /// True if no key is waiting.
    var isEmpty: Bool { first == keys.count }

    /// A Boolean value that indicates whether an incomplete sequence is waiting. Its remaining bytes follow at once or not at
    /// all.
    var hasRest: Bool { !rest.isEmpty }

    mutating func removeFirst() -> Int32? {
        guard first < keys.count else { return nil }
        defer {
            first += 1
            if first == keys.count { (keys, first) = ([], 0) }
        }
        return keys[first]
    }

    /// Adds the bytes of a read. If there are none, incomplete sequences become keys.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        let before = rest.count
        rest += bytes
        let isLast = rest.count == before
        var start = 0
        while start < rest.count {
            guard let length = appendKey(at: start, isLast) else { break }
            start += length
        }
        rest.removeFirst(start)
    }

    /// Takes a paste marker or a character and returns its length; nil if bytes are missing.
    private mutating func appendKey(at start: Int, _ isLast: Bool) -> Int? {
        let bytes = rest[start...]
        if bytes.first == Self.escape {
            for (mark, pastes) in [(Self.pasteStart, true), (Self.pasteEnd, false)] {
                if bytes.starts(with: mark) {
                    isPasting = pastes
                    return mark.count
                }
                if !isLast, mark.starts(with: bytes) { return nil }
            }
        }
        guard let character = UTF8Character(bytes) else {
            guard isLast else { return nil }
            append(key: 0xFFFD)
            return 1
        }
        append(key: character.codePoint)
        return character.length
    }

    private mutating func append(key: Int32) {
        defer { wasReturn = key == 13 }
        guard isPasting, key < 32 || key == 127 else { return keys.append(key) }
        switch key {
        case 9: keys.append(32)
        case 10 where wasReturn: break
        case 10, 13: keys.append(13)
        default: break
        }
    }

    private static let escape: UInt8 = 0x1B
    private static let pasteStart = Array("\u{1B}[200~".utf8)
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    /// The escape sequences that turn bracketed paste mode on and off.
    static let marksPaste = "\u{1B}[?2004h"
    static let marksPasteNoLonger = "\u{1B}[?2004l"
}

/// The first character of a byte sequence.
private struct UTF8Character {
    let codePoint: Int32
    let length: Int

    /// Creates the character; nil if bytes are missing. A byte that is not UTF-8 becomes U+FFFD.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first else { return nil }
        let length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        guard length > 0, let scalar = Self.scalar(bytes.prefix(length), length) else {
            if length > bytes.count, bytes.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) { return nil }
            (codePoint, self.length) = (0xFFFD, 1)
            return
        }
        (codePoint, self.length) = (Int32(scalar.value), length)
    }

    private static func scalar(_ bytes: ArraySlice<UInt8>, _ length: Int) -> Unicode.Scalar? {
        guard bytes.count == length else { return nil }
        let text = String(validating: bytes, as: UTF8.self)
        return text?.unicodeScalars.first
    }
}

/// Reads the keys of the terminal from standard input.
///
/// libedit has global state and asks for one key at a time, so there is one reader, used by one thread.
enum KeyReader {
    nonisolated(unsafe) private static var queue = KeyQueue()

    /// The time within which the rest of a paste marker must follow, in milliseconds.
    private static let patience: Int32 = 30

    enum Readiness {
        case ready, interrupted, ended
    }

    /// Waits for a key; a signal ends the wait.
    static func wait() -> Readiness {
        while queue.isEmpty {
            let state = isReadable(within: queue.hasRest ? patience : -1)
            switch state {
            case .ready where !fill(): return .ended
            case .ready: continue
            // Nothing follows, so the escape character is a key.
            case .ended where queue.hasRest: queue.append([])
            case .ended, .interrupted: return state
            }
        }
        return .ready
    }

    /// Returns the next key: -1 at the end of the input, U+0000 if a signal interrupted the wait.
    static func next() -> Int32 {
        switch wait() {
        case .ready: queue.removeFirst() ?? -1
        case .interrupted: 0
        case .ended: -1
        }
    }

    private static func isReadable(within milliseconds: Int32) -> Readiness {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let ready = poll(&input, 1, milliseconds)
        if ready > 0 { return .ready }
        return ready < 0 && errno == EINTR ? .interrupted : .ended
    }

    /// Reads the available bytes. Returns false at the end of the input.
    private static func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        queue.append(bytes.prefix(count))
        return true
    }
}

/// The flags that signal handlers set: for Ctrl-C, and for a new size of the terminal.
enum Interruption {
    private static let wasInterrupted = Atomic<Bool>(false)
    private static let wasResized = Atomic<Bool>(false)

    /// Installs the signal handlers. Ctrl-C then no longer ends the process.
    static func install() {
        // The flags must be initialized before a handler runs.
        wasInterrupted.store(false, ordering: .relaxed)
        wasResized.store(false, ordering: .relaxed)
        handle(SIGINT) { _ in Interruption.wasInterrupted.store(true, ordering: .relaxed) }
        handle(SIGWINCH) { _ in Interruption.wasResized.store(true, ordering: .relaxed) }
    }

    /// Installs a handler without SA_RESTART, so that waiting for a key is interrupted.
    private static func handle(_ number: Int32, _ body: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = body
        #elseif canImport(Musl)
            action.__sa_handler.sa_handler = body
        #else
            action.__sigaction_u.__sa_handler = body
        #endif
        sigaction(number, &action, nil)
    }

    /// True after Ctrl-C, until ``forget()`` or ``take()``.
    static var isRequested: Bool { wasInterrupted.load(ordering: .relaxed) }

    /// Returns true after Ctrl-C, and resets the flag.
    static func take() -> Bool { wasInterrupted.exchange(false, ordering: .relaxed) }

    static func forget() { _ = take() }

    /// Returns true after the terminal's size has changed, and resets the flag.
    static func takeResize() -> Bool { wasResized.exchange(false, ordering: .relaxed) }
}
