public import Foundation
public import PredicateSyntax

/// A source of objects that answers fetch requests: the context of `FETCH(request, context, countOnly)`.
///
/// `SELF IN FETCH(%@, %@, NO)` with a ``/PredicateSyntax/PredicateFetchRequest`` and a context
///
/// A store is a fetch context, and ``MemoryFetchContext`` searches objects in memory. A host can define its own:
/// ```swift
/// final class Library: FetchContext {
///     func objects(for request: PredicateFetchRequest) throws -> [KeyedValue] {
///         try request.selection(from: books.map(\.keyedValue))
///     }
/// }
/// ```
/// Contexts are compared like other constants of a predicate: class instances by identity. An error of a context ends the
/// evaluation: an ``EvaluationError`` keeps its code, any other error becomes ``EvaluationError/Code/host(_:)``. [NSP-182]
public protocol FetchContext: Hashable, Sendable, PredicateValueConvertible {
    /// The type of the errors; by default any error, since a context is the host's code.
    associatedtype Failure: Error = any Error

    /// Returns the objects on the page of a request, in the order of the request.
    func objects(for request: PredicateFetchRequest) throws(Failure) -> [KeyedValue]

    /// Returns the number of objects on the page of a request: `FETCH(request, context, YES)`.
    func count(for request: PredicateFetchRequest) throws(Failure) -> Int
}

extension FetchContext {
    public func count(for request: PredicateFetchRequest) throws(Failure) -> Int { try objects(for: request).count }

    /// The context as an argument for `%@`.
    public var predicateValue: PredicateValue { .object(PredicateObject(self)) }
}

extension FetchContext where Self: AnyObject {
    public static func == (left: Self, right: Self) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// A fetch context of objects in memory, by the names of their entities.
///
/// ```swift
/// let context = MemoryFetchContext(["Task": tasks, "Person": people])
/// let predicate = try FormatPredicate("owner IN FETCH(%@, %@, NO)", PredicateFetchRequest("Person", adults), context)
/// ```
///
/// A request for an unknown entity throws an ``EvaluationError`` with the code `undefinedKey`. Each request evaluates
/// its predicate with every object of the entity. [NSP-182]
public final class MemoryFetchContext: FetchContext {
    private let entities: [String: [any KeyValueCoding & Sendable]]
    private let registry: EvaluationRegistry
    private let locale: Locale?

    /// Makes a context from the objects of each entity. Requests without sort keys return them in this order.
    public init(
        _ objects: [String: [any KeyValueCoding & Sendable]], registry: EvaluationRegistry = .standard,
        locale: Locale? = nil
    ) {
        entities = objects
        self.registry = registry
        self.locale = locale
    }

    public func objects(for request: PredicateFetchRequest) throws(EvaluationError) -> [KeyedValue] {
        guard let objects = entities[exactly: request.entity] else {
            let nearMisses = NearMiss.candidates(for: request.entity, among: entities.keys)
            throw EvaluationError(.undefinedKey(request.entity, of: "MemoryFetchContext", nearMisses: nearMisses))
        }
        return try request.selection(from: objects.map(\.keyedValue), registry: registry, locale: locale)
    }
}

extension PredicateFetchRequest {
    /// Returns the objects that match the predicate, on the page and in the order of the request. Objects with equal
    /// sort keys keep their order. The locale applies to `[l]`, in the predicate and in sort keys.
    ///
    /// `try PredicateFetchRequest("Task", isDue, sortKeys: [SortKey("title")], limit: 5).selection(from: tasks)`
    /// - Throws: ``EvaluationError`` of the predicate, or of the value of a sort key.
    public func selection(
        from objects: [KeyedValue], registry: EvaluationRegistry = .standard, locale: Locale? = nil
    ) throws(EvaluationError) -> [KeyedValue] {
        var selected = objects
        if let predicate {
            let evaluator = try PredicateEvaluator(predicate, registry: registry, locale: locale)
            let variables = PredicateVariables(variables)
            selected = []
            for object in objects where try evaluator.evaluate(object, variables: variables) { selected.append(object) }
        }
        if !sortKeys.isEmpty { selected = try sorted(selected, locale) }
        let start = min(max(offset ?? 0, 0), selected.count)
        let count = min(max(limit ?? selected.count, 0), selected.count - start)
        return Array(selected[start..<start + count])
    }

    private func sorted(_ objects: [KeyedValue], _ locale: Locale?) throws(EvaluationError) -> [KeyedValue] {
        let orders = sortKeys.map { ValueOrder($0, locale) }
        var evaluators: [ExpressionEvaluator] = []
        for key in sortKeys { evaluators.append(try ExpressionEvaluator(key.value)) }
        var rows: [(object: KeyedValue, values: [OrderedValue])] = []
        for object in objects {
            var values: [OrderedValue] = []
            for (order, evaluator) in zip(orders, evaluators) {
                values.append(order.value(try evaluator.value(object)))
            }
            rows.append((object, values))
        }
        return rows.sorted { orders.compare($0.values, $1.values) < 0 }.map(\.object)
    }
}

extension SortKey {
    /// Returns the order of two values as in `NSSortDescriptor`: the order of `<`, with an error for values that `<` rejects.
    ///
    /// `SortKey("name", options: .caseInsensitive).order(.value("jo"), .value("Al"), nil)` is descending
    package func order(
        _ left: KeyedValue, _ right: KeyedValue, _ locale: Locale?
    ) throws(EvaluationError) -> ComparisonResult {
        let order = ValueOrder(self, locale)
        do throws(Fault) {
            if !left.isNull, !right.isNull { _ = try Ordering.compare(left, right, .none) }
        } catch {
            throw EvaluationError(error.code)
        }
        let result = order.compare(order.value(left), order.value(right))
        return result < 0 ? .orderedAscending : result == 0 ? .orderedSame : .orderedDescending
    }
}
