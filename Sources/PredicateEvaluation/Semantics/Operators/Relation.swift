import PredicateSyntax
import PredicateText

/// What an operator asks of two values: `==`, `BETWEEN`, `LIKE`, …
///
/// A relation knows nothing of expressions, modifiers or places in the tree: those belong to the plans.
protocol Relation: AnyObject, Sendable {
    /// Which operator this is, for those who make something faster of it.
    var kind: RelationKind { get }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool

    /// The same question once the right side is known, with all that can be done beforehand done: needles folded,
    /// patterns compiled. Nil when knowing it saves nothing; throws what every comparison with it would throw.
    func test(against right: PredicateValue) throws(Fault) -> (any ValueTest)?
}

extension Relation {
    var kind: RelationKind { .other }

    func test(against right: PredicateValue) throws(Fault) -> (any ValueTest)? { nil }
}

/// A relation whose right side is known: `age > 21` as a question to age alone.
protocol ValueTest: AnyObject, Sendable {
    func holds(_ left: KeyedValue) throws(Fault) -> Bool
}

/// The same answer for every value that is not nil, and false for nil.
final class ConstantTest: ValueTest {
    let answer: Bool

    init(_ answer: Bool) {
        self.answer = answer
    }

    func holds(_ left: KeyedValue) -> Bool {
        answer && !left.isNull
    }
}

/// The operators that a program knows.
enum RelationKind {
    /// `age < 21`
    case ordering(Ordering.Outcomes, FoldMode)
    /// `age == 21`, `age != 21`
    case equality(FoldMode, negated: Bool)
    /// `age BETWEEN {18, 65}`
    case between(FoldMode)
    /// `name IN {"jo"}`; mirrored, `tags CONTAINS "swift"`
    case membership(FoldMode, isMirrored: Bool)
    /// `name BEGINSWITH "jo"`, `name ENDSWITH "son"`
    case textEnd(TextEnd.End, FoldMode)
    /// `name LIKE "j*n"`
    case like(FoldMode)
    /// `name MATCHES "j.*n"`
    case matches(FoldMode, PredicateLimits)
    /// What only the relation itself can answer.
    case other
}
