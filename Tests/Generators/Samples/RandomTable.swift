import Foundation
import PredicateSyntax

/// Rows of a table: each key has values of one kind, now and then nil, or of several kinds.
package struct RandomTable {
    /// The distribution of the values of one key.
    package enum Kind: CaseIterable {
        case bytes, shorts, words, longs, doubles, bools, dates, fewTexts, manyTexts
        case textLists, integerLists, doubleLists, mixedLists, numbers, members, mixed, nothing
    }

    package static let keys = ["a", "b", "c", "d", "e", "f"]
    /// The limits of narrow integers, and of integers that doubles represent exactly.
    package static let edges: [Int64] = [
        0, 1, -1, 2, 21, 127, 128, -128, -129, 32_767, 32_768, -32_768, -32_769, 2_147_483_647, 2_147_483_648,
        -2_147_483_648, -2_147_483_649, 9_007_199_254_740_991, 9_007_199_254_740_992, 9_007_199_254_740_993,
        1_709_207_999_999, .max, .min,
    ]
    package static let doubles: [Double] = [
        0, -0.0, 1, 1.5, 21, -3.25, 127.5, 1e18, 9.3e18, .nan, .infinity, -.infinity, .leastNonzeroMagnitude,
        -.leastNormalMagnitude, 9_007_199_254_740_992, 0.1 + 0.2, 1_709_207_999.999,
    ]
    package static let dates: [Double] = [
        0, -0.0, 100, 100.5, .nan, 0.001, 730_900_799.999, -978_307_199.999, 1e9, .leastNonzeroMagnitude, .infinity,
    ]
    package static let words = [
        "swift", "Swift", "sun", "c", "é", "", "straße", "a longer word than most", "e\u{301}", "s\u{323}\u{307}",
        "s\r\nt",
        "\u{1112}\u{1161}\u{11AB}", "한", "😀 swift", "𝒮",
    ]

    package let kinds: [Kind]
    package let rows: [[String: PredicateValue]]

    package init(_ numbers: inout RandomSource, count: Int) {
        let kinds = Self.keys.map { _ in numbers.one(of: Kind.allCases) }
        let nils = Self.keys.map { _ in numbers.one(of: [0, 0, 4, 50]) }
        self.kinds = kinds
        rows = (0..<count).map { _ in
            var row: [String: PredicateValue] = [:]
            for (index, key) in Self.keys.enumerated() {
                row[key] = numbers.below(100) < nils[index] ? .null : Self.value(kinds[index], &numbers)
            }
            return row
        }
    }

    private static func value(_ kind: Kind, _ numbers: inout RandomSource) -> PredicateValue {
        switch kind {
        case .bytes: return .integer(integer(Int8.self, &numbers))
        case .shorts: return .integer(integer(Int16.self, &numbers))
        case .words: return .integer(integer(Int32.self, &numbers))
        case .longs: return .integer(integer(Int64.self, &numbers))
        case .doubles: return .double(numbers.one(of: doubles))
        case .bools: return .bool(numbers.below(2) == 0)
        case .dates: return .date(Date(timeIntervalSinceReferenceDate: numbers.one(of: dates)))
        case .fewTexts: return .string(numbers.one(of: words))
        case .manyTexts: return .string(numbers.one(of: words) + " \(numbers.below(100_000))")
        case .textLists: return list(&numbers) { .string($0.one(of: words)) }
        case .integerLists: return list(&numbers) { .integer(integer(Int8.self, &$0)) }
        case .doubleLists: return list(&numbers) { .double($0.one(of: doubles)) }
        case .mixedLists: return list(&numbers) { $0.below(20) == 0 ? .null : .integer($0.one(of: edges)) }
        case .numbers:
            return numbers.below(2) == 0 ? .integer(numbers.one(of: edges)) : .double(numbers.one(of: doubles))
        case .members: return members(&numbers)
        case .mixed: return value(numbers.one(of: Kind.allCases.filter { $0 != .mixed }), &numbers)
        case .nothing: return .null
        }
    }

    /// A dictionary that has both keys, or lacks some.
    private static func members(_ numbers: inout RandomSource) -> PredicateValue {
        var members: [String: PredicateValue] = [:]
        if !numbers.oneIn(4) { members["n"] = .integer(numbers.one(of: edges)) }
        if !numbers.oneIn(6) { members["text"] = numbers.oneIn(5) ? .null : .string(numbers.one(of: words)) }
        return .dictionary(members)
    }

    private static func integer<Value: FixedWidthInteger>(
        _ type: Value.Type, _ numbers: inout RandomSource
    ) -> Int64 {
        numbers.one(of: edges.filter { Value(exactly: $0) != nil })
    }

    private static func list(
        _ numbers: inout RandomSource, _ element: (inout RandomSource) -> PredicateValue
    ) -> PredicateValue {
        .array((0..<numbers.below(4)).map { _ in element(&numbers) })
    }
}

