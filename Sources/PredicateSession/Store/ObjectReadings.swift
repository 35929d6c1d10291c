import PredicateCoreData
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The URIs of objects in a predicate, which stand for the objects where it compares one.
///
/// `boss == "x-coredata://…/Person/p2"`, `SELF IN %@`, `ANY tags == %@`, `%@ IN tags`; a text and a URL alike.
package struct ObjectReadings {
    private let entity: SQLEntity
    private let store: CoreDataStore

    package init(_ entity: SQLEntity, _ store: CoreDataStore) {
        (self.entity, self.store) = (entity, store)
    }

    /// Returns the predicate with objects in place of their URIs; source ranges still hold.
    ///
    /// Throws `invalidURI` for the URI of an object of another store, and for one that names no entity.
    package func reading(_ predicate: FormatPredicate) throws(CoreDataError) -> FormatPredicate {
        var failure: CoreDataError?
        var mapping = URIMapping { keys in
            leadsToObjects(keys)
        } object: { text in
            do throws(CoreDataError) {
                return try store.id(of: text).predicateValue
            } catch {
                failure = failure ?? error
                return nil
            }
        }
        let node = mapping.predicate(predicate.node)
        if let failure { throw failure }
        return mapping.changes == 0 ? predicate : predicate.replacingTree(node)
    }

    /// True for a path of relationships; an empty one is the object itself.
    private func leadsToObjects(_ keys: [String]) -> Bool {
        var place = entity
        for key in keys where key != "self" {
            guard let relationship = place.relationships[key],
                let next = store.schema.entities[relationship.destination]
            else { return false }
            place = next
        }
        return true
    }
}

/// Replaces URIs that a predicate compares with objects.
private struct URIMapping: TreeMapping {
    let leadsToObjects: (_ keys: [String]) -> Bool
    let object: (_ uri: String) -> PredicateValue?
    private(set) var changes = 0

    init(leadsToObjects: @escaping ([String]) -> Bool, object: @escaping (String) -> PredicateValue?) {
        (self.leadsToObjects, self.object) = (leadsToObjects, object)
    }

    mutating func predicate(_ node: PredicateNode) -> PredicateNode {
        switch node {
        case .comparison(var comparison):
            replace(&comparison.leftExpression, &comparison.rightExpression)
            return mappingChildren(of: .comparison(comparison))
        case .string(var comparison) where comparison.operator == .contains:
            replace(&comparison.leftExpression, &comparison.rightExpression)
            return mappingChildren(of: .string(comparison))
        case .constant, .string, .compound, .block: return mappingChildren(of: node)
        }
    }

    mutating func expression(_ node: ExpressionNode) -> ExpressionNode { mappingChildren(of: node) }

    private mutating func replace(_ left: inout ExpressionNode, _ right: inout ExpressionNode) {
        if isObject(left) {
            right = replaced(right)
        } else if isObject(right) {
            left = replaced(left)
        }
    }

    private func isObject(_ node: ExpressionNode) -> Bool {
        switch node {
        case .evaluatedObject: return true
        case .keyPath(let path):
            guard path.base == nil || path.base == .evaluatedObject else { return false }
            return leadsToObjects(path.components.map { if case .key(let name) = $0 { name } else { "" } })
        case .constantValue, .variable, .function, .cast, .aggregate, .index, .subquery, .conditional, .set, .message,
            .member, .symbol, .assignment, .anyKey, .block, .fetch:
            return false
        }
    }

    private mutating func replaced(_ node: ExpressionNode) -> ExpressionNode {
        switch node {
        case .constantValue(let value): .constantValue(replaced(value))
        case .aggregate(let elements): .aggregate(elements.map { replaced($0) })
        case .evaluatedObject, .keyPath, .variable, .function, .cast, .index, .subquery, .conditional, .set, .message,
            .member, .symbol, .assignment, .anyKey, .block, .fetch:
            node
        }
    }

    private mutating func replaced(_ value: PredicateValue) -> PredicateValue {
        switch value {
        case .string(let text): return replaced(text) ?? value
        case .url(let url): return replaced(url.absoluteString) ?? value
        case .array(let elements): return .array(elements.map { replaced($0) })
        case .set(let elements): return .set(Set(elements.map { replaced($0) }))
        case .orderedSet(let elements): return .orderedSet(elements.map { replaced($0) })
        case .null, .nullObject, .bool, .integer, .double, .decimal, .date, .data, .uuid, .type, .dictionary, .object,
            .expression, .predicate:
            return value
        }
    }

    private mutating func replaced(_ text: String) -> PredicateValue? {
        guard text.hasPrefix("x-coredata://"), let found = object(text) else { return nil }
        changes += 1
        return found
    }
}
