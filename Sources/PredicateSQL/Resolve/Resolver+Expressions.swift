import PredicateSyntax

extension Resolver {
    /// What an expression comes to.
    func resolve(_ node: ExpressionNode, _ place: Place) throws(Fault) -> Resolved {
        switch node {
        case .constantValue(let value): return .constant(value)
        case .evaluatedObject: return .object(root)
        case .variable(let name): return try variable(name, place)
        case .keyPath(let path): return try resolve(path, place)
        case .function(let call): return try resolve(call, place)
        case .cast(let cast): return try resolve(cast, place)
        case .aggregate(let elements): return try resolve(aggregate: elements, place)
        case .index(let index): return try resolve(index, place)
        case .subquery(let subquery): return .collection(try resolve(subquery, place))
        case .conditional(let conditional): return try resolve(conditional, place)
        case .set(let set):
            let left = try resolve(set.leftExpression, place.child(0))
            return .combined(set.operator, left, try resolve(set.rightExpression, place.child(1)))
        case .message(let message): throw Fault(.message(message.selector), at: place)
        case .member(let member): throw Fault(member.obstacle, at: place)
        case .symbol(let symbol): throw Fault(.construct(symbol.rawValue), at: place)
        case .assignment: throw Fault(.construct(":="), at: place)
        case .anyKey: throw Fault(.construct("ANYKEY"), at: place)
        case .fetch: throw Fault(.construct("FETCH"), at: place)
        }
    }

    private func resolve(aggregate elements: [ExpressionNode], _ place: Place) throws(Fault) -> Resolved {
        var list: [Resolved] = []
        var constants: [PredicateValue] = []
        for (index, element) in elements.enumerated() {
            let resolved = try resolve(element, place.child(index))
            if case .constant(let value) = resolved { constants.append(value) }
            list.append(resolved)
        }
        return constants.count == list.count ? .constant(.array(constants)) : .list(list)
    }

    /// `x[SIZE]`; every other index asks for an order, or for a kind of value that no column has.
    private func resolve(_ index: IndexExpression, _ place: Place) throws(Fault) -> Resolved {
        let base = try resolve(index.base, place.child(0))
        if base.isNil { return base }
        guard case .collection(let collection) = base else { throw Fault(.collectionValue, at: place) }
        guard case .symbol(.size) = index.index else { throw Fault(.order, at: place) }
        return .value(try count(of: collection, place))
    }

    /// `TERNARY(p, a, b)`: one value where both are of a kind and cannot fail, else a choice; so too where one NULL would
    /// stand for nil and for what is no number.
    private func resolve(_ node: ConditionalExpression, _ place: Place) throws(Fault) -> Resolved {
        let test = try exact { () throws(Fault) in try condition(node.predicate, place.child(0)) }
        let left = try resolve(node.trueExpression, place.child(1))
        let right = try resolve(node.falseExpression, place.child(2))
        if case .constant(let answer) = test { return answer ? left : right }
        guard let first = branch(left, beside: right), let second = branch(right, beside: left),
            first.kind == second.kind, first.failures.isEmpty, second.failures.isEmpty,
            !(first.mayBeNaN || second.mayBeNaN) || !(first.mayBeNil || second.mayBeNil)
        else { return .choice(test, left, right) }
        var value = first
        value.form = .conditional(test, first.form, second.form)
        value.mayBeNil = first.mayBeNil || second.mayBeNil
        value.mayBeNaN = first.mayBeNaN || second.mayBeNaN
        return .value(value)
    }

    /// A branch as a value; nil beside a value is NULL.
    private func branch(_ branch: Resolved, beside other: Resolved) -> Value? {
        switch branch {
        case .value(let value): return value.checked
        case .constant(let constant):
            if let value = value(of: constant) { return value }
            guard constant.isNil, case .value(let other) = other else { return nil }
            return Value(form: .null, kind: other.kind, mayBeNil: true)
        case .object, .collection, .list, .choice, .combined: return nil
        }
    }

    /// Runs something in which nothing may be left out: an answer that is only nearly right would be a wrong value.
    func exact<Result>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
        let saved = isExact
        isExact = true
        defer { isExact = saved }
        return try body()
    }

    /// A constant as a value of the database; nil for one that no column can hold.
    func value(of constant: PredicateValue) -> Value? {
        guard let (form, kind) = typed(constant) else { return nil }
        return Value(form: form, kind: kind, mayBeNil: false)
    }

    private func typed(_ constant: PredicateValue) -> (ValueForm, ValueKind)? {
        switch constant {
        case .bool(let value): (form(.boolean(value), .boolean), .boolean)
        case .integer(let value): (form(.integer(value), .integer), .integer)
        case .double(let value): value.isNaN ? nil : (form(.double(value), .double), .double)
        case .decimal(let value): (form(.text(value.description), .decimal), .decimal)
        case .string(let value): (form(.text(value), .text), .string)
        case .date(let value):
            (form(.double(value.timeIntervalSinceReferenceDate), .double), .date(.since2001))
        case .data(let value): (form(.blob(value), .blob), .data)
        case .uuid(let value): (uuid(value, .blob), .uuid(.blob))
        case .null, .nullObject, .url, .type, .array, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            nil
        }
    }
}

extension MemberExpression {
    /// `name.trimmed()` is a message; an index or a value behind a dot is no key, for an evaluator neither.
    fileprivate var obstacle: SQLCompilationError.Code {
        switch member {
        case .function(let call): .notExpressible(.message(call.function.name))
        case .index: .expected("a key after the dot", found: "an index")
        case .constantValue, .evaluatedObject, .variable, .keyPath, .member, .message, .cast, .aggregate, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .fetch:
            .expected("a key after the dot", found: "an expression")
        }
    }
}
