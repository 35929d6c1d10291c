public import Foundation
public import PredicateSyntax

extension FormatPredicate {
    /// Makes a predicate of the language from one of Swift's.
    ///
    /// ```swift
    /// let adults = try FormatPredicate(#Predicate<Person> { $0.age >= 18 && $0.name.starts(with: "Jo") })
    /// // age >= 18 AND name BEGINSWITH "Jo"
    /// ```
    ///
    /// Keys get their names as ``KeyPathNames`` says. It means what `Predicate.evaluate` answers; where the two cannot agree,
    /// as for texts with combining marks, statements say how they differ. [NSP-270] [NSP-271]
    ///
    /// - Throws: ``PredicateConversionError`` with the node in the printed expression: what the language lacks, such as a
    ///   slice of an array, a key path without a name, and a tree past the limits.
    public init<Input>(
        _ predicate: Predicate<Input>, names: KeyPathNames = KeyPathNames()
    ) throws(PredicateConversionError) {
        let walk = Walk(inputs: [predicate.variable.key], names: names)
        self.init(try walk.predicate(predicate.expression))
    }
}

extension FormatExpression {
    /// Makes an expression of the language from one of Swift's.
    ///
    /// ```swift
    /// let total = try FormatExpression(#Expression<Order, Double> { $0.price * $0.count })
    /// // price * count
    /// ```
    ///
    /// - Throws: ``PredicateConversionError`` as ``FormatPredicate/init(_:names:)`` does.
    public init<Input, Output>(
        _ expression: Expression<Input, Output>, names: KeyPathNames = KeyPathNames()
    ) throws(PredicateConversionError) {
        let walk = Walk(inputs: [expression.variable.key], names: names)
        self.init(try walk.expression(expression.expression))
    }
}
