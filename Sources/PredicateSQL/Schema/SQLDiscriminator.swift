/// The rows of a table that are objects of one entity, where entities of a hierarchy share the table.
///
/// `SQLDiscriminator(column: "Z_ENT", value: 4, descendants: [5, 6])`: `t0."Z_ENT" IN (4, 5, 6)`
///
/// Statements about the objects of the entity select these rows. A relationship leads to objects of its destination alone, so
/// that joins need no such condition. An inserted object has the value. Objects of entities that share a table are the same
/// where their primary keys are.
public struct SQLDiscriminator: Hashable, Sendable {
    /// An integer column.
    public var column: String
    /// The value of the entity's own rows; nil for an abstract entity, of which no object is inserted.
    public var value: Int64?
    /// The values of the entities below it.
    public var descendants: [Int64]

    /// The rows with the value of the entity itself, or of one below it.
    public init(column: String, value: Int64?, descendants: [Int64] = []) {
        self.column = column
        self.value = value
        self.descendants = descendants
    }

    /// All values, in order.
    package var values: [Int64] { (descendants + [value].compactMap(\.self)).sorted() }
}

extension SQLSchema {
    /// The entities whose objects are objects of another one, which have rows of its table, by the values of their rows.
    func subentities(of entity: SQLEntity) -> [SQLEntity] {
        entities.values.filter { $0.isSubentity(of: entity) }.sorted {
            $0.rowValues.lexicographicallyPrecedes($1.rowValues)
        }
    }

    /// The subentities that have a key which the entity does not have; those that inherit it from another one are left out.
    func subentities(of entity: SQLEntity, having key: String) -> [String] {
        let owners = subentities(of: entity).filter { $0.keyNames.contains { $0.hasSameCodePoints(as: key) } }
        return owners.filter { owner in !owners.contains { owner.isSubentity(of: $0) } }.map(\.name)
    }
}

extension SQLEntity {
    /// The keys of its attributes and relationships.
    var keyNames: [String] { Array(attributes.keys) + relationships.keys }

    /// The values that its rows have in the column of a discriminator.
    fileprivate var rowValues: [Int64] { discriminator?.values ?? [] }

    /// True if its rows are some of another entity's.
    fileprivate func isSubentity(of other: SQLEntity) -> Bool {
        guard table == other.table, let discriminator, !name.hasSameCodePoints(as: other.name) else { return false }
        guard let descendants = other.discriminator?.descendants else { return true }
        return discriminator.values.allSatisfy(descendants.contains)
    }

    /// True if an object of one may be an object of the other: they are one entity, or share the rows of a table.
    package func sharesObjects(with other: SQLEntity) -> Bool {
        if name.hasSameCodePoints(as: other.name) { return true }
        return table == other.table && (discriminator != nil || other.discriminator != nil)
    }
}
