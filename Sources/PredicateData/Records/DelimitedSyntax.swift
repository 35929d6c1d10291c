/// One field of a row, as a range of bytes.
struct Field {
    /// The range between the delimiters, or between the quotes.
    var range: Range<Int>
    var isQuoted = false
    /// True if the field contains a doubled quote.
    var hasDoubledQuotes = false
}

/// The syntax of rows: how they end, and how they are divided into fields.
protocol DelimitedSyntax {
    associatedtype Boundary: BoundaryScanner
    static var delimiter: UInt8 { get }
    func makeBoundary() -> Boundary
    /// Appends the fields of a row without its line end.
    func split(_ row: UnsafeBufferPointer<UInt8>, into fields: inout [Field]) throws(Fault)
}

/// TSV: tabs separate fields, line feeds end rows, no other byte has a meaning.
struct TabSyntax: DelimitedSyntax {
    static let delimiter = Byte.tab

    func makeBoundary() -> LineBoundary { LineBoundary() }

    func split(_ row: UnsafeBufferPointer<UInt8>, into fields: inout [Field]) {
        var start = 0
        for index in row.indices where row[index] == Byte.tab {
            fields.append(Field(range: start..<index))
            start = index + 1
        }
        fields.append(Field(range: start..<row.count))
    }
}

/// CSV as in RFC 4180: a quoted field may contain commas, line ends and doubled quotes.
struct CommaSyntax: DelimitedSyntax {
    static let delimiter = Byte.comma

    func makeBoundary() -> CommaBoundary { CommaBoundary() }

    func split(_ row: UnsafeBufferPointer<UInt8>, into fields: inout [Field]) throws(Fault) {
        var index = 0
        while true {
            let isQuoted = index < row.count && row[index] == Byte.quote
            fields.append(isQuoted ? try quotedField(row, &index) : try unquotedField(row, &index))
            if index == row.count { return }
            index += 1
        }
    }

    private func unquotedField(_ row: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(Fault) -> Field {
        let start = index
        while index < row.count, row[index] != Byte.comma {
            if row[index] == Byte.quote { throw Fault(.unexpectedQuote, at: index) }
            index += 1
        }
        return Field(range: start..<index)
    }

    private func quotedField(_ row: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(Fault) -> Field {
        let opening = index
        var hasDoubledQuotes = false
        index += 1
        while true {
            while index < row.count, row[index] != Byte.quote { index += 1 }
            if index == row.count { throw Fault(.unterminatedQuote, at: opening) }
            index += 1
            guard index < row.count, row[index] == Byte.quote else { break }
            hasDoubledQuotes = true
            index += 1
        }
        if index < row.count, row[index] != Byte.comma { throw Fault(.textAfterQuote, at: index) }
        return Field(range: opening + 1..<index - 1, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
    }
}

/// Finds the line feed that ends a CSV row: the first one outside quotes.
struct CommaBoundary: BoundaryScanner {
    private enum State {
        case fieldStart
        case unquoted
        case quoted
        /// After a quote inside a quoted field: the end of the field, or the first of a doubled quote.
        case quote
    }

    private var state = State.fieldStart

    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        // Most rows have no quote and end at the first line feed.
        if state == .fieldStart, let lineFeed = bytes.firstIndex(of: Byte.lineFeed, from: start),
            bytes.slice(start..<lineFeed).firstIndex(of: Byte.quote, from: 0) == nil
        {
            return lineFeed + 1
        }
        var state = state
        defer { self.state = state }
        for index in start..<bytes.count {
            let byte = bytes[index]
            switch state {
            case .quoted:
                if byte == Byte.quote { state = .quote }
            case .quote where byte == Byte.quote:
                state = .quoted
            case .fieldStart where byte == Byte.quote:
                state = .quoted
            case .fieldStart, .unquoted, .quote:
                if byte == Byte.lineFeed { return index + 1 }
                state = byte == Byte.comma ? .fieldStart : .unquoted
            }
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the text of a field with single instead of doubled quotes.
    func withoutDoubledQuotes() -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(count)
        var index = 0
        while index < count {
            text.append(self[index])
            index += self[index] == Byte.quote ? 2 : 1
        }
        return text
    }
}
