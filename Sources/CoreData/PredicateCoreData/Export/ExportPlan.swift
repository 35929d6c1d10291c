import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A column of an export, and how its values are read.
struct ExportColumn {
    let column: PlainColumn
    let read: ExportRead
    let replacement: Replacement?

    var name: String { column.name }
}

/// A table of an export, and the query for its rows.
struct ExportTable {
    let name: String
    /// The entity of the objects; nil for a join table and for the history.
    let entity: String?
    let columns: [ExportColumn]
    /// The values that a query selects, and the clauses after FROM.
    let selected: [SQLText]
    let rows: SQLText
    let primaryKey: [String]
    /// The keys of other objects in the store's own tables, by the index of their column.
    var links: [Int: (key: SQLText, rows: SQLText)] = [:]

    /// The table as it is declared.
    var declared: TableDeclaration {
        var table = TableDeclaration(name, primaryKey: primaryKey)
        table.columns = columns.map(\.column.withoutConditions)
        return table
    }
}

/// Finds what an export reads: the columns and tables of the store for those of ``ModelTables``.
struct ExportPlan {
    let context: ExportContext
    let selection: ExportSelection
    /// The names and columns of the tables.
    var plain: ModelTables
    /// True if objects are named by their URIs, false for their keys.
    let usesURIs: Bool

    init(
        _ context: ExportContext, _ selection: ExportSelection, _ engine: SQLEngine, usesURIs: Bool
    ) throws(CoreDataError) {
        (self.context, self.selection, self.usesURIs) = (context, selection, usesURIs)
        // Anonymized values are not decoded.
        let contents = try context.anonymizer == nil ? DataContents(context.store) : DataContents()
        plain = ModelTables(context.store.model, for: engine, contents: contents)
    }

    private var store: CoreDataStore { context.store }

    /// The tables of the selected entities that the store has and, for all entities, join tables and the history.
    mutating func tables() -> [ExportTable] {
        var tables: [ExportTable] = []
        for table in plain.tables {
            switch table.content {
            case .entity(let name):
                guard selection.includes(name), let made = entityTable(table, name) else { continue }
                tables.append(made)
            case .join(let entity, let relationship):
                guard selection.isWhole, let made = joinTable(table, entity, relationship) else { continue }
                tables.append(made)
            }
        }
        if selection.isWhole,
            let history = HistoryExport(context, usesURIs: usesURIs).table(plain.uniqueName("history"))
        {
            tables.append(history)
        }
        return tables
    }

    // MARK: - Entities

    private func entityTable(_ table: PlainTable, _ name: String) -> ExportTable? {
        guard let entity = store.layout.entities[name], store.schema.entities[name] != nil else { return nil }
        var columns = ColumnReader(self, entity)
        for column in table.columns { columns.add(column) }
        let source: SQLText = "\(context.table(entity.table)) AS s"
        let condition: SQLText =
            "s.Z_ENT = \(bind: .integer(entity.number))\(selection.condition(on: "s.Z_PK", of: entity))"
        var made = ExportTable(
            name: table.name, entity: name, columns: columns.columns, selected: columns.selected,
            rows: "\(source) WHERE \(condition) ORDER BY s.Z_PK", primaryKey: table.primaryKey)
        for (index, column) in made.columns.enumerated() {
            guard case .link(let relationship) = column.column.role,
                case .toOne(let stored, _, _)? = entity.relationships[relationship.name]
            else { continue }
            made.links[index] = ("s.\(name: stored)", "\(source) WHERE TRUE")
        }
        return made
    }

    // MARK: - Relationships

