import PredicateSyntax

/// Documentation comments from a model: first the text in its user info, then the facts that the type does not express.
enum SwiftComment {
    /// The keys of user info whose text describes the property, in the order of preference.
    private static let textKeys = ["documentation", "doc", "comment", "description", "discussion", "note", "help"]

    static func lines(of entity: EntityDescription, in model: ManagedObjectModel) -> [String] {
        let name = SwiftNames.comment(entity.name)
        var facts: [String] = []
        if entity.isAbstract { facts.append("abstract") }
        if let parent = entity.superentityName {
            facts.append("with the properties of `\(SwiftNames.comment(parent))`")
        }
        let title = (["An object of the entity `\(name)`"] + facts).joined(separator: ", ") + "."
        let unique = model.lineage(of: entity.name).reversed().flatMap(\.uniquenessConstraints)
            .map { "Unique: \($0.map { "`\($0)`" }.joined(separator: ", "))." }
        let text = described(entity.userInfo)
        return assemble([title] + (text.isEmpty ? [] : [""]) + text, unique)
    }

    static func lines(of composite: CompositeDescription) -> [String] {
        ["A value of the composite type `\(SwiftNames.comment(composite.name))`."]
    }

    static func lines(of attribute: AttributeDescription) -> [String] {
        var facts: [String] = []
        if attribute.isTransient { facts.append("Transient: not stored.") }
        if let derivation = attribute.derivation { facts.append("Derived: `\(derivation)`. A store computes it.") }
        if attribute.type == .transformable {
            let name = attribute.valueClassName.map { " of `\($0)`" } ?? ""
            facts.append("Transformable: the bytes of an archive\(name).")
        }
        if attribute.type == .float { facts.append("A floating-point number of 32 bits.") }
        if let value = attribute.minimumValue { facts.append("At least \(value.modelText).") }
        if let value = attribute.maximumValue { facts.append("At most \(value.modelText).") }
        if let length = attribute.minimumLength { facts.append("Length at least \(length).") }
        if let length = attribute.maximumLength { facts.append("Length at most \(length).") }
        if let pattern = attribute.regularExpression { facts.append("Matches `\(pattern)`.") }
        facts += attribute.validations.map { "Valid if `\($0.predicate)`." }
        return assemble(described(attribute.userInfo), facts)
    }

    static func lines(of relationship: RelationshipDescription) -> [String] {
        let kind = relationship.isToMany ? (relationship.isOrdered ? "Ordered to-many" : "To-many") : "To-one"
        var fact = "\(kind): `\(relationship.destinationEntityName ?? "nothing")`"
        if let inverse = relationship.inverseName { fact += ", inverse `\(inverse)`" }
        fact += ", delete rule \(relationship.deleteRule.name)"
        return assemble(described(relationship.userInfo), [fact + (relationship.isOptional ? "." : ", mandatory.")])
    }

    /// The lines of the text about a property in its user info.
    private static func described(_ userInfo: [String: PredicateValue]) -> [String] {
        for key in textKeys {
            let found = userInfo.filter { $0.key.lowercased() == key }.sorted { $0.key < $1.key }
            for case .string(let text) in found.map(\.value) where !text.isEmpty {
                return text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
            }
        }
        return []
    }

    /// Paragraphs as lines without control characters; consecutive empty lines become one.
    private static func assemble(_ first: [String], _ second: [String]) -> [String] {
        let lines = first.isEmpty || second.isEmpty ? first + second : first + [""] + [second.joined(separator: " ")]
        let whole = first.isEmpty ? [second.joined(separator: " ")].filter { !$0.isEmpty } : lines
        return whole.map(SwiftNames.comment)
    }
}
