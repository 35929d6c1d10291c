import Foundation
import PredicateEvaluation
import PredicateSyntax

package struct SampleHome: KeyPathCoding, Sendable {
    package var city: String
    package var zip: Int32
    package static let keys: KeyPathTable<SampleHome> = ["city": .key(\.city), "zip": .key(\.zip)]
}

/// An object with a property of every kind that programs read in place, and some that they do not.
package struct Sample: KeyPathCoding, Sendable {
    package var name: String
    package var nick: String?
    package var age: Int
    package var rank: Int?
    package var small: Int8
    package var large: UInt64
    package var score: Double
    package var ratio: Double?
    package var weight: Float
    package var active: Bool
    package var paid: Bool?
    package var born: Date
    package var left: Date?
    package var tags: [String]
    package var marks: [Int]
    package var rates: [Double]
    package var home: SampleHome
    package var second: SampleHome?
    package var price: Decimal

    package static let keys: KeyPathTable<Sample> = [
        "name": .key(\.name), "nick": .key(\.nick), "age": .key(\.age), "rank": .key(\.rank), "small": .key(\.small),
        "large": .key(\.large), "score": .key(\.score), "ratio": .key(\.ratio), "weight": .key(\.weight),
        "active": .key(\.active), "paid": .key(\.paid), "born": .key(\.born), "left": .key(\.left),
        "tags": .key(\.tags), "marks": .key(\.marks), "rates": .key(\.rates), "home": .key(\.home),
        "second": .key(\.second), "price": .key(\.price), "double": .computed { $0.age &* 2 },
    ]

    package static let texts = [
        "", "a", "jo", "Jo", "JOSÉ", "josé", "jose", "e\u{301}", "straße", "STRASSE", "swift",
        "a longer name than most",
        "A LONGER NAME THAN MOST", "İx", "日本語", "sun", "server", "x\ny", "aaaaaaaaab",
    ]
    package static let doubles = [0, -0.0, 1, 1.5, 2, 21, 21.5, -3.25, 1e18, 9.3e18, .nan, .infinity, -.infinity]
    package static let integers = [0, 1, 2, 3, 20, 21, 22, -1, 9_007_199_254_740_993, .max, .min]

    package init(_ numbers: inout RandomSource) {
        name = numbers.one(of: Self.texts)
        nick = numbers.one(of: [nil, "jo", "Al", "swift"])
        age = numbers.one(of: Self.integers)
        rank = numbers.one(of: [nil, 0, 1, 21])
        small = numbers.one(of: [-128, 0, 1, 21, 127])
        large = numbers.one(of: [0, 1, 21, .max])
        score = numbers.one(of: Self.doubles)
        ratio = numbers.one(of: [nil, 0, 1.5, 21])
        weight = numbers.one(of: [0, 1.5, 21, 0.1])
        active = numbers.below(2) == 0
        paid = numbers.one(of: [nil, true, false])
        born = Date(timeIntervalSinceReferenceDate: numbers.one(of: [0, 1, 100, 100.5, -5, .nan]))
        left = numbers.one(of: [nil, Date(timeIntervalSinceReferenceDate: 100)])
        tags = (0..<numbers.below(4)).map { _ in numbers.one(of: ["swift", "Swift", "sun", "c", "é"]) }
        marks = (0..<numbers.below(4)).map { _ in numbers.one(of: [0, 1, 2, 21]) }
        rates = (0..<numbers.below(3)).map { _ in numbers.one(of: [0, 1.5, 21, .nan]) }
        home = SampleHome(city: numbers.one(of: Self.texts), zip: numbers.one(of: [0, 21, 5000]))
        second = numbers.below(2) == 0 ? nil : home
        price = numbers.one(of: [0, 1, 1.5, 21])
    }

    /// The values as a `[String: Any]`.
    package var row: [String: Any] {
        var row: [String: Any] = [
            "name": name, "age": age, "small": small, "large": large, "score": score, "weight": weight,
            "active": active, "born": born, "tags": tags, "marks": marks, "rates": rates, "price": price,
            "home": ["city": home.city, "zip": home.zip] as [String: Any],
        ]
        row["nick"] = nick
        row["rank"] = rank
        row["ratio"] = ratio
        row["paid"] = paid
        row["left"] = left
        if second != nil { row["second"] = second }
        return row
    }

    /// The values as plain data, if they are.
    package var data: [String: PredicateValue] {
        var data: [String: PredicateValue] = [:]
        for name in Self.keys.names where name != "home" && name != "second" {
            data[name] = value(forKey: name)?.predicateValue
        }
        data["home"] = ["city": .string(home.city), "zip": .integer(Int64(home.zip))]
        data["second"] = second == nil ? .null : data["home"]
        return data
    }
}

