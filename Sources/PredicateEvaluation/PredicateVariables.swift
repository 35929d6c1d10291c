import PredicateSyntax

/// Values for the variables of a predicate.
///
/// `age >= $AGE` with `["AGE": 18]`
///
/// A value is plain data or a live object; nil is passed as `PredicateValue.null`. A variable whose value is a
/// `PredicateValue.expression` stands for the result of that expression. Every variable must have a value: one without
/// ends in ``EvaluationError/Code/unboundVariable(_:nearMisses:)``.
public struct PredicateVariables: ExpressibleByDictionaryLiteral {
    private var values: [String: KeyedValue]

    /// Makes variables of values by name, without the `$`: `PredicateVariables(["AGE": 18])`.
    public init(_ values: [String: any KeyedValueConvertible]) {
        self.values = values.mapValues(\.keyedValue)
    }

    /// Makes variables of values of any type: `PredicateVariables(bridging: ["AGE": NSNumber(value: 18)])`.
    public init(bridging values: [String: Any?]) {
        self.values = values.mapValues(KeyedValue.init(bridging:))
    }

    /// Makes variables of a literal: `["AGE": 18, "NAME": "jo"]`. The last value of a name counts.
    public init(dictionaryLiteral elements: (String, any KeyedValueConvertible)...) {
        guard !elements.isEmpty else {
            values = [:]
            return
        }
        let pairs = elements.map { ($0, $1.keyedValue) }
        values = Dictionary(pairs, uniquingKeysWith: { _, last in last })
    }

    /// The value of a variable, nil if it has no value: `variables["AGE"] = .value(18)`.
    public subscript(name: String) -> KeyedValue? {
        get { values[exactly: name] }
        set { values[name] = newValue }
    }

    /// The variables with constants, which no value replaces.
    func overlaid(by constants: [String: PredicateValue]) -> PredicateVariables {
        var all = self
        for (name, value) in constants { all[name] = value.keyedValue }
        return all
    }

    /// Takes the values that `:=` has assigned; `names` are those of the slots.
    mutating func takeAssigned(_ names: [String?], _ slots: [EvaluationContext.Slot]) {
        for (name, slot) in zip(names, slots) {
            if let name, case .assigned(let value) = slot { self[name] = value }
        }
    }

    /// The names that have a value.
    package var names: some Collection<String> { values.keys }
}

/// The variables of a plan, with all that an evaluation needs to give them values.
struct PlanVariables: Sendable {
    private let table: VariableTable
    private let settings: PlanSettings
    private let depth: Int

    init(_ table: VariableTable, _ settings: PlanSettings, _ survey: TreeSurvey) {
        self.table = table
        self.settings = settings
        depth = survey.depth
    }

    /// True if an evaluation may give one of them a value; those of a `SUBQUERY` take none.
    var takeValues: Bool { table.takesValues }

    /// Gives variables the values that `:=` has assigned in an evaluation. [NSP-180]
    func copyAssigned(from context: EvaluationContext, to variables: inout PredicateVariables) {
        variables.takeAssigned(table.names, context.slots)
    }

    /// Each slot with the value of its variable.
    func slots(for variables: PredicateVariables) -> [EvaluationContext.Slot] {
        table.isEmpty ? [] : table.bound(to: variables, settings, depth: depth)
    }
}
