import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateReference
import PredicateSyntax
import PredicateText

/// LIKE against a matcher that tries everything; MATCHES against the regular expression itself.
struct PatternCheck {
    private static let pieces = [
        "a", "b", "S", "k", ".", "\\.", "[a-c]", "[^a]", "[^a-z.]", "\\d", " ", "é", "-", "[0-9_]", "x|y", "^", "\\w",
        "(a|b)", "(?:ab)", "{", "ß", "&", "$", "\\s",
    ]
    private static let marks = ["", "", "", "*", "+", "?", "*?", "++", "{2}", "{1,3}"]

    private let mode: FoldMode
    private let text: String
    private let glob: String
    private let pattern: String

    init(_ bytes: [UInt8]) {
        var source = RandomSource(bytes: bytes[...])
        mode = source.one(of: FoldMode.allCases)
        text = FuzzText.text(&source, atMost: 12)
        var glob = ""
        for _ in 0..<source.below(5) {
            glob += source.one(of: ["*", "?", "\\", "\\*", "\\?", ""]) + FuzzText.text(&source, atMost: 3)
        }
        self.glob = glob
        pattern = (0..<1 + source.below(4)).map { _ in
            source.one(of: Self.pieces) + source.one(of: Self.marks)
        }.joined()
    }

    func run() throws(FuzzFinding) {
        try checkLike()
        try checkMatches()
    }

    private func checkLike() throws(FuzzFinding) {
        let expected = SlowText.matches(text, glob, mode)
        let found = LikePattern(glob, mode).matches(text)
        try FuzzFinding.unless(
            found == expected, "\(text.debugDescription) LIKE \(glob.debugDescription) \(mode): \(found)")
        let node = StringPredicate(
            .evaluatedObject, .like, .constantValue(.string(glob)), options: ComparisonOptions(mode))
        try check(.string(node), expected)
    }

    private func checkMatches() throws(FuzzFinding) {
        let ignoresCase = mode == .caseInsensitive
        let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
        guard mode == .none || ignoresCase, !pattern.contains("^"), !pattern.contains("$"),
            let general = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: options)
        else { return }
        let range = NSRange(location: 0, length: text.utf16.count)
        let expected = general.firstMatch(in: text, options: .anchored, range: range) != nil
        let node = StringPredicate(
            .evaluatedObject, .matches, .constantValue(.string(pattern)), options: ComparisonOptions(mode))
        try check(.string(node), expected)
    }

    /// One text alone, and many at once.
    private func check(_ predicate: PredicateNode, _ expected: Bool) throws(FuzzFinding) {
        do {
            let evaluator = try PredicateEvaluator(FormatPredicate(predicate))
            let one = try evaluator.evaluate(.value(.string(text)))
            let many = try [text, text, text].count(matching: evaluator)
            try FuzzFinding.unless(
                one == expected && many == (expected ? 3 : 0),
                "\(text.debugDescription) for \(predicate.predicateFormat): one \(one), of three \(many)")
        } catch {
            throw error as? FuzzFinding ?? FuzzFinding("\(predicate.predicateFormat): \(error)")
        }
    }
}

extension ComparisonOptions {
    fileprivate init(_ mode: FoldMode) {
        switch mode {
        case .none: self = []
        case .caseInsensitive: self = .caseInsensitive
        case .diacriticInsensitive: self = .diacriticInsensitive
        case .caseAndDiacriticInsensitive: self = [.caseInsensitive, .diacriticInsensitive]
        }
    }
}
