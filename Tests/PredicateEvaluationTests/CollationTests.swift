import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// `[l]` by the rules of a locale. [NSP-184]
@Suite struct CollationTests {
    private static let german = Locale(identifier: "de")
    private static let swedish = Locale(identifier: "sv")
    private static let turkish = Locale(identifier: "tr")

    private func holds(_ format: String, _ a: PredicateValue, _ locale: Locale?) throws -> Bool {
        let row: [String: Any] = ["a": a]
        return try PredicateEvaluator(FormatPredicate(format), locale: locale).evaluate(with: row)
    }

    @Test(
        arguments: [
            ("a <[l] 'z'", "ö", german, true), ("a <[l] 'z'", "ö", swedish, false), ("a < 'z'", "ö", german, false),
            ("a <[l] 'B'", "a", german, true), ("a < 'B'", "a", german, false), ("a >=[l] 'z'", "ö", swedish, true),
            ("'z' >[l] a", "ö", german, true), ("a ==[l] 'ss'", "ß", german, false),
            ("a ==[cl] 'ss'", "ß", german, true), ("a ==[dl] 'e'", "é", german, true),
            ("a ==[l] 'e'", "é", german, false), ("a !=[l] 'e'", "é", german, true),
            ("a ==[l] 'ı'", "I", german, false), ("a ==[cl] 'ı'", "I", turkish, true),
            ("a ==[cl] 'ı'", "I", german, false), ("a ==[cl] 'i'", "I", turkish, false),
            ("a BETWEEN[l] {'n', 'p'}", "ö", german, true), ("a BETWEEN[l] {'n', 'p'}", "ö", swedish, false),
            ("a IN[cl] {'x', 'ı'}", "I", turkish, true), ("a IN[cl] {'x', 'ı'}", "I", german, false),
            ("a BEGINSWITH[cl] 'ı'", "Isı", turkish, true), ("a BEGINSWITH[cl] 'ı'", "Isı", german, false),
            ("a ENDSWITH[cl] 'ı'", "TI", turkish, true), ("a CONTAINS[cl] 'ı'", "aIb", turkish, true),
            ("'ı' IN[cl] a", "aIb", turkish, true), ("a BEGINSWITH[l] ''", "x", german, false),
            ("a ==[nl] 'e'", "e", german, true), ("a <[nl] 'B'", "a", german, false),
            ("a LIKE[cl] 'ı*'", "I", turkish, false), ("a LIKE[l] 'x*'", "xy", german, true),
            ("a MATCHES[cl] 'X'", "x", turkish, true),
        ] as [(String, PredicateValue, Locale, Bool)])
    func texts(format: String, a: PredicateValue, locale: Locale, expected: Bool) throws {
        #expect(try holds(format, a, locale) == expected)
    }

    /// Numbers, nil and errors are what they are without the option.
    @Test func otherValues() throws {
        #expect(try holds("a <[l] 3", 2, Self.german))
        #expect(try holds("a ==[l] 2.0", 2, Self.german))
        #expect(try holds("a ==[l] nil", .null, Self.german))
        #expect(try !holds("a <[l] 'x'", .null, Self.german))
        #expect(try !holds("a ==[l] 'x'", 2, Self.german))
        #expect(try holds("a !=[l] 'x'", 2, Self.german))
        #expect(try holds("a IN[l] {1, 'x'}", 1, Self.german))
        #expect(try !holds("a IN[l] {1, 'x'}", 3, Self.german))
        #expect(try holds("a CONTAINS[cl] 'SS'", ["ß", 1], Self.german))
        #expect(try holds("ANY a ==[cl] 'SS'", ["x", "ß"], Self.german))
        #expect(try !holds("ALL a ==[cl] 'SS'", ["x", "ß"], Self.german))
        for (format, value) in [("a <[l] 'x'", 2), ("a BEGINSWITH[l] 'x'", 2), ("a BETWEEN[l] 'x'", "y")]
            as [(String, PredicateValue)]
        {
            let with = evaluationError { try holds(format, value, Self.german) }
            #expect(with != nil && with == evaluationError { try holds(format, value, nil) })
        }
    }

