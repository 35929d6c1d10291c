import PredicateGenerators
import PredicateSyntax

/// Formats and data that nobody means well by: real ones with something broken, words thrown together, deep nests.
struct HostileInputs {
    private static let files = [
        "[{\"name\": \"jo\", \"age\": 21, \"tags\": [\"a\"]}, {\"name\": null, \"age\": 2.5, \"born\": {}}]",
        "{\"name\": \"é\", \"age\": 1}\n{\"age\": [1, 2, {\"x\": null}]}\n", "name,age\n\"jo\",21\n,\n",
        "name\tage\nx\t1\n",
    ]
    private static let openings = [
        "(", "{", "NOT ", "-", "~", "a + ", "a.", "f(", "a[", "SUBQUERY(a, $x, ", "'", "TERNARY(",
    ]

    var random: RandomSource
    private let formats: [[UInt8]]
    private let words: [[UInt8]]

    init(seed: UInt64, formats: [[UInt8]]) {
        random = RandomSource(seed: seed)
        self.formats = formats
        let others = ["%@", "%K", "$v", "'x'", "1", "age", "name", "[cd]", "\u{301}", "\0", "{1, 2}", "\\u", "1e400"]
        words = (Keyword.allCases.map(\.rawValue) + Symbol.allCases.map(\.rawValue) + others).map { Array($0.utf8) }
    }

    mutating func format() -> [UInt8] {
        switch random.below(16) {
        case 0: nest()
        case 1, 2: sentence()
        case 3, 4: generated()
        default: damaged(random.one(of: formats))
        }
    }

    mutating func file() -> [UInt8] {
        let file = Array(random.one(of: Self.files).utf8)
        return random.oneIn(3) ? file : damaged(file)
    }

    private mutating func nest() -> [UInt8] {
        let opening = Array(random.one(of: Self.openings).utf8)
        return Array(repeatElement(opening, count: random.below(600)).joined()) + random.one(of: words)
    }

    private mutating func sentence() -> [UInt8] {
        Array((0..<random.below(24)).map { _ in random.one(of: words) }.joined(separator: [32]))
    }

    private mutating func generated() -> [UInt8] {
        var formats = RandomFormats(random: RandomSource(seed: random.next()))
        return Array(formats.next().utf8)
    }

    /// One to four changes: bytes lost, changed, doubled, a word put in, the end of another text put on.
    private mutating func damaged(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0...random.below(4) {
            let place = random.below(text.count + 1)
            let end = min(text.count, place + random.below(8))
            switch random.below(6) {
            case 0: text.removeSubrange(place..<end)
            case 1: text.insert(UInt8(random.below(256)), at: place)
            case 2: text.insert(contentsOf: text[place..<end], at: place)
            case 3: text.insert(contentsOf: [32] + random.one(of: words) + [32], at: place)
            case 4: text = text[..<place] + random.one(of: formats).suffix(random.below(40))
            default: if place < text.count { text[place] = UInt8(random.below(256)) }
            }
        }
        return text
    }
}
