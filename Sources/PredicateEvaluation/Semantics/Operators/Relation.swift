import PredicateSyntax

/// An operator with its options: `==[c]`, `BETWEEN`, `LIKE`, …
///
/// A relation knows nothing of expressions, modifiers or the tree: those belong to the plans. One file for each family
/// of operators says all there is to know of it: the meaning, and the leaf that the fast forms run.
protocol Relation: AnyObject, Sendable {
    /// True if the operator holds between two values.
    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool

    /// Describes the comparison of a left side with a constant: `age > 21`.
    ///
    /// Nil if only `holds` can decide. Throws what every comparison with the constant would throw.
    func leaf(against right: PredicateValue) throws(Fault) -> LeafDescription?

    /// Describes the comparison of a constant with a right side: `21 < age`; nil if only `holds` can decide.
    func leaf(from left: PredicateValue) -> LeafDescription?

    /// The outcomes of comparing two numbers that satisfy the operator: `spent > budget`; nil if it is none of order.
    var outcomes: Ordering.Outcomes? { get }
}

extension Relation {
    func leaf(against right: PredicateValue) throws(Fault) -> LeafDescription? { nil }
    func leaf(from left: PredicateValue) -> LeafDescription? { nil }
    var outcomes: Ordering.Outcomes? { nil }
}