    @Test func withoutALocaleItHasNoEffect() throws {
        #expect(try !holds("a <[l] 'z'", "ö", nil))
        #expect(try !holds("a ==[cl] 'ı'", "I", nil))
    }

    struct Word: KeyPathCoding {
        var text: String
        var other: String
        static var keys: KeyPathTable<Word> { ["text": .key(\.text), "other": .key(\.other)] }
    }

    /// Plans, programs and batches, against Foundation itself.
    @Test(arguments: [german, swedish, turkish])
    func allFormsAgree(locale: Locale) throws {
        let texts = [
            "", "a", "A", "ä", "z", "Z", "ö", "o", "ø", "I", "ı", "i", "İ", "ß", "ss", "é", "e\u{301}", "co-op",
        ]
        let words = texts.flatMap { first in texts.map { Word(text: first, other: $0) } }
        let rows = words.map { ["text": $0.text, "other": $0.other] as [String: Any] }
        for (letters, options) in [
            ("l", []), ("cl", .caseInsensitive), ("dl", .diacriticInsensitive),
            ("cdl", [.caseInsensitive, .diacriticInsensitive]),
        ] as [(String, String.CompareOptions)] {
            for (format, result) in [
                ("text <[\(letters)] other", { $0.0 == .orderedAscending }),
                ("text ==[\(letters)] other", { $0.0 == .orderedSame }),
                ("text >=[\(letters)] 'o'", { $0.1 != .orderedAscending }),
                ("NOT text !=[\(letters)] 'I'", { $0.2 == .orderedSame }),
            ] as [(String, ((ComparisonResult, ComparisonResult, ComparisonResult)) -> Bool)] {
                func compare(_ left: String, _ right: String) -> ComparisonResult {
                    left.compare(right, options: options, range: nil, locale: locale)
                }
                let expected = words.indices.filter {
                    let word = words[$0]
                    return result((compare(word.text, word.other), compare(word.text, "o"), compare(word.text, "I")))
                }
                let evaluator = try PredicateEvaluator(FormatPredicate(format), locale: locale)
                #expect(try words.indices.filter { try evaluator.evaluate(with: words[$0]) } == expected, "\(format)")
                #expect(try rows.indices.filter { try evaluator.evaluate(with: rows[$0]) } == expected, "\(format)")
                #expect(try words.indices(matching: evaluator) == expected, "\(format)")
                #expect(try rows.indices(matching: evaluator) == expected, "\(format)")
            }
        }
    }

    @Test func sortKeysAndExpressions() throws {
        let words: [PredicateValue] = ["z", "ö", "a", "B"].map { .dictionary(["name": .string($0)]) }
        let request = PredicateFetchRequest("Word", sortKeys: [SortKey("name", options: .localeSensitive)])
        func names(_ locale: Locale?) throws -> [String] {
            let context = MemoryFetchContext(["Word": words], locale: locale)
            return try context.objects(for: request).compactMap {
                guard case .value(.dictionary(let entries)) = $0, case .string(let name)? = entries["name"] else {
                    return nil
                }
                return name
            }
        }
        #expect(try names(Self.german) == ["a", "B", "ö", "z"])
        #expect(try names(Self.swedish) == ["a", "B", "z", "ö"])
        #expect(try names(nil) == ["B", "a", "z", "ö"])
        let order = try FormatExpression("TERNARY('ö' <[l] 'z', 1, 2)")
        #expect(try ExpressionEvaluator(order, locale: Self.german).value(with: nil).predicateValue == 1)
        #expect(try ExpressionEvaluator(order, locale: Self.swedish).value(with: nil).predicateValue == 2)
        #expect(try ExpressionEvaluator(order).value(with: nil).predicateValue == 2)
    }
}
