import Foundation
import PredicateSyntax

/// A property of Swift's own types that the language has in a form of its own.
enum KnownProperty {
    /// `$0.name.count`: characters, where `length:` counts UTF-16 units [NSP-274]
    case characterCount
    /// `$0.name.isEmpty`
    case textIsEmpty
    /// `$0.tags.count`
    case count
    case isEmpty
    case first
    case last
    /// `$0.scores.count` of a dictionary
    case entryCount
    case hasNoEntries
    /// `$0.scores.keys.contains("math")`
    case entryKeys
    /// `$0.scores.values.contains { $0 > 3 }`
    case entryValues
    /// `$0.kind.rawValue`: an enum is its raw value
    case rawValue
    /// `$0.due.timeIntervalSinceReferenceDate`
    case seconds
    case secondsSince1970

    init?(of root: Any.Type, _ keyPath: AnyKeyPath, _ kind: CollectionProperty?) {
        switch kind {
        case .count?: self = ValueType.isText(root) ? .characterCount : .count
        case .isEmpty?: self = ValueType.isText(root) ? .textIsEmpty : .isEmpty
        case .first?: self = .first
        case .last?: self = .last
        case nil:
            guard let property = Self.other(of: root, keyPath) else { return nil }
            self = property
        }
    }

    private static func other(of root: Any.Type, _ keyPath: AnyKeyPath) -> KnownProperty? {
        if let type = root as? any DictionaryType.Type { return type.property(keyPath) }
        if let type = root as? any RawRepresentable.Type {
            return isRawValue(keyPath, of: type) ? .rawValue : nil
        }
        switch keyPath {
        case \Date.timeIntervalSinceReferenceDate: return .seconds
        case \Date.timeIntervalSince1970: return .secondsSince1970
        default: return nil
        }
    }

    /// True if the key path gives the raw value of every case: key paths to computed properties have no name to ask for.
    private static func isRawValue<Root: RawRepresentable>(_ keyPath: AnyKeyPath, of type: Root.Type) -> Bool {
        guard let keyPath = keyPath as? KeyPath<Root, Root.RawValue>, let cases = EnumCases.all(of: type) else {
            return false
        }
        return cases.allSatisfy { root in
            root[keyPath: keyPath] as? AnyHashable == root.rawValue as? AnyHashable
        }
    }

    /// The property of a value.
    func converted(_ base: ExpressionNode) -> Converted {
        switch self {
        case .characterCount: .value(.call(.length, base))
        case .textIsEmpty: .condition(.comparing(base, .equalTo, .constantValue(.string(""))))
        case .count: .value(base.appending(["@count"]))
        case .isEmpty: .condition(.comparing(base.appending(["@count"]), .equalTo, .constantValue(.integer(0))))
        case .first: .value(.index(IndexExpression(base: base, index: .symbol(.first))))
        case .last: .value(.index(IndexExpression(base: base, index: .symbol(.last))))
        case .entryCount: .value(Self.size(of: base))
        case .hasNoEntries: .condition(.comparing(Self.size(of: base), .equalTo, .constantValue(.integer(0))))
        case .entryKeys: .value(base.appending(["@allKeys"]))
        case .entryValues: .value(base.appending(["@allValues"]))
        case .rawValue: .value(base)
        case .seconds: .value(base.appending(["timeIntervalSinceReferenceDate"]))
        case .secondsSince1970: .value(base.appending(["timeIntervalSince1970"]))
        }
    }

    private static func size(of base: ExpressionNode) -> ExpressionNode {
        .index(IndexExpression(base: base, index: .symbol(.size)))
    }

    /// The property as source code.
    var name: String {
        switch self {
        case .characterCount, .count, .entryCount: "count"
        case .textIsEmpty, .isEmpty, .hasNoEntries: "isEmpty"
        case .first: "first"
        case .last: "last"
        case .entryKeys: "keys"
        case .entryValues: "values"
        case .rawValue: "rawValue"
        case .seconds: "timeIntervalSinceReferenceDate"
        case .secondsSince1970: "timeIntervalSince1970"
        }
    }
}

/// The properties of collections that Foundation tells apart.
enum CollectionProperty {
    case count, isEmpty, first, last
}

extension PredicateExpressions.KeyPath {
    /// Which of these the key path leads to.
    var collectionProperty: CollectionProperty? {
        switch kind {
        case .collectionCount?: .count
        case .collectionIsEmpty?: .isEmpty
        case .collectionFirst?: .first
        case .bidirectionalCollectionLast?: .last
        case nil: nil
        }
    }
}

/// A dictionary of any types.
protocol DictionaryType {
    static func property(_ keyPath: AnyKeyPath) -> KnownProperty?
}

extension Dictionary: DictionaryType {
    static func property(_ keyPath: AnyKeyPath) -> KnownProperty? {
        switch keyPath {
        case \[Key: Value].count: .entryCount
        case \[Key: Value].isEmpty: .hasNoEntries
        case \[Key: Value].keys: .entryKeys
        case \[Key: Value].values: .entryValues
        default: nil
        }
    }
}
