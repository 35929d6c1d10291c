/// How deep a piece of SQL is, before it is written.
struct SQLMeasure {
    /// How many parentheses stand inside one another.
    private(set) var nesting = 0

    private var depth = 0

    init(_ piece: SQLText) {
        visit(piece.part)
    }

    private mutating func visit(_ part: SQLText.Part) {
        switch part {
        case .literal(let literal): visit(literal)
        case .name, .parameter: break
        case .sequence(let parts): for part in parts { visit(part) }
        }
    }

    private mutating func visit(_ literal: StaticString) {
        literal.withUTF8Buffer { bytes in
            for byte in bytes {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                nesting = max(nesting, depth)
            }
        }
    }
}
