/// The words for a key that an entity does not have, but some of its subentities have.
package enum SubentityKey {
    private static let longest = 8

    /// `only its subentity Done has`, `only its subentities Done and Opened have`
    package static func owners(_ names: [String]) -> String {
        let (noun, verb) = names.count == 1 ? ("subentity", "has") : ("subentities", "have")
        return "only its \(noun) \(list(names, "and")) \(verb)"
    }

    /// `fetch Done or Opened: objects of other entities have no such key`
    package static func hint(_ names: [String]) -> String {
        "fetch \(list(names, "or")): objects of other entities have no such key"
    }

    /// `A, B and C`
    private static func list(_ names: [String], _ conjunction: String) -> String {
        if names.count > longest { return names.prefix(longest).joined(separator: ", ") + ", …" }
        let first = names.dropLast().joined(separator: ", ")
        return first.isEmpty ? names.joined() : "\(first) \(conjunction) \(names[names.count - 1])"
    }
}
