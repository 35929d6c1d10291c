import PredicateChecks
import PredicateCoreData
import PredicateData
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads strings in a predicate as values that have no literal in the language.
///
/// `born >= "2001-01-01"` compares dates if `born` holds dates. `id == "137decc8-…"` compares UUIDs, and `paid == "t"` Booleans
/// in a column of `t` and `f`. A string that is not such a value stays a string. When compared with a date, `"2026"` and
/// `"2026-11"` mean that whole year or month. [NSP-486]
package struct TextReadings {
    /// Returns how to read the strings that are compared with a key path; nil to leave them as strings.
    private let read: (_ keys: [String]) -> TextReading?
    /// The kinds of the keys, which show which expressions are dates.
    private let scope: CheckScope
    /// The zone of dates, including those compared with expressions; nil for UTC.
    private let zone: LocalZone?

    /// Reads strings by the columns of CSV and by the types of JSON keys; dates are in the zone of the options.
    package init(header: RecordHeader?, _ options: RecordOptions) {
        let readings = options.readings
        zone = options.zone
        scope = (header.map { RecordSchema($0) } ?? RecordSchema(readings.compactMapValues(\.type.kind))).scope
        read = { keys in
            let name = keys.count == 1 ? keys[0] : RecordsPath.text(of: keys)
            return (header?.reading(of: name) ?? readings.reading(at: keys)).flatMap { Self.reading($0, name) }
        }
    }

    /// Reads strings by the attributes of an entity and of its related entities; `zone` is that of the dates in the database's
    /// strings. [NSP-496]
    package init(_ entity: SQLEntity, _ schema: SQLSchema, in zone: LocalZone?) {
        let scope = CheckScope(schema, entity: entity.name)
        (self.zone, self.scope) = (zone, scope)
        read = { keys in Self.reading(scope.type(at: keys).kinds, zone) }
    }

    /// Reads strings by the kinds of values that the given keys have; a name may contain dots.
    package init(_ kinds: [String: PredicateValue.Kind], in zone: LocalZone?) {
        (self.zone, scope) = (zone, RecordSchema(kinds).scope)
        read = { keys in
            kinds[keys.joined(separator: ".")].flatMap { Self.reading([$0], zone) }
        }
    }

    private static func reading(_ kinds: Set<PredicateValue.Kind>, _ zone: LocalZone?) -> TextReading? {
        if kinds == [.date] { return date(in: zone) }
        if kinds == [.uuid] { return TextReading(value: uuid) }
        return kinds == [.boolean] ? reading(ColumnReading(.boolean, .inferred), "") : nil
    }

    /// Returns the predicate with its strings read. Source ranges stay valid.
    ///
    /// Throws an error for a year or a month where no range of dates is possible, and for a day that does not exist.
    package func reading(_ predicate: FormatPredicate) throws(ValueError) -> FormatPredicate {
        var mapping = TextMapping(zone, scope, read: read)
        let node = mapping.predicate(predicate.node)
        if let fault = mapping.fault { throw fault.valueError }
        return mapping.changes == 0 ? predicate : FormatPredicate(node, source: predicate.source)
    }

    /// Returns the expression with the strings in its conditions read, as in a predicate: `TERNARY(joined > "2020", 1, 0)`.
    /// Source ranges stay valid.
    package func reading(_ expression: FormatExpression) throws(ValueError) -> FormatExpression {
        var mapping = TextMapping(zone, scope, read: read)
        let node = mapping.expression(expression.node)
        if let fault = mapping.fault { throw fault.valueError }
        return mapping.changes == 0 ? expression : FormatExpression(node, source: expression.source)
    }

    private static func reading(_ column: ColumnReading, _ name: String) -> TextReading? {
        switch column.type {
        case .string where !column.possibleDates.isEmpty:
            return TextReading(choice: DateChoice(column, name)) { _ in nil }
        case .date:
            let zone = column.zone
            return TextReading(isDate: true, zone: zone) { text in
                date(text, zone) ?? (DateSpan.isSpan(text) ? nil : column.value(of: text))
            }
        case .uuid: return TextReading(value: uuid)
        case .boolean: return TextReading { column.value(of: $0) }
        case .string, .integer, .double, .decimal, .data, .automatic: return nil
        }
    }

    fileprivate static func date(in zone: LocalZone?) -> TextReading {
        TextReading(isDate: true, zone: zone) { date($0, zone) }
    }

    private static func date(_ text: String, _ zone: LocalZone?) -> PredicateValue? {
        ISO8601.date(from: text, in: zone).map(PredicateValue.date)
    }

    private static func uuid(_ text: String) -> PredicateValue? { UUID(uuidString: text).map(PredicateValue.uuid) }
}

extension TextReadings {
    /// Returns the key paths that predicates and expressions compare with dates and do not use as strings, with dots between
    /// the keys: `at` for `at > "2024-01-31"`
    package static func datedKeys(of trees: [TreeNode], and others: Set<String> = []) -> Set<String> {
        var keys = DatedKeys()
        for tree in trees { keys.visit(tree) }
        return keys.dated.union(others).subtracting(keys.texts)
    }
}

