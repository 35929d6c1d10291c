// What fetches are made of: predicates, sort keys and schemas.
@_exported import PredicateConversion
@_exported import PredicateEvaluation
@_exported import PredicateSQL
@_exported import PredicateSyntax
