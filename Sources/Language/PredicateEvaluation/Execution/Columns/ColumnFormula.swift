import PredicateSyntax

/// Vectorized arithmetic: `score * 2 + 1 > 50`, `spent > budget`, computed on a stack of blocks of 64 rows.
///
/// Integers and doubles are mixed as they are for one object. An expression that may overflow, judging by the bounds
/// of its columns, or may divide by zero has no formula; it is evaluated row by row.
struct ColumnFormula {
    enum BlockOperation {
        /// Pushes 64 values.
        case integers(IntegerRun)
        case bools(UnsafePointer<UInt8>)
        case doubles(UnsafePointer<Double>)
        case constant(NumericValue)
        /// Widens 64 integers to doubles, `below` entries under the top of the stack.
        case widened(below: Int)
        /// `a + b` of the top two entries, which have the same type
        case integerOperation(ArithmeticOperator)
        case doubleOperation(ArithmeticOperator)
        /// `a + 2`
        case integerConstant(ArithmeticOperator, Int64)
        case doubleConstant(ArithmeticOperator, Double)
        /// Pushes 64 values combined with a constant.
        case doublesConstant(UnsafePointer<Double>, ArithmeticOperator, Double)
    }

    private enum ResultTest {
        case integers(IntegerTest)
        case doubles(DoubleTest)
        /// Compares two values.
        case integerOrder(Ordering.Outcomes)
        case doubleOrder(Ordering.Outcomes)
    }

    private let steps: [BlockOperation]
    private let condition: ResultTest
    /// The null bitmaps of the columns.
    let nulls: [UnsafePointer<UInt64>]

    /// Nil for an expression that is evaluated row by row.
    init?(_ numeric: ArithmeticComparison, _ test: LeafTest) {
        var maker = FormulaMaker()
        guard maker.append(numeric.left) else { return nil }
        if let (right, outcomes) = numeric.right {
            guard maker.append(right) else { return nil }
            condition = maker.alignTop() ? .doubleOrder(outcomes) : .integerOrder(outcomes)
        } else {
            guard test.decidesNumbers else { return nil }
            condition = maker.isTopDouble ? .doubles(test.doubles) : .integers(test.integers)
        }
        (steps, nulls) = (maker.steps, maker.nulls)
    }

