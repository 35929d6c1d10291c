/// A piece of SQL in the making: text, and the places in it where parameters go.
///
/// `let condition: SQLText = "\(column) = \(value)"`
///
/// What stands in an interpolation must be a piece of SQL itself: there is no way to put a Swift string into it, so the
/// natural way to write is the safe one. Placeholders are chosen last, by the dialect, when the whole statement is known.
public struct SQLText: Sendable, ExpressibleByStringInterpolation {
    /// What the text consists of. Pieces are kept as they were put together, and written out once.
    enum Part: Sendable {
        case literal(StaticString)
        /// A name, in its quotes.
        case name(String)
        indirect case parameter(SQLParameter)
        case sequence([Part])
    }

    let part: Part
    /// How deep the pieces stand inside one another: parentheses do not stand deeper.
    let depth: Int
    /// How tightly the outermost operator binds; what is looser than its surroundings is put in parentheses.
    public private(set) var precedence = Precedence.atom

    /// How tightly operators bind, from the loosest.
    public enum Precedence: Int, Sendable, Comparable {
        case or, and, not, comparison, bit, sum, product, atom

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// A name that is quoted already, or an alias of ours.
    init(name: String) {
        part = .name(name)
        depth = 0
    }

    init(_ parameter: SQLParameter) {
        part = .parameter(parameter)
        depth = 0
    }

    public init(stringLiteral value: StaticString) {
        part = .literal(value)
        depth = 0
    }

    public init(stringInterpolation: StringInterpolation) {
        part = .sequence(stringInterpolation.parts)
        depth = stringInterpolation.depth + 1
    }

    /// Gathers literals and pieces.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []
        fileprivate var depth = 0

        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 1)
        }

        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { parts.append(.literal(literal)) }
        }

        public mutating func appendInterpolation(_ piece: SQLText) {
            parts.append(piece.part)
            depth = max(depth, piece.depth)
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
        precedence >= least ? self : parenthesised
    }

    /// The piece in parentheses.
    public var parenthesised: SQLText { "(\(self))" }
}

/// A value on its way to a placeholder.
public struct SQLParameter: Sendable {
    /// Tells parameters apart: a value that stands in a statement twice is bound once.
    let number: Int
    public let binding: SQLBinding
    /// What the database is to take it for, where its type is not plain from the binding.
    public let type: SQLParameterType
}

/// What a database takes a parameter for: PostgreSQL's casts.
public enum SQLParameterType: Hashable, Sendable {
    case integer, double, boolean, text, blob, decimal, uuid, json
}
