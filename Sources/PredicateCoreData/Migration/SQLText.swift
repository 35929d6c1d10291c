import PredicateSQL

/// A statement under construction, whose values are parameters.
struct StatementBuilder {
    private(set) var bindings: [SQLBinding] = []

    /// `?3`
    mutating func place(_ binding: SQLBinding) -> String {
        bindings.append(binding)
        return "?\(bindings.count)"
    }

    mutating func place(_ number: Int64) -> String { place(.integer(number)) }

    func fragment(_ text: String) -> SQLFragment { SQLFragment(text, bindings: bindings) }
}
