import Foundation
import PredicateSyntax

/// Writes a keyed archive: objects are numbered before they are filled, so that they can refer to each other in cycles.
struct KeyedArchiveWriter {
    private var objects: [PropertyListValue] = [.string("$null")]
    private var classes: [String: Int] = [:]
    private var strings: [ExactName: Int] = [:]

    /// The UID of nil.
    static let null = PropertyListValue.uid(0)

    /// The archive as a binary property list.
    func bytes(root: PropertyListValue) -> [UInt8] {
        BinaryPropertyListWriter.bytes(
            of: .dictionary([
                "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
                "$top": .dictionary(["root": root]), "$objects": .array(objects),
            ]))
    }

    // MARK: Objects

    /// Adds a value without a class, and returns its UID.
    mutating func plain(_ value: PropertyListValue) -> PropertyListValue {
        objects.append(value)
        return .uid(objects.count - 1)
    }

    /// Returns the UID of an object that is filled later.
    mutating func reserve() -> PropertyListValue { plain(.null) }

    /// Fills a reserved object.
    mutating func fill(_ object: PropertyListValue, _ className: String, _ fields: [String: PropertyListValue]) {
        guard case .uid(let number) = object else { return }
        var fields = fields
        fields["$class"] = .uid(classNumber(className))
        objects[number] = .dictionary(fields)
    }

    mutating func object(_ className: String, _ fields: [String: PropertyListValue] = [:]) -> PropertyListValue {
        let object = reserve()
        fill(object, className, fields)
        return object
    }

    mutating func string(_ text: String) -> PropertyListValue {
        if let known = strings[ExactName(text)] { return .uid(known) }
        strings[ExactName(text)] = objects.count
        return plain(.string(text))
    }

    /// A string; null for nil.
    mutating func string(_ text: String?) -> PropertyListValue {
        guard let text else { return Self.null }
        return string(text)
    }

    mutating func list(_ elements: [PropertyListValue], as className: String = "NSArray") -> PropertyListValue {
        object(className, ["NS.objects": .array(elements)])
    }

    mutating func dictionary(
        _ entries: [(key: String, value: PropertyListValue)], as className: String = "NSMutableDictionary"
    ) -> PropertyListValue {
        let keys = entries.map { string($0.key) }
        return object(className, ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.value))])
    }

    private mutating func classNumber(_ name: String) -> Int {
        if let known = classes[name] { return known }
        let line = ([name] + Self.superclasses(of: name) + ["NSObject"]).map(PropertyListValue.string)
        classes[name] = objects.count
        objects.append(.dictionary(["$classname": .string(name), "$classes": .array(line)]))
        return objects.count - 1
    }

    /// The superclasses of a class, without `NSObject`.
    private static func superclasses(of name: String) -> [String] {
        switch name {
        case "NSMutableDictionary": ["NSDictionary"]
        case "NSDecimalNumber": ["NSNumber", "NSValue"]
        case "NSAttributeDescription", "NSRelationshipDescription", "NSFetchedPropertyDescription",
            "NSExpressionDescription":
            ["NSPropertyDescription"]
        case "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
            ["NSAttributeDescription", "NSPropertyDescription"]
        case "NSFetchRequest": ["NSPersistentStoreRequest"]
        case "NSKeyPathExpression": ["NSFunctionExpression", "NSExpression"]
        case let name where name.hasSuffix("Expression"): ["NSExpression"]
        case "NSLikePredicateOperator":
            ["NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator"]
        case "NSMatchingPredicateOperator", "NSSubstringPredicateOperator":
            ["NSStringPredicateOperator", "NSPredicateOperator"]
        case let name where name.hasSuffix("PredicateOperator"): ["NSPredicateOperator"]
        case let name where name.hasSuffix("Predicate"): ["NSPredicate"]
        default: []
        }
    }

    // MARK: Values

    /// Adds a value of Foundation's classes. Throws `notWritable` for other values.
    mutating func value(_ value: PredicateValue) throws(ModelError) -> PropertyListValue {
        switch value {
        case .null: return Self.null
        case .nullObject: return object("NSNull")
        case .bool(let flag): return plain(.bool(flag))
        case .integer(let number): return plain(.integer(number))
        case .double(let number): return plain(.real(number))
        case .decimal(let number): return object("NSDecimalNumber", ArchivedDecimal.fields(of: number))
        case .string(let text): return string(text)
        case .date(let date): return object("NSDate", ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
        case .data(let data): return plain(.data(data))
        case .uuid(let uuid):
            return object("NSUUID", ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
        case .url(let url):
            return object("NSURL", ["NS.base": Self.null, "NS.relative": string(url.absoluteString)])
        case .array(let values): return list(try elements(values))
        case .set(let values): return list(try elements(Array(values)), as: "NSSet")
        case .orderedSet(let values): return list(try elements(values), as: "NSOrderedSet")
        case .dictionary(let entries): return try dictionary(of: entries)
        case .type, .object, .expression, .predicate:
            throw ModelError(.notWritable("a value of the kind \(value.kindName)"))
        }
    }

    /// An archived dictionary. An object of another class, which ``ArchivedTree`` represents as a dictionary, is refused.
    mutating func dictionary(of entries: [String: PredicateValue]) throws(ModelError) -> PropertyListValue {
        guard entries.keys.allSatisfy({ !ArchivedTree.marks.contains($0) }) else {
            throw ModelError(.notWritable("a decoded object"))
        }
        let sorted = entries.sorted { $0.key < $1.key }
        let values = try elements(sorted.map(\.value))
        return dictionary(Array(zip(sorted.map(\.key), values)), as: "NSDictionary")
    }

    private mutating func elements(_ values: [PredicateValue]) throws(ModelError) -> [PropertyListValue] {
        var found: [PropertyListValue] = []
        for value in values { found.append(try self.value(value)) }
        return found
    }
}

extension ArchivedDecimal {
    /// The fields of an archived decimal number, with a mantissa of little-endian words.
    static func fields(of number: Decimal) -> [String: PropertyListValue] {
        let words = number.isNaN ? [] : words(of: number.significand)
        let mantissa = words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        return [
            "NS.mantissa": .data(Data(mantissa + Array(repeating: 0, count: 16 - mantissa.count))),
            "NS.mantissa.bo": .integer(1), "NS.length": .integer(Int64(words.count)), "NS.compact": .bool(true),
            "NS.negative": .bool(number.isNaN || number.sign == .minus),
            "NS.exponent": .integer(Int64(number.exponent)),
        ]
    }

    /// The words of a whole number, by division of its digits.
    private static func words(of number: Decimal) -> [UInt16] {
        var digits = "\(number)".utf8.filter { $0 >= 0x30 }.map { UInt32($0 - 0x30) }
        var words: [UInt16] = []
        while digits.contains(where: { $0 != 0 }) {
            var rest: UInt32 = 0
            for index in digits.indices {
                let part = rest * 10 + digits[index]
                (digits[index], rest) = part.quotientAndRemainder(dividingBy: 0x1_0000)
            }
            words.append(UInt16(rest))
        }
        return words
    }
}
