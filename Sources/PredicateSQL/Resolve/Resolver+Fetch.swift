import PredicateSyntax

extension Resolver {
    /// `FETCH(request, context, NO)`: the rows of an entity that a request selects, or their number.
    ///
    /// They have no tie to the row outside: the arguments are constants, and the predicate of the request knows only the
    /// fetched object. [NSP-183]
    func resolve(fetch arguments: [ExpressionNode], _ path: TreePath) throws(Fault) -> Resolved {
        guard arguments.count == 2 || arguments.count == 3 else {
            throw Fault(.expected(.arguments(3), found: "\(arguments.count)"), at: path)
        }
        let request = try request(arguments[0], path.child(0))
        try checkContext(arguments[1], path.child(1))
        let isCount = arguments.count > 2 ? try flag(arguments[2], path.child(2)) : false
        let collection = try collection(of: request, path.child(0))
        return isCount ? .value(try count(of: collection, path)) : .collection(collection)
    }

    private func request(_ node: ExpressionNode, _ path: TreePath) throws(Fault) -> FetchRequest {
        let value = try constant(node, path)
        guard case .object(let object) = value, let request = object.base as? FetchRequest else {
            throw Fault(.expected(.fetchRequest, found: value.columnKindName), at: path)
        }
        return request
    }

    private func checkContext(_ node: ExpressionNode, _ path: TreePath) throws(Fault) {
        let value = try constant(node, path)
        guard case .object(let object) = value else {
            throw Fault(.expected(.fetchContext, found: value.columnKindName), at: path)
        }
        guard object.base is SQLFetchContext else { throw Fault(.fetchContext, at: path) }
    }

    private func flag(_ node: ExpressionNode, _ path: TreePath) throws(Fault) -> Bool {
        let value = try constant(node, path)
        switch ConstantNumber(value)?.doubleValue {
        case 0: return false
        case 1: return true
        default: throw Fault(.expected(.yesOrNo, found: value.columnKindName), at: path)
        }
    }

    private func constant(_ node: ExpressionNode, _ path: TreePath) throws(Fault) -> PredicateValue {
        guard case .constant(let value) = try resolve(node, path) else { throw Fault(.fetchArgument, at: path) }
        return value
    }

    // MARK: Rows

    /// The rows that a request selects; an error of its predicate or of a sort key stands at the request.
    private func collection(of request: FetchRequest, _ path: TreePath) throws(Fault) -> CollectionForm {
        let entity = try entity(request.entity, path)
        do throws(Fault) {
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
            throw Fault(error.code, at: path)
        }
    }

    private func newRows(of entity: EntityReference) -> ObjectForm {
        ObjectForm(startingFrom: entity, alias: newAlias())
    }

    private func condition(
        of request: FetchRequest, for object: ObjectForm, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        let rows = rows(of: object)
        guard let predicate = request.predicate else { return rows }
        let condition = try fetching(object, predicate, request.variables, path) { () throws(Fault) in
            try self.condition(predicate.node, .unrecorded)
        }
        return .all([rows, condition])
    }

    /// The primary keys of the rows on a page, which only a subquery of its own can limit.
    private func page(
        of request: FetchRequest, _ entity: EntityReference, _ path: TreePath
    ) throws(Fault) -> PageForm {
        let object = newRows(of: entity)
        let condition = try condition(of: request, for: object, path)
        var order: [OrderTerm] = []
        for key in request.sortKeys { order.append(try term(key, of: object)) }
        return PageForm(
            key: object.key, scope: object.scope, condition: condition, order: order,
            limit: request.limit.map(number), offset: request.offset.map(number))
    }

    private func term(_ key: SortKey, of object: ObjectForm) throws(Fault) -> OrderTerm {
        let keys = KeyPathExpression.keys(of: key.keyPath)
        guard case .value(let value) = try follow(keys[...], from: .object(object), .unrecorded) else {
            throw Fault(.notAColumn(key: key.keyPath), at: .root)
        }
        return try orderTerm(value, key)
    }

    /// A number of rows; one below 0 counts as 0.
    private func number(_ count: Int) -> ValueForm { form(.integer(Int64(max(count, 0))), .rowCount) }
}
