import Foundation
package import PredicateSyntax

/// A value in the order of sort keys, groups, `min` and `max`: nil, numbers and Booleans, dates, strings, and then all
/// other values. [NSP-510]
///
/// `nil < NaN < 0 = false < 0.1 < 1 = true < CAST(0, "NSDate") < "" < "a" < {1}`
package enum OrderedValue: Sendable {
    case null
    case number(Number)
    /// Seconds since 2001-01-01 00:00 UTC
    case date(Double)
    /// A string, folded if the order folds.
    case text(String)
    /// Data, a collection or an object, as a format prints it.
    case other(String)

    /// Makes the value of plain data. Strings are ordered by code points.
    package init(_ value: PredicateValue) {
        switch value {
        case .null, .nullObject: self = .null
        case .bool(let value): self = .number(.integer(value ? 1 : 0))
        case .integer(let value): self = .number(.integer(value))
        case .double(let value): self = .number(.double(value))
        case .decimal(let value): self = .number(.decimal(value))
        case .date(let date): self = .date(date.timeIntervalSinceReferenceDate)
        case .string(let text): self = .text(text)
        case .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            self = .other(value.description)
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .number: 1
        case .date: 2
        case .text: 3
        case .other: 4
        }
    }

    /// Returns a negative number, 0 or a positive number.
    package func compare(_ other: OrderedValue) -> Int {
        switch (self, other) {
        case (.number(let left), .number(let right)): left.compareExactly(right).sign
        case (.text(let left), .text(let right)), (.other(let left), .other(let right)): left.compareCodePoints(right)
        case (.date(let left), .date(let right)): NumberOrder(left, right).sign
        default: rank - other.rank
        }
    }
}

extension OrderedValue {
    /// The beginning of a value. Values with different prefixes are ordered like the prefixes; values whose prefixes are equal
    /// and whole are equal.
    package struct Prefix: Comparable {
        /// One byte for the rank; then a number as bits that keep its order, or 14 bytes of a string and their count.
        @usableFromInline private(set) var (high, low): (UInt64, UInt64)
        /// True if the prefix holds the whole value.
        package private(set) var isWhole = true

        package init(_ value: OrderedValue) {
            switch value {
            case .null: self.init(rank: value.rank)
            case .number(let number): self.init(number)
            case .date(let seconds): self.init(date: seconds)
            case .text(var text): self = text.withUTF8 { Self($0) }
            case .other:
                self.init(rank: value.rank)
                isWhole = false
            }
        }

        private init(rank: Int, _ word: UInt64 = 0, _ rest: UInt64 = 0) {
            high = UInt64(truncatingIfNeeded: rank) << 56 | word >> 8
            low = word << 56 | rest
        }

        init(_ number: Number) {
            self.init(rank: 1, Self.bits(number.doubleValue))
            switch number {
            case .integer(let integer): isWhole = integer.magnitude <= 1 << 53
            case .double: break
            case .decimal: isWhole = false
            }
        }

        init(date seconds: Double) { self.init(rank: 2, Self.bits(seconds)) }

        init(_ text: UnsafeBufferPointer<UInt8>) {
            let (first, second) = (Self.word(text.prefix(8)), Self.word(text.dropFirst(8).prefix(6)))
            self.init(rank: 3, first, second >> 8 | UInt64(min(text.count, 15)))
            isWhole = text.count < 15
        }

        /// The prefix that all strings have in the order of a locale.
        static var anyText: Prefix {
            var prefix = Prefix(rank: 3)
            prefix.isWhole = false
            return prefix
        }

        private static func word(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
            if bytes.count == 8 {
                return UInt64(
                    bigEndian: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes)).loadUnaligned(
                        as: UInt64.self))
            }
            var word: UInt64 = 0
            for byte in bytes { word = word << 8 | UInt64(byte) }
            return word << UInt64(8 * (8 - bytes.count))
        }

        /// Returns bits that are ordered like the numbers; NaN is between the negative numbers and 0.
        private static func bits(_ number: Double) -> UInt64 {
            if number.isNaN { return 1 << 63 - 1 }
            let bits = (number + 0).bitPattern
            return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        }

        /// Returns the prefix for an order with this direction and this position of nil.
        func placed(ascending: Bool, putsNilFirst: Bool) -> Prefix {
            var placed = self
            if high >> 56 == 0 {
                placed.high = putsNilFirst ? .min : .max
            } else if !ascending {
                (placed.high, placed.low) = (~high, ~low)
            }
            return placed
        }

        @inlinable
        @inline(__always)
        package static func == (left: Prefix, right: Prefix) -> Bool {
            left.high == right.high && left.low == right.low
        }

        @inlinable
        @inline(__always)
        package static func < (left: Prefix, right: Prefix) -> Bool {
            left.high == right.high ? left.low < right.low : left.high < right.high
        }
    }
}

// MARK: - Numbers and strings

extension NumberOrder {
    /// −1, 0 or 1.
    fileprivate var sign: Int {
        switch self {
        case .less: -1
        case .equal: 0
        case .greater: 1
        }
    }
}

extension Number {
    /// Compares by exact value, which is a total order. [NSP-510]
    ///
    /// 2^53 + 1 is greater than the double 2^53, which `==` finds equal, since it compares doubles.
    package func compareExactly(_ other: Number) -> NumberOrder {
        if isDouble == other.isDouble { return compare(other) }
        let order = NumberOrder(doubleValue, other.doubleValue)
        return order == .equal && !doubleValue.isNaN ? meant.compare(other.meant) : order
    }

    /// The exact number that a double stands for: an integer for a whole double, otherwise the decimal number of its shortest
    /// notation.
    private var meant: Number {
        guard case .double(let value) = self else { return self }
        if let integer = Int64(exactly: value) { return .integer(integer) }
        let isWhole = value.magnitude < 0x1p120 && value.rounded() == value
        return .decimal(isWhole ? Decimal(string: Int128(value).description) ?? .nan : decimalValue)
    }
}

extension String {
    /// Returns a negative number, 0 or a positive number, by code points.
    fileprivate func compareCodePoints(_ other: String) -> Int {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                let order = left.baseAddress.flatMap { start in
                    right.baseAddress.map { memcmp(start, $0, min(left.count, right.count)) }
                }
                return order.flatMap { $0 == 0 ? nil : Int($0) } ?? left.count - right.count
            }
        }
    }

    /// The string with each run of digits in the form that `value(of:)` returns, so that `a9` is before `a10` and `a01` equals
    /// `a1`.
    var withNumericRuns: String {
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        var result = UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let first = rest.first {
            let run = rest.prefix(while: isDigit)
            rest = rest.dropFirst(max(1, run.count))
            if run.isEmpty { result.append(first) } else { result.append(contentsOf: Self.value(of: run)) }
        }
        return String(result)
    }

    /// Returns a run of digits without leading zeros, preceded by its length and by the length of that length: `007` is `117`.
    private static func value(of run: Substring.UnicodeScalarView) -> UnicodeScalarView {
        let digits = run.drop { $0 == "0" }
        let length = String(digits.count)
        return (String(length.count) + length + String(digits)).unicodeScalars
    }
}
