import PredicateSyntax

// The aggregates of groups [NSP-512]

extension Resolver {
    /// Returns a form of a value that is the same for equal values, so that the database treats them as one.
    func distinctValue(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        var result = value
        if value.kind == .decimal, !dialect.features.contains(.decimalType) {
            result.form = try canonical(value, path)
        } else if let column = value.guarded {
            result.form = column.distinct
        } else {
            return try inSeconds(value.checked, path)
        }
        return result
    }

    /// Returns an aggregate over the objects of a group.
    func result(
        _ aggregate: ResultKey.Aggregate, of resolved: Resolved, _ keyPath: String, _ name: String
    ) throws(CompilationFault) -> ResultForm {
        switch (aggregate, resolved) {
        case (.count, .object(let object)):
            return counted(.countValues(.column(object.key)), name)
        case (.countDistinct, .object(let object)):
            let isText = object.entity.primaryKeyType == .string
            return counted(.countDistinct(.column(object.key), isText: isText), name)
        case (_, .value(let value)): return try result(aggregate, of: value.checked, name)
        case (_, .object): throw CompilationFault(.expected(.number, found: resolved.operand), at: .root)
        case (_, .constant), (_, .collection), (_, .list), (_, .choice), (_, .combined):
            throw CompilationFault(.notAColumn(key: keyPath), at: .root)
        }
    }

    private func result(_ aggregate: ResultKey.Aggregate, of value: TypedValue, _ name: String) throws(CompilationFault)
        -> ResultForm
    {
        switch aggregate {
        case .count: return counted(.countValues(value.stored.form), name)
        case .countDistinct:
            let value = try distinctValue(value, .root)
            return counted(.countDistinct(value.form, isText: value.kind.isText), name)
        case .sum, .average, .median, .standardDeviation, .percentile: return try numbers(aggregate, value, name)
        case .minimum, .maximum: return try extreme(of: value, isLeast: aggregate == .minimum, name)
        case .joined(let separator): return try joined(value, by: separator, name)
        }
    }

    private func counted(_ form: AggregateForm, _ name: String) -> ResultForm {
        ResultForm(name: name, content: .aggregate(form), type: .integer, destination: nil, mayBeNil: false)
    }

    private func aggregated(
        _ form: AggregateForm, _ type: SQLType, _ name: String, _ affinity: SQLiteAffinity? = nil
    ) -> ResultForm {
        ResultForm(
            name: name, content: .aggregate(form), type: type, destination: nil, mayBeNil: true, affinity: affinity)
    }

    private func isRegistered(_ function: SQLFunction) -> Bool {
        dialect.templates.call[function] != nil && !dialect.unregistered.contains(function)
    }
}

// MARK: - Numbers

extension Resolver {
    /// Returns a number in the form that an aggregate adds. Functions accept whatever a column holds, and read decimals as
    /// strings.
    func addend(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        var number = try number(.value(value), path)
        guard number.kind == .decimal else { return number }
        try checkDigits(number, path)
        if number.guarded != nil { number.form = try decimalText(number, path) }
        return number
    }

    private func numbers(
        _ aggregate: ResultKey.Aggregate, _ value: TypedValue, _ name: String
    ) throws(CompilationFault) -> ResultForm {
        var number = try addend(value, .root)
        // The median of Booleans is a double.
        if aggregate == .median, value.kind == .boolean { number = double(number) }
        let exact = aggregate.exactForm(of: number).flatMap { dialect.templates.has($0) ? $0 : nil }
        if let function = aggregate.function, isRegistered(function) || exact == nil,
            dialect.templates.call[function] != nil
        {
            let (type, affinity) = aggregate.type(of: number.kind)
            return aggregated(
                .ofGroup(.function(function, number.form, arguments(of: aggregate))), type, name, affinity)
        }
        if let exact { return aggregated(.ofGroup(exact), aggregate.type(of: number.kind).type, name) }
        let isSum = aggregate == .sum || aggregate == .average
        if isSum, number.kind == .double { throw CompilationFault(.sumOfDoubles, at: .root) }
        throw CompilationFault(.function("the aggregate \(aggregate.name)", dialect: dialect.name), at: .root)
    }

    private func arguments(of aggregate: ResultKey.Aggregate) -> [ValueForm] {
        if case .percentile(let percent) = aggregate { [form(.double(percent), .double)] } else { [] }
    }

    /// Returns the string of a decimal in a database without the type; it is the same for equal decimals.
    private func decimalText(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) -> ValueForm {
        guard dialect.templates.call[.decimalAdd] != nil else { throw CompilationFault(.storage(.decimal), at: path) }
        return .call(.decimalAdd, [value.guarded?.bare ?? value.checked.form, .word("0")])
    }

