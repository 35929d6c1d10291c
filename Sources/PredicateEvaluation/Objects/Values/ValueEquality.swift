import Foundation
import PredicateSyntax

/// Returns true if two values are equal in the language: the equality of `==`, `IN` and `CONTAINS`.
///
/// `8 == 8.0`, `YES == 1`, `name == "jo"`
///
/// Numbers are equal by value across their kinds, what is not a number to itself, strings by code points, nil and `<null>` to one another; arrays
/// element by element, sets as sets, and no array to a set; objects by identity or their own `==`. Values of
/// different types are unequal. Never throws; collections nested past ``PredicateLimits/standard`` are unequal.
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
    if let leftEntries = left.entries, let rightEntries = right.entries {
        return hasEqualEntries(leftEntries, rightEntries, depth: depth + 1)
    }
    if let leftEntries = left.mixedDictionary, let rightEntries = right.mixedDictionary {
        return hasEqualEntries(leftEntries, rightEntries, depth: depth + 1)
    }
    return isSameObject(left.hostObject, right.hostObject)
}

/// Returns true if plain data is equal, without a detour over live objects.
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
    /// True for the same moment, and for two that are none.
    fileprivate func isSame(as other: Date) -> Bool {
        self == other || timeIntervalSinceReferenceDate.isNaN && other.timeIntervalSinceReferenceDate.isNaN
    }
}

private func isEqualNumber(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
    if case .integer(let left) = left, case .integer(let right) = right { return left == right }
    guard let left = Number(left), let right = Number(right) else { return false }
    return left.compare(right) == .equal
}

/// Compares arrays, sets, dictionaries and objects; a plain one may meet a live one.
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
        // Numbers of different kinds may be one element here and two there, so counts decide nothing.
        return Set(left.map(DistinctValue.init)) == Set(right.map(DistinctValue.init))
    }
}

private func hasEqualEntries(_ left: [String: KeyedValue], _ right: [String: KeyedValue], depth: Int) -> Bool {
    left.count == right.count
        && left.allSatisfy { key, value in
            right.value(exactly: key).map { isEqual(value, $0, depth: depth) } ?? false
        }
}

private func hasEqualEntries(_ left: MixedDictionary, _ right: MixedDictionary, depth: Int) -> Bool {
    left.entryCount == right.entryCount
        && left.orderedKeys.allSatisfy { key in
            guard let value = left.value(for: key), let other = right.value(for: key) else { return false }
            return isEqual(value, other, depth: depth)
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

/// A value as a member of a set under the equality of the language, which removes duplicates.
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

    /// The number of levels of a collection that are hashed; differences below them are found by comparing.
    private static let hashedLevels = 4

    /// Hashes a value so that equal values hash alike: numbers by their double, arrays by their elements, dictionaries by their keys and
    /// values in no order. Sets go by their kind, since 1 and 1.0 may both be in one.
    private static func hash(_ value: KeyedValue, into hasher: inout Hasher, depth: Int) {
        if let kind = value.collectionKind {
            hasher.combine(kind)
            guard kind != .set, depth < hashedLevels, let elements = value.elements else { return }
            hasher.combine(elements.count)
            for element in elements { hash(element, into: &hasher, depth: depth + 1) }
        } else if let count = value.elementCount {
            hasher.combine(count)
            guard depth < hashedLevels else { return }
            if let entries = value.entries { hash(entries, into: &hasher, depth: depth + 1) }
            if let mixed = value.mixedDictionary { hash(mixed, into: &hasher, depth: depth + 1) }
        } else if case .value(let plain) = value {
            hash(plain, into: &hasher)
        } else {
            hash(value.hostObject, into: &hasher)
        }
    }

    private static func hash(_ entries: [String: KeyedValue], into hasher: inout Hasher, depth: Int) {
        var sum = 0
        for (key, value) in entries {
            var inner = Hasher()
            inner.combine(PredicateValue.string(key))
            hash(value, into: &inner, depth: depth)
            sum &+= inner.finalize()
        }
        hasher.combine(sum)
    }

    private static func hash(_ dictionary: MixedDictionary, into hasher: inout Hasher, depth: Int) {
        var sum = 0
        for key in dictionary.orderedKeys {
            var inner = Hasher()
            hash(key, into: &inner, depth: depth)
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

    /// Hashes an object; one that is not `Hashable` is compared with every other one.
    private static func hash(_ object: Any?, into hasher: inout Hasher) {
        if let object = object as? any Hashable { hasher.combine(AnyHashable(object)) }
    }
}

extension [KeyedValue] {
    /// Each element once, in the order of first appearance.
    package var distinct: [KeyedValue] {
        var seen = Set<DistinctValue>()
        return filter { seen.insert(DistinctValue($0)).inserted }
    }
}
