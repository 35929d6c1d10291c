/// SplitMix64: the same numbers from the same seed, on every machine.
public struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        self.state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number below the bound, 0 for a bound of 0. The bias of the remainder is too small to matter here, and the
    /// standard library does not promise the same numbers in its next version.
    public mutating func below(_ bound: Int) -> Int {
        bound > 0 ? Int(next() % UInt64(bound)) : 0
    }

    /// A number from 0 to below 1.
    public mutating func fraction() -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992
    }

    /// One of the elements, which are never none.
    public mutating func pick(_ elements: [String]) -> String {
        elements.isEmpty ? "" : elements[below(elements.count)]
    }
}
