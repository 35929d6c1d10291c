import PredicateSyntax

/// Functions of many values: `sum(prices)`, `max({1, 2})`, `average(1, 2, 3)`.
///
/// One argument that is a collection stands for its elements; several arguments, or one that is none, for themselves.
/// nil elements do not count; one nil argument gives nil, as the operators of key paths do. All else that is no number
/// throws `notANumber`; `min` and `max` take whatever has an order.
enum Statistics {
    /// Of nothing: 0.
    static let sum: FunctionBody = { (arguments) throws(Fault) in
        try withNumbers(arguments) { (numbers) throws(Fault) in try total(numbers).predicateValue }
    }

    /// The number of elements, nil ones too.
    static let count: FunctionBody = { (arguments) throws(Fault) in
        guard arguments.count == 1 else { return .value(.integer(Int64(arguments.count))) }
        if arguments.argument(0).isNull { return .null }
        return .value(.integer(Int64(arguments.argument(0).elementCount ?? 1)))
    }

    /// Throws `emptyCollection` for nothing.
    static let minimum: FunctionBody = { (arguments) throws(Fault) in try extreme(arguments, "min:", keeps: .less) }

    /// Throws `emptyCollection` for nothing.
    static let maximum: FunctionBody = { (arguments) throws(Fault) in try extreme(arguments, "max:", keeps: .greater) }

    /// A double, or a decimal among decimals. Throws `emptyCollection` for nothing.
    static let average: FunctionBody = { (arguments) throws(Fault) in
        try withNumbers(arguments, notEmptyFor: "average:") { (numbers) throws(Fault) in
            let total = try total(numbers)
            guard case .decimal = total else { return .double(total.doubleValue / Double(numbers.count)) }
            let count = Number.integer(Int64(numbers.count))
            return try faulting { () throws(EvaluationError) in try total.divided(by: count).predicateValue }
        }
    }

    /// The number in the middle, of an even count the mean of the two there. Throws `emptyCollection` for nothing.
    static let median: FunctionBody = { (arguments) throws(Fault) in
        try withNumbers(arguments, notEmptyFor: "median:") { (numbers) in
            let sorted = numbers.sorted { $0.compare($1) == .less }
            let middle = sorted.count / 2
            if sorted.count % 2 == 1 { return sorted[middle].predicateValue }
            return .double(sorted[middle - 1].doubleValue / 2 + sorted[middle].doubleValue / 2)
        }
    }

    /// An array of the numbers that stand most often, in the order of their first appearance; of nothing an empty one.
    ///
    /// A value that is not a number equals none, itself neither: any number stands more often.
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

    /// Of the whole population, not of a sample. Throws `emptyCollection` for nothing.
    static let standardDeviation: FunctionBody = { (arguments) throws(Fault) in
        try withNumbers(arguments, notEmptyFor: "stddev:") { (numbers) in
            let values = numbers.map(\.doubleValue)
            let mean = values.reduce(0, +) / Double(values.count)
            let squares = values.map { ($0 - mean) * ($0 - mean) }
            return .double((squares.reduce(0, +) / Double(values.count)).squareRoot())
        }
    }

    /// The values that a call is about; nil when its only argument is.
    private static func values(_ arguments: [KeyedValue]) -> [KeyedValue]? {
        guard arguments.count == 1 else { return arguments.filter { !$0.isNull } }
        let argument = arguments.argument(0)
        if argument.isNull { return nil }
        return (argument.elements ?? [argument]).filter { !$0.isNull }
    }

    /// What is made of the numbers that a call is about, nil for nil.
    private static func withNumbers(
        _ arguments: [KeyedValue], notEmptyFor function: String? = nil,
        _ body: ([Number]) throws(Fault) -> PredicateValue
    ) throws(Fault) -> KeyedValue {
        guard let values = values(arguments) else { return .null }
        if let function, values.isEmpty { throw Fault(.emptyCollection(function: function)) }
        var numbers: [Number] = []
        numbers.reserveCapacity(values.count)
        for value in values { numbers.append(try value.requiredNumber()) }
        return .value(try body(numbers))
    }

    private static func total(_ numbers: [Number]) throws(Fault) -> Number {
        var total = Number.integer(0)
        for number in numbers {
            total = try faulting { () throws(EvaluationError) in try total.adding(number) }
        }
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
