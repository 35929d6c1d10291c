/// Values for the variables of a predicate.
///
/// `age >= $AGE` with `["AGE": 18]`
///
/// A value is plain data or a live object; nil is passed as ``PredicateValue/null``. A variable whose value is a
/// ``PredicateValue/expression(_:)`` represents the result of that expression. A variable without a value ends in the error
/// `unboundVariable`.
///
/// An evaluation takes live objects as they are. What is kept or sent to a database takes plain data only: a fetch request,
/// a compiled query and the constants of an evaluator. There a live object is replaced by its
/// ``PredicateValueConvertible/predicateValue``; an object that has none counts as no value.
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

    /// The value of a variable, nil if it has no value: `variables["AGE"] = .value(18)`.
    public subscript(name: String) -> KeyedValue? {
        get {
            guard let value = values[exactly: name] else { return nil }
            if case .value(.object(let object)) = value { return object.keyedValue }
            return value
        }
        set { values[name] = newValue }
    }

    /// The names that have a value.
    package var names: some Collection<String> { values.keys }

    /// True if no variable has a value.
    @inlinable
    package var isEmpty: Bool { values.isEmpty }

    /// The values as plain data, without those that have none.
    package var plainValues: [String: PredicateValue] {
        isEmpty ? [:] : values.compactMapValues { $0.plainValue() }
    }

    /// A value that has a constant of the host in it stays that constant, which is plain data.
    private static func stored(_ value: any KeyedValueConvertible) -> KeyedValue {
        let keyed = value.keyedValue
        if case .value = keyed { return keyed }
        return (value as? any PredicateValueConvertible).map { .value($0.predicateValue) } ?? keyed
    }
}
