/// One field of a row, as a range of bytes.
struct Field {
    /// The range between the delimiters, or between the quotes.
    var range: Range<Int>
    var isQuoted = false
    /// True if the field contains a doubled quote.
    var hasDoubledQuotes = false
}

/// How rows are divided into fields.
///
/// RFC 4180 has commas and quotes: a quoted field may contain delimiters, line ends and doubled quotes. TSV has tabs, and
/// no other byte has a meaning.
package struct DelimitedDialect: Hashable, Sendable {
    package var delimiter: UInt8
    package var isQuoted: Bool

    package init(delimiter: UInt8, isQuoted: Bool) {
        self.delimiter = delimiter
        self.isQuoted = isQuoted
    }

    /// Commas and quotes.
    package static let csv = DelimitedDialect(delimiter: Byte.comma, isQuoted: true)
    /// Tabs alone.
    package static let tsv = DelimitedDialect(delimiter: Byte.tab, isQuoted: false)

    func makeBoundary() -> RowBoundary { RowBoundary(self) }

    /// Appends the fields of a row without its line end.
    func split(_ row: UnsafeBufferPointer<UInt8>, into fields: inout [Field]) throws(Fault) {
        var index = 0
        while true {
            let isQuoted = isQuoted && index < row.count && row[index] == Byte.quote
            fields.append(isQuoted ? try quotedField(row, &index) : try unquotedField(row, &index))
            if index == row.count { return }
            index += 1
        }
    }

    private func unquotedField(_ row: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(Fault) -> Field {
        let start = index
        while index < row.count, row[index] != delimiter {
            if isQuoted, row[index] == Byte.quote { throw Fault(.unexpectedQuote, at: index) }
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
        if index < row.count, row[index] != delimiter { throw Fault(.textAfterQuote, at: index) }
        return Field(range: opening + 1..<index - 1, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
    }

    /// Returns the texts of the fields of a row; none for a row that cannot be divided.
    package func fields(of row: [UInt8]) -> [[UInt8]] {
        row.withUnsafeBufferPointer { row in
            var fields: [Field] = []
            guard (try? split(row, into: &fields)) != nil else { return [] }
            return fields.map { row.content(of: $0) }
        }
    }

    /// Appends a row with its line feed.
    package func write(row: [[UInt8]], to bytes: inout [UInt8]) {
        for (index, field) in row.enumerated() {
            if index > 0 { bytes.append(delimiter) }
            write(field, to: &bytes)
        }
        bytes.append(Byte.lineFeed)
    }

    /// Appends a field; bytes that are not UTF-8 are replaced.
    package func write(repairing text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        if UTF8Validation.firstFault(in: text, 0..<text.count) == nil { return write(text, to: &bytes) }
        write(Array(String(decoding: text, as: UTF8.self).utf8), to: &bytes)
    }

    /// Appends a field as the dialect writes it: in quotes if it needs them. Without quotes, tabs and line ends become
    /// spaces.
    package func write(_ field: some Collection<UInt8>, to bytes: inout [UInt8]) {
        let isSpecial = { (byte: UInt8) in
            byte == delimiter || byte == Byte.quote || byte == Byte.lineFeed || byte == Byte.carriageReturn
        }
        guard isQuoted else {
            for byte in field { bytes.append(byte != Byte.quote && isSpecial(byte) ? Byte.space : byte) }
            return
        }
        guard field.contains(where: isSpecial) else { return bytes.append(contentsOf: field) }
        bytes.append(Byte.quote)
        for byte in field {
            if byte == Byte.quote { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(Byte.quote)
    }
}

/// Finds the line feed that ends a row: the first one outside quotes.
struct RowBoundary: BoundaryScanner {
    private enum State {
        case fieldStart
        case unquoted
        case quoted
        /// After a quote inside a quoted field: the end of the field, or the first of a doubled quote.
        case quote
    }

    private var state = State.fieldStart
    private let dialect: DelimitedDialect

    init(_ dialect: DelimitedDialect) {
        self.dialect = dialect
    }

    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        if !dialect.isQuoted { return bytes.firstIndex(of: Byte.lineFeed, from: start).map { $0 + 1 } }
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
                state = byte == dialect.delimiter ? .fieldStart : .unquoted
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

    /// Returns the text of a field, without quotes.
    func content(of field: Field) -> [UInt8] {
        field.hasDoubledQuotes ? slice(field.range).withoutDoubledQuotes() : Array(slice(field.range))
    }
}
