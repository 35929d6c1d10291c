// Clients need ``SQLFunction``, and the compiler that writes the SQL in which the functions are called.
@_exported import PredicateSQL
