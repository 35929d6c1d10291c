// Fetches need predicates, sort keys and schemas.

@_exported import PredicateEvaluation
@_exported public import PredicateSQL
@_exported import PredicateSyntax