/// Finds the keys that are compared with dates, and those that are used as strings.
private struct DatedKeys {
    private(set) var dated: Set<String> = []
    private(set) var texts: Set<String> = []
    private var paths = RecordKeys()

    mutating func visit(_ tree: TreeNode) {
        if case .predicate(.comparison(let node)) = tree {
            note(node.leftExpression, beside: node.rightExpression)
            note(node.rightExpression, beside: node.leftExpression)
        }
        if case .predicate(.string(let node)) = tree {
            let names = [node.leftExpression, node.rightExpression].compactMap { name(of: $0) }
            texts.formUnion(names)
        }
        let outer = paths
        if case .expression(.subquery(let subquery)) = tree { paths.enter(subquery) }
        for child in tree.children { visit(child) }
        paths = outer
    }

    private mutating func note(_ node: ExpressionNode, beside other: ExpressionNode) {
        guard let name = name(of: node) else { return }
        if DateTextError.texts(in: other).contains(where: DateSpan.isDateOrSpan) { dated.insert(name) }
    }

    private func name(of node: ExpressionNode) -> String? {
        paths.keys(of: node).map { RecordsPath.text(of: $0) }
    }
}

/// The keys of paths that begin at the record, or at the variable of a SUBQUERY, which stands for the elements of its
/// collection.
private struct RecordKeys {
    /// The keys of a SUBQUERY's collection, by its variable.
    private var collections: [String: [String]] = [:]

    mutating func enter(_ subquery: SubqueryExpression) {
        collections[subquery.variable] = keys(of: subquery.collection)
    }

    /// Returns the keys of a path; nil for any other expression.
    func keys(of node: ExpressionNode) -> [String]? {
        if case .variable(let name) = node { return collections[name] }
        guard case .keyPath(let path) = node else { return nil }
        let names: [String] = path.components.map { component in
            if case .key(let name) = component { name } else { "" }
        }
        guard let base = path.base, base != .evaluatedObject else { return names }
        return keys(of: base).map { $0 + names }
    }
}

/// A column whose strings may be dates, and the possible orders of day, month and year in them.
struct DateChoice {
    let name: String
    let orders: [DateNotation]
    private let column: ColumnReading

    init(_ column: ColumnReading, _ name: String) {
        (self.name, orders) = (name, column.possibleDates)
        var column = column
        (column.type, column.dateNotation) = (.date, column.possibleDates.first)
        self.column = column
    }

    /// Returns true if a comparison with a string needs the order: only equal strings are equal dates in any order.
    func isNeeded(beside text: String, _ operator: ComparisonOperator) -> Bool {
        if DateSpan.isDateOrSpan(text) { return true }
        switch `operator` {
        case .equalTo, .notEqualTo, .in, .customSelector: return false
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between:
            return column.value(of: text) != nil
        }
    }
}

/// How to read the strings that are compared with a key.
private struct TextReading {
    var isDate = false
    /// True to read URLs, and the strings in a list, as well.
    var isObject = false
    /// The orders of dates between which the user must choose.
    var choice: DateChoice?
    /// The zone of dates; nil for UTC.
    var zone: LocalZone?
    let value: (String) -> PredicateValue?
}

/// Replaces the strings that a predicate compares with certain keys.
private struct TextMapping: TreeMapping {
    let read: (_ keys: [String]) -> TextReading?
    /// The zone of dates that are compared with expressions.
    let zone: LocalZone?
    private let scope: CheckScope
    /// How to read strings that are compared with the object itself; nil if the records are not objects.
    private let own: TextReading?
    private(set) var changes = 0
    private var paths = RecordKeys()
    /// The first year or month that cannot be read.
    private(set) var fault: DateTextError?

    init(
        _ zone: LocalZone?, _ scope: CheckScope, own: TextReading? = nil,
        read: @escaping (_ keys: [String]) -> TextReading?
    ) {
        (self.zone, self.scope, self.own, self.read) = (zone, scope, own, read)
    }

    mutating func predicate(_ node: PredicateNode) -> PredicateNode {
        guard case .comparison(var comparison) = node else { return mappingChildren(of: readingElement(of: node)) }
        for (side, other) in [
            (comparison.leftExpression, comparison.rightExpression),
            (comparison.rightExpression, comparison.leftExpression),
        ] {
            guard let choice = paths.keys(of: side).flatMap(read)?.choice else { continue }
            fault = fault ?? DateTextError(choice, comparison.operator, beside: other, isDate: isDate(other))
        }
        if let reading = reading(beside: comparison.leftExpression) {
            comparison.rightExpression = replaced(comparison.rightExpression, reading)
            if reading.isDate {
                readSpan(right: &comparison, reading.zone)
                fault = fault ?? DateTextError(comparison)
            }
        } else if let reading = reading(beside: comparison.rightExpression) {
            comparison.leftExpression = replaced(comparison.leftExpression, reading)
            if reading.isDate {
                readSpan(left: &comparison, reading.zone)
                fault = fault ?? DateTextError(comparison)
            }
        }
        return mappingChildren(of: .comparison(comparison))
    }

