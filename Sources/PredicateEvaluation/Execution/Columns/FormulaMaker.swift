/// Compiles the steps of an arithmetic comparison to those of a formula, with interval arithmetic for overflow.
struct FormulaMaker {
    /// The type and the bounds of a value on the stack.
    private struct Value {
        var isDouble: Bool
        var bounds: ClosedRange<Int64> = 0...0
        var constant: NumericValue?
    }

    private(set) var steps: [ColumnFormula.Step] = []
    private(set) var nulls: [UnsafePointer<UInt64>] = []
    private var stack: [Value] = []

    var isTopDouble: Bool { stack.last?.isDouble ?? true }

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
        case .numbers, .dates, .strings, .codes, .lists, .members, .values: return false
        }
    }

    /// Makes the two values on top of one kind; true if that is doubles.
    mutating func alignTop() -> Bool {
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

    /// Applies a constant on the right, which was the step before, without a block of its own.
    private mutating func applyDoubles(_ operation: ArithmeticPlan.Operation, _ left: Value, _ right: Value) {
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
        stack[stack.count - 1] = Value(isDouble: true)
    }
}

extension ClosedRange<Int64> {
    /// The bounds of the results; nil where one may overflow, or the divisor is no constant but 0 and -1.
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
