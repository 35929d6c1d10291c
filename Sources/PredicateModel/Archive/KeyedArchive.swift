import Foundation

/// A keyed archive: objects by number, each a dictionary with a class name, or a plain value.
///
/// Objects are only looked at: no class is ever looked up or made.
struct KeyedArchive {
    let objects: [PropertyListValue]
    private let root: Int

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

    /// The root object, which must be of a class.
    func root(of className: String) throws(ModelError) -> ArchivedObject {
        guard let object = object(root) else { throw ModelError(.notAnArchive("the root is no object")) }
        guard object.className == className else {
            throw ModelError(.unexpectedClass(object.className, expected: className), at: object.place)
        }
        return object
    }

    /// The root object, of any class.
    func rootObject() throws(ModelError) -> ArchivedObject {
        guard let object = object(root) else { throw ModelError(.notAnArchive("the root is no object")) }
        return object
    }

    /// The value that a UID stands for; nil for `$null` and for a UID that leads nowhere.
    func value(_ uid: Int) -> PropertyListValue? {
        guard uid > 0, objects.indices.contains(uid) else { return nil }
        return objects[uid]
    }

    /// The object with a class that a UID stands for.
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

    /// The value of a key, with the value that a UID stands for; nil for none and for `$null`.
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

    /// The UIDs of the elements of an array or a set.
    func elements(_ key: String) -> [PropertyListValue] { object(key).map { $0.elements } ?? [] }

    /// The elements of this array or set.
    var elements: [PropertyListValue] { fields["NS.objects"]?.array ?? [] }

    /// The objects of an array or a set.
    func objects(_ key: String) -> [ArchivedObject] {
        elements(key).compactMap { $0.uid.flatMap(archive.object) }
    }

    /// The entries of a dictionary under a key, in the order of the archive.
    func entries(_ key: String) -> [(key: String, value: PropertyListValue)] { object(key)?.entries ?? [] }

    /// The entries of this dictionary: an ordinary one, or one with keys that several share.
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

    /// The string of a key that must be there.
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

extension KeyedArchive {
    /// The string of a value: a plain one, or an object that wraps one.
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
