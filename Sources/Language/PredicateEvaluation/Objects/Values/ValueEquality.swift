import Foundation
import PredicateSyntax

/// Returns true if two values are equal in the language: the equality of `==`, `IN` and `CONTAINS`.
///
/// `8 == 8.0`, `YES == 1`, `name == "jo"`
///
/// Numbers of different kinds are equal by value, and NaN equals itself. Strings are equal by code points. nil equals
/// `<null>`. Arrays are equal by their elements and sets as sets; an array never equals a set. Objects are equal by
/// identity or by their own `==`. Values of different types are unequal. Never throws; collections that are nested
/// deeper than ``PredicateLimits/standard`` allows are unequal.
package func isEqual(_ left: KeyedValue, _ right: KeyedValue) -> Bool {
    isEqual(left, right, depth: 0)
}

@inline(never)
private func isEqual(_ left: KeyedValue, _ right: KeyedValue, depth: Int) -> Bool {
    if case .value(let left) = left, case .value(let right) = right {
        return isEqual(left, right, depth: depth)
    }
    guard depth < PredicateLimits.standard.nesting else { return false }
    return isEqualKeyed(left, right, depth: depth)
}

private func isEqualKeyed(_ left: KeyedValue, _ right: KeyedValue, depth: Int) -> Bool {
    if let leftKind = left.collectionKind, let rightKind = right.collectionKind {
        return leftKind == rightKind
            && hasEqualElements(left.elements ?? [], right.elements ?? [], kind: leftKind, depth: depth + 1)
    }
    if let keys = left.dictionaryKeys, right.isDictionary {
        return left.elementCount == right.elementCount
            && keys.allSatisfy { key in
                guard let value = left.entry(for: key), let other = right.entry(for: key) else { return false }
                return isEqual(value, other, depth: depth + 1)
            }
    }
    return isSameObject(left.hostObject, right.hostObject)
}

/// Returns true if plain data is equal, without converting it to values of keys.
package func isEqual(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
    isEqual(left, right, depth: 0)
}

@inline(never)
private func isEqual(_ left: PredicateValue, _ right: PredicateValue, depth: Int) -> Bool {
    switch left {
    case .null, .nullObject: return KeyedValue.value(right).isNull
    case .integer, .bool, .double, .decimal: return isEqualNumber(left, right)
    case .string(let left): if case .string(let right) = right { return left.hasSameCodePoints(as: right) }
    case .date(let left): if case .date(let right) = right { return left.isSame(as: right) }
    case .data(let left): if case .data(let right) = right { return left == right }
    case .uuid(let left): if case .uuid(let right) = right { return left == right }
    case .url(let left): if case .url(let right) = right { return left == right }
    case .type(let left): if case .type(let right) = right { return left == right }
    case .expression(let left): if case .expression(let right) = right { return left == right }
    case .predicate(let left): if case .predicate(let right) = right { return left == right }
    case .object, .array, .orderedSet, .set, .dictionary: return isEqualCompound(left, right, depth: depth)
    }
    return false
}

extension Date {
    /// True for equal dates, and for two dates that are NaN.
    fileprivate func isSame(as other: Date) -> Bool {
        self == other || timeIntervalSinceReferenceDate.isNaN && other.timeIntervalSinceReferenceDate.isNaN
    }
}

private func isEqualNumber(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
    if case .integer(let left) = left, case .integer(let right) = right { return left == right }
    guard let left = Number(left), let right = Number(right) else { return false }
    return left.compare(right) == .equal
}

/// Compares arrays, sets, dictionaries and objects. A plain value may be compared with a live one.
private func isEqualCompound(_ left: PredicateValue, _ right: PredicateValue, depth: Int) -> Bool {
    guard depth < PredicateLimits.standard.nesting else { return false }
    switch (left, right) {
    case (.array(let left), .array(let right)), (.orderedSet(let left), .orderedSet(let right)):
        return left.count == right.count && zip(left, right).allSatisfy { isEqual($0, $1, depth: depth + 1) }
    case (.dictionary(let left), .dictionary(let right)):
        return left.count == right.count
            && left.allSatisfy { key, value in
                right.value(exactly: key).map { isEqual(value, $0, depth: depth + 1) } ?? false
            }
    default:
        return isEqualKeyed(.value(left), .value(right), depth: depth)
    }
}

