import PredicateSyntax

extension Resolver {
    /// Returns the objects of a to-many relationship.
    func collection(
        _ name: String, _ relationship: PropertyReference, _ destination: EntityReference, of object: ObjectForm
    ) -> CollectionForm {
        let scope = TableScope()
        let element = join(relationship, destination, from: object, to: scope)
        return CollectionForm(
            name: name, base: object.mayBeNil ? .column(object.key) : nil, scope: scope, condition: .always,
            element: .object(element), steps: 1, isMapped: false)
    }

    /// Returns the elements of an array of plain values. nil is NULL, or JSON that is not an array. [NSP-430]
    func collection(
        _ name: String, _ reference: ArrayReference, in column: ColumnForm, _ path: TreePath
    ) throws(CompilationFault) -> CollectionForm {
        guard let rows = reference.rows else { throw CompilationFault(.storage(.array), at: path) }
        let whole: ValueForm =
            reference.storage == .native ? .column(column) : .cast(.column(column), .type(.jsonToArray))
        let array = ArrayForm(column: column, reference: reference, rows: rows, whole: whole)
        let alias = newAlias()
        let source = TableScope.Table(kind: .start, table: column.column.name, alias: alias, array: array)
        let isNullable = column.isNullable || reference.storage == .json
        return CollectionForm(
            name: name, base: isNullable ? array.whole : nil, scope: TableScope(start: source), condition: .always,
            element: .value(array.element(alias)), steps: 1, isMapped: false, isArray: true, array: array)
    }

    /// Joins the tables of a relationship to an object's key, and returns the object of their rows.
    private func join(
        _ relationship: PropertyReference, _ destination: EntityReference, from object: ObjectForm, to scope: TableScope
    ) -> ObjectForm {
        let (key, isText) = (object.key, object.reference.primaryKeyKind.mayBeText)
        let kind: TableScope.Table.Kind = scope.sources.isEmpty ? .start : .needed
        let alias: Int
        switch relationship {
        case .toMany(_, let column), .toOne(_, let column):
            alias = newAlias()
            scope.add(source(destination, kind, alias, (column, key), isText))
        case .attribute: alias = newAlias()
        case .manyToMany(_, let table, let source, let target):
            let pairs = newAlias()
            scope.add(
                TableScope.Table(kind: kind, table: table, alias: pairs, tie: (source, key), hasTextKey: isText))
            alias = newAlias()
            let value = ColumnForm(alias: pairs, column: target, isNullable: true)
            scope.add(
                self.source(
                    destination, .needed, alias, (destination.primaryKey, value), destination.primaryKeyKind.mayBeText))
        }
        let column = ColumnForm(alias: alias, column: destination.primaryKey, isNullable: false)
        return ObjectForm(destination, key: column, mayBeNil: false, alias: alias, scope: scope)
    }

    private func source(
        _ entity: EntityReference, _ kind: TableScope.Table.Kind, _ alias: Int,
        _ tie: (column: ColumnReference, value: ColumnForm), _ hasTextKey: Bool
    ) -> TableScope.Table {
        TableScope.Table(
            kind: kind, table: entity.table, alias: alias, tie: tie, primaryKey: entity.primaryKey,
            hasTextKey: hasTextKey)
    }

