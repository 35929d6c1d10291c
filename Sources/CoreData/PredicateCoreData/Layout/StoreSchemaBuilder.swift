import PredicateModel
import PredicateSQL
import PredicateSyntax

/// Builds the schema of a store from its layout, limited to what the file contains.
struct StoreSchemaBuilder {
    let layout: StoreLayout
    let file: FileTables
    /// The folder of external data files.
    let externalFolder: String
    /// True if objects have the decoded values of data.
    private let decodesData: Bool
    private(set) var omissions: [StoreOmission] = []

    init(_ layout: StoreLayout, _ file: FileTables, externalFolder: String, decodesData: Bool = false) {
        (self.layout, self.file, self.externalFolder) = (layout, file, externalFolder)
        self.decodesData = decodesData
    }

    mutating func schema() -> SQLSchema {
        var entities: [SQLEntity] = []
        let stored = layout.ordered.filter { file.columns[$0.table] != nil }
        let names = Set(stored.map(\.name))
        for entity in layout.model.entities where !names.contains(entity.name) {
            omissions.append(.entity(entity.name, table: layout.entities[entity.name]?.table ?? ""))
        }
        for entity in stored { entities.append(self.entity(entity, among: names)) }
        var schema = SQLSchema(entities)
        schema.isCoreData = true
        return schema
    }

    private mutating func entity(_ stored: StoredEntity, among names: Set<String>) -> SQLEntity {
        var entity = SQLEntity(stored.name, table: stored.table, primaryKey: "Z_PK", attributes: [:])
        if stored.parent != 0 {
            entity.discriminator = SQLDiscriminator(
                column: "Z_ENT", value: stored.isAbstract ? nil : stored.number, descendants: stored.descendants)
        }
        for attribute in layout.model.storedAttributes(of: stored.name) {
            guard let column = stored.columns[attribute.name], has(column, stored.table) else {
                omissions.append(
                    .attribute(attribute.name, entity: stored.name, column: stored.columns[attribute.name]))
                continue
            }
            var stored = SQLAttribute(attribute.type.sqlType, column: column)
            stored.externalFolder = attribute.allowsExternalBinaryDataStorage ? externalFolder : nil
            stored.isDecoded = decodesData && attribute.type.sqlType == .data
            entity.attributes[attribute.name] = stored
        }
        for relationship in layout.model.relationships(of: stored.name) where !relationship.isTransient {
            add(relationship, stored, to: &entity, among: names)
        }
        return entity
    }

    private func has(_ column: String, _ table: String) -> Bool { file.columns[table]?.contains(column) ?? false }

    private mutating func add(
        _ relationship: RelationshipDescription, _ stored: StoredEntity, to entity: inout SQLEntity,
        among names: Set<String>
    ) {
        let key = relationship.name
        guard let destination = relationship.destinationEntityName, names.contains(destination),
            let found = stored.relationships[key],
            var made = relation(found, stored, destination)
        else {
            omissions.append(.relationship(key, entity: stored.name))
            return
        }
        made.deleteRule = relationship.deleteRule.rule
        entity.relationships[key] = made
    }

    /// The relationship as found in the file, or nil if the table or a column is missing.
    private func relation(
        _ stored: StoredRelationship, _ entity: StoredEntity, _ destination: String
    ) -> SQLRelationship? {
        let other = layout.entities[destination]?.table ?? ""
        switch stored {
        case .toOne(let column, _, _):
            guard has(column, entity.table) else { return nil }
            return .toOne(destination, column: column)
        case .toMany(let column, let order):
            guard has(column, other) else { return nil }
            return .toMany(
                destination, inverseColumn: column, orderColumn: order.flatMap { has($0, other) ? $0 : nil })
        case .manyToMany(let table):
            guard let name = file.name(of: table) else { return nil }
            return .manyToMany(
                destination, joinTable: name, sourceColumn: table.sourceColumn, targetColumn: table.targetColumn,
                orderColumn: table.orderColumn.flatMap { has($0, name) ? $0 : nil })
        }
    }
}

extension AttributeType {
    /// The type of the column in a schema.
    var sqlType: SQLType {
        switch self {
        case .integer16, .integer32, .integer64: .integer
        // The column holds a double, although the model declares a decimal.
        case .decimal, .double, .float: .double
        case .string, .uri: .string
        case .boolean: .boolean
        case .date: .date(.since2001)
        case .binaryData, .transformable: .data
        case .uuid: .uuid(.blob)
        case .undefined, .objectID, .composite, .unknown: .any
        }
    }
}

extension ModelDeleteRule {
    /// The corresponding delete rule of a schema.
    var rule: SQLRelationship.DeleteRule {
        switch self {
        case .noAction: .noAction
        case .nullify: .nullify
        case .cascade: .cascade
        case .deny: .deny
        }
    }
}

/// A part of a model that the file of a store does not contain.
///
/// ``description`` names the part and what is missing.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum StoreOmission: Hashable, Sendable, CustomStringConvertible {
    /// An entity whose table the file does not have; it belongs to another configuration.
    case entity(String, table: String)
    /// An attribute without a column, and the column's expected name; nil for a type without a known layout.
    case attribute(String, entity: String, column: String?)
    /// A relationship whose columns, join table or destination the file does not have.
    case relationship(String, entity: String)

    /// `attribute Photo.title: there is no column 'ZTITLE'`
    public var description: String {
        switch self {
        case .entity(let name, let table): "entity \(name): there is no table '\(table)'"
        case .attribute(let key, let entity, let column?): "attribute \(entity).\(key): there is no column '\(column)'"
        case .attribute(let key, let entity, nil): "attribute \(entity).\(key): its type has no known layout"
        case .relationship(let key, let entity): "relationship \(entity).\(key): there is no column or table for it"
        }
    }
}
