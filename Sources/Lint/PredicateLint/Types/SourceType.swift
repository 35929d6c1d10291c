/// A type that the sources declare, as far as predicates need it.
///
/// `@Model final class Person { var name: String }`, `struct Person: KeyPathCoding { … }`, `enum Kind: String, Codable`
package struct SourceType: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        /// `@Model final class Person`
        case model
        /// `class Person`
        case object
        /// `struct Person`
        case value
        /// `enum Kind`
        case enumeration
    }

    package var name: String
    var form: Form
    var supertypes: Set<String> = []
    var properties: [String: SourceProperty] = [:]
    /// The `static let` properties of the type: true for a string literal without quotes and backslashes.
    var constants: [String: Bool] = [:]
    /// The cases of an enum.
    var cases: Set<String> = []
    /// The keys that a `KeyPathCoding` type lists, each with its property; nil for a computed key. The dictionary itself is
    /// nil if the list is not written as a literal.
    var keys: [String: String?]?
    /// True if the source declares members that were not understood, so other members may exist.
    var isPartial = false
    /// True if the sources declare different types of this name.
    var isAmbiguous = false

    /// True for the entities of predicates: classes of SwiftData, and types that list their keys.
    var isEntity: Bool { form == .model || supertypes.contains("KeyPathCoding") && keys != nil }
}

/// A property of a type.
struct SourceProperty: Hashable, Sendable {
    enum Storage: Hashable, Sendable {
        /// `var name: String`
        case variable
        /// `let name: String`
        case constant
        /// `var isAdult: Bool { age >= 18 }`
        case computed
        /// `@Transient var isOpen = false`
        case transient
    }

    var type: TypeName?
    var storage: Storage
    /// `name` of `@objc(name) var _name: String?`, if it is written
    var objectiveCName: String?
}

/// The name of a type, and whether it is optional or a collection: `[Item]?`.
struct TypeName: Hashable, Sendable {
    /// `Item`, the last part of `Shop.Item`
    var name: String
    var isOptional = false
    /// True for `[Item]` and `Set<Item>`.
    var isCollection = false
}
