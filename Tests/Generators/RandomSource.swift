/// Choices for generators: the same in every run for the same seed, or spelled out by bytes.
///
/// `RandomSource(seed: 7)` is SplitMix64. `RandomSource(bytes: input)` lets a fuzzer choose: each choice takes as many
/// bytes as its bound needs; when they are used up, it goes on as one with the seed 0.
package struct RandomSource: RandomNumberGenerator {
    private var state: UInt64
    private var bytes: ArraySlice<UInt8> = []

    package init(seed: UInt64) {
        state = seed
    }

    package init(bytes: ArraySlice<UInt8>) {
        state = 0
        self.bytes = bytes
    }

    package mutating func next() -> UInt64 {
        bytes.isEmpty ? scrambled() : taken(8)
    }

    private mutating func scrambled() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private mutating func taken(_ count: Int) -> UInt64 {
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// 0 ≤ result < bound, and 0 for a bound that is not above it.
    package mutating func below(_ bound: Int) -> Int {
        guard bound > 0 else { return 0 }
        let number = bytes.isEmpty ? scrambled() : taken(bound <= 256 ? 1 : bound <= 65_536 ? 2 : 8)
        return Int(number % UInt64(bound))
    }

    /// True so many times in a hundred.
    package mutating func percent(_ chance: Int) -> Bool {
        below(100) < chance
    }

    /// True once in so many times.
    package mutating func oneIn(_ number: Int) -> Bool {
        below(number) == 0
    }

    /// One of the elements, which are not none.
    package mutating func one<Element>(of elements: some Collection<Element>) -> Element {
        elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
    }

    /// One of the elements; nil of none.
    package mutating func any<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// One of the elements.
    package mutating func pick<Element>(_ first: Element, _ others: Element...) -> Element {
        let number = below(others.count + 1)
        return number == 0 ? first : others[number - 1]
    }

    /// A choice among weighted ones: the position of the weight that was met.
    package mutating func weighted<Choice>(_ choices: KeyValuePairs<Choice, Int>) -> Choice? {
        var rest = below(choices.reduce(0) { $0 + $1.value })
        for (choice, weight) in choices {
            if rest < weight { return choice }
            rest -= weight
        }
        return choices.first?.key
    }

    /// The bytes that are left, as bytes.
    package mutating func rest() -> ArraySlice<UInt8> {
        defer { bytes = [] }
        return bytes
    }
}
