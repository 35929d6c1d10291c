// Clients need the functions by name, and the compiler of the SQL that calls them.
@_exported import PredicateSQL
