internal import PredicateSQL
import PredicateSyntax

/// The relationships to prefetch: each is read for many objects in one statement.
///
/// `["list.owner", "tags"]`: the tasks' lists, the owners of the lists, the tasks' tags.
struct Prefetch {
    /// A relationship, and the relationships to prefetch from its objects.
    private struct Branch {
        let location: EntityLayout.KeyLocation
        let layout: EntityLayout
        var rest: Prefetch
    }

    private var branches: [(key: String, branch: Branch)] = []

    /// No relationships.
    init() {}

    /// Throws `unknownKey` for a key that is not a relationship.
    init(_ paths: [String], from entity: String, in core: StoreCore) throws(StoreError) {
        for path in paths {
            let keys = KeyPathExpression.keys(of: path)
            try add(keys[...], try core.layout(entity), core)
        }
    }

    var isEmpty: Bool { branches.isEmpty }

    private mutating func add(
        _ path: ArraySlice<String>, _ layout: EntityLayout, _ core: StoreCore
    ) throws(StoreError) {
        guard let key = path.first else { return }
        let index = try index(of: key, layout, core)
        try branches[index].branch.rest.add(path.dropFirst(), branches[index].branch.layout, core)
    }

    private mutating func index(of key: String, _ layout: EntityLayout, _ core: StoreCore) throws(StoreError) -> Int {
        if let index = branches.firstIndex(where: { $0.key.hasSameCodePoints(as: key) }) { return index }
        let destination: String
        let location = layout.location(of: key)
        switch location {
        case .toOne(_, let name)?, .toMany(let name, _)?: destination = name
        case .attribute?, nil: throw layout.unknownRelationship(key)
        }
        guard let location else { throw layout.unknownRelationship(key) }
        branches.append((key, Branch(location: location, layout: try core.layout(destination), rest: Prefetch())))
        return branches.count - 1
    }

    // MARK: - Reading

    /// Reads the relationships of the given objects and caches the related objects in them.
    func read(for objects: [StoredObject], on core: StoreCore) throws(StoreError) {
        for (key, branch) in branches {
            let related: [StoredObject]
            switch branch.location {
            case .toOne(let index, _): related = try readOne(key, index, branch.layout, objects, core)
            case .toMany(_, let condition): related = try readMany(key, condition, branch.layout, objects, core)
            case .attribute: continue
            }
            if !branch.rest.isEmpty { try branch.rest.read(for: related, on: core) }
        }
    }

    /// Reads the objects of a to-one relationship, each once.
    private func readOne(
        _ key: String, _ index: Int, _ layout: EntityLayout, _ objects: [StoredObject], _ core: StoreCore
    ) throws(StoreError) -> [StoredObject] {
        var keys = PrimaryKeySet()
        var foreignKeys: [SQLBinding] = []
        for object in objects {
            foreignKeys.append(try object.foreignKey(index))
            keys.insert(foreignKeys[foreignKeys.count - 1])
        }
        var found: [PrimaryKey: StoredObject] = [:]
        try layout.statements.byKey.read(for: keys.list, on: core) { statement in
            found[PrimaryKey(statement.value(0))] = StoredObject(core, layout, statement)
        }
        for (object, foreignKey) in zip(objects, foreignKeys) {
            let isNull = foreignKey == .null
            let related = isNull ? nil : found[PrimaryKey(foreignKey)] ?? layout.missingObject(foreignKey, core)
            object.keep(.one(related), for: key)
        }
        return keys.list.compactMap { found[PrimaryKey($0)] }
    }

    private func readMany(
        _ key: String, _ condition: RelatedCondition, _ layout: EntityLayout, _ objects: [StoredObject],
        _ core: StoreCore
    ) throws(StoreError) -> [StoredObject] {
        var keys = PrimaryKeySet()
        for object in objects { keys.insert(object.key) }
        var found: [PrimaryKey: [StoredObject]] = [:]
        // An object that is related to several objects is created once.
        var known: [PrimaryKey: StoredObject] = [:]
        var related: [StoredObject] = []
        try layout.statements.related(condition).read(for: keys.list, on: core) { statement in
            let id = PrimaryKey(statement.value(0))
            let object = known[id] ?? StoredObject(core, layout, statement)
            if known.updateValue(object, forKey: id) == nil { related.append(object) }
            found[PrimaryKey(statement.value(layout.keys.count + 1)), default: []].append(object)
        }
        for object in objects { object.keep(.many(found[PrimaryKey(object.key)] ?? []), for: key) }
        return related
    }
}

