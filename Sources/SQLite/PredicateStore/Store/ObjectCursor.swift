import PredicateEvaluation
internal import PredicateSQL
import PredicateSyntax
import Synchronization

/// A cursor over the objects that a request selects.
///
/// ```swift
/// let people = try store.fetchCursor(PredicateFetchRequest("Person", predicate))
/// while let person = try people.next() { print(person["name"] ?? .null) }
/// ```
///
/// The cursor reuses one row object while nobody retains it. Not for concurrent use. Locks and concurrent changes are
/// as described for ``SQLiteRows``.
public final class ObjectCursor {
    private let core: StoreCore
    private let layout: EntityLayout
    private let rows: SQLiteRows
    /// The part of the predicate that is evaluated in memory. With a residual, limit and offset are applied in memory, too.
    private let residual: (evaluator: PredicateEvaluator, variables: PredicateVariables)?
    private var skipCount = 0
    private var remaining: Int?
    /// The relationships to prefetch, and the objects that have been read ahead with them.
    private let prefetch: Prefetch
    private var prefetched: ArraySlice<StoredObject> = []
    /// The object of the last row. It is reused for the next row if nobody retains it.
    private var last: StoredObject?

    /// Prepares the statement of a request with a compiled predicate.
    init(
        _ store: ObjectStore, _ request: PredicateFetchRequest, _ query: SQLQuery
    ) throws(StoreError) {
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
        for request: PredicateFetchRequest, _ query: SQLQuery, _ core: StoreCore
    ) throws(StoreError) -> (fragment: SQLFragment, layout: EntityLayout) {
        let page = try RequestPage(request)
        // A residual may use any key, and limit and offset apply to the objects that match it. The largest possible limit gives
        // the rows the order that they would have on a page.
        let isExact = query.residual == nil
        let residualLimit = page.isWhole ? nil : Int.max
        let whole = try core.layout(request.entity)
        let keys = isExact ? request.keys.map { $0 + whole.additionalKeys(request) } : nil
        let layout =
            keys == nil
            ? whole : try EntityLayout(whole.entity, in: core.schema, core.context.zone, core.decoder, keys: keys)
        let fragment = try compiling { () throws(SQLCompilationError) in
            try query.page(
                keys: layout.isReadByPaths ? layout.keys : [], sortKeys: request.sortKeys,
                limit: isExact ? page.limit : residualLimit,
                offset: isExact && page.offset > 0 ? page.offset : nil
            ).statement
        }
        return (fragment, layout)
    }

    private static func residual(
        _ predicate: FormatPredicate, _ variables: [String: PredicateValue], _ core: StoreCore
    ) throws(StoreError) -> (PredicateEvaluator, PredicateVariables) {
        do throws(EvaluationError) {
            let evaluator = try PredicateEvaluator(predicate.withObjects(of: core), context: core.context)
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

    /// Reads the next row of the statement; returns false after the last.
    private func nextStatement(_ read: (SQLiteStatement) -> Void) throws(StoreError) -> Bool {
        try core.explaining { () throws(StoreError) in
            try rows.next { read($0) } != nil
        }
    }

    private func nextRow() throws(StoreError) -> StoredObject? {
        let object: StoredObject
        if let spare = takeReusableObject() {
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

    /// The last object, if nobody retains it. A loop that retains no objects uses one object for all rows, without
    /// allocating per row.
    private func takeReusableObject() -> StoredObject? {
        guard var object = last.take() else { return nil }
        // A weak or unowned reference would see the values of the next row.
        guard isKnownUniquelyReferenced(&object), _getWeakRetainCount(object) <= 1, _getUnownedRetainCount(object) <= 1
        else { return nil }
        // Pairs with the releases by other threads: their accesses happen before the object is reused.
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
            // A row that cannot be read appears as a missing key to the evaluator.
            throw core.takeError() ?? StoreError(.evaluation(error))
        }
    }
}

extension EntityLayout {
    /// The keys to read in addition to those of the request: the version key, and prefetched relationships.
    fileprivate func additionalKeys(_ request: PredicateFetchRequest) -> [String] {
        let prefetched = request.prefetching.compactMap { KeyPathExpression.keys(of: $0).first }
        return prefetched + [entity.versionKey].compactMap(\.self)
    }
}

// MARK: - Objects and identities

extension FormatPredicate {
    /// The predicate with object IDs and the compiler's fetch context in place of stored objects and of the store's context.
    func withIdentities(in core: StoreCore) -> FormatPredicate {
        guard TreeNode.predicate(node).containsObjects else { return self }
        return mappingConstants { $0.withIdentities(in: core) }
    }

    /// The predicate with stored objects and the store's context in place of object IDs and the compiler's fetch context.
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
            case let context as ObjectStore.Context where context.store.core.isSameStore(as: core):
                SQLFetchContext().predicateValue
            case let request as PredicateFetchRequest: request.withIdentities(in: core).predicateValue
            default: .object(object)
            }
        }
    }

