import PredicateSQL
import PredicateStore

/// The differences of one to-many relationship: the pairs of objects in both stores are read side by side, in the order
/// of their owners.
final class RelatedDifferences {
    private let relationship: ComparedRelationship
    private let old: CoreDataStore
    private let new: CoreDataStore
    private let before: RowCursor
    private let after: RowCursor

    init(
        _ relationship: ComparedRelationship, _ owner: ComparedSide, _ old: CoreDataStore, _ new: CoreDataStore,
        _ matches: ObjectMatches
    ) throws(CoreDataError) {
        (self.relationship, self.old, self.new) = (relationship, old, new)
        let destination = new.layout.entities[relationship.new.destination]?.table ?? ""
        let isOrdered = relationship.isOrdered
        let oldTable = old.layout.entities[relationship.old.destination]?.table ?? ""
        let first = RelatedPairs(relationship.old, destination: oldTable)
        let second = RelatedPairs(relationship.new, destination: destination)
        let query = first.query(isOrdered: isOrdered) {
            $0
        } target: {
            $0
        }
        let newQuery = second.query(isOrdered: isOrdered) {
            matches.identity($0, in: owner.entity.table)
        } target: {
            matches.identity($0, in: destination)
        }
        (before, after) = try storing { () throws(StoreError) in
            (try RowCursor(old.connection, query), try RowCursor(new.connection, newQuery))
        }
    }

    /// The difference for an owner; nil if there is none. Owners must come in ascending order.
    func difference(of owner: Int64) throws(CoreDataError) -> PropertyDifference? {
        let pair = try storing { () throws(StoreError) in
            try before.skip(to: owner)
            try after.skip(to: owner)
            return relationship.isOrdered ? try sequences(of: owner) : try sets(of: owner)
        }
        guard let pair else { return nil }
        if pair.removed.isEmpty, pair.added.isEmpty {
            return .order(
                key: relationship.key, old: try uris(pair.old, relationship.old, old),
                new: try uris(pair.new, relationship.new, new))
        }
        return .toMany(
            key: relationship.key, removed: try uris(pair.removed, relationship.old, old),
            added: try uris(pair.added, relationship.new, new))
    }

    /// The primary keys of the objects that differ, each in its own store.
    private struct Members {
        var removed: [Int64] = []
        var added: [Int64] = []
        /// All objects in order, if only the order differs.
        var old: [Int64] = []
        var new: [Int64] = []
    }

    private func sets(of owner: Int64) throws(StoreError) -> Members? {
        var members = Members()
        while true {
            switch (before.target(of: owner), after.target(of: owner)) {
            case (nil, nil): return members.removed.isEmpty && members.added.isEmpty ? nil : members
            case (let left?, let right?) where left == right:
                try before.advance()
                try after.advance()
            case (let left?, let right) where right.map { left < $0 } ?? true:
                members.removed.append(left)
                try before.advance()
            case (_, _):
                if let key = after.integer(2) { members.added.append(key) }
                try after.advance()
            }
        }
    }

    private func sequences(of owner: Int64) throws(StoreError) -> Members? {
        var left: [Int64] = []
        while let target = before.target(of: owner) {
            left.append(target)
            try before.advance()
        }
        var right: [(identity: Int64, key: Int64)] = []
        while let target = after.target(of: owner) {
            right.append((target, after.integer(2) ?? target))
            try after.advance()
        }
        guard left != right.map(\.identity) else { return nil }
        let (old, new) = (Set(left), Set(right.map(\.identity)))
        return Members(
            removed: left.filter { !new.contains($0) },
            added: right.filter { !old.contains($0.identity) }.map(\.key), old: left, new: right.map(\.key))
    }

    private func uris(
        _ keys: [Int64], _ side: SQLRelationship, _ store: CoreDataStore
    ) throws(CoreDataError) -> [ObjectURI] {
        var uris: [ObjectURI] = []
        for key in keys { uris.append(try store.uri(of: SQLObjectID(side.destination, key: .integer(key)))) }
        return uris
    }
}

extension RowCursor {
    /// Advances to the rows of an owner, whose identity is in the first column.
    fileprivate func skip(to owner: Int64) throws(StoreError) {
        while hasRow, integer(0) ?? .min < owner { try advance() }
    }

    /// The object in the second column, if the current row belongs to an owner.
    fileprivate func target(of owner: Int64) -> Int64? {
        hasRow && integer(0) == owner ? integer(1) : nil
    }
}

/// The pairs of objects of a to-many relationship.
private struct RelatedPairs {
    private let rows: SQLText
    private let owner: SQLText
    private let target: SQLText
    private let order: SQLText?

    init(_ relationship: SQLRelationship, destination: String) {
        switch relationship.kind {
        case .toMany(let column), .toOne(let column):
            (rows, owner, target) = ("\(name: destination) AS s", "s.\(name: column)", "s.Z_PK")
        case .manyToMany(let join, let source, let column):
            (rows, owner, target) = ("\(name: join) AS s", "s.\(name: source)", "s.\(name: column)")
        }
        order = relationship.orderColumn.map { "s.\(name: $0)" }
    }

    /// Selects the identities of owner and target, and the target's key, sorted by owner, then by position or target.
    func query(
        isOrdered: Bool, owner identity: (SQLText) -> SQLText, target targetIdentity: (SQLText) -> SQLText
    ) -> SQLText {
        let position: SQLText = isOrdered ? order.map { "\($0), \(target)" } ?? target : targetIdentity(target)
        return """
            SELECT \(identity(owner)), \(targetIdentity(target)), \(target) FROM \(rows)
            WHERE \(owner) IS NOT NULL AND \(target) IS NOT NULL ORDER BY \(identity(owner)), \(position)
            """
    }
}