extension EntityLayout {
    func unknownRelationship(_ key: String) -> StoreError {
        let nearMisses = NearMiss.candidates(for: key, among: entity.relationships.keys)
        let code = SQLCompilationError.Code.unknownKey(key, entity: entity.name, nearMisses: nearMisses)
        return StoreError(.compilation(SQLCompilationError(code, text: key, range: 0..<key.utf8.count)))
    }

    /// The object of a dangling foreign key: nil for every key.
    fileprivate func missingObject(_ key: SQLBinding, _ core: StoreCore) -> StoredObject {
        StoredObject(core, self, key, emptyRow)
    }
}

/// The statements that read rows by key, without a predicate. They are written once per layout.
struct RowStatements: Sendable {
    /// `SELECT t0."id", t0."name", t0."boss_id" FROM "person" AS t0`
    private let selection: SQLText
    private let rowTemplate: SQLFragment
    /// `… WHERE t0."id" IN (…)`: the rows with any of the given primary keys.
    let byKey: KeyStatement
    /// `t0."id", t0."name", t0."boss_id"`
    private let columns: SQLText
    /// `"person" AS t0`; for a view, `(SELECT row_number() OVER () AS "rowid", "grown_ups".* FROM "grown_ups") AS t0`
    private let table: SQLText

    /// Statements that read the primary key and the columns of the given keys.
    init(_ entity: SQLEntity, keys: [String]) {
        let columns = [entity.primaryKey] + keys.map { entity.columnName(of: $0) }
        let primaryKey: SQLText = "t0.\(name: entity.primaryKey)"
        self.columns = SQLText.joined(columns.map { "t0.\(name: $0)" }, by: ", ")
        table = "\(entity.rows) AS t0"
        selection = SQLText(rendering: "SELECT \(self.columns) FROM \(table)")
        rowTemplate = SQLFragment("\(selection) WHERE \(primaryKey) = ?1", bindings: [.null])
        byKey = KeyStatement(selection, where: primaryKey)
    }

    /// `… WHERE t0."id" = ?1`: the row with a primary key.
    func row(_ key: SQLBinding) -> SQLFragment {
        var statement = rowTemplate
        statement.bindings = [key]
        return statement
    }

    /// The statement for the rows that are related to an owner.
    func related(_ condition: RelatedCondition, owner: SQLBinding) -> SQLFragment {
        SQLFragment("\(selection)\(condition.filter)", bindings: [owner])
    }

    /// The statement for the related rows of several objects. The last column is the primary key of the owner:
    /// `SELECT t0."id", t0."number", t0."owner_id" FROM "phone" AS t0 WHERE t0."owner_id" IN (…)`.
    func related(_ condition: RelatedCondition) -> KeyStatement {
        KeyStatement(
            "SELECT \(columns), \(condition.owner) FROM \(table)\(condition.join)", where: condition.owner,
            order: condition.order)
    }
}

/// Selects the rows of a to-many relationship. Its parameter is the primary key of the owner.
struct RelatedCondition: Sendable {
    /// ` WHERE t0."owner_id" = ?1`, followed by `order`
    fileprivate let filter: SQLText
    /// `t0."owner_id"`: the column with the primary key of the owner.
    let owner: SQLText
    /// The join with the table of that column; empty if it is a column of the rows themselves.
    let join: SQLText
    /// ` ORDER BY t0."position"`; empty for unordered rows.
    let order: SQLText

    /// Rows with a foreign key to the owner.
    init(inverseColumn: String, order: String? = nil) {
        self.order = order.map { " ORDER BY t0.\(name: $0)" } ?? ""
        owner = "t0.\(name: inverseColumn)"
        filter = SQLText(rendering: " WHERE \(owner) = ?1\(self.order)")
        join = ""
    }

