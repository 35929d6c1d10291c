/// What an instruction asks of a number in its place, in values that loops keep in registers.
protocol NumberQuestion {
    func holds(_ place: UnsafeRawPointer) -> Bool
}

/// `age > 21`
struct IntegerRange: NumberQuestion {
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
    func holds(_ place: UnsafeRawPointer) -> Bool {
        (UInt64(bitPattern: place.load(as: Int64.self)) &- low <= width) != isNegated
    }
}

/// `active == YES`
struct BoolAnswers: NumberQuestion {
    private let ifFalse: Bool
    private let ifTrue: Bool

    @inline(__always)
    init(_ instruction: Instruction) {
        (ifFalse, ifTrue) = (instruction.holdsBool(false), instruction.holdsBool(true))
    }

    @inline(__always)
    func holds(_ place: UnsafeRawPointer) -> Bool {
        place.load(as: Bool.self) ? ifTrue : ifFalse
    }
}

/// `score < 1.5`
struct DoubleRange: NumberQuestion {
    private let low: Double
    private let high: Double
    private let isNegated: Bool

    @inline(__always)
    init(_ instruction: Instruction) {
        (low, high) = (Double(bitPattern: instruction.low), Double(bitPattern: instruction.high))
        isNegated = instruction.isNegated
    }

    @inline(__always)
    func holds(_ place: UnsafeRawPointer) -> Bool {
        let value = place.load(as: Double.self)
        return (low <= value && value <= high) != isNegated
    }
}