    private func joinTable(
        _ table: PlainTable, _ entity: String, _ relationship: RelationshipDescription
    ) -> ExportTable? {
        guard let links = ExportLinks(store, relationship, of: entity, in: context.schema) else { return nil }
        let target = context.prefix(of: relationship.destinationEntityName ?? "")
        var (columns, selected): ([ExportColumn], [SQLText]) = ([], [])
        func add(_ column: PlainColumn, _ read: ExportRead, _ values: SQLText...) {
            columns.append(ExportColumn(column: column, read: read, replacement: nil))
            selected += values
        }
        for column in table.columns {
            let index = selected.count
            switch column.role {
            case .source where usesURIs:
                add(
                    column, .object(column: index, context.prefix(of: entity), number: index + 1), links.key,
                    links.entity)
            case .source: add(column, .value(.integer64, column: index), links.key)
            case .target where usesURIs:
                add(column, .object(column: index, target, number: index + 1), links.otherKey, links.otherEntity)
            case .target: add(column, .value(.integer64, column: index), links.otherKey)
            case .position:
                if let order = links.order { add(column, .value(.integer64, column: index), order) }
            case .inversePosition:
                if let order = links.otherOrder { add(column, .value(.integer64, column: index), order) }
            case .key, .attribute, .archive, .link, .linkEntity, .linkPosition, .history: continue
            }
        }
        var made = ExportTable(
            name: table.name, entity: nil, columns: columns, selected: selected,
            rows: "\(links.rows) ORDER BY \(links.sorting)", primaryKey: table.primaryKey)
        made.links = [0: (links.key, links.rows), 1: (links.otherKey, links.rows)]
        return made
    }
}

/// Finds the columns of an entity's table in the store.
private struct ColumnReader {
    private let plan: ExportPlan
    private let entity: StoredEntity
    private let schema: SQLEntity?
    private(set) var columns: [ExportColumn] = []
    /// The selected expressions; the first is the primary key.
    private(set) var selected: [SQLText] = ["s.Z_PK"]

    init(_ plan: ExportPlan, _ entity: StoredEntity) {
        (self.plan, self.entity) = (plan, entity)
        schema = plan.context.store.schema.entities[entity.name]
    }

    /// Adds a column if the store has it.
    mutating func add(_ column: PlainColumn) {
        guard let read = read(column) else { return }
        columns.append(
            ExportColumn(column: plan.usesURIs ? column.renamed : column, read: read, replacement: Replacement(column)))
    }

    private mutating func select(_ value: SQLText) -> Int {
        selected.append(value)
        return selected.count - 1
    }

    private mutating func read(_ column: PlainColumn) -> ExportRead? {
        switch column.role {
        case .key:
            if plan.usesURIs { return .object(column: 0, plan.context.prefix(of: entity.name), number: nil) }
            return .value(.integer64, column: 0)
        case .attribute(let attribute):
            guard let stored = schema?.attributes[attribute.name]?.column else { return nil }
            let index = select("s.\(name: stored)")
            if column.type == .json { return .archive(of: bytes(of: attribute, index)) }
            guard attribute.allowsExternalBinaryDataStorage else { return .value(column.type, column: index) }
            return bytes(of: attribute, index)
        case .archive(let attribute):
            guard let stored = schema?.attributes[attribute.name]?.column else { return nil }
            return bytes(of: attribute, select("s.\(name: stored)"))
        case .link(let relationship): return link(relationship)
        case .linkEntity(let relationship):
            guard !plan.usesURIs, let number = numberColumn(relationship) else { return nil }
            return .entityName(column: select(number))
        case .linkPosition(let relationship):
            guard case .toOne(_, _, let order?)? = entity.relationships[relationship.name], has(order) else {
                return nil
            }
            return .value(.integer64, column: select("s.\(name: order)"))
        case .source, .target, .position, .inversePosition, .history: return nil
        }
    }

    /// Data, which may be in an external file.
    private func bytes(of attribute: AttributeDescription, _ index: Int) -> ExportRead {
        guard attribute.allowsExternalBinaryDataStorage else { return .bytes(column: index) }
        return .external(key: attribute.name, entity: entity.name, column: index)
    }

