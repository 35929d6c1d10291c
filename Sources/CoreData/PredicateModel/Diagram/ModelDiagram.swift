import PredicateSyntax

/// A diagram of a model: its entities with their attributes, the relationships between them, and inheritance. ``text`` is a
/// class diagram of Mermaid, which pages of GitHub and many editors show.
///
/// ```swift
/// print(ModelDiagram(model).text)
/// print(try ModelDiagram(model, around: "Album", depth: 2).text)
/// ```
///
/// A relationship and its inverse are one line, with the least and the greatest number of objects at each end and both
/// delete rules. Every character of a name that Mermaid could read as syntax is escaped.
public struct ModelDiagram: Hashable, Sendable {
    /// The boxes, in the order of the model's hierarchy.
    let entities: [DiagramEntity]
    /// The lines between them.
    let lines: [DiagramLine]

    /// The diagram of a whole model.
    public init(_ model: ManagedObjectModel) {
        self.init(model, Set(model.entitiesInPreorder.map(\.name)))
    }

    /// Creates a diagram of an entity and of the entities that relationships and inheritance reach within `depth` steps.
    ///
    /// Throws a ``ModelError``: `unknownEntity`.
    public init(_ model: ManagedObjectModel, around entity: String, depth: Int = 1) throws(ModelError) {
        try model.requireEntity(entity)
        self.init(model, Neighbourhood(model).names(around: entity, depth: depth))
    }

    private init(_ model: ManagedObjectModel, _ names: Set<String>) {
        let shown = model.entitiesInPreorder.filter { names.contains($0.name) }
        let numbers = Dictionary(
            shown.enumerated().map { ($0.element.name, $0.offset + 1) }, uniquingKeysWith: { first, _ in first })
        entities = shown.map { DiagramEntity($0, number: numbers[$0.name] ?? 0) }
        lines = shown.flatMap { entity in
            DiagramLine.inheritance(of: entity, numbers) + DiagramLine.relationships(of: entity, in: model, numbers)
        }
    }
}

/// The entities within a few steps of one entity.
private struct Neighbourhood {
    private var neighbours: [String: Set<String>] = [:]

    init(_ model: ManagedObjectModel) {
        for entity in model.entitiesInPreorder {
            let related = entity.relationships.compactMap(\.destinationEntityName) + [entity.superentityName]
            for other in related.compactMap(\.self) where model.entity(other) != nil {
                neighbours[entity.name, default: []].insert(other)
                neighbours[other, default: []].insert(entity.name)
            }
        }
    }

    func names(around start: String, depth: Int) -> Set<String> {
        var found: Set = [start]
        var edge = found
        for _ in 0..<max(0, min(depth, neighbours.count)) where !edge.isEmpty {
            edge = Set(edge.flatMap { neighbours[$0] ?? [] }).subtracting(found)
            found.formUnion(edge)
        }
        return found
    }
}

/// A box of a diagram.
struct DiagramEntity: Hashable, Sendable {
    /// The number of the box, from 1, which is in its identifier.
    let number: Int
    let name: String
    let isAbstract: Bool
    /// The attributes: `name` with `String`, `due` with `Date?`
    let attributes: [Attribute]

    struct Attribute: Hashable, Sendable {
        let name: String
        let type: String
    }

    init(_ entity: EntityDescription, number: Int) {
        (self.number, name, isAbstract) = (number, entity.name, entity.isAbstract)
        attributes = entity.attributes.map { attribute in
            let type = attribute.compositeName ?? attribute.type.name
            let words = [attribute.isTransient ? "transient" : nil, attribute.isDerived ? "derived" : nil]
            let notes = words.compactMap(\.self).map { ", \($0)" }.joined()
            return Attribute(name: attribute.name, type: "\(type)\(attribute.isOptional ? "?" : "")\(notes)")
        }
    }
}

/// A line of a diagram, between the numbers of two boxes.
struct DiagramLine: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// From a superentity to a subentity.
        case inheritance
        /// From the entity of a relationship to its destination.
        case relationship(DiagramEnd, inverse: DiagramEnd?)
    }

    let from: Int
    let to: Int
    let kind: Kind

    static func inheritance(of entity: EntityDescription, _ numbers: [String: Int]) -> [DiagramLine] {
        guard let name = entity.superentityName, let parent = numbers[name], let own = numbers[entity.name] else {
            return []
        }
        return [DiagramLine(from: parent, to: own, kind: .inheritance)]
    }

    /// The lines for an entity's own relationships. A relationship and its inverse share the line of the first of them.
    static func relationships(
        of entity: EntityDescription, in model: ManagedObjectModel, _ numbers: [String: Int]
    ) -> [DiagramLine] {
        entity.relationships.compactMap { relationship in
            guard let from = numbers[entity.name], let to = relationship.destinationEntityName.flatMap({ numbers[$0] })
            else { return nil }
            let inverse = model.inverse(of: relationship)
            if let inverse, let other = numbers[inverse.declaringEntity.name],
                (other, inverse.relationship.name) < (from, relationship.name),
                model.isMutual(relationship, of: entity.name, inverse)
            {
                return nil
            }
            let isReflexive = inverse?.relationship == relationship
            let back = isReflexive ? nil : inverse.map { DiagramEnd($0.relationship) }
            return DiagramLine(from: from, to: to, kind: .relationship(DiagramEnd(relationship), inverse: back))
        }
    }
}

extension ManagedObjectModel {
    /// True if the inverse of `inverse` is the relationship itself, and `inverse` leads to the relationship's entity.
    fileprivate func isMutual(
        _ relationship: RelationshipDescription, of entity: String,
        _ inverse: (relationship: RelationshipDescription, declaringEntity: EntityDescription)
    ) -> Bool {
        guard let back = self.inverse(of: inverse.relationship) else { return false }
        return back.relationship == relationship && back.declaringEntity.name.hasSameCodePoints(as: entity)
            && inverse.relationship.destinationEntityName?.hasSameCodePoints(as: entity) ?? false
    }
}

/// A relationship as one end of a line describes it.
struct DiagramEnd: Hashable, Sendable {
    let name: String
    /// `0..1`, `1`, `0..*`, `2..5`
    let cardinality: String
    let deleteRule: String
    let isOrdered: Bool

    init(_ relationship: RelationshipDescription) {
        (name, deleteRule, isOrdered) = (relationship.name, relationship.deleteRule.name, relationship.isOrdered)
        let least = relationship.isOptional ? 0 : max(1, relationship.isToMany ? relationship.minimumCount : 1)
        let most = relationship.isToMany ? relationship.maximumCount : 1
        // A maximum that is not a count, such as -1 in some compiled models, means no limit.
        cardinality = most > 0 && least == most ? "\(least)" : "\(least)..\(most > 0 ? "\(most)" : "*")"
    }
}
