import PredicateSyntax

/// A finding of a check: something legal that is probably not what was meant, with a hint and, where the cure is known,
/// a fix.
package struct Finding: Hashable, Sendable {
    package var code: Code
    /// The source range, as UTF-8 offsets into the format; nil for a predicate without a source.
    package var range: Range<Int>?
    package var message: String
    package var hint: String?
    package var fix: Fix?
    package var level: Level

    package init(_ code: Code, _ node: PlacedNode, _ message: String, _ hint: String? = nil, fix: Fix? = nil) {
        self.init(code, node.range, message, hint, fix: fix)
    }

    package init(_ code: Code, _ range: Range<Int>?, _ message: String, _ hint: String? = nil, fix: Fix? = nil) {
        self.code = code
        self.range = range
        self.message = message
        self.hint = hint
        self.fix = fix
        level = code.level
    }

    /// Returns the finding of something that is an error in every evaluation.
    func asError() -> Finding {
        var copy = self
        copy.level = .error
        return copy
    }

    /// How bad a finding is.
    package enum Level: String, Hashable, Sendable, CaseIterable {
        /// An error in every evaluation.
        case error
        /// Probably wrong.
        case warning
        /// Right, but there is more than is needed.
        case note
    }

    /// An edit of the format that cures a finding: replaces a part of it by another text.
    package struct Fix: Hashable, Sendable {
        /// UTF-8 offsets into the format.
        package var range: Range<Int>
        package var replacement: String
        /// True if this is what was meant beyond doubt, so that a tool may change a file unasked.
        package var isCertain: Bool

        package init(_ range: Range<Int>, _ replacement: String, isCertain: Bool = false) {
            self.range = range
            self.replacement = replacement
            self.isCertain = isCertain
        }

        /// Returns the format with the edit; unchanged if the range does not lie between its characters.
        package func applied(to format: String) -> String {
            let bytes = Array(format.utf8)
            guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return format }
            let parts = [bytes[..<range.lowerBound], ArraySlice(replacement.utf8), bytes[range.upperBound...]]
            return String(validating: parts.joined(), as: UTF8.self) ?? format
        }
    }

    /// Returns the text of the finding, with a caret under its source range.
    package func description(in format: String) -> String {
        let text = ErrorRenderer.render(
            title: message, source: range == nil ? "" : format, range: range ?? 0..<0, label: nil,
            hints: hint.map { [$0] } ?? [])
        return "\(code.rawValue):" + text.dropFirst("error:".count)
    }
}

extension Finding {
    /// The type of a finding. Each case shows a format that has it.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// `age > 5 AND age < 3`
        case neverHolds = "never-holds"
        /// `age != 1 OR age != 2`
        case alwaysHolds = "always-holds"
        /// `age > 5 AND name == "jo" AND age > 5`
        case duplicateClause = "duplicate-clause"
        /// `age > 5 AND age > 3`
        case impliedClause = "implied-clause"
        /// `NOT age == 1 OR age == 2`
        case notBindsTightly = "not-binds-tightly"
        /// `nmae == "jo"` where objects have a name
        case unknownKey = "unknown-key"
        /// `"name" == "jo"`
        case quotedKey = "quoted-key"
        /// `%@ == %@`
        case bothConstant = "both-constant"
        /// `"1" == 1`
        case kindMismatch = "kind-mismatch"
        /// `name == "jo*"`
        case wildcardInEquality = "wildcard-in-equality"
        /// `name BEGINSWITH "jo*"`
        case wildcardInSearch = "wildcard-in-search"
        /// `name LIKE "jo"`
        case likeWithoutWildcard = "like-without-wildcard"
        /// `name LIKE "jo%"`
        case foreignWildcard = "foreign-wildcard"
        /// `name LIKE "jo.*"`
        case patternInLike = "pattern-in-like"
        /// `name MATCHES "jo*"`
        case wildcardInPattern = "wildcard-in-pattern"
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
        /// `ANY tags != "new"`
        case anyDiffers = "any-differs"
        /// `age BETWEEN 25`
        case betweenShape = "between-shape"
        /// `age IN 10`
        case inNoCollection = "in-no-collection"
        /// `tags CONTAINS {"a", "b"}`
        case containsCollection = "contains-collection"
        /// `name ==[w] "jo"`
        case optionWithoutEffect = "option-without-effect"
        /// `name == "%@"`
        case specifierInQuotes = "specifier-in-quotes"
        /// `name == "nil"`, `active == "YES"`
        case constantInQuotes = "constant-in-quotes"
        /// `age > "18"`
        case numberInQuotes = "number-in-quotes"
        /// `name == "$NAME"`
        case variableInQuotes = "variable-in-quotes"
        /// `name == Bob`
        case textWithoutQuotes = "text-without-quotes"
        /// `born > 1990-05-01`
        case dateWithoutQuotes = "date-without-quotes"
        /// `@K == 1`
        case unknownOperator = "unknown-operator"
        /// `scores.@avg > 2`
        case operatorWithoutKey = "operator-without-key"
        /// `SUBQUERY(friends, $f, age > 21).@count > 0`
        case unusedVariable = "unused-variable"
        /// `score / 2 == 0.5`
        case wholeDivision = "whole-division"
        /// `name == "Zoë"` where some names have the ë in two code points
        case decomposedText = "decomposed-text"
        /// `name CONTAINS ""`
        case emptyText = "empty-text"
        /// `age IN {}`
        case emptyCollection = "empty-collection"
        /// `name MATCHES "("`
        case cannotBePrepared = "cannot-be-prepared"
        /// `name.count > 3` where names are texts
        case cannotBeEvaluated = "cannot-be-evaluated"

        /// The level of findings of the type, unless more is known.
        var level: Level {
            switch self {
            case .cannotBePrepared, .cannotBeEvaluated: .error
            case .duplicateClause, .impliedClause, .optionWithoutEffect, .likeWithoutWildcard, .bothConstant: .note
            case .neverHolds, .alwaysHolds, .notBindsTightly, .unknownKey, .quotedKey, .kindMismatch,
                .wildcardInEquality, .wildcardInSearch, .foreignWildcard, .patternInLike, .wildcardInPattern,
                .matchesWholeText, .unescapedDot, .lostBackslash, .keepsNil, .anyMissing, .anyOfOne, .anyDiffers,
                .betweenShape, .inNoCollection, .containsCollection, .specifierInQuotes, .constantInQuotes,
                .numberInQuotes, .variableInQuotes, .textWithoutQuotes, .dateWithoutQuotes, .unknownOperator,
                .operatorWithoutKey, .unusedVariable, .wholeDivision, .decomposedText, .emptyText, .emptyCollection:
                .warning
            }
        }
    }
}
