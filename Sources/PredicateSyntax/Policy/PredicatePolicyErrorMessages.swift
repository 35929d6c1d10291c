extension PredicatePolicyError {
    public var title: String { code.title }
    public var label: String? { code.label }
    public var hints: [String] { code.hints }
}

/// The wording of policy errors.
extension PredicatePolicyError.Code {
    /// One line that says what was expected.
    package var title: String {
        switch self {
        case .feature(let feature): "expected no \(feature.words): the policy does not allow it"
        case .key(let path): "expected a key that the policy allows, found '\(path)'"
        case .unnamedKey: "expected keys that are written out: the policy allows some keys only"
        case .function(let function): "expected a function that the policy allows, found '\(function.rawValue)'"
        case .name(let name): "expected a name that the policy allows, found '\(name)'"
        case .castType(let type): "expected a type that the policy allows, found '\(type)'"
        case .collectionOperator(let name): "expected an operator that the policy allows, found '\(name)'"
        case .variablePattern: "expected a regular expression that is written out"
        case .costlyPattern: "expected a plain regular expression: the policy does not allow what may take long"
        case .exceeds(let name, let limit): "expected at most \(limit) \(name.unit)"
        }
    }

    /// The words next to the caret.
    package var label: String? {
        switch self {
        case .feature: "this is refused"
        case .key, .unnamedKey: "this key is refused"
        case .function, .name, .castType, .collectionOperator: nil
        case .variablePattern: "this is not known beforehand"
        case .costlyPattern(let construct): construct.phrase
        case .exceeds: "this is more"
        }
    }

    /// Cures.
    package var hints: [String] {
        switch self {
        case .feature(let feature): feature.cure.map { [$0] } ?? []
        case .key: ["the host lists the keys that it lets others ask for"]
        case .unnamedKey: ["compare keys by their names: name == \"jo\""]
        case .function, .name, .castType, .collectionOperator: ["the host lists what it lets others use"]
        case .variablePattern: ["write the pattern into the predicate, or use LIKE or CONTAINS"]
        case .costlyPattern: ["repeat one character or class at a time: a+b*; or use LIKE"]
        case .exceeds(let name, _): [name.hint]
        }
    }
}

extension PredicatePolicyError.CostlyConstruct {
    fileprivate var phrase: String {
        switch self {
        case .specialGroup: "only (…) and (?:…) are plain groups"
        case .malformedCount: "a brace that is no count"
        case .repetitions(let most): "more than \(most) repetitions"
        case .repeatedChoice: "a repetition of something that varies"
        case .unboundedRepetitions(let most): "more than \(most) repetitions without end"
        case .repeatedRepetition: "a repetition of a repetition"
        case .backreference: "a reference back"
        }
    }
}

extension PredicateFeature {
    /// The construct in the words of errors.
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
        case .selector: "selector as an operator"
        case .quantifiers: "ANY, ALL and SOME"
        case .variable: "variable"
        case .variableKey: "variable for a key"
        case .reflectiveKey: "key that tells of classes or descriptions"
        case .hostFunction: "function of the host's"
        case .message: "FUNCTION"
        case .cast: "CAST"
        case .classConstant: "class"
        case .treeConstant: "expression or predicate in a constant"
        case .objectConstant: "object in a constant"
        case .aggregate: "collection of expressions"
        case .index: "index"
        case .subquery: "SUBQUERY"
        case .conditional: "TERNARY"
        case .setOperation: "UNION, INTERSECT and MINUS"
        case .assignment: "assignment"
        case .anyKey: "ANYKEY"
        case .fetch: "FETCH"
        case .block: "block of the host's"
        }
    }

    /// The operators for texts that the feature allows: `BEGINSWITH and ENDSWITH`
    private var textOperators: String {
        let words = StringOperator.allCases.filter { $0.feature == self }.map(\.spelling)
        guard let last = words.last, words.count > 1 else { return words.joined() }
        return "\(words.dropLast().joined(separator: ", ")) and \(last)"
    }

    /// An equivalent without the construct, where there is one.
    fileprivate var cure: String? {
        switch self {
        case .message: "functions of the language stand without FUNCTION: uppercase(name)"
        case .variable, .variableKey: "write the value or the key itself"
        case .reflectiveKey: "compare the value itself, or CAST(x, \"NSString\")"
        case .selector: "use an operator such as == or CONTAINS"
        case .assignment: "write the expression where it is needed"
        case .hostFunction: "the functions of the language are sum, average, length, uppercase and others"
        case .classConstant: "compare values, not their classes"
        case .treeConstant: "write the expression into the format"
        case .anyKey: "name the keys: a == 1 OR b == 1"
        case .block: "check what comes from outside before joining a block to it"
        case .matches: "LIKE, BEGINSWITH and CONTAINS look into texts too"
        case .constantPredicate, .and, .or, .not, .equality, .ordering, .between, .in, .textEnds, .contains, .like,
            .typeIdentifiers, .quantifiers, .cast, .objectConstant, .aggregate, .index, .subquery, .conditional,
            .setOperation, .fetch:
            nil
        }
    }
}
