import PredicateCoreData
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A SQLite file, or a store of the XML type, whose tables a session reads.
final class OpenedStore {
    let path: String
    private let store: ObjectStore
    private let environment: SessionEnvironment
    private let version: FileVersion?
    /// How the rows of the loaded table are read, and their number.
    private var members: RowMembers?
    private(set) var count: Int?

    /// Opens the file. Throws a ``SessionError`` if it cannot be read.
    init(path: String, _ environment: SessionEnvironment, _ context: PredicateContext) throws(SessionError) {
        (self.path, self.environment, version) = (path, environment, environment.version(path))
        do {
            store = try Self.open(path, context)
        } catch {
            throw SessionError(rendered: (error as? any PredicateDiagnostic)?.description ?? "\(error)")
        }
    }

    /// Opens a Core Data store by its model, or any other file by its tables.
    private static func open(_ path: String, _ context: PredicateContext) throws -> ObjectStore {
        if StoreType(file: path) == .xml { return try CoreDataStore(path, context: context).objects }
        if let store = try? CoreDataStore(path, context: context) { return store.objects }
        return try ObjectStore(StoreConnection(path), context: context)
    }

    /// The names of the readable tables, sorted.
    var tableNames: [String] { store.schema.entities.keys.sorted() }

    /// The only table, not counting views.
    var onlyTable: String? { store.schema.onlyTable?.name }

    var schema: SQLSchema { store.schema }

    /// Returns the attributes of a table whose sampled values are days.
    func days(of table: String) -> Set<String> {
        guard let entity = store.schema.entities[table] else { return [] }
        return Set(entity.attributes.keys.filter { store.holdsDays($0, of: entity) })
    }

    /// Returns the number of rows of a table.
    func count(of table: String) throws(SessionError) -> Int {
        try reading { () throws(StoreError) in try store.fetchCount(PredicateFetchRequest(table)) }
    }

    /// Returns SQLite's query plan for a predicate; nil if there is none.
    func plan(of predicate: FormatPredicate, table: String, _ variables: PredicateVariables) -> String? {
        try? store.queryPlan(of: PredicateFetchRequest(table, predicate, variables: variables))
    }

    /// Returns the first rows of a table as dictionaries of their columns and related objects. Relationships are followed as far
    /// as `reach` says, here and in later passes.
    ///
    /// To-many relationships are sets. They are followed only in tables of a few thousand rows.
    func load(
        _ table: String, reach: RelationshipReach = RelationshipReach(), first limit: Int
    ) throws(SessionError) -> (objects: ObjectTable, omissions: [String]) {
        let count = try count(of: table)
        return try reading { () throws(StoreError) in
            let members = try RowMembers(store, table, reach, followsMany: count <= Self.followedRows)
            let names = members.columns
            var builder = ObjectTableBuilder()
            _ = try forEachRow(members, of: count, first: limit) { (_, object) throws(StoreError) in
                builder.append(try object()) { names }
            }
            (self.members, self.count) = (members, count)
            return (builder.table(), members.omissions)
        }
    }

    /// Returns the store for passes over the loaded table; nil if it has no more rows than these.
    func stream(after objects: ObjectTable) -> (any ObjectStream)? { count ?? 0 > objects.count ? self : nil }

    private static let followedRows = 5_000

    /// Returns the reach that a query with these keys needs; nil if the loaded rows suffice.
    func furtherReach(for keys: [String]) -> RelationshipReach? {
        let steps = keys.filter { key in schema.entities.values.contains { $0.relationships[key] != nil } }
        let reach = members?.reach ?? RelationshipReach()
        guard !reach.covers(RelationshipReach(steps)) else { return nil }
        return RelationshipReach(Array(reach.names) + steps)
    }

    /// Passes on the positions of the first rows, with functions that read their members. The statement is always the same, and
    /// so is the order of the rows. Returns false if the user has cancelled.
    private func forEachRow(
        _ members: RowMembers, of total: Int?, first limit: Int, _ body: RowBody
    ) throws(StoreError) -> Bool {
        let rows = try store.fetchCursor(PredicateFetchRequest(members.table))
        let task = "reading \(members.table)"
        var index = 0
        while index < limit, let row = try rows.next() {
            try body(index) { () throws(StoreError) in .dictionary(try members.members(of: row)) }
            index += 1
            guard index.isMultiple(of: 8192) else { continue }
            environment.progress(TaskProgress(task: task, done: index, total: total, objects: index))
            if environment.isCancelled() { return false }
        }
        return true
    }

    private func reading<Result>(_ body: () throws(StoreError) -> Result) throws(SessionError) -> Result {
        defer { environment.finishProgress() }
        do throws(StoreError) { return try body() } catch { throw SessionError(rendered: error.description) }
    }
}

extension OpenedStore: ObjectStream {
    var lastNumber: Int? { count }

    func run(_ pass: ObjectPass) throws(SessionError) {
        try read(pass.keys) { (index, object) throws(StoreError) in pass.see(try object(), index) }
        count = pass.count
    }

    func objects(at indices: Set<Int>, typed keys: Set<String>?) throws(SessionError) -> [Int: KeyedValue] {
        var objects: [Int: KeyedValue] = [:]
        try read(nil, first: (indices.max() ?? -1) + 1) { (index, object) throws(StoreError) in
            if indices.contains(index) { objects[index] = .value(try object()) }
        }
        return objects
    }

