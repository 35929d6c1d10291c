import Foundation
package import PredicateSyntax

/// A property list or a keyed archive of any classes, as a value that can be written as JSON.
///
/// `{"$class": "UIColor", "UIRed": 0.5, "UIGreen": 0.25}`
///
/// Strings, numbers, dates, data, UUIDs, URLs, arrays, sets and dictionaries of Foundation are plain values. An object
/// of any other class is a dictionary of its archived keys and `$class`. A dictionary whose keys are not strings is
/// `{"$entries": [[key, value], …]}`. An object within itself is `{"$object": number}`. No class is looked up.
package enum ArchivedTree {
    /// The keys that mark dictionaries for values that are not plain.
    static let marks: Set<String> = ["$class", "$entries", "$object"]

    /// The archive of a plain value, in the form that the default transformer of Core Data's attributes writes. Data is
    /// returned unchanged, because it is the archive itself. Nil for a value that cannot be archived.
    package static func archive(of value: PredicateValue) -> PredicateValue? {
        if case .data = value { return value }
        var writer = KeyedArchiveWriter()
        guard let root = try? writer.value(value) else { return nil }
        return .data(Data(writer.bytes(root: root)))
    }

    /// True for the beginning of a property list, binary or XML.
    package static func mayBeArchive(_ bytes: some Sequence<UInt8>) -> Bool {
        ["bplist0", "<?xml", "<plist"].contains { bytes.starts(with: $0.utf8) }
    }

    /// The value of bytes; nil if they are neither a binary or XML property list nor an archive, or beyond the limits.
    package static func value(
        of bytes: [UInt8], limits: ModelLimits = ModelLimits(fileSize: 64 << 20, nesting: 64, objects: 100_000)
    ) -> PredicateValue? {
        guard BinaryPropertyList.isOne(bytes) || XMLReader.mayBeXML(bytes),
            let list = try? PropertyListValue(bytes, limits: limits)
        else { return nil }
        let archive = try? KeyedArchive(list)
        var conversion = ArchiveConversion(archive, limits, isTree: true)
        return try? conversion.value(archive.map { .uid($0.root) } ?? list)
    }
}

/// Converts a property list or archived objects to values of the language, within limits of depth and size.
struct ArchiveConversion {
    /// The archive; nil for a property list.
    let archive: KeyedArchive?
    private let limits: ModelLimits
    /// True if every value has a form in JSON, and objects of any class are dictionaries. Otherwise values keep their types,
    /// and ``opaqueClass`` names a class that does not belong to Foundation.
    private let isTree: Bool
    var opaqueClass: String?
    /// The number of values that may still be created. Objects may be shared, so a short archive may contain many.
    private var budget: Int
    /// The number of bytes of strings and data that may still be created. These may be shared, too.
    private var bytes = 64 << 20
    /// The objects that contain the current one.
    private var open: Set<Int> = []

    init(_ archive: KeyedArchive?, _ limits: ModelLimits, isTree: Bool) {
        (self.archive, self.limits, self.isTree, budget) = (archive, limits, isTree, limits.objects)
    }

    mutating func value(_ value: PropertyListValue, level: Int = 1) throws(ModelError) -> PredicateValue {
        guard level <= limits.nesting else { throw ModelError(.exceeds(.nesting, limit: limits.nesting)) }
        guard budget > 0 else { throw ModelError(.exceeds(.objects, limit: limits.objects)) }
        budget -= 1
        switch value {
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .integer(let number): return .integer(number)
        case .unsigned(let number): return .decimal(Decimal(number))
        case .real(let number): return .double(number)
        case .date(let date): return .date(date)
        case .data(let data): return .data(try spend(data))
        case .string(let text): return isTree && archive != nil && text == "$null" ? .null : .string(try spend(text))
        case .uid(let uid): return try referenced(uid, level)
        case .array, .dictionary: return try collection(value, level)
        }
    }

    /// A collection of a property list, without null.
    private mutating func collection(_ value: PropertyListValue, _ level: Int) throws(ModelError) -> PredicateValue {
        guard isTree || archive == nil else { return opaque("a collection") }
        if let elements = value.array {
            return .array(try values(elements, level).filter { archive != nil || $0 != .null })
        }
        return .dictionary(try fields(value.dictionary ?? [:], level).filter { archive != nil || $0.value != .null })
    }

    private mutating func opaque(_ className: String) -> PredicateValue {
        opaqueClass = opaqueClass ?? className
        return .null
    }

    private mutating func spend(_ text: String) throws(ModelError) -> String {
        try spend(text.utf8.count)
        return text
    }

