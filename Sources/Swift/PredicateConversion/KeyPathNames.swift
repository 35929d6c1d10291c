import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Names of key paths, in addition to those that types declare.
///
/// `try FormatPredicate(predicate, names: [\Person.isAdult: "adult"])`
///
/// The name of a key path is the first of these that exists: the name given here; the name in the table of a
/// `KeyPathCoding` type, which may include computed properties; the declared name of the property, found by reflection.
/// Computed properties and properties of non-final classes have no declared name. [NSP-272]
public struct KeyPathNames: ExpressibleByDictionaryLiteral {
    private let names: [AnyKeyPath: String]

    /// Makes a list of key paths with their names.
    public init(dictionaryLiteral elements: (AnyKeyPath, String)...) {
        names = Dictionary(elements, uniquingKeysWith: { _, last in last })
    }

    /// Returns the keys of a Swift key path by the names that types give them; nil if a component has no name.
    package static func keys(of keyPath: AnyKeyPath) -> [String]? { KeyPathNames().keys(of: keyPath) }

    /// Returns the keys of a path; nil if it has no name. Swift predicates have paths of one step, sort descriptors
    /// may have longer ones.
    func keys(of keyPath: AnyKeyPath) -> [String]? {
        let root = type(of: keyPath).rootType
        let properties = PropertyPath(keyPath)?.properties
        if let name = names[keyPath] { return [name] }
        if let table = root as? any KeyPathCoding.Type { return Self.keys(of: keyPath, in: table, or: properties) }
        return ValueType.isItsRawValue(root) ? nil : properties
    }

    /// Returns the name in the table, or the declared name of the property unless the table uses it for another
    /// property.
    private static func keys<Root: KeyPathCoding>(
        of keyPath: AnyKeyPath, in type: Root.Type, or properties: [String]?
    ) -> [String]? {
        let table = Root.keys
        if let name = table.names.first(where: { (table[$0]?.keyPath).map { $0 as AnyKeyPath } == keyPath }) {
            return [name]
        }
        guard let properties, properties.count > 1 || table[properties[0]] == nil else { return nil }
        return properties
    }
}

/// The properties along a key path, read from its description: `\Person.boss?.name` is `boss`, `name`.
///
/// Parsing is strict: anything else in the description, such as `<computed 0x… (Int)>`, `[0]` or an offset, yields
/// nil.
struct PropertyPath {
    let properties: [String]

    init?(_ keyPath: AnyKeyPath) {
        // The description is based on offsets, and a value of size 0 has the same offset as the next property.
        guard Self.hasSize(type(of: keyPath).valueType) else { return nil }
        let opening = "\\\(_typeName(type(of: keyPath).rootType, qualified: false))."
        let description = keyPath.debugDescription
        guard description.hasPrefix(opening) else { return nil }
        var properties: [String] = []
        for part in description.dropFirst(opening.count).split(separator: ".", omittingEmptySubsequences: false) {
            // If a value inside a path is nil, the result is nil, whether the path contains `?` or `!`.
            let isUnwrapped = part.last == "?" || part.last == "!"
            let name = isUnwrapped ? part.dropLast() : part
            guard let first = name.unicodeScalars.first, Self.begins(first) || Self.isDigits(name),
                name.unicodeScalars.allSatisfy(Self.continues)
            else { return nil }
            properties.append(String(name))
        }
        self.properties = properties
    }

    private static func hasSize(_ type: any Any.Type) -> Bool {
        func open<Value>(_ type: Value.Type) -> Bool { MemoryLayout<Value>.size > 0 }
        return _openExistential(type, do: open)
    }

    private static func begins(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDStart || !scalar.isASCII && scalar.properties.isEmoji
    }

    private static func continues(_ scalar: Unicode.Scalar) -> Bool {
        begins(scalar) || scalar.properties.isXIDContinue || scalar == "\u{FE0F}" || scalar == "\u{200D}"
    }

    /// Returns true for the element of a tuple.
    private static func isDigits(_ name: Substring) -> Bool {
        name.unicodeScalars.allSatisfy { ("0"..."9").contains($0) }
    }
}

/// A property of a Swift type for which the language has a special form.
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

    /// Returns the property of anything but a collection; nil if it has no special form.
    fileprivate static func other(of root: Any.Type, _ keyPath: AnyKeyPath) -> KnownProperty? {
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

    /// Returns true if the key path is that of a stored raw value, or yields the raw value of every case. Key paths to
    /// computed properties can only be recognized by their results, because they have no names.
    private static func isRawValue<Root: RawRepresentable>(_ keyPath: AnyKeyPath, of type: Root.Type) -> Bool {
        guard ValueType.isItsRawValue(type) else { return false }
        if PropertyPath(keyPath)?.properties == ["rawValue"] { return true }
        guard let keyPath = keyPath as? KeyPath<Root, Root.RawValue>, let cases = EnumCases.all(of: type) else {
            return false
        }
        return cases.allSatisfy { root in
            root[keyPath: keyPath] as? AnyHashable == root.rawValue as? AnyHashable
        }
    }

    /// Converts the property of a value.
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

extension PredicateExpressions.KeyPath {
    /// The property for which the language has a special form; nil for any other.
    var knownProperty: KnownProperty? {
        let isText = ValueType.isText(Root.Output.self)
        return switch kind {
        case .collectionCount?: isText ? .characterCount : .count
        case .collectionIsEmpty?: isText ? .textIsEmpty : .isEmpty
        case .collectionFirst?: .first
        case .bidirectionalCollectionLast?: .last
        case nil: KnownProperty.other(of: Root.Output.self, keyPath)
        }
    }
}

/// A dictionary with any types.
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

/// The cases of an enum that does not list them itself, found by its memory layout.
///
/// A case without a payload is stored as its number, counted from 0, and a nil optional is stored as the first number
/// without a case. Enums with another layout, such as those of C, have no list.
enum EnumCases {
    /// Returns all cases; nil if the layout does not reveal them.
    static func all<Value: RawRepresentable>(of type: Value.Type) -> [Value]? {
        guard isEnum(type) else { return nil }
        if let type = type as? any CaseIterable.Type { return list(of: type) }
        guard let count = count(of: type) else { return nil }
        var cases: [Value] = []
        for number in 0..<count { cases.append(stored(as: number)) }
        return cases.allSatisfy({ isItself($0) }) ? cases : nil
    }

    /// Returns the case with this number.
    private static func stored<Value>(as number: Int) -> Value {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { room in
            let bytes = UnsafeMutableRawBufferPointer(room)
            if !bytes.isEmpty { bytes[0] = UInt8(number) }
            return room[0]
        }
    }

    private static func list<Value: CaseIterable, Element>(of type: Value.Type) -> [Element]? {
        Array(Value.allCases) as? [Element]
    }

    /// Returns the number of cases. A single case takes no byte, up to 255 cases take one.
    private static func count<Value>(of type: Value.Type) -> Int? {
        switch MemoryLayout<Value>.size {
        case 0: 1
        case 1 where MemoryLayout<Value?>.size == 1: Int(unsafeBitCast(Value?.none, to: UInt8.self))
        default: nil
        }
    }

    /// Returns true if the raw value of a case yields the same case.
    private static func isItself<Value: RawRepresentable>(_ value: Value) -> Bool {
        guard let same = Value(rawValue: value.rawValue) else { return false }
        return withUnsafeBytes(of: value) { bytes in withUnsafeBytes(of: same) { bytes.elementsEqual($0) } }
    }

    /// Type metadata begins with its kind, which is 0x201 for enums.
    private static func isEnum(_ type: any Any.Type) -> Bool {
        unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self) == 0x201
    }
}
