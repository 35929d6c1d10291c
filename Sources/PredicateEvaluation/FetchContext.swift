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
/// Contexts are compared like other constants of a predicate: class instances by identity. An error of a context ends
/// the evaluation: an ``EvaluationError`` with its code, any other error as ``EvaluationError/Code/host(_:)``.
/// [NSP-182]
public protocol FetchContext: Hashable, Sendable, PredicateValueConvertible {
    /// The type of the errors; by default any error, since a context is the host's code.
    associatedtype Failure: Error = any Error

    /// Returns the objects on the page of a request, in its order.
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
    /// - Throws: ``EvaluationError`` of the predicate, or of a sort key whose values have no order.
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
        var rows: [(object: KeyedValue, keys: [KeyedValue])] = []
        for object in objects { rows.append((object, try sortKeys.values(of: object))) }
        do {
            return try rows.sorted { try sortKeys.precedes($0.keys, $1.keys, locale) }.map(\.object)
        } catch let error as EvaluationError {
            throw error
        } catch {
            throw EvaluationError(Fault(host: error, of: "FETCH").code)
        }
    }
}

extension [SortKey] {
    /// Returns the values of the keys of an object.
    fileprivate func values(of object: KeyedValue) throws(EvaluationError) -> [KeyedValue] {
        var values: [KeyedValue] = []
        for key in self {
            let path = FormatExpression(.keyPath(KeyPathExpression(keys: key.keyPath)))
            values.append(try ExpressionEvaluator(path).value(object))
        }
        return values
    }

    /// True if the first key that differs places the left object first.
    fileprivate func precedes(
        _ left: [KeyedValue], _ right: [KeyedValue], _ locale: Locale?
    ) throws(Fault) -> Bool {
        for (index, key) in enumerated() {
            if let precedes = try key.precedes(left[index], right[index], locale) { return precedes }
        }
        return false
    }
}

extension SortKey {
    /// Returns true if the left value comes first, false if the right value comes first, nil if they are equal.
    fileprivate func precedes(
        _ left: KeyedValue, _ right: KeyedValue, _ locale: Locale?
    ) throws(Fault) -> Bool? {
        switch (left.isNull, right.isNull) {
        case (true, true): return nil
        case (true, false): return putsNilFirst
        case (false, true): return !putsNilFirst
        case (false, false): break
        }
        let order = try compare(left, right, locale)
        if order == .less { return ascending }
        return order == .greater ? !ascending : nil
    }

    /// Returns the order of two values of the key.
    ///
    /// `SortKey("name", options: .caseInsensitive).order(.value("jo"), .value("Al"), nil)` is descending
    package func order(
        _ left: KeyedValue, _ right: KeyedValue, _ locale: Locale?
    ) throws(EvaluationError) -> ComparisonResult {
        do throws(Fault) {
            guard let precedes = try precedes(left, right, locale) else { return .orderedSame }
            return precedes ? .orderedAscending : .orderedDescending
        } catch {
            throw EvaluationError(error.code)
        }
    }

    private func compare(
        _ left: KeyedValue, _ right: KeyedValue, _ locale: Locale?
    ) throws(Fault) -> Ordering.Outcomes {
        if let collation = Collation(options, locale), let left = left.text, let right = right.text {
            return collation.compare(left, right)
        }
        return try Ordering.compare(left, right, options.foldMode)
    }
}
