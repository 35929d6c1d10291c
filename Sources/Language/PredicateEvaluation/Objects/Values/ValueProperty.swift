import Foundation
import PredicateSyntax
import PredicateText

/// A property of plain values that key paths read by name. The name is looked up once, not for every object.
///
/// `name.length == 5`, `number.stringValue BEGINSWITH "1"`, `tags.count > 2`
///
/// Several kinds of values may share a name: strings and data have `length`, only URLs have `path`.
package struct ValueProperty: Hashable, Sendable {
    private let universal: UniversalKey?
    private let string: StringKey?
    private let number: NumberKey?
    private let date: DateKey?
    private let data: DataKey?
    private let uuid: UUIDKey?
    private let url: URLKey?
    private let collection: CollectionKey?
    private let dictionary: DictionaryKey?

    /// Makes the property with this name; nil if no kind of value has such a property.
    package init?(rawValue name: String) {
        guard Self.mayBeName(name), Self.allNames.contains(name) else { return nil }
        universal = UniversalKey(rawValue: name)
        string = StringKey(rawValue: name)
        number = NumberKey(rawValue: name)
        date = DateKey(rawValue: name)
        data = DataKey(rawValue: name)
        uuid = UUIDKey(rawValue: name)
        url = URLKey(rawValue: name)
        collection = CollectionKey(rawValue: name)
        dictionary = DictionaryKey(rawValue: name)
    }

    /// True if the property of a string is its length.
    var isLength: Bool { string == .length }

    /// True if the property is a string that may be far larger than the value.
    var isDescription: Bool { universal == .description }

    /// Returns the property of a value; nil if its kind has no such property.
    package func value(of receiver: KeyedValue) -> KeyedValue? {
        switch receiver {
        case .value(.null): return .null
        case .value(let value): if let found = self.value(of: value) { return .value(found) }
        case .object, .collection: break
        }
        return value(ofCollection: receiver) ?? value(ofDictionary: receiver) ?? universal?.value(of: receiver)
    }

    /// Returns a property of an array or a set itself, not of its elements; nil for other values.
    package func value(ofCollection receiver: KeyedValue) -> KeyedValue? {
        guard let collection, let kind = receiver.collectionKind, let elements = receiver.elements else { return nil }
        return collection.value(of: elements, kind: kind)
    }

    private func value(ofDictionary receiver: KeyedValue) -> KeyedValue? {
        guard let dictionary, let keys = receiver.dictionaryKeys else { return nil }
        return dictionary.value(of: receiver, keys)
    }

    private func value(of value: PredicateValue) -> PredicateValue? {
        switch value {
        case .bool, .integer, .double, .decimal:
            guard let number, let receiver = Number(value) else { return nil }
            return number.value(of: receiver)
        case .string(let value): return string?.value(of: value)
        case .date(let value): return date?.value(of: value)
        case .data(let value): return data?.value(of: value)
        case .uuid(let value): return uuid?.value(of: value)
        case .url(let value): return url?.value(of: value)
        case .null, .nullObject, .type, .array, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            return nil
        }
    }

    /// Returns the names of the properties of a value.
    package static func names(for receiver: KeyedValue) -> [String] {
        guard case .value(let value) = receiver, let kind = value.kind else {
            return UniversalKey.allCases.map(\.rawValue)
        }
        return kind.keys
    }

    /// Returns the names of the properties of one of Foundation's classes; empty for other classes.
    package static func names(forClass name: String) -> [String] { CastType(rawValue: name)?.kind.ownKeys ?? [] }

    /// False if no property with the same first letter has a name of this length, so that most keys need not be hashed.
    private static func mayBeName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first &- 0x61 < 26 else { return true }
        let length = name.utf8.count
        return length < 64 && lengths[Int(first &- 0x61)] & (1 << UInt64(length)) != 0
    }

    /// For each letter, the lengths of the names that begin with it: one bit for each length.
    private static let lengths: [UInt64] = {
        var lengths = [UInt64](repeating: 0, count: 26)
        for name in allNames {
            guard let first = name.utf8.first, first &- 0x61 < 26 else { continue }
            lengths[Int(first &- 0x61)] |= 1 << UInt64(name.utf8.count)
        }
        return lengths
    }()

    private static let allNames: Set<String> = Set(PredicateValue.Kind.allCases.flatMap(\.keys))
}

