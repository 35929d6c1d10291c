/// Numbers added up: integers exactly, in any order, until a number of another kind comes.
struct NumberTotal {
    private var integers: Int128 = 0
    private var others: Number?

    mutating func add(_ number: Number) throws(EvaluationError) {
        if case .integer(let integer) = number, others == nil {
            integers += Int128(integer)
        } else {
            others = try (others ?? whole).adding(number)
        }
    }

    /// The sum. Throws `integerOverflow` for integers whose sum is past 64 bits.
    func sum() throws(EvaluationError) -> Number {
        if let others { return others }
        guard let integer = Int64(exactly: integers) else { throw EvaluationError(.integerOverflow) }
        return .integer(integer)
    }

    /// The sum by a count: a decimal if the sum is one, else a double, though the sum of integers may be past 64 bits.
    func average(of count: Int) throws(EvaluationError) -> Number {
        let count = Number.integer(Int64(count))
        if case .decimal? = others { return try whole.divided(by: count) }
        return .double(whole.doubleValue / count.doubleValue)
    }

    private var whole: Number { others ?? Int64(exactly: integers).map(Number.integer) ?? .double(Double(integers)) }
}
