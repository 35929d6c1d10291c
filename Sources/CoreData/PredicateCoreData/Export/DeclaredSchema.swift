import PredicateModel
public import PredicateSQL
import PredicateSyntax

extension ModelDeclarations {
    /// The schema of the declared tables under the names of the model, for predicates: `predicate sql --schema`.
    ///
    /// A database describes itself too, but names relationships after tables and columns; here they have their names in
    /// the model, so that its fetch requests compile. A relationship to objects of several entities, which are in
    /// several tables, is left out. Transformable attributes are JSON strings.
    public func schema() -> SQLSchema {
        switch target {
        case .database(let engine): DeclaredSchema(model, engine).schema
        case .coreData: coreDataSchema
        }
    }

    /// The schema of a store, without the files of external data.
    private var coreDataSchema: SQLSchema {
        let layout = StoreLayout(model)
        var columns = layout.tables.mapValues { Set($0.map(\.name)) }
        for join in layout.joinTables {
            let order = [join.orderColumn, join.inverseOrderColumn].compactMap(\.self)
            columns[join.names.first ?? ""] = Set([join.sourceColumn, join.targetColumn] + order)
        }
        var builder = StoreSchemaBuilder(layout, FileTables(columns: columns), externalFolder: "")
        return builder.schema()
    }
}

/// Builds the schema of plain tables.
private struct DeclaredSchema {
    private let model: ManagedObjectModel
    private let plain: ModelTables
    private var tables: [PlainTable] { plain.tables }

    init(_ model: ManagedObjectModel, _ engine: SQLEngine) {
        self.model = model
        plain = ModelTables(model, for: engine)
    }

    var schema: SQLSchema {
        SQLSchema(
            tables.compactMap { table in
                guard case .entity(let name) = table.content else { return nil }
                var entity = SQLEntity(name, table: table.name, primaryKey: "Z_PK", attributes: [:])
                for column in table.columns { add(column, to: &entity) }
                for relationship in model.relationships(of: name) {
                    entity.relationships[relationship.name] = relation(relationship, in: table)
                }
                return entity
            })
    }

    private func add(_ column: PlainColumn, to entity: inout SQLEntity) {
        guard case .attribute(let attribute) = column.role else { return }
        entity.attributes[attribute.name] = SQLAttribute(
            plain.engine.schemaType(of: column.type), column: column.name, isNullable: column.isOptional)
    }

    // MARK: - Relationships

    private func relation(_ relationship: RelationshipDescription, in table: PlainTable) -> SQLRelationship? {
        guard let destination = relationship.destinationEntityName.flatMap(plain.onlyTable),
            case .entity(let other) = destination.content
        else { return nil }
        guard relationship.isToMany else {
            return table.columns.first { $0.role == .link(relationship) }.map { .toOne(other, column: $0.name) }
        }
        let inverse = model.inverse(of: relationship)?.relationship
        if let inverse, !inverse.isToMany {
            guard let column = destination.columns.first(where: { $0.role == .link(inverse) }) else { return nil }
            let order = destination.columns.first { $0.role == .linkPosition(inverse) }
            return .toMany(
                other, inverseColumn: column.name, orderColumn: relationship.isOrdered ? order?.name : nil)
        }
        for join in tables {
            guard case .join(_, let joined) = join.content else { continue }
            if joined == relationship { return relation(join, other, .source, .target, .position) }
            if joined == inverse { return relation(join, other, .target, .source, .inversePosition) }
        }
        return nil
    }

    private func relation(
        _ join: PlainTable, _ destination: String, _ source: PlainColumn.Role, _ target: PlainColumn.Role,
        _ position: PlainColumn.Role
    ) -> SQLRelationship? {
        func column(_ role: PlainColumn.Role) -> String? { join.columns.first { $0.role == role }?.name }
        guard let source = column(source), let target = column(target) else { return nil }
        return .manyToMany(
            destination, joinTable: join.name, sourceColumn: source, targetColumn: target,
            orderColumn: column(position))
    }
}
