/// Random numbers that are the same in every run (SplitMix64).
struct AgreementRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0 ≤ result < bound, and 0 for a bound that is not above it.
    mutating func below(_ bound: Int) -> Int {
        bound > 0 ? Int(next() % UInt64(bound)) : 0
    }

    /// True so many times in a hundred.
    mutating func percent(_ chance: Int) -> Bool {
        below(100) < chance
    }

    /// One of the elements; nil of none.
    mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// One of the elements, the first where there is but one: the list is not empty.
    mutating func pick<Element>(_ first: Element, _ others: Element...) -> Element {
        let number = below(others.count + 1)
        return number == 0 ? first : others[number - 1]
    }

    /// A choice among weighted ones: the position of the weight that was met.
    mutating func weighted<Choice>(_ choices: KeyValuePairs<Choice, Int>) -> Choice? {
        var rest = below(choices.reduce(0) { $0 + $1.value })
        for (choice, weight) in choices {
            if rest < weight { return choice }
            rest -= weight
        }
        return choices.first?.key
    }
}
