/// `score * 2 + 1 > 50`, `spent > budget`: numbers of columns worked out for 64 rows at once.
///
/// Whole numbers and doubles mix as they do for one object. What may overflow, by the bounds of its columns, or divide
/// by zero has no formula: row by row it is found out where.
struct ColumnFormula {
    typealias Operation = ArithmeticPlan.Operation

    enum Step {
        /// Pushes 64 values.
        case integers(IntegerRun)
        case bools(UnsafePointer<UInt8>)
        case doubles(UnsafePointer<Double>)
        case constant(NumericValue)
        /// Makes doubles of the uppermost whole numbers, or of those so far below.
        case widened(below: Int)
        /// `a + b` of the two uppermost, both of one kind
        case integerOperation(Operation)
        case doubleOperation(Operation)
        /// `a + 2`
        case integerConstant(Operation, Int64)
        case doubleConstant(Operation, Double)
        /// Pushes 64 values that have met a constant.
        case doublesConstant(UnsafePointer<Double>, Operation, Double)
    }

    private enum Question {
        case integers(IntegerTest)
        case doubles(DoubleTest)
        /// How the left one of two values stands to the right one.
        case integerOrder(Ordering.Outcomes, isNegated: Bool)
        case doubleOrder(Ordering.Outcomes, isNegated: Bool)
    }

    private let steps: [Step]
    private let question: Question
    /// The bits of nil of every column that has some.
    let nulls: [UnsafePointer<UInt64>]

    /// Nil for what is better worked out row by row.
    init?(_ numeric: NumericQuestion, _ test: LeafTest) {
        var maker = FormulaMaker()
        guard maker.append(numeric.left) else { return nil }
        if let right = numeric.right {
            guard maker.append(right) else { return nil }
            let isDouble = maker.alignUppermost()
            question =
                isDouble
                ? .doubleOrder(numeric.outcomes, isNegated: numeric.isNegated)
                : .integerOrder(numeric.outcomes, isNegated: numeric.isNegated)
        } else {
            guard test.knowsNumbers else { return nil }
            question = maker.isUppermostDouble ? .doubles(test.doubles) : .integers(test.integers)
        }
        (steps, nulls) = (maker.steps, maker.nulls)
    }

    func ask(_ rows: RowMask) {
        let depth = 2 * NumericQuestion.depth
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: depth &<< 6) { stack in
            guard let stack = stack.baseAddress else { return }
            for word in 0..<rows.wordCount where rows.wanted[word] != 0 {
                run(rows.start &+ word &<< 6, UnsafeMutableRawPointer(stack))
                rows.answers[word] = answers(UnsafeRawPointer(stack))
            }
        }
    }

    private static let blockSize = 512

    private func run(_ row: Int, _ stack: UnsafeMutableRawPointer) {
        var top = stack - Self.blockSize
        for step in steps {
            switch step {
            case .integers(let values):
                top += Self.blockSize
                values.load(row, into: top.assumingMemoryBound(to: Int64.self))
            case .bools(let values):
                top += Self.blockSize
                let block = top.assumingMemoryBound(to: Int64.self)
                for index in 0..<64 { block[index] = Int64(values[row &+ index]) }
            case .doubles(let values):
                top += Self.blockSize
                top.assumingMemoryBound(to: Double.self).update(from: values + row, count: 64)
            case .constant(let value):
                top += Self.blockSize
                value.fill(top)
            case .widened(let below): Self.widen(top - below &* Self.blockSize)
            case .integerOperation(let operation):
                top -= Self.blockSize
                operation.run(top.assumingMemoryBound(to: Int64.self))
            case .doubleOperation(let operation):
                top -= Self.blockSize
                operation.run(top.assumingMemoryBound(to: Double.self))
            case .integerConstant(let operation, let constant):
                operation.run(top.assumingMemoryBound(to: Int64.self), constant)
            case .doubleConstant(let operation, let constant):
                let block = top.assumingMemoryBound(to: Double.self)
                operation.run(block, into: block, constant)
            case .doublesConstant(let values, let operation, let constant):
                top += Self.blockSize
                operation.run(values + row, into: top.assumingMemoryBound(to: Double.self), constant)
            }
        }
    }

    private static func widen(_ place: UnsafeMutableRawPointer) {
        for index in 0..<64 {
            let value = place.load(fromByteOffset: index &* 8, as: Int64.self)
            place.storeBytes(of: Double(value), toByteOffset: index &* 8, as: Double.self)
        }
    }

    private func answers(_ stack: UnsafeRawPointer) -> UInt64 {
        let integers = stack.assumingMemoryBound(to: Int64.self)
        let doubles = stack.assumingMemoryBound(to: Double.self)
        switch question {
        case .integers(let test): return RowMask.word { test.holds(integers[$0]) }
        case .doubles(let test): return test.word64(doubles)
        case .integerOrder(let outcomes, let isNegated):
            let answers = Self.order(outcomes, integers, integers + 64)
            return isNegated ? ~answers : answers
        case .doubleOrder(let outcomes, let isNegated):
            let answers = Self.order(outcomes, doubles, doubles + 64)
            return isNegated ? ~answers : answers
        }
    }

    @inline(__always)
    private static func order<Value: Comparable>(
        _ outcomes: Ordering.Outcomes, _ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>
    ) -> UInt64 {
        var answers: UInt64 = 0
        if outcomes.contains(.less) { answers |= RowMask.word { left[$0] < right[$0] } }
        if outcomes.contains(.equal) { answers |= RowMask.word { left[$0] == right[$0] } }
        if outcomes.contains(.greater) { answers |= RowMask.word { left[$0] > right[$0] } }
        return answers
    }
}

