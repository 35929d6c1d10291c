public import Foundation
public import PredicateSyntax

extension FormatPredicate {
    /// Makes a predicate of the language from a Swift predicate.
    ///
    /// ```swift
    /// let adults = try FormatPredicate(#Predicate<Person> { $0.age >= 18 && $0.name.starts(with: "Jo") })
    /// // age >= 18 AND name BEGINSWITH "Jo"
    /// ```
    ///
    /// ``KeyPathNames`` describes how keys get their names. The predicate gives the same results as
    /// `Predicate.evaluate`. The few differences, such as strings with combining marks, are listed as statements.
    /// [NSP-270] [NSP-271]
    ///
    /// - Throws: ``PredicateConversionError`` with the offending node in the printed predicate: for anything that the
    ///   language lacks, such as a slice of an array, for a key path without a name, and for a tree that exceeds the
    ///   limits.
    public init<Input>(
        _ predicate: Predicate<Input>, names: KeyPathNames = KeyPathNames()
    ) throws(PredicateConversionError) {
        let walk = Walk(inputs: [predicate.variable.key], names: names)
        self.init(try walk.predicate(predicate.expression))
    }
}

extension FormatPredicate {
    /// The predicate for a database, whose columns hold the texts of URLs: `link == "https://swift.org"`
    package var withTextsOfURLs: FormatPredicate {
        mappingConstants { constant in
            constant.mappingElements { if case .url(let url) = $0 { .string(url.absoluteString) } else { $0 } }
        }
    }
}

extension FormatExpression {
    /// Makes an expression of the language from a Swift expression.
    ///
    /// ```swift
    /// let total = try FormatExpression(#Expression<Order, Double> { $0.price * $0.count })
    /// // price * count
    /// ```
    ///
    /// - Throws: ``PredicateConversionError`` under the same conditions as ``FormatPredicate/init(_:names:)``.
    public init<Input, Output>(
        _ expression: Expression<Input, Output>, names: KeyPathNames = KeyPathNames()
    ) throws(PredicateConversionError) {
        let walk = Walk(inputs: [expression.variable.key], names: names)
        self.init(try walk.expression(expression.expression))
    }
}
