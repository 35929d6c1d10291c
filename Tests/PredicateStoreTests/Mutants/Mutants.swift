import PredicateAgreement
import PredicateSQL
import PredicateSyntax

/// Mutants of the compiler, each with one mistake; the differential test must detect all of them.
enum Mutants {
    static let all: [Translation] = dialects + texts + trees + schemas

    private static let dialects = MutantDialect.Mistake.allCases.map {
        Translation(name: $0.rawValue, dialect: MutantDialect(mistake: $0))
    }

    private static let texts: [Translation] = [
        // NULL under a NOT stays NULL.
        replacing("plain NOT", " IS NOT TRUE", by: " IS FALSE"),
        replacing("@sum of none is NULL", "), 0)", by: "), NULL)"),
        replacing("JOIN for LEFT JOIN", " LEFT JOIN ", by: " JOIN "),
        replacing("EXISTS for NOT EXISTS", "NOT EXISTS ", by: "EXISTS "),
        Translation(name: "ALL keeps nil", text: keepingNil),
    ]

    private static func replacing(_ name: String, _ old: String, by new: String) -> Translation {
        Translation(name: name, text: { $0.replacing(old, with: new) })
    }

    /// Inside NOT EXISTS every test for nil is false.
    private static let keepingNil: @Sendable (String) -> String = { text in
        guard let range = text.firstRange(of: "NOT EXISTS (") else { return text }
        let rest = String(text[range.upperBound...]).replacing(" IS NOT NULL", with: " IS NULL IS NOT NULL")
        return text[..<range.upperBound] + rest
    }

    private static let trees: [Translation] = [
        Translation(name: "the empty text is in every text", tree: { $0.mapped(emptyIsEverywhere) }),
        Translation(name: "BETWEEN takes bounds in any order", tree: { $0.mapped(unordered) }),
        Translation(name: "nil is in {nil}", tree: { $0.mapped(nilIsIn) }),
    ]

    private static let schemas: [Translation] = [
        Translation(
            name: "columns are never NULL",
            schema: { schema in
                SQLSchema(
                    schema.entities.values.map { entity in
                        var entity = entity
                        for key in entity.attributes.keys { entity.attributes[key]?.isNullable = false }
                        return entity
                    })
            })
    ]

    private static func emptyIsEverywhere(_ node: PredicateNode) -> PredicateNode {
        guard case .string(let string) = node, string.modifier == .direct,
            string.rightExpression == .constantValue(.string("")),
            [.beginsWith, .endsWith, .contains].contains(string.operator)
        else { return node }
        return .comparison(ComparisonPredicate(string.leftExpression, .notEqualTo, .constantValue(.null)))
    }

    private static func unordered(_ node: PredicateNode) -> PredicateNode {
        guard case .comparison(var comparison) = node, comparison.operator == .between, comparison.modifier == .direct,
            case .constantValue(.array(let bounds)) = comparison.rightExpression
        else { return node }
        comparison.rightExpression = .constantValue(.array(bounds.reversed()))
        return .compound(CompoundPredicate(.or, [node, .comparison(comparison)]))
    }

    private static func nilIsIn(_ node: PredicateNode) -> PredicateNode {
        guard case .comparison(let comparison) = node, comparison.operator == .in, comparison.modifier == .direct,
            case .constantValue(.array(let elements)) = comparison.rightExpression, elements.contains(.null)
        else { return node }
        let isNil = ComparisonPredicate(comparison.leftExpression, .equalTo, .constantValue(.null))
        return .compound(CompoundPredicate(.or, [node, .comparison(isNil)]))
    }
}

extension PredicateNode {
    /// Maps every comparison of a predicate, including those of SUBQUERYs.
    fileprivate func mapped(_ transform: (PredicateNode) -> PredicateNode) -> PredicateNode {
        guard case .predicate(let node) = TreeNode.predicate(self).mapped(transform) else { return self }
        return node
    }
}

extension TreeNode {
    fileprivate func mapped(_ transform: (PredicateNode) -> PredicateNode) -> TreeNode {
        let children = children
        let node = children.isEmpty ? self : replacing(children: children.map { $0.mapped(transform) })
        guard case .predicate(let predicate) = node else { return node }
        return .predicate(transform(predicate))
    }
}
