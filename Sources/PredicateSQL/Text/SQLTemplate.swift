/// What a dialect writes around operands, taken down once: text, and the places where operands go.
///
/// `instr(`, operand 0, `, `, operand 1, `) = 1`
///
/// A dialect says how a piece is put together from others. Asked once, with holes for the others, it has answered for
/// every statement, whose text is then written from left to right without pieces in between.
final class SQLTemplate: Sendable {
    /// Where an operand goes.
    struct Hole: Sendable {
        /// How many bytes of the text stand before it.
        let position: Int
        let operand: Int
        /// An operand that binds more loosely is put in parentheses.
        let least: SQLText.Precedence
    }

    let bytes: [UInt8]
    let holes: [Hole]
    /// How tightly the whole binds; that of its operand where there is nothing else.
    let precedence: SQLText.Precedence?

    init(_ piece: SQLText) {
        var reader = Reader()
        reader.read(piece.part)
        bytes = reader.bytes
        holes = reader.holes
        if case .hole = piece.part { precedence = nil } else { precedence = piece.precedence }
    }

    func takesOperand(_ number: Int) -> Bool { holes.contains { $0.operand == number } }

    private struct Reader {
        var bytes: [UInt8] = []
        var holes: [Hole] = []

        mutating func read(_ part: SQLText.Part) {
            switch part {
            case .literal(let literal): literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
            case .name(let name): bytes.append(contentsOf: name.utf8)
            case .hole(let operand, let least):
                holes.append(Hole(position: bytes.count, operand: operand, least: least))
            case .sequence(let parts): for part in parts { read(part) }
            case .parameter: break
            }
        }
    }
}