extension UniversalKey {
    func value(of receiver: KeyedValue) -> KeyedValue? {
        switch self {
        case .class: receiver.isNull ? .null : .value(.type(receiver.valueClass))
        case .description: .value(.string(receiver.descriptionText))
        case .self: receiver
        }
    }
}

extension CollectionKey {
    func value(of elements: [KeyedValue], kind: KeyedCollection.Kind) -> KeyedValue {
        switch self {
        case .count: .value(.integer(Int64(elements.count)))
        case .firstObject, .anyObject: elements.first ?? .null
        case .lastObject: elements.last ?? .null
        case .allObjects, .array: KeyedValue(elements: elements, kind: .array)
        case .set: KeyedValue(elements: elements.distinct, kind: .set)
        }
    }
}

extension DictionaryKey {
    func value(of dictionary: KeyedValue, _ keys: [KeyedValue]) -> KeyedValue {
        switch self {
        case .count: .value(.integer(Int64(keys.count)))
        case .allKeys: KeyedValue(elements: keys, kind: .array)
        case .allValues: KeyedValue(elements: dictionary.elements ?? [], kind: .array)
        }
    }
}

// MARK: - Numbers

extension NumberKey {
    func value(of number: Number) -> PredicateValue {
        switch self {
        case .charValue: number.clamped(to: Int8.self)
        case .shortValue: number.clamped(to: Int16.self)
        case .intValue: number.clamped(to: Int32.self)
        case .integerValue, .longValue, .longLongValue: .integer(number.whole)
        case .unsignedCharValue: number.clamped(to: UInt8.self)
        case .unsignedShortValue: number.clamped(to: UInt16.self)
        case .unsignedIntValue: number.clamped(to: UInt32.self)
        case .unsignedIntegerValue, .unsignedLongValue, .unsignedLongLongValue: number.wholeWithoutSign.predicateValue
        case .floatValue: .double(Double(Float(number.doubleValue)))
        case .doubleValue: .double(number.doubleValue)
        case .boolValue: .bool(number.doubleValue != 0)
        case .decimalValue: .decimal(number.decimalValue)
        case .stringValue: .string(number.text)
        }
    }
}

extension Number {
    /// The whole part, clamped to an integer type and to 64 signed bits; 0 for NaN.
    fileprivate func clamped<Integer: FixedWidthInteger>(to type: Integer.Type) -> PredicateValue {
        .integer(min(max(whole, Int64(clamping: Integer.min)), Int64(clamping: Integer.max)))
    }

    /// The whole part, clamped to 64 signed bits; 0 for NaN.
    @inline(never)
    fileprivate var whole: Int64 {
        switch self {
        case .integer(let value): return value
        case .double(let value):
            if value.isNaN { return 0 }
            return Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
        case .decimal(let value):
            if value.isNaN { return 0 }
            return Int64(value.truncated.description) ?? (value.isSignMinus ? .min : .max)
        }
    }

    /// The whole part, clamped to 64 unsigned bits; 0 for NaN.
    fileprivate var wholeWithoutSign: UInt64 {
        switch self {
        case .integer(let value): return UInt64(clamping: value)
        case .double(let value):
            if value.isNaN { return 0 }
            return UInt64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
        case .decimal(let value):
            if value.isNaN { return 0 }
            return UInt64(value.truncated.description) ?? (value.isSignMinus ? .min : .max)
        }
    }

