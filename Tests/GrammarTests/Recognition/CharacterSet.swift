/// Characters of ASCII, and whether all others belong too: what can stand first, or what one step matches.
struct CharacterSet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private var hasOthers = false

    static let none = CharacterSet()
    static let all = CharacterSet(low: .max, high: .max, hasOthers: true)

    private init(low: UInt64 = 0, high: UInt64 = 0, hasOthers: Bool = false) {
        self.low = low
        self.high = high
        self.hasOthers = hasOthers
    }

    /// The character that a terminal begins with, in both cases where it matches any.
    init(firstOf terminal: GrammarTerminal) {
        guard let first = terminal.text.unicodeScalars.first else { return }
        insert(first)
        guard terminal.isAnyCase, first.properties.isAlphabetic else { return }
        for text in [String(first).lowercased(), String(first).uppercased()] {
            text.unicodeScalars.forEach { insert($0) }
        }
    }

    init(_ scalar: Unicode.Scalar) {
        insert(scalar)
    }

    mutating func insert(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case ..<64: low |= 1 << UInt64(scalar.value)
        case ..<128: high |= 1 << UInt64(scalar.value - 64)
        default: hasOthers = true
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<64: low >> UInt64(scalar.value) & 1 == 1
        case ..<128: high >> UInt64(scalar.value - 64) & 1 == 1
        default: hasOthers
        }
    }

    func union(_ other: CharacterSet) -> CharacterSet {
        CharacterSet(low: low | other.low, high: high | other.high, hasOthers: hasOthers || other.hasOthers)
    }

    func subtracting(_ other: CharacterSet) -> CharacterSet {
        CharacterSet(low: low & ~other.low, high: high & ~other.high, hasOthers: hasOthers && !other.hasOthers)
    }
}