    /// ` WHERE t0."id" IN (SELECT t1."tag_id" FROM "task_tag" AS t1 WHERE t1."task_id" = ?1)`
    init(primaryKey: String, joinTable: String, sourceColumn: String, targetColumn: String, order: String? = nil) {
        owner = "t1.\(name: sourceColumn)"
        join = " JOIN \(name: joinTable) AS t1 ON t1.\(name: targetColumn) = t0.\(name: primaryKey)"
        guard let order else {
            let pairs: SQLText = "SELECT t1.\(name: targetColumn) FROM \(name: joinTable) AS t1 WHERE \(owner) = ?1"
            filter = SQLText(rendering: " WHERE t0.\(name: primaryKey) IN (\(pairs))")
            self.order = ""
            return
        }
        // The pairs of an ordered relationship are unique, so a join repeats no row, and the join table holds the order column.
        self.order = " ORDER BY t1.\(name: order)"
        filter = SQLText(rendering: "\(join) WHERE \(owner) = ?1\(self.order)")
    }
}

extension SQLText {
    /// SQL for SQLite whose names are quoted once, not again in each statement that contains it.
    fileprivate init(rendering text: SQLText) {
        self = "\(verbatim: SQLFragment(text).text)"
    }
}

extension SQLEntity {
    /// The column of an attribute or of a to-one relationship.
    fileprivate func columnName(of key: String) -> String {
        if case .toOne(let column)? = relationships[key]?.kind { return column }
        return attributes[key]?.column ?? key
    }
}

/// A statement for the rows whose column equals one of many keys. Each run takes a limited number of keys.
///
/// `SELECT t0."id", t0."number" FROM "phone" AS t0 WHERE t0."owner_id" IN (?1, ?2, …)`
struct KeyStatement {
    /// The SQL up to the list of keys.
    private let opening: SQLText
    /// ` ORDER BY …` after the list; may be empty.
    private let order: SQLText

    /// The maximum number of keys per run.
    static let chunk = 512

    /// A statement to which `WHERE column IN (…)` is appended.
    init(_ sql: SQLText, where column: SQLText, order: SQLText = "") {
        opening = "\(sql) WHERE \(column) IN ("
        self.order = order
    }

    /// The statement for some keys. Their number is rounded up to a power of two, so that few statements are
    /// prepared. The unused placeholders are NULL, which equals no key.
    private func fragment(_ keys: ArraySlice<SQLBinding>) -> SQLFragment {
        var count = 1
        while count < keys.count { count *= 2 }
        let placeholders = (1...count).map { "?\($0)" }.joined(separator: ", ")
        let rest = Array(repeating: SQLBinding.null, count: count - keys.count)
        return SQLFragment("\(opening)\(verbatim: placeholders))\(order)", bindings: keys + rest)
    }

    func run(for keys: [SQLBinding], on core: StoreCore) throws(StoreError) {
        for start in stride(from: 0, to: keys.count, by: Self.chunk) {
            let fragment = fragment(keys[start..<min(start + Self.chunk, keys.count)])
            try core.explaining { () throws(StoreError) in _ = try core.connection.run(fragment) }
        }
    }

    func read(
        for keys: [SQLBinding], on core: StoreCore, _ body: (SQLiteStatement) throws(StoreError) -> Void
    ) throws(StoreError) {
        for start in stride(from: 0, to: keys.count, by: Self.chunk) {
            let fragment = fragment(keys[start..<min(start + Self.chunk, keys.count)])
            try core.explaining { () throws(StoreError) in
                let rows = try core.connection.rows(of: fragment)
                while try rows.next(body) != nil {}
            }
        }
    }
}

/// A stored primary key. Strings are compared by their bytes, as the database does.
struct PrimaryKey: Hashable {
    let binding: SQLBinding

    init(_ binding: SQLBinding) {
        self.binding = binding
    }

    static func == (left: PrimaryKey, right: PrimaryKey) -> Bool {
        guard case .text(let left) = left.binding, case .text(let right) = right.binding else {
            return left.binding == right.binding
        }
        return left.utf8.elementsEqual(right.utf8)
    }

    func hash(into hasher: inout Hasher) {
        guard case .text(let text) = binding else { return hasher.combine(binding) }
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// Primary keys in insertion order, each once.
struct PrimaryKeySet {
    private(set) var list: [SQLBinding] = []
    private var all: Set<PrimaryKey> = []

    func contains(_ key: SQLBinding) -> Bool { all.contains(PrimaryKey(key)) }

    /// Adds a key unless it is NULL; returns true if it is new.
    @discardableResult
    mutating func insert(_ key: SQLBinding) -> Bool {
        if case .null = key { return false }
        guard all.insert(PrimaryKey(key)).inserted else { return false }
        list.append(key)
        return true
    }
}
