import PredicateJSON

/// The common and combined log formats of Apache and nginx.
///
/// `127.0.0.1 - jo [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326 "http://a.org/" "Mozilla"`
///
/// A hyphen is nil. Whatever follows the parts of the combined format is `extra`.
enum AccessLog {
    static let columns = [
        "host", "ident", "user", "time", "request", "method", "path", "protocol", "status", "bytes", "referer", "agent",
        "extra",
    ]

    static let types = Dictionary(uniqueKeysWithValues: columns.map { ($0, type(of: $0)) })

    private static func type(of column: String) -> ColumnType {
        switch column {
        case "time": .date
        case "status", "bytes": .integer
        default: .string
        }
    }

    /// Appends the fields of a line. Throws for a line of another form.
    static func split(_ line: UnsafeBufferPointer<UInt8>, into fields: inout [Field]) throws(RecordFault) {
        var reader = LogReader(line)
        guard let parts = reader.parts() else { throw RecordFault(.notALogLine, at: 0) }
        for part in parts {
            let isNil = part.count == 1 && line[part.lowerBound] == Byte.minus
            fields.append(Field(range: isNil ? part.lowerBound..<part.lowerBound : part))
        }
    }

    /// Returns true for a line of a log.
    static func isLine(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        var reader = LogReader(line.last == Byte.carriageReturn ? line.slice(0..<line.count - 1) : line)
        return reader.parts() != nil
    }
}

/// Reads the parts of one line.
private struct LogReader {
    private let line: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ line: UnsafeBufferPointer<UInt8>) {
        self.line = line
    }

    /// Returns the ranges of the columns; nil for a line of another form.
    mutating func parts() -> [Range<Int>]? {
        guard let host = word(), let ident = word(), let user = user(), let time = time(),
            let request = quoted(), let status = word(), status.count == 3, line[status].allSatisfy(\.isDigit),
            let bytes = word()
        else { return nil }
        let referer = quoted()
        let agent = referer == nil ? nil : quoted()
        return [host, ident, user, time, request] + requestParts(request)
            + [status, bytes, referer ?? 0..<0, agent ?? 0..<0, index..<line.count]
    }

    /// `GET`, `/index.html` and `HTTP/1.1`; empty for a request of another form.
    private func requestParts(_ request: Range<Int>) -> [Range<Int>] {
        guard let first = line[request].firstIndex(of: Byte.space), let last = line[request].lastIndex(of: Byte.space),
            first < last
        else { return [0..<0, 0..<0, 0..<0] }
        return [request.lowerBound..<first, first + 1..<last, last + 1..<request.upperBound]
    }

    /// Returns a part that ends before a space, and skips the space.
    private mutating func word() -> Range<Int>? {
        let start = index
        while index < line.count, line[index] != Byte.space { index += 1 }
        let word = start..<index
        skipSpace()
        return word.isEmpty ? nil : word
    }

    /// Returns the part before the bracket; a user's name may contain spaces.
    private mutating func user() -> Range<Int>? {
        let start = index
        guard let bracket = line.firstIndex(of: Byte.openBracket, from: index), bracket > start + 1,
            line[bracket - 1] == Byte.space
        else { return nil }
        index = bracket
        return start..<bracket - 1
    }

    private mutating func time() -> Range<Int>? {
        guard let end = line.firstIndex(of: Byte.closeBracket, from: index) else { return nil }
        let time = index + 1..<end
        index = end + 1
        skipSpace()
        return time.count >= 20 && line[time.lowerBound + 2] == Byte.slash ? time : nil
    }

    /// Returns the part between quotes, in which a backslash precedes a quote.
    private mutating func quoted() -> Range<Int>? {
        guard index < line.count, line[index] == Byte.quote else { return nil }
        var end = index + 1
        while end < line.count, line[end] != Byte.quote { end += line[end] == Byte.backslash ? 2 : 1 }
        guard end < line.count else { return nil }
        let part = index + 1..<end
        index = end + 1
        skipSpace()
        return part
    }

    private mutating func skipSpace() {
        if index < line.count, line[index] == Byte.space { index += 1 }
    }
}

extension RowLayout {
    /// The columns of a layout that has no header row; nil for rows under a header.
    var columns: [String]? {
        switch self {
        case .delimited: nil
        case .accessLog: AccessLog.columns
        case .pattern(let pattern): pattern.columns
        }
    }
}