    private mutating func readSpan(right comparison: inout ComparisonPredicate, _ zone: LocalZone?) {
        guard case .constantValue(let value) = comparison.rightExpression else { return }
        if comparison.operator == .between, case .array(let bounds) = value, bounds.count == 2 {
            let dates = bounds.enumerated().map { DateSpan.bound($1, isUpper: $0 == 1, zone) }
            comparison.rightExpression = .constantValue(.array(dates))
            changes += 1
        }
        guard case .string(let text) = value, let (name, date) = DateSpan(text, zone)?.comparison(comparison.operator)
        else { return }
        (comparison.operator, comparison.rightExpression) = (name, .constantValue(date))
        changes += 1
    }

    private mutating func readSpan(left comparison: inout ComparisonPredicate, _ zone: LocalZone?) {
        guard case .constantValue(.string(let text)) = comparison.leftExpression,
            let (name, date) = DateSpan(text, zone)?.mirrored(comparison.operator)
        else { return }
        (comparison.operator, comparison.leftExpression) = (name, .constantValue(date))
        changes += 1
    }

    /// In a SUBQUERY, its variable stands for the elements of the collection.
    mutating func expression(_ node: ExpressionNode) -> ExpressionNode {
        guard case .subquery(let subquery) = node else { return mappingChildren(of: node) }
        let outer = paths
        defer { paths = outer }
        paths.enter(subquery)
        return mappingChildren(of: node)
    }

    private func reading(beside node: ExpressionNode) -> TextReading? {
        if let keys = paths.keys(of: node) { return read(keys) }
        if let own { return node == .evaluatedObject ? own : nil }
        return isDate(node) ? TextReadings.date(in: zone) : nil
    }

    private func isDate(_ node: ExpressionNode) -> Bool {
        if case .function(let call) = node {
            if Self.datesOf.contains(call.function.name) { return true }
            if ["max:", "min:"].contains(call.function.name), case .aggregate(let elements)? = call.arguments.first {
                return elements.allSatisfy(isDate)
            }
        }
        return scope.type(of: node).kinds == [.date]
    }

    /// The registered functions that return dates.
    private static let datesOf = ["date:truncatedTo:", "dateByAddingUnit:value:toDate:", "ago:", "now"]

    /// Reads the object in `tags CONTAINS "x-coredata://…"`.
    private mutating func readingElement(of node: PredicateNode) -> PredicateNode {
        guard case .string(var comparison) = node, comparison.operator == .contains else { return node }
        if let reading = reading(beside: comparison.leftExpression), reading.isObject {
            comparison.rightExpression = replaced(comparison.rightExpression, reading)
        } else if let reading = reading(beside: comparison.rightExpression), reading.isObject {
            comparison.leftExpression = replaced(comparison.leftExpression, reading)
        }
        return .string(comparison)
    }

    private mutating func replaced(_ node: ExpressionNode, _ reading: TextReading) -> ExpressionNode {
        node.mappingElements { value in
            let text: String
            switch value {
            case .string(let string): text = string
            case .url(let url) where reading.isObject: text = url.absoluteString
            default: return value
            }
            guard let other = reading.value(text) else { return value }
            changes += 1
            return other
        }
    }
}

extension ExpressionNode {
    /// Returns the constant, or the list, with its elements transformed.
    fileprivate func mappingElements(_ transform: (PredicateValue) -> PredicateValue) -> ExpressionNode {
        switch self {
        case .constantValue(let value): .constantValue(value.mappingElements(transform))
        case .aggregate(let elements): .aggregate(elements.map { $0.mappingElements(transform) })
        case .evaluatedObject, .keyPath, .variable, .function, .cast, .index, .subquery, .conditional, .set, .message,
            .member, .symbol, .assignment, .anyKey, .block, .fetch:
            self
        }
    }
}

/// Replaces URIs by objects where a predicate compares objects.
///
/// `boss == "x-coredata://…/Person/p2"`, `SELF IN %@`, `ANY tags == %@`, `%@ IN tags`. A URI may be a string or a URL.
package struct ObjectReadings {
    private let entity: SQLEntity
    private let store: CoreDataStore

    package init(_ entity: SQLEntity, _ store: CoreDataStore) {
        (self.entity, self.store) = (entity, store)
    }

    /// Returns the predicate with objects in place of URIs. Source ranges stay valid.
    ///
    /// Throws `invalidURI` for a URI of another store, and for a URI without an entity of this store.
    package func reading(_ predicate: FormatPredicate) throws(CoreDataError) -> FormatPredicate {
        var failure: CoreDataError?
        let object = TextReading(isObject: true) { text in
            guard text.hasPrefix("x-coredata://") else { return nil }
            do throws(CoreDataError) {
                return try store.id(of: text).predicateValue
            } catch {
                failure = failure ?? error
                return nil
            }
        }
        var mapping = TextMapping(nil, CheckScope(), own: object) { leadsToObjects($0) ? object : nil }
        let node = mapping.predicate(predicate.node)
        if let failure { throw failure }
        return mapping.changes == 0 ? predicate : FormatPredicate(node, source: predicate.source)
    }

    /// Returns true for a path of relationships. The empty path is the object itself.
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
