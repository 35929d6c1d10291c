import Foundation
import PredicateEvaluation
import PredicateSyntax

/// The values by which a record is sorted, as bytes: for each a tag and a word; for a text, the word is its length and its
/// UTF-8 follows.
struct SortedValueBytes {
    private(set) var bytes: [UInt8] = []

    fileprivate enum Tag: UInt8 {
        case null, integer, double, date, decimal, text, other

        var isText: Bool {
            switch self {
            case .null, .integer, .double, .date: false
            case .decimal, .text, .other: true
            }
        }
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func append(_ value: OrderedValue) {
        switch value {
        case .null: append(.null, 0)
        case .number(.integer(let number)): append(.integer, UInt64(bitPattern: number))
        case .number(.double(let number)): append(.double, number.bitPattern)
        case .number(.decimal(let number)): append(.decimal, number.description)
        case .date(let seconds): append(.date, seconds.bitPattern)
        case .text(let text): append(.text, text)
        case .other(let text): append(.other, text)
        }
    }

    /// Appends a flat value, which must be neither a list nor opaque.
    mutating func append(_ value: FlatValue) {
        switch value {
        case .null, .list, .opaque: append(.null, 0)
        case .bool(let value): append(.integer, value ? 1 : 0)
        case .integer(let number): append(.integer, UInt64(bitPattern: number))
        case .double(let number): append(.double, number.bitPattern)
        case .date(let seconds): append(.date, seconds.bitPattern)
        case .text(let text): append(.text, text)
        }
    }

    private mutating func append(_ tag: Tag, _ word: UInt64) {
        bytes.append(tag.rawValue)
        withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ tag: Tag, _ text: UnsafeBufferPointer<UInt8>) {
        append(tag, UInt64(text.count))
        bytes.append(contentsOf: text)
    }

    private mutating func append(_ tag: Tag, _ text: String) {
        var text = text
        text.withUTF8 { append(tag, $0) }
    }
}

/// Reads what ``SortedValueBytes`` has written.
struct SortedValueReader {
    private var next: UnsafeRawPointer

    init(_ start: UnsafeRawPointer) { next = start }

    mutating func skip() { _ = part() }

    mutating func value() -> OrderedValue {
        let (tag, word, text) = part()
        switch tag {
        case .null, nil: return .null
        case .integer: return .number(.integer(Int64(bitPattern: word)))
        case .double: return .number(.double(Double(bitPattern: word)))
        case .date: return .date(Double(bitPattern: word))
        case .decimal: return .number(.decimal(Decimal(string: String(decoding: text, as: UTF8.self)) ?? .nan))
        case .text: return .text(String(decoding: text, as: UTF8.self))
        case .other: return .other(String(decoding: text, as: UTF8.self))
        }
    }

    private mutating func part() -> (SortedValueBytes.Tag?, UInt64, UnsafeRawBufferPointer) {
        let tag = SortedValueBytes.Tag(rawValue: next.load(as: UInt8.self))
        let word = next.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
        let text = UnsafeRawBufferPointer(start: next + 9, count: tag?.isText ?? false ? Int(word) : 0)
        next += 9 + text.count
        return (tag, word, text)
    }
}
