import PredicateSyntax

extension Resolver {
    /// `friends.@avg.age`: an operator and the keys behind it, which it takes of each element.
    func apply(
        _ operator: CollectionOperator, _ rest: ArraySlice<String>, to receiver: Resolved, _ place: Place
    ) throws(Fault) -> Resolved {
        if case .choice(let test, let left, let right) = receiver {
            return .choice(
                test, try apply(`operator`, rest, to: left, place), try apply(`operator`, rest, to: right, place))
        }
        guard case .collection(let collection) = receiver else {
            if receiver.elementsAreKnown { throw Fault(.collectionValue, at: place) }
            throw Fault(.expected("a collection", found: receiver.name), at: place)
        }
        switch `operator` {
        case .count:
            return try follow(rest, from: .value(try count(of: collection, place)), place)
        case .unionOfObjects, .distinctUnionOfObjects:
            // What follows is asked of each element, never of all of them. [NSP-114]
            if rest.contains(where: collection.element.takesAsWhole) { throw Fault(.nestedCollections, at: place) }
            var union = collection
            union.isMapped = true
            return try follow(rest, from: .collection(union), place)
        case .sum, .average, .minimum, .maximum:
            return .value(try aggregate(`operator`, rest, over: collection, place))
        }
    }

    /// `friends.@count`, `friends[SIZE]`
    func count(of collection: CollectionForm, _ place: Place) throws(Fault) -> Value {
        guard collection.steps == 1 else { throw Fault(.nestedCollections, at: place) }
        let form: AggregateForm
        switch collection.element {
        case .object(let object):
            form = collection.sharesElements ? .countDistinct(.column(object.key), isText: false) : .countRows
        case .value(let value):
            form = .countDistinct(try distinct(value, place), isText: value.kind == .string)
        }
        return aggregate(form, over: collection, .integer, mayBeNil: false)
    }

    /// A value in a form in which equal values are equal to the database.
    private func distinct(_ value: Value, _ place: Place) throws(Fault) -> ValueForm {
        if value.kind == .decimal, !dialect.features.contains(.decimalType) {
            throw Fault(.storage("a decimal number"), at: place)
        }
        return try plain(value.checked, place).form
    }

    private func aggregate(
        _ form: AggregateForm, over collection: CollectionForm, _ kind: ValueKind, mayBeNil: Bool
    ) -> Value {
        let whole = ValueForm.aggregate(form, collection.scope, collection.condition)
        guard let base = collection.base else { return Value(form: whole, kind: kind, mayBeNil: mayBeNil) }
        return Value(
            form: .conditional(.not(.isNull(.column(base))), whole, .null), kind: kind, mayBeNil: true)
    }

    private func aggregate(
        _ operator: CollectionOperator, _ rest: ArraySlice<String>, over collection: CollectionForm, _ place: Place
    ) throws(Fault) -> Value {
        guard collection.steps == 1 else { throw Fault(.nestedCollections, at: place) }
        let isDistinct = collection.sharesElements
        if isDistinct, `operator`.addsUp, rest.contains(where: { $0 != "self" }) {
            throw Fault(.sharedElements, at: place)
        }
        let leaf = try leaf(rest, of: collection, place)
        switch `operator` {
        case .sum:
            let form = try summand(leaf, place)
            return aggregate(.sum(form, distinct: isDistinct), over: collection, .integer, mayBeNil: false)
        case .average:
            let form = try summand(leaf, place)
            return aggregate(.average(form, distinct: isDistinct), over: collection, .double, mayBeNil: true)
        case .minimum, .maximum:
            let value = try ordered(leaf, place)
            let isText = value.kind == .string
            let form: AggregateForm =
                `operator` == .minimum ? .minimum(value.form, isText: isText) : .maximum(value.form, isText: isText)
            return aggregate(form, over: collection, value.kind, mayBeNil: true)
        case .count, .unionOfObjects, .distinctUnionOfObjects: throw Fault(.nestedCollections, at: place)
        }
    }

    /// What the keys behind an operator give of one element.
    private func leaf(
        _ rest: ArraySlice<String>, of collection: CollectionForm, _ place: Place
    ) throws(Fault) -> Value {
        level += 1
        defer { level -= 1 }
        let start: Resolved =
            switch collection.element {
            case .object(let object): .object(object)
            case .value(let value): .value(value)
            }
        switch try follow(rest, from: start, place) {
        case .value(let value): return value.checked
        case .collection: throw Fault(.nestedCollections, at: place)
        case let other: throw Fault(.expected("a number", found: other.name), at: place)
        }
    }

    /// What can be summed without rounding.
    private func summand(_ value: Value, _ place: Place) throws(Fault) -> ValueForm {
        switch value.kind {
        case .integer: return value.form
        case .boolean: return .cast(value.form, .type(.booleanToInteger))
        case .double: throw Fault(.sumOfDoubles, at: place)
        case .decimal: throw Fault(.decimalArithmetic, at: place)
        case .any: throw Fault(.mixedKinds("of the rows"), at: place)
        case .string, .date, .uuid, .data: throw Fault(.expected("a number", found: value.kind.name), at: place)
        }
    }

    /// What has an order that the database knows.
    private func ordered(_ value: Value, _ place: Place) throws(Fault) -> Value {
        switch value.kind {
        case .double: return Value(form: realForm(value), kind: .double, mayBeNil: value.mayBeNil)
        case .integer, .string, .date(.since2001), .date(.since1970), .date(.timestamp): return value
        case .boolean:
            return Value(form: .cast(value.form, .type(.booleanToInteger)), kind: .integer, mayBeNil: value.mayBeNil)
        case .date(.iso8601): return try plain(value, place)
        case .decimal:
            if dialect.features.contains(.decimalType) { return value }
            throw Fault(.storage("a decimal number"), at: place)
        case .any: throw Fault(.mixedKinds("of the rows"), at: place)
        case .uuid, .data: throw Fault(.incomparable(left: value.kind.name, right: value.kind.name), at: place)
        }
    }

    /// `sum(friends.age)`, `count(friends)`
    func statistic(_ function: FunctionExpression.Predefined, _ argument: Resolved, _ place: Place) throws(Fault)
        -> Resolved
    {
        if argument.isNil { return argument }
        guard case .collection(let collection) = argument else {
            throw Fault(.construct("\(function.rawValue) of anything but a relationship"), at: place)
        }
        switch function {
        case .count: return .value(try count(of: collection, place))
        case .sum: return .value(try aggregate(.sum, [], over: collection, place))
        default: throw Fault(.construct(function.rawValue), at: place)
        }
    }
}

extension CollectionForm.Element {
    /// Whether a key after a collection of such elements asks for something of the collection itself.
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
    fileprivate var elementsAreKnown: Bool {
        switch self {
        case .list, .combined: true
        case .constant(let value): value.elements != nil
        case .value, .object, .collection, .choice: false
        }
    }
}
