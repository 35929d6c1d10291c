/// A piece of SQL, built from literals, names and other pieces.
///
/// `let condition: SQLText = "\(column) = \(value)"`
///
/// Quoting is a property of the type: `\(name:)` inserts an identifier, which the dialect quotes. A Swift string can
/// only be interpolated with a label that declares what it is, so that no value becomes part of a statement by
/// accident.
public struct SQLText: Sendable, ExpressibleByStringInterpolation {
    /// A part of the piece, in the order in which it is written.
    enum Part: Sendable {
        case literal(StaticString)
        /// SQL that is inserted as it is.
        case verbatim(String)
        /// An identifier, which the dialect quotes.
        case name(String)
        /// A placeholder for a bound value.
        case binding(SQLBinding)
        /// An operand of a ``SQLTemplate``, and the lowest precedence that needs no parentheses.
        case operand(Int, Precedence)
        case sequence([Part])
    }

    private(set) var part: Part
    /// The precedence of the outermost operator. A piece needs parentheses in a context of higher precedence.
    private(set) var precedence = Precedence.atom

    /// The precedence of operators, from the lowest.
    @_spi(Dialect) public enum Precedence: Sendable, Comparable {
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

    /// An operand of a ``SQLTemplate``.
    init(operand number: Int) {
        part = .operand(number, .or)
    }

    public init(stringLiteral value: StaticString) {
        part = .literal(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        part = .sequence(stringInterpolation.parts)
    }

    /// Collects the literals and interpolated parts of a piece.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 1)
        }

        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { parts.append(.literal(literal)) }
        }

        /// Inserts another piece.
        public mutating func appendInterpolation(_ piece: SQLText) {
            parts.append(piece.part)
        }

        /// Inserts an identifier, quoted by the dialect: `"\(name: "person")"` is `"person"`.
        ///
        /// A dialect lacks a piece with a name that it cannot quote.
        public mutating func appendInterpolation(name: String) {
            parts.append(.name(name))
        }

        /// Inserts the name of a function, which needs no quotes: `"\(SQLFunction.length)(\(text))"` is
        /// `predicates_length(…)`.
        public mutating func appendInterpolation(_ function: SQLFunction) {
            parts.append(.verbatim(function.name))
        }

        /// Inserts a placeholder and binds the value: `?1`. Only statements have bindings; a dialect's pieces have
        /// operands.
        package mutating func appendInterpolation(bind value: SQLBinding) {
            parts.append(.binding(value))
        }

        /// Inserts an integer: `LIMIT 10`, or the number of an alias, `t\(number: 0)`.
        package mutating func appendInterpolation(number: some BinaryInteger) {
            parts.append(.verbatim(String(number)))
        }

        /// Inserts a string literal in single quotes, for statements that cannot have parameters, such as `CREATE
        /// TRIGGER`.
        package mutating func appendInterpolation(string: String) {
            parts.append(.verbatim(SQLText.quotes(string, "'")))
        }

        /// Inserts SQL that was read from a database or that a caller wrote. It must not be made from names or values.
        package mutating func appendInterpolation(verbatim sql: String) {
            parts.append(.verbatim(sql))
        }
    }

    /// `"Z_PK", "Z_ENT", "ZTITLE"`
    package static func names(_ names: [String]) -> SQLText { joined(names.map { "\(name: $0)" }, by: ", ") }

    /// Joins pieces with a separator.
    public static func joined(_ pieces: some Collection<SQLText>, by separator: StaticString) -> SQLText {
        var joined = StringInterpolation(literalCapacity: 0, interpolationCount: pieces.count)
        for (index, piece) in pieces.enumerated() {
            if index > 0 { joined.appendLiteral(separator) }
            joined.appendInterpolation(piece)
        }
        return SQLText(stringInterpolation: joined)
    }
}

extension DefaultStringInterpolation {
    /// A Swift string made from a piece of SQL would lose its names and bindings.
    @available(*, unavailable, message: "interpolate the piece into another SQLText")
    package mutating func appendInterpolation(_ piece: SQLText) {}
}

// MARK: - Operators

extension SQLText {
    /// Returns the piece as one whose outermost operator has the given precedence.
    @_spi(Dialect) public func binding(_ precedence: Precedence) -> SQLText {
        var copy = self
        copy.precedence = precedence
        return copy
    }

    /// Returns the piece as an operand: in parentheses unless it binds at least as tightly as `least`.
    @_spi(Dialect) public func operand(_ least: Precedence) -> SQLText {
        if case .operand(let number, let others) = part {
            var copy = self
            copy.part = .operand(number, max(others, least))
            return copy
        }
        return precedence >= least ? self : "(\(self))"
    }

    /// `a + b`: a chain needs no parentheses on its left.
    @_spi(Dialect) public static func sum(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.sum)) \(sign) \(right.operand(.product))"
        return result.binding(.sum)
    }

    /// `a * b`
    @_spi(Dialect) public static func product(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.product)) \(sign) \(right.operand(.atom))"
        return result.binding(.product)
    }

    /// `a & b`: operands other than atoms are in parentheses, because databases disagree about the precedence.
    @_spi(Dialect) public static func bits(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.atom)) \(sign) \(right.operand(.atom))"
        return result.binding(.bit)
    }

    /// `a > b`
    @_spi(Dialect) public static func comparison(_ left: SQLText, _ sign: SQLText, _ right: SQLText) -> SQLText {
        let result: SQLText = "\(left.operand(.bit)) \(sign) \(right.operand(.bit))"
        return result.binding(.comparison)
    }

    /// `a BETWEEN -9223372036854775808 AND 9223372036854775807`: true if an integer of any width fits in 64 bits.
    @_spi(Dialect) public static func fitsInt64(_ integer: SQLText) -> SQLText {
        let result: SQLText = "\(integer.operand(.bit)) BETWEEN -9223372036854775808 AND 9223372036854775807"
        return result.binding(.comparison)
    }
}

