import Foundation
import PredicateSyntax

/// Constants and names at random: all kinds that a format string can hold, with their odd corners.
package struct RandomValue {
    package var random: RandomSource

    package init(random: RandomSource) {
        self.random = random
    }

    private let characters = Array(
        "abZ09 _.,'\"\\#$%@[]{}()é😀𝒳\n\t\r\u{0}\u{301}\u{323}\u{1112}\u{1161}\u{11AB}\u{2028}\u{FEFF}\u{7F}Ünul"
            .unicodeScalars)
    private let plainKeys = ["a", "name", "dept", "_x", "Age2", "nullified", "ANDx", "uti", "x1"]
    private let oddKeys = [
        "first name", "", "a.b", "1st", "größe", "it's", "say \"hi\"", "@", "@1", "$", "$ x", "#x", "\\",
    ]

    /// `name`, `@count`, a reserved word, or what must be quoted; never `$` and letters, which no print gives back.
    package mutating func key() -> String {
        switch random.below(10) {
        case 0: random.one(of: Keyword.allCases).rawValue
        case 1: random.one(of: Keyword.allCases).rawValue.lowercased()
        case 2: random.one(of: oddKeys)
        case 3: random.one(of: ["@count", "@avg", "@K", "@owner"])
        case 4:
            String(text().drop { $0 == "$" })
        default: random.one(of: plainKeys)
        }
    }

    package mutating func name() -> String {
        random.oneIn(6) ? text() : random.one(of: plainKeys + ["size", "AND", "Limit"])
    }

    package mutating func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<random.below(6) { text.append(random.one(of: characters)) }
        return String(text)
    }

    package mutating func constant(depth: Int = 2) -> PredicateValue {
        switch random.below(depth > 0 ? 20 : 16) {
        case 0: .null
        case 1: .nullObject
        case 2: .bool(random.oneIn(2))
        case 3, 4, 5: .integer(integer())
        case 6, 7: .double(double())
        case 8, 9, 10: .string(text())
        case 11: .date(date())
        case 12: .uuid(uuid())
        case 13: .data(Data((0..<random.below(5)).map { _ in UInt8(random.below(256)) }))
        case 14: .decimal(Decimal(integer()) / 100)
        case 15: random.oneIn(2) ? .type(PredicateValue.ClassName(text())) : url()
        case 16, 17: .array(constants(depth: depth - 1))
        case 18: .orderedSet(distinct(constants(depth: depth - 1)))
        default: .dictionary(Dictionary(entries(depth: depth - 1), uniquingKeysWith: { first, _ in first }))
        }
    }

    package mutating func integer() -> Int64 {
        switch random.below(4) {
        case 0: random.one(of: [0, 1, -1, .max, .min, .min + 1, 1 << 53, 1 << 53 + 1, 1 << 53 - 1])
        default: Int64(random.below(2_000)) - 1_000
        }
    }

    package mutating func double() -> Double {
        switch random.below(3) {
        case 0:
            random.one(of: [
                0, -0.0, 1, -2, 1e300, -1e300, Double.leastNonzeroMagnitude, 0.1, .nan, .infinity, -.infinity, .pi,
                1e16, 123_456_789.123,
                .greatestFiniteMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, 0x1p53 - 1, 0x1p53 + 2,
            ])
        case 1: Double(integer()) / 8
        default: Double(bitPattern: random.next()).isNaN ? 0.5 : Double(bitPattern: random.next() >> 2)
        }
    }

    private mutating func date() -> Date {
        switch random.below(3) {
        case 0: Date(timeIntervalSinceReferenceDate: Double(integer()))
        case 1 where random.oneIn(2):
            Date(timeIntervalSinceReferenceDate: Double(random.below(1_000_000_000_000)) / 1000)
        case 1: Date(timeIntervalSinceReferenceDate: Double(random.below(1_000_000_000)) / 1_000_000)
        default: Date(timeIntervalSinceReferenceDate: double())
        }
    }

    private mutating func uuid() -> UUID {
        var bytes = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for index in bytes.indices { bytes[index] = UInt8(random.below(256)) }
        }
        return UUID(uuid: bytes)
    }

    private mutating func url() -> PredicateValue {
        let texts = ["https://swift.org/a?b=%20c#d", "file:///tmp/a%22b", "relative/path", "mailto:a@b.c"]
        return URL(string: random.one(of: texts)).map(PredicateValue.url) ?? .null
    }

    private mutating func constants(depth: Int) -> [PredicateValue] {
        var values: [PredicateValue] = []
        for _ in 0..<random.below(4) { values.append(constant(depth: depth)) }
        return values
    }

    private func distinct(_ values: [PredicateValue]) -> [PredicateValue] {
        var seen: Set<PredicateValue> = []
        return values.filter { seen.insert($0).inserted }
    }

    private mutating func entries(depth: Int) -> [(String, PredicateValue)] {
        var entries: [(String, PredicateValue)] = []
        for _ in 0..<random.below(3) { entries.append((text(), constant(depth: depth))) }
        return entries
    }
}
