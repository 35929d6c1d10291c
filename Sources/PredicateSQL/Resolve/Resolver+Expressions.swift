import PredicateSyntax

extension Resolver {
    /// The resolved form of an expression.
    func resolve(_ node: ExpressionNode, _ path: TreePath) throws(Fault) -> Resolved {
        switch node {
        case .constantValue(let value): return .constant(value)
        case .evaluatedObject: return .object(root)
        case .variable(let name): return try variable(name, path)
        case .keyPath(let keyPath): return try resolve(keyPath, path)
        case .function(let call): return try resolve(call, path)
        case .cast(let cast): return try resolve(cast, path)
        case .aggregate(let elements): return try resolve(aggregate: elements, path)
        case .index(let index): return try resolve(index, path)
        case .subquery(let subquery): return .collection(try resolve(subquery, path))
        case .conditional(let conditional): return try resolve(conditional, path)
        case .set(let set):
            let left = try resolve(set.leftExpression, path.child(0))
            return .combined(set.operator, left, try resolve(set.rightExpression, path.child(1)))
        case .message(let message): throw Fault(message.obstacle, at: path)
        case .member(let member): throw Fault(member.obstacle, at: path)
        case .symbol(let symbol): throw Fault(.construct(symbol.rawValue), at: path)
        case .assignment: throw Fault(.construct(":="), at: path)
        case .anyKey: throw Fault(.construct("ANYKEY"), at: path)
        case .block(let block): throw Fault(.block(block.name), at: path)
        case .fetch(let arguments): return try resolve(fetch: arguments, path)
        }
    }

    private func resolve(aggregate elements: [ExpressionNode], _ path: TreePath) throws(Fault) -> Resolved {
        var list: [Resolved] = []
        var constants: [PredicateValue] = []
        for (index, element) in elements.enumerated() {
            let resolved = try resolve(element, path.child(index))
            if case .constant(let value) = resolved { constants.append(value) }
            list.append(resolved)
        }
        return constants.count == list.count ? .constant(.array(constants)) : .list(list)
    }

    /// `x[SIZE]`; every other index needs an order, or a kind of value that no column has.
    private func resolve(_ index: IndexExpression, _ path: TreePath) throws(Fault) -> Resolved {
        let base = try resolve(index.base, path.child(0))
        if base.isNil { return base }
        guard case .collection(let collection) = base else { throw Fault(.collectionValue, at: path) }
        guard case .symbol(.size) = index.index else { throw Fault(.order, at: path) }
        return .value(try count(of: collection, path))
    }

    /// `TERNARY(p, a, b)`: one value where both are of a kind and cannot fail, else a choice; so too where one NULL would
    /// stand for nil and for what is no number, and where a column may hold several kinds.
    private func resolve(_ node: ConditionalExpression, _ path: TreePath) throws(Fault) -> Resolved {
        let test = try exact { () throws(Fault) in try condition(node.predicate, path.child(0)) }
        let left = try resolve(node.trueExpression, path.child(1))
        let right = try resolve(node.falseExpression, path.child(2))
        if case .constant(let result) = test { return result ? left : right }
        guard let first = branch(left, beside: right), let second = branch(right, beside: left),
            first.kind == second.kind, first.failures.isEmpty, second.failures.isEmpty,
            first.guarded == nil, second.guarded == nil,
            !(first.mayBeNaN || second.mayBeNaN) || !(first.mayBeNil || second.mayBeNil)
        else { return .choice(test, left, right) }
        var value = first
        value.form = .conditional(test, collated(first), collated(second))
        value.mayBeNil = first.mayBeNil || second.mayBeNil
        value.mayBeNaN = first.mayBeNaN || second.mayBeNaN
        return .value(value)
    }

    /// A branch beside another text: columns of two collations have none together.
    private func collated(_ branch: Value) -> ValueForm {
        let differ = !dialect.features.isDisjoint(with: [.functionsFollowCollations, .collatesConstants])
        return branch.kind.isText && branch.form.isColumn && differ ? .cast(branch.form, .collated) : branch.form
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

    /// False for what is not a number, and for an infinity that the database has not.
    func holds(_ number: Double) -> Bool {
        number.isFinite || number.isInfinite && !dialect.features.contains(.finiteDoubles)
    }

    private func date(_ seconds: Double) -> (ValueForm, ValueKind)? {
        if seconds.isInfinite, !holds(seconds) { return nil }
        return (form(.double(seconds), .double), .date(.since2001))
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
        case .double(let value): holds(value) ? (form(.double(value), .double), .double) : nil
        case .decimal(let value):
            dialect.limits.holds(value) ? (form(.text(value.description), .decimal), .decimal) : nil
        case .string(let value): holds(value) ? (form(.text(value), .text), .string) : nil
        case .date(let value): date(value.timeIntervalSinceReferenceDate)
        case .data(let value): (form(.blob(value), .blob), .data)
        case .uuid(let value): (uuid(value, .blob), .uuid(.blob))
        case .null, .nullObject, .url, .type, .array, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            nil
        }
    }
}

extension MessageExpression {
    /// A predicate among the arguments is a mistake, and the message an obstacle.
    fileprivate var obstacle: SQLCompilationError.Obstacle {
        let holdsPredicate = ([target] + arguments).contains {
            if case .constantValue(.predicate) = $0 { true } else { false }
        }
        return holdsPredicate ? .value("a predicate") : .message(selector)
    }
}

extension MemberExpression {
    /// `name.trimmed()` is a message; an index or a value behind a dot is no key, for an evaluator neither.
    fileprivate var obstacle: SQLCompilationError.Code {
        switch member {
        case .function(let call): .notExpressible(.message(call.function.name))
        case .index: .expected(.keyAfterDot, found: "an index")
        case .constantValue, .evaluatedObject, .variable, .keyPath, .member, .message, .cast, .aggregate, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            .expected(.keyAfterDot, found: "an expression")
        }
    }
}
