/// Values for the variables of a predicate.
///
/// `age >= $AGE` with `["AGE": 18]`
///
/// A value is plain data or a live object, so variables are not Sendable: pass `[String: PredicateValue]` to another task,
/// and make variables from it there. nil is passed as ``PredicateValue/null``. A variable whose value is a
/// ``PredicateValue/expression(_:)`` represents the result of that expression. Using a variable without a value
/// throws `unboundVariable`.
///
/// An evaluation uses live objects as they are. Fetch requests, compiled queries and the constants of an evaluator
/// are stored or sent to a database, so they take plain data only: a live object is replaced by its
/// ``PredicateValueConvertible/predicateValue``, and an object that has none counts as no value.
public struct PredicateVariables: ExpressibleByDictionaryLiteral {
    @usableFromInline
    var values: [String: KeyedValue]

    /// Makes variables without values.
    @inlinable
    public init() {
        values = .init()
    }

    /// Makes variables from values by name, without the `$`: `PredicateVariables(["AGE": 18])`.
    public init(_ values: [String: any KeyedValueConvertible]) {
        self.values = values.mapValues(Self.stored)
    }

    /// Makes variables from plain data.
    package init(plain values: [String: PredicateValue]) {
        self.values = values.mapValues(KeyedValue.value)
    }

    /// Makes variables from a literal: `["AGE": 18, "NAME": "jo"]`. If a name occurs twice, its last value counts.
    public init(dictionaryLiteral elements: (String, any KeyedValueConvertible)...) {
        guard !elements.isEmpty else {
            values = [:]
            return
        }
        let pairs = elements.map { ($0, Self.stored($1)) }
        values = Dictionary(pairs, uniquingKeysWith: { _, last in last })
    }

    /// The value of a variable; nil if it has no value: `variables["AGE"] = .value(18)`.
    public subscript(name: String) -> KeyedValue? {
        get {
            guard let value = values[exactly: name] else { return nil }
            if case .value(.object(let object)) = value { return object.keyedValue }
            return value
        }
        set { values[name] = newValue }
    }

    package var names: some Collection<String> { values.keys }

    /// True if no variable has a value.
    @inlinable
    package var isEmpty: Bool { values.isEmpty }

    /// The values as plain data; values that have no such form are left out.
    package var plainValues: [String: PredicateValue] {
        isEmpty ? [:] : values.compactMapValues { $0.plainValue() }
    }

    /// Returns the value to store. A live object that conforms to ``PredicateValueConvertible`` is stored as its
    /// constant, which is plain data; any other live object is stored as it is.
    private static func stored(_ value: any KeyedValueConvertible) -> KeyedValue {
        let keyed = value.keyedValue
        if case .value = keyed { return keyed }
        return (value as? any PredicateValueConvertible).map { .value($0.predicateValue) } ?? keyed
    }
}
