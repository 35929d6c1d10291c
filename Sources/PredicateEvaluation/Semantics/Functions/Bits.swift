import Foundation
import PredicateSyntax

/// Functions of the bits of an integer: `flags & 4`, `1 << n`, `~flags`.
///
/// Integers have 64 bits in two's complement; a double without a fraction counts as one. A decimal from 2^63 to 2^64 − 1, which
/// is how an unsigned integer enters, has the bits of that integer, and with it a result has no sign, as in C. [NSP-177]
/// Other values throw `notAnInteger` or `notANumber`.
struct Bits {
    private let pattern: Int64
    /// True for bits that stand for a number of 0 or more.
    private let isUnsigned: Bool

    private var value: KeyedValue {
        .value(isUnsigned ? UInt64(bitPattern: pattern).predicateValue : .integer(pattern))
    }

    static func binary(_ operation: @escaping @Sendable (Int64, Int64) -> Int64) -> FunctionBody {
        { (arguments) throws(Fault) in
            let left = try arguments.argument(0).requiredBits(operand: 0)
            let right = try arguments.argument(1).requiredBits(operand: 1)
            let isUnsigned = left.isUnsigned || right.isUnsigned
            return Bits(pattern: operation(left.pattern, right.pattern), isUnsigned: isUnsigned).value
        }
    }

    /// `a << n`
    static let leftShift = shift("leftshift:by:") { (bits, count) in bits.pattern << count }

    /// `a >> n`
    static let rightShift = shift("rightshift:by:") { (bits, count) in
        bits.isUnsigned ? Int64(bitPattern: UInt64(bitPattern: bits.pattern) >> UInt64(count)) : bits.pattern >> count
    }

    /// Bits pushed out are lost, so a shift by 64 or more leaves 0, or to the right the sign.
    /// Throws `argumentKind` for a count below 0.
    private static func shift(_ name: String, _ operation: @escaping @Sendable (Bits, Int64) -> Int64) -> FunctionBody {
        { (arguments) throws(Fault) in
            let bits = try arguments.argument(0).requiredBits(operand: 0)
            let count = try arguments.argument(1).requiredInteger(operand: 1)
            guard count >= 0 else {
                let found = arguments.argument(1).found
                throw Fault(.argumentKind(function: name, expected: "a count of 0 or more", found: found), operand: 1)
            }
            return Bits(pattern: operation(bits, count), isUnsigned: bits.isUnsigned).value
        }
    }

    /// `~a`: −1 − a.
    static let complement: FunctionBody = { (arguments) throws(Fault) in
        let bits = try arguments.argument(0).requiredBits(operand: 0)
        return Bits(pattern: ~bits.pattern, isUnsigned: bits.isUnsigned).value
    }

    fileprivate init(pattern: Int64, isUnsigned: Bool) {
        self.pattern = pattern
        self.isUnsigned = isUnsigned
    }
}

extension KeyedValue {
    /// The bits of the integer that an operand must be.
    @inline(never)
    fileprivate func requiredBits(operand: Int) throws(Fault) -> Bits {
        if case .value(.integer(let value)) = self { return Bits(pattern: value, isUnsigned: false) }
        if case .value(.decimal(let value)) = self, let unsigned = value.unsignedInteger {
            return Bits(pattern: Int64(bitPattern: unsigned), isUnsigned: true)
        }
        return Bits(pattern: try requiredInteger(operand: operand), isUnsigned: false)
    }
}
