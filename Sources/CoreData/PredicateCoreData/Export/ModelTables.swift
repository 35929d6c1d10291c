import PredicateModel
import PredicateSQL
import PredicateSyntax

/// The plain tables of a model, under the model's own names: what an export writes, and what ``ModelDeclarations`` declares.
struct ModelTables: Sendable {
    /// The tables: those of entities in the order of the model's hierarchy, then join tables.
    private(set) var tables: [PlainTable] = []
    /// The database for which names are chosen.
    let engine: SQLEngine
    private let model: ManagedObjectModel
    /// The binary attributes with two columns, as transformable ones have.
    private let contents: DataContents
    private var names: UniqueNames

    /// The tables of a model. Names are unique in the database, and short enough for it.
    init(_ model: ManagedObjectModel, for engine: SQLEngine, contents: DataContents = DataContents()) {
        (self.model, self.engine, self.contents) = (model, engine, contents)
        names = UniqueNames(for: engine)
        let entities = model.entitiesInPreorder
        for entity in entities where !entity.isAbstract { tables.append(table(of: entity)) }
        for entity in entities { addJoinTables(of: entity) }
        setReferences()
    }

    /// A name for another table that no table has yet.
    mutating func uniqueName(_ name: String) -> String { names.add(name) }

    // MARK: - Entities

    private mutating func table(of entity: EntityDescription) -> PlainTable {
        var columns = ColumnList(engine)
        columns.add("Z_PK", .integer64, .key, isOptional: false)
        for attribute in model.storedAttributes(of: entity.name) {
            guard let own = attribute.type.plainType else { continue }
            let type = contents.decodes(attribute, of: entity.name) ? .json : own
            let isOptional = attribute.isOptional || attribute.isDerived
            columns.add(attribute.name, type, .attribute(attribute), isOptional: isOptional)
            if type == .json { columns.add("\(attribute.name)@data", .data, .archive(attribute)) }
        }
        for relationship in model.relationships(of: entity.name)
        where !relationship.isToMany && !relationship.isTransient {
            addLink(relationship, to: &columns)
        }
        let unique = model.lineage(of: entity.name).flatMap(\.uniquenessConstraints).compactMap { keys in
            let found = keys.compactMap { key in columns.list.first { $0.role.key == key }?.name }
            return found.count == keys.count ? found : nil
        }
        return PlainTable(
            name: names.add(entity.name), content: .entity(entity.name), columns: columns.list, primaryKey: ["Z_PK"],
            unique: unique)
    }

    private func addLink(_ relationship: RelationshipDescription, to columns: inout ColumnList) {
        guard let destination = relationship.destinationEntityName, model.entity(destination) != nil else { return }
        columns.add(relationship.name, .integer64, .link(relationship), isOptional: relationship.isOptional)
        if !model.subentities(of: destination).isEmpty {
            columns.add("\(relationship.name).entity", .text, .linkEntity(relationship))
        }
        if let inverse = model.inverse(of: relationship)?.relationship, inverse.isToMany, inverse.isOrdered {
            columns.add("\(relationship.name).position", .integer64, .linkPosition(relationship))
        }
    }

    // MARK: - Relationships

    /// Adds the join tables of the relationships that an entity declares, each once.
    private mutating func addJoinTables(of entity: EntityDescription) {
        for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
            guard let destination = relationship.destinationEntityName, model.entity(destination) != nil,
                model.property(relationship.name, of: entity.name)?.declaringEntity.name == entity.name
            else { continue }
            let inverse = model.inverse(of: relationship)
            if let inverse {
                guard inverse.relationship.isToMany, isFirst(relationship, of: entity, inverse) else { continue }
            }
            var columns = ColumnList(engine)
            columns.add(entity.name, .integer64, .source, isOptional: false)
            columns.add(relationship.name, .integer64, .target, isOptional: false)
            let ends = columns.list.map(\.name)
            if relationship.isOrdered { columns.add("position", .integer64, .position) }
            if inverse?.relationship.isOrdered ?? false {
                columns.add("inverse position", .integer64, .inversePosition)
            }
            tables.append(
                PlainTable(
                    name: names.add("\(entity.name)_\(relationship.name)"),
                    content: .join(entity: entity.name, relationship: relationship), columns: columns.list,
                    primaryKey: ends))
        }
    }

    /// True for the first end of a join table. The other end would add the same table again.
    private func isFirst(
        _ relationship: RelationshipDescription, of entity: EntityDescription,
        _ inverse: (relationship: RelationshipDescription, declaringEntity: EntityDescription)
    ) -> Bool {
        let own = model.entityNumber(of: entity.name) ?? 0
        let other = model.entityNumber(of: inverse.declaringEntity.name) ?? 0
        return (own, relationship.name) <= (other, inverse.relationship.name)
    }

    // MARK: - Foreign keys

    /// Sets the referenced tables of columns. Objects of several entities are in several tables, so a column that
    /// leads to them has none.
    private mutating func setReferences() {
        for table in tables.indices {
            for column in tables[table].columns.indices {
                let role = tables[table].columns[column].role
                tables[table].columns[column].declared.references = reference(of: role, in: tables[table].content)
            }
        }
    }

    private func reference(of role: PlainColumn.Role, in content: PlainTable.Content) -> TableName? {
        switch (role, content) {
        case (.link(let relationship), _), (.target, .join(_, let relationship)):
            relationship.destinationEntityName.flatMap(onlyTable).map { TableName($0.name, in: nil) }
        case (.source, .join(let entity, _)): onlyTable(of: entity).map { TableName($0.name, in: nil) }
        case (.key, _), (.attribute, _), (.archive, _), (.linkEntity, _), (.linkPosition, _), (.source, _),
            (.target, _), (.position, _), (.inversePosition, _), (.history, _):
            nil
        }
    }

    /// The table of an entity whose objects are all in one.
    func onlyTable(of entity: String) -> PlainTable? {
        let concrete = model.subtree(of: entity).filter { !$0.isAbstract }
        guard concrete.count == 1, let name = concrete.first?.name else { return nil }
        return tables.first { $0.content == .entity(name) }
    }
}

