import PredicateText

/// The first two leaves of a program where one of a number and one of a text are asked of an object at once.
///
/// `age > 21 AND name BEGINSWITH "jo"`: while a text is compared, the numbers of the next objects come from memory, for
/// which a loop over numbers alone would only wait.
struct LeafPair {
    let number: Instruction
    let text: Instruction
    let needle: FlatNeedle
    /// The answer of the number after which the text is not asked: yes for OR, no for AND.
    let decisive: Bool

    /// Nil for a program that begins in another way.
    init?(_ code: UnsafeBufferPointer<Instruction>) {
        guard code.count > 1, code[0].opcode.isNumber, code[1].opcode.isNeedle, let needle = code[1].needle else {
            return nil
        }
        (number, text, self.needle) = (code[0], code[1], needle)
        if number.whenTrue == 1, number.whenFalse == text.whenFalse {
            decisive = false
        } else if number.whenFalse == 1, number.whenTrue == text.whenTrue {
            decisive = true
        } else {
            return nil
        }
    }
}

extension Instruction.Opcode {
    /// Whether it is a number in its place.
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .bool, .double: true
        case .prefix, .suffix, .contains, .equal, .tokens, .member, .expression, .text, .arithmetic, .stored, .count,
            .anyEqual, .prefixCount, .strings, .fetched, .numeric, .plan:
            false
        }
    }

    /// Whether one text is looked for in another.
    fileprivate var isNeedle: Bool {
        switch self {
        case .prefix, .suffix, .contains, .equal, .tokens: true
        case .integer, .bool, .double, .member, .expression, .text, .arithmetic, .stored, .count, .anyEqual,
            .prefixCount, .strings, .fetched, .numeric, .plan:
            false
        }
    }
}
