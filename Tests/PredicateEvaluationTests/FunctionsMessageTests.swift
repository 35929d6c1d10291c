import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// FUNCTION(target, "selector", …).
@Suite struct FunctionsMessageTests {
    @Test(
        arguments: [
            ("'uppercaseString'", "jo", "JO"), ("'capitalizedString'", "jo al", "Jo Al"), ("'length'", "a😀", 3),
            ("'intValue'", "12", 12), ("'stringValue'", 1.5, "1.5"), ("'description'", 5, "5"),
            ("'lastPathComponent'", "a/path", "path"), ("'pathExtension'", "a.tar.gz", "gz"),
            ("'stringByDeletingPathExtension'", "a/b.c", "a/b"), ("'stringByAppendingString:', '!'", "jo", "jo!"),
            ("'substringFromIndex:', 2", "text", "xt"), ("'substringToIndex:', 2", "text", "te"),
            ("'substringFromIndex:', 4", "text", ""), ("'characterAtIndex:', 0", "a", 97),
            ("'stringByReplacingOccurrencesOfString:withString:', 'o', 'a'", "toto", "tata"),
            ("'stringByReplacingOccurrencesOfString:withString:', '', 'a'", "toto", "toto"),
            ("'componentsSeparatedByString:', ','", "a,b,,c", ["a", "b", "", "c"]),
            ("'hasPrefix:', 'jo'", "john", true),
            ("'hasSuffix:', 'jo'", "john", false), ("'containsString:', 'oh'", "john", true),
            ("'isEqualToString:', 'john'", "john", true), ("'isEqual:', 2.0", 2, true), ("'compare:', 3", 2, -1),
            ("'compare:', 'a'", "a", 0), ("'caseInsensitiveCompare:', 'A'", "a", 0), ("'count'", [1, 2], 2),
            ("'firstObject'", [1, 2], 1), ("'lastObject'", [1, 2], 2), ("'objectAtIndex:', 1", [1, 2], 2),
            ("'indexOfObject:', 2.0", [1, 2], 1), ("'indexOfObject:', 5", [1, 2], .integer(.max)),
            ("'containsObject:', 2", .set([1, 2]), true), ("'componentsJoinedByString:', '-'", [1, "a"], "1-a"),
            ("'allObjects'", .set([1]), [1]), ("'objectForKey:', 'k'", ["k": 1], 1),
            ("'objectForKey:', 'x'", ["k": 1], .null),
            ("'valueForKey:', 'k'", ["k": 1], 1), ("'valueForKeyPath:', 'k.length'", ["k": "abc"], 3),
            ("'valueForKeyPath:', '@sum.self'", [1, 2], 3), ("'allKeys'", ["k": 1], ["k"]), ("'k'", ["k": 1], 1),
            ("'timeIntervalSinceReferenceDate'", .date(Date(timeIntervalSinceReferenceDate: 5)), 5.0),
            (
                "'dateByAddingTimeInterval:', 5", .date(Date(timeIntervalSinceReferenceDate: 0)),
                .date(Date(timeIntervalSinceReferenceDate: 5))
            ),
            ("'boolValue'", 1, true), ("'isKindOfClass:', CAST('NSNumber', 'Class')", 1, true),
            ("'stringByAppendingPathComponent:', 'b'", "a/", "a/b"),
            ("'stringByAppendingPathComponent:', '/b'", "a", "a/b"),
            ("'isEqualToArray:', {1, 2.0}", [1, 2], true), ("'isEqualToArray:', {2, 1}", [1, 2], false),
            ("'isEqualToSet:', a", .set([1]), true), ("'isEqualToOrderedSet:', a", .orderedSet([1, 2]), true),
            ("'isEqualToDictionary:', a", ["k": 1], true), ("'isEqualToDictionary:', 1", ["k": 1], false),
            ("'isEqualToNumber:', 2.0", 2, true), ("'isEqualToNumber:', 3", 2, false),
            ("'arrayByAddingObject:', 'x'", [1], [1, "x"]), ("'intersectsSet:', {2, 3}", .set([1, 2]), true),
            ("'intersectsSet:', {3}", .set([1, 2]), false), ("'isSubsetOfSet:', {1}", .set([1, 2]), false),
            ("'isSubsetOfSet:', {1, 2}", .set([1]), true), ("'uppercaseString'", .null, .null),
            ("'nonsense'", .null, .null),
        ] as [(String, PredicateValue, PredicateValue)])
    func messages(_ message: String, target: PredicateValue, expected: PredicateValue) throws {
        let result = try value(of: "FUNCTION(a, \(message))", for: ["a": target])
        #expect(isExactly(result, expected), "\(result)")
    }

