import PredicateSyntax

/// Composite attributes and the elements that they stand for.
extension ManagedObjectModel {
    /// The composite type of an attribute; nil for an attribute of another type, and for a name that the model does not have.
    public func composite(of attribute: AttributeDescription) -> CompositeDescription? {
        guard attribute.type == .composite, let name = attribute.compositeName else { return nil }
        return composites.first { $0.name.hasSameCodePoints(as: name) }
    }

    /// The attributes of an entity that a store has columns for: `title`, `address.street`, `address.place.latitude`
    ///
    /// A composite attribute is replaced by its elements, in their order. The name of an element is the key path that leads to
    /// it, and so is its renaming identifier, where it or a composite around it has one. An element is optional where a
    /// composite around it is. A composite attribute without known elements stands for itself, and so does one whose elements
    /// are more than 2,000 or nest deeper than 16 levels.
    public func storedAttributes(of name: String) -> [AttributeDescription] {
        attributes(of: name).filter(\.isStored).flatMap(elements)
    }

    /// The attribute itself, or the elements of a composite attribute, as ``storedAttributes(of:)`` has them.
    public func elements(of attribute: AttributeDescription) -> [AttributeDescription] {
        guard attribute.type == .composite else { return [attribute] }
        var expansion = CompositeExpansion(model: self)
        expansion.add(attribute, level: 1)
        return expansion.found.count > CompositeExpansion.mostElements ? [attribute] : expansion.found
    }
}

/// The elements of a composite attribute, in order.
private struct CompositeExpansion {
    let model: ManagedObjectModel
    private(set) var found: [AttributeDescription] = []

    static let mostElements = 2000
    static let mostLevels = 16

    init(model: ManagedObjectModel) {
        self.model = model
    }

    mutating func add(_ attribute: AttributeDescription, level: Int) {
        guard found.count <= Self.mostElements else { return }
        guard level <= Self.mostLevels, let composite = model.composite(of: attribute), !composite.attributes.isEmpty
        else { return found.append(attribute) }
        for element in composite.attributes where element.isStored {
            add(element.inside(attribute), level: level + 1)
        }
    }
}

extension AttributeDescription {
    /// The element of a composite attribute, named by the path that leads to it.
    fileprivate func inside(_ composite: AttributeDescription) -> AttributeDescription {
        var copy = self
        copy.name = "\(composite.name).\(name)"
        if renamingIdentifier != nil || composite.renamingIdentifier != nil {
            copy.renamingIdentifier = "\(composite.canonicalName).\(canonicalName)"
        }
        copy.isOptional = isOptional || composite.isOptional
        copy.isTransient = composite.isTransient
        if case .dictionary(let values)? = composite.defaultValue {
            copy.defaultValue = values[name].map(type.normalized)
        }
        return copy
    }
}
