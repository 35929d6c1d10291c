import PredicateSyntax

extension Resolver {
    /// `friends.@avg.age`: an operator and the keys after it, which apply to each element.
    func apply(
        _ operator: CollectionOperator, _ rest: ArraySlice<String>, to receiver: Resolved, _ path: TreePath
    ) throws(Fault) -> Resolved {
        if case .choice(let test, let left, let right) = receiver {
            return .choice(
                test, try apply(`operator`, rest, to: left, path), try apply(`operator`, rest, to: right, path))
        }
        guard case .collection(let collection) = receiver else {
            if receiver.isLiteralCollection { throw Fault(.collectionValue, at: path) }
            throw Fault(.expected(.collection, found: receiver.name), at: path)
        }
        switch `operator` {
        case .count:
            return try follow(rest, from: .value(try count(of: collection, path)), path)
        case .unionOfObjects, .distinctUnionOfObjects:
            // The keys after it apply to each element, never to the collection. [NSP-114]
            if rest.contains(where: collection.element.takesAsWhole) { throw Fault(.nestedCollections, at: path) }
            var union = collection
            union.isMapped = true
            return try follow(rest, from: .collection(union), path)
        case .sum, .average, .minimum, .maximum:
            return .value(try aggregate(`operator`, rest, over: collection, path))
        case .distinctUnionOfArrays, .unionOfArrays, .distinctUnionOfSets, .unionOfSets, .allKeys, .allValues:
            throw Fault(.property(`operator`.rawValue), at: path)
        }
    }

    /// `friends.@count`, `friends[SIZE]`
    func count(of collection: CollectionForm, _ path: TreePath) throws(Fault) -> Value {
        guard collection.steps == 1 else { throw Fault(.nestedCollections, at: path) }
        try entering(collection, path) { () throws(Fault) in }
        let form: AggregateForm
        switch collection.element {
        case .object(let object):
            form = collection.sharesElements ? .countDistinct(.column(object.key), isText: false) : .countRows
        case .value(let value):
            form = .countDistinct(try distinctValue(value, path).form, isText: value.kind.isText)
        }
        return aggregate(form, over: collection, .integer, mayBeNil: false)
    }

    private func aggregate(
        _ form: AggregateForm, over collection: CollectionForm, _ kind: ValueKind, mayBeNil: Bool
    ) -> Value {
        let whole = ValueForm.aggregate(form, collection.scope, collection.condition)
        guard let base = collection.base else { return Value(form: whole, kind: kind, mayBeNil: mayBeNil) }
        return Value(
            form: .conditional(.not(.isNull(.column(base))), whole, .null), kind: kind, mayBeNil: true)
    }

    /// A sum past 64 bits is an error.
    private func failing(_ value: Value, with sum: AggregateForm, over collection: CollectionForm) -> Value {
        var value = value
        value.failures.append(.aggregate(sum, collection.scope, collection.condition))
        return value
    }

    private func aggregate(
        _ operator: CollectionOperator, _ rest: ArraySlice<String>, over collection: CollectionForm, _ path: TreePath
    ) throws(Fault) -> Value {
        guard collection.steps == 1 else { throw Fault(.nestedCollections, at: path) }
        try entering(collection, path) { () throws(Fault) in }
        let isDistinct = collection.sharesElements
        if isDistinct, `operator`.addsUp, rest.contains(where: { $0 != "self" }) {
            throw Fault(.sharedElements, at: path)
        }
        let leaf = try leaf(rest, of: collection, path)
        switch `operator` {
        case .sum:
            let sum = AggregateForm.sum(try summand(leaf, path), distinct: isDistinct)
            return failing(aggregate(sum, over: collection, .integer, mayBeNil: false), with: sum, over: collection)
        case .average:
            let form = try summand(leaf, path)
            return aggregate(.average(form, distinct: isDistinct), over: collection, .double, mayBeNil: true)
        case .minimum, .maximum:
            let value = try ordered(leaf, path)
            let isText = value.kind == .string
            let form: AggregateForm =
                `operator` == .minimum ? .minimum(value.form, isText: isText) : .maximum(value.form, isText: isText)
            return aggregate(form, over: collection, value.kind, mayBeNil: true)
        case .count, .unionOfObjects, .distinctUnionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
            .distinctUnionOfSets, .unionOfSets, .allKeys, .allValues:
            throw Fault(.nestedCollections, at: path)
        }
    }