    /// Reads the first rows of the loaded table. Only members with these keys are read; all of them if `keys` is nil.
    private func read(_ keys: Set<String>?, first limit: Int = .max, _ body: RowBody) throws(SessionError) {
        guard let members = members?.restricted(to: keys) else { return }
        if environment.version(path) != version { throw .changed(path) }
        let isWhole = try reading { () throws(StoreError) in
            try forEachRow(members, of: count, first: limit, body)
        }
        if !isWhole { throw SessionError("stopped") }
    }
}

/// Takes the position of a row, and a function that reads its members.
private typealias RowBody = (Int, () throws(StoreError) -> PredicateValue) throws(StoreError) -> Void

/// How far relationships are followed: all of them for one level, and those that a query names for more levels.
struct RelationshipReach {
    fileprivate let names: Set<String>
    fileprivate let levels: Int

    private static let mostLevels = 8

    /// Creates the reach for the relationship keys in a query, which may be repeated.
    fileprivate init(_ steps: [String] = []) {
        names = Set(steps)
        levels = min(max(1, steps.count), Self.mostLevels)
    }

    fileprivate func covers(_ other: RelationshipReach) -> Bool {
        other.levels <= 1 || (other.levels <= levels && other.names.isSubset(of: names))
    }
}

/// Reads the members of an entity's rows: attributes and related objects.
private struct RowMembers {
    private let store: ObjectStore
    let table: String
    let reach: RelationshipReach
    private let followsMany: Bool
    private let entity: SQLEntity?
    private var attributes: [String]
    private var toOne: [String]
    private var toMany: [String]
    /// Relationships that are not followed.
    let omissions: [String]

    init(_ store: ObjectStore, _ table: String, _ reach: RelationshipReach, followsMany: Bool) throws(StoreError) {
        (self.store, self.table, self.reach, self.followsMany) = (store, table, reach, followsMany)
        entity = store.schema.entities[table]
        if let entity {
            attributes = try ColumnOrder.attributes(of: entity, in: store)
        } else {
            attributes = []
        }
        let many = entity?.relationships.filter(\.value.isToMany).keys.sorted() ?? []
        toOne = entity?.relationships.filter { !$0.value.isToMany }.keys.sorted() ?? []
        toMany = followsMany ? many : []
        omissions = followsMany ? [] : many
    }

    /// The keys, the primary key first.
    var columns: [String] {
        let key = entity?.primaryKey ?? ""
        return attributes.filter { $0 == key } + attributes.filter { $0 != key } + toOne + toMany
    }

    /// Returns the members with these keys; all of them if `keys` is nil.
    func restricted(to keys: Set<String>?) -> RowMembers {
        guard let keys else { return self }
        var part = self
        part.attributes = attributes.filter(keys.contains)
        (part.toOne, part.toMany) = (toOne.filter(keys.contains), toMany.filter(keys.contains))
        return part
    }

    func members(of row: StoredObject) throws(StoreError) -> [String: PredicateValue] {
        var members = try own(row, attributes)
        for name in toOne + toMany { members[name] = try related(row, name, 1) }
        return members
    }

    /// Returns a related object, or the set of related objects, with their relationships up to the reach.
    private func related(_ row: StoredObject, _ name: String, _ level: Int) throws(StoreError) -> PredicateValue {
        var others: [PredicateValue] = []
        for other in try row.related(name) {
            let entity = store.schema.entities[other.id.entity]
            var members = try own(other, entity?.attributes.keys.sorted() ?? [])
            if level < reach.levels {
                for (name, relationship) in entity?.relationships ?? [:]
                where reach.names.contains(name) && (followsMany || !relationship.isToMany) {
                    members[name] = try related(other, name, level + 1)
                }
            }
            others.append(.dictionary(members))
        }
        let isToMany = store.schema.entities[row.id.entity]?.relationships[name]?.isToMany ?? false
        return isToMany ? .set(Set(others)) : others.first ?? .null
    }

    private func own(_ object: StoredObject, _ names: [String]) throws(StoreError) -> [String: PredicateValue] {
        var members: [String: PredicateValue] = [:]
        for name in names { members[name] = try object.value(of: name) ?? .null }
        return members
    }
}

/// The attributes of an entity in the order of the columns in its table.
package enum ColumnOrder {
    /// Returns the names of the attributes. Attributes without a column in the table come last, sorted.
    package static func attributes(of entity: SQLEntity, in store: ObjectStore) throws(StoreError) -> [String] {
        let positions = try positions(of: entity.table, in: store)
        func position(_ name: String) -> Int64 {
            positions[(entity.attributes[name]?.column ?? name).lowercased()] ?? .max
        }
        return entity.attributes.keys.sorted { (position($0), $0) < (position($1), $1) }
    }

    private static func positions(of table: String, in store: ObjectStore) throws(StoreError) -> [String: Int64] {
        let query: SQLText = "SELECT name, cid FROM pragma_table_xinfo(\(bind: .text(table)))"
        let rows = try store.connection.rows(of: SQLFragment(query))
        var positions: [String: Int64] = [:]
        while let row = try rows.next() {
            guard case .text(let name)? = row.first, case .integer(let position)? = row.last else { continue }
            positions[name.lowercased()] = position
        }
        return positions
    }
}
