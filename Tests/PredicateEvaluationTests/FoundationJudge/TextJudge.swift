import Foundation
import PredicateEvaluation
import PredicateReference
import PredicateSyntax
import PredicateText
import Testing

/// Operators on texts under `[c]`, `[d]` and `[cd]`, against NSString of the toolchain's Foundation, which compares and searches
/// as Foundation does on Apple's platforms.
///
/// `PREDICATES_JUDGE_COUNT` pairs of strings from `PREDICATES_JUDGE_SEED`, fifteen questions each. Where Foundation answers
/// otherwise, ``TextDifference`` has the reason, and the answer is that of the slow reference, or the test fails.
@Suite struct TextJudge {
    private static let options: [(letters: String, mode: FoldMode, options: NSString.CompareOptions)] = [
        ("c", .caseInsensitive, .caseInsensitive), ("d", .diacriticInsensitive, .diacriticInsensitive),
        ("cd", .caseAndDiacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]),
    ]
    private static let operators = ["==", "<", "BEGINSWITH", "ENDSWITH", "CONTAINS"]

    @Test func agreesWithFoundation() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["PREDICATES_JUDGE_COUNT"].flatMap(Int.init) ?? 14_000
        let seed = environment["PREDICATES_JUDGE_SEED"].flatMap(UInt64.init) ?? 1
        let judges = try Self.options.flatMap { option in
            try Self.operators.map { try Judge(operator: $0, letters: option.letters, option.mode, option.options) }
        }
        var questions = TextQuestions(seed: seed)
        var reasons: [TextDifference: Int] = [:]
        for _ in 0..<count {
            let (text, needle) = questions.pair()
            for judge in judges {
                let (ours, theirs) = (try judge.ours(text, needle), judge.theirs(text, needle))
                if ours == theirs { continue }
                let reason = TextDifference(judge.operator, judge.letters, text, needle)
                if let reason { reasons[reason, default: 0] += 1 }
                let isDeclared = reason != nil && judge.reference(text, needle) == ours
                #expect(
                    isDeclared, "\(Self.shown(text)) \(judge.operator)[\(judge.letters)] \(Self.shown(needle)): \(ours)"
                )
            }
        }
        guard seed == 1, count >= 14_000 else { return }
        for reason in TextDifference.allCases { #expect(reasons[reason] != nil, "\(reason) never occurs") }
    }

    private static func shown(_ text: String) -> String {
        "\(text.debugDescription) (\(text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")))"
    }
}

/// A question, put to an evaluator and to Foundation.
private struct Judge {
    let `operator`: String
    let letters: String
    private let mode: FoldMode
    private let options: NSString.CompareOptions
    private let evaluator: PredicateEvaluator

    init(operator: String, letters: String, _ mode: FoldMode, _ options: NSString.CompareOptions) throws {
        (self.operator, self.letters, self.mode, self.options) = (`operator`, letters, mode, options)
        evaluator = try PredicateEvaluator(FormatPredicate("SELF \(`operator`)[\(letters)] $needle"))
    }

    func ours(_ text: String, _ needle: String) throws -> Bool {
        try evaluator.evaluate(.value(.string(text)), variables: ["needle": needle])
    }

    func theirs(_ text: String, _ needle: String) -> Bool {
        let text = NSString(string: text)
        return switch `operator` {
        case "==": text.compare(needle, options: options) == .orderedSame
        case "<": text.compare(needle, options: options) == .orderedAscending
        case "BEGINSWITH": text.range(of: needle, options: options.union(.anchored)).location != NSNotFound
        case "ENDSWITH": text.range(of: needle, options: options.union([.anchored, .backwards])).location != NSNotFound
        default: text.range(of: needle, options: options).location != NSNotFound
        }
    }

    func reference(_ text: String, _ needle: String) -> Bool {
        switch `operator` {
        case "==": SlowText.compare(text, needle, mode) == 0
        case "<": SlowText.compare(text, needle, mode) < 0
        case "BEGINSWITH": SlowText.begins(text, needle, mode)
        case "ENDSWITH": SlowText.ends(text, needle, mode)
        default: SlowText.contains(text, needle, mode)
        }
    }
}
