/// The wording of conversion errors.
extension PredicateConversionError {
    public var title: String { code.title }
    public var label: String? { nil }
    public var hints: [String] { code.hints }
}

extension PredicateConversionError.Code {
    fileprivate var title: String {
        switch self {
        case .unsupported(let node, let reason): "cannot convert \(node): \(reason.words)"
        case .unknownNode(let name): "cannot convert \(name): it is not one of Foundation's nodes"
        case .unnamedKeyPath(let path, let type, _): "\(path) of \(type) has no name in predicates"
        case .pattern(let part): "ICU interprets \(part) differently from Swift"
        case .overflow: "the result does not fit in its type"
        case .failing(let words): "the constant cannot be evaluated: \(words)"
        case .nestingTooDeep(let limit): "expected at most \(limit) levels of nesting"
        case .exceedsLimits: "the converted predicate exceeds the limits"
        }
    }

    fileprivate var hints: [String] {
        switch self {
        case .unsupported(_, let reason): reason.hints
        case .unknownNode: ["evaluate the predicate in memory with Predicate.evaluate"]
        case .unnamedKeyPath(_, let type, _):
            namingHints + [
                "or pass its name with the predicate: names: [\\\(type).name: \"name\"]",
                "in a generic function with #Predicate<Row>, pass the key path of Row: names: [\\Row.name: \"name\"]",
            ]
        case .pattern: ["write the pattern without it"]
        case .overflow, .failing: ["compute the value before making the predicate"]
        case .nestingTooDeep: ["split the predicate, or compute a part of it beforehand"]
        case .exceedsLimits:
            [
                "split the predicate: PredicateLimits.standard allows 100 levels, "
                    + "and a flatMap is copied to each use of its variable"
            ]
        }
    }
}

extension PredicateConversionError.Code {
    /// The hints on how to name a property in its type.
    package var namingHints: [String] {
        guard case .unnamedKeyPath(_, let type, let isClass) = self else { return [] }
        let table = "make \(type) a KeyPathCoding type and list the key path in its keys: \"name\": .key(\\.name)"
        return isClass ? ["declare the class final if the property is stored: final class \(type)", table] : [table]
    }
}

extension PredicateConversionError.Reason {
    fileprivate var words: String {
        switch self {
        case .order(let type): "only Swift knows the order of \(type)"
        case .arithmetic(let type): "the language computes with 64-bit numbers and decimals, not with \(type)"
        case .elements(let type): "\(type) is neither an array nor a set"
        case .positions(let type): "\(type) has no elements by position"
        case .sequenceSearch(let type): "the language searches strings, not \(type)"
        case .slices: "the language has no slices"
        case .cast(let from, let to): "the language has no cast from \(from) to \(to)"
        case .nestedOptional(let type): "\(type) is a nested optional, and the language has a single nil"
        case .range: "a range can only be used with .contains"
        case .variablePattern: "the regular expression is not a constant"
        case .variableExpression: "the called expression is not a constant"
        case .locale: "the language orders strings by code points, not by a locale"
        }
    }

    fileprivate var hints: [String] {
        switch self {
        case .order: ["compare a number, a string or a date of the value"]
        case .arithmetic(let type): ["use Double instead of \(type)"]
        case .elements, .positions: ["use an array or a set"]
        case .sequenceSearch: ["test for an element: tags.contains(tag)"]
        case .slices: ["compare elements by position: tags[1] == …"]
        case .cast: ["remove the cast, unless it changes nothing"]
        case .nestedOptional: ["use values that are not optional, or write ?? before the comparison"]
        case .range: ["write (low...high).contains(value)"]
        case .locale: ["write comparator: .lexical"]
        case .variablePattern, .variableExpression: ["capture it outside the predicate"]
        }
    }
}
