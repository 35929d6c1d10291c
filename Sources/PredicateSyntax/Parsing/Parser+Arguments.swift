/// Specifiers draw arguments, which are never lexed.
extension Parser {
    /// `%@`, `%K`, `%ld` as an expression.
    @inline(never)
    mutating func parseArgument(_ kind: FormatSpecifier.Kind) throws(ParsingFailure) -> ExpressionNode {
        if kind == .keyPath { return try keyPathNode() }
        let (value, index) = try drawArgument()
        guard case .expression(let node) = value, kind == .value else {
            try check(value, against: kind, index: index)
            try checkSize(of: value)
            return try leaf(.constantValue(value))
        }
        return try insert(node)
    }

    /// `%K`: a path from the evaluated object, which `SELF` as its first key is itself. [NSP-391]
    private mutating func keyPathNode() throws(ParsingFailure) -> ExpressionNode {
        let keys = try keyPathArgument().map(KeyPathExpression.Component.key)
        guard keys.first == .key(Keyword.selfObject.rawValue) else {
            return try leaf(.keyPath(KeyPathExpression(keys)))
        }
        let start = token.start
        let object = try leaf(.evaluatedObject)
        guard keys.count > 1 else { return object }
        try finish(above: levels, from: start)
        return .keyPath(KeyPathExpression(base: object, Array(keys.dropFirst())))
    }

    /// An expression passed for `%@` becomes part of the tree; all its nodes have the source range of the specifier.
    private mutating func insert(_ node: ExpressionNode) throws(ParsingFailure) -> ExpressionNode {
        let range = token.range
        let measure = TreeMeasure(node)
        guard let measure, measure.depth <= limits.nesting else {
            throw error(.nestingTooDeep(limit: limits.nesting), at: range)
        }
        try advance()
        finish(measure.nodes, at: range)
        levels = measure.depth
        return node
    }

    /// The keys that the argument for `%K` names, and that for `%@` after a dot.
    mutating func keyPathArgument() throws(ParsingFailure) -> [String] {
        let (value, index) = try drawArgument()
        guard case .string(let path) = value.keyPathText else {
            throw error(.argumentKind(index: index, expected: .string, found: value), at: token.range)
        }
        let keys = KeyPathExpression.keys(of: path)
        guard !keys.contains("") else { throw error(.emptyKey, at: token.range) }
        try check(keys.count, .pathKeys, limits.pathKeys, at: token.range)
        return keys
    }

    private mutating func drawArgument() throws(ParsingFailure) -> (value: PredicateValue, index: Int) {
        guard let argument = arguments.next() else {
            throw error(.missingArgument(index: arguments.drawn), at: token.range)
        }
        return argument
    }

    /// Refuses an argument that is longer, larger or deeper than a constant may be.
    private mutating func checkSize(of value: PredicateValue) throws(ParsingFailure) {
        guard let excess = value.excess(over: limits) else { return }
        let code: PredicateFormatError.Code =
            switch excess {
            case .nesting: .nestingTooDeep(limit: limits.nesting)
            default: .exceeds(excess, limit: limits[excess])
            }
        throw error(code, at: token.range)
    }

    private func check(_ value: PredicateValue, against kind: FormatSpecifier.Kind, index: Int)
        throws(ParsingFailure)
    {
        let expected: PredicateFormatError.ArgumentKind
        switch kind {
        case .value, .keyPath: return
        case .integer, .floatingPoint:
            if value.isNumber { return }
            expected = .number
        case .text:
            if case .string = value { return }
            expected = .string
        }
        throw error(.argumentKind(index: index, expected: expected, found: value), at: token.range)
    }
}

extension PredicateValue {
    /// The text that `%K` reads: a string, or the path of a key expression.
    fileprivate var keyPathText: PredicateValue {
        guard case .expression(.keyPath(let path)) = self, path.base == nil else { return self }
        let keys = path.components.compactMap { if case .key(let key) = $0 { key } else { nil } }
        return keys.count == path.components.count ? .string(keys.joined(separator: ".")) : self
    }

    var isNumber: Bool {
        switch self {
        case .bool, .integer, .double, .decimal: true
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            false
        }
    }

    /// The kind of the value, as errors name it.
    package var kindName: String {
        switch self {
        case .null: "nil"
        case .nullObject: "the null object"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .double: "a floating-point number"
        case .decimal: "a decimal number"
        case .string: "a string"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .type: "a class"
        case .array: "an array"
        case .set: "a set"
        case .orderedSet: "an ordered set"
        case .dictionary: "a dictionary"
        case .object: "an object"
        case .expression: "an expression"
        case .predicate: "a predicate"
        }
    }
}
