/// Finds the dialect of separated values by their first rows.
///
/// `name;price`, `A;1,5`, `B;2,7` has semicolons: with them every row has two fields.
struct DialectDetection {
    private static let sampleLength = 64 << 10
    private static let sampleRows = 100
    /// Of two that explain the rows as well, the first: commas stand in texts and numbers too.
    private static let delimiters = [Byte.tab, Byte.semicolon, Byte.bar, Byte.comma]

    private let sample: UnsafeBufferPointer<UInt8>
    private let isWhole: Bool

    init(_ window: ByteWindow) {
        let bytes = window.bytes
        sample = bytes.slice(0..<min(bytes.count, Self.sampleLength))
        isWhole = window.isAtEnd && bytes.count <= Self.sampleLength
    }

    /// Returns the delimiter with which the rows have one number of fields, two or more; nil if there is none.
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
        let quoted = rows(DelimitedDialect(delimiter: delimiter, isQuoted: true))
        guard quoted.contains(where: { $0.contains(where: \.isQuoted) }) else { return false }
        return !quoted.contains { $0.isEmpty }
    }

    /// Returns how well a delimiter explains the rows: the share of rows with as many fields as the header, and with
    /// that the number of fields; nil if it does not.
    private func score(_ delimiter: UInt8) -> Double? {
        let quoted = score(DelimitedDialect(delimiter: delimiter, isQuoted: true))
        if delimiter != Byte.tab { return quoted }
        // TSV may have quotes that mean nothing.
        return [quoted, score(.tsv)].compactMap(\.self).max()
    }

    private func score(_ dialect: DelimitedDialect) -> Double? {
        let counts = rows(dialect).map(\.count)
        guard let columns = counts.first, columns > 1 else { return nil }
        let agreeing = counts.count { $0 == columns }
        guard counts.count == 1 || 2 * (agreeing - 1) >= counts.count - 1 else { return nil }
        let share = Double(agreeing) / Double(counts.count)
        return share + Double(min(columns, 1000)) / 10_000 - (isProse(dialect.delimiter) ? 0.5 : 0)
    }

    /// Returns true if a space follows the delimiter in the header, as in a name: `Doe, Jo;12345`.
    private func isProse(_ delimiter: UInt8) -> Bool {
        let header = sample.prefix { $0 != Byte.lineFeed }
        return zip(header, header.dropFirst()).contains { $0 == delimiter && $1 == Byte.space }
    }

    /// Returns the fields of the first rows; none for a row that the dialect cannot divide.
    private func rows(_ dialect: DelimitedDialect) -> [[Field]] {
        var rows: [[Field]] = []
        var start = 0
        while rows.count < Self.sampleRows, start < sample.count {
            var boundary = dialect.makeBoundary()
            let end = boundary.end(in: sample, from: start)
            guard end != nil || isWhole || rows.isEmpty else { break }
            let row = sample.slice(start..<(end ?? sample.count)).withoutLineEnd
            var fields: [Field] = []
            let isDivided = (try? dialect.split(row, into: &fields)) != nil
            if !row.isEmpty { rows.append(isDivided ? fields : []) }
            start = end ?? sample.count
        }
        return rows
    }
}

extension ByteWindow {
    /// Reads the line `sep=;` with which Excel names the delimiter, and drops it; nil if there is none.
    func dropSeparatorLine() throws(DataError) -> UInt8? {
        while bytes.count < 9, bytes.firstIndex(of: Byte.lineFeed, from: 0) == nil, try refill() {}
        guard let lineFeed = bytes.firstIndex(of: Byte.lineFeed, from: 0), lineFeed < 9 else { return nil }
        let line = bytes.slice(0..<lineFeed + 1).withoutLineEnd.filter { $0 != Byte.quote }
        guard line.count == 5, line.starts(with: "sep=".utf8), let delimiter = line.last else { return nil }
        drop(lineFeed + 1)
        return delimiter
    }
}