/// Format strings about the keys of a random table: numbers compared and worked out, texts, lists, right and wrong.
package struct RandomTableFormats: FormatSource {
    package var numbers: RandomSource
    /// Mostly questions that suit the kind of the key, so that not every predicate ends in an error.
    private let kinds: [RandomTable.Kind]

    package init(seed: UInt64, kinds: [RandomTable.Kind]) {
        numbers = RandomSource(seed: seed)
        self.kinds = kinds
    }

    package mutating func comparison() -> String {
        let index = numbers.below(RandomTable.keys.count)
        let key = RandomTable.keys[index]
        let kind = numbers.below(8) == 0 ? numbers.one(of: RandomTable.Kind.allCases) : kinds[index]
        switch kind {
        case .bytes, .shorts, .words, .longs, .doubles, .bools, .numbers: return numeric(key)
        case .members: return numbers.below(2) == 0 ? numeric("\(key).n") : textual("\(key).text")
        case .dates:
            return
                "\(key) \(order()) CAST(\(numbers.one(of: ["0", "100", "100.5", "0.001", "730900799.999"])), 'NSDate')"
        case .fewTexts, .manyTexts: return textual(key)
        case .textLists: return listing(key, text())
        case .integerLists, .doubleLists, .mixedLists: return listing(key, number())
        case .mixed, .nothing: return numbers.below(2) == 0 ? "\(key) \(order()) \(number())" : "\(key) == nil"
        }
    }

    private mutating func numeric(_ key: String) -> String {
        switch numbers.below(8) {
        case 0, 1: "\(key) \(order()) \(number())"
        case 2: "\(key) BETWEEN {\(number()), \(number())}"
        case 3: "\(key) IN {\(number()), \(number()), \(number())}"
        case 4: "\(formula(key)) \(order()) \(number())"
        case 5: "\(formula(formula(key))) \(order()) \(number())"
        case 6: "\(formula(key)) \(order()) \(formula(numbers.one(of: RandomTable.keys)))"
        default: "\(key) \(order()) \(numbers.one(of: RandomTable.keys))"
        }
    }

    private mutating func formula(_ operand: String) -> String {
        let operation = numbers.one(of: ["+", "-", "*", "/"])
        let other =
            numbers.below(3) == 0 ? numbers.one(of: RandomTable.keys) : numbers.one(of: ["2", "1.5", "0", "-1", "7"])
        return numbers.below(4) == 0 ? "(\(other) \(operation) \(operand))" : "(\(operand) \(operation) \(other))"
    }

    private mutating func textual(_ key: String) -> String {
        let operators = ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "==", "!=", "<", ">="]
        let mode = numbers.one(of: ["", "", "[c]", "[cd]"])
        if numbers.below(6) == 0 { return "\(key) IN {\(text()), \(text())}" }
        return "\(key) \(numbers.one(of: operators))\(mode) \(text())"
    }

    private mutating func listing(_ key: String, _ element: String) -> String {
        let operators = ["==", "!=", "<", ">="] + (element.hasPrefix("'") ? ["BEGINSWITH", "CONTAINS[c]", "IN"] : [])
        let test = "\(numbers.one(of: operators)) \(element)"
        switch numbers.below(6) {
        case 0: return "\(element) IN \(key)"
        case 1: return "\(key).@count \(order()) \(numbers.below(4))"
        case 2, 3:
            let variable = numbers.below(5) == 0 ? "$x == $n OR $x \(test)" : "$x \(test)"
            return "SUBQUERY(\(key), $x, \(variable)).@count \(order()) \(numbers.below(3))"
        default: return "\(numbers.one(of: ["ANY", "ALL", "NONE"])) \(key) \(test)"
        }
    }

    private mutating func order() -> String { numbers.one(of: ["<", "<=", ">", ">=", "==", "!="]) }

    private mutating func number() -> String {
        if numbers.below(3) == 0 { return numbers.one(of: ["1.5", "21.5", "-0.5", "127.5", "1e18", "YES", "$n"]) }
        let edge = numbers.one(of: RandomTable.edges)
        return edge == .min ? "-9223372036854775807" : "\(edge)"
    }

    private mutating func text() -> String {
        numbers.one(of: [
            "'swift'", "'s'", "'é'", "''", "'S*'", "'ss'", "'a longer word than most'", "' 1'", "'한'", "'s?t'", "$t",
        ])
    }
}
