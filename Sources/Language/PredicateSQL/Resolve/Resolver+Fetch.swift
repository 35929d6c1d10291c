import PredicateSyntax
import PredicateText

extension Resolver {
    /// `FETCH(request, context, NO)`: the rows of an entity that a request selects, or their number.
    ///
    /// They do not depend on the outer row: the arguments are constants, and the predicate of the request refers only
    /// to the fetched object. [NSP-183]
    func resolve(fetch arguments: [ExpressionNode], _ path: TreePath) throws(CompilationFault) -> Resolved {
        guard arguments.count == 2 || arguments.count == 3 else {
            throw CompilationFault(.expected(.arguments(3), found: .other("\(arguments.count)")), at: path)
        }
        let request = try request(arguments[0], path.child(0))
        try checkContext(arguments[1], path.child(1))
        let isCount = arguments.count > 2 ? try flag(arguments[2], path.child(2)) : false
        let collection = try collection(of: request, path.child(0))
        return isCount ? .value(try count(of: collection, path)) : .collection(collection)
    }

    private func request(_ node: ExpressionNode, _ path: TreePath) throws(CompilationFault) -> PredicateFetchRequest {
        let value = try constant(node, path)
        guard case .object(let object) = value, let request = object.base as? PredicateFetchRequest else {
            throw CompilationFault(.expected(.fetchRequest, found: value.operand), at: path)
        }
        return request
    }

    private func checkContext(_ node: ExpressionNode, _ path: TreePath) throws(CompilationFault) {
        let value = try constant(node, path)
        guard case .object(let object) = value else {
            throw CompilationFault(.expected(.fetchContext, found: value.operand), at: path)
        }
        guard object.base is SQLFetchContext else { throw CompilationFault(.fetchContext, at: path) }
    }

    private func flag(_ node: ExpressionNode, _ path: TreePath) throws(CompilationFault) -> Bool {
        let value = try constant(node, path)
        switch ConstantNumber(value)?.doubleValue {
        case 0: return false
        case 1: return true
        default: throw CompilationFault(.expected(.yesOrNo, found: value.operand), at: path)
        }
    }

    private func constant(_ node: ExpressionNode, _ path: TreePath) throws(CompilationFault) -> PredicateValue {
        guard case .constant(let value) = try resolve(node, path) else {
            throw CompilationFault(.fetchArgument, at: path)
        }
        return value
    }

    // MARK: Rows

    /// Returns the rows that a request selects. Errors of its predicate and sort keys are reported at the request.
    private func collection(of request: PredicateFetchRequest, _ path: TreePath) throws(CompilationFault)
        -> CollectionForm
    {
        let entity = try entity(request.entity, path)
        do throws(CompilationFault) {
            let object = newRows(of: entity)
            let condition: ConditionForm
            if request.limit == nil, request.offset == nil {
                condition = try self.condition(of: request, for: object, path)
            } else {
                condition = .isOnPage(.column(object.key), try page(of: request, entity, path))
            }
            return CollectionForm(
                name: "FETCH(…)", base: nil, scope: object.scope, condition: condition, element: .object(object),
                steps: 1, isMapped: false, isArray: true)
        } catch {
            throw CompilationFault(error.code, at: path)
        }
    }

    private func newRows(of entity: EntityReference) -> ObjectForm {
        ObjectForm(startingFrom: entity, alias: newAlias())
    }

    private func condition(
        of request: PredicateFetchRequest, for object: ObjectForm, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        let rows = rows(of: object)
        guard let predicate = request.predicate else { return rows }
        let condition = try fetching(object, predicate, request.variables, path) { () throws(CompilationFault) in
            try self.condition(predicate.node, path)
        }
        return .all([rows, condition])
    }

    /// Returns the primary keys of the rows on a page. Only a subquery can limit them.
    private func page(
        of request: PredicateFetchRequest, _ entity: EntityReference, _ path: TreePath
    ) throws(CompilationFault) -> PageForm {
        let object = newRows(of: entity)
        let condition = try condition(of: request, for: object, path)
        var order: [OrderTerm] = []
        for key in request.sortKeys { order.append(try term(key, of: object)) }
        return PageForm(
            key: object.key, scope: object.scope, condition: condition, order: order,
            limit: request.limit.map(number), offset: request.offset.map(number))
    }

