import Foundation
import PredicateSyntax

/// A value as errors show it: its kind, and a line of text.
///
/// `the string "abc"`, `the number 5`, `an array of 3`, `nil`
public struct FoundValue: Hashable, Sendable, CustomStringConvertible {
    /// The class of the value; nil for nil.
    package let valueClass: PredicateValue.ClassName?
    /// The kind and the value on one line; long texts are cut.
    public let description: String

    /// Describes plain data: `FoundValue("abc")` is `the string "abc"`.
    @inline(never)
    package init(_ value: PredicateValue) {
        valueClass = value.shownClass
        description = value.shownText
    }

    /// Describes a value; of an object only the class is shown.
    @inline(never)
    public init(_ value: KeyedValue) {
        switch value {
        case .value(let value): self.init(value)
        case .object: self.init(class: value.valueClass)
        case .collection(let collection): self.init(class: value.valueClass, "of \(collection.elements.count)")
        }
    }

    /// Describes a value by its kind alone: `a string`.
    @inline(never)
    package init(classOf value: KeyedValue) {
        valueClass = value.shownClass
        description = value.shownClass?.noun ?? "nil"
    }

    private init(class valueClass: PredicateValue.ClassName, _ detail: String? = nil) {
        self.valueClass = valueClass
        description = [valueClass.noun, detail].compactMap(\.self).joined(separator: " ")
    }

    var isNil: Bool { valueClass == nil }

    var isPredicate: Bool { valueClass == .predicate }

    var isCollection: Bool { valueClass == .array || valueClass == .set || valueClass == .orderedSet }
}

extension KeyedValue {
    /// The value as errors show it.
    var found: FoundValue { FoundValue(self) }
}

extension PredicateValue {
    /// The value as errors show it.
    var found: FoundValue { FoundValue(self) }

    fileprivate var shownText: String {
        switch self {
        case .null: "nil"
        case .nullObject: "the null object"
        case .bool(let value): value ? "YES" : "NO"
        case .integer(let value): "the number \(value)"
        case .double(let value): "the number \(value)"
        case .decimal(let value): "the decimal number \(value)"
        case .string(let value): "the string \(Self.quoted(value))"
        case .date(let value): "the date \(ISO8601.string(from: value) ?? "\(value.timeIntervalSinceReferenceDate)")"
        case .data(let value): "data of \(value.count) bytes"
        case .uuid(let value): "the UUID \(value.uuidString)"
        case .url(let value): "the URL \(Self.quoted(value.absoluteString))"
        case .type(let value): "the class \(value.name)"
        case .array(let elements): "\(valueClass.noun) of \(elements.count)"
        case .orderedSet(let elements): "\(valueClass.noun) of \(elements.count)"
        case .set(let elements): "\(valueClass.noun) of \(elements.count)"
        case .dictionary(let entries): "\(valueClass.noun) of \(entries.count)"
        case .object, .expression, .predicate: valueClass.noun
        }
    }

    /// At most 40 characters, so that an error stays one line.
    private static func quoted(_ text: String) -> String {
        let head = text.prefix(40)
        let escaped = head.map { $0.isNewline ? "\\n" : String($0) }.joined()
        return head.endIndex == text.endIndex ? "\"\(escaped)\"" : "\"\(escaped)…\""
    }
}

extension PredicateValue.ClassName {
    /// Values of the class in the words of errors: `a string`; the name of a class of the host.
    var noun: String {
        switch self {
        case .null: "nil"
        case .number: "a number"
        case .decimalNumber: "a decimal number"
        case .string: "a string"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .array: "an array"
        case .set: "a set"
        case .orderedSet: "an ordered set"
        case .dictionary: "a dictionary"
        case .expression: "an expression"
        case .predicate: "a predicate"
        case .type: "a class"
        default: name
        }
    }
}
