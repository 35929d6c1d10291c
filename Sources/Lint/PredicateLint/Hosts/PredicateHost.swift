import PredicateSyntax

/// An API that takes predicates about objects of its own, as its public documentation describes them.
///
/// A host is a schema with one entity, which has the name of the host.
struct PredicateHost: PredicateSchema {
    /// The name of the entity: `PHFetchOptions`
    let name: String
    /// The noun in messages: `a photo library fetch`
    let words: String
    /// The documented keys with their properties. Without any, the program defines the keys.
    let properties: [String: PredicateProperty]
    /// Undocumented keys that programs use. They are neither reported nor suggested.
    var others: Set<String> = []
    /// True if the documentation excludes all other keys; otherwise only misspelled ones are reported.
    var isClosed = false
    /// What the documentation excludes besides keys.
    var refusals: Set<HostRefusal> = []
    /// The address of the documentation.
    let source: String

    var origin: SchemaOrigin { .declared }

    func property(_ key: String, of entity: String) -> PredicateProperty? {
        properties.isEmpty || others.contains(key) ? PredicateProperty() : properties[key]
    }

    func keys(of entity: String) -> [String] { entity == name ? properties.keys.sorted() : [] }

    func entity(named name: String) -> String? { name == self.name ? name : nil }

    func noun(of entity: String) -> String { words }

    func absence(of key: String, in entity: String) -> SchemaAbsence {
        SchemaAbsence("\(words) has no key '\(key)'\(isClosed ? " that is documented" : "")", isError: false)
    }
}

/// A part of the language that a host refuses.
enum HostRefusal: Hashable {
    /// `a == 1 OR b == 2`
    case or
    /// `name ENDSWITH "x"`, `name LIKE "x*"`, `name MATCHES "x.*"`
    case textOperators
    /// `title CONTAINS "x"`: the operator is for lists and for `self`
    case textSearch
    /// `owner.name == "x"`
    case keyPaths
    /// Any format: the host takes only predicates that it makes itself.
    case formats
}

/// The hosts, by the names that `EntityName` finds in the source.
enum PredicateHosts {
    static func host(named name: String) -> PredicateHost? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// A source that uses a host contains at least one of these words.
    private static let marks: [StaticString] = [
        "XCUI", "XCTest", "PHFetchOptions", "CKQuery", "NSMetadataQuery", "OSLogStore", "OSLog", "CNContact",
        "HealthKit",
    ]

    static func mayOccur(in bytes: Bytes) -> Bool { marks.contains { bytes.firstOffset(of: $0) != nil } }

    /// The documentation of each host, for the help of the rule.
    static var sources: String { all.map { "\($0.name) (\($0.source))" }.joined(separator: ", ") }
}
