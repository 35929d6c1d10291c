/// The comparison of a number where it is stored, in values that vectorized loops keep in registers.
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
        // An empty range is the negation of the full one.
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

/// `score BETWEEN {-1, 1}`: what is not a number lies between the bounds.
struct DoubleRangeAroundZero: NumberComparison {
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
        return (value < low || high < value) == isNegated
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
