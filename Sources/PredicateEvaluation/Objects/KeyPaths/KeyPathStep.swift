import PredicateSyntax

/// One component of a key path, resolved once, so that no text is compared for each object.
package enum KeyPathStep: Hashable, Sendable {
    /// `name`: a key, with the property of plain values that has the same name
    case key(String, ValueProperty?)
    /// `#self`: the receiver
    case receiver
    /// `@count`
    case collectionOperator(CollectionOperator)
    /// `@owner`: not an operator, but a dictionary may have such a key
    case unknownOperator(String)

    package init(_ component: String) {
        let first = component.utf8.first
        if first == UInt8(ascii: "@") {
            self = CollectionOperator(rawValue: component).map(Self.collectionOperator) ?? .unknownOperator(component)
        } else if first == UInt8(ascii: "s"), component.hasSameCodePoints(as: "self") {
            self = .receiver
        } else {
            self = .key(component, ValueProperty(rawValue: component))
        }
    }
}
