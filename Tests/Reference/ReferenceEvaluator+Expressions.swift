import PredicateEvaluation
import PredicateSyntax

/// The values of expressions.
extension ReferenceEvaluator {
    mutating func value(_ node: ExpressionNode) throws(ReferenceError) -> ReferenceValue {
        switch node {
        case .constantValue(let value): return ReferenceValue(value)
        case .evaluatedObject: return object
        case .variable(let name): return try value(ofVariable: name)
        case .keyPath(let path): return try value(path, flattens: false)
        case .member(let node): return try value(node)
        case .function(let call): return try value(call)
        case .message(let node): return try send(node.selector, to: node.target, node.arguments)
        case .cast(let node): return try value(node)
        case .aggregate(let elements): return try value(aggregate: elements)
        case .index(let node): return try value(node)
        case .symbol: throw ReferenceError(.symbolOutsideIndex)
        case .subquery(let node): return try value(node)
        case .conditional(let node):
            return try value(holds(node.predicate) ? node.trueExpression : node.falseExpression)
        case .set(let node): return try value(node)
        case .assignment(let node): return try assign(node)
        case .block(let node): return try ask(node)
        case .anyKey: throw ReferenceError(.notEvaluable)
        case .fetch(let arguments): return try fetch(arguments)
        }
    }

    /// [NSP-182]
    private mutating func fetch(_ arguments: [ExpressionNode]) throws(ReferenceError) -> ReferenceValue {
        guard let request = try value(arguments[0]).keyedValue.hostObject as? PredicateFetchRequest,
            let context = try value(arguments[1]).keyedValue.hostObject as? any FetchContext
        else { throw ReferenceError(.argumentKind) }
        var isCount = false
        if arguments.count == 3 {
            guard case .number(let flag) = try value(arguments[2]), [0, 1].contains(flag.asDouble) else {
                throw ReferenceError(.argumentKind)
            }
            isCount = flag.asDouble == 1
        }
        guard let objects = try? context.objects(for: request) else { throw ReferenceError(.host) }
        return ReferenceValue(isCount ? objects.count.keyedValue : objects.keyedValue)
    }

