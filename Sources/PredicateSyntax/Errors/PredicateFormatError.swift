/// Why a format string is no predicate: a code, the place, and the format itself.
///
/// `description` shows the excerpt with a caret and a hint:
///
///     error: expected an operator such as == or CONTAINS
///       age NOT IN %@
///           ^~~~~~ NOT stands before the whole comparison
///     hint: write NOT (age IN …)
public struct PredicateFormatError: Error, Hashable, Sendable {
    public var code: Code
    /// The place, as UTF-8 offsets into ``format``; it begins and ends between code points.
    public var range: Range<Int>
    /// The format string as it was given.
    public var format: String

    public init(_ code: Code, range: Range<Int>, format: String) {
        self.code = code
        self.range = range
        self.format = format
    }

    /// What is wrong, named by what was expected or violated. Above each case stands the shortest format that
    /// triggers it.
    @nonexhaustive
    public indirect enum Code: Hashable, Sendable {
        /// The empty string.
        case emptyFormat
        /// `age >=`
        case expectedExpression
        /// `age`
        case expectedOperator
        /// `age RECEIVES 1`
        case unknownOperator(String, suggestion: String?)
        /// `age NOT IN a`
        case notBeforeOperator(String)
        /// `age BETWEEN 1 AND 2`
        case betweenWithAnd
        /// `1 || a == 1`
        case expectedPredicate
        /// `a == 1 b == 2`
        case expectedLogicalOperator
        /// `a == b == c`
        case chainedComparison
        /// `SUBQUERY a`
        case expectedSymbol(Symbol)
        /// `a.`
        case expectedKey
        /// `SUBQUERY(a, x, x == 1)`
        case expectedVariable
        /// `FUNCTION(a, b) == 1`
        case expectedString
        /// `a ==[c 1`
        case expectedOption
        /// `a ==[z] 1`
        case unknownOption(String)
        /// `(a == 1`
        case unclosed(Symbol)
        /// `a == 1)`
        case unmatched(Symbol)
        /// `(a == 1).b == 2`
        case predicateIsNotAValue
        /// `a == 1` as the format of an expression
        case predicateIsNotAnExpression
        /// `IN == 1`
        case reservedWord(String)
        /// `a == "jo`
        case unterminatedString
        /// `a == 'it's'`
        case quoteInsideString
        /// `name LIKE %@*`
        case wildcardOutsideString
        /// `a == "\ud800"`
        case loneSurrogate
        /// `a ? b`
        case unexpectedCharacter(String)
        /// `étrange == 1`
        case nonASCIIKey(String)
        /// `a == @`
        case loneMark(String)
        /// `a == 0x`
        case invalidNumber
        /// `a == 9223372036854775808`
        case integerTooLarge
        /// `a == %k`
        case unknownSpecifier(String)
        /// `a %% 2 == 0`
        case percentSign
        /// `a == %@` without an argument
        case missingArgument(index: Int)
        /// `a == 1` with an argument, where surplus ones are refused
        case surplusArguments(expected: Int, found: Int)
        /// `a == %d` with a string
        case argumentKind(index: Int, expected: String, found: String)
        /// `%@` with a predicate, where a predicate would have to stand
        case predicateArgument
        /// `%K == 1` with an empty string
        case emptyKey
        /// `mgl_round(a)` as the format of an expression
        case unknownFunction(String, nearMisses: [String])
        /// `((((…`
        case nestingTooDeep(limit: Int)
        /// A format of too many bytes.
        case formatTooLong(limit: Int)
        /// More of something than ``PredicateLimits`` allow: `a == "jo"` where a constant may have one byte
        case exceeds(PredicateLimits.Limit, limit: Int)
    }
}

extension PredicateFormatError: CustomStringConvertible {
    /// The error with its excerpt, as a terminal shows it.
    public var description: String {
        ErrorRenderer.render(title: code.title, source: format, range: range, label: code.label, hints: hints)
    }

    /// What to write instead.
    public var hints: [String] {
        ForeignPhrase(format, at: range.lowerBound).hint(for: code).map { [$0] } ?? code.hints
    }
}
