import PredicateJSON

/// Decides whether the first row of separated values holds the names of the columns, or is data.
///
/// `1|Action|2006-02-15`, `2|Games|2007-01-31` has no names: where the rows below have a number and a date, the first row has
/// them too.
struct HeaderDetection {
    private static let sampleLength = 64 << 10

    /// The cells of the first row, and the possible readings of the first row and of the rows below it.
    private let cells: [(text: String, isQuoted: Bool)]
    /// Whether the cells of the second row are quoted. If they are, quotes around the cells above say nothing.
    private let areQuotedBelow: [Bool]
    private var first: [ColumnProfile] = []
    private var others: [ColumnProfile] = []
    /// The names that the caller uses.
    private let names: Set<String>

    init(_ window: ByteWindow, _ dialect: DelimitedDialect, _ options: RecordOptions) {
        names = (options.keys ?? []).union(options.types.keys)
        let sample = window.bytes.slice(0..<min(window.bytes.count, Self.sampleLength))
        guard let (end, fields) = Self.row(of: sample, from: 0, dialect) else {
            (cells, areQuotedBelow) = ([], [])
            return
        }
        areQuotedBelow = Self.row(of: sample, from: end, dialect)?.fields.map(\.isQuoted) ?? []
        cells = fields.map { (String(decoding: sample.content(of: $0), as: UTF8.self), $0.isQuoted) }
        let inference = ColumnInference(dialect, wanted: fields.map { _ in true }, isRagged: options.isRagged)
        first = inference.profiles(of: sample.slice(0..<end))
        // Words are names, whatever is below them.
        guard first.contains(where: \.hasValues) else { return }
        let isWhole = window.isAtEnd && sample.count == window.bytes.count
        others = inference.profiles(of: sample.slice(end..<sample.count), isLast: isWhole)
    }

    /// Returns the row that begins at an offset, and where it ends; nil for a row that does not end in the sample.
    private static func row(
        of sample: UnsafeBufferPointer<UInt8>, from start: Int, _ dialect: DelimitedDialect
    ) -> (end: Int, fields: [Field])? {
        var boundary = dialect.makeBoundary()
        var fields: [Field] = []
        guard let end = boundary.end(in: sample, from: start),
            (try? dialect.split(sample.slice(start..<end).withoutLineEnd, into: &fields)) != nil
        else { return nil }
        return (end, fields)
    }

    /// True if cells above numbers, dates or Booleans are such values as well, and are not names, as years are.
    var isData: Bool {
        guard !cells.contains(where: { names.contains($0.text) }) else { return false }
        var values: [String] = []
        for (index, cell) in cells.enumerated() where index < others.count && others[index].hasValues {
            let isName = cell.isQuoted && !(index < areQuotedBelow.count && areQuotedBelow[index])
            guard !isName, first[index].count > 0, first[index].canBeRead(like: others[index]) else {
                return false
            }
            values.append(cell.text)
        }
        return !values.isEmpty && !Self.areNames(values)
    }

    /// True for years and for successive numbers, which tables of figures use as column names.
    private static func areNames(_ values: [String]) -> Bool {
        let numbers = values.compactMap { Int($0) }
        guard numbers.count == values.count else { return false }
        if numbers.allSatisfy((1900...2100).contains) { return true }
        return numbers.count > 1 && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 &+ 1 }
    }
}

extension ColumnInference {
    /// Returns the profiles after some rows.
    fileprivate func profiles(of rows: UnsafeBufferPointer<UInt8>, isLast: Bool = false) -> [ColumnProfile] {
        var inference = self
        let noted = inference.note(rows)
        if isLast { inference.note(last: rows.slice(noted..<rows.count)) }
        return inference.profiles
    }
}

extension ColumnProfile {
    /// The readings other than strings. A single letter does not count, since it may be a word.
    private var values: CellReadings { readings.subtracting(.booleanLetter) }

    /// True if there are cells, and they are numbers, dates or Booleans.
    fileprivate var hasValues: Bool { count > 0 && !values.isEmpty }

    fileprivate func canBeRead(like other: ColumnProfile) -> Bool { !values.isDisjoint(with: other.values) }
}
