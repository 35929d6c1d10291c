import Foundation

/// Makes people: the same ones from the same seed, and the first thousand of a million are the thousand.
public struct PersonGenerator: Sequence, IteratorProtocol, Sendable {
    private var random: RandomSource

    public init(seed: UInt64 = 20_010_101) {
        self.random = RandomSource(seed: seed)
    }

    /// Returns people whose strings and arrays share no memory.
    public static func people(_ count: Int, seed: UInt64 = 20_010_101) -> [Person] {
        Array(PersonGenerator(seed: seed).prefix(count))
    }

    public mutating func next() -> Person? {
        let (name, account) = makeName()
        return Person(
            name: name, age: random.below(100),
            email: "\(account)\(random.below(10_000))@\(random.pick(Vocabulary.domains))",
            score: Double(random.below(100_000)) / 1_000, tags: makeTags(), active: random.below(100) < 70,
            created: makeDate(), dept: Department(name: random.pick(Vocabulary.departments)))
    }

    /// Nine names in ten are ASCII; in the tenth the first name, the last name or both have other letters.
    private mutating func makeName() -> (name: String, account: String) {
        let first = random.pick(Vocabulary.firstNames)
        let last = random.pick(Vocabulary.lastNames)
        let account = "\(first).\(last)".lowercased()
        guard random.below(10) == 0 else { return ("\(first) \(last)", account) }
        let accentedFirst = random.pick(Vocabulary.accentedFirstNames)
        let accentedLast = random.pick(Vocabulary.accentedLastNames)
        return switch random.below(3) {
        case 0: ("\(accentedFirst) \(last)", account)
        case 1: ("\(first) \(accentedLast)", account)
        default: ("\(accentedFirst) \(accentedLast)", account)
        }
    }

    /// None to four, sometimes the same twice.
    private mutating func makeTags() -> [String] {
        (0..<random.below(5)).map { _ in random.pick(Vocabulary.tags) }
    }

    /// A full second of the ten years from 2015 on.
    private mutating func makeDate() -> Date {
        Date(timeIntervalSinceReferenceDate: 441_763_200 + Double(random.below(315_532_800)))
    }
}

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

    /// Returns one of the elements, which must not be empty.
    public mutating func pick(_ elements: [String]) -> String {
        elements.isEmpty ? "" : elements[below(elements.count)]
    }
}
