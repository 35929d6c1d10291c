#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Equality of constants, as two trees compare them: `YES` is `1`, but `2` is not `2.0`, since division tells them
/// apart; strings compare by their UTF-8; two not-a-numbers are the same constant.
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

    /// A Boolean or an integer as an integer.
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
    /// The bits, which are the same for all that are no number.
    fileprivate var constantBits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

extension Date {
    /// The bits of the seconds, with -0 as 0.
    fileprivate var constantBits: UInt64 { (timeIntervalSinceReferenceDate + 0).constantBits }
}

extension String {
    /// True if both strings have the same code points: `"é"` and `"e\u{301}"` do not.
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
