import Foundation
import PredicateEvaluation
import PredicateGenerators

/// The object of random predicates: some of it has columns, all of it is there in memory.
struct Pet: KeyPathCoding, Codable, Hashable, Sendable {
    var id: Int
    /// Of ASCII alone, so that characters, UTF-16 units and code points are one.
    var plain: String
    var name: String
    var nick: String?
    /// Small, for arithmetic.
    var age: Int
    var bonus: Int?
    /// Of any size, for comparisons.
    var large: Int
    var small: Int8
    var weight: Double
    var ratio: Double?
    var isTame: Bool
    var isSold: Bool?
    var born: Date
    var died: Date?
    var code: UUID
    var chip: Data?
    var kind: Kind
    var tags: [String] = []
    var scores: [Int] = []
    var gaps: [Int?] = []
    var flags: Set<String> = []
    var notes: [String]?
    var marks: [String: Int] = [:]
    var friends: [Mate] = []
    var best: Mate?

    var isAdult: Bool { age >= 18 }

    static let keys: KeyPathTable<Pet> = [
        "id": .key(\.id), "plain": .key(\.plain), "name": .key(\.name), "nick": .key(\.nick), "age": .key(\.age),
        "bonus": .key(\.bonus), "large": .key(\.large), "small": .key(\.small), "weight": .key(\.weight),
        "ratio": .key(\.ratio), "isTame": .key(\.isTame), "isSold": .key(\.isSold), "born": .key(\.born),
        "died": .key(\.died), "code": .key(\.code), "chip": .key(\.chip), "kind": .key(\.kind), "tags": .key(\.tags),
        "scores": .key(\.scores), "gaps": .key(\.gaps), "flags": .key(\.flags), "notes": .key(\.notes),
        "marks": .key(\.marks), "friends": .key(\.friends), "best": .key(\.best), "adult": .key(\.isAdult),
    ]
}

struct Mate: KeyPathCoding, Codable, Hashable, Sendable {
    var id: Int
    var plain: String
    var nick: String?
    var age: Int
    var bonus: Int?
    var isTame: Bool

    static let keys: KeyPathTable<Mate> = [
        "id": .key(\.id), "plain": .key(\.plain), "nick": .key(\.nick), "age": .key(\.age), "bonus": .key(\.bonus),
        "isTame": .key(\.isTame),
    ]
}

/// Values of every kind, of which some look alike and none are lost in a column.
struct PetValues {
    var random: RandomSource

    static let plain = ["", "a", "b", "A", "ab", "ba", "aba", "J.o", "a b", "z\n", "10", "9", "*", "%"]
    /// Composed, so that equality and order by code points are those of Swift; searches look for ASCII in them.
    static let texts = [
        "", "a", "A", "ab", "é", "à", "ñandú", "ß", "ss", "İ", "👍🏽", "👩‍👧", "🇳🇴", "한국", "が", "z", "a\u{0}b", "\r\nx", "ﬁ",
        "Å",
    ]
    static let needles = ["", "a", "b", "ab", "s", "n", "x", "J.", "%"]
    static let large = [0, 1, -1, Int.max, Int.min, 1 << 53, (1 << 53) + 1, (1 << 53) - 1, 7]
    static let doubles = [
        0, -0.0, 1, 1.5, -2.25, 0.1, 0.1 + 0.2, Double.leastNonzeroMagnitude, 0x1p53, 0x1p53 + 2, 1e300, -1e300,
        .infinity, -.infinity,
    ]
    static let factors = [1, 2, 0.5, -3, 10]
    static let moments = [0, 1, 0.001, -1.5, 599_292_299.577, 1e9, -978_307_200].map(
        Date.init(timeIntervalSinceReferenceDate:))
    static let codes = (0..<3).map { UUID(uuid: (UInt8($0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255)) }
    static let chips = [Data(), Data([0]), Data([255, 0, 1])]

    mutating func optional<Value>(_ values: [Value]) -> Value? {
        random.oneIn(3) ? nil : random.one(of: values)
    }

    mutating func age() -> Int { random.below(9) - 3 }

    mutating func list<Value>(_ make: (inout PetValues) -> Value) -> [Value] {
        (0..<random.below(4)).map { _ in make(&self) }
    }

    mutating func mate(_ id: Int) -> Mate {
        Mate(
            id: id, plain: random.one(of: Self.plain), nick: optional(Self.plain), age: age(),
            bonus: optional([0, 1, 2]), isTame: random.oneIn(2))
    }

    mutating func pet(_ id: Int) -> Pet {
        var pet = Pet(
            id: id, plain: random.one(of: Self.plain), name: random.one(of: Self.texts), nick: optional(Self.texts),
            age: age(), bonus: optional([-1, 0, 1, 2, 3]), large: random.one(of: Self.large),
            small: Int8(clamping: random.below(256) - 128), weight: random.one(of: Self.factors),
            ratio: optional(Self.doubles), isTame: random.oneIn(2), isSold: optional([true, false]),
            born: random.one(of: Self.moments), died: optional(Self.moments), code: random.one(of: Self.codes),
            chip: optional(Self.chips), kind: random.one(of: Kind.allCases))
        pet.tags = list { $0.random.one(of: Self.plain) }
        pet.scores = list { $0.age() }
        pet.gaps = list { $0.optional([0, 1, 2]) }
        pet.flags = Set(list { $0.random.one(of: Self.texts) })
        pet.notes = random.oneIn(3) ? nil : list { $0.random.one(of: Self.plain) }
        for key in ["a", "b", "é"] where random.oneIn(2) { pet.marks[key] = age() }
        let first = id * 10
        pet.friends = (0..<random.below(4)).map { mate(first + $0) }
        pet.best = random.oneIn(3) ? nil : mate(first + 5)
        return pet
    }
}
