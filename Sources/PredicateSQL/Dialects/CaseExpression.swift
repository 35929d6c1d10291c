import PredicateText

/// Case mapping as an expression over a text `s`, for databases with `replace`, `translate` and regular expressions:
/// `translate(replace(s, 'ß', 'SS'), 'äö…', 'ÄÖ…')`.
///
/// Made from the table that evaluators map by. What a letter becomes is never mapped again.
struct CaseExpression {
    private let mapping: CaseMapping
    private let expressions: SQLRegularExpressions

    init(_ mapping: CaseMapping, _ expressions: SQLRegularExpressions) {
        self.mapping = mapping
        self.expressions = expressions
    }

    /// The mapped text. `ascii` holds for a text in ASCII, whose mapping is `short`, and `sigmas` for a text with a capital sigma.
    func text(ascii: String, short: String, sigmas: String) -> String {
        "CASE WHEN \(ascii) THEN \(short) ELSE \(letters(source(sigmas: sigmas))) END"
    }

    /// The text before its letters are mapped: with the sigmas that end words, where `sigmas` holds.
    func source(sigmas: String) -> String {
        switch mapping {
        case .upper: "s"
        case .lower: "CASE WHEN \(sigmas) THEN \(withFinalSigmas) ELSE s END"
        }
    }

    /// Letters that become one letter in one `translate`; those that become several by `replace`, before.
    private func letters(_ source: String) -> String {
        let changes = mapping.changes
        let several = changes.filter { $0.to.count > 1 }.reduce(source) { text, change in
            "replace(\(text), '\(change.from)', '\(Self.text(change.to))')"
        }
        let single = changes.filter { $0.to.count == 1 }
        return "translate(\(several), '\(Self.text(single.map(\.from)))', '\(Self.text(single.flatMap(\.to)))')"
    }

    private var withFinalSigmas: String {
        switch expressions {
        case .postgreSQL, .re2, .pcre2, .icu:
            "regexp_replace(s, '\(expressions.sigmaAtEnd)', '\\1\(CaseMapping.finalSigma)\\2', 'g')"
        case .java: "regexp_replace(s, r'\(expressions.sigmaAtEnd)', '$1\(CaseMapping.finalSigma)$2')"
        }
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

extension SQLRegularExpressions {
    /// A capital sigma at the end of a word, between two groups: a letter with case and what is passed over; what is passed over
    /// and something without case, or the end.
    ///
    /// No match takes what the next one begins with, since that is a letter with case.
    var sigmaAtEnd: String {
        let passed = MatchPattern.repeated(.characters(CaseMapping.ignorable), atLeast: 0, atMost: nil)
        let others = CaseMapping.cased.union(CaseMapping.ignorable).inverted
        let before = body(.sequence([.characters(CaseMapping.cased), passed]))
        return "(\(before))\(CaseMapping.sigma)(\(body(passed))(?:\(body(.characters(others)))|$))"
    }
}
