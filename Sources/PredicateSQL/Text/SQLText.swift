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
        /// Where an operand of a ``SQLTemplate`` goes, and how tightly it must bind to stand there bare.
        case hole(Int, Precedence)
        case sequence([Part])
    }

    private(set) var part: Part
    /// How tightly the outermost operator binds; what is looser than its surroundings is put in parentheses.
    private(set) var precedence = Precedence.atom

    /// How tightly operators bind, from the loosest.
    public enum Precedence: Int, Sendable, Comparable {
        case or, and, not, comparison, bit, sum, product, atom

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// A name that is quoted already, or an alias of ours.
    init(name: String) {
        part = .name(name)
    }

    init(_ parameter: SQLParameter) {
        part = .parameter(parameter)
    }

    /// An operand that is not known yet.
    init(hole number: Int) {
        part = .hole(number, .or)
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
        if case .hole(let number, let known) = part {
            var copy = self
            copy.part = .hole(number, max(known, least))
            return copy
        }
        return precedence >= least ? self : parenthesised
    }

    /// The piece in parentheses.
    public var parenthesised: SQLText { "(\(self))" }
}

/// A value on its way to a placeholder.
public struct SQLParameter: Sendable {
    public let binding: SQLBinding
    /// What the database is to take it for, where its type is not plain from the binding.
    public let type: SQLParameterType
    private let identity: Int32

    init(number: Int, binding: SQLBinding, type: SQLParameterType) {
        self.binding = binding
        self.type = type
        identity = Int32(truncatingIfNeeded: number)
    }

    /// Tells parameters apart: a value that stands in a statement twice is bound once.
    var number: Int { Int(identity) }
}

/// What a database takes a parameter for: PostgreSQL's casts.
public enum SQLParameterType: Int, Hashable, Sendable, CaseIterable {
    case integer, double, boolean, text, blob, decimal, uuid, json, timestamp
}