    /// Returns the canonical string of a decimal; a value that is not a decimal is returned unchanged.
    private func canonical(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) -> ValueForm {
        let text = try decimalText(value, path)
        guard let column = value.guarded else { return text }
        return .conditional(.isNull(text), column.bare, text)
    }
}

extension ResultKey.Aggregate {
    /// The function of SQLite; nil for an aggregate that is written without one.
    fileprivate var function: SQLFunction? {
        switch self {
        case .sum: .numberSum
        case .average: .numberAverage
        case .median: .numberMedian
        case .standardDeviation: .numberDeviation
        case .percentile: .numberPercentile
        case .joined: .joined
        case .count, .countDistinct, .minimum, .maximum: nil
        }
    }

    /// Returns the aggregate of numbers that every database adds exactly, in any order.
    fileprivate func exactForm(of number: TypedValue) -> GroupAggregateForm? {
        let addend: SQLPiece.Addend
        switch number.kind {
        case .integer: addend = .integer
        case .decimal: addend = .decimal
        case .double, .power, .boolean, .string, .date, .uuid, .data, .any: return nil
        }
        switch self {
        case .sum: return .total(number.form, addend)
        case .average: return .mean(number.form, addend)
        case .count, .countDistinct, .minimum, .maximum, .median, .standardDeviation, .percentile, .joined: return nil
        }
    }

    /// Returns the type of the result for numbers of a kind. In SQLite, a sum and a median of integers may be a double.
    fileprivate func type(of kind: ValueKind) -> (type: SQLType, affinity: SQLiteAffinity?) {
        switch (self, kind) {
        case (.sum, .integer), (.median, .integer): (.integer, .unknown)
        case (.sum, .decimal): (.decimal, nil)
        case (.sum, .power), (.median, .power): (.any, nil)
        default: (.double, nil)
        }
    }
}

extension DialectTemplates {
    fileprivate func has(_ form: GroupAggregateForm) -> Bool {
        switch form {
        case .total(_, let addend): total[addend] != nil
        case .mean(_, let addend): mean[addend] != nil
        case .joined: joined != nil
        case .function, .truthExtreme, .extremeOfDoubles: true
        }
    }
}

// MARK: - Extremes and strings

extension Resolver {
    /// Returns the least or the greatest value in the order of sort keys. [NSP-510]
    private func extreme(
        of value: TypedValue, isLeast: Bool, _ name: String
    ) throws(CompilationFault) -> ResultForm {
        switch value.kind {
        case .boolean where value.guarded == nil:
            return aggregated(.ofGroup(.truthExtreme(value.form, isLeast: isLeast)), .boolean, name)
        case .double where dialect.features.contains(.ordersNotANumber):
            return aggregated(.ofGroup(.extremeOfDoubles(value.form, isLeast: isLeast)), .double, name)
        case .decimal where value.guarded != nil:
            let text = try decimalText(value, .root)
            guard let column = value.guarded else { break }
            let found = TypedValue(form: column.orError(unless: text), kind: .decimal)
            let (form, kind) = try extreme(isLeast, of: found, .root)
            return aggregated(form, SQLType(kind), name)
        case .integer, .double, .power, .boolean, .decimal, .string, .date, .uuid, .data, .any: break
        }
        try checkDigits(value, .root)
        let (form, kind) = try extreme(isLeast, of: value, .root)
        return aggregated(form, value.kind == .boolean ? .boolean : SQLType(kind), name)
    }

    /// Returns the values of a group as one string, in the order of the primary keys.
    private func joined(
        _ value: TypedValue, by separator: String, _ name: String
    ) throws(CompilationFault) -> ResultForm {
        let text = try joinable(value)
        let separator = try form(separator, .root)
        let keyIsText = root.entity.primaryKeyType == .string
        if isRegistered(.joined) || dialect.templates.joined == nil, dialect.templates.call[.joined] != nil {
            let form = GroupAggregateForm.function(.joined, text, [separator, .column(root.key)])
            return aggregated(.ofGroup(form), .string, name)
        }
        guard dialect.templates.joined != nil else {
            throw CompilationFault(.function("the aggregate joined", dialect: dialect.name), at: .root)
        }
        let form = GroupAggregateForm.joined(text, separator: separator, by: .column(root.key), keyIsText: keyIsText)
        return aggregated(.ofGroup(form), .string, name)
    }

    /// Returns a value in a form that databases write as the evaluator does.
    private func joinable(_ value: TypedValue) throws(CompilationFault) -> ValueForm {
        let value = value.ofOneKind
        switch value.kind {
        case .string: return value.form
        case .integer: return .cast(value.form, .type(.integerToText))
        // The function writes them.
        case .double where isRegistered(.joined): return value.form
        case .double, .power, .boolean, .decimal, .date, .uuid, .data, .any:
            throw CompilationFault(
                .function("joined values other than strings and integers", dialect: dialect.name), at: .root)
        }
    }
}
