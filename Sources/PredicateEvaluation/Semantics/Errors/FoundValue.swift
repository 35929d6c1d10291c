import Foundation
import PredicateSyntax

extension KeyedValue {
    /// The value as errors show it: `NSString "abc"`, `NSNumber 5`, `NSArray of 3`, `nil`; long texts are cut.
    var found: String {
        switch self {
        case .value(let value): value.found
        case .object: className
        case .collection(let collection): "\(className) of \(collection.elements.count)"
        }
    }
}

extension PredicateValue {
    /// The value as errors show it.
    var found: String {
        switch self {
        case .null: "nil"
        case .nullObject: "<null>"
        case .bool(let value): "NSNumber \(value ? "YES" : "NO")"
        case .integer(let value): "NSNumber \(value)"
        case .double(let value): "NSNumber \(value)"
        case .decimal(let value): "NSDecimalNumber \(value)"
        case .string(let value): "NSString \(Self.quoted(value))"
        case .date(let value): "NSDate \(ISO8601.string(from: value) ?? "\(value.timeIntervalSinceReferenceDate)")"
        case .data(let value): "NSData of \(value.count) bytes"
        case .uuid(let value): "NSUUID \(value.uuidString)"
        case .url(let value): "NSURL \(Self.quoted(value.absoluteString))"
        case .type(let value): "Class \(value.name)"
        case .array(let elements): "NSArray of \(elements.count)"
        case .set(let elements): "NSSet of \(elements.count)"
        case .orderedSet(let elements): "NSOrderedSet of \(elements.count)"
        case .dictionary(let entries): "NSDictionary of \(entries.count)"
        case .object: KeyedValue.value(self).className
        case .expression: "NSExpression"
        case .predicate: "NSPredicate"
        }
    }

    /// At most 40 characters, so that an error stays one line.
    private static func quoted(_ text: String) -> String {
        let head = text.prefix(40)
        let escaped = head.map { $0.isNewline ? "\\n" : String($0) }.joined()
        return head.endIndex == text.endIndex ? "\"\(escaped)\"" : "\"\(escaped)…\""
    }
}
