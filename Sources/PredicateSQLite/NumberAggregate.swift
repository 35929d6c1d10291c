internal import CPredicateSQLite

/// An aggregate of numbers, as `predicate filter` computes it of records: NULL is ignored, and without numbers the result
/// is NULL.
///
/// `predicates_sum(t0."price" * t0."quantity")`
final class NumberAggregate {
    enum Operation { case sum, average, median }

    private let operation: Operation
    private var count = 0
    /// The sum of the integers. `double` is that of the doubles, and of integers that exceed 64 bits.
    private var integer: Int64 = 0
    private var double = 0.0
    /// The rounding error of `double`.
    private var correction = 0.0
    private var hasDoubles = false
    /// The numbers of a median, and the same numbers as long as all are integers.
    private var (numbers, integers): ([Double], [Int64]) = ([], [])

    private init(_ operation: Operation) {
        self.operation = operation
    }

    private func add(_ call: FunctionCall) {
        switch call.storage(0) {
        case .integer: add(integer: call.integer(0))
        case .double: add(double: call.double(0))
        case .null, .text, .blob: return
        }
        count += 1
    }

    private func add(integer value: Int64) {
        if operation == .median {
            numbers.append(Double(value))
            return integers.append(value)
        }
        let (sum, isTooLarge) = integer.addingReportingOverflow(value)
        if isTooLarge { sumUp(Double(value)) } else { integer = sum }
    }

    private func add(double value: Double) {
        guard operation == .median else { return sumUp(value) }
        hasDoubles = true
        numbers.append(value)
    }

    /// Adds with Neumaier's compensation.
    private func sumUp(_ value: Double) {
        hasDoubles = true
        let sum = double + value
        if sum.isFinite {
            correction += double.magnitude >= value.magnitude ? (double - sum) + value : (value - sum) + double
        }
        double = sum
    }

    private func finish(_ call: FunctionCall) {
        if count == 0 { return call.returnNull() }
        switch operation {
        case .sum where !hasDoubles: call.return(integer)
        case .sum: call.return(sum)
        case .average: call.return(sum / Double(count))
        case .median: returnMedian(call)
        }
    }

    private var sum: Double { hasDoubles ? double + correction + Double(integer) : Double(integer) }

    private func returnMedian(_ call: FunctionCall) {
        let middle = count / 2
        if !hasDoubles, count % 2 == 1 { return call.return(integers.sorted()[middle]) }
        let sorted = numbers.sorted()
        call.return(count % 2 == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2)
    }
}

/// The calls by SQLite, which keeps one object for each group of rows.
extension NumberAggregate {
    static func step(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ operation: Operation
    ) {
        guard let context, let arguments, let slot = DecimalAggregate.slot(context, create: true) else { return }
        if let kept = slot.pointee {
            return Unmanaged<NumberAggregate>.fromOpaque(kept)._withUnsafeGuaranteedRef { aggregate in
                aggregate.add(FunctionCall(context, arguments))
            }
        }
        let aggregate = NumberAggregate(operation)
        slot.pointee = Unmanaged.passRetained(aggregate).toOpaque()
        aggregate.add(FunctionCall(context, arguments))
    }

    /// SQLite calls this also if the statement ends with an error.
    static func finish(_ context: OpaquePointer?, _ operation: Operation) {
        guard let context else { return }
        var aggregate = NumberAggregate(operation)
        if let slot = DecimalAggregate.slot(context, create: false), let kept = slot.pointee {
            aggregate = Unmanaged<NumberAggregate>.fromOpaque(kept).takeRetainedValue()
            slot.pointee = nil
        }
        var arguments: OpaquePointer?
        aggregate.finish(FunctionCall(context, &arguments))
    }
}
