import PredicateSQL
import PredicateSyntax

/// The relationships that are read with the objects of a fetch: each in one statement for many objects.
///
/// `["list.owner", "tags"]`: the lists of the tasks, the owners of these, the tags of the tasks.
struct Prefetch {
    /// A relationship, and those of the objects that it leads to.
    private struct Branch {
        let column: EntityLayout.Column
        let layout: EntityLayout
        var rest: Prefetch
    }

    private var branches: [(key: String, branch: Branch)] = []

    /// No relationships.
    init() {}

    /// Throws the error of a key that is no relationship.
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
        let column = layout.column(key)
        switch column {
        case .toOne(_, let name)?, .toMany(let name, _)?: destination = name
        case .attribute?, nil: throw layout.lackOfRelationship(key)
        }
        guard let column else { throw layout.lackOfRelationship(key) }
        branches.append((key, Branch(column: column, layout: try core.layout(destination), rest: Prefetch())))
        return branches.count - 1
    }

    /// The relationships of the objects themselves.
    var keys: [String] { branches.map(\.key) }

    // MARK: - Reading

    /// Reads the relationships of some objects, and keeps what they lead to in them.
    func read(for objects: [StoredObject], on core: StoreCore) throws(StoreError) {
        for (key, branch) in branches {
            let related: [StoredObject]
            switch branch.column {
            case .toOne(let index, _): related = try readOne(key, index, branch.layout, objects, core)
            case .toMany(_, let condition): related = try readMany(key, condition, branch.layout, objects, core)
            case .attribute: continue
            }
            if !branch.rest.isEmpty { try branch.rest.read(for: related, on: core) }
        }
    }

    /// Reads the objects at the ends of a to-one relationship, each once.
    private func readOne(
        _ key: String, _ index: Int, _ layout: EntityLayout, _ objects: [StoredObject], _ core: StoreCore
    ) throws(StoreError) -> [StoredObject] {
        var keys = StoredKeys()
        var links: [SQLBinding] = []
        for object in objects {
            links.append(try object.link(index))
            keys.insert(links[links.count - 1])
        }
        var found: [StoredKey: StoredObject] = [:]
        try layout.statements.byKey.read(for: keys.list, on: core) { statement in
            found[StoredKey(statement.value(0))] = StoredObject(core, layout, statement)
        }
        for (object, link) in zip(objects, links) {
            object.keep(
                .one(link == .null ? nil : found[StoredKey(link)] ?? layout.missingObject(link, core)), for: key)
        }
        return keys.list.compactMap { found[StoredKey($0)] }
    }

    private func readMany(
        _ key: String, _ condition: RelatedCondition, _ layout: EntityLayout, _ objects: [StoredObject],
        _ core: StoreCore
    ) throws(StoreError) -> [StoredObject] {
        var keys = StoredKeys()
        for object in objects { keys.insert(object.key) }
        var found: [StoredKey: [StoredObject]] = [:]
        // An object to which several lead is one for all of them.
        var known: [StoredKey: StoredObject] = [:]
        var related: [StoredObject] = []
        try layout.statements.related(condition).read(for: keys.list, on: core) { statement in
            let id = StoredKey(statement.value(0))
            let object = known[id] ?? StoredObject(core, layout, statement)
            if known.updateValue(object, forKey: id) == nil { related.append(object) }
            found[StoredKey(statement.value(layout.keys.count + 1)), default: []].append(object)
        }
        for object in objects { object.keep(.many(found[StoredKey(object.key)] ?? []), for: key) }
        return related
    }
}

extension EntityLayout {
    /// The error of a key that is no relationship.
    func lackOfRelationship(_ key: String) -> StoreError {
        let nearMisses = NearMiss.candidates(for: key, among: entity.relationships.keys)
        let code = SQLCompilationError.Code.unknownKey(key, entity: entity.name, nearMisses: nearMisses)
        return StoreError(.compilation(SQLCompilationError(code, text: key, range: 0..<key.utf8.count)))
    }

    /// The object with a primary key that no row has: nil for every key.
    fileprivate func missingObject(_ key: SQLBinding, _ core: StoreCore) -> StoredObject {
        StoredObject(core, self, key, emptyRow)
    }
}