    /// The number as NSNumber prints it: `1.5`, and `2` for 2.0; Booleans are 1 and 0.
    package var text: String {
        switch self {
        case .integer(let value): return String(value)
        case .decimal(let value): return value.description
        case .double(let value):
            let text = String(value)
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
    }
}

// MARK: - Strings

extension StringKey {
    func value(of text: String) -> PredicateValue {
        switch self {
        case .length: .integer(Int64(text.utf16.count))
        case .intValue: .integer(Int64(Int32(clamping: NumericPrefix(text).integer)))
        case .integerValue, .longLongValue: .integer(NumericPrefix(text).integer)
        case .floatValue: .double(Double(Float(NumericPrefix(text).double)))
        case .doubleValue: .double(NumericPrefix(text).double)
        case .boolValue: .bool(NumericPrefix(text).bool)
        case .lowercaseString: .string(CaseMapping.lower.map(text))
        case .uppercaseString: .string(CaseMapping.upper.map(text))
        case .capitalizedString: .string(text.capitalized)
        case .lastPathComponent: .string(PathText(text).lastComponent)
        case .pathExtension: .string(PathText(text).pathExtension)
        case .stringByDeletingPathExtension: .string(PathText(text).deletingPathExtension)
        case .stringByDeletingLastPathComponent: .string(PathText(text).deletingLastComponent)
        case .pathComponents: .array(PathText(text).components.map(PredicateValue.string))
        case .isAbsolutePath: .bool(PathText(text).isAbsolute)
        }
    }
}

/// The number at the beginning of a string, as NSString reads it: white space, a sign and digits; the rest is
/// ignored.
package struct NumericPrefix {
    private let bytes: ArraySlice<UInt8>

    package init(_ text: String) {
        // No number is longer than this. Leading white space does not count.
        self.init(Array(text.utf8.drop(while: Self.isSpace).prefix(1 << 10))[...])
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// Returns a string without surrounding white space if it is nothing but a number: `12.5e3`
    static func whole(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let start = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return nil }
        let number = bytes[start...last]
        return NumericPrefix(number).end == number.endIndex ? String(decoding: number, as: UTF8.self) : nil
    }

    /// `"12 apples"` is 12. The value is clamped to 64 bits; 0 without digits.
    package var integer: Int64 {
        let isNegative = bytes.first == UInt8(ascii: "-")
        var value: Int64 = 0
        for digit in unsigned.prefix(while: Self.isDigit).map({ Int64($0 - UInt8(ascii: "0")) }) {
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(isNegative ? -digit : digit)
            if tooLarge || overflow { return isNegative ? .min : .max }
            value = sum
        }
        return value
    }

    /// `"1.5 m"` is 1.5; 0 without digits.
    package var double: Double {
        end.flatMap { Double(String(decoding: bytes[..<$0], as: UTF8.self)) } ?? 0
    }

    /// The end of the number, including a fraction and an exponent; nil without digits.
    private var end: Int? {
        let whole = unsigned.prefix(while: Self.isDigit)
        var end = whole.endIndex
        var digits = whole.count
        if unsigned[end...].first == UInt8(ascii: ".") {
            let fraction = unsigned[(end + 1)...].prefix(while: Self.isDigit)
            digits += fraction.count
            end = fraction.endIndex
        }
        return digits > 0 ? exponentEnd(after: end) : nil
    }

    /// `"YES"`, `"true"`, `"1"`, `"007"`
    package var bool: Bool {
        guard let first = unsigned.drop(while: { $0 == UInt8(ascii: "0") }).first else { return false }
        return "YyTt123456789".utf8.contains(first)
    }

    /// Returns the end of an exponent: `e`, a sign and digits. Without digits the number ends before the letter.
    private func exponentEnd(after end: Int) -> Int {
        guard let letter = unsigned[end...].first, letter | 0x20 == UInt8(ascii: "e") else { return end }
        let digits = Self.withoutSign(unsigned[(end + 1)...]).prefix(while: Self.isDigit)
        return digits.isEmpty ? end : digits.endIndex
    }

    private var unsigned: ArraySlice<UInt8> {
        Self.withoutSign(bytes)
    }

    private static func withoutSign(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (byte >= 9 && byte <= 13)
    }
}

// MARK: - File paths

/// A string as a file path: its parts, without access to any file.
///
/// `file.lastPathComponent == "a.txt"`
struct PathText {
    private let text: String
    /// The parts between the slashes, without empty parts.
    private let parts: [String]
    private let isRooted: Bool

