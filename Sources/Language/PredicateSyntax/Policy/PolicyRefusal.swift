extension PredicateFormatError {
    /// A construct that a ``PredicatePolicy`` does not allow. Above each case is a format that
    /// ``PredicatePolicy/untrusted``, or a stricter policy, refuses.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Refusal: Hashable, Sendable {
        /// `FUNCTION(name, "class") == 1`
        case feature(PredicateFeature)
        /// `salary > 1` where only `name` is allowed
        case key(String)
        /// `SELF == 1`, `dept[name] == 1` where only some keys are allowed
        case unnamedKey
        /// `* WHERE name == "jo"`, a query for whole objects, where only some keys are allowed
        case allKeys
        /// `random() > 1` where that function is not allowed
        case function(FunctionExpression.Predefined)
        /// `mgl_round:(a) == 1` where functions of the host are allowed, but not this one
        case name(String)
        /// `CAST(a, "NSData") == 1`
        case castType(String)
        /// `a.@unionOfObjects.b == 1`
        case collectionOperator(String)
        /// `name MATCHES pattern`
        case variablePattern
        /// `name MATCHES "(a+)+"`
        case costlyPattern(CostlyConstruct)
        /// `age == "21"` under a policy that knows the types of the objects
        case mistake(Mistake)
    }

    /// A mistake that contradicts the types of the objects, found by a check of the predicate.
    public struct Mistake: Hashable, Sendable {
        /// The name of the finding: `kind-mismatch`
        public var code: String
        /// A description of the mistake, in one line.
        public var message: String
        /// A suggestion for correcting it; nil if there is none.
        public var hint: String?
        /// Replacements for the offending range, best first.
        public var replacements: [String]

        package init(code: String, message: String, hint: String?, replacements: [String]) {
            (self.code, self.message, self.hint, self.replacements) = (code, message, hint, replacements)
        }
    }

    /// The part of a regular expression that can make a matcher backtrack for a very long time.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum CostlyConstruct: Hashable, Sendable {
        /// `(?=a)`: a group other than `(…)` and `(?:…)`
        case specialGroup
        /// `a{x}`
        case malformedCount
        /// `a{2,1000}`: more repetitions than `most`
        case repetitions(most: Int)
        /// `(a|b)+`
        case repeatedChoice
        /// `a+b+c+d+`: more unbounded repetitions than `most`
        case unboundedRepetitions(most: Int)
        /// `a+{2}`
        case repeatedRepetition
        /// `(a)\1`
        case backreference
    }

    /// A violation with its source range: in the format string, or in the printed node of a tree that was not parsed.
    init(_ violation: PolicyViolation, in tree: TreeNode, _ source: PredicateSourceMap?) {
        self.init(violation.code)
        guard let number = violation.node else { return }
        if let source, let found = source.range(ofNode: number) {
            (text, range) = (source.text, found)
            if let base = violation.base.flatMap({ source.range(ofNode: $0) }) {
                range = Self.keys(after: base, in: found, of: text)
            }
        } else if let node = tree.node(number: number) {
            text = node.printed
            range = 0..<text.utf8.count
        }
    }

    /// Returns the range of the keys that follow the base of a path: `secret` in `friends[0].secret`.
    private static func keys(after base: Range<Int>, in path: Range<Int>, of text: String) -> Range<Int> {
        let rest = Array(text.utf8)[min(base.upperBound, path.upperBound)..<path.upperBound]
        return rest.firstIndex(of: UInt8(ascii: ".")).map { $0 + 1..<path.upperBound } ?? path
    }
}

/// The refusal of a tree by a policy, without its source range.
struct PolicyViolation: Error {
    var code: PredicateFormatError.Code
    /// The number of the offending node; nil for the whole tree.
    var node: Int?
    /// The number of the node inside it that the offending keys follow.
    var base: Int?
}

// MARK: - Messages

extension PredicateFormatError.Refusal {
    /// One line that says what the policy does not allow.
    var title: String {
        switch self {
        case .feature(let feature): "the policy does not allow \(feature.words)"
        case .key(let path): "the policy does not allow the key '\(path)'"
        case .unnamedKey: "the policy allows only the keys that it lists, and this may read others"
        case .allKeys: "the policy allows only the keys that it lists, and whole objects have others"
        case .function(let function): "the policy does not allow the function '\(function.rawValue)'"
        case .name(let name): "the policy does not allow the function or message '\(name)'"
        case .castType(let type): "the policy does not allow CAST to '\(type)'"
        case .collectionOperator(let name): "the policy does not allow the collection operator '\(name)'"
        case .variablePattern: "the policy allows only constant regular expressions"
        case .costlyPattern: "the policy does not allow regular expressions that may backtrack for long"
        case .mistake(let mistake): mistake.message
        }
    }

