import PredicateSyntax

/// Functions of the bits of an integer: `flags & 4`, `1 << n`, `~flags`.
///
/// Integers have 64 bits in two's complement; a double without a fraction counts as one. Other values throw `notAnInteger`
/// or `notANumber`.
enum Bits {
    static func binary(_ operation: @escaping @Sendable (Int64, Int64) -> Int64) -> FunctionBody {
        { (arguments) throws(Fault) in
            let left = try arguments.argument(0).requiredInteger(operand: 0)
            let right = try arguments.argument(1).requiredInteger(operand: 1)
            return .value(.integer(operation(left, right)))
        }
    }

    /// `a << n`, `a >> n`: bits pushed out are lost, so a shift by 64 or more leaves 0, or to the right the sign.
    /// Throws `argumentKind` for a count below 0.
    static func shift(_ name: String, _ operation: @escaping @Sendable (Int64, Int64) -> Int64) -> FunctionBody {
        { (arguments) throws(Fault) in
            let value = try arguments.argument(0).requiredInteger(operand: 0)
            let count = try arguments.argument(1).requiredInteger(operand: 1)
            guard count >= 0 else {
                let found = arguments.argument(1).found
                throw Fault(.argumentKind(function: name, expected: "a count of 0 or more", found: found), operand: 1)
            }
            return .value(.integer(operation(value, count)))
        }
    }

    /// `~a`: −1 − a.
    static let complement: FunctionBody = { (arguments) throws(Fault) in
        .value(.integer(~(try arguments.argument(0).requiredInteger(operand: 0))))
    }
}
