import PredicateSyntax

extension Resolver {
    /// The objects at the end of a to-many relationship.
    func collection(
        _ name: String, _ relationship: PropertyReference, _ destination: EntityReference, of object: ObjectForm
    ) -> CollectionForm {
        let scope = Scope()
        let element = join(relationship, destination, from: object.key, to: scope)
        return CollectionForm(
            name: name, base: object.mayBeNil ? object.key : nil, scope: scope, condition: .always,
            element: .object(element), steps: 1, isMapped: false)
    }

    /// Ties the tables of a relationship to a key, and gives the object of their rows.
    private func join(
        _ relationship: PropertyReference, _ destination: EntityReference, from key: ColumnForm, to scope: Scope
    ) -> ObjectForm {
        let kind: Scope.Source.Kind = scope.sources.isEmpty ? .start : .needed
        let alias: Int
        switch relationship {
        case .toMany(_, let column), .toOne(_, let column):
            alias = newAlias()
            scope.add(source(destination, kind, alias, (column, key)))
        case .attribute: alias = newAlias()
        case .manyToMany(_, let table, let source, let target):
            let pairs = newAlias()
            scope.add(Scope.Source(kind: kind, table: table, alias: pairs, tie: (source, key)))
            alias = newAlias()
            let value = ColumnForm(alias: pairs, column: target, isNullable: true)
            scope.add(self.source(destination, .needed, alias, (destination.primaryKey, value)))
        }
        let column = ColumnForm(alias: alias, column: destination.primaryKey, isNullable: false)
        return ObjectForm(destination, key: column, mayBeNil: false, alias: alias, scope: scope)
    }

    private func source(
        _ entity: EntityReference, _ kind: Scope.Source.Kind, _ alias: Int,
        _ tie: (column: ColumnReference, value: ColumnForm)
    ) -> Scope.Source {
        Scope.Source(kind: kind, table: entity.rows, alias: alias, tie: tie, primaryKey: entity.primaryKey)
    }

    /// A key through a collection: of each element, as sets do it, without nil and without duplicates.
    func step(_ key: String, from start: CollectionForm, _ path: TreePath) throws(Fault) -> Resolved {
        var collection = start
        switch start.element {
        case .value(let value):
            if key == "count" { return .value(try count(of: start, path)) }
            collection.element = .value(try property(key, of: value.checked, path))
        case .object(let object):
            let property = object.reference.property(key)
            if key == "count", property?.isAttribute != true {
                return .value(try count(of: start, path))
            }
            // The values of a key of an array may be equal, and nil.
            if start.isArray { throw Fault(.fetchedKeys, at: path) }
            if let property, let name = property.toManyDestination {
                let destination = try entity(name, path)
                let next = join(property, destination, from: object.key, to: start.scope)
                collection.element = .object(next)
                collection.steps += 1
                collection.isMapped = true
                return .collection(collection)
            }
            collection.element = try element(try step(key, from: object, path), path)
        }
        collection.isMapped = true
        return .collection(collection)
    }

    private func element(_ resolved: Resolved, _ path: TreePath) throws(Fault) -> CollectionForm.Element {
        switch resolved {
        case .value(let value): return .value(value)
        case .object(let object): return .object(object)
        case .constant, .collection, .list, .choice, .combined: throw Fault(.nestedCollections, at: path)
        }
    }

    /// `SUBQUERY(friends, $f, $f.age > 21)`: the rows for which the predicate holds as well.
    func resolve(_ node: SubqueryExpression, _ path: TreePath) throws(Fault) -> CollectionForm {
        guard case .collection(var collection) = try resolve(node.collection, path.child(0)) else {
            throw Fault(.construct("SUBQUERY of anything but a relationship"), at: path.child(0))
        }
        guard collection.steps == 1 else { throw Fault(.nestedCollections, at: path.child(0)) }
        bound.append((node.variable, collection.present))
        defer { bound.removeLast() }
        let test = try entering(collection, path) { () throws(Fault) in
            try exact { () throws(Fault) in try condition(node.predicate, path.child(1)) }
        }
        collection.condition = .all([collection.condition, test])
        return collection
    }

    /// EXISTS: a condition that holds for an element, or for all of them.
    func exists(
        in collection: CollectionForm, all: Bool, _ path: TreePath, _ test: (Resolved) throws(Fault) -> ConditionForm
    ) throws(Fault) -> ConditionForm {
        let holds = try entering(collection, path) { () throws(Fault) in try test(collection.present) }
        var conditions = [collection.condition]
        if let presence = collection.presence, all || !holds.rejectsNull {
            conditions.append(.not(.isNull(presence)))
        }
        conditions.append(all ? holds.negated : holds)
        let found = ConditionForm.exists(collection.scope, .all(conditions))
        if case .constant(false) = conditions[conditions.count - 1] { return all ? .always : .never }
        return all ? .not(found) : found
    }
}
