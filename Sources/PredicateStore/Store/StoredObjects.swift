import PredicateEvaluation
import PredicateSQL
import PredicateSyntax
import Synchronization

/// The objects that a request selects, read one at a time.
///
/// ```swift
/// let people = try store.fetch(FetchRequest("Person", predicate))
/// while let person = try people.next() { print(person["name"] ?? .null) }
/// ```
///
/// For one task. Locks and concurrent changes are as for ``SQLiteRows``.
public final class StoredObjects {
    private let core: StoreCore
    private let layout: EntityLayout
    private let rows: SQLiteRows
    /// The part of the predicate that is evaluated in memory; the page then counts the objects that match it.
    private let residual: (evaluator: PredicateEvaluator, variables: PredicateVariables)?
    private var skipCount = 0
    private var remaining: Int?
    /// The relationships that are read with the objects, and the objects for which they have been.
    private let prefetch: Prefetch
    private var prefetched: ArraySlice<StoredObject> = []
    /// The object of the last row, which takes the next row if nobody keeps it.
    private var last: StoredObject?

    /// Prepares the statement of a request, whose predicate has been compiled.
    init(_ store: PredicateStore, _ request: FetchRequest, _ query: SQLQuery) throws(StoreError) {
        prefetch = try Prefetch(request.prefetching, from: request.entity, in: store.core)
        let statement = try Self.statement(for: request, query, store.core)
        core = store.core
        layout = statement.layout
        residual = try query.residual.map { (predicate) throws(StoreError) in
            try Self.residual(predicate, request.variables, store.core)
        }
        if residual != nil { (skipCount, remaining) = (request.offset ?? 0, request.limit) }
        rows = try store.rows(of: statement.fragment)
    }

    /// The statement of a request, and the layout of its rows.
    static func statement(
        for request: FetchRequest, _ query: SQLQuery, _ core: StoreCore
    ) throws(StoreError) -> (fragment: SQLFragment, layout: EntityLayout) {
        let page = try Page(request)
        // A residual may use any key, and only the objects that match it count for the page.
        let isExact = query.residual == nil
        let whole = try core.layout(request.entity)
        let keys = isExact ? request.keys.map { $0 + whole.keysBeside(request) } : nil
        let layout = keys == nil ? whole : try EntityLayout(whole.entity, in: core.schema, keys: keys)
        let fragment = try compiling { () throws(SQLCompilationError) in
            try query.select(
                keys: layout.isReadByPaths ? layout.keys : [], sortKeys: request.sortKeys,
                limit: isExact ? page.limit : nil,
                offset: isExact && page.offset > 0 ? page.offset : nil)
        }
        return (fragment, layout)
    }

    private static func residual(
        _ predicate: FormatPredicate, _ variables: [String: PredicateValue], _ core: StoreCore
    ) throws(StoreError) -> (PredicateEvaluator, PredicateVariables) {
        do throws(EvaluationError) {
            let evaluator = try PredicateEvaluator(predicate.withObjects(of: core), locale: core.compiler.locale)
            return (evaluator, PredicateVariables(variables.mapValues { $0.withObjects(of: core) }))
        } catch {
            throw StoreError(.evaluation(error))
        }
    }

    /// Returns the next object, or nil after the last.
    ///
    /// Throws a ``StoreError``: `evaluation` if the residual cannot be evaluated for an object.
    public func next() throws(StoreError) -> StoredObject? {
        if prefetch.isEmpty { return try nextMatch() }
        if prefetched.isEmpty {
            var objects: [StoredObject] = []
            while objects.count < KeyStatement.chunk, let object = try nextMatch() { objects.append(object) }
            try prefetch.read(for: objects, on: core)
            prefetched = objects[...]
        }
        return prefetched.popFirst()
    }

    private func nextMatch() throws(StoreError) -> StoredObject? {
        guard remaining != 0 else { return nil }
        while let object = try nextRow() {
            guard try matches(object) else { continue }
            if skipCount > 0 {
                skipCount -= 1
                continue
            }
            remaining = remaining.map { $0 - 1 }
            return object
        }
        return nil
    }

    /// The attributes of the objects.
    var attributes: [String] { layout.attributes }

    /// The attributes of the next object, or nil after the last; creates an object only if it is needed to read them.
    func nextValues() throws(StoreError) -> [PredicateValue]? {
        guard residual == nil, layout.isReadByPaths else { return try next()?.values() }
        return try core.explaining { () throws(StoreError) in
            try rows.next { layout.row($0).values }
        }
    }

    /// True if no row is left out or read for another one, so that nothing must be made of it.
    var readsRowsAlone: Bool {
        residual == nil && remaining == nil && skipCount == 0 && prefetch.isEmpty && layout.isReadByPaths
    }

    var rowLayout: EntityLayout { layout }