    init(_ text: String) {
        self.text = text
        self.parts = text.split(separator: "/").map(String.init)
        self.isRooted = text.utf8.first == UInt8(ascii: "/")
    }

    /// True if the path begins at the root or at a home directory.
    var isAbsolute: Bool {
        isRooted || text.utf8.first == UInt8(ascii: "~")
    }

    /// `/tmp/a.txt` gives `/`, `tmp`, `a.txt`
    var components: [String] {
        let trailing = parts.isEmpty || text.utf8.last != UInt8(ascii: "/") ? [] : ["/"]
        return (isRooted ? ["/"] : []) + parts + trailing
    }

    /// `/tmp/a.txt` gives `a.txt`, `/` gives `/`
    var lastComponent: String {
        parts.last ?? (isRooted ? "/" : "")
    }

    /// `/tmp/a.txt` gives `/tmp`, `a.txt` gives the empty string
    var deletingLastComponent: String {
        joined(Array(parts.dropLast()))
    }

    /// `a.tar.gz` gives `gz`; a name whose only dot is its first character has no extension.
    var pathExtension: String {
        guard let point = extensionPoint else { return "" }
        return String(lastComponent[lastComponent.index(after: point)...])
    }

    /// `/tmp/a.txt` gives `/tmp/a`
    var deletingPathExtension: String {
        guard let point = extensionPoint else { return joined(parts) }
        return joined(Array(parts.dropLast()) + [String(lastComponent[..<point])])
    }

    private var extensionPoint: String.Index? {
        guard let point = lastComponent.lastIndex(of: "."), point != lastComponent.startIndex,
            lastComponent.index(after: point) != lastComponent.endIndex
        else { return nil }
        return point
    }

    private func joined(_ parts: [String]) -> String {
        (isRooted ? "/" : "") + parts.joined(separator: "/")
    }
}

// MARK: - Dates, data, UUIDs and URLs

extension DateKey {
    func value(of date: Date) -> PredicateValue {
        switch self {
        case .timeIntervalSince1970: .double(date.timeIntervalSince1970)
        case .timeIntervalSinceReferenceDate: .double(date.timeIntervalSinceReferenceDate)
        case .timeIntervalSinceNow: .double(date.timeIntervalSinceNow)
        }
    }
}

extension DataKey {
    func value(of data: Data) -> PredicateValue {
        switch self {
        case .length: .integer(Int64(data.count))
        }
    }
}

extension UUIDKey {
    func value(of uuid: UUID) -> PredicateValue {
        switch self {
        case .uuidString: .string(uuid.uuidString)
        }
    }
}

extension URLKey {
    func value(of url: URL) -> PredicateValue {
        switch self {
        case .absoluteString: .string(url.absoluteString)
        case .relativeString: .string(url.relativeString)
        case .path: .string(url.path)
        case .relativePath: .string(url.relativePath)
        case .lastPathComponent: .string(url.lastPathComponent)
        case .pathExtension: .string(url.pathExtension)
        case .pathComponents: url.pathComponents.predicateValue
        case .host: url.host.predicateValue
        case .scheme: url.scheme.predicateValue
        case .query: url.query.predicateValue
        case .fragment: url.fragment.predicateValue
        case .port: url.port.predicateValue
        case .isFileURL: .bool(url.isFileURL)
        }
    }
}
