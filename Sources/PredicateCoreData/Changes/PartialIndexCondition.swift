import PredicateSQL
import PredicateSyntax

/// The condition of a partial index, which has no parameters: comparisons of columns with nil and with numbers, and AND, OR, NOT.
///
///     favorite == YES AND deleted != nil        "ZFAVORITE" = 1 AND "ZDELETED" IS NOT NULL
struct PartialIndexCondition {
    let entity: StoredEntity

    /// The condition of a predicate; nil for one that needs values as text, functions or other tables.
    func text(of predicate: PredicateNode) -> String? {
        switch predicate {
        case .comparison(let comparison): text(of: comparison)
        case .compound(let compound): text(of: compound)
        case .constant, .string, .block: nil
        }
    }

    private func text(of compound: CompoundPredicate) -> String? {
        let parts = compound.subpredicates.compactMap(text)
        guard parts.count == compound.subpredicates.count, let first = parts.first else { return nil }
        switch compound.type {
        case .not: return "NOT (\(first))"
        case .and: return parts.map { "(\($0))" }.joined(separator: " AND ")
        case .or: return parts.map { "(\($0))" }.joined(separator: " OR ")
        }
    }

    private func text(of comparison: ComparisonPredicate) -> String? {
        guard comparison.modifier == .direct, comparison.options.isEmpty,
            case .keyPath(let path) = comparison.leftExpression, path.base == nil,
            case .key(let key)? = path.components.first, path.components.count == 1,
            let column = entity.column(of: key)?.quotedName,
            case .constantValue(let value) = comparison.rightExpression
        else { return nil }
        if value == .null || value == .nullObject { return Self.comparisonWithNil(column, comparison.operator) }
        guard let number = Self.literal(value), let sign = Self.sign(comparison.operator) else { return nil }
        return "\(column) \(sign) \(number)"
    }

    private static func comparisonWithNil(_ column: String, _ comparison: ComparisonOperator) -> String? {
        switch comparison {
        case .equalTo: "\(column) IS NULL"
        case .notEqualTo: "\(column) IS NOT NULL"
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between, .in, .customSelector: nil
        @unknown default: nil
        }
    }

    private static func sign(_ comparison: ComparisonOperator) -> String? {
        switch comparison {
        case .equalTo: "="
        case .notEqualTo: "<>"
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .between, .in, .customSelector: nil
        @unknown default: nil
        }
    }

    /// A number as a literal, which is its own text; nil for every other value.
    private static func literal(_ value: PredicateValue) -> String? {
        switch value {
        case .bool(let flag): flag ? "1" : "0"
        case .integer(let number): "\(number)"
        case .double(let number): number.isFinite ? "\(number)" : nil
        case .null, .nullObject, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            nil
        @unknown default: nil
        }
    }
}
