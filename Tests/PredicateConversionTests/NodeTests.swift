import Foundation
import PredicateSyntax
import Testing

@testable import PredicateConversion

/// Every node of Swift's predicates, as the macro writes it, and the format that it becomes.
@Suite struct NodeTests {
    private func expect(
        _ predicate: Predicate<Animal>, _ format: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let converted = try FormatPredicate(predicate)
        #expect(converted.predicateFormat == format, sourceLocation: sourceLocation)
        #expect(try FormatPredicate(converted.predicateFormat) == converted, sourceLocation: sourceLocation)
    }

    @Test func comparisons() throws {
        let (age, name) = (18, "Jo")
        try expect(#Predicate { $0.age == age }, "age == 18")
        try expect(#Predicate { $0.age != 18 }, "age != 18")
        try expect(#Predicate { $0.age < 18 }, "age < 18")
        try expect(#Predicate { 18 <= $0.age }, "18 <= age")
        try expect(#Predicate { $0.weight > 2 }, "weight > 2.0")
        try expect(#Predicate { $0.name >= name }, "name >= \"Jo\"")
        try expect(#Predicate { $0.home.city == $0.name }, "home.city == name")
    }

    @Test func compoundsAreFlat() throws {
        try expect(
            #Predicate { $0.age > 1 && $0.age < 9 && $0.name == "a" && ($0.age == 2 || $0.age == 3 || $0.isTame) },
            "age > 1 AND age < 9 AND name == \"a\" AND (age == 2 OR age == 3 OR isTame == 1)")
        try expect(#Predicate { !($0.age > 1) }, "NOT age > 1")
        try expect(#Predicate { !$0.isTame }, "isTame == 0")
        try expect(#Predicate { !(!($0.age > 1)) }, "age > 1")
        try expect(#Predicate { $0.isTame }, "isTame == 1")
        try expect(#Predicate { _ in true }, "TRUEPREDICATE")
    }

    @Test func arithmetic() throws {
        try expect(#Predicate { $0.age + 1 > 2 * $0.age - 3 }, "age + 1 > (2 * age) - 3")
        try expect(#Predicate { -$0.age < 3 }, "-age < 3")
        try expect(#Predicate { $0.weight / 2 < 3 }, "weight / 2.0 < 3.0")
        try expect(#Predicate { $0.age / 2 == 3 }, "age / 2 == 3")
        try expect(#Predicate { $0.age % 2 == 0 }, "modulus:by:(age, 2) == 0")
        try expect(#Predicate { $0.large / 2 == 3 }, "trunc:(large / 2) == 3")
        let (a, b) = (3, 4)
        try expect(#Predicate { $0.age > a * b + 1 }, "age > 13")
    }

    @Test func conditionals() throws {
        try expect(#Predicate { ($0.isTame ? $0.age : 3) > 2 }, "TERNARY(isTame == 1, age, 3) > 2")
        try expect(
            #Predicate { if $0.isTame { $0.age > 1 } else { $0.name == "a" } },
            "(isTame == 1 AND age > 1) OR (isTame == 0 AND name == \"a\")")
    }

    @Test func nils() throws {
        try expect(#Predicate { $0.nick == nil }, "nick == nil")
        try expect(#Predicate { $0.nick != nil }, "nick != nil")
        try expect(#Predicate { $0.nick == "a" }, "nick == \"a\"")
        try expect(#Predicate { ($0.bonus ?? 3) > 2 }, "TERNARY(bonus != nil, bonus, 3) > 2")
        try expect(#Predicate { $0.bonus! > 2 }, "bonus > 2")
        try expect(#Predicate { $0.isSold == true }, "isSold == 1")
        try expect(#Predicate { $0.isSold != true }, "isSold != 1")
        try expect(#Predicate { $0.isSold ?? false }, "isSold == 1")
        try expect(#Predicate { $0.isSold ?? true }, "isSold == nil OR isSold == 1")
        try expect(#Predicate { !($0.isSold ?? false) }, "NOT isSold == 1")
    }

    @Test func optionalChains() throws {
        try expect(#Predicate { $0.best?.name == "a" }, "best.name == \"a\"")
        try expect(#Predicate { $0.best?.home?.zip == 3 }, "best.home.zip == 3")
        try expect(#Predicate { $0.nick?.contains("a") == true }, "nick CONTAINS \"a\"")
        try expect(#Predicate { $0.nick?.contains("a") ?? false }, "nick CONTAINS \"a\"")
        try expect(#Predicate { $0.nick?.contains("a") != true }, "NOT nick CONTAINS \"a\"")
        try expect(#Predicate { $0.nick?.isEmpty == false }, "nick != nil AND (NOT nick == \"\")")
        try expect(#Predicate { $0.best?.tags.count == 2 }, "best.tags.@count == 2")
        try expect(
            #Predicate { $0.bonus.flatMap { $0 + 1 } == 3 }, "TERNARY(bonus != nil, bonus + 1, nil) == 3")
        try expect(#Predicate { $0.nick?.count == nil }, "length:(nick) == nil")
        try expect(
            #Predicate { if let best = $0.best { best.age > 3 } else { false } }, "best.age > 3")
    }

    @Test func texts() throws {
        let needle = "o"
        try expect(#Predicate { $0.name.starts(with: "Jo") }, "name BEGINSWITH \"Jo\"")
        try expect(#Predicate { $0.name.contains(needle) }, "name CONTAINS \"o\"")
        try expect(#Predicate { $0.name.contains("") }, "TRUEPREDICATE")
        try expect(#Predicate { "John".contains($0.name) }, "\"John\" CONTAINS name OR name == \"\"")
        try expect(#Predicate { $0.name.isEmpty }, "name == \"\"")
        try expect(#Predicate { $0.name.count > 3 }, "length:(name) > 3")
        try expect(#Predicate { $0.kind.rawValue == "cat" }, "kind == \"cat\"")
        let kind = Kind.dog
        try expect(#Predicate { $0.kind == kind }, "kind == \"dog\"")
    }

    @Test func collections() throws {
        let ages = [1, 2, 3]
        try expect(#Predicate { $0.tags.contains("a") }, "\"a\" IN tags")
        try expect(#Predicate { ages.contains($0.age) }, "age IN {1, 2, 3}")
        try expect(#Predicate { $0.gaps.contains($0.bonus) }, "SUBQUERY(gaps, $v1, $v1 == bonus).@count > 0")
        try expect(#Predicate { $0.tags.isEmpty }, "tags.@count == 0")
        try expect(#Predicate { $0.tags.count == 2 }, "tags.@count == 2")
        try expect(#Predicate { $0.tags.first == "a" }, "tags[FIRST] == \"a\"")
        try expect(#Predicate { $0.tags.last == nil }, "tags[LAST] == nil")
        try expect(#Predicate { $0.tags[1] == "a" }, "tags[1] == \"a\"")
        try expect(#Predicate { $0.marks["a"] == 3 }, "marks[\"a\"] == 3")
        try expect(#Predicate { $0.marks["a", default: 4] == 3 }, "TERNARY(marks[\"a\"] != nil, marks[\"a\"], 4) == 3")
        try expect(#Predicate { $0.marks.count == 3 }, "marks[SIZE] == 3")
        try expect(#Predicate { $0.marks.keys.contains("a") }, "\"a\" IN marks.@allKeys")
        try expect(
            #Predicate { $0.marks.values.contains { $0 > 3 && $0 < 9 } },
            "SUBQUERY(marks.@allValues, $v1, $v1 > 3 AND $v1 < 9).@count > 0")
        let choices = [nil, 1]
        try expect(#Predicate { choices.contains($0.bonus) }, "bonus == nil OR bonus == 1")
        try expect(#Predicate { $0.scores.max() == 3 }, "scores.@max.#self == 3")
        try expect(#Predicate { $0.scores.min()! < 3 }, "scores.@min.#self < 3")
    }

    @Test func quantifiers() throws {
        try expect(#Predicate { $0.friends.contains { $0.age > 18 } }, "ANY friends.age > 18")
        try expect(#Predicate { $0.tags.contains { $0 == "a" } }, "ANY tags == \"a\"")
        try expect(
            #Predicate { $0.friends.contains { $0.age > 18 && $0.name == "a" } },
            "SUBQUERY(friends, $v1, $v1.age > 18 AND $v1.name == \"a\").@count > 0")
        try expect(
            #Predicate { pet in pet.friends.contains { $0.age > pet.age } },
            "SUBQUERY(friends, $v1, $v1.age > age).@count > 0")
        try expect(
            #Predicate { $0.friends.allSatisfy { $0.age > 18 } },
            "SUBQUERY(friends, $v1, NOT $v1.age > 18).@count == 0")
        try expect(
            #Predicate { $0.friends.filter { $0.age > 18 }.count == 2 },
            "SUBQUERY(friends, $v1, $v1.age > 18).@count == 2")
        try expect(
            #Predicate { $0.friends.contains { friend in friend.tags.contains { $0 != friend.name } } },
            "SUBQUERY(friends, $v1, SUBQUERY($v1.tags, $v2, $v2 != $v1.name).@count > 0).@count > 0")
        let words = ["a", "b"]
        try expect(
            #Predicate { pet in words.contains { pet.name.contains($0) } }, "name CONTAINS \"a\" OR name CONTAINS \"b\""
        )
        try expect(
            #Predicate { pet in words.allSatisfy { pet.name.contains($0) } },
            "name CONTAINS \"a\" AND name CONTAINS \"b\"")
    }

    @Test func ranges() throws {
        let (closed, open, from, through, upTo) = (1...3, 1..<3, 1..., ...3, ..<3)
        try expect(#Predicate { (1...3).contains($0.age) }, "age BETWEEN {1, 3}")
        try expect(#Predicate { (1..<3).contains($0.age) }, "age >= 1 AND age < 3")
        try expect(#Predicate { closed.contains($0.age) }, "age BETWEEN {1, 3}")
        try expect(#Predicate { open.contains($0.age) }, "age >= 1 AND age < 3")
        try expect(#Predicate { from.contains($0.age) }, "age >= 1")
        try expect(#Predicate { through.contains($0.age) }, "age <= 3")
        try expect(#Predicate { upTo.contains($0.age) }, "age < 3")
        try expect(#Predicate { ($0.small...9).contains(3) }, "3 BETWEEN {small, 9}")
        try expect(#Predicate { $0.span.contains(3) }, "3 IN span")
    }

    @Test func casts() throws {
        let three = PredicateExpressions.build_Arg(Int?.some(3))
        try expect(
            Predicate { pet in
                let age = PredicateExpressions.build_KeyPath(root: pet, keyPath: \.age)
                let cast = PredicateExpressions.ConditionalCast<_, Int>(age)
                return PredicateExpressions.build_Equal(lhs: cast, rhs: three)
            }, "age == 3")
        try expect(
            Predicate { pet in
                let bonus = PredicateExpressions.build_KeyPath(root: pet, keyPath: \.bonus)
                return PredicateExpressions.TypeCheck<_, Int>(bonus)
            }, "bonus != nil")
        try expect(
            Predicate { pet in
                let age = PredicateExpressions.build_KeyPath(root: pet, keyPath: \.age)
                return PredicateExpressions.TypeCheck<_, Int>(age)
            }, "TRUEPREDICATE")
    }

    @Test func constantsAreEvaluated() throws {
        let (limits, name, nothing): ([Int], String, Int?) = ([1, 2, 3], "abc", nil)
        try expect(#Predicate { $0.age > limits[1] + name.count }, "age > 5")
        try expect(#Predicate { $0.bonus == nothing }, "bonus == nil")
        try expect(#Predicate { $0.age > (nothing ?? 7) }, "age > 7")
        try expect(#Predicate { name.contains("b") && $0.age == 1 }, "age == 1")
        try expect(#Predicate { limits.contains { $0 > 2 } || $0.age == 1 }, "TRUEPREDICATE")
        try expect(#Predicate { $0.tags == ["a", "b"] }, "tags == {\"a\", \"b\"}")
    }

    @Test func expressionsAreInlined() throws {
        let tax = #Expression<Double, Double> { $0 * 2 }
        let both = #Expression<Int, Int, Bool> { $0 > $1 && $1 > 0 }
        // Off Apple's platforms no predicate can capture an expression, which is not Codable there: the nodes by themselves.
        let pet = PredicateExpressions.Variable<Animal>()
        let walk = Walk(inputs: [pet.key], names: [:])
        let weight = PredicateExpressions.build_KeyPath(root: pet, keyPath: \.weight)
        let taxed = PredicateExpressions.build_evaluate(PredicateExpressions.Value(tax), weight)
        #expect(try walk.expression(taxed).expressionFormat == "weight * 2.0")
        let age = PredicateExpressions.build_KeyPath(root: pet, keyPath: \.age)
        let test = PredicateExpressions.build_evaluate(
            PredicateExpressions.Value(both), PredicateExpressions.build_Arg(3), age)
        #expect(try walk.predicate(test).predicateFormat == "3 > age AND age > 0")
        let total = try FormatExpression(#Expression<Animal, Double> { $0.weight * 2 })
        #expect(total.expressionFormat == "weight * 2.0")
    }

    @Test func anyTypeIsAnInput() throws {
        #expect(try FormatPredicate(#Predicate<Int> { $0 > 3 }).predicateFormat == "SELF > 3")
        #expect(try FormatPredicate(#Predicate<String> { $0.contains("a") }).predicateFormat == "SELF CONTAINS \"a\"")
        #expect(try FormatPredicate(#Predicate<[Int]> { $0.contains(3) }).predicateFormat == "3 IN SELF")
    }
}