    /// Reads the next row of the statement; returns false after the last.
    func nextStatement(_ read: (SQLiteStatement) -> Void) throws(StoreError) -> Bool {
        try core.explaining { () throws(StoreError) in
            try rows.next { read($0) } != nil
        }
    }

    private func nextRow() throws(StoreError) -> StoredObject? {
        let object: StoredObject
        if let spare = takeSpareObject() {
            guard try nextStatement({ spare.read($0) }) else { return nil }
            object = spare
        } else {
            guard let new = try nextObject() else { return nil }
            object = new
        }
        if layout.isReadByPaths { last = object }
        return object
    }

    private func nextObject() throws(StoreError) -> StoredObject? {
        try core.explaining { () throws(StoreError) in
            try rows.next { StoredObject(core, layout, $0, hasRow: layout.isReadByPaths) }
        }
    }

    /// The object of the last row if nobody has kept it: a loop that keeps no object has one for all rows, and a row
    /// allocates nothing.
    private func takeSpareObject() -> StoredObject? {
        guard var object = last.take() else { return nil }
        // A weak reference would see another row.
        guard isKnownUniquelyReferenced(&object), _getWeakRetainCount(object) <= 1, _getUnownedRetainCount(object) <= 1
        else { return nil }
        // What other threads did with the object came before they let go of it.
        atomicMemoryFence(ordering: .acquiring)
        return object
    }

    /// Returns the remaining objects.
    public func all() throws(StoreError) -> [StoredObject] {
        var objects: [StoredObject] = []
        while let object = try next() { objects.append(object) }
        return objects
    }

    /// Returns the number of remaining objects.
    func count() throws(StoreError) -> Int {
        var count = 0
        while try next() != nil { count += 1 }
        return count
    }

    private func matches(_ object: StoredObject) throws(StoreError) -> Bool {
        guard let residual else { return true }
        do throws(EvaluationError) {
            return try residual.evaluator.evaluate(.object(object), variables: residual.variables)
        } catch {
            // A row that could not be read shows as a missing key.
            throw core.takeError() ?? StoreError(.evaluation(error))
        }
    }
}

extension EntityLayout {
    /// The keys that are read beside those that a request asks for: the version, and relationships that are prefetched.
    fileprivate func keysBeside(_ request: FetchRequest) -> [String] {
        let prefetched = request.prefetching.compactMap { KeyPathExpression.keys(of: $0).first }
        return prefetched + [entity.versionKey].compactMap(\.self)
    }
}

// MARK: - Objects and identities

extension FormatPredicate {
    /// The predicate with identities, which the compiler accepts, in place of stored objects and of the store.
    func withIdentities(in core: StoreCore) -> FormatPredicate {
        guard TreeNode.predicate(node).containsObjects else { return self }
        return mappingConstants { $0.withIdentities(in: core) }
    }

    /// The predicate with stored objects and the store, which an evaluator accepts, in place of identities.
    func withObjects(of core: StoreCore) -> FormatPredicate {
        guard TreeNode.predicate(node).containsObjects else { return self }
        return mappingConstants { $0.withObjects(of: core) }
    }
}

extension PredicateValue {
    func withIdentities(in core: StoreCore) -> PredicateValue {
        mappingObjects { object in
            switch object.base {
            case let object as StoredObject: object.id.predicateValue
            case let store as PredicateStore where store.core === core: SQLFetchContext().predicateValue
            case let request as FetchRequest: request.withIdentities(in: core).predicateValue
            default: .object(object)
            }
        }
    }

    func withObjects(of core: StoreCore) -> PredicateValue {
        mappingObjects { object in
            switch object.base {
            case let id as SQLObjectID: StoredObject(core, id)?.predicateValue ?? .object(object)
            case is SQLFetchContext: PredicateStore(core: core).predicateValue
            default: .object(object)
            }
        }
    }
}

extension FetchRequest {
    /// The request of a FETCH with identities in its predicate.
    fileprivate func withIdentities(in core: StoreCore) -> FetchRequest {
        var request = self
        request.predicate = predicate?.withIdentities(in: core)
        request.variables = variables.mapValues { $0.withIdentities(in: core) }
        return request
    }
}

extension TreeNode {
    /// True if a constant of the tree is or contains an object. Other trees are kept.
    fileprivate var containsObjects: Bool {
        if case .expression(.constantValue(let value)) = self { return value.containsObjects }
        return children.contains(where: \.containsObjects)
    }
}

extension PredicateValue {
    fileprivate var containsObjects: Bool {
        switch self {
        case .object: true
        case .array(let values), .orderedSet(let values): values.contains(where: \.containsObjects)
        case .set(let values): values.contains(where: \.containsObjects)
        case .dictionary(let values): values.values.contains(where: \.containsObjects)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .expression, .predicate:
            false
        }
    }
}
