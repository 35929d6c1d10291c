#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension PredicateValue {
    /// The limit that a constant passes, nil for one within all of them.
    ///
    /// `.array([.string("jo"), .integer(1)])`: two elements, two bytes, two levels.
    ///
    /// Walks without recursion, so that no depth is a danger, and stops at the first excess.
    package func excess(over limits: PredicateLimits) -> PredicateLimits.Limit? {
        if length > limits.literalLength { return .literalLength }
        guard holdsValues else { return nil }
        var elements = 0
        var waiting: [(value: PredicateValue, depth: Int)] = [(self, 1)]
        while let (value, depth) = waiting.popLast() {
            if depth > limits.nesting { return .nesting }
            if let limit = value.treeExcess(over: limits, below: depth) { return limit }
            let inner = value.innerValues
            elements += inner.count
            if elements > limits.literalElements { return .literalElements }
            for element in inner {
                if element.length > limits.literalLength { return .literalLength }
                if element.holdsValues { waiting.append((element, depth + 1)) }
            }
        }
        return nil
    }

    /// The bytes of a string, a URL or data; 0 for other values.
    private var length: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        case .url(let url): url.absoluteString.utf8.count
        case .null, .nullObject, .bool, .integer, .double, .decimal, .date, .uuid, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            0
        }
    }

    /// The elements of a collection, the values of a dictionary.
    private var innerValues: [PredicateValue] {
        switch self {
        case .array(let elements), .orderedSet(let elements): elements
        case .set(let elements): Array(elements)
        case .dictionary(let entries): Array(entries.values)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object, .expression, .predicate:
            []
        }
    }

    /// The limit that a tree in a constant exceeds; its levels and those around it count together.
    private func treeExcess(over limits: PredicateLimits, below depth: Int) -> PredicateLimits.Limit? {
        var inner = limits
        inner.nesting -= depth
        do throws(TreeExcess) {
            if case .expression(let node) = self { _ = try TreeReview(.expression(node), inner) }
            if case .predicate(let node) = self { _ = try TreeReview(.predicate(node), inner) }
            return nil
        } catch {
            return error.limit
        }
    }

    private var holdsValues: Bool {
        switch self {
        case .array, .orderedSet, .set, .dictionary, .expression, .predicate: true
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object:
            false
        }
    }
}
