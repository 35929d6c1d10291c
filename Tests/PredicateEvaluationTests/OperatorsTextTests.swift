import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// Operators on texts, type identifiers and selectors.
@Suite struct OperatorsTextTests {
    /// Long lists are looked up by hash, of the folded text under an option.
    @Test(arguments: ["", "[c]", "[d]", "[cd]"])
    func longListsOfTexts(_ options: String) throws {
        let texts = [
            "Zoë", "ZOE\u{308}", "zoe", "한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", "Straße", "STRASSE",
            "が",
            "か", "👍🏽", "ﬁ", "fi", "é", "", "\u{301}", "a longer text than sixteen bytes, É",
        ]
        for (index, text) in texts.enumerated() {
            var others = texts
            others.remove(at: index)
            let found = try FormatPredicate("SELF IN\(options) %@", others).evaluate(with: text)
            let expected = try others.contains { try FormatPredicate("SELF ==\(options) %@", $0).evaluate(with: text) }
            #expect(found == expected, "\(text.debugDescription)")
        }
    }

    @Test(
        arguments: [
            ("BEGINSWITH 'jo'", "john", true), ("BEGINSWITH 'JO'", "john", false), ("BEGINSWITH[c] 'JO'", "john", true),
            ("BEGINSWITH[cd] 'JO'", "jöhn", true), ("BEGINSWITH[n] 'jo'", "john", true),
            ("BEGINSWITH ''", "john", false),
            ("BEGINSWITH 'john'", "jo", false), ("ENDSWITH 'hn'", "john", true), ("ENDSWITH[c] 'HN'", "john", true),
            ("ENDSWITH ''", "", false), ("LIKE 'j*n'", "john", true), ("LIKE 'j?n'", "john", false),
            ("LIKE 'j??n'", "john", true), ("LIKE[c] 'J*N'", "john", true), ("LIKE 'a*a'", "a", false),
            ("LIKE '*'", "", true), ("LIKE ''", "", false), ("LIKE '[a-c]'", "b", false), ("LIKE 'a\\\\*'", "a*", true),
            ("LIKE 'a\\\\*'", "ab", false), ("LIKE 'a*'", "a\nb", true), ("LIKE[d] 'testa'", "testą", true),
            ("MATCHES 'j.*n'", "john", true), ("MATCHES 'j.*h'", "john", false), ("MATCHES 'oh'", "john", false),
            ("MATCHES 'a|ab'", "ab", true), ("MATCHES[c] 'J.*N'", "john", true), ("MATCHES ''", "", false),
            ("MATCHES '\\\\d{3}'", "123", true), ("MATCHES '^j.*n$'", "john", true),
            ("MATCHES 'john$'", "john\n", false),
            ("MATCHES 'a(?=b).'", "ab", true), ("MATCHES '(.)\\\\1'", "aa", true),
            ("MATCHES[d] 'resume'", "résumé", true),
            ("MATCHES[d] 'résumé'", "resume", true), ("MATCHES[cd] 'RÉ.*'", "resume", true), ("MATCHES '.'", "😀", true),
            ("MATCHES '(?x) a b # end'", "ab", true), ("MATCHES '(?x) a b # end'", "ab)", false),
            ("MATCHES '\\\\Qa.b'", "a.b", true), ("MATCHES '\\\\Qa.b'", "axb", false), ("MATCHES '.*'", "", true),
            ("MATCHES '(?i)JO(?-i)hn'", "john", true), ("UTI-EQUALS 'public.PNG'", "Public.png", true),
            ("UTI-EQUALS 'public.image'", "public.png", false), ("UTI-CONFORMS-TO 'public.image'", "public.png", true),
            ("UTI-CONFORMS-TO 'public.data'", "public.heic", true),
            ("UTI-CONFORMS-TO 'public.text'", "public.png", false),
            ("UTI-CONFORMS-TO 'public.composite-content'", "com.adobe.pdf", true),
            ("UTI-CONFORMS-TO 'com.example.x'", "com.example.x", true),
            ("UTI-CONFORMS-TO 'public.plain-text'", "public.swift-source", true),
        ])
    func text(_ comparison: String, text: String, expected: Bool) throws {
        #expect(try holds("a \(comparison)", for: ["a": text]) == expected)
        // The same with a right side that is known only at evaluation.
        let predicate = try FormatPredicate("a \(comparison)")
        guard case .string(var node) = predicate.node, case .constantValue(let right) = node.rightExpression else {
            Issue.record("not a comparison of texts: \(comparison)")
            return
        }
        node.rightExpression = .variable("right")
        let evaluator = try PredicateEvaluator(FormatPredicate(.string(node)))
        for _ in 0..<2 {
            #expect(try evaluator.evaluate(with: ["a": text], variables: ["right": right]) == expected)
        }
    }

