import PredicateSyntax

/// The entities by name, and the tree that inheritance makes of them.
struct EntityHierarchy: Sendable {
    /// The positions in the list of entities, by name.
    private var positions: [ExactName: Int] = [:]
    /// The positions of the entities without a superentity in the model, in order.
    private var roots: [Int] = []
    /// The positions of direct subentities, in order.
    private var subentities: [Int: [Int]] = [:]
    /// All that a root leads to, parents first.
    private(set) var preorder: [Int] = []
    /// The place of each position in ``preorder``.
    private var places: [Int: Int] = [:]
    private var superentities: [Int: Int] = [:]

    init(_ entities: [EntityDescription]) {
        for (position, entity) in entities.enumerated() where positions[ExactName(entity.name)] == nil {
            positions[ExactName(entity.name)] = position
        }
        let ordered = positions.values.map { (position: $0, key: Self.sortKey(entities[$0].name)) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.position)
        for position in ordered {
            let parent = entities[position].superentityName.flatMap { positions[ExactName($0)] }
            if let parent {
                superentities[position] = parent
                subentities[parent, default: []].append(position)
            } else {
                roots.append(position)
            }
        }
        fillPreorder()
    }

    /// Without recursion, since a chain of entities may be of any length. Entities in a circle are not reached.
    private mutating func fillPreorder() {
        var waiting = Array(roots.reversed())
        while let position = waiting.popLast() {
            places[position] = preorder.count
            preorder.append(position)
            waiting += (subentities[position] ?? []).reversed()
        }
    }

    /// Names are ordered as their upper-case forms, and then by themselves, as entity numbers of stores are.
    private static func sortKey(_ name: String) -> [UInt8] {
        Array(name.uppercased().utf8) + [0] + Array(name.utf8)
    }

    func position(of name: String) -> Int? { positions[ExactName(name)] }

    func place(of name: String) -> Int? { position(of: name).flatMap { places[$0] } }

    func rootPositions() -> [Int] { roots }

    func subentityPositions(of name: String) -> [Int] {
        position(of: name).flatMap { subentities[$0] } ?? []
    }

    /// The entity and its superentities up to the root; a circle ends where it closes.
    func lineage(of name: String) -> [Int] {
        var line: [Int] = []
        var next = position(of: name)
        var seen: Set<Int> = []
        while let position = next, seen.insert(position).inserted {
            line.append(position)
            next = superentities[position]
        }
        return line
    }

    /// The entity and all below it, in preorder.
    func subtree(of name: String) -> [Int] {
        guard let root = position(of: name) else { return [] }
        var found: [Int] = []
        var waiting = [root]
        var seen: Set<Int> = []
        while let position = waiting.popLast() {
            guard seen.insert(position).inserted else { continue }
            found.append(position)
            waiting += (subentities[position] ?? []).reversed()
        }
        return found
    }
}
