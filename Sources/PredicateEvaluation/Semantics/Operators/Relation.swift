import PredicateSyntax

/// An operator with its options: `==[c]`, `BETWEEN`, `LIKE`, …
///
/// A relation knows nothing of expressions, modifiers or the tree: those belong to the plans. One file for each family
/// of operators says all there is to know of it: the meaning, and the leaf that the fast forms run.
protocol Relation: AnyObject, Sendable {
    /// True if the operator holds between two values.
    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool

    /// Checks a constant on the right when it is planned; throws what every comparison with it would throw.
    func check(_ right: PredicateValue) throws(Fault)

    /// Describes the comparison of a left side with a constant: `age > 21`; nil if only `holds` can decide.
    func leaf(against right: PredicateValue) -> LeafDescription?

    /// Describes the comparison of a constant with a right side: `21 < age`; nil if only `holds` can decide.
    func leaf(from left: PredicateValue) -> LeafDescription?

    /// The outcomes of comparing two numbers that satisfy the operator: `spent > budget`; nil for other operators.
    var outcomes: Ordering.Outcomes? { get }
}

extension Relation {
    func check(_ right: PredicateValue) throws(Fault) {}
    func leaf(against right: PredicateValue) -> LeafDescription? { nil }
    func leaf(from left: PredicateValue) -> LeafDescription? { nil }
    var outcomes: Ordering.Outcomes? { nil }
}
