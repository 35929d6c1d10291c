/// A piece of SQL text, put together from literals and other pieces.
///
/// `let condition: SQLText = "\(column) = \(value)"`
///
/// Only a piece of SQL can be interpolated, never a Swift string, so that no value can become part of the text.
public struct SQLText: Sendable, ExpressibleByStringInterpolation {
    /// A part of the text; parts are written out once.
    enum Part: Sendable {
        case literal(StaticString)
        /// A name, in its quotes.
        case name(String)
        /// A placeholder for an operand of a ``SQLTemplate``, and the least precedence that needs no parentheses.
        case operand(Int, Precedence)
        case sequence([Part])
    }

    private(set) var part: Part
    /// The precedence of the outermost operator; a lower one than its context needs parentheses.
    private(set) var precedence = Precedence.atom

    /// The precedence of operators, from the lowest.
    public enum Precedence: Sendable, Comparable {
        /// `a OR b`
        case or
        /// `a AND b`
        case and
        /// `NOT a`
        case not
        /// `a = b`, `a IS NULL`, `a IN (b)`
        case comparison
        /// `a & b`, `a << b`
        case bit
        /// `a + b`
        case sum
        /// `a * b`
        case product
        /// A column, a parameter, a call or an expression in parentheses.
        case atom
    }

    /// A name that is quoted already, or an alias of ours.
    init(name: String) {
        part = .name(name)
    }

    /// A placeholder for an operand of a ``SQLTemplate``.
    init(operand number: Int) {
        part = .operand(number, .or)
    }

    public init(stringLiteral value: StaticString) {
        part = .literal(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        part = .sequence(stringInterpolation.parts)
    }

    /// Gathers literals and pieces.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 1)
        }

        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { parts.append(.literal(literal)) }
        }

        /// Inserts a piece of SQL with its bindings.
        public mutating func appendInterpolation(_ piece: SQLText) {
            parts.append(piece.part)
        }
    }

    /// Pieces with something between them.
    public static func joined(_ pieces: [SQLText], by separator: StaticString) -> SQLText {
        var joined = StringInterpolation(literalCapacity: 0, interpolationCount: pieces.count)
        for (index, piece) in pieces.enumerated() {
            if index > 0 { joined.appendLiteral(separator) }
            joined.appendInterpolation(piece)
        }
        return SQLText(stringInterpolation: joined)
    }
}

extension SQLText {
    /// The piece as one whose outermost operator is this one.
    public func binding(_ precedence: Precedence) -> SQLText {
        var copy = self
        copy.precedence = precedence
        return copy
    }

    /// The piece as an operand beside an operator: in parentheses unless it binds at least as tightly.
    public func operand(_ least: Precedence) -> SQLText {
        if case .operand(let number, let others) = part {
            var copy = self
            copy.part = .operand(number, max(others, least))
            return copy
        }
        return precedence >= least ? self : parenthesised
    }

    /// The piece in parentheses.
    var parenthesised: SQLText { "(\(self))" }
}

extension SQLText {
    /// `a + b`: a chain needs no parentheses on its left.
    public static func sum(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.sum)) \(sign) \(right.operand(.product))"
        return result.binding(.sum)
    }

    /// `a * b`
    public static func product(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.product)) \(sign) \(right.operand(.atom))"
        return result.binding(.product)
    }

    /// The integers of 64 bits, as the bounds of BETWEEN.
    package static var integers: SQLText { "-9223372036854775808 AND 9223372036854775807" }

    /// `a & b`; databases differ on the precedence, so operands that are no atoms stand in parentheses.
    package static func bits(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.atom)) \(sign) \(right.operand(.atom))"
        return result.binding(.bit)
    }

    /// `a > b`
    public static func comparison(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.bit)) \(sign) \(right.operand(.bit))"
        return result.binding(.comparison)
    }
}

/// A value that a statement binds, and the type that the database takes it for.
struct SQLParameter: Sendable {
    let binding: SQLBinding
    let type: SQLBinding.ParameterType
    private let identity: Int32

    init(number: Int, binding: SQLBinding, type: SQLBinding.ParameterType) {
        self.binding = binding
        self.type = type
        identity = Int32(truncatingIfNeeded: number)
    }

    /// The identity of the parameter: a value that occurs twice in a statement is bound once.
    var number: Int { Int(identity) }
}
