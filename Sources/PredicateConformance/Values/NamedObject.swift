import PredicateEvaluation
import PredicateSyntax

/// An object that is not a dictionary: it has a fixed set of keys, and any other key is an error.
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
