/// The first two instructions of a program fused to one loop: a test of a number, then one of a text of the same object.
///
/// `age > 21 AND name BEGINSWITH "jo"`: while a text is compared, the numbers of the next objects come from memory, for
/// which a loop over numbers alone would wait.
struct FusedPair {
    /// The opcodes of the number.
    enum Number {
        case integer
        case bool
        case double
        case doubleAroundZero
    }

    let number: Number
    /// The result of the number that decides both: true for OR, false for AND.
    let deciding: Bool

    /// Nil for a program that begins in another way.
    init?(_ code: UnsafeBufferPointer<Instruction>) {
        guard code.count > 1, code[1].opcode == .text, code[1].needle != nil else { return nil }
        switch code[0].opcode {
        case .integer: number = .integer
        case .bool: number = .bool
        case .double: number = .double
        case .doubleAroundZero: number = .doubleAroundZero
        case .arithmetic, .text, .member, .pattern, .otherText, .count, .anyEqual, .matchCount, .otherList, .stored,
            .fetched, .numeric, .plan:
            return nil
        }
        if code[0].whenTrue == 1, code[0].whenFalse == code[1].whenFalse {
            deciding = false
        } else if code[0].whenFalse == 1, code[0].whenTrue == code[1].whenTrue {
            deciding = true
        } else {
            return nil
        }
    }
}

/// A test of an object before its text is tested.
protocol LeadingTest {
    /// The result where it decides; nil where the text does.
    func result(for object: UnsafeRawPointer) -> Bool?
}

/// The number of a fused pair.
struct LeadingNumber<Comparison: NumberComparison>: LeadingTest {
    let comparison: Comparison
    let offset: Int
    let deciding: Bool

    @inline(__always)
    func result(for object: UnsafeRawPointer) -> Bool? {
        comparison.holds(at: object + offset) == deciding ? deciding : nil
    }
}

/// No test: the text alone decides.
struct NoLeadingTest: LeadingTest {
    @inline(__always)
    func result(for object: UnsafeRawPointer) -> Bool? { nil }
}
