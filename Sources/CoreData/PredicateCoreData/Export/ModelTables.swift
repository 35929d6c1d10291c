public import PredicateModel
import PredicateSyntax

/// The plain tables of a model, under the model's own names: what an export writes, and what a database of another
/// kind needs for the same data.
///
/// ```swift
/// for statement in try ModelTables(model, for: .postgresql).script() { print(statement + ";") }
/// ```
///
/// Each entity that is not abstract has a table with its own objects (not those of subentities): the primary key
/// `Z_PK`, the attributes, elements of composite attributes under their paths, and the foreign keys of to-one
/// relationships. `NAME.entity` is added if the related objects may be of several entities, and `NAME.position` if
/// the inverse is ordered. A transformable attribute has two columns: `NAME` with the JSON of its archive, and
/// `NAME@data` with its bytes. A many-to-many relationship, and a to-many relationship without an inverse, is a join
/// table, such as `Album_assets`.
public struct ModelTables: Sendable {
    /// The tables: those of entities in the order of the model's hierarchy, then join tables.
    public internal(set) var tables: [PlainTable] = []
    /// The dialect for which names are chosen.
    public let dialect: TableDialect
    private let model: ManagedObjectModel
    private var names: UniqueNames

    /// The tables of a model. Names are unique for the dialect, and short enough for it.
    public init(_ model: ManagedObjectModel, for dialect: TableDialect = .sqlite) {
        (self.model, self.dialect) = (model, dialect)
        names = UniqueNames(longest: dialect.longestName)
        let entities = model.entitiesInPreorder
        for entity in entities where !entity.isAbstract { tables.append(table(of: entity)) }
        for entity in entities { addJoinTables(of: entity) }
        setReferences()
    }

    /// A name for another table or an index, which none of the tables has.
    mutating func uniqueName(_ name: String) -> String { names.add(name) }

    // MARK: - Entities

    private mutating func table(of entity: EntityDescription) -> PlainTable {
        var columns = ColumnList(longest: dialect.longestName)
        columns.add("Z_PK", .integer64, .key, isOptional: false)
        for attribute in model.storedAttributes(of: entity.name) {
            guard let type = attribute.type.plainType else { continue }
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
            var columns = ColumnList(longest: dialect.longestName)
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
                tables[table].columns[column].references = reference(of: role, in: tables[table].content)
            }
        }
    }

    private func reference(of role: PlainColumn.Role, in content: PlainTable.Content) -> String? {
        switch (role, content) {
        case (.link(let relationship), _), (.target, .join(_, let relationship)):
            relationship.destinationEntityName.flatMap(onlyTable)?.name
        case (.source, .join(let entity, _)): onlyTable(of: entity)?.name
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
public struct PlainTable: Sendable {
    /// `Book`, `Item_tags`
    public let name: String
    /// The rows of the table.
    public let content: Content
    /// The columns, in order.
    public internal(set) var columns: [PlainColumn]
    /// The columns of the primary key.
    public let primaryKey: [String]
    /// Lists of columns whose combined values are unique.
    public internal(set) var unique: [[String]] = []

    /// The rows of a table.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Content: Hashable, Sendable {
        /// The objects of an entity, without those of its subentities.
        case entity(String)
        /// The pairs of related objects of a to-many relationship, which an entity declares.
        case join(entity: String, relationship: RelationshipDescription)
    }
}

/// A column of a ``PlainTable``.
public struct PlainColumn: Sendable {
    /// `title`, `address.street`, `shelf`
    public let name: String
    /// The type of the values.
    public let type: PlainType
    /// A Boolean value that indicates whether the value may be NULL.
    public internal(set) var isOptional: Bool
    /// The table that the column refers to by its primary key; nil for values, and for a link to objects of several
    /// entities.
    public internal(set) var references: String?
    let role: Role

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

        /// The key of an attribute or a to-one relationship; nil for what belongs to one.
        var key: String? {
            switch self {
            case .attribute(let attribute): attribute.name
            case .link(let relationship): relationship.name
            case .key, .archive, .linkEntity, .linkPosition, .source, .target, .position, .inversePosition,
                .history:
                nil
            }
        }
    }
}

/// The type of a ``PlainColumn``, which each dialect declares in its own way.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PlainType: Hashable, Sendable {
    /// Integers of 16, 32 and 64 bits.
    case integer16, integer32, integer64
    /// A binary floating-point number of 64 bits, and an exact decimal number.
    case double, decimal
    /// A Boolean value, a string, a point in time, bytes, a UUID.
    case boolean, text, date, data, uuid
    /// A JSON document.
    case json
}

extension AttributeType {
    /// The type of the attribute's plain column; nil for an attribute without values in a store.
    var plainType: PlainType? {
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

    init(longest: Int?) {
        names = UniqueNames(longest: longest)
    }

    mutating func add(_ name: String, _ type: PlainType, _ role: PlainColumn.Role, isOptional: Bool = true) {
        list.append(PlainColumn(name: names.add(name), type: type, isOptional: isOptional, role: role))
    }
}

/// Makes names unique for a database that ignores case: a duplicate gets a number. Long names are cut.
struct UniqueNames {
    private var taken: Set<String> = []
    /// The last number of the duplicates of a name.
    private var numbers: [String: Int] = [:]
    private let longest: Int?

    /// `longest` is the maximum number of bytes; nil for no limit.
    init(longest: Int? = nil) {
        self.longest = longest
    }

    mutating func add(_ name: String) -> String {
        var found = cut(name, for: "")
        let stem = found.lowercased()
        var number = numbers[stem] ?? 1
        while !taken.insert(found.lowercased()).inserted {
            number += 1
            found = cut(name, for: " \(number)")
        }
        numbers[stem] = number
        return found
    }

    private func cut(_ name: String, for end: String) -> String {
        guard let longest, name.utf8.count + end.utf8.count > longest else { return name + end }
        var short = name
        while short.utf8.count + end.utf8.count > longest { short.removeLast() }
        return short + end
    }
}
