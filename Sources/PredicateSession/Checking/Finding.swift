import PredicateSyntax

/// A finding of a check: something legal that is probably not what was meant, with a suggestion.
package struct Finding: Hashable, Sendable {
    /// The type of a finding. Each case shows a format that has it.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// `age > 5 AND age < 3`
        case neverHolds = "never-holds"
        /// `age != 1 OR age != 2`
        case alwaysHolds = "always-holds"
        /// `age > 5 AND name == "jo" AND age > 5`
        case duplicateClause = "duplicate-clause"
        /// `NOT age == 1 OR age == 2`
        case notBindsTightly = "not-binds-tightly"
        /// `nmae == "jo"` where objects have a name
        case unknownKey = "unknown-key"
        /// `"name" == "jo"` where objects have a name
        case quotedKey = "quoted-key"
        /// `"1" == 1`
        case kindMismatch = "kind-mismatch"
        /// `name == "jo*"`
        case wildcardInEquality = "wildcard-in-equality"
        /// `name LIKE "jo"`
        case likeWithoutWildcard = "like-without-wildcard"
        /// `name LIKE "jo%"`
        case foreignWildcard = "foreign-wildcard"
        /// `name MATCHES "jo"`
        case matchesWholeText = "matches-whole-text"
        /// `name MATCHES "www.swift.org"`
        case unescapedDot = "unescaped-dot"
        /// `name MATCHES "\d+"`
        case lostBackslash = "lost-backslash"
        /// `name != "jo"` where some names are nil
        case keepsNil = "keeps-nil"
        /// `tags == "new"` where tags are arrays
        case anyMissing = "any-missing"
        /// `ANY name == "jo"` where names are texts
        case anyOfOne = "any-of-one"
        /// `age BETWEEN 25`
        case betweenShape = "between-shape"
        /// `age IN 10`
        case inNoCollection = "in-no-collection"
        /// `name ==[w] "jo"`
        case optionWithoutEffect = "option-without-effect"
        /// `name == "%@"`
        case specifierInQuotes = "specifier-in-quotes"
        /// `born > 1990-05-01`
        case dateWithoutQuotes = "date-without-quotes"
        /// `@K == 1`
        case unknownOperator = "unknown-operator"
        /// `name == "Zoë"` where some names have the ë in two code points
        case decomposedText = "decomposed-text"
        /// `name CONTAINS ""`
        case emptyText = "empty-text"
        /// `age IN {}`
        case emptyCollection = "empty-collection"
        /// `name MATCHES "("`
        case cannotBePrepared = "cannot-be-prepared"
    }

    package var code: Code
    /// The source range, as UTF-8 offsets into the format; nil for a predicate without a source.
    package var range: Range<Int>?
    package var message: String
    package var suggestion: String?

    init(_ code: Code, _ node: PlacedNode, _ message: String, _ suggestion: String? = nil) {
        self.init(code, node.range, message, suggestion)
    }

    init(_ code: Code, _ range: Range<Int>?, _ message: String, _ suggestion: String? = nil) {
        self.code = code
        self.range = range
        self.message = message
        self.suggestion = suggestion
    }

    /// Returns the text of the finding, with a caret under its source range.
    package func description(in format: String) -> String {
        let text = ErrorRenderer.render(
            title: message, source: range == nil ? "" : format, range: range ?? 0..<0, label: nil,
            hints: suggestion.map { [$0] } ?? [])
        return "\(code.rawValue):" + text.dropFirst("error:".count)
    }
}
