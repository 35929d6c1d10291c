import PredicateModel

/// The bits of `ACHANGE.ZCOLUMNS`, which show the changed properties of an update: one bit for each property, beginning with
/// the highest bit of the first byte.
///
/// The order, as observed in stores, is: to-one relationships, attributes, to-many relationships. Inherited properties
/// come first, and the properties of one entity are sorted by name. Two things are not known: the place of the second
/// bit that a to-one relationship has if its destination has subentities, and the order of several to-many
/// relationships. In these cases all bits in question are set: a reader of the history then sees properties that did
/// not change, but misses none.
struct ChangedColumns {
    private var bits: [String: Range<Int>] = [:]
    private var count = 0

    /// Throws `unknownHistory` if the entity has a column whose place in the order is not known.
    init(_ entity: StoredEntity, _ layout: StoreLayout) throws(CoreDataError) {
        if let problem = Self.problem(entity, layout) {
            throw CoreDataError(.unknownHistory(entity: entity.name, problem))
        }
        let properties = Self.orderedProperties(of: entity.name, layout.model)
        addToOnes(properties.compactMap(\.toOne), entity)
        for property in properties {
            guard case .attribute(let attribute) = property, attribute.isStored else { continue }
            add([attribute.name], count: 1)
        }
        let toManys = properties.compactMap(\.toMany)
        add(toManys, count: toManys.count)
    }

    /// The bytes of the column for changed keys.
    func bytes(_ keys: Set<String>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
        for key in keys {
            for bit in bits[key] ?? 0..<0 { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        }
        return bytes
    }

    /// The keys whose bits are set, in the order of the bits.
    func keys(in bytes: some RandomAccessCollection<UInt8>) -> [String] {
        bits.filter { _, range in
            range.contains { bit in
                guard bit / 8 < bytes.count else { return false }
                return bytes[bytes.index(bytes.startIndex, offsetBy: bit / 8)] & 0x80 >> UInt8(bit % 8) != 0
            }
        }.sorted { ($0.value.lowerBound, $0.key) < ($1.value.lowerBound, $1.key) }.map(\.key)
    }

    /// The bytes with the bits moved to the positions of another order. `names` contains the new keys; the bit of a key without
    /// a new key is dropped. Nil if a bit belongs to several keys that are not the same in both orders.
    func moved(_ bytes: [UInt8], to other: ChangedColumns, _ names: [String: String]) -> [UInt8]? {
        var moved = [UInt8](repeating: 0, count: (other.count + 7) / 8)
        for bit in 0..<bytes.count * 8 where bytes[bit / 8] & 0x80 >> UInt8(bit % 8) != 0 {
            let keys = bits.filter { $0.value.contains(bit) }
            guard let (key, range) = keys.first else { return nil }
            var place: Int?
            if range.count == 1 {
                guard let name = names[key] else { continue }
                guard let found = other.bits[name], found.count == 1 else { return nil }
                place = found.lowerBound
            } else {
                guard let found = other.bits[key], found.count == range.count,
                    Set(other.bits.filter { $0.value == found }.keys) == Set(keys.keys)
                else { return nil }
                place = found.lowerBound + bit - range.lowerBound
            }
            if let place { moved[place / 8] |= 0x80 >> UInt8(place % 8) }
        }
        return moved
    }

    /// Everything that the bits of an entity depend on: entities with equal forms have the same bits, known or not.
    static func form(of entity: StoredEntity, _ layout: StoreLayout) -> [String] {
        orderedProperties(of: entity.name, layout.model).map { property in
            switch property {
            case .attribute(let attribute):
                (["a"] + layout.model.elements(of: attribute).map(\.name)).joined(separator: " ")
            case .relationship(let relationship):
                switch entity.relationships[relationship.name] {
                case .toOne(_, let entityColumn, let order)?:
                    "1 \(relationship.name) \(entityColumn != nil) \(order != nil)"
                case .toMany?: "n \(relationship.name)"
                case .manyToMany?: "m \(relationship.name)"
                case nil: "? \(relationship.name)"
                }
            case .fetchedProperty: ""
            }
        } + [foreignKeyWithoutProperty(entity, layout) ?? ""]
    }

    private mutating func addToOnes(_ keys: [String], _ entity: StoredEntity) {
        let doubled = keys.filter {
            if case .toOne(_, _?, _)? = entity.relationships[$0] { true } else { false }
        }
        guard doubled.isEmpty else { return add(keys, count: keys.count + doubled.count) }
        for key in keys { add([key], count: 1) }
    }

    /// Adds a range of bits, which belongs to each of the keys.
    private mutating func add(_ keys: [String], count added: Int) {
        for key in keys { bits[key] = count..<count + added }
        count += added
    }

    /// The properties of an entity: those of the root entity first, those of one entity sorted by name.
    private static func orderedProperties(of name: String, _ model: ManagedObjectModel) -> [PropertyDescription] {
        var seen: Set<String> = []
        return model.lineage(of: name).reversed().flatMap { entity in
            entity.properties.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
                .filter { !$0.isTransient && seen.insert($0.name).inserted }
        }
    }

    // MARK: - Unknown places

    private static func problem(_ entity: StoredEntity, _ layout: StoreLayout) -> CoreDataError.HistoryProblem? {
        if let composite = layout.model.attributes(of: entity.name).first(where: { $0.type == .composite }) {
            return .composite(composite.name)
        }
        for (key, relationship) in entity.relationships.sorted(by: { $0.key < $1.key }) {
            if case .toOne(_, _, _?) = relationship { return .ordered(key) }
        }
        return foreignKeyWithoutProperty(entity, layout).map(CoreDataError.HistoryProblem.withoutInverse)
    }

    /// The to-many relationship without an inverse whose foreign key is in the entity's table.
    private static func foreignKeyWithoutProperty(_ entity: StoredEntity, _ layout: StoreLayout) -> String? {
        let line = Set(layout.model.lineage(of: entity.name).map(\.name))
        for owner in layout.model.entitiesInPreorder {
            for relationship in owner.relationships where relationship.isToMany && !relationship.isTransient {
                guard let destination = relationship.destinationEntityName,
                    layout.model.inverse(of: relationship) == nil,
                    line.contains(destination) || layout.entities[destination]?.table == entity.table
                else { continue }
                return "\(owner.name).\(relationship.name)"
            }
        }
        return nil
    }
}

extension PropertyDescription {
    fileprivate var toOne: String? {
        if case .relationship(let relationship) = self, !relationship.isToMany { relationship.name } else { nil }
    }

    fileprivate var toMany: String? {
        if case .relationship(let relationship) = self, relationship.isToMany { relationship.name } else { nil }
    }
}
