/// Names of key paths, beside those that types declare.
///
/// `try FormatPredicate(predicate, names: [\Person.isAdult: "adult"])`
///
/// A key path has the first name that is found: one given here, that of the table of a `KeyPathCoding` type, where
/// computed properties have names too, that of the coding keys of a ``CodingKeysNaming`` type, and else the name that the
/// property was declared with, as Swift's reflection tells it. Computed properties, and properties of classes that are not
/// final, have no such name. [NSP-272]
public struct KeyPathNames: ExpressibleByDictionaryLiteral {
    private let names: [AnyKeyPath: String]

    /// Makes a list of key paths and their names.
    public init(dictionaryLiteral elements: (AnyKeyPath, String)...) {
        names = Dictionary(elements, uniquingKeysWith: { _, last in last })
    }

    /// The keys of a path of Swift by the names that types give them; nil where one has none.
    package static func keys(of keyPath: AnyKeyPath) -> [String]? {
        KeyPathNaming(names: KeyPathNames()).keys(of: keyPath)
    }

    /// The name that is given here.
    subscript(keyPath: AnyKeyPath) -> String? { names[keyPath] }
}

/// A type whose keys in predicates are its coding keys, where the two differ from its properties.
///
/// ```swift
/// struct Person: Codable, CodingKeysNaming {
///     var name: String
///     enum CodingKeys: String, CodingKey { case name = "full_name" }
///     static var codingKeys: [PartialKeyPath<Person>: CodingKeys] { [\.name: .name] }
/// }
/// // #Predicate<Person> { $0.name == "Jo" } is full_name == "Jo"
/// ```
///
/// A property that is not listed has its own name.
public protocol CodingKeysNaming {
    /// The coding keys, as for `Codable`.
    associatedtype CodingKeys: CodingKey
    /// The coding keys of properties.
    static var codingKeys: [PartialKeyPath<Self>: CodingKeys] { get }
}
