#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The keys of a terminal that were read ahead, as code points, with what was pasted as if it had been typed.
///
/// A terminal in the mode of bracketed paste puts `ESC [200~` before pasted text and `ESC [201~` after it. Between them a
/// tab is a blank, since nothing is to be completed, and other control characters than line ends are dropped.
struct KeyQueue {
    private var keys: [Int32] = []
    private var first = 0
    /// The bytes at the end that may be the beginning of a character or a mark.
    private var rest: [UInt8] = []
    private var isPasting = false
    private var wasReturn = false

    /// True if no key is waiting.
    var isEmpty: Bool { first == keys.count }

    /// True if bytes are waiting for others, which follow at once or not at all.
    var hasRest: Bool { !rest.isEmpty }

    mutating func removeFirst() -> Int32? {
        guard first < keys.count else { return nil }
        defer {
            first += 1
            if first == keys.count { (keys, first) = ([], 0) }
        }
        return keys[first]
    }

    /// Takes the bytes of a read; with none, those that wait for others become keys.
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

    /// Takes a mark or a character and returns its length; nil if bytes are missing.
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
    /// What a terminal is told to mark pasted text, and to do so no longer.
    static let marksPaste = "\u{1B}[?2004h"
    static let marksPasteNoLonger = "\u{1B}[?2004l"
}

/// The first character of some bytes.
private struct UTF8Character {
    let codePoint: Int32
    let length: Int

    /// Nil if bytes are missing; a byte that is no UTF-8 is U+FFFD.
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

/// The terminal's keys, read from standard input.
///
/// libedit uses global variables and asks for one key at a time, so there is one reader, used by one thread.
enum KeyReader {
    nonisolated(unsafe) private static var queue = KeyQueue()

    /// How long the rest of a mark may take, in milliseconds.
    private static let patience: Int32 = 30

    enum State {
        case ready, interrupted, ended
    }

    /// True if a key has been pressed that has not been read.
    static var hasInput: Bool { !queue.isEmpty || isReadable(within: 0) == .ready }

    /// Waits for a key; a signal ends the wait.
    static func wait() -> State {
        while queue.isEmpty {
            let state = isReadable(within: queue.hasRest ? patience : -1)
            switch state {
            case .ready where !fill(): return .ended
            case .ready: continue
            // Nothing follows: an escape that stands alone is a key.
            case .ended where queue.hasRest: queue.append([])
            case .ended, .interrupted: return state
            }
        }
        return .ready
    }

    /// Returns the next key; -1 at the end of the input. A signal within a sequence of keys ends it by U+0000.
    static func next() -> Int32 {
        switch wait() {
        case .ready: queue.removeFirst() ?? -1
        case .interrupted: 0
        case .ended: -1
        }
    }

    private static func isReadable(within milliseconds: Int32) -> State {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let ready = poll(&input, 1, milliseconds)
        if ready > 0 { return .ready }
        return ready < 0 && errno == EINTR ? .interrupted : .ended
    }

    /// Reads what there is; false at the end.
    private static func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        queue.append(bytes.prefix(count))
        return true
    }
}
