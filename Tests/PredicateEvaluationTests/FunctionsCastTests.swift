import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// CAST.
@Suite struct FunctionsCastTests {
    @Test(
        arguments: [
            (1.5, "NSString", "1.5"), (2.0, "NSString", "2"), (5, "NSString", "5"), (true, "NSString", "1"),
            ("x", "NSString", "x"), ("123", "NSNumber", 123), ("123.0", "NSNumber", 123.0), ("02134", "NSNumber", 2134),
            (" -1.5e3 ", "NSNumber", -1500.0), (".5", "NSNumber", 0.5), ("10.", "NSNumber", 10.0),
            ("99999999999999999999", "NSNumber", 1e20), (7, "NSNumber", 7), (true, "NSNumber", true),
            ("1.10", "NSDecimalNumber", .decimal(Decimal(string: "1.1") ?? 0)), (3, "NSDecimalNumber", .decimal(3)),
            (.date(Date(timeIntervalSinceReferenceDate: 5)), "NSNumber", 5.0),
            (5, "NSDate", .date(Date(timeIntervalSinceReferenceDate: 5))),
            ("137DECC8-B300-4954-A233-F89909F4FD89", "NSString", "137DECC8-B300-4954-A233-F89909F4FD89"),
            ("aGk=", "NSData", .data(Data("hi".utf8))), ("NSNumber", "Class", .type(.number)),
            ([1, 2, 2.0], "NSSet", .set([1, 2])), (.set([3]), "NSArray", [3]),
            ([1, 2], "NSOrderedSet", .orderedSet([1, 2])),
            (["a": 1], "NSDictionary", ["a": 1]), (.null, "NSDate", .null), (.nullObject, "NSNumber", .null),
        ] as [(PredicateValue, String, PredicateValue)])
    func casts(_ value: PredicateValue, type: String, expected: PredicateValue) throws {
        let result = try PredicateEvaluationTests.value(of: "CAST(a, '\(type)')", for: ["a": value])
        #expect(isExactly(result, expected), "\(result)")
        let folded = try PredicateEvaluationTests.value(of: "CAST(%@, '\(type)')", [value])
        #expect(isExactly(folded, expected))
    }

    @Test(
        arguments: [
            ("2016-03-02T00:00:00Z", 478_569_600.0), ("2001-01-01T00:00:00Z", 0), ("2001-01-01", 0),
            ("2001-01-01T00:00:00", 0), ("2001-01-01 00:00:00Z", 0), ("2001-01-01T00:00:00.250Z", 0.25),
            ("2001-01-01T01:00:00+01:00", 0), ("2000-12-31T19:00:00-0500", 0), ("2001-01-01T00:30Z", 1800),
            ("1970-01-01T00:00:00Z", -978_307_200), ("2000-02-29T00:00:00Z", -26_524_800),
            ("0001-01-01T00:00:00Z", -63_113_904_000), ("2001-01-01T05:30:00+05:30", 0), ("2001-01-01T02:00:00+02", 0),
        ])
    func dates(_ text: String, seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(isExactly(try value(of: "CAST(a, 'NSDate')", for: ["a": text]), .date(date)))
    }

    @Test(
        arguments: [
            ("abc", "NSNumber"), ("", "NSNumber"), ("1e", "NSNumber"), ("0x1F", "NSNumber"), ("1_000", "NSNumber"),
            ("nan", "NSNumber"), ("1e999", "NSNumber"), ("--1", "NSNumber"), ([1], "NSNumber"),
            ("abc", "NSDecimalNumber"),
            ("abc", "NSDate"), ("2001-13-01", "NSDate"), ("2001-02-29", "NSDate"), ("1900-02-29", "NSDate"),
            ("2001-01-01T24:00:00Z", "NSDate"), ("2001-01-01T00:00:00ZZ", "NSDate"), ("2001-01-01T", "NSDate"),
            ("2001-01-01T00:00:00.Z", "NSDate"), ("2001-1-1", "NSDate"), (["a"], "NSDate"), ("xyz", "NSUUID"),
            ("%%%", "NSData"), (1, "NSArray"), ("a", "NSSet"), ([1], "NSDictionary"), (1, "Class"), ("", "Class"),
            (1e300, "NSDate"),
            (.double(.nan), "NSDate"), (.double(-.infinity), "NSDate"),
        ] as [(PredicateValue, String)])
    func failures(_ value: PredicateValue, type: String) throws {
        let error = evaluationError {
            try PredicateEvaluationTests.value(of: "CAST(a, '\(type)')", for: ["a": value])
        }
        guard case .castFailed(_, type) = error?.code else {
            Issue.record("\(String(describing: error)) for \(value) as \(type)")
            return
        }
        #expect(error?.node == 1)
    }

    @Test func unknownType() throws {
        let error = evaluationError { try holds("CAST(x, 'NSNumbre') == 1") }
        #expect(error == EvaluationError(.unknownCastType("NSNumbre", nearMisses: ["NSNumber"]), node: 1))
    }

    @Test func comparedDates() throws {
        let old = Date(timeIntervalSinceReferenceDate: 0)
        #expect(try holds("date < CAST('2016-03-02T00:00:00Z', 'NSDate')", for: ["date": old]))
        #expect(try holds("date < CAST(592299475.577120, 'NSDate')", for: ["date": old]))
    }
}
