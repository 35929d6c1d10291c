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
        guard window.bytes[0] == Byte.comma else { throw window.position.error(.expectedComma) }
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
            throw start.error(.expectedValue)
        case .whole(let length):
            let text = window.bytes.slice(0..<length)
            defer { window.drop(length) }
            do {
                return SourceRecord(value: try decoder.decode(text), raw: Array(text), line: start.line, index: index)
            } catch {
                // After a truncated record there are no more records.
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
            if !boundary.isClosed { throw window.position.error(.unexpectedEnd) }
        }
        if try window.skipWhitespace() { throw window.position.error(.trailingContent) }
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

    /// Skips the members before a key.
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
            guard window.bytes[0] == Byte.comma else { throw window.position.error(.expectedComma) }
            window.drop(1)
            try window.expectText()
        }
    }

    /// Reads a key and its colon.
    private func readKey(_ window: ByteWindow) throws(DataError) -> String {
        guard window.bytes[0] == Byte.quote else { throw window.position.error(.expectedKey) }
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
            throw error.located(in: window.bytes, from: start)
        }
        window.drop(length)
        try window.expectText()
        guard window.bytes[0] == Byte.colon else { throw window.position.error(.expectedColon) }
        window.drop(1)
        try window.expectText()
        return key
    }

    /// Skips a value in constant memory.
    private func skipValue(_ window: ByteWindow) throws(DataError) {
        var boundary = JSONBoundary()
        if case .whole = try window.cut(with: &boundary, limit: 0) { throw window.position.error(.expectedValue) }
    }

    /// The number of keys that are kept for the message.
    private static let mostKeys = 100

    private func notFound(_ window: ByteWindow, _ keys: [String]) -> DataError {
        window.position.error(.recordsPathNotFound(RecordsPath.text(of: path), keys: keys))
    }
}

extension ByteWindow {
    /// Drops white space; throws if no byte follows.
    fileprivate func expectText() throws(DataError) {
        if try !skipWhitespace() { throw position.error(.unexpectedEnd) }
    }
}
