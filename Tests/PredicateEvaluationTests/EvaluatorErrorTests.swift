import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// Errors as they are shown.
@Suite struct EvaluatorErrorTests {
    private func shown(_ format: String, _ object: Any? = ["a": 1, "name": "jo"] as [String: Any]) throws -> String {
        let predicate = try FormatPredicate(format)
        let error = try #require(evaluationError { try predicate.evaluate(with: object) })
        return error.description
    }

    @Test func whatThereIsIsListed() throws {
        let text = try shown("name.lowercase == 'jo'")
        #expect(text.contains("hint: write lowercase(name), or compare with [c]"))
        #expect(try shown("name.wings == 'jo'").contains("hint: a string has length, intValue,"))
        #expect(try shown("a.wings == 1").contains("hint: a number has "))
        #expect(try shown("FUNCTION(name, 'lowercase') == 'jo'").contains("or compare with [c]"))
        #expect(try shown("CAST(a, 'Foo') == 1").contains("hint: the types are NSString, NSNumber, NSDecimalNumber,"))
    }

    @Test func caretUnderTheOffendingNode() throws {
        #expect(
            try shown("a == 1 AND name + 1 > 2") == """
                error: expected a number
                  a == 1 AND name + 1 > 2
                             ^~~~ this is the string "jo"
                hint: write CAST(name, "NSNumber") to read a number from a string
                """)
        #expect(
            try shown("name < 3") == """
                error: expected two values that have an order
                  name < 3
                  ^~~~~~~~ the string "jo" against the number 3
                hint: write CAST(name, "NSNumber") to read a number from a string
                """)
        #expect(
            try shown("a.d[0] == 1") == """
                error: expected a key after the dot
                  a.d[0] == 1
                    ^~~~ this is an index
                hint: write parentheses before an index after a path: (a.b)[0]
                """)
        #expect(
            try shown("a MATCHES '(x'") == """
                error: expected a regular expression
                  a MATCHES '(x'
                            ^~~~ the pattern (x
                hint: double a backslash in a format string: '\\\\d+', '\\\\['
                """)
        #expect(try shown("a MATCHES '*x'").contains("hint: * repeats what precedes it: write .* for any string"))
        #expect(try shown("a MATCHES 'é['").contains("[d] removes diacritics"))
        #expect(try shown("a MATCHES 'x[0-9z-a]'").contains("in brackets begins with its least character: a-z"))
        #expect(try shown("a MATCHES '[a-Z]+'").contains("in brackets begins with its least character: a-zA-Z"))
        #expect(try !shown("a MATCHES '\\\\[z-a('").contains("in brackets"))
        let uuid = "CAST('137DECC8-B300-4954-A233-F89909F4FD89', 'NSUUID')"
        #expect(
            try shown("\(uuid) < \(uuid)").contains(
                "hint: compare values of this kind with == or !=: they have no order"))
        #expect(try shown("now() - 60 < now()").contains("CAST(CAST(now(), \"NSNumber\") - 60, \"NSDate\") is a"))
        #expect(try shown("last == 1").contains("hint: to use it as a key, write #last"))
        #expect(try shown("my-name == 1").contains("hint: quote a key with a hyphen: #\"my-name\""))
        #expect(
            try shown("'x' > 2024-01-31").contains("hint: write \"2024-01-31\": 2024-01-31 is read as arithmetic"))
        #expect(try shown("coalesce(a, 1) == 1").contains("hint: write TERNARY(a != nil, a, b)"))
        #expect(try shown("{1} < {2}").contains("hint: write ANY x < 5 for each element"))
        #expect(try shown("{'x'} BEGINSWITH 'x'").contains("hint: write ANY x CONTAINS \"jo\" to test each element"))
        #expect(
            try shown("a == $limit") == """
                error: expected a value for $limit
                  a == $limit
                       ^~~~~~ no value is bound to it
                hint: pass it to evaluate: variables: ["limit": …]
                """)
    }

    @Test func nearMissesAreHints() throws {
        #expect(try shown("squrt(a) == 1").hasSuffix("hint: did you mean sqrt?"))
        #expect(try shown("CAST(a, 'NSStrin') == 1").contains("hint: did you mean NSString?\n"))
        #expect(try shown("CAST(a, 'NSStrin') == 1").contains("the types are NSString, NSNumber"))
        #expect(try shown("nmae == 1", Citizen(name: "Ann", age: 3)).hasSuffix("hint: did you mean name?"))
    }

    @Test func treesMadeByHandArePrinted() throws {
        let sum = ExpressionNode.function(
            FunctionExpression(.predefined(.add), [.keyPath(KeyPathExpression(keys: "name")), .constantValue(1)]))
        let predicate = FormatPredicate(.comparison(ComparisonPredicate(.constantValue(3), .equalTo, sum)))
        let error = try #require(evaluationError { try predicate.evaluate(with: ["name": "jo"]) })
        #expect(error.node == 1)
        #expect(error.description.contains("  name\n  ^~~~ this is the string \"jo\""))
    }

    @Test func expressionsToo() throws {
        let expression = try FormatExpression("1 + name")
        let error = try #require(evaluationError { try expression.value(with: ["name": "jo"]) })
        #expect(error.description.contains("1 + name\n      ^~~~ this is"))
        #expect(error.text == "1 + name" && error.range == 4..<8)
        #expect(error.title == "expected a number" && error.label == "this is the string \"jo\"")
    }

    @Test func errorsWithoutATextShowTheirLabel() {
        let error = EvaluationError(.notANumber(found: FoundValue("jo")), node: 1)
        #expect(error.description.hasPrefix("error: expected a number (this is the string \"jo\")"))
        #expect(error.text.isEmpty && error.range.isEmpty)
    }

    /// Whichever function ends in an error, its text is the format string.
    @Test func everyWayKnowsTheText() throws {
        let format = "name == 'jo' AND name + 1 > 2"
        let predicate = try FormatPredicate(format)
        let evaluator = try PredicateEvaluator(predicate)
        let person = Citizen(name: "jo", age: 3)
        let errors = [
            evaluationError { try evaluator.evaluate(with: person) },
            evaluationError { try evaluator.evaluate(with: ["name": "jo"] as [String: Any]) },
            evaluationError { try evaluator.evaluate(person.keyedValue) },
            evaluationError { try evaluator.evaluate(with: person, variables: ["x": 1]) },
            evaluationError { try predicate.evaluate(with: person) },
            evaluationError { try [person].filtered(using: predicate) },
            evaluationError { try [person].first(matching: evaluator) },
            evaluationError { try Array(repeating: person, count: 500).count(matching: evaluator) },
            evaluationError { try [person].concurrentIndices(matching: evaluator) },
            evaluationError { try [person].concurrentCount(matching: evaluator) },
        ]
        for error in errors {
            #expect(error?.text == format && error?.range == 17..<21)
        }
        let prepared = try #require(evaluationError { try PredicateEvaluator(FormatPredicate("squrt(a) == 1")) })
        #expect(prepared.text == "squrt(a) == 1" && prepared.range == 0..<8)
    }

    @Test func longValuesAreCut() throws {
        let error = try #require(
            evaluationError { try holds("a + 1 == 2", for: ["a": String(repeating: "x\n", count: 500)]) })
        #expect(error.description.utf8.count < 250)
        #expect(!error.description.split(separator: "\n")[0].contains("\r"))
    }

    @Test func aStringThatMeetsADateIsToBeRead() throws {
        let predicate = try FormatPredicate("born > '2001-01-02'")
        let error = try #require(evaluationError { try predicate.evaluate(with: ["born": Date.distantPast]) })
        #expect(error.description.hasSuffix("CAST(x, \"NSDate\") to read a date from a string"))
    }

    /// What newcomers wrote, each with what the error must say.
    @Test(arguments: [
        ("'name' > 3", "write a key without quotes: name"),
        ("\"a\" > 3", "write a key without quotes: a"), ("a > '3'", "write a number without quotes: 3"),
        ("a - b > 1", "write b != nil AND … to exclude objects without b"),
        ("born > 2020-01-01", "write CAST(\"2020-01-01\", \"NSDate\")"),
        (
            "YEAR(born) = 2020",
            "write born >= CAST(\"2020-01-01\", \"NSDate\") AND born < CAST(\"2021-01-01\", \"NSDate\")"
        ),
        ("MONTH(born) = 5", "write a range of dates"),
        ("born.year == 2020", "write a range of dates"),
        ("born > 2020", "write CAST(\"2020-01-01\", \"NSDate\"): 2020 is a number"),
        ("items.length > 1", "write items.@count for the number of elements"),
        ("items[9] == nil", "the collection has indexes 0 to 0"),
        ("born - 7 > 1", "CAST(b, \"NSNumber\") - CAST(a, \"NSNumber\") is the time between two dates"),
        ("name.uppercase == 'A'", "write uppercase(name), or compare with [c]"),
        ("name.toLowerCase() == 'a'", "write lowercase(name), or compare with [c]"),
        ("toLowerCase(name) == 'a'", "write lowercase(x), or compare with [c]"),
        ("indexOf(name, 'a') == 1", "write x CONTAINS \"…\""),
        ("name.len > 3", "write name.length"), ("a > 3 -- comment", "a predicate has no comments"),
        ("a > @avg.price", "write the collection first: items.@avg.price"),
        ("@sum.items.price < 1000", "write the collection first: items.@sum.price"),
        ("@max.items.price < 1000", "write the collection first: items.@max.price"),
        ("name == ~\"J.*\"", "write MATCHES for a regular expression"),
        ("FUNCTION(a = 1, 'case:', 1) == 1", "TERNARY(predicate, 1, 0)"),
        ("FUNCTION(name, 'stringByAppendingString:', a = 1) == 'x'", "TERNARY(predicate, 1, 0)"),
    ])
    func aNewcomersMistakeIsAnswered(format: String, hint: String) throws {
        let items: [[String: Any]] = [["price": 1]]
        let object: [String: Any] = ["a": 1, "name": "jo", "born": Date(timeIntervalSince1970: 0), "items": items]
        let text = try shown(format, object)
        #expect(text.contains(hint), "\(text)")
        #expect(text.firstMatch(of: /NS(String|Number|Date|Array)/) == nil || text.contains("CAST("), "\(text)")
    }

    /// Every code says something, in one line.
    @Test func everyCodeHasWords() {
        let codes: [EvaluationError.Code] = [
            .incomparable(left: FoundValue("a"), right: FoundValue("b")),
            .notANumber(found: FoundValue(PredicateValue.null)), .notAnInteger(found: FoundValue("x")),
            .integerOverflow,
            .divisionByZero, .notAString(found: FoundValue("x")),
            .notACollection(found: FoundValue(PredicateValue.null)), .notARange(found: FoundValue("x")),
            .notAContainer(found: FoundValue("x")), .undefinedKey("k", of: "T", nearMisses: ["a", "b", "c"]),
            .unknownCollectionOperator("@x", nearMisses: []), .notAKey(found: "x"), .indexOutOfRange(1, count: 0),
            .notIndexable(found: FoundValue("x"), index: "y"), .symbolOutsideIndex("SIZE"),
            .unboundVariable("x", nearMisses: ["y"]),
            .unknownFunction("f", nearMisses: []), .argumentCount(function: "f", expected: 1...1, found: 0),
            .argumentCount(function: "f", expected: 1...Int.max, found: 0),
            .argumentCount(function: "f", expected: 0...0, found: 1),
            .argumentCount(function: "f", expected: 2...3, found: 1),
            .unknownMessage("m", target: "T", nearMisses: []), .unknownSelector("s", nearMisses: []),
            .unknownCastType("t", nearMisses: []), .castFailed(value: FoundValue("v"), type: "NSDate"),
            .invalidPattern("("),
            .patternTooCostly("x"), .resultTooLarge(limit: 5), .emptyCollection(function: "max:"),
            .argumentKind(function: "f", expected: "a date", found: FoundValue("x")), .notEvaluable("FETCH"),
            .notEvaluable("ANYKEY"),
            .subpredicateCount(found: 0), .nestingTooDeep(limit: 200), .exceeds(.nodes, limit: 3),
            .unlistedKeys(of: "T"), .unreadLazyKey("k", of: "T"), .isolatedKey("k", of: "T"),
            .untrackedKey("k", of: "T"), .unreadWrapper("k", of: "T"),
            .notEquatable("T", against: FoundValue("x")),
            .notEncodable("T", EvaluationError.HostError(name: "encode(to:)", description: "sorry")),
            .refused(PredicateFormatError(.refused(.unnamedKey))),
            .host(EvaluationError.HostError(name: "f", description: "failed")),
        ]
        for code in codes {
            #expect(!code.title.isEmpty && !code.title.contains("\n"))
            #expect(code.label?.contains("\n") != true)
            #expect(!EvaluationError(code).description.isEmpty)
        }
    }
}
