import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// An SQLite file whose tables a session reads.
final class OpenedStore {
    let path: String
    private let store: PredicateStore

    /// Throws a ``SessionError`` where the file cannot be read.
    init(path: String) throws(SessionError) {
        self.path = path
        do throws(StoreError) {
            store = try PredicateStore(SQLiteConnection(path))
        } catch {
            throw SessionError(rendered: error.description)
        }
    }

    /// The tables that can be read, by name.
    var tableNames: [String] { store.schema.entities.keys.sorted() }

    var schema: SQLSchema { store.schema }

    /// How many rows a table has.
    func count(of table: String) throws(SessionError) -> Int {
        do throws(StoreError) {
            return try store.count(FetchRequest(table))
        } catch {
            throw SessionError(rendered: error.description)
        }
    }

    /// How SQLite would go about a predicate.
    func plan(of predicate: FormatPredicate, table: String, _ variables: [String: PredicateValue]) -> String? {
        try? store.queryPlan(of: FetchRequest(table, predicate, variables: variables))
    }

    /// The rows of a table as dictionaries: its columns, and for each relationship the columns of what it leads to.
    ///
    /// To-many relationships are followed in tables of a few thousand rows only.
    func objects(
        of table: String, _ environment: SessionEnvironment
    ) throws(SessionError) -> (objects: ObjectTable, leftOut: [String]) {
        do throws(StoreError) {
            return try read(table, environment)
        } catch {
            environment.finishProgress()
            throw SessionError(rendered: error.description)
        }
    }

    private static let followedRows = 5_000

    private func read(
        _ table: String, _ environment: SessionEnvironment
    ) throws(StoreError) -> (objects: ObjectTable, leftOut: [String]) {
        let total = try store.count(FetchRequest(table))
        let relations = Relations(store, table, followsMany: total <= Self.followedRows)
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
        return (builder.finish(), relations.leftOut)
    }
}

/// The keys of an entity, and the objects that its relationships lead to.
private struct Relations {
    private let store: PredicateStore
    private let entity: SQLEntity?
    private let attributes: [String]
    private let toOne: [String]
    private let toMany: [String]
    /// Relationships that are not followed.
    let leftOut: [String]

    init(_ store: PredicateStore, _ table: String, followsMany: Bool) {
        self.store = store
        entity = store.schema.entities[table]
        attributes = entity?.attributes.keys.sorted() ?? []
        let many = entity?.relationships.filter(\.value.isToMany).keys.sorted() ?? []
        toOne = entity?.relationships.filter { !$0.value.isToMany }.keys.sorted() ?? []
        toMany = followsMany ? many : []
        leftOut = followsMany ? [] : many
    }

    /// The primary key comes first.
    var columns: [String] {
        let key = entity?.primaryKey ?? ""
        return attributes.filter { $0 == key } + attributes.filter { $0 != key } + toOne + toMany
    }

    func members(of row: StoredObject) throws(StoreError) -> [String: PredicateValue] {
        var members = try own(row, attributes)
        for name in toOne {
            members[name] = .null
            if let other = try row.related(name).first { members[name] = .dictionary(try own(other)) }
        }
        for name in toMany {
            var others: [PredicateValue] = []
            for other in try row.related(name) { others.append(.dictionary(try own(other))) }
            members[name] = .array(others)
        }
        return members
    }

    private func own(_ object: StoredObject, _ names: [String]? = nil) throws(StoreError) -> [String: PredicateValue] {
        let names = names ?? store.schema.entities[object.id.entity]?.attributes.keys.sorted() ?? []
        var members: [String: PredicateValue] = [:]
        for name in names { members[name] = try object.value(of: name) ?? .null }
        return members
    }
}