/// The sample as a class, whose properties have no fixed offset; its home is an object, too.
package final class SampleObject: KeyPathCoding {
    package let sample: Sample
    package let home: SampleHomeObject

    package init(_ sample: Sample) {
        self.sample = sample
        home = SampleHomeObject(sample.home)
    }

    package static let keys: KeyPathTable<SampleObject> = [
        "name": .key(\.sample.name), "age": .key(\.sample.age), "score": .key(\.sample.score),
        "tags": .key(\.sample.tags), "nick": .key(\.sample.nick), "home": .key(\.home),
        "active": .key(\.sample.active), "born": .key(\.sample.born), "rank": .key(\.sample.rank),
        "small": .key(\.sample.small), "large": .key(\.sample.large), "marks": .key(\.sample.marks),
        "rates": .key(\.sample.rates), "paid": .key(\.sample.paid), "second": .key(\.sample.second),
        "double": .computed { $0.sample.age &* 2 },
    ]
}

package final class SampleHomeObject: KeyPathCoding {
    package let home: SampleHome

    package init(_ home: SampleHome) {
        self.home = home
    }

    package static let keys: KeyPathTable<SampleHomeObject> = ["city": .key(\.home.city), "zip": .key(\.home.zip)]
}

/// The sample as an object with `value(forKey:)`.
package struct SampleAnswers: KeyValueCoding {
    package let sample: Sample

    package init(sample: Sample) {
        self.sample = sample
    }

    package func value(forKey key: String) -> KeyedValue? {
        key == "weight" ? nil : sample.value(forKey: key)
    }

    package var allKeys: [String] { sample.allKeys }
}