private func hasEqualElements(
    _ left: [KeyedValue], _ right: [KeyedValue], kind: KeyedCollection.Kind, depth: Int
) -> Bool {
    switch kind {
    case .array, .orderedSet:
        return left.count == right.count && zip(left, right).allSatisfy { isEqual($0, $1, depth: depth) }
    case .set:
        // Numbers of different kinds may be one element on one side and two on the other, so the counts cannot be
        // compared.
        return Set(left.map(DistinctValue.init)) == Set(right.map(DistinctValue.init))
    }
}

/// True if two of the host's objects are the same instance, or equal by the type's own `==`.
private func isSameObject(_ left: Any?, _ right: Any?) -> Bool {
    guard let left, let right else { return false }
    if type(of: left) is AnyClass, type(of: right) is AnyClass, left as AnyObject === right as AnyObject {
        return true
    }
    guard let left = left as? any Equatable else { return false }
    return equals(left, right)
}

private func equals<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    (right as? Value).map { left == $0 } ?? false
}

// MARK: - Distinct values

/// A value that is hashed and compared by the equality of the language, to remove duplicates.
///
/// `prices.@distinctUnionOfObjects.self`: 1, 1.0 and `YES` are one element.
package struct DistinctValue: Hashable {
    package let value: KeyedValue

    package init(_ value: KeyedValue) {
        self.value = value
    }

    @inline(never)
    package static func == (left: DistinctValue, right: DistinctValue) -> Bool {
        isEqual(left.value, right.value)
    }

    @inline(never)
    package func hash(into hasher: inout Hasher) {
        Self.hash(value, into: &hasher, depth: 0)
    }

    /// The number of hashed levels of a collection; deeper levels are only compared.
    private static let hashedLevels = 4

    /// Hashes a value so that equal values have equal hashes: numbers as doubles, arrays by their elements,
    /// dictionaries by their keys and values in any order. Sets are hashed by their kind alone, since a set may
    /// contain both 1 and 1.0.
    private static func hash(_ value: KeyedValue, into hasher: inout Hasher, depth: Int) {
        if let kind = value.collectionKind {
            hasher.combine(kind)
            guard kind != .set, depth < hashedLevels, let elements = value.elements else { return }
            hasher.combine(elements.count)
            for element in elements { hash(element, into: &hasher, depth: depth + 1) }
        } else if let count = value.elementCount {
            hasher.combine(count)
            if depth < hashedLevels { hash(entriesOf: value, into: &hasher, depth: depth + 1) }
        } else if case .value(let plain) = value {
            hash(plain, into: &hasher)
        } else {
            hash(value.hostObject, into: &hasher)
        }
    }

    private static func hash(entriesOf dictionary: KeyedValue, into hasher: inout Hasher, depth: Int) {
        var sum = 0
        for key in dictionary.dictionaryKeys ?? [] {
            var inner = Hasher()
            hash(key, into: &inner, depth: depth)
            hash(dictionary.entry(for: key) ?? .null, into: &inner, depth: depth)
            sum &+= inner.finalize()
        }
        hasher.combine(sum)
    }

    private static func hash(_ value: PredicateValue, into hasher: inout Hasher) {
        switch value {
        case .null, .nullObject: hasher.combine(0)
        case .integer(let value): hasher.combine(Double(value))
        case .bool(let value): hasher.combine(value ? 1.0 : 0.0)
        case .double(let value): hasher.combine(value.isNaN ? Double.nan : value)
        case .decimal(let value): hasher.combine(value.nearestDouble)
        case .object: hash(KeyedValue.value(value).hostObject, into: &hasher)
        case .string, .date, .data, .uuid, .url, .type, .expression, .predicate, .array, .set, .orderedSet,
            .dictionary:
            hasher.combine(value)
        }
    }

    /// Hashes an object. All objects that are not `Hashable` have the same hash.
    private static func hash(_ object: Any?, into hasher: inout Hasher) {
        if let object = object as? any Hashable { hasher.combine(AnyHashable(object)) }
    }
}

extension [KeyedValue] {
    /// The elements without duplicates, in the order of first appearance.
    package var distinct: [KeyedValue] {
        var seen = Set<DistinctValue>()
        return filter { seen.insert(DistinctValue($0)).inserted }
    }
}

