/// The text that a dialect writes around operands, with placeholders for the operands.
///
/// `instr(`, operand 0, `, `, operand 1, `) = 1`
///
/// A dialect is called once for each piece, with placeholders; statements are then written from left to right without
/// pieces in between.
final class SQLTemplate: Sendable {
    /// A placeholder for an operand.
    struct Operand: Sendable {
        /// The number of bytes of the text before it.
        let position: Int
        let number: Int
        /// An operand that binds more loosely is put in parentheses.
        let least: SQLText.Precedence
    }

    let bytes: [UInt8]
    let operands: [Operand]
    /// The precedence of the whole; nil where it is its operand's.
    let precedence: SQLText.Precedence?

    init(_ piece: SQLText) {
        var reader = Reader()
        reader.read(piece.part)
        bytes = reader.bytes
        operands = reader.operands
        if case .operand = piece.part { precedence = nil } else { precedence = piece.precedence }
    }

    /// True for a template that adds nothing to its operand.
    var isOperandItself: Bool { bytes.isEmpty && operands.count == 1 }

    func takesOperand(_ number: Int) -> Bool { operands.contains { $0.number == number } }

    private struct Reader {
        var bytes: [UInt8] = []
        var operands: [Operand] = []

        mutating func read(_ part: SQLText.Part) {
            switch part {
            case .literal(let literal): literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
            case .name(let name): bytes.append(contentsOf: name.utf8)
            case .operand(let number, let least):
                operands.append(Operand(position: bytes.count, number: number, least: least))
            case .sequence(let parts): for part in parts { read(part) }
            }
        }
    }
}
