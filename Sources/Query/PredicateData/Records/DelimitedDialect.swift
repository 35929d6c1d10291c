import PredicateJSON

/// A field of a row, as a range of bytes.
struct Field {
    /// The range between the delimiters, or between the quotes.
    var range: Range<Int>
    var isQuoted = false
    /// True if the field contains a doubled quote.
    var hasDoubledQuotes = false
}

/// The rules that divide rows into fields.
///
/// RFC 4180 has commas and quotes: a quoted field may contain delimiters, line ends and doubled quotes. TSV has tabs,
/// and no other byte is special.
package struct DelimitedDialect: Hashable, Sendable {
    package var delimiter: UInt8
    package var isQuoted: Bool
    /// True if a quote that neither begins nor ends a field is an ordinary character, and spaces around a quoted field
    /// are not part of it: `55" wide`, `1, "a"`
    package var hasLazyQuotes: Bool
    /// The unquoted fields that are nil, in columns of any type.
    package var nilTexts: NilTexts
    /// How a row is divided into fields.
    package var layout = RowLayout.delimited

    package init(
        delimiter: UInt8, isQuoted: Bool, hasLazyQuotes: Bool = false, nilTexts: NilTexts = .standard
    ) {
        self.delimiter = delimiter
        self.isQuoted = isQuoted
        self.hasLazyQuotes = hasLazyQuotes
        self.nilTexts = nilTexts
    }

    /// Commas and quotes.
    package static let csv = DelimitedDialect(delimiter: Byte.comma, isQuoted: true)
    /// Tabs and no quotes.
    package static let tsv = DelimitedDialect(delimiter: Byte.tab, isQuoted: false)

    func makeBoundary() -> RowBoundary { RowBoundary(self) }

    /// Appends the fields of a row without its line end. The fields after the first `most` may be left out.
    func split(
        _ row: UnsafeBufferPointer<UInt8>, into fields: inout [Field], most: Int = .max
    ) throws(RecordFault) {
        switch layout {
        case .delimited: try splitAtDelimiters(row, into: &fields, most)
        case .accessLog: try AccessLog.split(row, into: &fields)
        case .pattern(let pattern):
            let first = fields.count
            try pattern.split(row, into: &fields)
            for index in first..<fields.count where nilTexts.contains(row.slice(fields[index].range)) {
                fields[index].range = 0..<0
            }
        }
    }

    private func splitAtDelimiters(
        _ row: UnsafeBufferPointer<UInt8>, into fields: inout [Field], _ most: Int
    ) throws(RecordFault) {
        var index = 0
        while true {
            if let opening = openingQuote(row, from: index) {
                fields.append(try quotedField(row, opening, &index))
            } else {
                fields.append(try unquotedField(row, &index))
            }
            if index == row.count || fields.count >= most { return }
            index += 1
        }
    }

    /// Returns the index of the quote that opens the field at an index; nil for an unquoted field.
    private func openingQuote(_ row: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard isQuoted else { return nil }
        let index = skipPadding(row, from: start)
        return index < row.count && row[index] == Byte.quote ? index : nil
    }

    private func unquotedField(_ row: UnsafeBufferPointer<UInt8>, _ index: inout Int) throws(RecordFault) -> Field {
        let start = index
        while index < row.count, row[index] != delimiter {
            if isQuoted, !hasLazyQuotes, row[index] == Byte.quote { throw RecordFault(.unexpectedQuote, at: index) }
            index += 1
        }
        return Field(range: start..<(nilTexts.contains(row.slice(start..<index)) ? start : index))
    }

    private func quotedField(
        _ row: UnsafeBufferPointer<UInt8>, _ opening: Int, _ index: inout Int
    ) throws(RecordFault) -> Field {
        var hasDoubledQuotes = false
        index = opening + 1
        while true {
            while index < row.count, row[index] != Byte.quote { index += 1 }
            if index == row.count { throw RecordFault(.unterminatedQuote, at: opening) }
            let quote = index
            index += 1
            if index < row.count, row[index] == Byte.quote {
                hasDoubledQuotes = true
                index += 1
                continue
            }
            let end = skipPadding(row, from: index)
            if end == row.count || row[end] == delimiter {
                index = end
                return Field(range: opening + 1..<quote, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
            }
            if !hasLazyQuotes { throw RecordFault(.textAfterQuote, at: index) }
        }
    }

    private func skipPadding(_ row: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < row.count, isPadding(row[index]) { index += 1 }
        return index
    }

    /// True for a byte that is ignored between the closing quote and the end of its field.
    @inline(__always)
    fileprivate func isPadding(_ byte: UInt8) -> Bool {
        hasLazyQuotes && (byte == Byte.space || byte == Byte.carriageReturn) && byte != delimiter
    }

    /// Returns the fields of a row without quotes; none for a row that cannot be divided.
    package func fields(of row: [UInt8]) -> [[UInt8]] {
        row.withUnsafeBufferPointer { row in
            var fields: [Field] = []
            guard (try? split(row, into: &fields)) != nil else { return [] }
            return fields.map { row.content(of: $0) }
        }
    }
}

extension DelimitedDialect {
    /// The format in which a file of this dialect is written.
    package var fields: FieldFormat { FieldFormat(delimiter: delimiter, isQuoted: isQuoted) }
}

/// How fields of CSV or TSV are written.
package struct FieldFormat: Sendable {
    /// The byte between two fields.
    package let delimiter: UInt8
    /// True if a field that needs quotes has them.
    let isQuoted: Bool

    package static let csv = DelimitedDialect.csv.fields
    package static let tsv = DelimitedDialect.tsv.fields

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

    /// Appends a field, in quotes if it needs them. Without quotes, tabs and line ends become spaces.
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

/// How a row is divided into fields.
package enum RowLayout: Hashable, Sendable {
    /// `Jo,21`
    case delimited
    /// `127.0.0.1 - jo [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 2326`
    case accessLog
    /// Lines that a regular expression with named groups divides.
    case pattern(LinePattern)
}

/// The texts that stand for nil: `\N` in files of PostgreSQL and MySQL.
package struct NilTexts: Hashable, Sendable {
    private let texts: [[UInt8]]
    /// The first bytes of the texts, as a set: a bit for the low six bits of each.
    private let firstBytes: UInt64

    package init(_ texts: [String]) {
        self.texts = texts.map { Array($0.utf8) }.filter { !$0.isEmpty }
        firstBytes = self.texts.reduce(0) { $0 | 1 &<< UInt64($1[0] & 63) }
    }

    /// `\N`
    package static let usual = ["\\N"]
    package static let standard = NilTexts(usual)

    /// Returns true if a field is one of the texts.
    @inline(__always)
    func contains(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = field.first, firstBytes &>> UInt64(first & 63) & 1 == 1 else { return false }
        return isListed(field)
    }

    @inline(never)
    private func isListed(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
        texts.contains { $0.elementsEqual(field) }
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
        /// After such a quote and spaces, with lazy quotes.
        case quoteAndPadding
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
            case .quoteAndPadding where byte == Byte.quote:
                state = .quote
            case .fieldStart where dialect.isPadding(byte): break
            case .fieldStart, .unquoted, .quote, .quoteAndPadding:
                if byte == Byte.lineFeed { return index + 1 }
                state = byte == dialect.delimiter ? .fieldStart : stateInside(state, byte)
            }
        }
        return nil
    }

    /// Returns the state after a byte that neither ends a field nor is a quote.
    private func stateInside(_ state: State, _ byte: UInt8) -> State {
        guard dialect.hasLazyQuotes else { return .unquoted }
        switch state {
        case .fieldStart, .unquoted: return .unquoted
        case .quoted: return .quoted
        case .quote, .quoteAndPadding: return dialect.isPadding(byte) ? .quoteAndPadding : .quoted
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the field with single instead of doubled quotes.
    func withoutDoubledQuotes() -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(count)
        var index = 0
        while index < count {
            text.append(self[index])
            let isDoubled = self[index] == Byte.quote && index + 1 < count && self[index + 1] == Byte.quote
            index += isDoubled ? 2 : 1
        }
        return text
    }

    /// Returns the contents of a field, without quotes.
    func content(of field: Field) -> [UInt8] {
        field.hasDoubledQuotes ? slice(field.range).withoutDoubledQuotes() : Array(slice(field.range))
    }
}

/// Detects the dialect of separated values by their first rows.
///
/// `name;price`, `A;1,5`, `B;2,7` has semicolons: with them every row has two fields.
struct DialectDetection {
    private static let sampleLength = 64 << 10
    private static let sampleRows = 100
    /// If two delimiters explain the rows equally well, the first one in this list is chosen. Commas occur in strings
    /// and numbers as well.
    private static let delimiters = [Byte.tab, Byte.semicolon, Byte.bar, Byte.comma]

    private let sample: UnsafeBufferPointer<UInt8>
    private let isWhole: Bool
    private let hasLazyQuotes: Bool
    private let hasQuotes: Bool
    /// True if lines of one field before the table are titles.
    private let mayHaveTitle: Bool
    /// True if rows with fewer fields than the header agree with it.
    private let isRagged: Bool

    init(_ window: ByteWindow, _ options: RecordOptions) {
        (hasLazyQuotes, isRagged) = (options.hasLazyQuotes, options.isRagged)
        hasQuotes = options.hasQuotes
        mayHaveTitle = options.skippedLines == nil && options.hasHeader != true && !options.hasExtraFields
        let bytes = window.bytes
        sample = bytes.slice(0..<min(bytes.count, Self.sampleLength))
        isWhole = window.isAtEnd && bytes.count <= Self.sampleLength
    }

    /// Returns the delimiter with which the rows have the same number of fields, at least two; nil if there is none.
    func delimiter() -> UInt8? {
        var best: (delimiter: UInt8, score: Double)?
        for delimiter in Self.delimiters {
            guard let score = score(delimiter), score > best?.score ?? 0 else { continue }
            best = (delimiter, score)
        }
        return best?.delimiter
    }

    /// Returns true if some field is in quotes, and every one that begins with a quote is.
    func hasQuotedFields(_ delimiter: UInt8) -> Bool {
        let quoted = rows(self.quoted(delimiter))
        guard quoted.contains(where: { $0.fields.contains(where: \.isQuoted) }) else { return false }
        return !quoted.contains { $0.fields.isEmpty }
    }

    /// Returns how well a delimiter explains the rows: the share of rows with as many fields as the header and, for
    /// equal shares, the number of fields; nil if it does not explain them.
    private func score(_ delimiter: UInt8) -> Double? {
        let quoted = score(self.quoted(delimiter))
        if delimiter != Byte.tab { return quoted }
        // In TSV, quotes may be ordinary characters.
        return [quoted, score(.tsv)].compactMap(\.self).max()
    }

    private func quoted(_ delimiter: UInt8) -> DelimitedDialect {
        DelimitedDialect(delimiter: delimiter, isQuoted: hasQuotes, hasLazyQuotes: hasLazyQuotes)
    }

    /// Returns the lines of the title above a table, and whether there are comments; nil if there is no title.
    ///
    /// `Report 2024` above `city,sales` and `Rome,7`: a title line has one field, and all rows of the table have as many fields
    /// as its header, at least two. Rows with another number of fields that begin with `#` are comments.
    func preface(_ dialect: DelimitedDialect) -> TablePreface? {
        let rows = rows(dialect)
        guard let table = table(rows), table.first > 0 else { return nil }
        let lines = sample[..<rows[table.first].start].count { $0 == Byte.lineFeed }
        return TablePreface(lines: lines, hasComments: table.hasComments)
    }

    private static let mostTitleRows = 20

    /// Returns the first row of the table under a title, and whether there are comments in it; nil if its rows have different
    /// numbers of fields.
    private func table(_ rows: [(start: Int, fields: [Field])]) -> (first: Int, hasComments: Bool)? {
        let first = rows.prefix(Self.mostTitleRows + 1).firstIndex { $0.fields.count != 1 } ?? 0
        guard first > 0 else { return (0, false) }
        let width = rows[first].fields.count
        let others = rows[first...].filter { $0.fields.count != width }
        guard width > 1, rows.count - first - others.count > 1,
            others.allSatisfy({ sample[$0.start] == UInt8(ascii: "#") }),
            others.isEmpty || rows[..<first].allSatisfy({ sample[$0.start] == UInt8(ascii: "#") })
        else { return nil }
        return (first, !others.isEmpty)
    }

    /// Returns the greatest number of fields in a row.
    func widestRow(_ dialect: DelimitedDialect) -> Int {
        rows(dialect, limit: .max).map(\.fields.count).max() ?? 0
    }

    /// Returns how well a dialect explains the rows. Rows that cannot be divided count only if they are the majority.
    private func score(_ dialect: DelimitedDialect) -> Double? {
        var rows = rows(dialect)
        if mayHaveTitle, let table = table(rows), table.first > 0 {
            let width = rows[table.first].fields.count
            rows.removeFirst(table.first)
            rows.removeAll { sample[$0.start] == UInt8(ascii: "#") && $0.fields.count != width }
        }
        let counts = rows.map(\.fields.count)
        guard let columns = counts.first, columns > 1 else { return nil }
        let divided = counts.count { $0 > 0 }
        let agreeing = counts.count { $0 == columns || isRagged && 1 < $0 && $0 < columns }
        guard divided == 1 || 2 * (agreeing - 1) >= divided - 1, 2 * divided >= counts.count else { return nil }
        let share = Double(agreeing) / Double(counts.count)
        return share + Double(min(columns, 1000)) / 10_000 - (isProse(dialect.delimiter) ? 0.5 : 0)
    }

    /// Returns true if a space follows the delimiter in the header, as in a name: `Doe, Jo;12345`.
    private func isProse(_ delimiter: UInt8) -> Bool {
        let header = sample.prefix { $0 != Byte.lineFeed }
        return zip(header, header.dropFirst()).contains { $0 == delimiter && $1 == Byte.space }
    }

    /// Returns the fields of the first rows; none for a row that the dialect cannot divide.
    private func rows(
        _ dialect: DelimitedDialect, limit: Int = sampleRows
    ) -> [(start: Int, fields: [Field])] {
        var rows: [(start: Int, fields: [Field])] = []
        var start = 0
        while rows.count < limit, start < sample.count {
            var boundary = dialect.makeBoundary()
            let end = boundary.end(in: sample, from: start)
            guard end != nil || isWhole || rows.isEmpty else { break }
            let row = sample.slice(start..<(end ?? sample.count)).withoutLineEnd
            var fields: [Field] = []
            let isDivided = (try? dialect.split(row, into: &fields)) != nil
            if !row.isEmpty { rows.append((start, isDivided ? fields : [])) }
            start = end ?? sample.count
        }
        return rows
    }
}

/// What precedes a table of separated values.
struct TablePreface {
    /// The number of lines of the title.
    let lines: Int
    /// True if the title consists of comments, and others are among the rows.
    let hasComments: Bool
}

extension ByteWindow {
    /// Reads and drops the line `sep=;`, with which Excel declares the delimiter; nil if there is none.
    func dropSeparatorLine() throws(DataError) -> UInt8? {
        while bytes.count < 9, bytes.firstIndex(of: Byte.lineFeed, from: 0) == nil, try refill() {}
        guard let lineFeed = bytes.firstIndex(of: Byte.lineFeed, from: 0), lineFeed < 9 else { return nil }
        let line = bytes.slice(0..<lineFeed + 1).withoutLineEnd.filter { $0 != Byte.quote }
        guard line.count == 5, line.starts(with: "sep=".utf8), let delimiter = line.last else { return nil }
        drop(lineFeed + 1)
        return delimiter
    }
}
