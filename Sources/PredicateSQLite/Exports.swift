// The functions by name, and what compiles the SQL that calls them.
@_exported import PredicateSQL
