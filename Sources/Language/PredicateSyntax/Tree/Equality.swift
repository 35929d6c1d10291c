#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Each kind is compared in a function of its own, so that a level of a deep tree takes little stack. The functions
// are not specializations of a generic one, which would need several times the code.

extension PredicateNode {
    public static func == (left: PredicateNode, right: PredicateNode) -> Bool {
        switch left {
        case .constant(let left): if case .constant(let right) = right { left == right } else { false }
        case .comparison: areComparisons(left, right)
        case .string: areStrings(left, right)
        case .compound: areCompounds(left, right)
        case .block: areBlocks(left, right)
        }
    }

    @inline(never)
    private static func areComparisons(_ left: PredicateNode, _ right: PredicateNode) -> Bool {
        if case .comparison(let left) = left, case .comparison(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areStrings(_ left: PredicateNode, _ right: PredicateNode) -> Bool {
        if case .string(let left) = left, case .string(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areBlocks(_ left: PredicateNode, _ right: PredicateNode) -> Bool {
        if case .block(let left) = left, case .block(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areCompounds(_ left: PredicateNode, _ right: PredicateNode) -> Bool {
        if case .compound(let left) = left, case .compound(let right) = right { left == right } else { false }
    }
}

extension CompoundPredicate {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(count)
        for index in 0..<count { hasher.combine(self[index]) }
    }
}

extension ExpressionNode {
    public static func == (left: ExpressionNode, right: ExpressionNode) -> Bool {
        switch left {
        case .evaluatedObject: if case .evaluatedObject = right { true } else { false }
        case .variable(let left):
            if case .variable(let right) = right { left.hasSameCodePoints(as: right) } else { false }
        case .symbol(let left): if case .symbol(let right) = right { left == right } else { false }
        case .anyKey: if case .anyKey = right { true } else { false }
        case .constantValue: areConstants(left, right)
        case .keyPath: areKeyPaths(left, right)
        case .member: areMembers(left, right)
        case .function: areFunctions(left, right)
        case .message: areMessages(left, right)
        case .cast: areCasts(left, right)
        case .aggregate: areAggregates(left, right)
        case .index: areIndexes(left, right)
        case .subquery: areSubqueries(left, right)
        case .conditional: areConditionals(left, right)
        case .set: areSets(left, right)
        case .assignment: areAssignments(left, right)
        case .block: areBlocks(left, right)
        case .fetch: areFetches(left, right)
        }
    }

    @inline(never)
    private static func areConstants(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .constantValue(let left) = left, case .constantValue(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areKeyPaths(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .keyPath(let left) = left, case .keyPath(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areMembers(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .member(let left) = left, case .member(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areFunctions(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .function(let left) = left, case .function(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areMessages(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .message(let left) = left, case .message(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areCasts(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .cast(let left) = left, case .cast(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areAggregates(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .aggregate(let left) = left, case .aggregate(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areIndexes(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .index(let left) = left, case .index(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areSubqueries(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .subquery(let left) = left, case .subquery(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areConditionals(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .conditional(let left) = left, case .conditional(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areSets(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .set(let left) = left, case .set(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areAssignments(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .assignment(let left) = left, case .assignment(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areBlocks(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .block(let left) = left, case .block(let right) = right { left == right } else { false }
    }

    @inline(never)
    private static func areFetches(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        if case .fetch(let left) = left, case .fetch(let right) = right { left == right } else { false }
    }
}

// MARK: - Constants

/// Equality of constants as trees compare them. `YES` equals `1`, but `2` does not equal `2.0`, since division
/// distinguishes them. Strings compare by their UTF-8. NaN equals NaN.
extension PredicateValue: Hashable {
    @inline(never)
    public static func == (left: PredicateValue, right: PredicateValue) -> Bool {
        switch left {
        case .null: if case .null = right { return true }
        case .nullObject: if case .nullObject = right { return true }
        case .bool, .integer: return left.wholeNumber == right.wholeNumber
        case .double(let left): if case .double(let right) = right { return left.constantBits == right.constantBits }
        case .decimal(let left): if case .decimal(let right) = right { return left == right }
        case .string(let left): if case .string(let right) = right { return left.hasSameCodePoints(as: right) }
        case .date(let left): if case .date(let right) = right { return left.constantBits == right.constantBits }
        case .data(let left): if case .data(let right) = right { return left == right }
        case .uuid(let left): if case .uuid(let right) = right { return left == right }
        case .url(let left): if case .url(let right) = right { return left == right }
        case .type(let left): if case .type(let right) = right { return left == right }
        case .array(let left): if case .array(let right) = right { return left == right }
        case .set(let left): if case .set(let right) = right { return left == right }
        case .orderedSet(let left): if case .orderedSet(let right) = right { return left == right }
        case .dictionary(let left): if case .dictionary(let right) = right { return left == right }
        case .object(let left): if case .object(let right) = right { return left == right }
        case .expression(let left): if case .expression(let right) = right { return left == right }
        case .predicate(let left): if case .predicate(let right) = right { return left == right }
        }
        return false
    }

    @inline(never)
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .nullObject: hasher.combine(1)
        case .bool, .integer: hasher.combine(wholeNumber)
        case .double(let value): hasher.combine(value.constantBits)
        case .decimal(let value): hasher.combine(value)
        case .string(let value): value.hashCodePoints(into: &hasher)
        case .date(let value): hasher.combine(value.constantBits)
        case .data(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .url(let value): hasher.combine(value)
        case .type(let value): hasher.combine(value)
        case .array(let values), .orderedSet(let values): hasher.combine(values)
        case .set(let values): hasher.combine(values)
        case .dictionary(let values): hasher.combine(values)
        case .object(let value): hasher.combine(value)
        case .expression(let value): hasher.combine(value)
        case .predicate(let value): hasher.combine(value)
        }
    }

    /// The value of a Boolean or an integer.
    var wholeNumber: Int64? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): value
        case .null, .nullObject, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set,
            .orderedSet, .dictionary, .object, .expression, .predicate:
            nil
        }
    }
}

extension Double {
    /// The bit pattern, with a single pattern for every NaN.
    fileprivate var constantBits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

extension Date {
    /// The bit pattern of the seconds, with -0 as 0.
    fileprivate var constantBits: UInt64 { (timeIntervalSinceReferenceDate + 0).constantBits }
}

extension String {
    /// Returns true if both strings have the same code points: `"é"` and `"e\u{301}"` do not.
    package func hasSameCodePoints(as other: String) -> Bool {
        let answer: Bool?? = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                left.count == right.count && left.elementsEqual(right)
            }
        }
        return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    func hashCodePoints(into hasher: inout Hasher) {
        var copy = self
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

// MARK: - Names

/// A name that is compared by its code points, as the language does: `é` as one code point and as two are different
/// variables. [NSP-010]
package struct ExactName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.hasSameCodePoints(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        text.hashCodePoints(into: &hasher)
    }
}

extension Dictionary where Key == String {
    /// The value for exactly these code points; a canonically equivalent key does not match.
    package subscript(exactly name: String) -> Value? {
        guard let index = index(forKey: name), self[index].key.hasSameCodePoints(as: name) else { return nil }
        return self[index].value
    }
}

extension [String] {
    /// Returns the strings in ascending order. Strings are sorted only here, so that the sort is compiled once.
    @inline(never)
    package func inOrder() -> [String] { sorted() }
}
