import PredicateCoreData
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A SQLite file whose tables a session reads.
final class OpenedStore {
    let path: String
    private let store: PredicateStore
    /// The reach of the relationships in the rows that were read last.
    private var reach = Reach()

    /// Throws a ``SessionError`` where the file cannot be read.
    init(path: String) throws(SessionError) {
        self.path = path
        do throws(StoreError) {
            store = try Self.open(path)
        } catch {
            throw SessionError(rendered: error.description)
        }
    }

    /// A store of Core Data by the names of its model, any other file by its tables.
    private static func open(_ path: String) throws(StoreError) -> PredicateStore {
        if let store = try? PredicateStore(coreData: path) { return store }
        return try PredicateStore(SQLiteConnection(path))
    }

    /// The names of the tables that can be read, sorted.
    var tableNames: [String] { store.schema.entities.keys.sorted() }

    /// The only table, or the only one beside views.
    var onlyTable: String? { store.schema.onlyTable?.name }

    var schema: SQLSchema { store.schema }

    /// Returns the number of rows of a table.
    func count(of table: String) throws(SessionError) -> Int {
        do throws(StoreError) {
            return try store.count(FetchRequest(table))
        } catch {
            throw SessionError(rendered: error.description)
        }
    }

    /// Returns SQLite's query plan for a predicate.
    func plan(of predicate: FormatPredicate, table: String, _ variables: [String: PredicateValue]) -> String? {
        try? store.queryPlan(of: FetchRequest(table, predicate, variables: variables))
    }

    /// Returns the rows of a table as dictionaries: its columns, the columns of related objects, and further
    /// relationships up to `reach`.
    ///
    /// To-many relationships are sets; they are followed in tables of a few thousand rows only.
    func objects(
        of table: String, reach: Reach = Reach(), _ environment: SessionEnvironment
    ) throws(SessionError) -> (objects: ObjectTable, leftOut: [String]) {
        do throws(StoreError) {
            let read = try read(table, reach, environment)
            self.reach = reach
            return read
        } catch {
            environment.finishProgress()
            throw SessionError(rendered: error.description)
        }
    }

    private static let followedRows = 5_000

    /// Returns the reach that a query with these keys needs; nil if the rows were read that far already.
    func furtherReach(for keys: [String]) -> Reach? {
        let steps = keys.filter { key in schema.entities.values.contains { $0.relationships[key] != nil } }
        guard !reach.covers(Reach(steps)) else { return nil }
        return Reach(Array(reach.names) + steps)
    }

    private func read(
        _ table: String, _ reach: Reach, _ environment: SessionEnvironment
    ) throws(StoreError) -> (objects: ObjectTable, leftOut: [String]) {
        let total = try store.count(FetchRequest(table))
        let relations = try Relations(store, table, reach, followsMany: total <= Self.followedRows)
        let names = relations.columns
        let rows = try store.fetch(FetchRequest(table))
        var builder = ObjectTableBuilder()
        while let row = try rows.next() {
            builder.append(.dictionary(try relations.members(of: row))) { names }
            guard builder.count.isMultiple(of: 8192) else { continue }
            environment.progress(
                Progress(task: "reading \(table)", done: builder.count, total: total, objects: builder.count))
            if environment.isCancelled() { break }
        }
        environment.finishProgress()
        return (builder.table(), relations.leftOut)
    }
}

/// The depth to which relationships are followed: once for all of them, deeper for those that a query names.
struct Reach {
    fileprivate let names: Set<String>
    fileprivate let levels: Int

    private static let mostLevels = 8

    /// Creates the reach of a query from its relationship keys, with repetitions.
    fileprivate init(_ steps: [String] = []) {
        names = Set(steps)
        levels = min(max(1, steps.count), Self.mostLevels)
    }

    fileprivate func covers(_ other: Reach) -> Bool {
        other.levels <= 1 || (other.levels <= levels && other.names.isSubset(of: names))
    }
}

/// Reads the members of an entity's rows: attributes and related objects.
private struct Relations {
    private let store: PredicateStore
    private let reach: Reach
    private let followsMany: Bool
    private let entity: SQLEntity?
    private let attributes: [String]
    private let toOne: [String]
    private let toMany: [String]
    /// Relationships that are not followed.
    let leftOut: [String]

    init(_ store: PredicateStore, _ table: String, _ reach: Reach, followsMany: Bool) throws(StoreError) {
        self.store = store
        self.reach = reach
        self.followsMany = followsMany
        entity = store.schema.entities[table]
        if let entity {
            attributes = try ColumnOrder.attributes(of: entity, in: store)
        } else {
            attributes = []
        }
        let many = entity?.relationships.filter(\.value.isToMany).keys.sorted() ?? []
        toOne = entity?.relationships.filter { !$0.value.isToMany }.keys.sorted() ?? []
        toMany = followsMany ? many : []
        leftOut = followsMany ? [] : many
    }

    /// The keys, beginning with the primary key.
    var columns: [String] {
        let key = entity?.primaryKey ?? ""
        return attributes.filter { $0 == key } + attributes.filter { $0 != key } + toOne + toMany
    }

    func members(of row: StoredObject) throws(StoreError) -> [String: PredicateValue] {
        var members = try own(row, attributes)
        for name in toOne + toMany { members[name] = try related(row, name, 1) }
        return members
    }

    /// Returns a related object, or the set of them, with further relationships up to the reach.
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
