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
        let folded = Array(text.unicodeScalars.flatMap { Folding.fold(String($0), mode).unicodeScalars })
        let tokens = glob.isEmpty ? [] : LikeReference.tokens(glob, mode)
        let expected = !tokens.isEmpty && LikeReference.matches(folded, tokens)
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

/// A glob matched by trying everything, with what failed already remembered.
private enum LikeReference {
    static func tokens(_ pattern: String, _ mode: FoldMode) -> [SlowText.Token] {
        var rest = Array(pattern.unicodeScalars)[...]
        var tokens: [SlowText.Token] = []
        while let first = rest.popFirst() {
            switch first {
            case "*": tokens.append(.star)
            case "?": tokens.append(.any)
            case "\\": tokens += literals(rest.popFirst() ?? first, mode)
            default: tokens += literals(first, mode)
            }
        }
        return tokens
    }

    private static func literals(_ scalar: Unicode.Scalar, _ mode: FoldMode) -> [SlowText.Token] {
        Folding.fold(String(scalar), mode).unicodeScalars.map { .literal($0) }
    }

    /// Row by row: which ends of the text the first tokens can reach.
    static func matches(_ text: [Unicode.Scalar], _ tokens: [SlowText.Token]) -> Bool {
        var reached = [true] + Array(repeating: false, count: text.count)
        for token in tokens {
            var next = Array(repeating: false, count: text.count + 1)
            for place in 0...text.count {
                switch token {
                case .star: next[place] = reached[place] || (place > 0 && next[place - 1])
                case .any: next[place] = place > 0 && reached[place - 1]
                case .literal(let scalar): next[place] = place > 0 && reached[place - 1] && text[place - 1] == scalar
                }
            }
            reached = next
        }
        return reached[text.count]
    }
}
