/// The predicate language, whole: parsing and printing, evaluation in memory, compilation to SQL, and predicates of Swift.
@_exported import PredicateChecks
@_exported import PredicateConversion
@_exported import PredicateEvaluation
@_exported import PredicateSQL
@_exported import PredicateSyntax
