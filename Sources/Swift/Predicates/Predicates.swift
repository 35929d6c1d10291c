/// The whole predicate language: parsing and printing, evaluation in memory, compilation to SQL, and Swift predicates.
public import Foundation
@_exported import PredicateChecks
@_exported import PredicateConversion
@_exported import PredicateEvaluation
@_exported import PredicateQuery
@_exported import PredicateSQL
@_exported import PredicateSyntax

extension SQLCompiler {
    /// Compiles a Swift predicate to the query that selects the objects of an entity for which it holds.
    ///
    /// ```swift
    /// let query = try compiler.compile(#Predicate<Person> { $0.age >= 18 }, entity: "Person")
    /// query.where.text      // t0."age" >= ?1
    /// ```
    ///
    /// A URL is compared with the text of a string column.
    ///
    /// - Throws: ``/PredicateConversion/PredicateConversionError`` for anything that the language lacks, or
    ///   ``/PredicateSQL/SQLCompilationError`` for anything that SQL cannot express.
    public func compile<Input>(
        _ predicate: Predicate<Input>, entity name: String, names: KeyPathNames = [:]
    ) throws -> SQLQuery {
        try compile(FormatPredicate(predicate, names: names).withTextsOfURLs, entity: name)
    }
}
