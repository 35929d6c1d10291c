import Foundation
import PredicateJSON
import PredicateSyntax

/// A value in the order of `--sort`, `--min` and `--max`: nil, numbers and Booleans, dates, strings by code points, and
/// other values by their JSON.
enum OrderKey {
    case null
    case integer(Int64)
    /// A Boolean, or a number that is not an integer.
    case number(Double)
    /// Seconds since 2001-01-01 00:00 UTC
    case date(Double)
    case text(String)
    case json(String)

    init(_ value: PredicateValue) {
        switch value {
        case .null, .nullObject: self = .null
        case .integer(let value): self = .integer(value)
        case .bool, .double, .decimal: self = .number(Self.number(value) ?? .nan)
        case .date(let date): self = .date(date.timeIntervalSinceReferenceDate)
        case .string(let text): self = .text(text)
        case .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            self = .json(JSONWriter().text(of: value))
        }
    }

    /// Returns the value as a number; nil if it is not a number or a Boolean.
    static func number(_ value: PredicateValue) -> Double? {
        switch value {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): Double(value.description)
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            nil
        }
    }

    fileprivate var rank: Int {
        switch self {
        case .null: 0
        case .integer, .number: 1
        case .date: 2
        case .text: 3
        case .json: 4
        }
    }

    /// The number, or the seconds of a date.
    fileprivate var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value), .date(let value): value
        case .null, .text, .json: 0
        }
    }

    /// Returns a negative number, 0 or a positive number.
    func compare(_ other: OrderKey) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
        case (.text(let left), .text(let right)), (.json(let left), .json(let right)): Self.compare(left, right)
        default: rank == other.rank ? Self.compare(double, other.double) : rank < other.rank ? -1 : 1
        }
    }

    /// Compares numbers; NaN is after all others.
    private static func compare(_ left: Double, _ right: Double) -> Int {
        if left.isNaN || right.isNaN { return left.isNaN == right.isNaN ? 0 : left.isNaN ? 1 : -1 }
        return left < right ? -1 : left == right ? 0 : 1
    }

    private static func compare(_ left: String, _ right: String) -> Int {
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    /// Returns true if the value of a slot surely sorts after this one.
    func isFollowed(by slot: FlatValue, isDescending: Bool) -> Bool {
        let result: Int
        switch (slot, self) {
        case (.list, _), (.opaque, _): return false
        case (.integer(let left), .integer(let right)): result = left < right ? -1 : left == right ? 0 : 1
        case (.double(let left), .number(let right)): result = Self.compare(left, right)
        default: result = OrderKey(PredicateValue(flat: slot)).compare(self)
        }
        return isDescending ? result < 0 : result > 0
    }
}

/// The beginning of a ``OrderKey``: keys with different prefixes have the order of these.
struct OrderPrefix: Comparable {
    private let rank: Int
    /// The number in the order of its bits, or the first 16 bytes of a string.
    private var (high, low): (UInt64, UInt64) = (0, 0)

    init(_ key: OrderKey) {
        rank = key.rank
        switch key {
        case .text(var text):
            (high, low) = text.withUTF8 { (Self.word($0.prefix(8)), Self.word($0.dropFirst(8).prefix(8))) }
        case .integer, .number, .date: high = Self.bits(key.double)
        case .null, .json: break
        }
    }

    private static func word(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
        var word: UInt64 = 0
        for byte in bytes { word = word << 8 | UInt64(byte) }
        return word << UInt64(8 * (8 - bytes.count))
    }

    /// Returns the bits of a number in its order; NaN, which is after all others, has the greatest.
    private static func bits(_ number: Double) -> UInt64 {
        if number.isNaN { return .max }
        let bits = (number + 0).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    static func < (left: OrderPrefix, right: OrderPrefix) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        return left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