    /// The value of the keys after an operator for one element.
    private func leaf(
        _ rest: ArraySlice<String>, of collection: CollectionForm, _ path: TreePath
    ) throws(Fault) -> Value {
        let start: Resolved =
            switch collection.element {
            case .object(let object): .object(object)
            case .value(let value): .value(value)
            }
        switch try follow(rest, from: start, path) {
        case .value(let value): return value.checked
        case .collection: throw Fault(.nestedCollections, at: path)
        case let other: throw Fault(.expected(.number, found: other.name), at: path)
        }
    }

    /// The form of a value whose sum is exact.
    func summand(_ value: Value, _ path: TreePath) throws(Fault) -> ValueForm {
        switch value.kind {
        case .integer: return value.form
        case .boolean: return .cast(value.form, .type(.booleanToInteger))
        case .double: throw Fault(.sumOfDoubles, at: path)
        case .decimal: throw Fault(.decimalArithmetic, at: path)
        case .any: throw Fault(.mixedKinds("of the rows"), at: path)
        case .power: throw Fault(.kindDependsOnRow, at: path)
        case .string, .date, .uuid, .data: throw Fault(.expected(.number, found: value.kind.name), at: path)
        }
    }

    /// The form of a value that the database can order.
    func ordered(_ value: Value, _ path: TreePath) throws(Fault) -> Value {
        switch value.kind {
        case .double:
            let skips = dialect.features.contains(.ordersNotANumber)
            let form = skips ? ValueForm.cast(value.form, .type(.notANumberToNull)) : value.form
            return Value(form: form, kind: .double, mayBeNil: value.mayBeNil)
        case .date(.timestamp) where dialect.timestamps == nil: return try inSeconds(value, path)
        case .integer, .string, .date(.since2001), .date(.since1970), .date(.timestamp): return value
        case .boolean:
            return Value(form: .cast(value.form, .type(.booleanToInteger)), kind: .integer, mayBeNil: value.mayBeNil)
        case .date(.iso8601): return try inSeconds(value, path)
        case .decimal:
            if dialect.features.contains(.decimalType) { return value }
            throw Fault(.storage(.decimal), at: path)
        case .any: throw Fault(.mixedKinds("of the rows"), at: path)
        case .power: throw Fault(.kindDependsOnRow, at: path)
        case .uuid, .data: throw Fault(.incomparable(left: value.kind.name, right: value.kind.name), at: path)
        }
    }

    /// `sum(friends.age)`, `count(friends)`
    func statistic(_ function: FunctionExpression.Predefined, _ argument: Resolved, _ path: TreePath) throws(Fault)
        -> Resolved
    {
        if argument.isNil { return argument }
        guard case .collection(let collection) = argument else {
            throw Fault(.construct("\(function.rawValue) of anything but a relationship"), at: path)
        }
        switch function {
        case .count: return .value(try count(of: collection, path))
        case .sum: return .value(try aggregate(.sum, [], over: collection, path))
        default: throw Fault(.construct(function.rawValue), at: path)
        }
    }
}

extension CollectionForm.Element {
    /// True if a key after a collection of such elements is one of the collection itself.
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
    /// A collection that is no relationship.
    fileprivate var isLiteralCollection: Bool {
        switch self {
        case .list, .combined: true
        case .constant(let value): value.elements != nil
        case .value, .object, .collection, .choice: false
        }
    }
}

extension CollectionOperator {
    /// False for operators of collections in collections, and of dictionaries: no column holds any.
    var hasSQL: Bool {
        switch self {
        case .count, .sum, .average, .minimum, .maximum, .distinctUnionOfObjects, .unionOfObjects: true
        case .distinctUnionOfArrays, .unionOfArrays, .distinctUnionOfSets, .unionOfSets, .allKeys, .allValues: false
        }
    }

    /// True if the number of occurrences of a value matters.
    fileprivate var addsUp: Bool { self == .sum || self == .average }
}
