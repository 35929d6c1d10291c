/// `score * 2 + 1 > 50`, `spent > budget`: numbers of columns worked out for 64 rows at once.
///
/// Whole numbers and doubles mix as they do for one object. What may overflow, by the bounds of its columns, or divide
/// by zero has no formula: row by row it is found out where.
struct ColumnFormula {
    fileprivate typealias Operation = ArithmeticPlan.Operation

    fileprivate enum Step {
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
                operation.run(top.assumingMemoryBound(to: Double.self), constant)
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
        case .doubles(let test) where test.isMembership: return RowMask.word { test.holds(doubles[$0]) }
        case .doubles(let test):
            let (low, high) = (test.low, test.high)
            let inside = RowMask.word { low <= doubles[$0] ? doubles[$0] <= high : false }
            return test.isNegated ? ~inside : inside
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

    fileprivate func run(_ left: UnsafeMutablePointer<Double>, _ right: Double) {
        switch self {
        case .add: for index in 0..<64 { left[index] += right }
        case .subtract: for index in 0..<64 { left[index] -= right }
        case .multiply: for index in 0..<64 { left[index] *= right }
        case .divide: for index in 0..<64 { left[index] /= right }
        }
    }
}

/// Turns the steps of a numeric question into those of a formula, and keeps watch on what may overflow.
private struct FormulaMaker {
    /// What is known of a value on the stack.
    private struct Value {
        var isDouble: Bool
        var bounds: ClosedRange<Int64> = 0...0
        var constant: NumericValue?
    }

    private(set) var steps: [ColumnFormula.Step] = []
    private(set) var nulls: [UnsafePointer<UInt64>] = []
    private var stack: [Value] = []

    var isUppermostDouble: Bool { stack.last?.isDouble ?? true }

    mutating func append(_ steps: UnsafeBufferPointer<NumericStep>) -> Bool {
        steps.allSatisfy { append($0) }
    }

    private mutating func append(_ step: NumericStep) -> Bool {
        switch step.kind {
        case .constant:
            let value = step.constant
            let bounds = value.isDouble ? 0...0 : value.integer...value.integer
            return push(Value(isDouble: value.isDouble, bounds: bounds, constant: value), .constant(value))
        case .stored: return false
        case .fetched: return append((step.source?.takeUnretainedValue() as? ColumnSource)?.column)
        case .operation: return apply(step.operation)
        }
    }

    private mutating func push(_ value: Value, _ step: ColumnFormula.Step) -> Bool {
        stack.append(value)
        steps.append(step)
        return true
    }

    private mutating func append(_ column: Column?) -> Bool {
        guard let column else { return false }
        if let nulls = column.nulls { self.nulls.append(nulls) }
        switch column.storage {
        case .integers(let values, let bounds): return push(Value(isDouble: false, bounds: bounds), .integers(values))
        case .bools(let values): return push(Value(isDouble: false, bounds: 0...1), .bools(values))
        case .doubles(let values): return push(Value(isDouble: true), .doubles(values))
        case .dates, .strings, .codes, .lists, .values: return false
        }
    }

    /// Makes the two uppermost values of one kind; whether that is doubles.
    mutating func alignUppermost() -> Bool {
        guard stack.count > 1 else { return true }
        let (left, right) = (stack.count - 2, stack.count - 1)
        guard stack[left].isDouble || stack[right].isDouble else { return false }
        if !stack[right].isDouble { steps.append(.widened(below: 0)) }
        if !stack[left].isDouble { steps.append(.widened(below: 1)) }
        (stack[left].isDouble, stack[right].isDouble) = (true, true)
        return true
    }

    private mutating func apply(_ operation: ArithmeticPlan.Operation) -> Bool {
        guard let right = stack.last, let left = stack.dropLast().last else { return false }
        if left.isDouble || right.isDouble {
            applyDoubles(operation, left, right)
        } else {
            guard let bounds = left.bounds.combined(operation, right.bounds, isConstant: right.constant != nil) else {
                return false
            }
            if let constant = right.constant {
                steps[steps.count - 1] = .integerConstant(operation, constant.integer)
            } else {
                steps.append(.integerOperation(operation))
            }
            stack.removeLast()
            stack[stack.count - 1] = Value(isDouble: false, bounds: bounds)
        }
        return true
    }

    /// A constant on the right need not be written down 64 times: it was the step before.
    private mutating func applyDoubles(_ operation: ArithmeticPlan.Operation, _ left: Value, _ right: Value) {
        if let constant = right.constant {
            steps.removeLast()
            if !left.isDouble { steps.append(.widened(below: 0)) }
            steps.append(.doubleConstant(operation, constant.double))
        } else {
            _ = alignUppermost()
            steps.append(.doubleOperation(operation))
        }
        stack.removeLast()
        stack[stack.count - 1] = Value(isDouble: true)
    }
}

extension ClosedRange<Int64> {
    /// Between which numbers the results lie; nil where one may overflow, or the divisor is not one good constant.
    fileprivate func combined(
        _ operation: ArithmeticPlan.Operation, _ other: Self, isConstant: Bool
    ) -> ClosedRange<Int64>? {
        let divisor = other.lowerBound
        if operation == .divide, !isConstant || divisor == 0 || divisor == -1 { return nil }
        var ends: [Int64] = []
        for left in [lowerBound, upperBound] {
            for right in [other.lowerBound, other.upperBound] {
                guard let end = NumericValue(left).combined(operation, NumericValue(right)) else { return nil }
                ends.append(end.integer)
            }
        }
        guard let low = ends.min(), let high = ends.max() else { return nil }
        return low...high
    }
}