/// A table of ``ModelTables``.
struct PlainTable: Sendable {
    /// `Book`, `Item_tags`
    let name: String
    /// The rows of the table.
    let content: Content
    /// The columns, in order.
    var columns: [PlainColumn]
    /// The columns of the primary key.
    let primaryKey: [String]
    /// Lists of columns whose combined values are unique.
    var unique: [[String]] = []

    /// The rows of a table.
    enum Content: Hashable, Sendable {
        /// The objects of an entity, without those of its subentities.
        case entity(String)
        /// The pairs of related objects of a to-many relationship, which an entity declares.
        case join(entity: String, relationship: RelationshipDescription)
    }

    /// The table as databases declare it.
    var declaration: TableDeclaration {
        var table = TableDeclaration(name, primaryKey: primaryKey)
        table.columns = columns.map(\.declared)
        table.unique = unique
        return table
    }
}

/// A column of a ``PlainTable``, and what it holds.
@dynamicMemberLookup
struct PlainColumn: Sendable {
    var declared: ColumnDeclaration
    let role: Role

    subscript<Value>(dynamicMember key: KeyPath<ColumnDeclaration, Value>) -> Value { declared[keyPath: key] }

    /// The column without the conditions of the model, which older rows may not satisfy.
    var withoutConditions: ColumnDeclaration {
        var column = declared
        column.rules = ValueRules()
        column.rules.defaultValue = declared.rules.defaultValue
        return column
    }

    init(_ name: String, _ type: DeclaredType, _ role: Role, isOptional: Bool = true) {
        self.role = role
        declared = ColumnDeclaration(name, type, isOptional: isOptional, isLink: role.isLink)
        if case .attribute(let attribute) = role { declared.rules = ValueRules(attribute) }
    }

    /// The part of the model that a column holds.
    enum Role: Hashable, Sendable {
        /// The primary key of an object.
        case key
        /// The value of an attribute; of a transformable attribute, as JSON.
        case attribute(AttributeDescription)
        /// The bytes of a transformable attribute.
        case archive(AttributeDescription)
        /// The primary key of a related object, its entity, and the position among the inverse's objects.
        case link(RelationshipDescription)
        case linkEntity(RelationshipDescription)
        case linkPosition(RelationshipDescription)
        /// In a join table: both ends, and their positions.
        case source
        case target
        case position
        case inversePosition
        /// A column of the history.
        case history

        /// The key of an attribute or a to-one relationship; nil for a column that only supplements one.
        var key: String? {
            switch self {
            case .attribute(let attribute): attribute.name
            case .link(let relationship): relationship.name
            case .key, .archive, .linkEntity, .linkPosition, .source, .target, .position, .inversePosition,
                .history:
                nil
            }
        }

        /// True for the primary key of another object.
        fileprivate var isLink: Bool {
            switch self {
            case .link, .source, .target: true
            case .key, .attribute, .archive, .linkEntity, .linkPosition, .position, .inversePosition, .history: false
            }
        }
    }
}

extension ValueRules {
    /// The constraints of an attribute that a database can express.
    fileprivate init(_ attribute: AttributeDescription) {
        self.init()
        (defaultValue, values) = (attribute.storableDefault, attribute.closedValues)
        (minimum, maximum) = (attribute.minimumValue, attribute.maximumValue)
        (minimumLength, maximumLength) = (attribute.minimumLength, attribute.maximumLength)
        pattern = attribute.regularExpression
    }
}

extension AttributeDescription {
    /// The default value; nil if the type of the column cannot hold it, which the check of a model reports.
    fileprivate var storableDefault: PredicateValue? {
        guard case .integer(let number)? = defaultValue, let range = type.integerRange else { return defaultValue }
        return range.contains(number) ? defaultValue : nil
    }
}

extension AttributeType {
    /// The type of the attribute's plain column; nil for an attribute without values in a store.
    var plainType: DeclaredType? {
        switch self {
        case .integer16: .integer16
        case .integer32: .integer32
        case .integer64, .objectID: .integer64
        case .boolean: .boolean
        case .decimal: .decimal
        // A store keeps both as doubles.
        case .double, .float: .double
        case .string, .uri: .text
        case .date: .date
        case .binaryData: .data
        case .uuid: .uuid
        case .transformable: .json
        case .undefined, .composite, .unknown: nil
        }
    }
}

/// Collects the columns of a table under unique names.
private struct ColumnList {
    private(set) var list: [PlainColumn] = []
    private var names: UniqueNames

    init(_ engine: SQLEngine) {
        names = UniqueNames(for: engine)
    }

    mutating func add(_ name: String, _ type: DeclaredType, _ role: PlainColumn.Role, isOptional: Bool = true) {
        list.append(PlainColumn(names.add(name), type, role, isOptional: isOptional))
    }
}

/// Runs the declaration of tables, whose errors are parts of the model that the database cannot hold.
func declaring<Result>(
    for engine: SQLEngine, _ body: () throws(SQLSchemaError) -> Result
) throws(CoreDataError) -> Result {
    do throws(SQLSchemaError) {
        return try body()
    } catch {
        guard case .undeclarable(let part, _) = error.code else {
            throw CoreDataError(.unsupportedParts(engine.rawValue, parts: [error.title]))
        }
        throw CoreDataError(.unsupportedParts(engine.rawValue, parts: [part]))
    }
}
