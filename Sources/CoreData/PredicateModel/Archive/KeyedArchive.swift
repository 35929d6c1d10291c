import Foundation
import PredicateSyntax

/// A keyed archive: numbered objects, each of which is a dictionary with a class name, or a plain value.
///
/// The archive is only read: no class is looked up or instantiated. Foundation's unarchiver refuses unknown classes.
struct KeyedArchive {
    let objects: [PropertyListValue]
    let root: Int

    init(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) {
        try self.init(try PropertyListValue(bytes, limits: limits))
    }

    init(_ list: PropertyListValue) throws(ModelError) {
        guard let fields = list.dictionary, let objects = fields["$objects"]?.array else {
            throw ModelError(.notAnArchive("there is no list of objects"))
        }
        guard let top = fields["$top"]?.dictionary, let root = top["root"]?.uid else {
            throw ModelError(.notAnArchive("there is no root"))
        }
        self.objects = objects
        self.root = root
    }

    /// The root object. Throws unless it is of the class.
    func root(of className: String) throws(ModelError) -> ArchivedObject {
        let object = try rootObject()
        guard object.className == className else {
            throw ModelError(.unexpectedClass(object.className, expected: className), at: object.place)
        }
        return object
    }

    /// The root object, of any class.
    func rootObject() throws(ModelError) -> ArchivedObject {
        guard let object = object(root) else { throw ModelError(.notAnArchive("the root is not an object")) }
        return object
    }

    /// The value that a UID refers to; nil for `$null` and for a dangling UID.
    func value(_ uid: Int) -> PropertyListValue? {
        guard uid > 0, objects.indices.contains(uid) else { return nil }
        return objects[uid]
    }

    /// The object that a UID refers to; nil for a value without a class.
    func object(_ uid: Int) -> ArchivedObject? {
        guard let fields = value(uid)?.dictionary, let classUID = fields["$class"]?.uid,
            let name = value(classUID)?.dictionary?["$classname"]?.string
        else { return nil }
        return ArchivedObject(archive: self, uid: uid, className: name, fields: fields)
    }
}

/// An object of a keyed archive.
struct ArchivedObject {
    let archive: KeyedArchive
    let uid: Int
    let className: String
    let fields: [String: PropertyListValue]

    var place: ModelPlace { ModelPlace(object: uid) }

    /// The value of a key, with a UID resolved; nil for a missing key and for `$null`.
    func value(_ key: String) -> PropertyListValue? { fields[key].flatMap(resolve) }

    private func resolve(_ value: PropertyListValue) -> PropertyListValue? {
        guard case .uid(let uid) = value else { return value == .null ? nil : value }
        return archive.value(uid)
    }

    func object(_ key: String) -> ArchivedObject? { fields[key]?.uid.flatMap(archive.object) }

    func integer(_ key: String) -> Int? { value(key)?.integer.flatMap { Int(exactly: $0) } }

    func bool(_ key: String) -> Bool { value(key)?.bool ?? false }

    /// A string, which may be an object of `NSMutableString`.
    func string(_ key: String) -> String? { fields[key].flatMap { archive.string($0) } }

    /// The elements of the array or set under a key, with UIDs unresolved.
    func elements(_ key: String) -> [PropertyListValue] { object(key).map { $0.elements } ?? [] }

    /// The elements of this array or set, with UIDs unresolved.
    var elements: [PropertyListValue] { fields["NS.objects"]?.array ?? [] }

    /// The objects of an array or a set.
    func objects(_ key: String) -> [ArchivedObject] {
        elements(key).compactMap { $0.uid.flatMap(archive.object) }
    }

    /// The entries of a dictionary under a key, in the order of the archive.
    func entries(_ key: String) -> [(key: String, value: PropertyListValue)] { object(key)?.entries ?? [] }

    /// The entries of this dictionary. Its keys may be shared with other dictionaries.
    var entries: [(key: String, value: PropertyListValue)] {
        let keys: [PropertyListValue], values: [PropertyListValue]
        if className == "NSKnownKeysDictionary1" {
            keys = object("searchMapping")?.elements("keys") ?? []
            values = elements("values")
        } else {
            keys = fields["NS.keys"]?.array ?? []
            values = elements
        }
        return zip(keys, values).compactMap { key, value in archive.string(key).map { ($0, value) } }
    }

    /// The string of a required key.
    func requiredString(_ key: String) throws(ModelError) -> String {
        guard let text = string(key) else { throw missing(key) }
        return text
    }

    func requiredObject(_ key: String) throws(ModelError) -> ArchivedObject {
        guard let object = object(key) else { throw missing(key) }
        return object
    }

    func missing(_ key: String) -> ModelError {
        ModelError(.missingKey(key, className: className), at: place)
    }
}

