import PredicateSyntax

extension Resolver {
    /// Returns the resolved form of an expression.
    func resolve(_ node: ExpressionNode, _ path: TreePath) throws(CompilationFault) -> Resolved {
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
        case .message(let message): throw CompilationFault(message.obstacle, at: path)
        case .member(let member): throw CompilationFault(member.obstacle, at: path)
        case .symbol(let symbol): throw CompilationFault(.construct(symbol.rawValue), at: path)
        case .assignment: throw CompilationFault(.construct(":="), at: path)
        case .anyKey: throw CompilationFault(.construct("ANYKEY"), at: path)
        case .block(let block): throw CompilationFault(.block(block.name), at: path)
        case .fetch(let arguments): return try resolve(fetch: arguments, path)
        }
    }

    private func resolve(aggregate elements: [ExpressionNode], _ path: TreePath) throws(CompilationFault) -> Resolved {
        var list: [Resolved] = []
        var constants: [PredicateValue] = []
        for (index, element) in elements.enumerated() {
            let resolved = try resolve(element, path.child(index))
            if case .constant(let value) = resolved { constants.append(value) }
            list.append(resolved)
        }
        return constants.count == list.count ? .constant(.array(constants)) : .list(list)
    }

    /// `x[SIZE]`. Any other index needs an order, or a value that no column holds.
    private func resolve(_ index: IndexExpression, _ path: TreePath) throws(CompilationFault) -> Resolved {
        let base = try resolve(index.base, path.child(0))
        if base.isNil { return base }
        guard case .collection(let collection) = base else { throw CompilationFault(.collectionValue, at: path) }
        guard case .symbol(.size) = index.index else { throw CompilationFault(.order, at: path) }
        return .value(try count(of: collection, path))
    }

    /// `TERNARY(p, a, b)`: one value if both branches have the same kind and cannot fail, else a choice. It is also a
    /// choice if NULL could mean both nil and NaN, and for columns and members that may hold values of several types.
    private func resolve(_ node: ConditionalExpression, _ path: TreePath) throws(CompilationFault) -> Resolved {
        let test = try exact { () throws(CompilationFault) in try condition(node.predicate, path.child(0)) }
        let left = try resolve(node.trueExpression, path.child(1))
        let right = try resolve(node.falseExpression, path.child(2))
        if case .constant(let result) = test { return result ? left : right }
        guard let first = branch(left, beside: right), let second = branch(right, beside: left),
            first.kind == second.kind, first.failures.isEmpty, second.failures.isEmpty,
            first.guarded == nil, second.guarded == nil, first.member == nil, second.member == nil,
            !(first.mayBeNaN || second.mayBeNaN) || !(first.mayBeNil || second.mayBeNil)
        else { return .choice(test, left, right) }
        var value = first
        value.form = .conditional(test, collated(first), collated(second))
        value.mayBeNil = first.mayBeNil || second.mayBeNil
        value.mayBeNaN = first.mayBeNaN || second.mayBeNaN
        return .value(value)
    }

    /// Returns a branch that is compared with another string, with an explicit collation if it is a column: two
    /// columns with different collations have no common one.
    func collated(_ branch: TypedValue) -> ValueForm {
        let differ = !dialect.features.isDisjoint(with: [.functionsFollowCollations, .collatesConstants])
        return branch.kind.isText && branch.form.isColumn && differ ? .cast(branch.form, .collated) : branch.form
    }

    /// Returns a branch as a value. nil becomes NULL if the other branch is a value.
    private func branch(_ branch: Resolved, beside other: Resolved) -> TypedValue? {
        switch branch {
        case .value(let value): return value.form.isDecimalAverage ? nil : value.checked
        case .constant(let constant):
            if let value = value(of: constant) { return value }
            guard constant.isNil, case .value(let other) = other else { return nil }
            return TypedValue(form: .null, kind: other.kind, mayBeNil: true)
        case .object, .collection, .list, .choice, .combined: return nil
        }
    }

    /// Returns false for NaN, and for an infinity that the database lacks.
    func holds(_ number: Double) -> Bool {
        number.isFinite || number.isInfinite && !dialect.features.contains(.finiteDoubles)
    }

    private func date(_ seconds: Double) -> (ValueForm, ValueKind)? {
        if seconds.isInfinite, !holds(seconds) { return nil }
        return (form(.double(seconds), .double), .date(.since2001))
    }

    /// Returns a constant as a value of the database; nil if no column can hold it.
    func value(of constant: PredicateValue) -> TypedValue? {
        guard let (form, kind) = typed(constant) else { return nil }
        return TypedValue(form: form, kind: kind, mayBeNil: false)
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
    /// A predicate among the arguments is a mistake; otherwise the message cannot be expressed.
    fileprivate var obstacle: SQLCompilationError.Obstacle {
        let holdsPredicate = ([target] + arguments).contains {
            if case .constantValue(.predicate) = $0 { true } else { false }
        }
        return holdsPredicate ? .predicateAsValue : .message(selector)
    }
}

extension MemberExpression {
    /// `name.trimmed()` is a message. An index or a value after a dot is not a key, not even in memory.
    fileprivate var obstacle: SQLCompilationError.Code {
        switch member {
        case .function(let call): .notExpressible(.message(call.function.name))
        case .index: .expected(.keyAfterDot, found: .index)
        case .constantValue, .evaluatedObject, .variable, .keyPath, .member, .message, .cast, .aggregate, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            .expected(.keyAfterDot, found: .other("an expression"))
        }
    }
}

