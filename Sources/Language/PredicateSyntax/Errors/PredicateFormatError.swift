/// An error in a format string, or its refusal by a policy: a code, the source range, and the format itself.
///
/// `description` shows the excerpt with a caret and a hint:
///
///     error: expected an operator, found NOT IN
///       age NOT IN %@
///           ^~~~~~ NOT goes before the whole comparison
///     hint: write NOT (age IN …)
public struct PredicateFormatError: PredicateDiagnostic {
    public var code: Code
    /// The format string as given, or the printed offending node of a tree that was not parsed.
    public var text: String
    /// The offending range of ``text`` as UTF-8 offsets; it begins and ends between code points.
    public var range: Range<Int>

    /// Makes an error with the format string and its offending range.
    package init(_ code: Code, text: String = "", range: Range<Int> = 0..<0) {
        self.code = code
        self.text = text
        self.range = range
    }

    /// The kind of error, named after what was expected or violated. Above each case is the shortest format that
    /// triggers it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public indirect enum Code: Hashable, Sendable {
        /// The empty string.
        case emptyFormat
        /// `age >=`
        case expectedExpression
        /// `age`
        case expectedOperator
        /// `age RECEIVES 1`
        case unknownOperator(String, suggestion: String?)
        /// `name =~ "J.*"`
        case foreignOperator(String)
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
        case expectedSymbol(String)
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
        case unclosed(String)
        /// `a == 1)`
        case unmatched(String)
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
        /// `a == 1` with an argument, if surplus arguments are refused
        case surplusArguments(expected: Int, found: Int)
        /// `a == %d` with a string
        case argumentKind(index: Int, expected: ArgumentKind, found: PredicateValue)
        /// `%@` with a predicate, where a comparison is required
        case predicateArgument
        /// `%K == 1` with an empty string
        case emptyKey
        /// `mgl_round(a)` as the format of an expression
        case unknownFunction(String, nearMisses: [String])
        /// `name == $limit` without a value for the variable of the template
        case unboundVariable(String)
        /// `((((…`
        case nestingTooDeep(limit: Int)
        /// A format with too many bytes.
        case formatTooLong(limit: Int)
        /// A size that exceeds ``PredicateLimits``: `a == "jo"` with a limit of one byte for constants
        case exceeds(PredicateLimits.Limit, limit: Int)
        /// `FUNCTION(name, "class") == 1` under ``PredicatePolicy/untrusted``
        case refused(Refusal)
    }

    /// The kind of argument that a specifier takes.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ArgumentKind: Hashable, Sendable {
        /// `a == %d`
        case number
        /// `%K == 1`, `a == %s`
        case string
    }
}
