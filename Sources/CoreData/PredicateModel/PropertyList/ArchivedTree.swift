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
    /// The value of bytes; nil if they are neither a binary or XML property list nor an archive, or beyond the limits.
    package static func value(
        of bytes: [UInt8], limits: ModelLimits = ModelLimits(fileSize: 64 << 20, nesting: 64, objects: 100_000)
    ) -> PredicateValue? {
        guard BinaryPropertyList.isOne(bytes) || XMLReader.mayBeXML(bytes),
            let list = try? PropertyListValue(bytes, limits: limits)
        else { return nil }
        guard let archive = try? KeyedArchive(list) else {
            var conversion = TreeConversion(archive: nil, budget: limits.objects, nesting: limits.nesting)
            return try? conversion.value(list, level: 1)
        }
        var conversion = TreeConversion(archive: archive, budget: limits.objects, nesting: limits.nesting)
        return try? conversion.value(.uid(archive.root), level: 1)
    }
}

/// Converts archived objects within limits of depth and size.
private struct TreeConversion {
    let archive: KeyedArchive?
    /// The number of values that may still be made. Objects may be shared, so a short archive may have many.
    var budget: Int
    let nesting: Int
    /// The number of bytes of strings and data that may still be made. They, too, may be shared.
    private var bytes = 64 << 20
    /// The objects that contain the current one.
    private var open: Set<Int> = []

    init(archive: KeyedArchive?, budget: Int, nesting: Int) {
        (self.archive, self.budget, self.nesting) = (archive, budget, nesting)
    }

    mutating func value(_ value: PropertyListValue, level: Int) throws(ModelError) -> PredicateValue {
        guard level <= nesting else { throw ModelError(.exceeds(.nesting, limit: nesting)) }
        guard budget > 0 else { throw ModelError(.exceeds(.objects, limit: budget)) }
        budget -= 1
        switch value {
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .integer(let number): return .integer(number)
        case .unsigned(let number): return .decimal(Decimal(number))
        case .real(let number): return .double(number)
        case .date(let date): return .date(date)
        case .data(let data): return .data(try spend(data))
        case .string(let text): return archive != nil && text == "$null" ? .null : .string(try spend(text))
        case .uid(let uid): return try referenced(uid, level)
        case .array(let elements): return .array(try values(elements, level))
        case .dictionary(let fields): return .dictionary(try self.fields(fields, level))
        }
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
        guard open.insert(uid).inserted else { return .dictionary(["$object": .integer(Int64(uid))]) }
        defer { open.remove(uid) }
        if let object = archive.object(uid) { return try self.object(object, level) }
        guard let plain = archive.value(uid) else { throw ModelError(.notAnArchive("a dangling UID")) }
        return try value(plain, level: level + 1)
    }

    private mutating func object(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> PredicateValue {
        switch object.className {
        case "NSNull": return .null
        case "NSString", "NSMutableString":
            if let text = object.string("NS.string") { return .string(try spend(text)) }
            if let data = object.value("NS.bytes")?.data {
                return .string(String(decoding: try spend(data), as: UTF8.self))
            }
        case "NSDate":
            if let date = object.date { return .date(date) }
        case "NSData", "NSMutableData":
            if let data = (object.value("NS.data") ?? object.value("NS.bytes"))?.data {
                return .data(try spend(data))
            }
        case "NSUUID":
            if let uuid = object.uuid { return .uuid(uuid) }
        case "NSURL":
            if let text = object.url?.absoluteString ?? object.string("NS.relative") { return .string(try spend(text)) }
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return .decimal(ArchivedDecimal.decimal(object))
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet":
            return .array(try values(object.listedElements, level))
        case "NSDictionary", "NSMutableDictionary": return try dictionary(object, level)
        default: break
        }
        var fields = object.fields
        fields["$class"] = nil
        var values = try self.fields(fields, level)
        values["$class"] = .string(object.className)
        return .dictionary(values)
    }

    private mutating func dictionary(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> PredicateValue {
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
