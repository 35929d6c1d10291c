import PredicateJSON
import PredicateSyntax

/// A JSON document: the elements of its array, a sequence of values, or the value at a path.
struct DocumentRecords: RecordStream {
    private enum State {
        case start
        /// A sequence of values.
        case values
        /// Inside the array of records.
        case array(isFirst: Bool)
        /// At the single object at the path.
        case object
        /// After the records.
        case tail
    }

    private var state = State.start
    private var decoder: JSONRecordDecoder
    private let path: [String]
    private let limit: Int

    init(_ options: RecordOptions) {
        decoder = JSONRecordDecoder(options)
        path = options.recordsPath.map(RecordsPath.keys) ?? []
        limit = options.maximumRecordLength
    }

    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord? {
        while true {
            switch state {
            case .start:
                state = try begin(window)
            case .values:
                return try window.skipWhitespace() ? readRecord(window, index) : nil
            case .array(let isFirst):
                if try hasElement(window, isFirst: isFirst) {
                    state = .array(isFirst: false)
                    return try readRecord(window, index)
                }
                state = .tail
            case .object:
                state = .tail
                return try readRecord(window, index)
            case .tail:
                try skipTail(window)
                return nil
            }
        }
    }

    /// Advances to the records and returns the next state.
    private func begin(_ window: ByteWindow) throws(DataError) -> State {
        let isEmpty = try !window.skipWhitespace()
        if path.isEmpty {
            if isEmpty || window.bytes[0] != Byte.openBracket { return .values }
        } else {
            try descend(window)
            if window.bytes[0] == Byte.openBrace { return .object }
            if window.bytes[0] != Byte.openBracket {
                throw window.position.error(.recordsPathNotAnArray(RecordsPath.text(of: path)))
            }
        }
        window.drop(1)
        return .array(isFirst: true)
    }

    /// Advances past the comma before the next element; returns false at the end of the array.
    private func hasElement(_ window: ByteWindow, isFirst: Bool) throws(DataError) -> Bool {
        try window.expectText()
        if window.bytes[0] == Byte.closeBracket {
            window.drop(1)
            return false
        }
        if isFirst { return true }
        guard window.bytes[0] == Byte.comma else { throw window.position.error(.json(.expectedComma)) }
        window.drop(1)
        try window.expectText()
        return true
    }

    private mutating func readRecord(_ window: ByteWindow, _ index: Int) throws(DataError) -> SourceRecord {
        let start = window.position
        var boundary = JSONBoundary()
        switch try window.cut(with: &boundary, limit: limit) {
        case .tooLong:
            throw start.error(.recordTooLong(limit: limit), isRecoverable: true)
        case .whole(0):
            throw start.error(.json(.expectedValue))
        case .whole(let length):
            let text = window.bytes.slice(0..<length)
            defer { window.drop(length) }
            do {
                return SourceRecord(value: try decoder.decode(text), raw: Array(text), line: start.line, index: index)
            } catch {
                // No records follow a truncated one.
                let isLast = window.isAtEnd && length == window.bytes.count
                throw error.located(in: text, from: start, isRecoverable: !isLast)
            }
        }
    }

    /// Checks the end of the document after the records.
    private func skipTail(_ window: ByteWindow) throws(DataError) {
        if !path.isEmpty {
            var boundary = JSONBoundary(depth: path.count)
            _ = try window.cut(with: &boundary, limit: 0)
            if !boundary.isClosed { throw window.position.error(.json(.unexpectedEnd)) }
        }
        if try window.skipWhitespace() { throw window.position.error(.json(.trailingContent)) }
    }
}

extension DocumentRecords {
    /// Follows the path, so that the window begins with its value.
    private func descend(_ window: ByteWindow) throws(DataError) {
        for key in path {
            guard try window.skipWhitespace(), window.bytes[0] == Byte.openBrace else { throw notFound(window, []) }
            window.drop(1)
            try descend(window, into: key)
        }
    }

    /// Skips the members up to a key.
    private func descend(_ window: ByteWindow, into key: String) throws(DataError) {
        try window.expectText()
        if window.bytes[0] == Byte.closeBrace { throw notFound(window, []) }
        var keys: [String] = []
        while true {
            let found = try readKey(window)
            if found.hasSameCodePoints(as: key) { return }
            if keys.count < Self.mostKeys { keys.append(found) }
            try skipValue(window)
            try window.expectText()
            if window.bytes[0] == Byte.closeBrace { throw notFound(window, keys) }
            guard window.bytes[0] == Byte.comma else { throw window.position.error(.json(.expectedComma)) }
            window.drop(1)
            try window.expectText()
        }
    }

