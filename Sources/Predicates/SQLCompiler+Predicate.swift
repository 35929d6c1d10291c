public import Foundation
public import PredicateConversion
public import PredicateSQL
import PredicateSyntax

extension SQLCompiler {
    /// The query that selects the objects of an entity for which a predicate of Swift holds.
    ///
    /// ```swift
    /// let query = try compiler.compile(#Predicate<Person> { $0.age >= 18 }, entity: "Person")
    /// query.where.text      // t0."age" >= ?1
    /// ```
    ///
    /// - Throws: ``PredicateConversionError`` for what the language lacks, ``SQLCompilationError`` for what SQL cannot say.
    public func compile<Input>(
        _ predicate: Predicate<Input>, entity name: String, names: KeyPathNames = [:]
    ) throws -> SQLQuery {
        try compile(FormatPredicate(predicate, names: names), entity: name)
    }
}
