/// The variables that a tree binds itself: those of enclosing `SUBQUERY`s, and those assigned before.
///
/// `SUBQUERY(friends, $f, $f.age > $limit)`: `f` inside, and nothing after it.
struct BoundNames: Hashable, Sendable {
    /// The variables of enclosing `SUBQUERY`s, innermost last; one name may stand twice.
    private var scopes: [ExactName] = []
    private var assigned: Set<ExactName> = []

    func contains(_ name: String) -> Bool {
        if scopes.isEmpty, assigned.isEmpty { return false }
        return scopes.contains(ExactName(name)) || assigned.contains(ExactName(name))
    }

    /// `$v := 1`; inside a `SUBQUERY` of the same name the value ends with it.
    mutating func assign(_ name: String) {
        if !scopes.contains(ExactName(name)) { assigned.insert(ExactName(name)) }
    }

    mutating func enter(_ name: String) {
        scopes.append(ExactName(name))
    }

    /// Ends the scope of the innermost `SUBQUERY`.
    mutating func leave() {
        scopes.removeLast()
    }
}
