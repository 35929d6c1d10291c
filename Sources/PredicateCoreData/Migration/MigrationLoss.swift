import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// What a migration leaves behind: rows of the old store that the new one has no place for.
///
/// ``StoreMigration/losses()`` finds them before anything is written. Core Data leaves them behind without a word.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum MigrationLoss: Hashable, Sendable, CustomStringConvertible {
    /// Objects of an entity that the new model does not have, and the links of other objects to them, which become nil.
    case objects(entity: String, count: Int, links: Int)
    /// Changes in the history of a store, which its new file begins anew.
    case history(changes: Int)

    /// `29 objects of GenericAsset are not carried over, and 31 links to them become nil`
    public var description: String {
        switch self {
        case .objects(let entity, 1, let links): "1 object of \(entity) is not carried over\(Self.words(links, "it"))"
        case .objects(let entity, let count, let links):
            "\(count) objects of \(entity) are not carried over\(Self.words(links, "them"))"
        case .history(let changes): "the history is not carried over: \(changes) \(changes == 1 ? "change" : "changes")"
        }
    }

    private static func words(_ links: Int, _ objects: String) -> String {
        switch links {
        case 0: ""
        case 1: ", and 1 link to \(objects) becomes nil"
        default: ", and \(links) links to \(objects) become nil"
        }
    }
}

extension StoreMigration {
    /// What a migration without a mapping model leaves behind; none with one, which says itself what becomes of every entity.
    ///
    /// `for loss in try migration.losses() { print(loss) }`
    ///
    /// Throws a ``CoreDataError``: `store`.
    public func losses() throws(CoreDataError) -> [MigrationLoss] {
        guard mapping == nil else { return [] }
        let kept = Set(KeyMap(match, source, StoreLayout(destination)).passages.map(\.source.number))
        let gone = source.layout.ordered.filter { !kept.contains($0.number) && source.file.columns[$0.table] != nil }
        var losses: [MigrationLoss] = []
        for entity in gone {
            let count = try number(
                "SELECT COUNT(*) FROM \(entity.table.quotedName) WHERE Z_ENT = ?1", [.integer(entity.number)])
            guard count > 0 else { continue }
            losses.append(.objects(entity: entity.name, count: count, links: try links(to: entity, kept)))
        }
        if source.file.columns["ACHANGE"] != nil {
            let changes = try number("SELECT COUNT(*) FROM ACHANGE")
            if changes > 0 { losses.append(.history(changes: changes)) }
        }
        return losses
    }

    private func number(_ text: String, _ bindings: [SQLBinding] = []) throws(CoreDataError) -> Int {
        let row = try storing { () throws(StoreError) in
            try source.connection.rows(of: SQLFragment(text, bindings: bindings)).next()
        }
        return Int(clamping: row?.first?.number ?? 0)
    }

    /// The links to the objects of an entity from objects that go on: their columns, and pairs.
    private func links(to entity: StoredEntity, _ kept: Set<Int64>) throws(CoreDataError) -> Int {
        let objects = "SELECT Z_PK FROM \(entity.table.quotedName) WHERE Z_ENT = ?1"
        let staying = SQLBinding.list(kept.sorted())
        var links = 0
        var columns: Set<[String]> = []
        for owner in source.layout.ordered where source.file.columns[owner.table] != nil {
            for relationship in source.model.relationships(of: owner.name) {
                guard case .toOne(let column, _, _)? = owner.relationships[relationship.name],
                    let destination = relationship.destinationEntityName.flatMap({ source.layout.entities[$0] }),
                    destination.table == entity.table, columns.insert([owner.table, column]).inserted
                else { continue }
                links += try number(
                    "SELECT COUNT(*) FROM \(owner.table.quotedName) WHERE \(column.quotedName) IN (\(objects))"
                        + " AND Z_ENT IN (SELECT value FROM json_each(?2))", [.integer(entity.number), staying])
            }
        }
        return links + (try pairs(with: entity, objects))
    }

    private func pairs(with entity: StoredEntity, _ objects: String) throws(CoreDataError) -> Int {
        var pairs = 0
        var tables: Set<String> = []
        for relationship in source.model.relationships(of: entity.name) {
            guard case .manyToMany(let join)? = entity.relationships[relationship.name],
                let table = source.file.name(of: join), tables.insert(table).inserted
            else { continue }
            pairs += try number(
                "SELECT COUNT(*) FROM \(table.quotedName) WHERE \(join.sourceColumn.quotedName) IN (\(objects))",
                [.integer(entity.number)])
        }
        return pairs
    }
}
