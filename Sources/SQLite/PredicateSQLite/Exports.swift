// Clients need ``SQLFunction`` and the compiler of the SQL that calls the functions.
@_exported import PredicateSQL
