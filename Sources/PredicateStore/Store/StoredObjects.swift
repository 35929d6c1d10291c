import PredicateEvaluation
import PredicateSQL
import PredicateSyntax

/// The objects that a request selects, read as they are asked for.
///
/// ```swift
/// let people = try store.fetch(FetchRequest("Person", predicate))
/// while let person = try people.next() { print(person["name"] ?? .null) }
/// ```
///
/// For one task. What ``SQLiteRows`` says of locks and changes meanwhile holds here too.
public final class StoredObjects {
    private let core: StoreCore
    private let layout: EntityLayout
    private let rows: SQLiteRows
    /// What SQL left open, and where in the objects that satisfy it the page begins and ends.
    private let residual: (evaluator: PredicateEvaluator, variables: PredicateVariables)?
    private var passedOver = 0
    private var left: Int?

    init(_ store: PredicateStore, _ request: FetchRequest) throws(StoreError) {
        let query = try store.query(for: request)
        let statement = try Self.statement(for: request, query, store.core)
        core = store.core
        layout = statement.layout
        residual = try query.residual.map { (rest) throws(StoreError) in
            try Self.residual(rest, request.variables, store.core)
        }
        if residual != nil { (passedOver, left) = (request.offset ?? 0, request.limit) }
        rows = try store.rows(of: statement.fragment)
    }

    /// The statement of a request, and how its rows are read.
    static func statement(
        for request: FetchRequest, _ query: SQLQuery, _ core: StoreCore
    ) throws(StoreError) -> (fragment: SQLFragment, layout: EntityLayout) {
        let page = try Page(request)
        // A residual may ask for any key, and only what satisfies it counts for the page.
        let isExact = query.residual == nil
        let keys = isExact ? request.keys : nil
        let whole = try core.layout(request.entity)
        let layout = keys == nil ? whole : try EntityLayout(whole.entity, keys: keys)
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
            let evaluator = try PredicateEvaluator(predicate.withObjects(of: core))
            return (evaluator, PredicateVariables(variables.mapValues { $0.withObjects(of: core) }))
        } catch {
            throw StoreError(.evaluation(error), message: "\(error)")
        }
    }

    /// The next object, nil past the last.
    ///
    /// Throws a ``StoreError``: `evaluation` where what SQL left open ends in an error for an object.
    public func next() throws(StoreError) -> StoredObject? {
        guard left != 0 else { return nil }
        while let object = try nextRow() {
            guard try matches(object) else { continue }
            if passedOver > 0 {
                passedOver -= 1
                continue
            }
            left = left.map { $0 - 1 }
            return object
        }
        return nil
    }

    /// The attributes of the objects.
    var attributes: [String] { layout.attributes }

    /// The attributes of the next object, nil past the last: without an object where nothing else asks for one.
    func nextValues() throws(StoreError) -> [PredicateValue]? {
        guard residual == nil, layout.isReadByPaths else { return try next()?.values() }
        return try core.explaining { () throws(StoreError) in
            try rows.next { layout.row($0).values }
        }
    }

    private func nextRow() throws(StoreError) -> StoredObject? {
        try core.explaining { () throws(StoreError) in
            try rows.next { StoredObject(core, layout, $0, hasRow: layout.isReadByPaths) }
        }
    }

    /// All objects that are left.
    public func all() throws(StoreError) -> [StoredObject] {
        var objects: [StoredObject] = []
        while let object = try next() { objects.append(object) }
        return objects
    }

    /// How many objects are left.
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
            // A row that could not be read shows as a key that is not there.
            throw core.takeError() ?? StoreError(.evaluation(error), message: "\(error)")
        }
    }
}

// MARK: - Objects and identities

extension FormatPredicate {
    /// The predicate with identities, which the compiler takes, where objects of a store stand.
    var withIdentities: FormatPredicate {
        guard TreeNode.predicate(node).holdsObjects else { return self }
        return FormatPredicate(node.mappingConstants(\.withIdentities))
    }

    /// The predicate with objects, which an evaluator takes, where identities stand.
    func withObjects(of core: StoreCore) -> FormatPredicate {
        guard TreeNode.predicate(node).holdsObjects else { return self }
        return FormatPredicate(node.mappingConstants { $0.withObjects(of: core) })
    }
}

extension PredicateValue {
    var withIdentities: PredicateValue {
        mappingObjects { object in
            (object.base as? StoredObject)?.id.predicateValue ?? .object(object)
        }
    }

    func withObjects(of core: StoreCore) -> PredicateValue {
        mappingObjects { object in
            (object.base as? SQLObjectID).flatMap { StoredObject(core, $0) }?.predicateValue ?? .object(object)
        }
    }
}

extension TreeNode {
    /// Whether a constant of the tree is an object, or has one in it: most trees stay as they are, with their places.
    fileprivate var holdsObjects: Bool {
        if case .expression(.constantValue(let value)) = self { return value.holdsObjects }
        return children.contains(where: \.holdsObjects)
    }
}

extension PredicateValue {
    fileprivate var holdsObjects: Bool {
        switch self {
        case .object: true
        case .array(let values), .orderedSet(let values): values.contains(where: \.holdsObjects)
        case .set(let values): values.contains(where: \.holdsObjects)
        case .dictionary(let values): values.values.contains(where: \.holdsObjects)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .expression, .predicate:
            false
        }
    }
}