    private mutating func spend(_ data: Data) throws(ModelError) -> Data {
        try spend(data.count)
        return data
    }

    private mutating func spend(_ count: Int) throws(ModelError) {
        bytes -= count
        guard bytes >= 0 else { throw ModelError(.exceeds(.objects, limit: 64 << 20)) }
    }

    private mutating func values(
        _ elements: [PropertyListValue], _ level: Int
    ) throws(ModelError) -> [PredicateValue] {
        var values: [PredicateValue] = []
        for element in elements { values.append(try value(element, level: level + 1)) }
        return values
    }

    private mutating func fields(
        _ fields: [String: PropertyListValue], _ level: Int
    ) throws(ModelError) -> [String: PredicateValue] {
        var values: [String: PredicateValue] = [:]
        for (key, field) in fields { values[key] = try value(field, level: level + 1) }
        return values
    }

    private mutating func referenced(_ uid: Int, _ level: Int) throws(ModelError) -> PredicateValue {
        guard let archive, uid != 0 else { return archive == nil ? .integer(Int64(uid)) : .null }
        guard open.insert(uid).inserted else {
            guard isTree else { throw ModelError(.exceeds(.nesting, limit: limits.nesting)) }
            return .dictionary(["$object": .integer(Int64(uid))])
        }
        defer { open.remove(uid) }
        if let object = archive.object(uid) { return try self.object(object, level) }
        guard let plain = archive.value(uid) else { throw ModelError(.notAnArchive("a dangling UID")) }
        if case .uid = plain { throw ModelError(.notAnArchive("a UID refers to a UID"), at: ModelPlace(object: uid)) }
        return try value(plain, level: level + 1)
    }

    private mutating func object(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> PredicateValue {
        let required: String
        switch object.className {
        case "NSNull": return isTree ? .null : .nullObject
        case "NSString", "NSMutableString":
            required = "NS.string"
            if let text = object.string(required) { return .string(try spend(text)) }
            if let data = object.value("NS.bytes")?.data {
                return .string(String(decoding: try spend(data), as: UTF8.self))
            }
        case "NSDate":
            required = "NS.time"
            if let date = object.date { return .date(date) }
        case "NSData", "NSMutableData":
            required = "NS.data"
            if let data = (object.value(required) ?? object.value("NS.bytes"))?.data { return .data(try spend(data)) }
        case "NSUUID":
            required = "NS.uuidbytes"
            if let uuid = object.uuid { return .uuid(uuid) }
        case "NSURL":
            required = "NS.relative"
            if !isTree, let url = object.url { return .url(url) }
            if isTree, let text = object.url?.absoluteString ?? object.string(required) {
                return .string(try spend(text))
            }
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return .decimal(ArchivedDecimal.decimal(object))
        case "NSArray", "NSMutableArray": return .array(try values(object.listedElements, level))
        case "NSSet", "NSMutableSet":
            let elements = try values(object.listedElements, level)
            return isTree ? .array(elements) : .set(Set(elements))
        case "NSOrderedSet", "NSMutableOrderedSet":
            let elements = try values(object.listedElements, level)
            return isTree ? .array(elements) : .orderedSet(elements)
        case "NSDictionary", "NSMutableDictionary": return try dictionary(object, level)
        case "NSKnownKeysDictionary1" where !isTree: return try dictionary(object, level)
        default:
            guard isTree else { return opaque(object.className) }
            return try tree(of: object, level)
        }
        guard isTree else { throw object.missing(required) }
        return try tree(of: object, level)
    }

    /// An object of any class.
    private mutating func tree(of object: ArchivedObject, _ level: Int) throws(ModelError) -> PredicateValue {
        var values = try fields(object.fields.filter { $0.key != "$class" }, level)
        values["$class"] = .string(object.className)
        return .dictionary(values)
    }

    private mutating func dictionary(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> PredicateValue {
        guard isTree else {
            let entries = object.entries
            let found = zip(entries.map(\.key), try values(entries.map(\.value), level))
            return .dictionary(Dictionary(Array(found), uniquingKeysWith: { _, last in last }))
        }
        let keys = try values(object.fields["NS.keys"]?.array ?? [], level)
        let elements = try values(object.elements, level)
        var entries: [String: PredicateValue] = [:]
        for (key, element) in zip(keys, elements) {
            guard case .string(let name) = key else {
                return .dictionary(["$entries": .array(zip(keys, elements).map { .array([$0, $1]) })])
            }
            entries[name] = element
        }
        return .dictionary(entries)
    }
}
