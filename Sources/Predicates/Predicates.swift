/// The predicate language, whole: parsing and printing, evaluation in memory.
@_exported import PredicateEvaluation
@_exported import PredicateSyntax
