import PredicateSyntax

/// Entities and properties by name, with inheritance.
extension ManagedObjectModel {
    /// The entity of a name: `model.entity("Item")`
    public func entity(_ name: String) -> EntityDescription? {
        hierarchy.position(of: name).map { entities[$0] }
    }

    /// The entity of a name; setting nil removes it, setting another one adds or replaces it.
    public subscript(_ name: String) -> EntityDescription? {
        get { entity(name) }
        set {
            switch (hierarchy.position(of: name), newValue) {
            case (let position?, let entity?): entities[position] = entity
            case (let position?, nil): entities.remove(at: position)
            case (nil, let entity?): entities.append(entity)
            case (nil, nil): break
            }
        }
    }

    /// The entities without a superentity, ordered by upper-case name.
    public var rootEntities: [EntityDescription] { hierarchy.rootPositions().map { entities[$0] } }

    /// All entities in preorder, siblings ordered by upper-case name: the number of an entity in a store is its place here,
    /// from 1. Entities that inherit from themselves are not among them.
    public var entitiesInPreorder: [EntityDescription] { hierarchy.preorder.map { entities[$0] } }

    /// The number of an entity in a store, from 1; nil for a name that the model does not have.
    public func entityNumber(of name: String) -> Int? { hierarchy.place(of: name).map { $0 + 1 } }

    /// The direct subentities, ordered by upper-case name.
    public func subentities(of name: String) -> [EntityDescription] {
        hierarchy.subentityPositions(of: name).map { entities[$0] }
    }

    /// The entity and all that inherit from it, in preorder.
    public func subtree(of name: String) -> [EntityDescription] { hierarchy.subtree(of: name).map { entities[$0] } }

    /// The entities below one that declare a key, in preorder; those that inherit it from another one are left out.
    func subentities(of name: String, having key: String) -> [EntityDescription] {
        let owners = subtree(of: name).dropFirst().filter { $0.property(key) != nil }
        return owners.filter { owner in
            !lineage(of: owner.name).dropFirst().contains { above in owners.contains { $0.name == above.name } }
        }
    }

    /// The keys that entities below one declare.
    func keysOfSubentities(of name: String) -> Set<String> {
        Set(subtree(of: name).dropFirst().flatMap(\.properties).map(\.name))
    }

    /// The entity and those that it inherits from, up to the root.
    public func lineage(of name: String) -> [EntityDescription] { hierarchy.lineage(of: name).map { entities[$0] } }

    /// The root of the hierarchy that an entity belongs to.
    public func rootEntity(of name: String) -> EntityDescription? { lineage(of: name).last }

    /// A Boolean value that indicates whether an entity is another one or inherits from it.
    public func isEntity(_ name: String, kindOf ancestor: String) -> Bool {
        lineage(of: name).contains { $0.name.hasSameCodePoints(as: ancestor) }
    }

    /// The attributes of an entity, those of its root first. One that a subentity declares again counts for it.
    public func attributes(of name: String) -> [AttributeDescription] {
        collect(name, \.attributes, name: \.name).map(\.property)
    }

    /// The relationships of an entity, those of its root first.
    public func relationships(of name: String) -> [RelationshipDescription] {
        collect(name, \.relationships, name: \.name).map(\.property)
    }

    /// The fetched properties of an entity, those of its root first.
    public func fetchedProperties(of name: String) -> [FetchedPropertyDescription] {
        collect(name, \.fetchedProperties, name: \.name).map(\.property)
    }

    /// All properties of an entity, those of its root first.
    public func properties(of name: String) -> [PropertyDescription] {
        collect(name, \.properties, name: \.name).map(\.property)
    }

    /// The property of an entity under a key, and the entity that declares it.
    public func property(
        _ key: String, of name: String
    ) -> (property: PropertyDescription, declaringEntity: EntityDescription)? {
        for entity in lineage(of: name) {
            if let own = entity.property(key) { return (own, entity) }
        }
        return nil
    }

    /// The inverse of a relationship and the entity that declares it; nil where the model has none.
    public func inverse(
        of relationship: RelationshipDescription
    ) -> (relationship: RelationshipDescription, declaringEntity: EntityDescription)? {
        guard let key = relationship.inverseName,
            let entity = relationship.inverseEntityName ?? relationship.destinationEntityName,
            case (.relationship(let inverse), let owner)? = property(key, of: entity)
        else { return nil }
        return (inverse, owner)
    }

    private func collect<Property>(
        _ name: String, _ list: KeyPath<EntityDescription, [Property]>, name nameOf: KeyPath<Property, String>
    ) -> [(property: Property, entity: String)] {
        var found: [(property: Property, entity: String)] = []
        var places: [ExactName: Int] = [:]
        for entity in lineage(of: name).reversed() {
            for property in entity[keyPath: list] {
                let key = ExactName(property[keyPath: nameOf])
                if let place = places[key] {
                    found[place] = (property, entity.name)
                } else {
                    places[key] = found.count
                    found.append((property, entity.name))
                }
            }
        }
        return found
    }
}

extension EntityDescription {
    /// Its own property of a name.
    public func property(_ key: String) -> PropertyDescription? {
        if let own = attributes.first(where: { $0.name.hasSameCodePoints(as: key) }) { return .attribute(own) }
        if let own = relationships.first(where: { $0.name.hasSameCodePoints(as: key) }) { return .relationship(own) }
        return fetchedProperties.first { $0.name.hasSameCodePoints(as: key) }.map(PropertyDescription.fetchedProperty)
    }

    /// The name that versions share: the renaming identifier, or the name where there is none.
    public var canonicalName: String { renamingIdentifier ?? name }
}
