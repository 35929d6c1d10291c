import PredicateSyntax

/// Vectorized arithmetic: `score * 2 + 1 > 50`, `spent > budget`, computed on a stack of blocks of 64 rows.
///
/// Integers and doubles mix as they do for one object. An expression that may overflow, by the bounds of its columns, or
/// divide by zero has no formula: it is evaluated row by row.
struct ColumnFormula {
    typealias Operation = ArithmeticPlan.Operation

    enum Step {
        /// Pushes 64 values.
        case integers(IntegerRun)
        case bools(UnsafePointer<UInt8>)
        case doubles(UnsafePointer<Double>)
        case constant(NumericValue)
        /// Widens 64 integers to doubles, `below` entries under the top of the stack.
        case widened(below: Int)
        /// `a + b` of the two on top, both of one kind
        case integerOperation(Operation)
        case doubleOperation(Operation)
        /// `a + 2`
        case integerConstant(Operation, Int64)
        case doubleConstant(Operation, Double)
        /// Pushes 64 values that have met a constant.
        case doublesConstant(UnsafePointer<Double>, Operation, Double)
    }

    private enum Condition {
        case integers(IntegerTest)
        case doubles(DoubleTest)
        /// The order of two values.
        case integerOrder(Ordering.Outcomes)
        case doubleOrder(Ordering.Outcomes)
    }

    private let steps: [Step]
    private let condition: Condition
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
    private static func order<Value: Comparable>(
        _ outcomes: Ordering.Outcomes, _ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>
    ) -> UInt64 {
        var word: UInt64 = 0
        if outcomes.contains(.less) { word |= RowBitmap.word { left[$0] < right[$0] } }
        if outcomes.contains(.equal) { word |= RowBitmap.word { left[$0] == right[$0] } }
        if outcomes.contains(.greater) { word |= RowBitmap.word { left[$0] > right[$0] } }
        return word
    }

    /// The rows where a side is not a number are compared one by one.
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

/// A loop for each operation, over 64 values and the 64 after them, or a constant.
extension ArithmeticPlan.Operation {
    /// Integers that cannot overflow; divided only by constants.
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

    /// Calls `body` with the operation chosen once, so that its loop has no switch in it.
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