/// Format strings that look random: every operator over every kind of key, right and wrong.
package struct RandomFormats: FormatSource {
    private static let texts = [
        "'jo'", "'Jo'", "'é'", "'ss'", "''", "'swift'", "'a longer name than most'", "'s'", "'*o*'", "'j?'", "'jo*'",
        "'.*s.*'", "'[a-z]+'", "'('",
    ]
    private static let numbers = [
        "0", "1", "2", "21", "-1", "21.5", "1.5", "9007199254740992", "9223372036854775807", "1e18",
        "CAST('1.5', 'NSDecimalNumber')", "YES", "NO",
    ]
    private static let others = [
        "nil", "CAST(100, 'NSDate')", "CAST(0, 'NSDate')", "{1, 2}", "{'jo'}", "$n", "$t", "$u",
    ]
    private static let keys = [
        "name", "nick", "age", "rank", "small", "large", "score", "ratio", "weight", "active", "paid", "born", "left",
        "tags", "marks", "rates", "home.city", "home.zip", "second.city", "price", "double", "wings", "SELF",
        "tags.@count", "marks.@count", "name.length", "nick.@count", "age", "name", "score",
    ]
    private static let modes = ["", "", "", "[c]", "[d]", "[cd]", "[n]"]
    package var numbers: RandomSource

    package init(seed: UInt64) {
        numbers = RandomSource(seed: seed)
    }

    package init(random: RandomSource) {
        numbers = random
    }

    package mutating func comparison() -> String {
        let mode = numbers.one(of: Self.modes)
        switch numbers.below(30) {
        case 0, 1, 2:
            return "\(expression()) \(numbers.one(of: ["<", "<=", ">", ">=", "==", "!="]))\(mode) \(expression())"
        case 3, 4, 5:
            let operators = ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "==", "!=", "<", ">=", "IN"]
            return "\(key()) \(numbers.one(of: operators))\(mode) \(numbers.one(of: Self.texts))"
        case 6: return "\(expression()) BETWEEN \(list(of: 2))"
        case 7: return "\(expression()) IN\(mode) \(list(of: 1 + numbers.below(12)))"
        case 8: return "\(constant()) IN\(mode) \(key())"
        case 9: return "\(numbers.one(of: ["ANY", "ALL", "NONE"])) \(key()) \(operation(mode)) \(constant())"
        case 10:
            let inner = "$x \(operation(mode)) \(constant())"
            return "SUBQUERY(\(key()), $x, \(inner)).@count \(numbers.one(of: ["==", ">", "<="])) 1"
        case 11: return "\(constant()) \(numbers.one(of: ["<", "==", "!="])) \(key())"
        default: return fitting(mode)
        }
    }

    private static let numberKeys = [
        "age", "rank", "small", "large", "score", "ratio", "weight", "active", "paid", "home.zip", "tags.@count",
    ]

    /// A comparison without an error, so that longer predicates get to their end.
    private mutating func fitting(_ mode: String) -> String {
        let order = numbers.one(of: ["<", "<=", ">", ">=", "==", "!="])
        let (key, number) = (numbers.one(of: Self.numberKeys), numbers.one(of: Self.numbers))
        let (textKey, text) = (numbers.one(of: ["name", "nick", "home.city"]), numbers.one(of: Self.texts.dropLast()))
        switch numbers.below(9) {
        case 0, 1: return "\(key) \(order) \(number)"
        case 2: return "\(key) BETWEEN {\(number), \(numbers.one(of: Self.numbers))}"
        case 3: return "\(key) IN {\(number), \(numbers.one(of: Self.numbers)), \(numbers.one(of: Self.numbers))}"
        case 4: return "\(numbers.one(of: ["score", "age", "ratio"])) * 2.0 + 1 \(order) \(number)"
        case 5: return "\(numbers.one(of: ["born", "left"])) \(order) CAST(\(numbers.one(of: ["0", "100"])), 'NSDate')"
        case 6:
            let quantifier = numbers.one(of: ["ANY", "ALL"])
            return "\(quantifier) tags \(numbers.one(of: ["==", "BEGINSWITH", "IN", "<"]))\(mode) \(text)"
        default:
            let operators = ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "==", "!=", "<", ">="]
            return "\(textKey) \(numbers.one(of: operators))\(mode) \(text)"
        }
    }

    private mutating func operation(_ mode: String) -> String {
        numbers.one(of: ["==", "!=", ">", "<=", "BEGINSWITH", "CONTAINS", "LIKE"]) + mode
    }

    private mutating func expression() -> String {
        switch numbers.below(6) {
        case 0: "(\(key()) \(numbers.one(of: ["+", "-", "*", "/"])) \(constant()))"
        case 1: constant()
        default: key()
        }
    }

    private mutating func key() -> String { numbers.one(of: Self.keys) }

    private mutating func constant() -> String {
        switch numbers.below(5) {
        case 0, 1: numbers.one(of: Self.texts)
        case 2, 3: numbers.one(of: Self.numbers)
        default: numbers.one(of: Self.others)
        }
    }

    private mutating func list(of count: Int) -> String {
        let isText = numbers.below(3) == 0
        let elements = (0..<count).map { _ in
            numbers.below(12) == 0 ? constant() : numbers.one(of: isText ? Self.texts : Self.numbers)
        }
        return "{\(elements.joined(separator: ", "))}"
    }
}