/// An expression that is resolved against the schema, before any row is read.
enum Resolved {
    /// `21`, `nil`, a variable's value
    case constant(PredicateValue)
    /// `age + 1`
    case value(TypedValue)
    /// `SELF`, `boss`
    case object(ObjectForm)
    /// `phones.number`, `SUBQUERY(…)`
    case collection(CollectionForm)
    /// `{age, 65}`
    case list([Resolved])
    /// `TERNARY(p, a, b)` of different kinds: an operation applies to both branches
    indirect case choice(ConditionForm, Resolved, Resolved)
    /// `a UNION b`
    indirect case combined(SetExpression.Operator, Resolved, Resolved)

    /// `nil`, `<null>`
    var isNil: Bool {
        if case .constant(let value) = self { value.isNil } else { false }
    }

    /// The operand where it is known not to be nil.
    var withoutNil: Resolved {
        switch self {
        case .value(var value):
            value.mayBeNil = false
            return .value(value)
        case .object(var object):
            object.mayBeNil = false
            return .object(object)
        case .choice(let test, let left, let right): return .choice(test, left.withoutNil, right.withoutNil)
        case .constant, .collection, .list, .combined: return self
        }
    }

    /// The operand in an error.
    var operand: SQLCompilationError.Operand {
        switch self {
        case .constant(let value): value.operand
        case .value(let value): value.kind.operand
        case .object(let object): .object(object.entity.name)
        case .collection, .list, .combined: .collection
        case .choice: .choice
        }
    }
}

/// An object: a row, or a foreign key.
struct ObjectForm {
    let reference: EntityReference
    /// The column that holds the object's primary key: its own, or a foreign key that refers to it.
    let key: ColumnForm
    var mayBeNil: Bool
    /// The alias of its row; nil if the row must be joined first.
    let alias: Int?
    /// The scope in which the row is joined.
    let scope: TableScope

    var entity: SQLEntity { reference.entity }

    init(_ reference: EntityReference, key: ColumnForm, mayBeNil: Bool, alias: Int?, scope: TableScope) {
        self.reference = reference
        self.key = key
        self.mayBeNil = mayBeNil
        self.alias = alias
        self.scope = scope
    }

    /// Creates the object of the rows that a scope starts from.
    init(startingFrom reference: EntityReference, alias: Int) {
        let start = TableScope.Table(
            kind: .start, table: reference.table, alias: alias, tie: nil, primaryKey: reference.primaryKey)
        let key = ColumnForm(alias: alias, column: reference.primaryKey, isNullable: false)
        self.init(reference, key: key, mayBeNil: false, alias: alias, scope: TableScope(start: start))
    }

    /// The primary key as a value.
    var keyValue: TypedValue {
        TypedValue(form: .column(key), kind: reference.primaryKeyKind, mayBeNil: mayBeNil)
    }
}

/// A collection over rows of another scope.
struct CollectionForm {
    enum Element {
        case object(ObjectForm)
        case value(TypedValue)
    }

    /// The key path in the format, for errors.
    let name: String
    /// The foreign key or the array that the path begins with, if it may be NULL: the whole collection is then nil.
    let base: ValueForm?
    let scope: TableScope
    /// The condition on rows.
    var condition: ConditionForm
    var element: Element
    /// The number of to-many steps in the path.
    var steps: Int
    /// True if several rows may give the same element. A set holds it once, and does not hold nil.
    var isMapped: Bool
    /// True for an array, the result of `FETCH` or the value of an attribute, instead of a set.
    var isArray = false
    /// The attribute whose elements these are; nil for rows of tables.
    var array: ArrayForm?

    /// True if several rows may actually give the same element. If the elements are the objects of the rows
    /// themselves, they are all different.
    var sharesElements: Bool {
        if case .object(let object) = element, object.alias != nil { return false }
        return isMapped
    }

    /// True for all elements of an array.
    var isWholeArray: Bool { array != nil && isArray && condition.isAlways }

    /// An element as an operand; it is not nil, except in an array of values.
    var present: Resolved {
        switch element {
        case .object(let object): Resolved.object(object).withoutNil
        case .value(let value) where isArray: .value(value.checked)
        case .value(let value): Resolved.value(value.checked).withoutNil
        }
    }

    /// The form that must not be NULL for a row to have an element; nil if every row has one.
    var presence: ValueForm? {
        switch element {
        case .object(let object): object.mayBeNil ? .column(object.key) : nil
        case .value where isArray: nil
        case .value(let value): value.requirements.isEmpty ? nil : value.checked.form
        }
    }
}

extension PredicateValue {
    var isNil: Bool {
        switch self {
        case .null, .nullObject: true
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            false
        }
    }

    /// The operand in an error.
    var operand: SQLCompilationError.Operand {
        switch self {
        case .null, .nullObject: .null
        case .bool: .boolean
        case .integer: .integer
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .array, .set, .orderedSet: .collection
        case .url, .type, .dictionary, .object, .expression, .predicate: .other(kindName)
        }
    }
}
