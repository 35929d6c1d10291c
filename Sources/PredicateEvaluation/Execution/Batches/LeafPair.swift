/// The first two leaves of a program where one of a number and one of a text are asked of an object at once.
///
/// `age > 21 AND name BEGINSWITH "jo"`: while a text is compared, the numbers of the next objects come from memory, for
/// which a loop over numbers alone would only wait.
struct LeafPair {
    /// The answer of the number after which the text is not asked: yes for OR, no for AND.
    let decisive: Bool

    /// Nil for a program that begins in another way.
    init?(_ code: UnsafeBufferPointer<Instruction>) {
        guard code.count > 1, code[0].opcode.isNumber, code[1].opcode.isNeedle, code[1].needle != nil else {
            return nil
        }
        if code[0].whenTrue == 1, code[0].whenFalse == code[1].whenFalse {
            decisive = false
        } else if code[0].whenFalse == 1, code[0].whenTrue == code[1].whenTrue {
            decisive = true
        } else {
            return nil
        }
    }
}

/// What is asked of an object before its text.
protocol LeadingQuestion {
    /// The answer of all, where it is known already.
    func answer(_ object: UnsafeRawPointer) -> Bool?
}

/// The number of a pair.
struct LeadingNumber<Question: NumberQuestion>: LeadingQuestion {
    let question: Question
    let offset: Int
    let decisive: Bool

    @inline(__always)
    func answer(_ object: UnsafeRawPointer) -> Bool? {
        question.holds(object + offset) == decisive ? decisive : nil
    }
}

/// A text that stands alone.
struct NothingLeading: LeadingQuestion {
    @inline(__always)
    func answer(_ object: UnsafeRawPointer) -> Bool? { nil }
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
