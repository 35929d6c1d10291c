import PredicateSyntax

extension Resolver {
    /// A value in a form in which the database takes equal values for one.
    func distinctValue(_ value: Value, _ path: TreePath) throws(Fault) -> Value {
        if value.kind == .decimal, !dialect.features.contains(.decimalType) {
            throw Fault(.storage(.decimal), at: path)
        }
        guard let column = value.guarded else { return try inSeconds(value.checked, path) }
        return Value(form: column.distinct, kind: value.kind, mayBeNil: value.mayBeNil)
    }

    /// An aggregate over the objects of a group, as the collection operators have it.
    func result(
        _ aggregate: ResultKey.Aggregate, of resolved: Resolved, _ keyPath: String, _ name: String
    ) throws(Fault) -> ResultForm {
        switch (aggregate, resolved) {
        case (.count, .object(let object)):
            return counted(.countValues(.column(object.key)), name)
        case (.countDistinct, .object(let object)):
            let isText = object.entity.primaryKeyType == .string
            return counted(.countDistinct(.column(object.key), isText: isText), name)
        case (_, .value(let value)): return try result(aggregate, of: value.checked, name)
        case (.sum, .object), (.average, .object), (.minimum, .object), (.maximum, .object):
            throw Fault(.expected(.number, found: resolved.name), at: .root)
        case (_, .constant), (_, .collection), (_, .list), (_, .choice), (_, .combined):
            throw Fault(.notAColumn(key: keyPath), at: .root)
        }
    }

    private func result(_ aggregate: ResultKey.Aggregate, of value: Value, _ name: String) throws(Fault) -> ResultForm {
        switch aggregate {
        case .count: return counted(.countValues(value.stored.form), name)
        case .countDistinct:
            let value = try distinctValue(value, .root)
            return counted(.countDistinct(value.form, isText: value.kind.isText), name)
        case .sum: return counted(.sum(try summand(value, .root), distinct: false), name)
        case .average: return aggregated(.average(try summand(value, .root), distinct: false), .double, name)
        case .minimum:
            let value = try ordered(value, .root)
            return aggregated(.minimum(value.form, isText: value.kind == .string), SQLType(value.kind), name)
        case .maximum:
            let value = try ordered(value, .root)
            return aggregated(.maximum(value.form, isText: value.kind == .string), SQLType(value.kind), name)
        }
    }

    private func counted(_ form: AggregateForm, _ name: String) -> ResultForm {
        ResultForm(name: name, content: .aggregate(form), type: .integer, destination: nil, mayBeNil: false)
    }

    private func aggregated(_ form: AggregateForm, _ type: SQLType, _ name: String) -> ResultForm {
        ResultForm(name: name, content: .aggregate(form), type: type, destination: nil, mayBeNil: true)
    }
}

extension SQLType {
    /// The type of a column with values of a kind; a power is one of doubles where 64 bits do not hold it, and no key path
    /// leads to one.
    init(_ kind: ValueKind) {
        switch kind {
        case .integer: self = .integer
        case .double, .power: self = .double
        case .decimal: self = .decimal
        case .boolean: self = .boolean
        case .string: self = .string
        case .date(let storage): self = .date(storage)
        case .uuid(let storage): self = .uuid(storage)
        case .data: self = .data
        case .any: self = .any
        }
    }
}