// Comparisons of values of the host that `==` cannot decide: neither equal nor known to be unequal. [NSP-172]

extension KeyedValue {
    /// An undecidable comparison: the type of the value that cannot be compared, and the other value.
    struct OpenComparison {
        let type: String
        let other: KeyedValue
    }

    /// True if the value may contain an object of the host.
    var isLive: Bool {
        switch self {
        case .object, .collection: true
        case .value(let value): value.holdsObject(depth: 0)
        }
    }

    /// Returns the first comparison that leaves the equality of two values undecided; nil if the values are certainly
    /// unequal. It is called for values that `isEqual` does not find equal.
    ///
    /// A struct, an enum or a tuple is compared by its `==`. A value without `==`, or an enum without raw values
    /// compared with a constant, cannot be compared. Class instances are compared by identity, and collections by
    /// their elements: one unequal pair decides.
    func openComparison(with other: KeyedValue) -> OpenComparison? {
        openComparison(with: other, depth: 0)
    }

    private func openComparison(with other: KeyedValue, depth: Int) -> OpenComparison? {
        if isNull || other.isNull || depth > PredicateLimits.standard.nesting { return nil }
        if let kind = collectionKind, kind == other.collectionKind, let own = elements, let others = other.elements {
            if kind == .set { return (own + others).lazy.compactMap { $0.openAlone(beside: $0) }.first }
            guard own.count == others.count else { return nil }
            return Self.openPair(Array(zip(own, others)), depth)
        }
        if let keys = dictionaryKeys, other.isDictionary, elementCount == other.elementCount {
            return Self.openPair(keys.map { (entry(for: $0) ?? .null, other.entry(for: $0) ?? .null) }, depth)
        }
        return openAlone(beside: other) ?? other.openAlone(beside: self)
    }

    /// Returns the first pair that cannot be compared; nil if one pair is unequal.
    private static func openPair(_ pairs: [(KeyedValue, KeyedValue)], _ depth: Int) -> OpenComparison? {
        var found: OpenComparison?
        for (left, right) in pairs where !isEqual(left, right) {
            guard let open = left.openComparison(with: right, depth: depth + 1) else { return nil }
            found = found ?? open
        }
        return found
    }

    /// Returns the comparison with the other value if this value makes it undecidable; nil otherwise.
    fileprivate func openAlone(beside other: KeyedValue) -> OpenComparison? {
        guard let host = hostObject, !isDictionary, !(type(of: host) is AnyClass) else { return nil }
        let otherHost = other.isDictionary ? nil : other.hostObject
        let isOpen: Bool
        if host is any Equatable {
            isOpen = otherHost == nil && isReflected && Mirror(reflecting: host).displayStyle == .enum
        } else {
            isOpen = isReflected || otherHost.map { type(of: $0) == type(of: host) } == true
        }
        return isOpen ? OpenComparison(type: "\(type(of: host))", other: other) : nil
    }

    /// True for a value that is known by reflection only.
    private var isReflected: Bool {
        switch self {
        case .object(let object): object is ReflectedObject
        case .value(.object(let object)): object.keyedValue.isReflected
        case .value, .collection: false
        }
    }
}

extension [KeyedValue] {
    /// Throws `notEquatable` if two or more elements include a value that cannot be compared.
    package func checkEquatable() throws(EvaluationError) {
        guard count > 1 else { return }
        for case .object(let object) in self {
            let element = KeyedValue.object(object)
            guard let open = element.openAlone(beside: element) else { continue }
            throw EvaluationError(.notEquatable(open.type, against: FoundValue(element)))
        }
    }
}

extension PredicateValue {
    /// True if the value contains an object within the levels that are compared.
    fileprivate func holdsObject(depth: Int) -> Bool {
        guard depth < PredicateLimits.standard.nesting else { return false }
        switch self {
        case .object: return true
        case .array(let values), .orderedSet(let values): return values.contains { $0.holdsObject(depth: depth + 1) }
        case .set(let values): return values.contains { $0.holdsObject(depth: depth + 1) }
        case .dictionary(let values): return values.values.contains { $0.holdsObject(depth: depth + 1) }
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .expression, .predicate:
            return false
        }
    }
}
