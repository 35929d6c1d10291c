import PredicateSyntax

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
    /// The `static let` properties of the type: the number or string, if it has no quotes and backslashes, or else
    /// nothing.
    var constants: [String: Set<String>] = [:]
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
    /// True for `[Item]`, `Set<Item>` and `[String: Item]`.
    var isCollection = false
    /// True for `[String: Item]`.
    var isTable = false
}

extension TypeName {
    var isNumber: Bool { !isOptional && !isCollection && Self.numbers.contains(name) }
    var isString: Bool { kind == .string }

    /// The kind of the values in predicates; nil if it is not known.
    var kind: PredicateValue.Kind? { isCollection ? nil : ownKind }

    /// The kind of the elements of an array; nil for other values.
    var elementKind: PredicateValue.Kind? { isCollection && !isTable ? ownKind : nil }

    private var ownKind: PredicateValue.Kind? {
        switch name {
        case "String", "NSString", "Substring", "NSMutableString": .string
        case "Bool", "BOOL", "bool": .boolean
        case "Date", "NSDate": .date
        case "Data", "NSData": .data
        case "UUID", "NSUUID": .uuid
        case "URL", "NSURL": .url
        case "Decimal", "NSDecimalNumber", "NSNumber": .number
        default: Self.numbers.contains(name) ? .number : nil
        }
    }

    /// What a function of C receives for a value of the type.
    enum Passing: String {
        case text = "a string"
        case cString = "a C string"
        case integer = "an integer"
        case floatingPoint = "a floating-point number"
        case boolean = "a Boolean"
        case object = "an object"
    }

    /// Nil if it is not known.
    var passing: Passing? {
        guard !isOptional else { return nil }
        guard !isCollection else { return .object }
        switch name {
        case "char *": return .cString
        case "NSArray", "NSSet", "NSDictionary": return .object
        default: break
        }
        guard let kind = ownKind else { return nil }
        switch kind {
        case .string: return .text
        case .boolean: return .boolean
        case .number: return isNumber ? isFraction ? .floatingPoint : .integer : .object
        case .date, .data, .uuid, .url, .array, .dictionary, .object: return .object
        }
    }

    /// The name of a number with a fraction.
    var isFraction: Bool {
        ["Double", "Float", "CGFloat", "TimeInterval", "NSTimeInterval", "double", "float"].contains(name)
    }

    private static let numbers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "CGFloat", "TimeInterval", "Bool", "NSInteger", "NSUInteger", "NSTimeInterval", "int", "BOOL", "bool", "double",
        "float", "long", "short", "int16_t", "int32_t", "int64_t", "uint16_t", "uint32_t", "uint64_t",
    ]
}
