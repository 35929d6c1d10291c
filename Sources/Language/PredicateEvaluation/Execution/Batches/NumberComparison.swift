/// A comparison of a stored number whose operands stay in registers in a vectorized loop.
protocol NumberComparison {
    func holds(at address: UnsafeRawPointer) -> Bool
}

/// `age > 21`
struct IntegerRange: NumberComparison {
    private let low: UInt64
    private let width: UInt64
    private let isNegated: Bool

    @inline(__always)
    init(_ instruction: Instruction) {
        let (from, to) = (Int64(bitPattern: instruction.low), Int64(bitPattern: instruction.high))
        // An empty range is the negation of the full range.
        let isEmpty = from > to
        low = isEmpty ? UInt64(bitPattern: .min) : instruction.low
        width = isEmpty ? .max : instruction.high &- instruction.low
        isNegated = instruction.isNegated != isEmpty
    }

    @inline(__always)
    func contains(_ value: Int64) -> Bool {
        (UInt64(bitPattern: value) &- low <= width) != isNegated
    }

    @inline(__always)
    func holds(at address: UnsafeRawPointer) -> Bool {
        contains(address.load(as: Int64.self))
    }
}

/// `active == YES`
struct BoolResults: NumberComparison {
    private let ifFalse: Bool
    private let ifTrue: Bool

    @inline(__always)
    init(_ instruction: Instruction) {
        (ifFalse, ifTrue) = (instruction.holds(bool: false), instruction.holds(bool: true))
    }

    @inline(__always)
    func holds(at address: UnsafeRawPointer) -> Bool {
        address.load(as: Bool.self) ? ifTrue : ifFalse
    }
}

/// `score < 1.5`
struct DoubleRange: NumberComparison {
    private let low: Double
    private let high: Double
    private let isNegated: Bool

    @inline(__always)
    init(_ instruction: Instruction) {
        (low, high) = (Double(bitPattern: instruction.low), Double(bitPattern: instruction.high))
        isNegated = instruction.isNegated
    }

    @inline(__always)
    func holds(at address: UnsafeRawPointer) -> Bool {
        let value = address.load(as: Double.self)
        return (low <= value && value <= high) != isNegated
    }
}

/// `score * 2 + 1 > 50`
struct ArithmeticRange: NumberComparison {
    private let instruction: Instruction

    @inline(__always)
    init(_ instruction: Instruction) { self.instruction = instruction }

    @inline(__always)
    func holds(at address: UnsafeRawPointer) -> Bool {
        instruction.holds(arithmeticOn: address.load(as: Double.self))
    }
}

/// The first two instructions of a program fused into one loop: a test of a number, then a test of a string of the same object.
///
/// `age > 21 AND name BEGINSWITH "jo"`: while a string is compared, the numbers of the next objects are loaded from
/// memory. A loop over the numbers alone would wait for them.
struct FusedPair {
    /// The opcodes of the number test.
    enum NumberOpcode {
        case integer
        case bool
        case double
    }

    let number: NumberOpcode
    /// The result of the number test that makes the string test unnecessary: true for OR, false for AND.
    let deciding: Bool

    /// Nil for a program that begins differently.
    init?(_ code: UnsafeBufferPointer<Instruction>) {
        guard code.count > 1, code[1].opcode == .text, code[1].needle != nil else { return nil }
        switch code[0].opcode {
        case .integer: number = .integer
        case .bool: number = .bool
        case .double: number = .double
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

/// A test of an object before its string is tested.
protocol LeadingTest {
    /// Returns the result if it decides; nil if the string decides.
    func result(for object: UnsafeRawPointer) -> Bool?
}

/// The number test of a fused pair.
struct LeadingNumber<Comparison: NumberComparison>: LeadingTest {
    let comparison: Comparison
    let offset: Int
    let deciding: Bool

    @inline(__always)
    func result(for object: UnsafeRawPointer) -> Bool? {
        comparison.holds(at: object + offset) == deciding ? deciding : nil
    }
}

/// No test: the string alone decides.
struct NoLeadingTest: LeadingTest {
    @inline(__always)
    func result(for object: UnsafeRawPointer) -> Bool? { nil }
}