    func evaluate(_ rows: RowBitmap) {
        let depth = 2 * ArithmeticComparison.depth
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: depth &<< 6) { stack in
            guard let stack = stack.baseAddress else { return }
            for word in 0..<rows.wordCount where rows.selected[word] != 0 {
                run(rows.start &+ word &<< 6, UnsafeMutableRawPointer(stack))
                rows.results[word] = results(UnsafeRawPointer(stack))
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

    private static func widen(_ block: UnsafeMutableRawPointer) {
        for index in 0..<64 {
            let value = block.load(fromByteOffset: index &* 8, as: Int64.self)
            block.storeBytes(of: Double(value), toByteOffset: index &* 8, as: Double.self)
        }
    }

    private func results(_ stack: UnsafeRawPointer) -> UInt64 {
        let integers = stack.assumingMemoryBound(to: Int64.self)
        let doubles = stack.assumingMemoryBound(to: Double.self)
        return switch condition {
        case .integers(let test): RowBitmap.word { test.holds(integers[$0]) }
        case .doubles(let test): test.word64(doubles)
        case .integerOrder(let outcomes): Self.order(outcomes, integers, integers + 64)
        case .doubleOrder(let outcomes): Self.doubleOrder(outcomes, doubles, doubles + 64)
        }
    }

    @inline(__always)
    private static func order<StackEntry: Comparable>(
        _ outcomes: Ordering.Outcomes, _ left: UnsafePointer<StackEntry>, _ right: UnsafePointer<StackEntry>
    ) -> UInt64 {
        var word: UInt64 = 0
        if outcomes.contains(.less) { word |= RowBitmap.word { left[$0] < right[$0] } }
        if outcomes.contains(.equal) { word |= RowBitmap.word { left[$0] == right[$0] } }
        if outcomes.contains(.greater) { word |= RowBitmap.word { left[$0] > right[$0] } }
        return word
    }

    /// Rows in which a side is NaN are compared one by one.
    @inline(__always)
    private static func doubleOrder(
        _ outcomes: Ordering.Outcomes, _ left: UnsafePointer<Double>, _ right: UnsafePointer<Double>
    ) -> UInt64 {
        var word = order(outcomes, left, right)
        var rest = ~RowBitmap.word { left[$0] == left[$0] ? right[$0] == right[$0] : false }
        while rest != 0 {
            let row = rest.trailingZeroBitCount
            if outcomes.contains(Ordering.Outcomes(NumberOrder(left[row], right[row]))) { word |= 1 &<< UInt64(row) }
            rest &= rest &- 1
        }
        return word
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

/// One loop for each operation, over 64 values and 64 further values or a constant.
extension ArithmeticOperator {
    /// For integers that cannot overflow; the divisor is always a constant.
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

    @inline(__always)
    fileprivate func run(_ left: UnsafeMutablePointer<Double>) {
        let right = UnsafePointer(left + 64)
        withLoop { operation in for index in 0..<64 { left[index] = operation(left[index], right[index]) } }
    }

    @inline(__always)
    fileprivate func run(
        _ left: UnsafePointer<Double>, into results: UnsafeMutablePointer<Double>, _ right: Double
    ) {
        withLoop { operation in for index in 0..<64 { results[index] = operation(left[index], right) } }
    }

    /// Calls `body` with the operation chosen once, so that its loop contains no switch.
    @inline(__always)
    private func withLoop(_ body: ((Double, Double) -> Double) -> Void) {
        switch self {
        case .add: body { Self.add.result($0, $1) }
        case .subtract: body { Self.subtract.result($0, $1) }
        case .multiply: body { Self.multiply.result($0, $1) }
        case .divide: body { Self.divide.result($0, $1) }
        }
    }
}

// MARK: - Compilation

/// Compiles the steps of an arithmetic comparison to a formula, using interval arithmetic to exclude overflow.
struct FormulaMaker {
    /// The type and the bounds of a value on the stack.
    private struct StackEntry {
        var isDouble: Bool
        var bounds: ClosedRange<Int64> = 0...0
        var constant: NumericValue?
    }

    private(set) var steps: [ColumnFormula.BlockOperation] = []
    private(set) var nulls: [UnsafePointer<UInt64>] = []
    private var stack: [StackEntry] = []

    var isTopDouble: Bool { stack.last?.isDouble ?? true }

    mutating func append(_ steps: UnsafeBufferPointer<NumericStep>) -> Bool {
        steps.allSatisfy { append($0) }
    }

    private mutating func append(_ step: NumericStep) -> Bool {
        switch step.kind {
        case .constant:
            let value = step.constant
            let bounds = value.isDouble ? 0...0 : value.integer...value.integer
            return push(StackEntry(isDouble: value.isDouble, bounds: bounds, constant: value), .constant(value))
        case .stored: return false
        case .fetched: return append((step.source?.takeUnretainedValue() as? ColumnSource)?.column)
        case .operation: return apply(step.operation)
        }
    }

    private mutating func push(_ value: StackEntry, _ step: ColumnFormula.BlockOperation) -> Bool {
        stack.append(value)
        steps.append(step)
        return true
    }

    private mutating func append(_ column: Column?) -> Bool {
        guard let column else { return false }
        if let nulls = column.nulls { self.nulls.append(nulls) }
        switch column.storage {
        case .integers(let values, let bounds):
            return push(StackEntry(isDouble: false, bounds: bounds), .integers(values))
        case .bools(let values): return push(StackEntry(isDouble: false, bounds: 0...1), .bools(values))
        case .doubles(let values): return push(StackEntry(isDouble: true), .doubles(values))
        case .numbers, .dates, .strings, .codes, .lists, .members, .values: return false
        }
    }

    /// Converts the top two values to the same type; returns true if it is double.
    mutating func alignTop() -> Bool {
        guard stack.count > 1 else { return true }
        let (left, right) = (stack.count - 2, stack.count - 1)
        guard stack[left].isDouble || stack[right].isDouble else { return false }
        if !stack[right].isDouble { steps.append(.widened(below: 0)) }
        if !stack[left].isDouble { steps.append(.widened(below: 1)) }
        (stack[left].isDouble, stack[right].isDouble) = (true, true)
        return true
    }

    private mutating func apply(_ operation: ArithmeticOperator) -> Bool {
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
            stack[stack.count - 1] = StackEntry(isDouble: false, bounds: bounds)
        }
        return true
    }

    /// Applies a constant right operand, pushed by the previous step, without a block of its own.
    private mutating func applyDoubles(_ operation: ArithmeticOperator, _ left: StackEntry, _ right: StackEntry) {
        if let constant = right.constant {
            steps.removeLast()
            if !left.isDouble { steps.append(.widened(below: 0)) }
            if case .doubles(let values)? = steps.last {
                steps[steps.count - 1] = .doublesConstant(values, operation, constant.double)
            } else {
                steps.append(.doubleConstant(operation, constant.double))
            }
        } else {
            _ = alignTop()
            steps.append(.doubleOperation(operation))
        }
        stack.removeLast()
        stack[stack.count - 1] = StackEntry(isDouble: true)
    }
}

extension ClosedRange<Int64> {
    /// Returns the bounds of the results; nil if a result may overflow, or if the divisor is not a constant other
    /// than 0 and -1.
    fileprivate func combined(
        _ operation: ArithmeticOperator, _ other: Self, isConstant: Bool
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
