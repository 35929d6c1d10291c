import Foundation
import PredicateSyntax
import PredicateText

/// The comparison of a value with a constant, by the kind of the value.
///
/// `age > 21`: numbers by order, false for nil. A kind that is undecided, and every kind that is not listed here, is left
/// to the operator, which may throw. Operators write descriptions, ``Leaf`` compiles them; there is no pointer in them.
struct LeafDescription: Sendable {
    var numbers = Scalar<Number>.undecided
    var dates = Scalar<Date>.undecided
    var texts = Text.undecided
    var lists = List.undecided
    /// The result for nil, where it is decided.
    var null: Bool?
}

extension LeafDescription {
    /// A condition on numbers, or on dates.
    enum Scalar<Value: Sendable>: Sendable {
        case undecided
        /// `age == "jo"`
        case constant(Bool)
        /// `age > 21`
        case compared(Ordering.Outcomes, Value)
        /// `age BETWEEN {18, 65}`
        case between(Value, Value)
        /// `age IN {1, 2}`
        case member([Value])
    }

    /// A condition on texts; needles are folded.
    enum Text: Sendable {
        case undecided
        /// `name == 3`
        case constant(Bool)
        /// `name BEGINSWITH[c] "jo"`, `name LIKE "jo*"`, `name != "jo"`
        case matches(TextMatch, PreparedNeedle, isNegated: Bool = false)
        /// `name < "m"`
        case compared(Ordering.Outcomes, PreparedNeedle)
        /// `name IN {"jo", "al"}`
        case member([PreparedNeedle])
        /// `name MATCHES "j.*n"`
        case pattern(WholePattern)
    }

    /// A condition on the elements of a list.
    indirect enum List: Sendable {
        case undecided
        /// `tags CONTAINS "swift"`
        case any(LeafDescription)
    }
}
