import PredicateGenerators
import PredicateReference
@testable import PredicateText

/// A reproducible sequence of numbers for a seed.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
}

/// Strings in which folding, lengths and boundaries go wrong if they can.
struct Sample {
    let string: String
    let folded: [Unicode.Scalar]

    init(_ letters: [String], _ mode: FoldMode) {
        string = letters.joined()
        folded = SlowText.fold(string, mode)
    }

    static let plain = ["a", "A", "b", "B", "s", "S", "i", "I", "k", "f", "z", "Z", "@", "[", "`", "{", " ", "0"]
    static let awkward = [
        "é", "É", "e\u{301}", "\u{301}", "\u{300}\u{345}", "ß", "ẞ", "ss", "İ", "ı", "i\u{307}", "ﬁ", "ﬃ", "Σ", "σ",
        "ς", "ᾳ", "ΐ", "Å", "\u{212B}", "\u{212A}", "ø", "ñ", "ŉ", "가", "\u{1100}\u{1161}", "が", "か", "\u{3099}", "👩‍👦",
        "🇦", "\u{FE0F}", "\u{10400}", "\u{10428}", "\u{1D160}", "\u{F900}", "\u{E0100}", "\u{10FFFF}", "\0", "\n",
        "\r\n", "한", "\u{1112}\u{1161}\u{11AB}", "하", "\u{327}", "e\u{327}\u{301}", "क\u{93C}", "\u{958}", "न\u{93C}",
        "ا\u{653}",
        "\u{1161}", "\u{11A8}", "\u{64E}", "👍🏽", "\u{1F3FD}", "И\u{306}", "й", "\u{DDD}", "\u{CCB}", "\u{CC6}", "ŉ", "ẚ",
        "ｶ\u{FF9E}",
    ]
    static let wildcards = ["*", "?", "\\", "\\*", "\\?", "\\\\", "*", "?"]
}

/// Draws samples of one mode.
struct Sampler {
    let mode: FoldMode
    private var numbers: SeededNumbers

    init(_ mode: FoldMode) {
        self.mode = mode
        numbers = SeededNumbers(seed: 42 + UInt64(mode.rawValue))
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &numbers)
    }

    func sample(_ letters: [String]) -> Sample {
        Sample(letters, mode)
    }

    /// Letters of which about one in `rarity` is awkward.
    mutating func letters(_ count: Int, rarity: Int) -> [String] {
        (0..<count).map { _ in
            let alphabet = number(1...rarity) == 1 ? Sample.awkward : Sample.plain
            return alphabet[number(0...alphabet.count - 1)]
        }
    }

    mutating func pattern(_ count: Int) -> String {
        (0..<count).map { _ in
            number(1...2) == 1 ? Sample.wildcards[number(0...Sample.wildcards.count - 1)] : letters(1, rarity: 2)[0]
        }.joined()
    }

    /// A piece of the letters, changed a little as often as not.
    mutating func piece(of letters: [String]) -> [String] {
        let start = number(0...letters.count)
        var piece = Array(letters[start..<number(start...letters.count)])
        if number(1...2) == 1 { piece = piece.map { number(1...3) == 1 ? $0.uppercased() : $0 } }
        if number(1...4) == 1, !piece.isEmpty { piece[number(0...piece.count - 1)] = self.letters(1, rarity: 2)[0] }
        return piece
    }
}