extension NumericValue {
    fileprivate func fill(_ block: UnsafeMutableRawPointer) {
        if isDouble {
            block.assumingMemoryBound(to: Double.self).update(repeating: double, count: 64)
        } else {
            block.assumingMemoryBound(to: Int64.self).update(repeating: integer, count: 64)
        }
    }
}

/// One loop for each operation, over 64 values and the 64 behind them, or a constant.
extension ArithmeticPlan.Operation {
    /// Whole numbers that cannot overflow; divided only by constants.
    fileprivate func run(_ left: UnsafeMutablePointer<Int64>) {
        let right = UnsafePointer(left + 64)
        switch self {
        case .add: for index in 0..<64 { left[index] &+= right[index] }
        case .subtract: for index in 0..<64 { left[index] &-= right[index] }
        case .multiply: for index in 0..<64 { left[index] &*= right[index] }
        case .divide: break
        }
    }

    fileprivate func run(_ left: UnsafeMutablePointer<Int64>, _ right: Int64) {
        switch self {
        case .add: for index in 0..<64 { left[index] &+= right }
        case .subtract: for index in 0..<64 { left[index] &-= right }
        case .multiply: for index in 0..<64 { left[index] &*= right }
        case .divide: for index in 0..<64 { left[index] = left[index].dividedReportingOverflow(by: right).partialValue }
        }
    }

    fileprivate func run(_ left: UnsafeMutablePointer<Double>) {
        let right = UnsafePointer(left + 64)
        switch self {
        case .add: for index in 0..<64 { left[index] += right[index] }
        case .subtract: for index in 0..<64 { left[index] -= right[index] }
        case .multiply: for index in 0..<64 { left[index] *= right[index] }
        case .divide: for index in 0..<64 { left[index] /= right[index] }
        }
    }

    fileprivate func run(
        _ left: UnsafePointer<Double>, into results: UnsafeMutablePointer<Double>, _ right: Double
    ) {
        switch self {
        case .add: for index in 0..<64 { results[index] = left[index] + right }
        case .subtract: for index in 0..<64 { results[index] = left[index] - right }
        case .multiply: for index in 0..<64 { results[index] = left[index] * right }
        case .divide: for index in 0..<64 { results[index] = left[index] / right }
        }
    }
}
