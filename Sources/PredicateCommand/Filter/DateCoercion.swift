import PredicateSQL
import PredicateSyntax

/// Makes dates of the texts that a predicate compares with date columns, where they are whole ISO dates.
///
/// `born >= "2001-01-01"` compares dates if `born` is a column of dates.
struct DateCoercion: TreeMapping {
    /// Returns true for a key path that holds dates.
    private let isDate: (_ keys: [String]) -> Bool
    private(set) var changes = 0

    private init(_ isDate: @escaping ([String]) -> Bool) {
        self.isDate = isDate
    }

    /// Returns the predicate with such texts as dates; nil if there are none.
    static func coerced(_ predicate: FormatPredicate, isDate: @escaping ([String]) -> Bool) -> FormatPredicate? {
        var coercion = DateCoercion(isDate)
        let node = coercion.predicate(predicate.node)
        return coercion.changes == 0 ? nil : FormatPredicate(node)
    }

    /// Returns the predicate with dates where it compares such texts with attributes of dates.
    static func coerced(_ predicate: FormatPredicate, _ entity: SQLEntity, _ schema: SQLSchema) -> FormatPredicate {
        let coerced = coerced(predicate) { keys in
            var entity = entity
            for key in keys.dropLast() {
                guard let destination = entity.relationships[key]?.destination, let next = schema.entities[destination]
                else { return false }
                entity = next
            }
            if case .date? = keys.last.flatMap({ entity.attributes[$0] })?.type { return true }
            return false
        }
        return coerced ?? predicate
    }

    mutating func predicate(_ node: PredicateNode) -> PredicateNode {
        guard case .comparison(var comparison) = node else { return mappingChildren(of: node) }
        if holdsDates(comparison.leftExpression) {
            comparison.rightExpression = coerced(comparison.rightExpression)
        } else if holdsDates(comparison.rightExpression) {
            comparison.leftExpression = coerced(comparison.leftExpression)
        }
        return mappingChildren(of: .comparison(comparison))
    }

    mutating func expression(_ node: ExpressionNode) -> ExpressionNode { mappingChildren(of: node) }

    private func holdsDates(_ node: ExpressionNode) -> Bool {
        guard case .keyPath(let path) = node, path.base == nil || path.base == .evaluatedObject else { return false }
        let keys = path.components.map { component in
            if case .key(let name) = component { name } else { "" }
        }
        return isDate(keys)
    }

    private mutating func coerced(_ node: ExpressionNode) -> ExpressionNode {
        switch node {
        case .constantValue(let value): return .constantValue(coerced(value))
        case .aggregate(let elements): return .aggregate(elements.map { coerced($0) })
        default: return node
        }
    }

    private mutating func coerced(_ value: PredicateValue) -> PredicateValue {
        switch value {
        case .string(let text):
            guard let date = ISO8601.date(from: text) else { return value }
            changes += 1
            return .date(date)
        case .array(let elements): return .array(elements.map { coerced($0) })
        case .set(let elements): return .set(Set(elements.map { coerced($0) }))
        case .orderedSet(let elements): return .orderedSet(elements.map { coerced($0) })
        case .null, .nullObject, .bool, .integer, .double, .decimal, .date, .data, .uuid, .url, .type, .dictionary,
            .object, .expression, .predicate:
            return value
        }
    }
}