    private mutating func link(_ relationship: RelationshipDescription) -> ExportRead? {
        guard schema?.relationships[relationship.name] != nil, let destination = relationship.destinationEntityName,
            case .toOne(let stored, _, _)? = entity.relationships[relationship.name]
        else { return nil }
        let index = select("s.\(name: stored)")
        guard plan.usesURIs else { return .value(.integer64, column: index) }
        let number = numberColumn(relationship).map { select($0) }
        return .object(column: index, plan.context.prefix(of: destination), number: number)
    }

    /// The number of a related object's entity, if it may be of several.
    private func numberColumn(_ relationship: RelationshipDescription) -> SQLText? {
        let layout = plan.context.store.layout
        guard case .toOne(let stored, let number, _)? = entity.relationships[relationship.name],
            let other = relationship.destinationEntityName.flatMap({ layout.entities[$0] }),
            !other.descendants.isEmpty
        else { return nil }
        if let number, has(number) { return "s.\(name: number)" }
        return "(SELECT d.Z_ENT FROM \(plan.context.table(other.table)) AS d WHERE d.Z_PK = s.\(name: stored))"
    }

    private func has(_ column: String) -> Bool {
        plan.context.store.file.columns[entity.table]?.contains(column) ?? false
    }
}

extension PlainColumn {
    /// The column under the name that text formats use: the primary key is the object's URI.
    fileprivate var renamed: PlainColumn {
        guard role == .key else { return self }
        return PlainColumn(ExportedKey.id, .text, .key, isOptional: false)
    }
}

/// The keys of exported objects that are not keys of a model. No property's name can begin with `@`.
package enum ExportedKey {
    /// The URI of an object.
    package static let id = "@id"
    /// The name of its entity.
    package static let entity = "@entity"
    /// What a change of the history did; other objects have no such key.
    package static let change = "@change"
    /// The keys that identify an object: those of an export, and those that `filter` prints.
    package static let identities: Set<String> = [id, entity, "objectID", "Z_PK"]
    /// The end of the key with the bytes of a transformable attribute.
    package static let data = "@data"
}

/// The objects of an export.
struct ExportSelection {
    /// The selected entities, with subentities; nil for all.
    private let entities: Set<String>?
    /// The keys of the selected objects by root entity; nil for all objects.
    private let keys: [String: [Int64]]?

    /// Throws `store` for an unknown entity, and for a predicate that SQL cannot express.
    init(_ store: CoreDataStore, _ options: ExportOptions) throws(CoreDataError) {
        let names = options.entities
        for name in names ?? [] where store.schema.entities[name] == nil {
            let near = NearMiss.candidates(for: name, among: store.schema.entities.keys)
            throw CoreDataError(
                .store(StoreError(.compilation(SQLCompilationError(.unknownEntity(name, nearMisses: near))))))
        }
        entities = names.map { Set($0.flatMap { store.model.subtree(of: $0).map(\.name) }) }
        guard let predicate = options.predicate else {
            keys = nil
            return
        }
        var keys: [String: [Int64]] = [:]
        for name in names ?? store.model.rootEntities.map(\.name).filter({ store.schema.entities[$0] != nil }) {
            let found = try storing { () throws(StoreError) in
                try store.objects.fetchIntegerKeys(PredicateFetchRequest(name, predicate))
            }
            keys[store.layout.entities[name]?.root ?? name, default: []] += found
        }
        self.keys = keys
    }

    /// True if all objects are written.
    var isWhole: Bool { entities == nil && keys == nil }
    /// True if objects of a written entity may be left out.
    var isFiltered: Bool { keys != nil }

    func includes(_ entity: String) -> Bool { entities?.contains(entity) ?? true }

    /// ` AND j."ZSHELF" IN (…)`: the rows of the selected objects of an entity, by the column with their keys.
    func condition(on key: SQLText, of entity: StoredEntity) -> SQLText {
        guard let keys else { return "" }
        return " AND \(key) IN \(SQLText.keys(keys[entity.root] ?? []))"
    }
}