    /// The innermost variable of the name: a `SUBQUERY`'s, one that `:=` has set, one that is bound. [NSP-135]
    func find(_ name: String) -> ReferenceValue? {
        if let own = scopes.last(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return own.value }
        return assigned.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    mutating func value(ofVariable name: String) throws(ReferenceError) -> ReferenceValue {
        if let value = find(name) { return value }
        guard let value = variables[name] else { throw ReferenceError(.unboundVariable) }
        if case .value(.expression(let expression)) = value { return try self.value(bound: expression) }
        return ReferenceValue(value)
    }

    /// [NSP-138]
    private mutating func assign(_ node: AssignmentExpression) throws(ReferenceError) -> ReferenceValue {
        let value = try value(node.expression)
        if value.size(within: limits.resultSize) == nil { throw ReferenceError(.resultTooLarge) }
        if let place = scopes.lastIndex(where: { $0.name.utf8.elementsEqual(node.variable.utf8) }) {
            scopes[place].value = value
        } else {
            assigned.append((node.variable, value))
        }
        return value
    }

    /// An array, in which nil is `<null>`. [NSP-112]
    private mutating func value(aggregate nodes: [ExpressionNode]) throws(ReferenceError) -> ReferenceValue {
        var elements: [ReferenceValue] = []
        for node in nodes {
            let element = try value(node)
            elements.append(element.isNull ? .nullObject : element)
        }
        return .list(elements, .array)
    }

    /// The elements for which the predicate holds; bare keys belong to the outer object. [NSP-118] [NSP-119]
    private mutating func value(_ node: SubqueryExpression) throws(ReferenceError) -> ReferenceValue {
        let whole = try value(node.collection)
        if whole.isNull { return .null }
        guard let elements = whole.elements else { throw ReferenceError(.notACollection) }
        let wasCounting = isCounting
        isCounting = true
        defer { isCounting = wasCounting }
        var kept: [ReferenceValue] = []
        for element in elements {
            try spend(1)
            scopes.append((node.variable, element))
            defer { scopes.removeLast() }
            if try holds(node.predicate) { kept.append(element) }
        }
        return .list(kept, whole.kind ?? .array)
    }

    /// A set; the right side may be a dictionary, of which the values count. [NSP-126]
    private mutating func value(_ node: SetExpression) throws(ReferenceError) -> ReferenceValue {
        let left = try value(node.leftExpression)
        let right = try value(node.rightExpression)
        try spend(2 + left.weight + right.weight)
        guard let own = left.list, let others = right.elements else { throw ReferenceError(.notACollection) }
        if (own + others).cannotBeToldApart { throw ReferenceError(.notEquatable) }
        switch node.operator {
        case .union: return .list((own + others).distinct, .set)
        case .intersect: return .list(own.distinct.filter(others.distinct.has), .set)
        case .minus: return .list(own.distinct.filter { !others.distinct.has($0) }, .set)
        }
    }

    /// A member after a dot that is not a key: a call is a message to the value before the dot. [NSP-049]
    private mutating func value(_ node: MemberExpression) throws(ReferenceError) -> ReferenceValue {
        guard case .function(let call) = node.member else { throw ReferenceError(.notAKey) }
        return try send(call.selector, to: node.base, call.arguments)
    }
}

extension FunctionExpression {
    /// The selector of a call after a dot: a name with arguments ends in a colon, a name without does not.
    var selector: String {
        let name = function.name
        if arguments.isEmpty { return name.last == ":" ? String(name.dropLast()) : name }
        return name.last == ":" ? name : name + ":"
    }
}

/// Indexes. [NSP-117] [NSP-120]
extension ReferenceEvaluator {
    private mutating func value(_ node: IndexExpression) throws(ReferenceError) -> ReferenceValue {
        let whole = try value(node.base)
        if case .symbol(let symbol) = node.index { return try Self.element(of: whole, at: symbol) }
        let position = try value(node.index)
        return whole.isNull ? .null : try Self.element(of: whole, at: position)
    }

    private static func element(
        of whole: ReferenceValue, at symbol: IndexExpression.SymbolicIndex
    ) throws(ReferenceError) -> ReferenceValue {
        if whole.isNull { return .null }
        switch symbol {
        case .size:
            guard let elements = whole.elements else { throw ReferenceError(.notIndexable) }
            return .number(.integer(Int64(elements.count)))
        case .first, .last:
            guard let elements = whole.list else { throw ReferenceError(.notIndexable) }
            return (symbol == .first ? elements.first : elements.last) ?? .null
        }
    }

    /// An array's element by its position, a dictionary's value by its key, a set's element by its equal.
    static func element(
        of whole: ReferenceValue, at position: ReferenceValue
    ) throws(ReferenceError) -> ReferenceValue {
        if whole.kind == .set { return whole.list?.first { $0.equals(position) } ?? .null }
        if whole.pairs != nil { return whole.entry(position) ?? .null }
        guard let elements = whole.list, let number = position.number else { throw ReferenceError(.notIndexable) }
        guard let index = number.asInteger else { throw ReferenceError(.notAnInteger) }
        guard index >= 0, index < elements.count else { throw ReferenceError(.indexOutOfRange) }
        return elements[Int(index)]
    }
}

/// The sizes of values.
extension ReferenceValue {
    /// Bytes of texts and 16 for each element; nil past the limit. [NSP-166]
    func size(within limit: Int) -> Int? {
        var size = 16 + (text?.utf8.count ?? 0)
        for element in elements ?? [] {
            guard size <= limit, let inner = element.size(within: limit - size) else { return nil }
            size += inner
        }
        return size <= limit ? size : nil
    }

    /// The number of steps that inspecting it takes.
    var weight: Int {
        if let text { return text.utf8.count / 64 }
        return elements?.reduce(0) { $0 + 1 + $1.weight } ?? 0
    }
}