    /// Reads a key and its colon.
    private func readKey(_ window: ByteWindow) throws(DataError) -> String {
        guard window.bytes[0] == Byte.quote else { throw window.position.error(.json(.expectedKey)) }
        let start = window.position
        var boundary = JSONBoundary()
        guard case .whole(let length) = try window.cut(with: &boundary, limit: limit) else {
            throw start.error(.recordTooLong(limit: limit))
        }
        let key: String
        do {
            var parser = JSONParser(window.bytes.slice(0..<length))
            key = parser.makeString(try parser.scanString())
        } catch {
            throw RecordFault(error).located(in: window.bytes, from: start)
        }
        window.drop(length)
        try window.expectText()
        guard window.bytes[0] == Byte.colon else { throw window.position.error(.json(.expectedColon)) }
        window.drop(1)
        try window.expectText()
        return key
    }

    /// Skips a value in constant memory.
    private func skipValue(_ window: ByteWindow) throws(DataError) {
        var boundary = JSONBoundary()
        if case .whole = try window.cut(with: &boundary, limit: 0) {
            throw window.position.error(.json(.expectedValue))
        }
    }

    /// The maximum number of keys that are kept for the message.
    private static let mostKeys = 100

    private func notFound(_ window: ByteWindow, _ keys: [String]) -> DataError {
        window.position.error(.recordsPathNotFound(RecordsPath.text(of: path), keys: keys))
    }
}

extension ByteWindow {
    /// Drops white space; throws if no byte follows.
    fileprivate func expectText() throws(DataError) {
        if try !skipWhitespace() { throw position.error(.json(.unexpectedEnd)) }
    }
}

/// Paths to the records of a JSON document: keys separated by dots. A dot in a key is escaped.
///
/// `result.items`, `v1\.0.items`
package enum RecordsPath {
    /// Returns the keys of a path.
    package static func keys(_ path: String) -> [String] {
        var keys = [""]
        var isEscaped = false
        for scalar in path.unicodeScalars {
            if isEscaped {
                if scalar != ".", scalar != "\\" { keys[keys.count - 1].unicodeScalars.append("\\") }
                keys[keys.count - 1].unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "." {
                keys.append("")
            } else {
                keys[keys.count - 1].unicodeScalars.append(scalar)
            }
        }
        if isEscaped { keys[keys.count - 1].unicodeScalars.append("\\") }
        return keys
    }

    /// Returns the path of some keys.
    package static func text(of keys: [String]) -> String { keys.map(text).joined(separator: ".") }

    /// Returns a key with its dots escaped.
    package static func text(of key: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in key.unicodeScalars {
            if scalar == "." || scalar == "\\" { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }

    /// Returns the keys whose values are arrays of objects, for a document that was read as a single record.
    ///
    /// `{"total": 2, "items": [{"name": "jo"}, {"name": "al"}]}` has `items`.
    package static func candidates(in members: [String: PredicateValue]) -> [String] {
        members.keys.sorted().filter { key in
            guard !key.isEmpty, case .array(let elements)? = members[key], case .dictionary? = elements.first else {
                return false
            }
            return true
        }
    }
}

/// Decodes JSON records, which tend to have the same keys in the same order.
struct JSONRecordDecoder {
    private let types: [String: ColumnType]
    private let objects: JSONObjectDecoder

    init(_ options: RecordOptions) {
        types = options.types.filter { $0.value != .automatic && $0.value != .string }
        objects = JSONObjectDecoder(keys: options.keys)
    }

    /// Returns the value of a record.
    func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(RecordFault) -> PredicateValue {
        let value: PredicateValue
        do throws(JSONFault) { value = try objects.decode(bytes) } catch { throw RecordFault(error) }
        guard !types.isEmpty, case .dictionary(var members) = value else { return value }
        try convert(&members, of: bytes, at: bytes.firstIndex { !$0.isWhitespace } ?? 0)
        return .dictionary(members)
    }

    /// Converts members to their declared types: strings to any type, numbers to doubles or exact decimal numbers.
    private func convert(
        _ members: inout [String: PredicateValue], of bytes: UnsafeBufferPointer<UInt8>, at offset: Int
    ) throws(RecordFault) {
        for (key, type) in types {
            switch members[key] {
            case .string(var text)?:
                guard let value = text.withUTF8({ type.value(of: $0, isQuoted: true) }) else {
                    throw RecordFault(.typeMismatch(column: key, type: type, found: text.excerpt), at: offset)
                }
                members[key] = value
            case let number? where number.isNumber && type.convertsNumbers:
                guard let range = try? JSONScanner.range(of: [key], in: bytes) else { continue }
                guard let value = type.value(ofNumber: number, bytes.slice(range)) else {
                    throw RecordFault(
                        .typeMismatch(column: key, type: type, found: bytes.text(range).excerpt), at: offset)
                }
                members[key] = value
            case nil, .some: continue
            }
        }
    }
}

extension PredicateValue {
    /// True for a JSON number.
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .double, .decimal: true
        case .null, .nullObject, .bool, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary,
            .object, .expression, .predicate:
            false
        }
    }
}

extension String {
    /// The beginning of a string, for messages.
    var excerpt: String {
        unicodeScalars.count <= 60 ? self : String(unicodeScalars.prefix(59)) + "…"
    }
}