    /// Applies a key to each element of a collection. As in a set, the results have no nil and no duplicates.
    func step(_ key: String, from start: CollectionForm, _ path: TreePath) throws(CompilationFault) -> Resolved {
        var collection = start
        switch start.element {
        case .value(let value):
            if key == "count" { return .value(try count(of: start, path)) }
            collection.element = .value(try property(key, of: value.checked, path))
            // An array keeps nil and equal values.
            if start.isArray { return .collection(collection) }
        case .object(let object):
            let property = object.reference.property(key)
            if key == "count", property?.isAttribute != true {
                return .value(try count(of: start, path))
            }
            // Applied to an array, a key may give duplicates and nil.
            if start.isArray { throw CompilationFault(.fetchedKeys, at: path) }
            if let property, let name = property.toManyDestination {
                let destination = try entity(name, path)
                let next = join(property, destination, from: object, to: start.scope)
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

    private func element(_ resolved: Resolved, _ path: TreePath) throws(CompilationFault) -> CollectionForm.Element {
        switch resolved {
        case .value(let value): return .value(value)
        case .object(let object): return .object(object)
        case .constant, .collection, .list, .choice, .combined: throw CompilationFault(.nestedCollections, at: path)
        }
    }

    /// `SUBQUERY(friends, $f, $f.age > 21)`: the rows for which the predicate is true.
    func resolve(_ node: SubqueryExpression, _ path: TreePath) throws(CompilationFault) -> CollectionForm {
        guard case .collection(var collection) = try resolve(node.collection, path.child(0)) else {
            throw CompilationFault(.construct("SUBQUERY of anything but a relationship"), at: path.child(0))
        }
        guard collection.steps == 1 else { throw CompilationFault(.nestedCollections, at: path.child(0)) }
        bound.append((node.variable, collection.present))
        defer { bound.removeLast() }
        let test = try entering(collection, path) { () throws(CompilationFault) in
            try exact { () throws(CompilationFault) in try condition(node.predicate, path.child(1)) }
        }
        collection.condition = .all([collection.condition, test])
        return collection
    }

    /// EXISTS: the condition that some element, or all elements, satisfy a test.
    func exists(
        in collection: CollectionForm, all: Bool, _ path: TreePath,
        _ test: (Resolved) throws(CompilationFault) -> ConditionForm
    ) throws(CompilationFault) -> ConditionForm {
        let holds = try entering(collection, path) { () throws(CompilationFault) in try test(collection.present) }
        var conditions = [collection.condition]
        if let presence = collection.presence, all || !holds.rejectsNull(of: presence) {
            conditions.append(.not(.isNull(presence)))
        }
        conditions.append(all ? holds.negated : holds)
        let found = ConditionForm.exists(collection.scope, .all(conditions))
        if case .constant(false) = conditions[conditions.count - 1] { return all ? .always : .never }
        if !all, let array = collection.array, collection.isWholeArray, let elements = array.elements(in: holds) {
            return .all([.any(elements.map { .mayContain(array, $0) }), found])
        }
        return all ? .not(found) : found
    }
}

extension Resolver {
    /// `friends.@avg.age`: an operator, and the keys after it, which apply to each element.
    func apply(
        _ operator: KeyPathOperator, _ rest: ArraySlice<String>, to receiver: Resolved, _ path: TreePath
    ) throws(CompilationFault) -> Resolved {
        if case .choice(let test, let left, let right) = receiver {
            return .choice(
                test, try apply(`operator`, rest, to: left, path), try apply(`operator`, rest, to: right, path))
        }
        guard case .collection(let collection) = receiver else {
            if receiver.isLiteralCollection { throw CompilationFault(.collectionValue, at: path) }
            throw CompilationFault(.expected(.collection, found: receiver.operand), at: path)
        }
        switch `operator` {
        case .count:
            return try follow(rest, from: .value(try count(of: collection, path)), path)
        case .unionOfObjects, .distinctUnionOfObjects:
            // The keys after the operator apply to each element, never to the collection. [NSP-114]
            if rest.contains(where: collection.element.takesAsWhole) {
                throw CompilationFault(.nestedCollections, at: path)
            }
            if collection.array != nil, `operator` == .unionOfObjects {
                throw CompilationFault(.construct("@unionOfObjects of an array"), at: path)
            }
            var union = collection
            (union.isMapped, union.isArray) = (true, collection.isArray && collection.array == nil)
            return try follow(rest, from: .collection(union), path)
        case .sum, .average, .minimum, .maximum:
            return .value(try aggregate(`operator`, rest, over: collection, path))
        case .distinctUnionOfArrays, .unionOfArrays, .distinctUnionOfSets, .unionOfSets, .allKeys, .allValues:
            throw CompilationFault(.property(`operator`.rawValue), at: path)
        }
    }

    /// `friends.@count`, `friends[SIZE]`
    func count(of collection: CollectionForm, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        guard collection.steps == 1 else { throw CompilationFault(.nestedCollections, at: path) }
        try entering(collection, path) { () throws(CompilationFault) in }
        if let array = collection.array, collection.isWholeArray {
            return TypedValue(form: array.size, kind: .integer, mayBeNil: collection.base != nil)
        }
        let form: AggregateForm
        switch collection.element {
        case .value where collection.isArray: form = .countRows
        case .object(let object):
            form = collection.sharesElements ? .countDistinct(.column(object.key), isText: false) : .countRows
        case .value(let value):
            form = .countDistinct(try distinctValue(value, path).form, isText: value.kind.isText)
        }
        return aggregate(form, over: collection, .integer, mayBeNil: false)
    }

    private func aggregate(
        _ form: AggregateForm, over collection: CollectionForm, _ kind: ValueKind, mayBeNil: Bool
    ) -> TypedValue {
        let whole = ValueForm.aggregate(form, collection.scope, collection.condition)
        guard let base = collection.base else { return TypedValue(form: whole, kind: kind, mayBeNil: mayBeNil) }
        return TypedValue(
            form: .conditional(.not(.isNull(base)), whole, .null), kind: kind, mayBeNil: true)
    }

    /// Marks a sum that exceeds 64 bits, or has too many digits, as an error.
    private func failing(_ value: TypedValue, with sum: AggregateForm, over collection: CollectionForm) -> TypedValue {
        guard mayFail(sum) else { return value }
        var value = value
        value.failures.append(.aggregate(sum, collection.scope, collection.condition))
        return value
    }

    private func aggregate(
        _ operator: KeyPathOperator, _ rest: ArraySlice<String>, over collection: CollectionForm, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        guard collection.steps == 1 else { throw CompilationFault(.nestedCollections, at: path) }
        try entering(collection, path) { () throws(CompilationFault) in }
        let isDistinct = collection.sharesElements
        if isDistinct, `operator`.addsUp, rest.contains(where: { $0 != "self" }) {
            throw CompilationFault(.sharedElements, at: path)
        }
        let leaf = try leaf(rest, of: collection, path)
        switch `operator` {
        case .sum:
            let (sum, kind) = try sum(of: leaf, distinct: isDistinct, path)
            return failing(aggregate(sum, over: collection, kind, mayBeNil: false), with: sum, over: collection)
        case .average:
            let (form, kind) = try average(of: leaf, distinct: isDistinct, path)
            return aggregate(form, over: collection, kind, mayBeNil: true)
        case .minimum, .maximum:
            let (form, kind) = try extreme(`operator` == .minimum, of: leaf, path)
            return aggregate(form, over: collection, kind, mayBeNil: true)
        case .count, .unionOfObjects, .distinctUnionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
            .distinctUnionOfSets, .unionOfSets, .allKeys, .allValues:
            throw CompilationFault(.nestedCollections, at: path)
        }
    }

    /// Returns the value of the keys after an operator, for one element.
    private func leaf(
        _ rest: ArraySlice<String>, of collection: CollectionForm, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        let start: Resolved =
            switch collection.element {
            case .object(let object): .object(object)
            case .value(let value): .value(value)
            }
        switch try follow(rest, from: start, path) {
        case .value(let value): return value.checked
        case .collection: throw CompilationFault(.nestedCollections, at: path)
        case let other: throw CompilationFault(.expected(.number, found: other.operand), at: path)
        }
    }

    /// Returns a value in a form whose sum is exact.
    func summand(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) -> ValueForm {
        switch value.kind {
        case .integer: return value.form
        case .boolean: return .cast(value.form, .type(.booleanToInteger))
        case .double: throw CompilationFault(.sumOfDoubles, at: path)
        case .decimal: throw CompilationFault(.decimalArithmetic, at: path)
        case .any: throw CompilationFault(.mixedKinds("of the rows"), at: path)
        case .power: throw CompilationFault(.kindDependsOnRow, at: path)
        case .string, .date, .uuid, .data:
            throw CompilationFault(.expected(.number, found: value.kind.operand), at: path)
        }
    }

    /// Returns a value in a form that the database can order.
    func ordered(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        switch value.kind {
        case .double:
            let skips = dialect.features.contains(.ordersNotANumber)
            let form = skips ? ValueForm.cast(value.form, .type(.notANumberToNull)) : value.form
            return TypedValue(form: form, kind: .double, mayBeNil: value.mayBeNil)
        case .date(.timestamp) where dialect.timestamps == nil: return try inSeconds(value, path)
        case .integer, .string, .date(.since2001), .date(.since1970), .date(.timestamp): return value
        case .boolean:
            return TypedValue(
                form: .cast(value.form, .type(.booleanToInteger)), kind: .integer, mayBeNil: value.mayBeNil)
        case .date(.iso8601): return try inSeconds(value, path)
        case .decimal:
            if dialect.features.contains(.decimalType) { return value }
            throw CompilationFault(.storage(.decimal), at: path)
        case .any: throw CompilationFault(.mixedKinds("of the rows"), at: path)
        case .power: throw CompilationFault(.kindDependsOnRow, at: path)
        case .uuid, .data:
            throw CompilationFault(.incomparable(left: value.kind.operand, right: value.kind.operand), at: path)
        }
    }

    /// `sum(friends.age)`, `count(friends)`
    func statistic(_ function: FunctionExpression.Predefined, _ argument: Resolved, _ path: TreePath)
        throws(CompilationFault)
        -> Resolved
    {
        if argument.isNil { return argument }
        guard case .collection(let collection) = argument else {
            throw CompilationFault(.construct("\(function.rawValue) of anything but a relationship"), at: path)
        }
        switch function {
        case .count: return .value(try count(of: collection, path))
        case .sum: return .value(try aggregate(.sum, [], over: collection, path))
        default: throw CompilationFault(.construct(function.rawValue), at: path)
        }
    }
}

extension CollectionForm.Element {
    /// Returns true if a key after a collection of such elements belongs to the collection itself.
    fileprivate func takesAsWhole(_ key: String) -> Bool {
        if key.utf8.first == UInt8(ascii: "@") { return true }
        guard key == "count" else { return false }
        switch self {
        case .object(let object): return object.reference.property(key)?.isAttribute != true
        case .value: return true
        }
    }
}

extension Resolved {
    /// True for a column of arrays: `tags`, but not `tags.length`
    var isArrayColumn: Bool {
        guard case .collection(let collection) = self, collection.isWholeArray, !collection.isMapped,
            case .value(let element) = collection.element
        else { return false }
        return collection.array?.isElement(element.form) == true
    }

    /// True for a collection that is not a relationship.
    fileprivate var isLiteralCollection: Bool {
        switch self {
        case .list, .combined: true
        case .constant(let value): value.elements != nil
        case .value, .object, .collection, .choice: false
        }
    }
}

extension KeyPathOperator {
    /// False for operators of nested collections and of dictionaries, which no column holds.
    var hasSQL: Bool {
        switch self {
        case .count, .sum, .average, .minimum, .maximum, .distinctUnionOfObjects, .unionOfObjects: true
        case .distinctUnionOfArrays, .unionOfArrays, .distinctUnionOfSets, .unionOfSets, .allKeys, .allValues: false
        }
    }

    /// True if it matters how often a value occurs.
    fileprivate var addsUp: Bool { self == .sum || self == .average }
}
