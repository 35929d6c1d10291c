import Foundation
import PredicateSyntax

extension KeyedValue {
    /// The class of the value: `NSString`, `NSArray`, or the name of the host's type.
    package var valueClass: PredicateValue.ClassName {
        switch self {
        case .value(let value): value.valueClass
        case .object(let object) where object is any DictionaryCoding: .dictionary
        case .object:
            PredicateValue.ClassName(
                hostObject.map { String(describing: type(of: $0)) } ?? PredicateValue.ClassName.object.name)
        case .collection(let collection): collection.kind.valueClass
        }
    }

    /// The class of the value; nil if the value is nil.
    var shownClass: PredicateValue.ClassName? {
        if case .value(let value) = self { value.shownClass } else { valueClass }
    }

    /// The name of the class for errors; `nil` for nil.
    package var className: String { shownClass?.name ?? "nil" }

    /// The string that `description` and `CAST(x, "NSString")` return: a string itself, a number as digits, a date as
    /// `2001-01-01 00:00:00 +0000`, a collection as a property list, an object as its own description or as
    /// `<Person>`.
    package var descriptionText: String {
        describe(depth: 0)
    }

    fileprivate func describe(depth: Int) -> String {
        if let dictionaryKeys {
            return Self.describe(dictionaryKeys.map { ($0, entry(for: $0) ?? .null) }, depth: depth)
        }
        if let kind = collectionKind, let elements { return Self.describe(elements, kind, depth: depth) }
        switch self {
        case .value(let value): return value.scalarDescription
        case .object, .collection: return hostObject.map(Self.describe) ?? ""
        }
    }

    /// Returns the description of an object, or its class in angle brackets. Reflection is not used: it would
    /// describe dates too, and Foundation terminates the program for a date that is NaN.
    fileprivate static func describe(_ object: Any) -> String {
        (object as? any CustomStringConvertible)?.description ?? "<\(type(of: object))>"
    }

    private static func describe(_ elements: [KeyedValue], _ kind: KeyedCollection.Kind, depth: Int) -> String {
        let (opening, closing) = kind == .array ? ("(", ")") : ("{(", ")}")
        guard depth < PredicateLimits.standard.nesting else { return opening + "…" + closing }
        let indent = String(repeating: "    ", count: depth)
        let lines = elements.map { "\(indent)    \($0.describeNested(depth: depth + 1))" }
        return opening + "\n" + lines.joined(separator: ",\n") + (lines.isEmpty ? "" : "\n") + indent + closing
    }

    /// Describes entries in the order of their keys, so that equal dictionaries have equal descriptions.
    private static func describe(_ entries: [(key: KeyedValue, value: KeyedValue)], depth: Int) -> String {
        guard depth < PredicateLimits.standard.nesting else { return "{…}" }
        let indent = String(repeating: "    ", count: depth)
        let lines = entries.map { key, value in
            let name = key.describeNested(depth: depth + 1)
            return "\(indent)    \(name) = \(value.describeNested(depth: depth + 1));\n"
        }
        return "{\n" + lines.joined() + indent + "}"
    }

    /// Describes a value inside a property list, where a string of more than one word is quoted.
    private func describeNested(depth: Int) -> String {
        let text = describe(depth: depth)
        if collectionKind != nil || isDictionary { return text }
        return Self.quoted(text)
    }

    private static func quoted(_ text: String) -> String {
        let isWord = text.utf8.allSatisfy { byte in
            (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39) || byte == 0x5F
        }
        if isWord && !text.isEmpty { return text }
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}

extension KeyedCollection.Kind {
    /// `NSArray`, `NSSet`, `NSOrderedSet`
    package var valueClass: PredicateValue.ClassName {
        switch self {
        case .array: .array
        case .set: .set
        case .orderedSet: .orderedSet
        }
    }
}

extension PredicateValue {
    /// The class of the value: `NSNumber`, `NSString`, …
    package var valueClass: PredicateValue.ClassName {
        switch self {
        case .null, .nullObject: .null
        case .bool, .integer, .double: .number
        case .decimal: .decimalNumber
        case .string: .string
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .url: .url
        case .type: .type
        case .array: .array
        case .set: .set
        case .orderedSet: .orderedSet
        case .dictionary: .dictionary
        case .object(let object): object.keyedValue.valueClass
        case .expression: .expression
        case .predicate: .predicate
        }
    }

    /// The class of the value; nil if the value is nil.
    var shownClass: PredicateValue.ClassName? {
        if case .null = self { nil } else { valueClass }
    }

    /// The description of a value that is not a collection.
    fileprivate var scalarDescription: String {
        switch self {
        case .null: "nil"
        case .nullObject: "<null>"
        case .bool, .integer, .double, .decimal: Number(self)?.text ?? ""
        case .string(let value): value
        case .date(let value): value.objectDescription
        case .data(let value): value.objectDescription
        case .uuid(let value): value.uuidString
        case .url(let value): value.absoluteString
        case .type(let value): value.name
        case .object(let value): KeyedValue.describe(KeyedValue.value(.object(value)).hostObject ?? value.base)
        case .array, .set, .orderedSet, .dictionary, .expression, .predicate: valueClass.name
        }
    }
}

extension Date {
    /// `2001-01-01 00:00:00 +0000`; a date outside the calendar is shown as seconds since 2001.
    fileprivate var objectDescription: String {
        let seconds = timeIntervalSinceReferenceDate
        return abs(seconds) < 1e15 ? description : Number.double(seconds).text
    }
}

extension Data {
    /// `{length = 3, bytes = 0x010203}`; long data is shown by its first 16 and last 8 bytes.
    fileprivate var objectDescription: String {
        guard count > 24 else { return "{length = \(count), bytes = 0x\(Self.hexadecimal(self))}" }
        let head = Self.groups(prefix(16))
        return "{length = \(count), bytes = 0x\(head) ... \(Self.groups(suffix(8))) }"
    }

    private static func groups(_ bytes: Data) -> String {
        let bytes = Array(bytes)
        let starts = stride(from: 0, to: bytes.count, by: 4)
        return starts.map { hexadecimal(bytes[$0..<Swift.min($0 + 4, bytes.count)]) }.joined(separator: " ")
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
