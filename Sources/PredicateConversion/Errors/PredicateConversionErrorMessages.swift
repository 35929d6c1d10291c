/// The wording of errors of the conversion.
extension PredicateConversionError {
    public var title: String { code.title }
    public var label: String? { nil }
    public var hints: [String] { code.hints }
}

extension PredicateConversionError.Code {
    fileprivate var title: String {
        switch self {
        case .unsupported(let node, let reason): "expected a form of \(node) that the language has: \(reason.words)"
        case .unknownNode(let name): "expected a node of Foundation, found \(name)"
        case .unnamedKeyPath(let path, let type): "expected a key path with a name: \(path) of \(type) has none"
        case .notAConstant(let type): "expected a value that a predicate can hold, found a \(type)"
        case .pattern(let part): "expected a regular expression that means the same to ICU: \(part) does not"
        case .overflow: "expected a result that fits its type: this one is too large"
        case .failing(let words): "expected a constant that can be evaluated: \(words)"
        case .nestingTooDeep(let limit): "expected at most \(limit) levels of nesting"
        case .exceedsLimits: "expected a predicate within the limits of the language"
        }
    }

    fileprivate var hints: [String] {
        switch self {
        case .unsupported(_, let reason): reason.hints
        case .unknownNode: ["evaluate it in memory, with Predicate.evaluate"]
        case .unnamedKeyPath(_, let type):
            [
                "list it in the keys of \(type) as a KeyPathCoding type: \"name\": .key(\\.name)",
                "or give its name with the predicate: names: [\\\(type).name: \"name\"]",
                "in a generic function #Predicate<Row> the path is one of the parameter: names: [\\Row.name: \"name\"] there",
            ]
        case .notAConstant(let type):
            [
                "extend \(type): PredicateValueConvertible says what it is in the language, as Hashable makes it an object"
            ]
        case .pattern: ["texts are searched by ICU, code point by code point: write the pattern without it"]
        case .overflow, .failing: ["compute the value before the predicate is made"]
        case .nestingTooDeep: ["split the predicate, or store what it computes"]
        case .exceedsLimits:
            ["PredicateLimits.standard has 100 levels; a flatMap is copied to each use of its variable"]
        }
    }
}

extension PredicateConversionError.Reason {
    fileprivate var words: String {
        switch self {
        case .order(let type): "only Swift knows the order of \(type)"
        case .arithmetic(let type): "it computes with 64 bits and decimals, not with \(type)"
        case .elements(let type): "\(type) is no array and no set"
        case .positions(let type): "\(type) has no element at a number"
        case .sequenceSearch(let type): "it searches texts, not \(type)"
        case .slices: "it has no slices"
        case .cast(let from, let to): "it has no cast from \(from) to \(to)"
        case .nestedOptional(let type): "it has one nil, and \(type) has two"
        case .range: "a range stands before .contains only"
        case .variablePattern: "a regular expression is a constant"
        case .variableExpression: "an expression that is called is a constant"
        case .locale: "it orders texts by their code points, not by a locale"
        }
    }

    fileprivate var hints: [String] {
        switch self {
        case .order: ["compare a number, a text or a date of it"]
        case .arithmetic(let type): ["use Double instead of \(type)"]
        case .elements, .positions: ["ask an array or a set"]
        case .sequenceSearch: ["ask for an element: tags.contains(tag)"]
        case .slices: ["ask for the elements by their positions: tags[1] == …"]
        case .cast: ["a cast that changes nothing may stay"]
        case .nestedOptional: ["values that are not optional, or ?? before the comparison"]
        case .range: ["write (low...high).contains(value)"]
        case .locale: ["write comparator: .lexical"]
        case .variablePattern, .variableExpression: ["capture it from around the predicate"]
        }
    }
}
