public import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The identity of an object as a URI: `x-coredata://5C1F0A6E-…/Photo/p12`
public struct ObjectURI: Hashable, Sendable, CustomStringConvertible {
    /// The UUID of the store.
    public let store: String
    /// The entity that the object is of itself, not one above it.
    public let entity: String
    /// The primary key.
    public let key: Int64

    /// The URI of an object.
    public init(store: String, entity: String, key: Int64) {
        (self.store, self.entity, self.key) = (store, entity, key)
    }

    /// Reads a URI; nil for a text that is none.
    public init?(_ text: String) {
        let prefix = "x-coredata://"
        guard text.hasPrefix(prefix) else { return nil }
        let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty, parts[2].first == "p", let key = Int64(parts[2].dropFirst()),
            key >= 0, parts[2].dropFirst().allSatisfy(\.isASCIIDigit)
        else { return nil }
        self.init(store: String(parts[0]), entity: String(parts[1]), key: key)
    }

    /// The text of the URI.
    public var description: String { "x-coredata://\(store)/\(entity)/p\(key)" }

    /// The identity for predicates.
    public var id: SQLObjectID { SQLObjectID(entity, key: .integer(key)) }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