/// A value that a statement binds, and the parameter's type in the database.
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

// MARK: - Rendering

/// Writes the parts of a piece as UTF-8.
private struct SQLTextRenderer {
    private(set) var bytes: [UInt8] = []
    private(set) var operands: [SQLTemplate.Operand] = []
    private(set) var bindings: [SQLBinding]
    /// True for a name that the dialect cannot quote, and for a binding where none is allowed.
    private(set) var isUnusable = false
    /// Returns an identifier in its quotes.
    let quoted: (String) -> String?
    /// Returns the placeholder of a binding, by its number; nil if bindings are not allowed.
    var placeholder: (Int) -> String? = { _ in nil }

    init(bindings: [SQLBinding] = [], quoted: @escaping (String) -> String?) {
        self.bindings = bindings
        self.quoted = quoted
    }

    mutating func write(_ part: SQLText.Part) {
        switch part {
        case .literal(let literal): literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
        case .verbatim(let sql): write(sql)
        case .name(let name): write(quoted(name))
        case .binding(let value):
            bindings.append(value)
            write(placeholder(bindings.count))
        case .operand(let number, let least):
            operands.append(.init(position: bytes.count, number: number, least: least))
        case .sequence(let parts): for part in parts { write(part) }
        }
    }

    private mutating func write(_ sql: String?) {
        guard let sql else { return isUnusable = true }
        bytes.append(contentsOf: sql.utf8)
    }
}

extension SQLText {
    /// Returns an identifier or a string in quotes, with the quotes inside it doubled.
    static func quotes(_ identifier: String, _ quote: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView([quote])
        for scalar in identifier.unicodeScalars {
            if scalar == quote { result.append(quote) }
            result.append(scalar)
        }
        result.append(quote)
        return String(result)
    }

    /// Returns the piece as a string; nil if it has bindings, or a name that cannot be quoted.
    func text(quotedBy quoted: @escaping (String) -> String?) -> String? {
        var renderer = SQLTextRenderer(quoted: quoted)
        renderer.write(part)
        return renderer.isUnusable ? nil : String(decoding: renderer.bytes, as: UTF8.self)
    }

    /// Returns the piece as a statement of a script. Throws `undeclarable` for a name that the database cannot hold.
    package func statement(for engine: SQLEngine) throws(SQLSchemaError) -> String {
        let dialect = engine.dialect
        var refused = ""
        let statement = text { name in
            let quoted = dialect.quoted(name)
            if quoted == nil { refused = name }
            return quoted
        }
        guard let statement else { throw SQLSchemaError(undeclarable: "the name '\(refused)'", in: engine) }
        return statement
    }

    /// Returns the piece in UTF-8; nil if it has bindings, or a name that the dialect cannot quote.
    func utf8(_ dialect: any SQLDialect) -> [UInt8]? {
        var renderer = SQLTextRenderer(quoted: dialect.quoted)
        renderer.write(part)
        return renderer.isUnusable ? nil : renderer.bytes
    }
}

extension SQLFragment {
    /// Creates a statement for SQLite that is written by hand, with the values of its placeholders `?1`, `?2`.
    ///
    /// `SQLFragment("DELETE FROM \(name: table) WHERE id = ?1", bindings: [.integer(7)])`
    ///
    /// Only literals and quoted names become SQL: a string cannot be interpolated.
    public init(_ text: SQLText, bindings: [SQLBinding] = []) {
        var renderer = SQLTextRenderer(bindings: bindings, quoted: { SQLText.quotes($0, "\"") })
        renderer.placeholder = { "?\($0)" }
        renderer.write(text.part)
        self.init(verbatim: String(decoding: renderer.bytes, as: UTF8.self), bindings: renderer.bindings)
    }
}

/// A piece of a dialect as it is written around operands, with placeholders for the operands.
///
/// `instr(`, operand 0, `, `, operand 1, `) = 1`
///
/// A dialect is called once for each piece, with placeholders; statements are then written from left to right without
/// intermediate pieces.
final class SQLTemplate: Sendable {
    /// A placeholder for an operand.
    struct Operand: Sendable {
        /// The number of bytes before the operand.
        let position: Int
        let number: Int
        /// The lowest precedence that needs no parentheses.
        let least: SQLText.Precedence
    }

    let bytes: [UInt8]
    let operands: [Operand]
    /// The precedence of the whole; nil if it is the operand's.
    let precedence: SQLText.Precedence?

    /// The template of a piece; nil if it has bindings, or a name that the dialect cannot quote.
    init?(_ piece: SQLText, _ dialect: any SQLDialect) {
        var renderer = SQLTextRenderer(quoted: dialect.quoted)
        renderer.write(piece.part)
        if renderer.isUnusable { return nil }
        bytes = renderer.bytes
        operands = renderer.operands
        if case .operand = piece.part { precedence = nil } else { precedence = piece.precedence }
    }

    /// True for a template that adds nothing to its operand.
    var isOperandItself: Bool { bytes.isEmpty && operands.count == 1 }

    func takesOperand(_ number: Int) -> Bool { operands.contains { $0.number == number } }
}

extension SQLDialect {
    /// Returns the template of a piece; nil if the dialect lacks the piece.
    func template(of piece: SQLPiece) -> SQLTemplate? {
        text(of: piece).flatMap { SQLTemplate($0, self) }
    }
}
