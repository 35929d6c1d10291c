/// An error in a format string: a code, the source range, and the format itself.
///
/// `description` shows the excerpt with a caret and a hint:
///
///     error: expected an operator such as == or CONTAINS
///       age NOT IN %@
///           ^~~~~~ NOT stands before the whole comparison
///     hint: write NOT (age IN …)
public struct PredicateFormatError: PredicateDiagnostic {
    public var code: Code
    /// The format string as it was given.
    public var text: String
    /// The offending range of ``text``, as UTF-8 offsets; it begins and ends between code points.
    public var range: Range<Int>

    /// An error in a format string, with the range of bytes of the fault.
    public init(_ code: Code, text: String = "", range: Range<Int> = 0..<0) {
        self.code = code
        self.text = text
        self.range = range
    }

    /// The kind of error, named by what was expected or violated. Above each case stands the shortest format that
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
        /// `a == 1` with an argument, where surplus ones are refused
        case surplusArguments(expected: Int, found: Int)
        /// `a == %d` with a string
        case argumentKind(index: Int, expected: ArgumentKind, found: PredicateValue)
        /// `%@` with a predicate, where a predicate would have to stand
        case predicateArgument
        /// `%K == 1` with an empty string
        case emptyKey
        /// `mgl_round(a)` as the format of an expression
        case unknownFunction(String, nearMisses: [String])
        /// `name == $limit` without a value for the variable of the template
        case unboundVariable(String)
        /// `((((…`
        case nestingTooDeep(limit: Int)
        /// A format of too many bytes.
        case formatTooLong(limit: Int)
        /// More of something than ``PredicateLimits`` allow: `a == "jo"` where a constant may have one byte
        case exceeds(PredicateLimits.Limit, limit: Int)
    }

    /// The kind of argument that a specifier draws.
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
