import PredicateJSON
import PredicateSyntax

/// Splits the bytes of a client into messages.
///
///     Content-Length: 52\r\n
///     \r\n
///     {"jsonrpc": "2.0", "method": "initialized", "params": {}}
///
/// Headers and bodies have limits. Malformed bytes are reported, and reading continues with the next header.
struct MessageReader {
    /// The maximum length of a header in bytes.
    static let longestHeader = 8_192
    /// The maximum length of a body in bytes; longer ones are skipped.
    static let longestBody = 1 << 26

    /// A message body, or an error in the received bytes.
    enum Event: Hashable {
        case body([UInt8])
        case failure(TransportError)
    }

    private enum State {
        case header
        case body(Int)
        /// Skipping a body that is too long; the associated value is the number of bytes left.
        case skipping(Int)
        /// Searching for the next header after a malformed one.
        case seeking
    }

    private var state = State.header
    private var buffer: [UInt8] = []
    /// The number of bytes of the buffer that are consumed.
    private var start = 0
    /// The offset up to which the end of a header was searched.
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
                do throws(TransportError) {
                    guard try readHeader() else { return nil }
                } catch {
                    return .failure(error)
                }
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

    /// Reads a header up to its empty line. Returns false if more bytes are needed.
    private mutating func readHeader() throws(TransportError) -> Bool {
        guard let (end, next) = headerEnd() else {
            guard buffer.count - start > Self.longestHeader else { return false }
            state = .seeking
            take(1)
            throw .headerTooLong(limit: Self.longestHeader)
        }
        let header = buffer[start..<end]
        guard header.count <= Self.longestHeader else {
            take(next - start)
            throw .headerTooLong(limit: Self.longestHeader)
        }
        let length = Self.contentLength(header)
        take(next - start)
        guard let length else { throw .missingLength }
        guard length <= Self.longestBody else {
            state = .skipping(length)
            throw .bodyTooLong(length, limit: Self.longestBody)
        }
        state = .body(length)
        return true
    }

    /// The end of the header and the start of the body, after an empty line.
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

    /// The value of `Content-Length`; nil if it is missing or not a number of at most twelve digits.
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

    /// Searches for the next header; returns false if more bytes are needed.
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

/// The errors in bytes that are not a message.
enum TransportError: Error, Hashable {
    /// A header without a usable `Content-Length`
    case missingLength
    case headerTooLong(limit: Int)
    case bodyTooLong(Int, limit: Int)

    var message: String {
        switch self {
        case .missingLength: "expected a header Content-Length: with the number of bytes of the message"
        case .headerTooLong(let limit): "the header is longer than \(limit) bytes"
        case .bodyTooLong(let count, let limit): "the message has \(count) bytes, more than the limit of \(limit)"
        }
    }
}

/// An error response to a request.
struct ResponseError: Error, Hashable {
    /// The error codes of JSON-RPC and of the language server protocol.
    enum Code: Int64 {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case serverNotInitialized = -32002
        case requestCancelled = -32800
    }

    var code: Code
    var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func missing(_ member: String) -> ResponseError {
        ResponseError(.invalidParams, "expected the member \(member) in params")
    }

    var value: PredicateValue {
        .object(["code": .integer(code.rawValue), "message": .string(message)])
    }
}

// Access to JSON messages.

extension PredicateValue {
    /// A member of an object; nil for other values, and for members that are null or missing.
    subscript(member: String) -> PredicateValue? {
        guard case .dictionary(let members) = self, let value = members[member], value != .null else { return nil }
        return value
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of a whole number that is not negative, such as a line, a column or a version.
    var count: Int? {
        guard case .integer(let number) = self, number >= 0, number <= Int64(Int32.max) else { return nil }
        return Int(number)
    }

    var list: [PredicateValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var isObject: Bool {
        if case .dictionary = self { true } else { false }
    }

    /// An object without the members that are nil.
    static func object(_ members: [String: PredicateValue?]) -> PredicateValue {
        .dictionary(members.compactMapValues(\.self))
    }
}

/// Encodes messages: header and body.
enum MessageWriter {
    static func bytes(of message: PredicateValue) -> [UInt8] {
        var body: [UInt8] = []
        JSONWriter().write(message, to: &body)
        return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
}
