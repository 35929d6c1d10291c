import PredicateSyntax

/// Collection operators that do not exist or lack the key behind them, counts compared with what no count is, and the
/// negative index.
///
///     children.@average.age > 5    scores.@avg > 2    tags.@count > -1    tags[-1] == "a"
enum OperatorChecks {
    static func findings(in subject: CheckSubject) -> [Finding] {
        subject.nodes.flatMap { names($0, subject) + indexes($0, subject) }
            + subject.comparisons.compactMap { count($0, subject) }
    }

    private static func names(_ node: PlacedNode, _ subject: CheckSubject) -> [Finding] {
        guard case .keyPath(let path)? = node.expression else { return [] }
        return path.components.enumerated().compactMap { index, component in
            guard case .key(let key) = component else { return nil }
            let isLast = index == path.components.count - 1
            if let known = CollectionOperator(rawValue: key) {
                if isLast, known.needsKey { return withoutKey(known, node, subject) }
                return index == 0 ? inFront(known, path, node, subject) : nil
            }
            if key == "K" || key == "k" { return escapedSpecifier(node, subject) }
            guard key.utf8.first == UInt8(ascii: "@"), key.utf8.count > 1, subject.keys?.hasKey(key) != true else {
                return nil
            }
            return unknown(key, node)
        }
    }

    /// `@K == 1`, `children.@average.age`
    private static func unknown(_ key: String, _ node: PlacedNode) -> Finding {
        if key == "@K" || key == "@k" {
            let isWhole = node.range.map { $0.count == 2 } ?? false
            return Finding(
                .unknownOperator, node, "\(key) is a key, and takes no argument", "write %K",
                fix: isWhole ? node.range.map { Finding.Fix($0, "%K", isCertain: key == "@K") } : nil)
        }
        let meant = CollectionOperator.nearMisses(of: key).first
        return Finding(
            .unknownOperator, node, "there is no operator \(key)",
            meant.map { "did you mean \($0)?" } ?? "a key has no @ before it: \(key.dropFirst())")
    }

    /// `#K == %@`
    private static func escapedSpecifier(_ node: PlacedNode, _ subject: CheckSubject) -> Finding? {
        guard subject.source(of: node).contains("#K") || subject.source(of: node).contains("#k") else { return nil }
        return Finding(.unknownOperator, node, "#K is the key K, and takes no argument", "write %K")
    }

    /// `scores.@avg > 2`
    private static func withoutKey(
        _ found: CollectionOperator, _ node: PlacedNode, _ subject: CheckSubject
    ) -> Finding {
        let text = node.text
        return Finding(
            .operatorWithoutKey, node, "\(found.rawValue) takes the key after it, of every element",
            "write \(text).self for the elements themselves, or \(text).KEY",
            fix: node.range.map { Finding.Fix($0.upperBound..<$0.upperBound, ".self") })
    }

    /// `@avg.scores > 2` where objects have scores
    private static func inFront(
        _ found: CollectionOperator, _ path: KeyPathExpression, _ node: PlacedNode, _ subject: CheckSubject
    ) -> Finding? {
        let rest = (node.expression?.keys(in: node.scope) ?? []).dropFirst()
        guard path.base == nil, !rest.isEmpty, subject.keys?.kinds(at: Array(rest), elementKeys: nil) != nil else {
            return nil
        }
        let meant = rest.joined(separator: ".") + "." + found.rawValue + (found.needsKey ? ".self" : "")
        return Finding(
            .unknownOperator, node, "\(found.rawValue) in front asks the object itself for its elements",
            "write \(meant)", fix: node.range.map { Finding.Fix($0, meant) })
    }

    /// `tags.@count > -1`
    private static func count(_ comparison: PlacedComparison, _ subject: CheckSubject) -> Finding? {
        guard !subject.isUnknown(comparison.node), let constraint = Constraint(comparison, subject.judge),
            constraint.expression.isCount, let bounds = constraint.boundaries, !bounds.isEmpty,
            let numbers = numbers(around: bounds)
        else { return nil }
        let results = Set(numbers.map { constraint.holds(.integer($0)) })
        guard results.count == 1, let result = results.first else { return nil }
        let reason = "a count is a whole number from 0 on"
        return result
            ? Finding(.alwaysHolds, comparison.node, "this always holds: \(reason)", "> 0 asks for at least one")
            : Finding(.neverHolds, comparison.node, "this never holds: \(reason)")
    }

    /// Counts below, between and above some bounds; nil if a bound is no number of a usual size.
    private static func numbers(around bounds: [PredicateValue]) -> Set<Int64>? {
        var numbers: Set<Int64> = [0, 1]
        for bound in bounds {
            guard let real = bound.realNumber, real.isFinite, abs(real) < 4e15 else { return nil }
            let whole = Int64(real.rounded(.down))
            numbers.formUnion([whole - 1, whole, whole + 1].filter { $0 >= 0 })
        }
        return numbers
    }

    /// `tags[-1] == "a"`
    private static func indexes(_ node: PlacedNode, _ subject: CheckSubject) -> [Finding] {
        guard case .index(let index)? = node.expression, case .integer(let number)? = index.index.constant,
            number < 0, !subject.isUnknown(node)
        else { return [] }
        return [
            Finding(
                .neverHolds, node, "there is no element \(number): indexes begin at 0",
                number == -1 ? "write [LAST] for the last one" : nil)
        ]
    }
}

extension CollectionOperator {
    /// True for operators of a value of each element: `friends.@avg.age`
    fileprivate var needsKey: Bool {
        switch self {
        case .sum, .average, .minimum, .maximum, .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays,
            .unionOfArrays, .distinctUnionOfSets, .unionOfSets:
            true
        case .count, .allKeys, .allValues: false
        }
    }
}

extension ExpressionNode {
    /// `tags.@count`, `SUBQUERY(…).@count`, `count:(tags)`
    fileprivate var isCount: Bool {
        switch self {
        case .keyPath(let path): path.components.last == .key(CollectionOperator.count.rawValue)
        case .function(let call): call.function == .predefined(.count)
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            false
        }
    }
}
