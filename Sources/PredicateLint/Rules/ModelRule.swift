import PredicateChecks
import PredicateSyntax

/// `predicate-model`: keys that the entity does not have.
struct ModelRule {
    let schema: any LintSchema
    let entity: String
    /// The entity that `$FETCH_SOURCE` stands for.
    let owner: String?

    /// Nil if the model has no such entity.
    init?(_ schema: any LintSchema, entity name: String, owner: String? = nil) {
        guard let entity = schema.entity(named: name) else { return nil }
        self.schema = schema
        self.entity = entity
        self.owner = owner.flatMap(schema.entity)
    }

    func findings(_ subject: LintSubject) -> [LintFinding] {
        guard case .predicate(let predicate) = subject.parse.outcome else { return [] }
        let unknown = subject.unknownKeys
        return CheckedNode.root(of: predicate).all.compactMap { node in
            guard let range = node.range, !unknown.contains(where: { $0.overlaps(range) }),
                let (start, keys) = path(of: node), let missing = missingKey(keys, from: start)
            else { return nil }
            let near = NearMiss.candidates(for: missing.key, among: schema.keys(of: missing.entity))
            return subject.finding(
                .model, "the entity \(missing.entity) has no key '\(missing.key)'",
                hints: near.prefix(3).map { "did you mean \($0)?" }, at: subject.source(range))
        }
    }

    /// The entity from which a key path starts, and its keys; nil for other nodes, and where the start is not known.
    private func path(of node: CheckedNode) -> (entity: String, keys: [String])? {
        guard case .keyPath(let path)? = node.expression else { return nil }
        if case .variable("FETCH_SOURCE")? = path.base, node.scope["FETCH_SOURCE"] == nil {
            let keys = path.components.compactMap { if case .key(let key) = $0 { key } else { nil } }
            return owner.map { ($0, keys) }
        }
        return node.expression?.keys(in: node.scope).map { (entity, $0) }
    }

    private func missingKey(_ keys: [String], from start: String) -> (key: String, entity: String)? {
        var entity = start
        for key in keys {
            if key.hasPrefix("@") || Self.common.contains(key) { return nil }
            switch schema.property(key, of: entity) {
            case nil: return (key, entity)
            case .value, .open: return nil
            case .objects(let next): entity = next
            }
        }
        return nil
    }

    /// Keys that every object has.
    private static let common: Set<String> = [
        "self", "SELF", "objectID", "entity", "class", "description", "hash", "isFault", "isDeleted", "isInserted",
        "isUpdated", "hasChanges", "managedObjectContext",
    ]
}

extension LintSubject {
    /// The parts of the format of which the text is not known: holes, and `%K` without a literal argument.
    var unknownKeys: [Range<Int>] {
        let keys = specifiers.enumerated().filter { index, specifier in
            guard specifier.kind == .keyPath else { return false }
            return literals.indices.contains(index) ? literals[index].value(for: .keyPath) == nil : true
        }
        return parse.text.holes.map(\.range) + keys.map(\.element.range)
    }
}
