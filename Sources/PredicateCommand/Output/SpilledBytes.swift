import PredicateData
import PredicateSyntax

/// The bytes of sorted matches in a temporary file: for each the number of its bytes, the values by which it is sorted,
/// and what is written of it.
struct SpilledBytes {
    private(set) var bytes: [UInt8] = []

    static let wordLength = 8

    mutating func append(_ values: [OrderKey], _ record: PreparedRecord) {
        let start = bytes.count
        append(0)
        append(values.count)
        for value in values { append(value) }
        append(record)
        var length = SpilledBytes()
        length.append(bytes.count - start - Self.wordLength)
        bytes.replaceSubrange(start..<start + Self.wordLength, with: length.bytes)
    }

    private mutating func append(_ integer: Int) { append(word: UInt64(bitPattern: Int64(integer))) }

    private mutating func append(word: UInt64) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ part: [UInt8]) {
        append(part.count)
        bytes += part
    }

    fileprivate enum ValueTag: UInt8 {
        case null, integer, number, date, text, json
    }

    private mutating func append(_ value: OrderKey) {
        let tag: ValueTag =
            switch value {
            case .null: .null
            case .integer: .integer
            case .number: .number
            case .date: .date
            case .text: .text
            case .json: .json
            }
        bytes.append(tag.rawValue)
        switch value {
        case .null: break
        case .integer(let number): append(word: UInt64(bitPattern: number))
        case .number(let number), .date(let number): append(word: number.bitPattern)
        case .text(let text), .json(let text): append(Array(text.utf8))
        }
    }

    fileprivate enum RecordTag: UInt8 {
        case text, row, cells
    }

    private mutating func append(_ record: PreparedRecord) {
        switch record {
        case .text(let text, let prefix, let members):
            bytes.append(RecordTag.text.rawValue)
            for part in [text, prefix, members] { append(part) }
        case .row(let row):
            bytes.append(RecordTag.row.rawValue)
            append(row.count)
            for (name, cell) in row {
                append(Array(name.utf8))
                append(cell)
            }
        case .cells(let cells):
            bytes.append(RecordTag.cells.rawValue)
            append(cells.count)
            for cell in cells { append(cell) }
        }
    }

    fileprivate enum CellTag: UInt8 {
        case text, json, number
    }

    /// A value is its JSON, of which the same is written, except NaN, which has none.
    private mutating func append(_ cell: RowCell) {
        switch cell {
        case .text(let text):
            bytes.append(CellTag.text.rawValue)
            append(text)
        case .value(.double(let number)):
            bytes.append(CellTag.number.rawValue)
            append(word: number.bitPattern)
        case .json, .value, .day:
            bytes.append(CellTag.json.rawValue)
            var json: [UInt8] = []
            cell.writeJSON(to: &json)
            append(json)
        }
    }
}

/// Reads what ``SpilledBytes`` has written.
struct SpilledReader {
    private var bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of bytes that were not read yet.
    var count: Int { bytes.count - index }

    /// Appends bytes, and drops those that were read.
    mutating func append(_ piece: [UInt8]) {
        bytes.removeFirst(index)
        index = 0
        bytes += piece
    }

    private mutating func byte() -> UInt8 {
        index += 1
        return bytes[index - 1]
    }

    private mutating func word() -> UInt64 {
        index += SpilledBytes.wordLength
        return bytes[index - SpilledBytes.wordLength..<index].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func integer() -> Int { Int(Int64(bitPattern: word())) }

    private mutating func part() -> [UInt8] {
        let count = integer()
        index += count
        return Array(bytes[index - count..<index])
    }

    private mutating func text() -> String { String(decoding: part(), as: UTF8.self) }

    mutating func values() -> [OrderKey] { (0..<integer()).map { _ in value() } }

    private mutating func value() -> OrderKey {
        switch SpilledBytes.ValueTag(rawValue: byte()) {
        case .null, nil: .null
        case .integer: .integer(Int64(bitPattern: word()))
        case .number: .number(Double(bitPattern: word()))
        case .date: .date(Double(bitPattern: word()))
        case .text: .text(text())
        case .json: .json(text())
        }
    }

    mutating func record() -> PreparedRecord {
        switch SpilledBytes.RecordTag(rawValue: byte()) {
        case .text:
            let text = part()
            let prefix = part()
            return .text(text, prefix: prefix, members: part())
        case .row:
            return .row(
                (0..<integer()).map { _ in
                    let name = text()
                    return (name, cell())
                })
        case .cells, nil: return .cells((0..<integer()).map { _ in cell() })
        }
    }

    private mutating func cell() -> RowCell {
        switch SpilledBytes.CellTag(rawValue: byte()) {
        case .text: .text(part())
        case .json, nil: .json(part())
        case .number: .value(.double(Double(bitPattern: word())))
        }
    }
}