    func withObjects(of core: StoreCore) -> PredicateValue {
        mappingObjects { object in
            switch object.base {
            case let id as SQLObjectID: StoredObject(core, id)?.predicateValue ?? .object(object)
            case is SQLFetchContext: ObjectStore(core: core).context.predicateValue
            default: .object(object)
            }
        }
    }
}

extension PredicateFetchRequest {
    /// The request of a FETCH with object IDs in its predicate.
    fileprivate func withIdentities(in core: StoreCore) -> PredicateFetchRequest {
        var request = self
        request.predicate = predicate?.withIdentities(in: core)
        request.variables = variables.mapValues { $0.withIdentities(in: core) }
        return request
    }
}

extension TreeNode {
    /// True if a constant of the tree is or contains an object. Trees without objects need no mapping.
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

/// The statement's current row as raw values, before an object is created. Valid until the next row.
package struct StoredCells {
    private let statement: SQLiteStatement
    private let layout: EntityLayout

    init(_ statement: SQLiteStatement, _ layout: EntityLayout) {
        (self.statement, self.layout) = (statement, layout)
    }

    /// A value of the row.
    package enum Cell {
        case null
        case integer(Int64)
        case double(Double)
        /// The bytes of a TEXT value, which SQLite does not guarantee to be valid UTF-8.
        case text(UnsafeBufferPointer<UInt8>)
        /// Any other value.
        case value(PredicateValue)
    }

    package var key: PredicateValue { layout.entity.primaryKeyType.value(of: statement.value(0)) }

    /// The attribute at an index of ``ObjectCursor/cellIndex(of:)``: the same value that the object would have.
    @inline(__always)
    package func cell(_ index: Int) -> Cell {
        let cell = statement.cell(index + 1)
        switch (cell.storage, layout.conversion(index)) {
        case (.null, _): return .null
        case (.integer, .double): return .double(Double(cell.integer))
        case (.integer, .identity): return .integer(cell.integer)
        case (.double, .identity), (.double, .double): return .double(cell.double)
        case (.text, .identity), (.text, .double), (.text, .boolean), (.text, .seconds): return .text(cell.bytes)
        case (.blob, _), (_, .boolean), (_, .seconds), (_, .converted):
            return .value(layout.value(index, statement))
        }
    }
}

extension ObjectCursor {
    /// True if rows can be read as raw values: every row is part of the result, and every key is a column of the statement.
    package var readsCells: Bool {
        residual == nil && remaining == nil && skipCount == 0 && prefetch.isEmpty && layout.isReadByPaths
    }

    /// The index of an attribute for ``StoredCells/cell(_:)``; nil for other keys.
    package func cellIndex(of key: String) -> Int? {
        layout.attribute(key)
    }

    /// Reads the next row with a closure; returns false after the last.
    package func nextCells(_ read: (StoredCells) -> Void) throws(StoreError) -> Bool {
        try nextStatement { read(StoredCells($0, layout)) }
    }
}
