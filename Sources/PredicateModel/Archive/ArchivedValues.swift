import Foundation
import PredicateSyntax

/// Values of Foundation's classes in an archive, as values of the language.
struct ArchivedValues {
    let archive: KeyedArchive
    let limits: ModelLimits
    /// The elements that may still be read.
    private var budget: Int

    /// What an archived value is.
    enum Found {
        case value(PredicateValue)
        /// An object of a class that is not of Foundation.
        case opaque(className: String)
    }

    init(_ archive: KeyedArchive, limits: ModelLimits) {
        self.archive = archive
        self.limits = limits
        budget = limits.objects
    }

    /// The value, or the class that is not read.
    mutating func value(_ value: PropertyListValue, level: Int = 1) throws(ModelError) -> Found {
        guard level <= limits.nesting else { throw ModelError(.exceeds(.nesting, limit: limits.nesting)) }
        guard budget > 0 else { throw ModelError(.exceeds(.objects, limit: limits.objects)) }
        budget -= 1
        switch value {
        case .null: return .value(.null)
        case .bool(let value): return .value(.bool(value))
        case .integer(let value): return .value(.integer(value))
        case .unsigned(let value): return .value(.decimal(Decimal(value)))
        case .real(let value): return .value(.double(value))
        case .date(let value): return .value(.date(value))
        case .data(let value): return .value(.data(value))
        case .string(let value): return .value(.string(value))
        case .uid(0): return .value(.null)
        case .uid(let uid): return try referenced(uid, level: level)
        case .array, .dictionary: return .opaque(className: "a collection")
        }
    }

    private mutating func referenced(_ uid: Int, level: Int) throws(ModelError) -> Found {
        if let object = archive.object(uid) { return try self.object(object, level: level) }
        guard let plain = archive.value(uid) else { throw ModelError(.notAnArchive("a UID leads nowhere")) }
        if case .uid = plain { throw ModelError(.notAnArchive("a UID leads to a UID"), at: ModelPlace(object: uid)) }
        return try value(plain, level: level + 1)
    }

    private mutating func object(_ object: ArchivedObject, level: Int) throws(ModelError) -> Found {
        switch object.className {
        case "NSString", "NSMutableString":
            return .value(.string(try object.requiredString("NS.string")))
        case "NSDate": return try date(object)
        case "NSData", "NSMutableData":
            guard let data = object.value("NS.data")?.data else { throw object.missing("NS.data") }
            return .value(.data(data))
        case "NSUUID": return .value(.uuid(try uuid(object)))
        case "NSURL": return try url(object)
        case "NSNull": return .value(.nullObject)
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return .value(.decimal(ArchivedDecimal.decimal(object)))
        case "NSArray", "NSMutableArray": return try collection(object.elements, level) { .array($0) }
        case "NSSet", "NSMutableSet": return try collection(object.elements, level) { .set(Set($0)) }
        case "NSOrderedSet", "NSMutableOrderedSet":
            return try collection(orderedElements(object), level) { .orderedSet($0) }
        case "NSDictionary", "NSMutableDictionary", "NSKnownKeysDictionary1": return try dictionary(object, level)
        default: return .opaque(className: object.className)
        }
    }

    /// An ordered set keeps its elements under a key for each.
    private func orderedElements(_ object: ArchivedObject) -> [PropertyListValue] {
        if !object.elements.isEmpty { return object.elements }
        return (0..<object.fields.count).compactMap { object.fields["NS.object.\($0)"] }
    }

    private mutating func collection(
        _ elements: [PropertyListValue], _ level: Int, _ make: ([PredicateValue]) -> PredicateValue
    ) throws(ModelError) -> Found {
        var values: [PredicateValue] = []
        for element in elements {
            switch try value(element, level: level + 1) {
            case .value(let value): values.append(value)
            case .opaque(let name): return .opaque(className: name)
            }
        }
        return .value(make(values))
    }

    private mutating func dictionary(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> Found {
        var values: [String: PredicateValue] = [:]
        for (key, element) in object.entries {
            switch try value(element, level: level + 1) {
            case .value(let value): values[key] = value
            case .opaque(let name): return .opaque(className: name)
            }
        }
        return .value(.dictionary(values))
    }

    private func date(_ object: ArchivedObject) throws(ModelError) -> Found {
        switch object.value("NS.time") {
        case .real(let seconds)?: .value(.date(Date(timeIntervalSinceReferenceDate: seconds)))
        case .integer(let seconds)?: .value(.date(Date(timeIntervalSinceReferenceDate: Double(seconds))))
        default: throw object.missing("NS.time")
        }
    }

    private func uuid(_ object: ArchivedObject) throws(ModelError) -> UUID {
        guard let bytes = object.value("NS.uuidbytes")?.data.map(Array.init), bytes.count == 16 else {
            throw object.missing("NS.uuidbytes")
        }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private func url(_ object: ArchivedObject) throws(ModelError) -> Found {
        let base = object.object("NS.base").flatMap { $0.string("NS.relative") }.flatMap { URL(string: $0) }
        guard let url = URL(string: try object.requiredString("NS.relative"), relativeTo: base) else {
            throw object.missing("NS.relative")
        }
        return .value(.url(url.absoluteURL))
    }
}

/// Decimal numbers: a mantissa of little-endian words, an exponent, a sign.
enum ArchivedDecimal {
    static func decimal(_ object: ArchivedObject) -> Decimal {
        let words = min(object.integer("NS.length") ?? 0, 8)
        let isNegative = object.bool("NS.negative")
        // No words and a sign stand for "not a number".
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
