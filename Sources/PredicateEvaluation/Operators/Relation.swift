import PredicateSyntax

/// What an operator asks of two values: `==`, `BETWEEN`, `LIKE`, …
///
/// A relation knows nothing of expressions, modifiers or places in the tree: those belong to the plans.
protocol Relation: AnyObject, Sendable {
    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool

    /// The same question once the right side is known, with all that can be done beforehand done: needles folded,
    /// patterns compiled. Nil when knowing it saves nothing; throws what every comparison with it would throw.
    func test(against right: PredicateValue) throws(Fault) -> (any ValueTest)?
}

extension Relation {
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
