import PredicateSyntax

/// Functions of many values: `sum(prices)`, `max({1, 2})`, `average(1, 2, 3)`.
///
/// A single argument that is a collection stands for its elements; other arguments stand for themselves.
/// nil elements are skipped; a single nil argument gives nil, as with the operators of key paths. Values that are not
/// numbers throw `notANumber`; `min` and `max` take all values that have an order.
enum Statistics {
    /// The sum; 0 for an empty collection.
    static let sum: FunctionBody = { (arguments) throws(Fault) in
        try withNumbers(arguments) { (numbers) throws(Fault) in
            try faulting { () throws(EvaluationError) in try total(numbers).sum().predicateValue }
        }
    }

    /// The number of elements, nil ones too.
    static let count: FunctionBody = { (arguments) throws(Fault) in
        guard arguments.count == 1 else { return .value(.integer(Int64(arguments.count))) }
        if arguments.argument(0).isNull { return .null }
        return .value(.integer(Int64(arguments.argument(0).elementCount ?? 1)))
    }

    /// The least value. Throws `emptyCollection`.
    static let minimum: FunctionBody = { (arguments) throws(Fault) in try extreme(arguments, "min:", keeps: .less) }

    /// The greatest value. Throws `emptyCollection`.
    static let maximum: FunctionBody = { (arguments) throws(Fault) in try extreme(arguments, "max:", keeps: .greater) }

    /// The mean: a decimal among decimals, else a double. Throws `emptyCollection`.
    static let average: FunctionBody = { (arguments) throws(Fault) in
        try withNumbers(arguments, notEmptyFor: "average:") { (numbers) throws(Fault) in
            try faulting { () throws(EvaluationError) in
                try total(numbers).average(of: numbers.count).predicateValue
            }
        }
    }

    /// The number in the middle, or the mean of the two there. Throws `emptyCollection`.
    static let median: FunctionBody = { (arguments) throws(Fault) in
        try withNumbers(arguments, notEmptyFor: "median:") { (numbers) in
            let sorted = numbers.sorted { $0.compare($1) == .less }
            let middle = sorted.count / 2
            if sorted.count % 2 == 1 { return sorted[middle].predicateValue }
            return .double(sorted[middle - 1].doubleValue / 2 + sorted[middle].doubleValue / 2)
        }
    }

    /// An array of the most frequent numbers, in the order of their first appearance; empty for an empty collection.
    static let mode: FunctionBody = { (arguments) throws(Fault) in
        try withNumbers(arguments) { (numbers) in
            let values = numbers.map { DistinctValue(.value($0.predicateValue)) }
            var counts: [DistinctValue: Int] = [:]
            for value in values { counts[value, default: 0] += 1 }
            let most = values.map { counts[$0] ?? 0 }.max()
            let modes = values.map(\.value).distinct.filter { counts[DistinctValue($0)] ?? 0 == most }
            return .array(modes.compactMap(\.predicateValue))
        }
    }

    /// The standard deviation of the population, not of a sample. Throws `emptyCollection`.
    static let standardDeviation: FunctionBody = { (arguments) throws(Fault) in
        try withNumbers(arguments, notEmptyFor: "stddev:") { (numbers) in
            let values = numbers.map(\.doubleValue)
            let mean = values.reduce(0, +) / Double(values.count)
            let squares = values.map { ($0 - mean) * ($0 - mean) }
            return .double((squares.reduce(0, +) / Double(values.count)).squareRoot())
        }
    }

    /// The values of a call without nil; nil if its only argument is nil.
    private static func values(_ arguments: [KeyedValue]) -> [KeyedValue]? {
        guard arguments.count == 1 else { return arguments.filter { !$0.isNull } }
        let argument = arguments.argument(0)
        if argument.isNull { return nil }
        return (argument.elements ?? [argument]).filter { !$0.isNull }
    }

    /// The result of work on the numbers of a call, nil for nil.
    private static func withNumbers(
        _ arguments: [KeyedValue], notEmptyFor function: String? = nil,
        _ body: ([Number]) throws(Fault) -> PredicateValue
    ) throws(Fault) -> KeyedValue {
        guard let numbers = try numbers(arguments, notEmptyFor: function) else { return .null }
        return .value(try body(numbers))
    }

    /// The numbers of a call; nil if its only argument is nil.
    @inline(never)
    private static func numbers(
        _ arguments: [KeyedValue], notEmptyFor function: String?
    ) throws(Fault) -> [Number]? {
        guard let values = values(arguments) else { return nil }
        if let function, values.isEmpty { throw Fault(.emptyCollection(function: function)) }
        var numbers: [Number] = []
        numbers.reserveCapacity(values.count)
        for value in values { numbers.append(try value.requiredNumber()) }
        return numbers
    }

    @inline(never)
    private static func total(_ numbers: [Number]) throws(EvaluationError) -> NumberTotal {
        var total = NumberTotal()
        for number in numbers { try total.add(number) }
        return total
    }

    private static func extreme(
        _ arguments: [KeyedValue], _ function: String, keeps order: Ordering.Outcomes
    ) throws(Fault) -> KeyedValue {
        guard let values = values(arguments) else { return .null }
        guard var best = values.first else { throw Fault(.emptyCollection(function: function)) }
        for value in values.dropFirst() where try Ordering.compare(value, best, .none) == order { best = value }
        return best
    }
}