/// Objects of Foundation's classes.
extension ArchivedObject {
    /// The elements of an array, a set or an ordered set, which may be archived under one key each.
    var listedElements: [PropertyListValue] {
        if !elements.isEmpty { return elements }
        return (0..<fields.count).compactMap { fields["NS.object.\($0)"] }
    }

    var date: Date? {
        switch value("NS.time") {
        case .real(let seconds)?: Date(timeIntervalSinceReferenceDate: seconds)
        case .integer(let seconds)?: Date(timeIntervalSinceReferenceDate: Double(seconds))
        default: nil
        }
    }

    var uuid: UUID? {
        guard let bytes = value("NS.uuidbytes")?.data, bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    var url: URL? {
        let base = object("NS.base").flatMap { $0.string("NS.relative") }.flatMap { URL(string: $0) }
        return string("NS.relative").flatMap { URL(string: $0, relativeTo: base)?.absoluteURL }
    }
}

extension KeyedArchive {
    /// The name that a value is, or that the object of a value has under a key.
    func name(_ value: PropertyListValue, _ key: String) -> String? {
        string(value) ?? value.uid.flatMap(object)?.string(key)
    }

    /// The string of a value, which is a plain string or an object that wraps one.
    func string(_ value: PropertyListValue) -> String? {
        switch value {
        case .string(let text): return text
        case .uid(let uid):
            if case .string(let text)? = self.value(uid) { return text }
            return object(uid)?.fields["NS.string"].flatMap { if case .string(let text) = $0 { text } else { nil } }
        case .null, .bool, .integer, .unsigned, .real, .date, .data, .array, .dictionary: return nil
        }
    }
}

/// Converts archived values of Foundation's classes to values of the language.
struct ArchivedValues {
    private var conversion: ArchiveConversion

    /// The result for an archived value.
    enum Found {
        case value(PredicateValue)
        /// An object of a class that does not belong to Foundation.
        case opaque(className: String)
    }

    init(_ archive: KeyedArchive, limits: ModelLimits) {
        conversion = ArchiveConversion(archive, limits, isTree: false)
    }

    /// The value, or the name of a class that is not read.
    mutating func value(_ value: PropertyListValue) throws(ModelError) -> Found {
        conversion.opaqueClass = nil
        let found = try conversion.value(value)
        return conversion.opaqueClass.map { .opaque(className: $0) } ?? .value(found)
    }

    /// The entries of a dictionary of user info; empty for any other value.
    mutating func entries(_ value: PropertyListValue?) throws(ModelError) -> [String: PredicateValue] {
        guard let value, case .value(.dictionary(let entries)) = try self.value(value) else { return [:] }
        return entries
    }
}

/// An archived decimal number: a mantissa of little-endian words, an exponent and a sign.
enum ArchivedDecimal {
    static func decimal(_ object: ArchivedObject) -> Decimal {
        let words = min(object.integer("NS.length") ?? 0, 8)
        let isNegative = object.bool("NS.negative")
        // A sign without words is NaN.
        guard words > 0 else { return isNegative ? Decimal.nan : 0 }
        let bytes = Array(object.value("NS.mantissa")?.data ?? Data()).prefix(2 * words)
        let isLittleEndian = (object.integer("NS.mantissa.bo") ?? 1) == 1
        var mantissa = Decimal(0)
        for word in stride(from: bytes.count - 2, through: 0, by: -2) {
            let pair = isLittleEndian ? (bytes[word + 1], bytes[word]) : (bytes[word], bytes[word + 1])
            mantissa = mantissa * 65536 + Decimal(Int(pair.0) << 8 | Int(pair.1))
        }
        let exponent = min(max(object.integer("NS.exponent") ?? 0, -128), 127)
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: mantissa)
    }
}

/// The composite types of a compiled model. Its archive repeats the elements in each attribute, and does not name the
/// types.
///
/// Attributes with the same elements share a type. The type is named after the first of them: `Author`, or
/// `CocktailAuthor` if another type of that name has different elements.
struct ArchivedComposites {
    private(set) var types: [CompositeDescription] = []
    private var names: [[AttributeDescription]: String] = [:]
    private var taken: Set<ExactName> = []

    /// The name of the type with these elements, for an attribute of an entity or of another composite type.
    mutating func name(of elements: [AttributeDescription], for attribute: String, in owner: String) -> String {
        if let known = names[elements] { return known }
        let base = owner.capitalizedFirst + attribute.capitalizedFirst
        var name = attribute.capitalizedFirst
        if taken.contains(ExactName(name)) { name = base }
        var number = 1
        while !taken.insert(ExactName(name)).inserted {
            number += 1
            name = "\(base)\(number)"
        }
        names[elements] = name
        types.append(CompositeDescription(name, attributes: elements))
        return name
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
