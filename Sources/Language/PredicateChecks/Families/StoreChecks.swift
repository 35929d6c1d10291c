import PredicateSyntax

/// A schema of objects that a Core Data fetch may select.
package protocol FetchSchema: WordedSchema {
    /// True if a store evaluates the predicates, as in a fetch.
    var isFetch: Bool { get }
}

/// Constructs that Core Data's SQLite store refuses, although objects in memory accept them.
///
///     count:(orders) > 3    orders[FIRST].total > 5    ANY staff.orders.total > 5    extra CONTAINS "new"
///     FUNCTION(name, "length") > 3    SELF isKindOfClass: %@
enum StoreChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        guard subject.isFetch else { return [] }
        return subject.nodes.compactMap(finding) + subject.comparisons.compactMap(transformable)
            + subject.comparisons.compactMap(selector)
    }

    /// `SELF isKindOfClass: %@`
    private static func selector(_ comparison: CheckedComparison) -> PredicateFinding? {
        guard case .comparison(.customSelector) = comparison.operator else { return nil }
        return StoreRefusal.message.finding(comparison.node, comparison.left)
    }

    private static func finding(_ node: CheckedNode) -> PredicateFinding? {
        StoreRefusal(node).map { $0.finding(node, node.children.first ?? node) }
    }

    /// `extra CONTAINS "new"`, `ANY extra == "new"` of a transformable attribute; an equality with the whole may hold.
    private static func transformable(_ comparison: CheckedComparison) -> PredicateFinding? {
        guard comparison.left.type.property?.limitation == .archived,
            comparison.modifier != .direct && !comparison.left.type.isToMany || !comparison.operator.isEquality
        else { return nil }
        return StoreRefusal.transformable.finding(comparison.node, comparison.left)
    }
}

/// A part of a predicate that the store refuses, each with the document or the report that says so.
private enum StoreRefusal {
    /// `count:(orders) > 3`
    case statistic
    /// `a UNION b`
    case set
    /// `orders[FIRST].total > 5`
    case index
    /// `ANY staff.orders.total > 5`
    case severalOfSeveral
    /// `extra CONTAINS "new"`
    case transformable
    /// `FUNCTION(name, "length") > 3`, `SELF isKindOfClass: %@`
    case message

    init?(_ node: CheckedNode) {
        guard let expression = node.expression else { return nil }
        switch expression {
        case .function(let call):
            guard Self.statistics.contains(call.function), node.children.first?.keys != nil else { return nil }
            self = .statistic
        case .set: self = .set
        case .index(let element):
            guard node.children.first?.type.isToMany == true, element.index != .symbol(.size) else { return nil }
            self = .index
        case .keyPath: if node.type.isOfSeveral { self = .severalOfSeveral } else { return nil }
        case .message:
            guard node.children.first?.keys != nil else { return nil }
            self = .message
        case .constantValue, .evaluatedObject, .variable, .cast, .aggregate, .subquery, .conditional, .assignment,
            .symbol, .anyKey, .member, .block, .fetch:
            return nil
        }
    }

    private static let statistics: Set<FunctionExpression.Name> = Set(
        [.count, .sum, .min, .max, .average, .median, .mode, .stddev].map(FunctionExpression.Name.predefined))

    /// Returns the finding for the refused part; `base` is the collection or attribute that the part is about.
    func finding(_ node: CheckedNode, _ base: CheckedNode) -> PredicateFinding {
        let (message, cure) = words(node.text, base.text)
        return PredicateFinding(.refusedByStore, node, message, "\(cure); see \(source)")
    }

    private func words(_ text: String, _ base: String) -> (message: String, cure: String) {
        let inMemory = "or filter the fetched objects in memory"
        return switch self {
        case .statistic:
            ("a fetch with the function \(text) ends the program", "write \(base).@count for the number, \(inMemory)")
        case .set: ("a fetch does not support sets such as \(text)", "join two conditions with AND or OR, \(inMemory)")
        case .index:
            (
                "a store keeps \(base) in no order, so a fetch cannot take an element by position",
                "write ANY, \(inMemory)"
            )
        case .severalOfSeveral:
            ("\(text) passes through two to-many keys, and a fetch supports one", "write a SUBQUERY for the first one")
        case .transformable:
            (
                "a store cannot search in \(base), which it keeps as one value",
                "store the searched value in a separate attribute"
            )
        case .message:
            ("a store cannot send the message of \(text)", "write a condition on keys, \(inMemory)")
        }
    }

    private var source: String {
        switch self {
        case .statistic: "https://github.com/OpenStack-mobile/summit-app-ios/pull/109"
        case .set: "https://developer.apple.com/documentation/foundation/nsexpression"
        case .index, .severalOfSeveral, .message:
            "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/CoreData/PersistentStoreFeatures.html"
        case .transformable: "https://github.com/shavenking/money-mom-ios/issues/22"
        }
    }
}
