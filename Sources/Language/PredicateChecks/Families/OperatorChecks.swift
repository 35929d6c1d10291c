import PredicateSyntax

/// Collection operators that do not exist or lack a key after them, counts compared with values that no count can
/// have, and negative indexes.
///
///     children.@average.age > 5    scores.@avg > 2    tags.@count > -1    tags[-1] == "a"
enum OperatorChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.nodes.flatMap { names($0, subject) + indexes($0, subject) }
            + subject.comparisons.compactMap { count($0, subject) ?? misplacedOptions($0, subject) }
    }

    private static func names(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        guard case .keyPath(let path)? = node.expression else { return [] }
        return path.components.enumerated().compactMap { index, component in
            guard case .key(let key) = component else { return nil }
            let isLast = index == path.components.count - 1
            if let known = KeyPathOperator(rawValue: key) {
                if isLast, known.needsKey { return withoutKey(known, node, subject) }
                return index == 0 ? inFront(known, path, node, subject) : nil
            }
            if index == 0, key == "count", case .subquery? = path.base {
                return PredicateFinding(.unknownOperator, node, "a collection has no key count", "write .@count")
            }
            if key == "K" || key == "k" { return escapedSpecifier(node, subject) }
            guard key.utf8.first == UInt8(ascii: "@"), key.utf8.count > 1, !subject.keys.contains(key) else {
                return nil
            }
            return unknown(key, node, isFirst: index == 0)
        }
    }

    /// `@K == 1`, `children.@average.age`
    private static func unknown(_ key: String, _ node: CheckedNode, isFirst: Bool) -> PredicateFinding {
        if key == "@K" || key == "@k" {
            let isWhole = node.range.map { $0.count == 2 } ?? false
            return PredicateFinding(
                .unknownOperator, node, "\(key) is a key and takes no argument", "write %K",
                fix: isWhole ? node.range.map { PredicateFinding.Fix($0, "%K", isCertain: key == "@K") } : nil)
        }
        let meant = KeyPathOperator.nearMisses(of: key).first.map { "did you mean \($0)?" }
        let others = KeyPathOperator.allCases.map(\.rawValue).joined(separator: ", ")
        return PredicateFinding(
            .unknownOperator, node, "there is no operator \(key)",
            meant ?? (isFirst ? "keys have no @ prefix: write \(key.dropFirst())" : "the operators are \(others)"))
    }

    /// `#K == %@`
    private static func escapedSpecifier(_ node: CheckedNode, _ subject: CheckSubject) -> PredicateFinding? {
        guard subject.source(of: node).contains("#K") || subject.source(of: node).contains("#k") else { return nil }
        return PredicateFinding(.unknownOperator, node, "#K is the key K and takes no argument", "write %K")
    }

    /// `scores.@avg > 2`
    private static func withoutKey(
        _ found: KeyPathOperator, _ node: CheckedNode, _ subject: CheckSubject
    ) -> PredicateFinding {
        let text = node.text
        return PredicateFinding(
            .operatorWithoutKey, node, "\(found.rawValue) needs a key after it",
            "write \(text).self for the elements themselves, or \(text).KEY",
            fix: node.range.map { PredicateFinding.Fix($0.upperBound..<$0.upperBound, ".self") })
    }

    /// `@sum.items.price < 1000`, `@avg.scores > 2` where objects have scores: the operator belongs after the
    /// collection.
    private static func inFront(
        _ found: KeyPathOperator, _ path: KeyPathExpression, _ node: CheckedNode, _ subject: CheckSubject
    ) -> PredicateFinding? {
        let rest = Array(path.keys?.dropFirst() ?? [])
        guard path.base == nil, !rest.isEmpty, !rest.contains(where: { $0.hasPrefix("@") }),
            let count = collectionLength(rest, found, subject)
        else { return nil }
        let behind = rest[count...].isEmpty && found.needsKey ? ["self"] : Array(rest[count...])
        let meant = (rest[..<count] + [found.rawValue] + behind).joined(separator: ".")
        return PredicateFinding(
            .unknownOperator, node, "at the beginning, \(found.rawValue) takes the object itself as the collection",
            "write \(meant)", fix: node.range.map { PredicateFinding.Fix($0, meant) })
    }

    /// The number of keys up to and including the collection; nil if the object itself may be the collection.
    private static func collectionLength(
        _ keys: [String], _ found: KeyPathOperator, _ subject: CheckSubject
    ) -> Int? {
        if let schema = subject.schema, let entity = subject.scope.subject.entity {
            var place: String? = entity
            for (index, key) in keys.enumerated() {
                guard let property = place.flatMap({ schema.property(key, of: $0) }), property.isKnown else {
                    return nil
                }
                if property.isToMany { return index + 1 }
                place = property.entity
            }
            return nil
        }
        return keys.count > 1 ? keys.count - (found.needsKey ? 1 : 0) : nil
    }

    /// `tags.@count > -1`
    private static func count(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard !subject.isUnknown(comparison.node), let constraint = Constraint(comparison),
            constraint.expression.isCount, let bounds = constraint.boundaries, !bounds.isEmpty,
            let numbers = numbers(around: bounds)
        else { return nil }
        let results = Set(numbers.map { constraint.holds(.integer($0)) })
        guard results.count == 1, let result = results.first else { return nil }
        let reason = "a count is an integer that is never negative"
        return result
            ? PredicateFinding(
                .alwaysHolds, comparison.node, "this always holds: \(reason)", "write > 0 to require at least one")
            : PredicateFinding(.neverHolds, comparison.node, "this never holds: \(reason)")
    }

    /// The counts to try: around each bound, and 0 and 1; nil if a bound is not a number of ordinary size.
    private static func numbers(around bounds: [PredicateValue]) -> Set<Int64>? {
        var numbers: Set<Int64> = [0, 1]
        for bound in bounds {
            guard let real = bound.realNumber, real.isFinite, abs(real) < 4e15 else { return nil }
            let whole = Int64(real.rounded(.down))
            numbers.formUnion([whole - 1, whole, whole + 1].filter { $0 >= 0 })
        }
        return numbers
    }

    /// `name[cd] CONTAINS "jo"`, unless objects have such a key
    private static func misplacedOptions(
        _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding? {
        let isSearch = if case .string = comparison.operator { true } else { false }
        guard case .index(let index)? = comparison.left.expression, case .keyPath(let path) = index.index,
            let key = path.keys?.first, path.keys?.count == 1, ["c", "d", "cd", "dc"].contains(key.lowercased()),
            key.count == 2 || isSearch, !subject.keys.contains(key)
        else { return nil }
        return PredicateFinding(
            .optionWithoutEffect, comparison.left, "\(comparison.left.text) is the element of the key \(key)",
            "options follow the operator: \(comparison.operator.spelling)[\(key)]"
        ).at(.warning)
    }

    /// `tags[-1] == "a"`
    private static func indexes(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        guard case .index(let index)? = node.expression, case .integer(let number)? = index.index.constant,
            number < 0, !subject.isUnknown(node)
        else { return [] }
        return [
            PredicateFinding(
                .neverHolds, node, "there is no element \(number): indexes start at 0",
                number == -1 ? "write [LAST] for the last one" : nil)
        ]
    }
}

extension ExpressionNode {
    /// `tags.@count`, `SUBQUERY(…).@count`, `count:(tags)`
    fileprivate var isCount: Bool {
        switch self {
        case .keyPath(let path): path.components.last == .key(KeyPathOperator.count.rawValue)
        case .function(let call): call.function == .predefined(.count)
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            false
        }
    }
}
