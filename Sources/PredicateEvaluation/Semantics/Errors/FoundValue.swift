import Foundation
import PredicateSyntax

/// A value as errors show it: its class, and a line of text.
///
/// `NSString "abc"`, `NSNumber 5`, `NSArray of 3`, `nil`
public struct FoundValue: Hashable, Sendable, CustomStringConvertible {
    /// The class of the value; nil for nil.
    package let valueClass: PredicateValue.ClassName?
    /// The class and the value on one line; long texts are cut.
    public let description: String

    /// Describes plain data: `FoundValue("abc")` is `NSString "abc"`.
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

    /// Describes a value by its class alone: `NSString`.
    @inline(never)
    package init(classOf value: KeyedValue) {
        valueClass = value.shownClass
        description = value.className
    }

    private init(class valueClass: PredicateValue.ClassName, _ detail: String? = nil) {
        self.valueClass = valueClass
        description = [valueClass.name, detail].compactMap(\.self).joined(separator: " ")
    }

    var isNil: Bool { valueClass == nil }

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
        case .nullObject: "<null>"
        case .bool(let value): "\(valueClass.name) \(value ? "YES" : "NO")"
        case .integer(let value): "\(valueClass.name) \(value)"
        case .double(let value): "\(valueClass.name) \(value)"
        case .decimal(let value): "\(valueClass.name) \(value)"
        case .string(let value): "\(valueClass.name) \(Self.quoted(value))"
        case .date(let value):
            "\(valueClass.name) \(ISO8601.string(from: value) ?? "\(value.timeIntervalSinceReferenceDate)")"
        case .data(let value): "\(valueClass.name) of \(value.count) bytes"
        case .uuid(let value): "\(valueClass.name) \(value.uuidString)"
        case .url(let value): "\(valueClass.name) \(Self.quoted(value.absoluteString))"
        case .type(let value): "\(valueClass.name) \(value.name)"
        case .array(let elements), .orderedSet(let elements): "\(valueClass.name) of \(elements.count)"
        case .set(let elements): "\(valueClass.name) of \(elements.count)"
        case .dictionary(let entries): "\(valueClass.name) of \(entries.count)"
        case .object, .expression, .predicate: valueClass.name
        }
    }

    /// At most 40 characters, so that an error stays one line.
    private static func quoted(_ text: String) -> String {
        let head = text.prefix(40)
        let escaped = head.map { $0.isNewline ? "\\n" : String($0) }.joined()
        return head.endIndex == text.endIndex ? "\"\(escaped)\"" : "\"\(escaped)…\""
    }
}