    private func term(_ key: SortKey, of object: ObjectForm) throws(CompilationFault) -> OrderTerm {
        let keys = KeyPathExpression.keys(of: key.keyPath)
        guard case .value(let value) = try follow(keys[...], from: .object(object), .root) else {
            throw CompilationFault(.notAColumn(key: key.keyPath), at: .root)
        }
        return try orderTerm(value, key)
    }

    /// Returns a number of rows; a negative number counts as 0.
    private func number(_ count: Int) -> ValueForm { form(.integer(Int64(max(count, 0))), .rowCount) }
}

extension Resolver {
    /// Returns the term for a sort key, which orders by the value of a key path.
    func orderTerm(_ key: SortKey, by keyPath: String) throws(SQLCompilationError) -> OrderTerm {
        let resolved = try resolve(key: keyPath)
        guard case .value(let value) = resolved else {
            throw SQLCompilationError(
                resolved.isArrayColumn
                    ? .incomparable(left: .collection, right: .collection) : .notAColumn(key: key.keyPath))
        }
        return try SQLCompilationError.naming(key.keyPath) { () throws(CompilationFault) in
            try orderTerm(value, key)
        }
    }

    /// Returns the value of a sort key in a form that the database can order.
    func orderTerm(_ value: TypedValue, _ key: SortKey) throws(CompilationFault) -> OrderTerm {
        let value = value.stored
        if key.isNumeric, value.kind == .string || value.kind == .any {
            throw CompilationFault(
                .function("an order of strings by the numbers in them", dialect: dialect.name), at: .root)
        }
        let form = try orderable(value, key)
        return OrderTerm(
            group: placeOfNotANumber(form, value.kind), form: form, isText: value.kind == .string,
            ascending: key.ascending,
            nullsFirst: form.isNeverNull ? nil : key.putsNilFirst)
    }

    /// Returns a value that puts NaN between the negative numbers and 0, in a database that puts it last. [NSP-176]
    private func placeOfNotANumber(_ form: ValueForm, _ kind: ValueKind) -> ValueForm? {
        guard kind == .double, dialect.features.contains(.ordersNotANumber) else { return nil }
        let isNumber = ConditionForm.not(.isNull(.cast(form, .type(.notANumberToNull))))
        let place = ValueForm.conditional(
            .compare(form, .less, .word("0")), .word("0"), .conditional(isNumber, .word("2"), .word("1")))
        return .conditional(.not(.isNull(form)), place, .null)
    }

    private func orderable(_ value: TypedValue, _ key: SortKey) throws(CompilationFault) -> ValueForm {
        switch value.kind {
        case .string:
            try checkLocale(key.options, .root)
            let form = try folded(value.form, key.options.foldMode, .root)
            if case .call = form, !dialect.features.contains(.ordersByFunctions) {
                throw CompilationFault(.function("an ordering of folded strings", dialect: dialect.name), at: .root)
            }
            guard dialect.templates.comparable(form, ordered: true) != nil else {
                throw CompilationFault(.function("an ordering of strings", dialect: dialect.name), at: .root)
            }
            return form
        // Without a timestamp type, the column may hold strings and numbers.
        case .date(.timestamp) where dialect.timestamps == nil: return try inSeconds(value, .root).form
        case .date(.iso8601): return try inSeconds(value, .root).form
        case .decimal where !dialect.features.contains(.decimalType):
            guard dialect.templates.call[.decimalOrder] != nil else {
                throw CompilationFault(.storage(.decimal), at: .root)
            }
            return .call(.decimalOrder, [value.checked.form])
        case .data: throw CompilationFault(.function("an order of data", dialect: dialect.name), at: .root)
        case .integer, .double, .power, .decimal, .boolean, .date, .uuid, .any: return value.checked.form
        }
    }
}
