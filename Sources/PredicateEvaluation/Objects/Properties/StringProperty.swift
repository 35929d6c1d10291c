import Foundation
import PredicateSyntax
import PredicateText

extension StringKey {
    func value(of text: String) -> PredicateValue {
        switch self {
        case .length: .integer(Int64(text.utf16.count))
        case .intValue: .integer(Int64(Int32(clamping: NumericPrefix(text).integer)))
        case .integerValue, .longLongValue: .integer(NumericPrefix(text).integer)
        case .floatValue: .double(Double(Float(NumericPrefix(text).double)))
        case .doubleValue: .double(NumericPrefix(text).double)
        case .boolValue: .bool(NumericPrefix(text).bool)
        case .lowercaseString: .string(CaseMapping.lower.map(text))
        case .uppercaseString: .string(CaseMapping.upper.map(text))
        case .capitalizedString: .string(text.capitalized)
        case .lastPathComponent: .string(PathText(text).lastComponent)
        case .pathExtension: .string(PathText(text).pathExtension)
        case .stringByDeletingPathExtension: .string(PathText(text).deletingPathExtension)
        case .stringByDeletingLastPathComponent: .string(PathText(text).deletingLastComponent)
        case .pathComponents: .array(PathText(text).components.map(PredicateValue.string))
        case .isAbsolutePath: .bool(PathText(text).isAbsolute)
        }
    }
}

/// The number at the beginning of a string, as NSString reads it: white space, a sign, digits; the rest is ignored.
package struct NumericPrefix {
    private let bytes: ArraySlice<UInt8>

    package init(_ text: String) {
        // No number is longer than this, however much text follows; white space in front does not count.
        self.bytes = Array(text.utf8.drop(while: Self.isSpace).prefix(1 << 10))[...]
    }

    /// `"12 apples"` is 12; past 64 bits the nearest number that fits; 0 without digits.
    package var integer: Int64 {
        let isNegative = bytes.first == UInt8(ascii: "-")
        var value: Int64 = 0
        for digit in unsigned.prefix(while: Self.isDigit).map({ Int64($0 - UInt8(ascii: "0")) }) {
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(isNegative ? -digit : digit)
            if tooLarge || overflow { return isNegative ? .min : .max }
            value = sum
        }
        return value
    }

    /// `"1.5 m"` is 1.5; 0 without digits.
    package var double: Double {
        let whole = unsigned.prefix(while: Self.isDigit)
        var end = whole.endIndex
        var digits = whole.count
        if unsigned[end...].first == UInt8(ascii: ".") {
            let fraction = unsigned[(end + 1)...].prefix(while: Self.isDigit)
            digits += fraction.count
            end = fraction.endIndex
        }
        guard digits > 0 else { return 0 }
        return Double(String(decoding: bytes[..<exponentEnd(after: end)], as: UTF8.self)) ?? 0
    }

    /// `"YES"`, `"true"`, `"1"`, `"007"`
    package var bool: Bool {
        guard let first = unsigned.drop(while: { $0 == UInt8(ascii: "0") }).first else { return false }
        return "YyTt123456789".utf8.contains(first)
    }

    /// The end of an exponent: `e`, a sign, digits. Without digits the number ends before the letter.
    private func exponentEnd(after end: Int) -> Int {
        guard let letter = unsigned[end...].first, letter | 0x20 == UInt8(ascii: "e") else { return end }
        let digits = Self.withoutSign(unsigned[(end + 1)...]).prefix(while: Self.isDigit)
        return digits.isEmpty ? end : digits.endIndex
    }

    private var unsigned: ArraySlice<UInt8> {
        Self.withoutSign(bytes)
    }

    private static func withoutSign(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (byte >= 9 && byte <= 13)
    }
}
