/// Divides the bytes of a client into messages.
///
///     Content-Length: 52\r\n
///     \r\n
///     {"jsonrpc": "2.0", "method": "initialized", "params": {}}
///
/// Headers and bodies have limits. What is malformed is reported, and reading goes on with the next header.
struct MessageReader {
    /// Bytes of the header of one message.
    static let longestHeader = 8_192
    /// Bytes of the body of one message; a longer one is passed over.
    static let longestBody = 1 << 26

    /// A body, or what is wrong with the bytes that came instead.
    enum Event: Hashable {
        case body([UInt8])
        case failure(TransportError)
    }

    private enum State {
        case header
        case body(Int)
        /// Bytes of a body that is too long.
        case skipping(Int)
        /// The header was malformed: the next one is looked for.
        case seeking
    }

    private var state = State.header
    private var buffer: [UInt8] = []
    /// The bytes of the buffer that are used up.
    private var start = 0
    /// The offset up to which the end of a header was looked for.
    private var searched = 0

    mutating func append(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            (start, searched) = (0, 0)
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next event; nil if more bytes are needed.
    mutating func next() -> Event? {
        while true {
            switch state {
            case .header:
                guard let event = readHeader() else { return nil }
                if case .failure(let error) = event { return .failure(error) }
            case .body(let count):
                guard buffer.count - start >= count else { return nil }
                defer { take(count) }
                state = .header
                return .body(Array(buffer[start..<start + count]))
            case .skipping(let count):
                let present = min(count, buffer.count - start)
                take(present)
                state = present == count ? .header : .skipping(count - present)
                if present < count { return nil }
            case .seeking:
                guard seek() else { return nil }
            }
        }
    }

    private mutating func take(_ count: Int) {
        start += count
        searched = start
    }

    private enum HeaderEvent {
        case read
        case failure(TransportError)
    }

    /// Reads a header up to its empty line; nil if that has not come yet.
    private mutating func readHeader() -> HeaderEvent? {
        guard let (end, next) = headerEnd() else {
            guard buffer.count - start > Self.longestHeader else { return nil }
            state = .seeking
            take(1)
            return .failure(.headerTooLong(limit: Self.longestHeader))
        }
        let header = buffer[start..<end]
        guard header.count <= Self.longestHeader else {
            take(next - start)
            return .failure(.headerTooLong(limit: Self.longestHeader))
        }
        let length = Self.contentLength(header)
        take(next - start)
        guard let length else { return .failure(.missingLength) }
        guard length <= Self.longestBody else {
            state = .skipping(length)
            return .failure(.bodyTooLong(length, limit: Self.longestBody))
        }
        state = .body(length)
        return .read
    }

    /// The end of the header and the beginning of the body: after an empty line.
    private mutating func headerEnd() -> (end: Int, next: Int)? {
        var index = max(searched - 3, start)
        while index < buffer.count {
            if buffer[index] == 0x0A {
                if index + 1 < buffer.count, buffer[index + 1] == 0x0A { return (index, index + 2) }
                if index + 2 < buffer.count, buffer[index + 1] == 0x0D, buffer[index + 2] == 0x0A {
                    return (index, index + 3)
                }
            }
            index += 1
        }
        searched = buffer.count
        return nil
    }

    /// The value of `Content-Length`; nil if it is missing or no number of at most twelve digits.
    private static func contentLength(_ header: ArraySlice<UInt8>) -> Int? {
        for line in header.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = String(decoding: line, as: UTF8.self)
            guard let colon = text.firstIndex(of: ":"), text[..<colon].lowercased() == "content-length" else {
                continue
            }
            let value = text[text.index(after: colon)...].filter { $0 != " " && $0 != "\t" }
            guard !value.isEmpty, value.utf8.count <= 12, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            return Int(value)
        }
        return nil
    }

    /// Looks for the next header; false if it has not come yet.
    private mutating func seek() -> Bool {
        let mark = Array("Content-Length".utf8)
        var index = start
        while index + mark.count <= buffer.count {
            if buffer[index] == mark[0], buffer[index..<index + mark.count].elementsEqual(mark) {
                take(index - start)
                state = .header
                return true
            }
            index += 1
        }
        take(index - start)
        return false
    }
}

/// Bytes that are no message.
enum TransportError: Error, Hashable {
    /// A header without a usable `Content-Length`
    case missingLength
    case headerTooLong(limit: Int)
    case bodyTooLong(Int, limit: Int)

    var message: String {
        switch self {
        case .missingLength: "expected a header Content-Length: with the number of bytes of the message"
        case .headerTooLong(let limit): "expected a header of at most \(limit) bytes"
        case .bodyTooLong(let count, let limit): "expected a message of at most \(limit) bytes, found \(count)"
        }
    }
}