    @Test(arguments: ["BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "UTI-EQUALS", "UTI-CONFORMS-TO"])
    func notAString(_ spelling: String) throws {
        let left = evaluationError { try holds("a \(spelling) 'x'", for: ["a": 10]) }
        #expect(left == EvaluationError(.notAString(found: FoundValue(10)), node: 0))
        let right = evaluationError { try holds("a \(spelling) b", for: ["a": "x", "b": 10]) }
        #expect(right == EvaluationError(.notAString(found: FoundValue(10)), node: 1))
        let constant = evaluationError { try holds("a \(spelling) 10", for: ["a": "x"]) }
        #expect(constant == EvaluationError(.notAString(found: FoundValue(10)), node: 1))
    }

    @Test(arguments: ["(a", "a)|(b", "[", "a\\", "*", "(?<n"])
    func invalidPattern(_ pattern: String) throws {
        let predicate = try FormatPredicate("a MATCHES %@", pattern)
        let prepared = evaluationError { try PredicateEvaluator(predicate) }
        #expect(prepared == EvaluationError(.invalidPattern(pattern), node: 1))
        let found = evaluationError { try holds("a MATCHES b", for: ["a": "x", "b": pattern]) }
        #expect(found == EvaluationError(.invalidPattern(pattern), node: 1))
    }

    @Test func costlyPatternsEnd() throws {
        let trap = String(repeating: "a", count: 64) + "b"
        let steps = evaluationError { try holds("a MATCHES '(?=a)(a+)+$'", for: ["a": trap]) }
        #expect(steps == EvaluationError(.patternTooCostly("(?=a)(a+)+$"), node: 1))
        let long = String(repeating: "ab", count: 1_000_000)
        let stack = evaluationError { try holds("a MATCHES '(?=a)(a|b)*'", for: ["a": long]) }
        #expect(stack == EvaluationError(.patternTooCostly("(?=a)(a|b)*"), node: 1))
        // Without lookaround they take linear time.
        #expect(try !holds("a MATCHES '(a+)+$'", for: ["a": trap]))
        #expect(try holds("a MATCHES '(a|b)*'", for: ["a": long]))
        #expect(try holds("a MATCHES '.*'", for: ["a": long]))
    }

    @Test func manyPatternsAsData() throws {
        let evaluator = try PredicateEvaluator(FormatPredicate("a LIKE b AND a MATCHES c"))
        for number in 0..<200 {
            let row: [String: PredicateValue] = ["a": .string("x\(number)"), "b": .string("?\(number)"), "c": "x\\d+"]
            #expect(try evaluator.evaluate(with: row))
        }
    }

    @Test func typeIdentifiersOfTheHost() throws {
        var registry = EvaluationRegistry.standard
        registry.registerTypeIdentifier("com.example.Note", conformsTo: "public.plain-text", "com.example.circle")
        registry.registerTypeIdentifier("com.example.circle", conformsTo: "com.example.note")
        let format = "a UTI-CONFORMS-TO "
        #expect(try holds(format + "'public.text'", for: ["a": "com.example.note"], registry: registry))
        #expect(try !holds(format + "'public.image'", for: ["a": "com.example.note"], registry: registry))
        #expect(try !holds(format + "'public.text'", for: ["a": "com.example.note"]))
        #expect(try holds("ANY a UTI-CONFORMS-TO 'public.image'", for: ["a": ["public.text", "public.jpeg"]]))
    }

    @Test(
        arguments: [
            ("isKindOfClass: %@", .type(.string), true), ("isKindOfClass: %@", .type(.number), false),
            ("isKindOfClass: %@", .type(.object), true), ("isMemberOfClass: %@", .type(.object), false),
            ("isMemberOfClass: %@", .type(.string), true), ("isEqual: %@", "john", true), ("isEqual: %@", 1, false),
            ("isEqualToString: %@", "John", false), ("isNotEqualTo: %@", "x", true), ("hasPrefix: %@", "jo", true),
            ("hasSuffix: %@", "jo", false), ("containsString: %@", "oh", true), ("containsString: %@", "", false),
            ("hasPrefix: %@", .null, false),
        ] as [(String, PredicateValue, Bool)])
    func selectors(_ comparison: String, right: PredicateValue, expected: Bool) throws {
        #expect(try holds("a \(comparison)", [right], for: ["a": "john"]) == expected)
        #expect(try !holds("a \(comparison)", [right], for: ["a": PredicateValue.null]))
    }

    @Test func selectorsOnCollections() throws {
        #expect(try holds("a containsObject: %@", [2], for: ["a": [1, 2]]))
        #expect(
            errorCode { try holds("a containsObject: 'x'", for: ["a": "xyz"]) }
                == .notACollection(found: FoundValue("xyz")))
        let error = errorCode { try holds("a isKindOfClass: 'NSString'", for: ["a": "x"]) }
        #expect(
            error == .argumentKind(function: "isKindOfClass:", expected: "a class", found: FoundValue("NSString")))
    }

    @Test func selectorsOfTheHost() throws {
        var registry = EvaluationRegistry.standard
        registry.registerSelector("isLongerThan:") { left, right in
            guard case .value(.string(let text)) = left, case .value(.integer(let count)) = right else {
                throw HostFailure()
            }
            return text.count > count
        }
        #expect(try holds("a isLongerThan: 3", for: ["a": "john"], registry: registry))
        #expect(try holds("ALL a isLongerThan: 1", for: ["a": ["jo", "al"]], registry: registry))
        let failed = evaluationError { try holds("a isLongerThan: 3", for: ["a": 1], registry: registry) }
        let expected = EvaluationError.HostError(name: "isLongerThan:", description: "HostFailure()")
        #expect(failed == EvaluationError(.host(expected), node: 2))
        #expect(failed?.underlyingError is HostFailure)
        let unknown = evaluationError { try holds("a isLongerThen: 3", registry: registry) }
        #expect(
            unknown == EvaluationError(.unknownSelector("isLongerThen:", nearMisses: ["isLongerThan:"]), node: 2))
    }
}

struct HostFailure: Error {}
