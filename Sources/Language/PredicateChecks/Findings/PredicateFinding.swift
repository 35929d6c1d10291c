import PredicateSyntax

/// A probable mistake in a predicate: something legal that was probably not intended, or an error that every
/// evaluation would report.
///
///     for finding in try FormatPredicate("age > 5 AND age < 3").check() { print(finding) }
///     // never-holds: this and age > 5 never hold together
///     //   age > 5 AND age < 3
///     //               ^~~~~~~
public struct PredicateFinding: Hashable, Sendable {
    /// The kind of the finding.
    public var code: Code
    /// The source range as UTF-8 offsets into the format; nil for a predicate without a source.
    public var range: Range<Int>?
    /// A description of the mistake, in one line.
    public var message: String
    /// A suggestion for correcting it, in one line; nil if there is none.
    public var hint: String?
    /// An edit of the format that corrects the mistake; nil if there is none.
    public var fix: Fix?
    /// Guesses at what the range should be, best first: `boss.name` for `boss.nmae`.
    package var guesses: [String] = []
    /// The severity.
    public var level: Level
    /// The format of the predicate; for a predicate that was not made from a format, its canonical form.
    public var format: String = ""

    package init(_ code: Code, _ node: CheckedNode, _ message: String, _ hint: String? = nil, fix: Fix? = nil) {
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

    func at(_ level: Level) -> PredicateFinding {
        var copy = self
        copy.level = level
        return copy
    }

    /// Returns the finding with the format that it refers to.
    func `in`(_ format: String) -> PredicateFinding {
        var copy = self
        copy.format = format
        return copy
    }

    /// The severity of a finding.
    public enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Correct, but redundant or worth knowing.
        case note
        /// Probably a mistake.
        case warning
        /// An error in every evaluation.
        case error

        /// An error is the greatest level.
        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// An edit that corrects a mistake by replacing part of the format.
    public struct Fix: Hashable, Sendable {
        /// UTF-8 offsets into the format.
        public var range: Range<Int>
        /// The string that replaces the range.
        public var replacement: String
        /// True if the edit is certainly what was intended, so that a tool may apply it automatically.
        public var isCertain: Bool

        package init(_ range: Range<Int>, _ replacement: String, isCertain: Bool = false) {
            self.range = range
            self.replacement = replacement
            self.isCertain = isCertain
        }

        /// Returns the edited format, or the format unchanged if the range is not on character boundaries.
        public func applied(to format: String) -> String {
            let bytes = Array(format.utf8)
            guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return format }
            let parts = [bytes[..<range.lowerBound], ArraySlice(replacement.utf8), bytes[range.upperBound...]]
            return String(validating: parts.joined(), as: UTF8.self) ?? format
        }
    }
}

extension PredicateFinding: CustomStringConvertible {
    /// The finding as shown in a terminal: code and message, the format with a caret under the range, and the hint.
    public var description: String {
        let text = ErrorRenderer.render(
            title: message, source: range == nil ? "" : format, range: range ?? 0..<0, label: nil,
            hints: hint.map { [$0] } ?? [])
        return "\(code.rawValue):" + text.dropFirst("error:".count)
    }
}

extension PredicateFinding {
    /// The kinds of findings. The raw value is the name; the comment of each case shows a format that has the
    /// finding.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: String, Hashable, Sendable, CaseIterable {
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
        /// `paid == 1 AND status == 1 OR status == 2`
        case andBindsTightly = "and-binds-tightly"
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
        /// `name.lenght > 3`: values of this kind have no such key
        case unknownProperty = "unknown-property"
        /// A key that only subentities have. An object of the entity may lack it, and a fetch of the entity rejects
        /// it
        case subentityKey = "subentity-key"
        /// A transient property, which is not stored: a fetch rejects it, objects in memory have it
        case transientKey = "transient-key"
        /// `count:(orders) > 3`, which objects in memory accept and Core Data's SQLite store refuses
        case refusedByStore = "refused-by-store"
        /// `no = 9` where objects have a key `no`: the word is a constant
        case keywordAsKey = "keyword-as-key"
        /// `board-id == "x"`: without quotes, a subtraction of two keys
        case hyphenatedKey = "hyphenated-key"
        /// `age > 70000` where ages are Integer 16
        case outOfRange = "out-of-range"
        /// `version >= "10.0"` where versions are strings
        case versionOrder = "version-order"
        /// `tags == "new"` where objects have several tags
        case toManyKey = "to-many-key"
        /// `ANY name == "jo"` where an object has one name
        case toOneKey = "to-one-key"
        /// `ANY posts.when == nil`: the values of a to-many relationship never contain nil
        case nilInToMany = "nil-in-to-many"
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
        /// `name == "Zoë"` where some names spell ë with two code points
        case decomposedText = "decomposed-text"
        /// `name == "jo"` where the names are `Jo`
        case caseDiffers = "case-differs"
        /// `name CONTAINS ""`
        case emptyText = "empty-text"
        /// `age IN {}`
        case emptyCollection = "empty-collection"
        /// `name MATCHES "("`
        case cannotBePrepared = "cannot-be-prepared"
        /// `name.count > 3` where names are strings
        case cannotBeEvaluated = "cannot-be-evaluated"

        /// The default level of findings of this kind.
        package var level: Level {
            switch self {
            case .cannotBePrepared, .cannotBeEvaluated, .unknownProperty, .outOfRange: .error
            case .duplicateClause, .impliedClause, .optionWithoutEffect, .likeWithoutWildcard, .bothConstant: .note
            case .neverHolds, .alwaysHolds, .notBindsTightly, .andBindsTightly, .unknownKey, .subentityKey,
                .transientKey,
                .refusedByStore,
                .keywordAsKey,
                .hyphenatedKey, .quotedKey, .kindMismatch, .versionOrder, .wildcardInEquality, .wildcardInSearch,
                .foreignWildcard,
                .patternInLike, .wildcardInPattern, .matchesWholeText, .unescapedDot, .lostBackslash, .keepsNil,
                .toManyKey, .toOneKey, .nilInToMany, .anyDiffers, .betweenShape, .inNoCollection, .containsCollection,
                .specifierInQuotes, .constantInQuotes, .numberInQuotes, .variableInQuotes, .textWithoutQuotes,
                .dateWithoutQuotes, .unknownOperator, .operatorWithoutKey, .unusedVariable, .wholeDivision,
                .decomposedText, .caseDiffers, .emptyText, .emptyCollection:
                .warning
            }
        }
    }
}
