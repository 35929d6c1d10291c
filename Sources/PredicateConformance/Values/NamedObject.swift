import PredicateEvaluation
import PredicateSyntax

/// An object that is no dictionary: it has just its own keys, and asking for another one is an error.
///
/// `{"$class": "Person", "name": "Lily"}`
struct NamedObject: KeyValueCoding, Hashable, Sendable {
    let className: String
    let properties: [String: PredicateValue]

    func value(forKey key: String) -> KeyedValue? {
        properties[key]?.keyedValue
    }

    var allKeys: [String] { properties.keys.sorted() }
}