    @Test func datesTakeDates() throws {
        let row = ["a": Date(timeIntervalSinceReferenceDate: 10), "b": Date(timeIntervalSinceReferenceDate: 4)]
        #expect(isExactly(try value(of: "FUNCTION(a, 'timeIntervalSinceDate:', b)", for: row), 6.0))
        #expect(try holds("FUNCTION(a, 'earlierDate:', b) == b AND FUNCTION(a, 'laterDate:', b) == a", for: row))
        let error = errorCode { try value(of: "FUNCTION(a, 'earlierDate:', 5)", for: row) }
        #expect(error == .argumentKind(function: "earlierDate:", expected: "a date", found: FoundValue(5)))
    }

    @Test(
        arguments: [
            ("'erase'", "x", .unknownMessage("erase", target: "NSString", nearMisses: [])),
            ("'lenght'", "x", .unknownMessage("lenght", target: "NSString", nearMisses: ["length"])),
            ("'objectAtIndex:', 0", "x", .unknownMessage("objectAtIndex:", target: "NSString", nearMisses: [])),
            (
                "'performSelector:', 'exit'", "x",
                .unknownMessage("performSelector:", target: "NSString", nearMisses: [])
            ),
            ("'objectAtIndex:', 7", [1], .indexOutOfRange(7, count: 1)),
            ("'objectAtIndex:', -1", [1], .indexOutOfRange(-1, count: 1)),
            ("'substringFromIndex:', 9", "text", .indexOutOfRange(9, count: 4)),
            ("'characterAtIndex:', 4", "text", .indexOutOfRange(4, count: 4)),
            ("'hasPrefix:', 5", "text", .notAString(found: FoundValue(5))),
            ("'compare:', 5", "text", .incomparable(left: FoundValue("text"), right: FoundValue(5))),
        ] as [(String, PredicateValue, EvaluationError.Code)])
    func errors(_ message: String, target: PredicateValue, code: EvaluationError.Code) throws {
        #expect(errorCode { try value(of: "FUNCTION(a, \(message))", for: ["a": target]) } == code)
    }

    @Test func argumentsAreCounted() throws {
        let error = evaluationError { try value(of: "FUNCTION(a, 'hasPrefix:')") }
        #expect(error == EvaluationError(.argumentCount(function: "hasPrefix:", expected: 1...1, found: 0), node: 1))
    }

    @Test func keysOfObjects() throws {
        let ann = Citizen(name: "Ann", age: 30)
        #expect(isExactly(try value(of: "FUNCTION(SELF, 'name')", for: ann), "Ann"))
        let error = errorCode { try value(of: "FUNCTION(SELF, 'nmae')", for: ann) }
        #expect(error == .unknownMessage("nmae", target: "Citizen", nearMisses: ["name"]))
    }

    @Test func messagesOfTheHost() throws {
        var registry = EvaluationRegistry.standard
        registry.registerMessage("pow:") { target, arguments in
            let result = try ExpressionEvaluator(FormatExpression("$a ** $b"))
            return try result.value(.null, variables: ["a": target, "b": arguments[0]])
        }
        registry.registerMessage("REGEXP_LIKE") { _, arguments in .value(.bool(arguments.count == 1)) }
        registry.registerMessage("length") { _, _ in 99.keyedValue }
        let row: [String: Any] = ["a": ["b": 2, "c": 3, "d": [1]] as [String: Any]]
        let format = "FUNCTION(a.b, 'pow:', 2) + a.c + (a.d)[0] + 1"
        #expect(isExactly(try value(of: format, for: row, registry: registry), 9))
        #expect(isExactly(try value(of: "a.b.pow(3)", for: row, registry: registry), 8))
        #expect(isExactly(try value(of: "FUNCTION(a, 'REGEXP_LIKE', 'x')", for: row, registry: registry), true))
        #expect(isExactly(try value(of: "FUNCTION('x', 'length')", registry: registry), 99))
        let error = evaluationError { try value(of: "1 + FUNCTION('x', 'pow:', 2)", registry: registry) }
        #expect(error == EvaluationError(.notANumber(found: FoundValue("x")), node: 3))
        let typo = errorCode { try value(of: "FUNCTION('x', 'pwo:', 2)", registry: registry) }
        #expect(typo == .unknownMessage("pwo:", target: "NSString", nearMisses: ["pow:"]))
    }
}
