import Foundation
import PredicateEvaluation
import PredicateSyntax

enum Kind: String, Codable, CaseIterable, KeyedValueConvertible {
    case cat, dog, other
}

struct Address: Codable, Hashable, Sendable {
    var city: String
    var zip: Int?
    var lines: [String]
}

/// An object with a property of every kind that a predicate may ask for.
struct Animal: Codable, Hashable, Sendable {
    var name: String
    var nick: String?
    var age: Int
    var weight: Double
    var bonus: Int?
    var ratio: Double?
    var isTame: Bool
    var isSold: Bool?
    var born: Date
    var died: Date?
    var id: UUID
    var chip: Data?
    var kind: Kind
    var isYoung: Bool { age < 2 }
    var price: Decimal
    var small: Int8
    var large: UInt64
    var thin: Float
    var tags: [String]
    var scores: [Int]
    var gaps: [Int?]
    var flags: Set<String>
    var notes: [String]?
    var marks: [String: Int]
    var home: Address
    var other: Address?
    var friends: [Friend]
    var best: Friend?
    var span: ClosedRange<Int>
}

struct Friend: Codable, Hashable, Sendable {
    var name: String
    var nick: String?
    var age: Int
    var tags: [String]
    var home: Address?
}
