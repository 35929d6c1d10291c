import PredicateSyntax

/// Values for the variables of a predicate.
///
/// `age >= $AGE` with `["AGE": 18]`
///
/// A value is plain data or a live object. Bound to `PredicateValue.expression`, a variable stands for what that
/// expression evaluates to. Every variable must have a value: one without ends in
/// ``EvaluationError/Code/unboundVariable(_:nearMisses:)``, and nil is given as `PredicateValue.null`.
public struct PredicateVariables: ExpressibleByDictionaryLiteral {
    private var values: [String: KeyedValue]

    /// No values at all.
    public init() {
        values = [:]
    }

    /// Values by the name of the variable, without its `$`: `PredicateVariables(["AGE": 18])`.
    public init(_ values: [String: any KeyedValueConvertible]) {
        self.values = values.mapValues(\.keyedValue)
    }

    /// Values by the name of the variable, of any type: `PredicateVariables(bridging: ["AGE": NSNumber(value: 18)])`.
    public init(bridging values: [String: Any?]) {
        self.values = values.mapValues(KeyedValue.init(bridging:))
    }

    /// `["AGE": 18, "NAME": "jo"]`; a name that stands twice keeps its last value.
    public init(dictionaryLiteral elements: (String, any KeyedValueConvertible)...) {
        guard !elements.isEmpty else {
            values = [:]
            return
        }
        let pairs = elements.map { ($0, $1.keyedValue) }
        values = Dictionary(pairs, uniquingKeysWith: { _, last in last })
    }

    /// The value of a variable, nil where it has none: `variables["AGE"] = .value(18)`.
    public subscript(name: String) -> KeyedValue? {
        get { values[exactly: name] }
        set { values[name] = newValue }
    }

    /// The names that have a value.
    public var names: some Collection<String> { values.keys }
}
