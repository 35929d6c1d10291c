import PredicateSyntax

/// A type that the sources declare, in as much detail as predicates need.
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
    /// The cases of an enum.
    var cases: Set<String> = []
    /// The names of the generic parameters, in order.
    var generics: [String] = []
    /// The keys that a `KeyPathCoding` type lists, each with its property, which is nil for a computed key. The dictionary
    /// itself is nil if the list is not a literal.
    var keys: [String: String?]?
    /// True if the source contains members of the type that were not understood, so that other members may exist.
    var isPartial = false
    /// True for `@objcMembers`, which makes all properties visible to Objective-C.
    var exposesMembers = false
    /// True if the sources contain different types of this name.
    var isAmbiguous = false

    /// True for types that are entities of predicates: classes of SwiftData, and types that list their keys.
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
    /// True for `@objc var name` and `@NSManaged var name`, which key-value coding can read.
    var isExposed = false
}

/// The name of a type, and whether it is optional or a collection: `[Item]?`.
struct TypeName: Hashable, Sendable {
    /// A generic argument, or a member of a tuple: `name` of `(name: String, count: Int)`
    struct Part: Hashable, Sendable {
        var label: String?
        var type: TypeName
    }

    /// `Item`, the last part of `Shop.Item`; empty for a tuple
    var name: String
    var isOptional = false
    /// True for `[Item]`, `Set<Item>` and `[String: Item]`.
    var isCollection = false
    /// True for `[String: Item]`.
    var isTable = false
    /// The generic arguments of `Box<Item>`, or the members of a tuple. For a collection, those of its elements.
    var parts: [Part] = []
    /// The type of the keys of a dictionary, if it is known.
    var keys: [TypeName] = []
}

extension TypeName {
    /// `(name: String, count: Int)`
    static func tuple(_ parts: [Part]) -> TypeName { TypeName(name: "", parts: parts) }

    /// The list type `[Item]`; nil for a list of lists and for a list of optional values.
    var list: TypeName? { isCollection || isOptional ? nil : TypeName(name: name, isCollection: true, parts: parts) }

    /// The type of the elements of a list, or of the values of a dictionary.
    var value: TypeName { TypeName(name: name, parts: parts) }

    /// The type of the elements; for a dictionary, a pair.
    var element: TypeName? {
        guard isTable else { return value }
        return keys.first.map { .tuple([Part(label: "key", type: $0), Part(label: "value", type: value)]) }
    }

    /// The type of a member of a tuple, by its label or its number.
    func member(_ name: String) -> TypeName? {
        guard self.name.isEmpty, !isCollection else { return nil }
        return parts.first { $0.label == name }?.type ?? Int(name).flatMap(part)
    }

    func part(_ index: Int) -> TypeName? {
        name.isEmpty && parts.indices.contains(index) ? parts[index].type : nil
    }

    var unwrapped: TypeName {
        var type = self
        type.isOptional = false
        return type
    }

    var optional: TypeName {
        var type = self
        type.isOptional = true
        return type
    }

    /// The type after replacing generic parameters with their arguments; nil for a parameter without an argument.
    func filled(_ generics: [String], _ arguments: [Part]) -> TypeName? {
        if let index = generics.firstIndex(of: name) {
            guard var own = arguments.indices.contains(index) ? arguments[index].type : nil else { return nil }
            if isCollection { own = TypeName(name: own.name, isCollection: true, isTable: isTable, parts: own.parts) }
            own.isOptional = own.isOptional || isOptional
            return own
        }
        var own = self
        own.parts = parts.compactMap { part in
            part.type.filled(generics, arguments).map { Part(label: part.label, type: $0) }
        }
        own.keys = keys.compactMap { $0.filled(generics, arguments) }
        return own.parts.count == parts.count && own.keys.count == keys.count ? own : nil
    }

    /// True if the two types are equal, or differ only in being optional.
    func isSame(as other: TypeName) -> Bool { unwrapped == other.unwrapped }
}

extension TypeName {
    var isNumber: Bool { !isOptional && !isCollection && Self.numbers.contains(name) }
    var isString: Bool { kind == .string }

    /// The kind of the values in predicates; nil if it is unknown.
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

    /// The argument that a C function receives for a value of the type.
    enum Passing: String {
        case text = "a string"
        case cString = "a C string"
        case integer = "an integer"
        case floatingPoint = "a floating-point number"
        case boolean = "a Boolean"
        case object = "an object"
    }

    /// The way of passing a value; nil if it is unknown.
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

    /// True for the name of a floating-point type.
    var isFraction: Bool {
        ["Double", "Float", "CGFloat", "TimeInterval", "NSTimeInterval", "double", "float"].contains(name)
    }

    private static let numbers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "CGFloat", "TimeInterval", "Bool", "NSInteger", "NSUInteger", "NSTimeInterval", "int", "BOOL", "bool", "double",
        "float", "long", "long long", "short", "int16_t", "int32_t", "int64_t", "uint16_t", "uint32_t", "uint64_t",
    ]
}
