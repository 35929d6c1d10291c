import PredicateSyntax

/// Why a predicate could not be prepared or evaluated: a code, and the sub-expression at fault.
///
/// `name < 3` where name holds a string: `incomparable(left: "NSString \"jo\"", right: "NSNumber 3")`
///
/// ``description`` says it in words; ``description(in:)`` shows the place in the format string too.
public struct EvaluationError: Error, Hashable, Sendable {
    /// What went wrong, named by what was expected or violated.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
        /// `name < 3` where name is a string: values of these two classes have no order
        case incomparable(left: String, right: String)
        /// `a + 1` where a is a string or nil: arithmetic takes numbers
        case notANumber(found: String)
        /// `a << 1.5`: bit operators take integers
        case notAnInteger(found: String)
        /// `9223372036854775807 + 1`
        case integerOverflow
        /// `1 / 0` in integers
        case divisionByZero
        /// `age LIKE "1*"` where age is a number: a text operator takes texts
        case notAString(found: String)
        /// `ANY age == 1` where age is a number; `UNION`, `SUBQUERY`, `@count` of one
        case notACollection(found: String)
        /// `age BETWEEN 25`: the right side must be a collection of two
        case notARange(found: String)
        /// `age IN 10`
        case notAContainer(found: String)
        /// `wings > 2` on an object that has no key wings; near misses best first
        case undefinedKey(String, of: String, nearMisses: [String])
        /// `a.@medium.b`
        case unknownCollectionOperator(String, nearMisses: [String])
        /// `a.d[0]`: after a dot stands a key; the index belongs in `(a.d)[0]`
        case notAKey(found: String)
        /// `a[7]` in an array of three
        case indexOutOfRange(Int, count: Int)
        /// `a["x"]` in an array; `a[FIRST]` of a number
        case notIndexable(found: String, index: String)
        /// `FIRST == 1`: the word means a position in an index, nothing else; as a key it is written `#first`
        case symbolOutsideIndex(String)
        /// `$limit` without a value; near misses among the names that have one
        case unboundVariable(String, nearMisses: [String])
        /// `mgl_round(x) == 1`
        case unknownFunction(String, nearMisses: [String])
        /// `sqrt(1, 2)`
        case argumentCount(function: String, expected: ClosedRange<Int>, found: Int)
        /// `FUNCTION(a, "erase")`: the registry has no such message for this value
        case unknownMessage(String, target: String, nearMisses: [String])
        /// `self conformsTo: %@`: the registry has no such selector
        case unknownSelector(String, nearMisses: [String])
        /// `CAST(x, "UIColor")`
        case unknownCastType(String, nearMisses: [String])
        /// `CAST("abc", "NSDate")`
        case castFailed(value: String, type: String)
        /// `name MATCHES "(a"`
        case invalidPattern(String)
        /// `name MATCHES "(a+)+$"` on a text that makes the pattern try too many ways
        case patternTooCostly(String)
        /// `FUNCTION(a, "stringByAppendingString:", a)` where that grows past all bounds
        case resultTooLarge(limit: Int)
        /// `max({})`
        case emptyCollection(function: String)
        /// `uppercase(1)`: a function's argument of the wrong kind
        case argumentKind(function: String, expected: String, found: String)
        /// `ANYKEY == 1`: only a search index can evaluate it
        case notEvaluable(String)
        /// A NOT built by hand over none or several predicates
        case subpredicateCount(found: Int)
        /// A tree that nests deeper than ``PredicateLimits/nesting``
        case nestingTooDeep(limit: Int)
        /// More of something than ``PredicateLimits`` allow: `SUBQUERY(a, $x, $x == 1)` where a has more elements than steps
        case exceeds(PredicateLimits.Limit, limit: Int)
        /// A host's object or function threw.
        case host(String)
    }

    public var code: Code
    /// The sub-expression at fault, as its position in the tree: children before parents, left before right.
    /// Nil when the whole predicate is.
    public var culprit: Int?

    public init(_ code: Code, culprit: Int? = nil) {
        self.code = code
        self.culprit = culprit
    }
}
