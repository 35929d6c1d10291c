import PredicateChecks
import PredicateData
import PredicateSQL
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How the texts of a predicate are read that stand beside keys whose values have no literal in the language.
///
/// `born >= "2001-01-01"` compares dates if `born` holds dates, `id == "137decc8-…"` UUIDs, and `paid == "t"` Booleans in a
/// column that has `t` and `f`. A text that is no whole value of the kind stays a text.
package struct TextReadings {
    /// Returns how to read texts beside the values at a path; nil for those that stay texts.
    private let read: (_ keys: [String]) -> ((String) -> PredicateValue?)?

    /// The texts beside columns of CSV, and beside keys of JSON that have a declared type.
    package init(header: RecordHeader?, types: [String: ColumnType]) {
        read = { keys in
            guard keys.count == 1, let name = keys.first else { return nil }
            let reading = header?.reading(of: name) ?? types[name].map { ColumnReading($0, .declared) }
            return reading.flatMap(Self.reading)
        }
    }

    /// The texts beside attributes of an entity, and of those that its relationships lead to.
    package init(_ entity: SQLEntity, _ schema: SQLSchema) {
        read = { keys in
            let kinds = CheckScope(schema, entity: entity.name).type(at: keys).kinds
            if kinds == [.date] { return Self.date }
            if kinds == [.uuid] { return Self.uuid }
            return nil
        }
    }

    /// Returns the predicate with its texts read; source ranges still hold.
    package func reading(_ predicate: FormatPredicate) -> FormatPredicate {
        var mapping = TextMapping(read: read)
        let node = mapping.predicate(predicate.node)
        return mapping.changes == 0 ? predicate : predicate.replacingTree(node)
    }

    private static func reading(_ column: ColumnReading) -> ((String) -> PredicateValue?)? {
        switch column.type {
        case .date: return { text in date(text) ?? column.value(of: text) }
        case .uuid: return uuid
        case .boolean: return { column.value(of: $0) }
        case .string, .integer, .double, .decimal, .data, .automatic: return nil
        }
    }

    private static func date(_ text: String) -> PredicateValue? { ISO8601.date(from: text).map(PredicateValue.date) }

    private static func uuid(_ text: String) -> PredicateValue? { UUID(uuidString: text).map(PredicateValue.uuid) }
}

/// Replaces the texts that a predicate compares with certain keys.
private struct TextMapping: TreeMapping {
    let read: (_ keys: [String]) -> ((String) -> PredicateValue?)?
    private(set) var changes = 0

    init(read: @escaping (_ keys: [String]) -> ((String) -> PredicateValue?)?) {
        self.read = read
    }

    mutating func predicate(_ node: PredicateNode) -> PredicateNode {
        guard case .comparison(var comparison) = node else { return mappingChildren(of: node) }
        if let read = reading(beside: comparison.leftExpression) {
            comparison.rightExpression = replaced(comparison.rightExpression, read)
        } else if let read = reading(beside: comparison.rightExpression) {
            comparison.leftExpression = replaced(comparison.leftExpression, read)
        }
        return mappingChildren(of: .comparison(comparison))
    }

    mutating func expression(_ node: ExpressionNode) -> ExpressionNode { mappingChildren(of: node) }

    private func reading(beside node: ExpressionNode) -> ((String) -> PredicateValue?)? {
        guard case .keyPath(let path) = node, path.base == nil || path.base == .evaluatedObject else { return nil }
        return read(path.components.map { component in if case .key(let name) = component { name } else { "" } })
    }

    private mutating func replaced(_ node: ExpressionNode, _ read: (String) -> PredicateValue?) -> ExpressionNode {
        switch node {
        case .constantValue(let value): return .constantValue(replaced(value, read))
        case .aggregate(let elements): return .aggregate(elements.map { replaced($0, read) })
        default: return node
        }
    }

    private mutating func replaced(_ value: PredicateValue, _ read: (String) -> PredicateValue?) -> PredicateValue {
        switch value {
        case .string(let text):
            guard let other = read(text) else { return value }
            changes += 1
            return other
        case .array(let elements): return .array(elements.map { replaced($0, read) })
        case .set(let elements): return .set(Set(elements.map { replaced($0, read) }))
        case .orderedSet(let elements): return .orderedSet(elements.map { replaced($0, read) })
        case .null, .nullObject, .bool, .integer, .double, .decimal, .date, .data, .uuid, .url, .type, .dictionary,
            .object, .expression, .predicate:
            return value
        }
    }
}
