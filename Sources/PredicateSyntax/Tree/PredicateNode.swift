/// A predicate as a tree: what a format string says, without positions and without the spelling it came in.
///
/// `age >= 21 AND name BEGINSWITH[cd] "jo"`
///
/// A value: equal trees are equal predicates. Trees deeper than ``Limits/nesting`` are refused by every later stage.
///
/// A node takes one word, and one piece of memory: a box, or the list of more than two subpredicates.
@nonexhaustive
public enum PredicateNode: Hashable, Sendable {
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    case constant(Bool)
    /// `age >= 21`
    indirect case comparison(ComparisonPredicate)
    /// `name BEGINSWITH[cd] "jo"`
    indirect case string(StringPredicate)
    /// `a == 1 AND b == 2`, `NOT a == 1`
    case compound(CompoundPredicate)
}
