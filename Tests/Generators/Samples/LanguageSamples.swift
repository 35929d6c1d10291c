import Foundation
import PredicateEvaluation
import PredicateSyntax

/// An animal of a friend: the third level of objects.
package struct LanguagePet: KeyPathCoding, Hashable, Sendable {
    package var name: String?
    package var legs: Int

    package static let keys: KeyPathTable<LanguagePet> = ["name": .key(\.name), "legs": .key(\.legs)]
}

/// The elements of a to-many key.
package struct LanguageFriend: KeyPathCoding, Hashable, Sendable {
    package var name: String?
    package var age: Int
    package var tags: [String]
    package var pets: [LanguagePet]

    package static let keys: KeyPathTable<LanguageFriend> = [
        "name": .key(\.name), "age": .key(\.age), "tags": .key(\.tags), "pets": .key(\.pets),
    ]
}

/// An object that leads to others, so that paths, collections and the functions of collections have what they need.
package struct LanguageSample: KeyPathCoding, Sendable {
    package var name: String
    package var nick: String?
    package var age: Int
    package var rank: Int?
    package var score: Double
    package var price: Decimal
    package var active: Bool
    package var born: Date?
    package var tags: [String]
    package var marks: [Int]
    package var bag: Set<String>
    package var words: [String: Int]
    package var boss: LanguageFriend?
    package var friends: [LanguageFriend]

    package static let keys: KeyPathTable<LanguageSample> = [
        "name": .key(\.name), "nick": .key(\.nick), "age": .key(\.age), "rank": .key(\.rank), "score": .key(\.score),
        "price": .key(\.price), "active": .key(\.active), "born": .key(\.born), "tags": .key(\.tags),
        "marks": .key(\.marks), "bag": .key(\.bag), "words": .key(\.words), "boss": .key(\.boss),
        "friends": .key(\.friends),
    ]

    private static let names = ["jo", "Jo", "josé", "straße", "swift", "", "a b", "21", "1.5", "x,y"]

    package init(_ random: inout RandomSource) {
        name = random.one(of: Self.names)
        nick = random.oneIn(3) ? nil : random.one(of: Self.names)
        age = random.one(of: [0, 1, 2, 3, 21, -5, 9_007_199_254_740_993, .max])
        rank = random.oneIn(3) ? nil : random.below(4)
        score = random.one(of: [0, 1.5, 2, 21, -0.25, 0x1p53, .nan, .infinity])
        price = random.one(of: [0, 1, 1.5, 21])
        active = random.oneIn(2)
        born = random.oneIn(3) ? nil : Date(timeIntervalSinceReferenceDate: Double(random.below(3)) * 50)
        tags = Self.some(&random) { $0.one(of: Self.names) }
        marks = Self.some(&random) { $0.one(of: [0, 1, 2, 2, 21]) }
        bag = Set(Self.some(&random) { $0.one(of: Self.names) })
        words = random.oneIn(2) ? ["one": 1, "jo": 2] : ["swift": random.below(3)]
        boss = random.oneIn(3) ? nil : Self.friend(&random)
        friends = Self.some(&random, Self.friend)
    }

    private static func some<Element>(
        _ random: inout RandomSource, _ make: (inout RandomSource) -> Element
    ) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<random.below(4) { elements.append(make(&random)) }
        return elements
    }

    private static func friend(_ random: inout RandomSource) -> LanguageFriend {
        LanguageFriend(
            name: random.oneIn(4) ? nil : random.one(of: names), age: random.below(4),
            tags: some(&random) { $0.one(of: names) },
            pets: some(&random) { LanguagePet(name: $0.oneIn(4) ? nil : $0.one(of: names), legs: $0.below(5)) })
    }

    /// The sample as plain data, with dictionaries for objects.
    package var data: [String: PredicateValue] {
        [
            "name": name.predicateValue, "nick": nick.predicateValue, "age": age.predicateValue,
            "rank": rank.predicateValue, "score": score.predicateValue, "price": price.predicateValue,
            "active": active.predicateValue, "born": born.predicateValue, "tags": tags.predicateValue,
            "marks": marks.predicateValue, "bag": bag.predicateValue, "words": words.predicateValue,
            "boss": boss.map(Self.data) ?? .null, "friends": .array(friends.map(Self.data)),
        ]
    }

    private static func data(_ friend: LanguageFriend) -> PredicateValue {
        [
            "name": friend.name.predicateValue, "age": friend.age.predicateValue, "tags": friend.tags.predicateValue,
            "pets": .array(friend.pets.map { ["name": $0.name.predicateValue, "legs": $0.legs.predicateValue] }),
        ]
    }
}
