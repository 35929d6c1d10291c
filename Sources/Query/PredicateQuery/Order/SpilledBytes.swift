import Foundation
import PredicateEvaluation
import PredicateSyntax

/// A record that can be written to a temporary file and read again.
package protocol SpilledRecord {
    /// The approximate number of bytes that the record takes in memory.
    var size: Int { get }
    func write(to bytes: inout SpilledBytes)
    init(from bytes: inout SpilledReader)
}

/// The form of sorted records in a temporary file: for each record its length in bytes, the values by which it is sorted, and
/// the record itself.
package struct SpilledBytes {
    private(set) var bytes: [UInt8] = []

    static let wordLength = 8

    mutating func append(_ values: [OrderedValue], _ record: some SpilledRecord) {
        let start = bytes.count
        append(0)
        append(values.count)
        for value in values { append(value) }
        record.write(to: &self)
        var length = SpilledBytes()
        length.append(bytes.count - start - Self.wordLength)
        bytes.replaceSubrange(start..<start + Self.wordLength, with: length.bytes)
    }

    package mutating func append(_ integer: Int) { append(word: UInt64(bitPattern: Int64(integer))) }

    package mutating func append(word: UInt64) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func append(tag: UInt8) { bytes.append(tag) }

    package mutating func append(_ part: [UInt8]) {
        append(part.count)
        bytes += part
    }

    fileprivate enum ValueTag: UInt8 {
        case null, integer, double, decimal, date, text, other
    }

    private mutating func append(_ value: OrderedValue) {
        switch value {
        case .null: append(tag: ValueTag.null.rawValue)
        case .number(.integer(let number)): append(.integer, UInt64(bitPattern: number))
        case .number(.double(let number)): append(.double, number.bitPattern)
        case .number(.decimal(let number)): append(.decimal, number.description)
        case .date(let seconds): append(.date, seconds.bitPattern)
        case .text(let text): append(.text, text)
        case .other(let text): append(.other, text)
        }
    }

    private mutating func append(_ tag: ValueTag, _ word: UInt64) {
        append(tag: tag.rawValue)
        append(word: word)
    }

    private mutating func append(_ tag: ValueTag, _ text: String) {
        append(tag: tag.rawValue)
        append(Array(text.utf8))
    }
}

/// Reads what ``SpilledBytes`` has written.
package struct SpilledReader {
    private var bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of bytes that have not been read.
    var count: Int { bytes.count - index }

    /// Appends bytes, and drops the bytes that have been read.
    mutating func append(_ piece: [UInt8]) {
        bytes.removeFirst(index)
        index = 0
        bytes += piece
    }

    package mutating func byte() -> UInt8 {
        index += 1
        return bytes[index - 1]
    }

    package mutating func word() -> UInt64 {
        index += SpilledBytes.wordLength
        return bytes[index - SpilledBytes.wordLength..<index].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    package mutating func integer() -> Int { Int(Int64(bitPattern: word())) }

    package mutating func part() -> [UInt8] {
        let count = integer()
        index += count
        return Array(bytes[index - count..<index])
    }

    private mutating func text() -> String { String(decoding: part(), as: UTF8.self) }

    mutating func values() -> [OrderedValue] { (0..<integer()).map { _ in value() } }

    private mutating func value() -> OrderedValue {
        switch SpilledBytes.ValueTag(rawValue: byte()) {
        case .null, nil: .null
        case .integer: .number(.integer(Int64(bitPattern: word())))
        case .double: .number(.double(Double(bitPattern: word())))
        case .decimal: .number(.decimal(Decimal(string: text()) ?? .nan))
        case .date: .date(Double(bitPattern: word()))
        case .text: .text(text())
        case .other: .other(text())
        }
    }
}
