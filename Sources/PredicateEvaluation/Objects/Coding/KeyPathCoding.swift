import PredicateSyntax

/// An object whose keys are declared in a table of key paths: no reflection, no switch over strings.
///
/// `age >= 21` on
/// ```swift
/// struct Person: KeyPathCoding {
///     var name: String
///     var age: Int
///     static let keys: KeyPathTable<Person> = [
///         "name": .key(\.name), "age": .key(\.age), "isAdult": .computed { $0.age >= 18 },
///     ]
/// }
/// ```
///
/// Structs, enums and final classes conform. A class with subclasses conforms to ``KeyValueCoding`` instead, and reads a
/// table with ``KeyPathTable/value(forKey:of:)``. The type of each property conforms to ``KeyedValueConvertible``, which
/// takes no code for an enum with raw values: `enum Status: String, KeyedValueConvertible`.
public protocol KeyPathCoding: KeyValueCoding {
    /// The keys. Declare them with `static let`: they are read on every access.
    static var keys: KeyPathTable<Self> { get }
}

extension KeyPathCoding {
    public func value(forKey key: String) -> KeyedValue? {
        Self.keys.value(forKey: key, of: self)
    }

    public var allKeys: [String] { Self.keys.names }
}
