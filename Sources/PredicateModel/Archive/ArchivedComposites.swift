import PredicateSyntax

/// The composite types of a compiled model, which keeps the elements with every attribute and no names of types.
///
/// Attributes with the same elements share a type. It is called after the first of them: `Author`, or `CocktailAuthor` where
/// another type of that name has other elements.
struct ArchivedComposites {
    private(set) var types: [CompositeDescription] = []
    private var names: [[AttributeDescription]: String] = [:]
    private var taken: Set<ExactName> = []

    /// The name of the type with some elements, for an attribute of an entity or of another composite.
    mutating func name(of elements: [AttributeDescription], for attribute: String, in owner: String) -> String {
        if let known = names[elements] { return known }
        let base = owner.capitalizedFirst + attribute.capitalizedFirst
        var name = attribute.capitalizedFirst
        if taken.contains(ExactName(name)) { name = base }
        var number = 1
        while !taken.insert(ExactName(name)).inserted {
            number += 1
            name = "\(base)\(number)"
        }
        names[elements] = name
        types.append(CompositeDescription(name, attributes: elements))
        return name
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