    /// The words next to the caret.
    var label: String? {
        switch self {
        case .feature, .key, .allKeys, .function, .name, .castType, .collectionOperator, .mistake: nil
        case .unnamedKey: "this names no key"
        case .variablePattern: "this is not a constant"
        case .costlyPattern(let construct): construct.phrase
        }
    }

    /// Hints on how to satisfy the policy.
    var hints: [String] {
        switch self {
        case .feature(let feature): feature.cure.map { [$0] } ?? []
        case .key: ["use a key that the policy lists, or add this one to its keys"]
        case .unnamedKey: ["compare keys by their names: name == \"jo\""]
        case .allKeys: ["list the values before WHERE: name, age WHERE age > 20"]
        case .function: ["use a function that the policy lists, or add this one to its functions"]
        case .name: ["use a function that the policy lists, or add this one to its names"]
        case .castType: ["use a type that the policy lists, or add this one to its castTypes"]
        case .collectionOperator:
            ["use an operator that the policy lists, or add this one to its collectionOperators"]
        case .variablePattern: ["write the pattern into the format, or use LIKE or CONTAINS"]
        case .costlyPattern: ["repeat one character or class at a time, a+b*, or use LIKE"]
        case .mistake(let mistake): mistake.hint.map { [$0] } ?? []
        }
    }
}

extension PredicateFormatError.CostlyConstruct {
    fileprivate var phrase: String {
        switch self {
        case .specialGroup: "only (…) and (?:…) are allowed groups"
        case .malformedCount: "this brace is not a count"
        case .repetitions(let most): "more than \(most) repetitions"
        case .repeatedChoice: "this repeats a group that can match in several ways"
        case .unboundedRepetitions(let most): "more than \(most) unbounded repetitions"
        case .repeatedRepetition: "a repetition of a repetition"
        case .backreference: "a back-reference"
        }
    }
}

extension PredicateFeature {
    /// The construct as error messages name it.
    fileprivate var words: String {
        switch self {
        case .constantPredicate: "TRUEPREDICATE and FALSEPREDICATE"
        case .and: "AND"
        case .or: "OR"
        case .not: "NOT"
        case .equality: "== and !="
        case .ordering: "<, <=, > and >="
        case .between: "BETWEEN"
        case .in: "IN"
        case .textEnds, .contains, .like, .matches: textOperators
        case .typeIdentifiers: "UTI-EQUALS and UTI-CONFORMS-TO"
        case .selector: "a selector as an operator"
        case .quantifiers: "ANY, ALL and SOME"
        case .variable: "variables"
        case .variableKey: "variables as keys"
        case .reflectiveKey: "keys that reveal classes or descriptions"
        case .hostFunction: "functions of the host"
        case .message: "FUNCTION"
        case .cast: "CAST"
        case .classConstant: "classes as constants"
        case .treeConstant: "expressions or predicates in constants"
        case .objectConstant: "objects as constants"
        case .aggregate: "collections of expressions"
        case .index: "indexes"
        case .subquery: "SUBQUERY"
        case .conditional: "TERNARY"
        case .setOperation: "UNION, INTERSECT and MINUS"
        case .assignment: "assignments"
        case .anyKey: "ANYKEY"
        case .fetch: "FETCH"
        case .block: "closures of the host"
        }
    }

    /// The string operators that the feature covers: `BEGINSWITH and ENDSWITH`
    private var textOperators: String {
        StringOperator.allCases.filter { $0.feature == self }.map(\.spelling).list("and")
    }

    /// An equivalent without the construct, if there is one.
    fileprivate var cure: String? {
        switch self {
        case .message: "call functions of the language without FUNCTION: uppercase(name)"
        case .variable, .variableKey: "write the value or the key itself"
        case .reflectiveKey: "compare the value itself"
        case .selector: "use an operator such as == or CONTAINS"
        case .assignment: "write the expression where it is needed"
        case .hostFunction: "use a function of the language, such as sum, average, length or uppercase"
        case .classConstant: "compare values, not their classes"
        case .treeConstant: "write the expression into the format"
        case .anyKey: "name the keys: a == 1 OR b == 1"
        case .block: "check the untrusted part with the policy first, then join the block to it"
        case .matches: "use LIKE, BEGINSWITH or CONTAINS"
        case .constantPredicate, .and, .or, .not, .equality, .ordering, .between, .in, .textEnds, .contains, .like,
            .typeIdentifiers, .quantifiers, .cast, .objectConstant, .aggregate, .index, .subquery, .conditional,
            .setOperation, .fetch:
            nil
        }
    }
}
