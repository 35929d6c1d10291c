import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The insertion of objects of one entity, one after another, in a transaction: the statement is written once.
struct ObjectInsertion {
    private let writer: ObjectWriter
    private let entity: StoredEntity
    private let schema: SQLEntity
    private let columns: [(attribute: AttributeDescription, name: String)]
    private let relationships: [RelationshipDescription]
    private let text: String
    private let given: AttributeValues
    private let composites: CompositeValues
    /// Primary keys that are taken and not yet given.
    private var keys: Range<Int64> = 0..<0
    private let isDraft: Bool

    /// With `isDraft`, mandatory values may be missing: what comes later gives them, and they are counted in the end.
    init(_ writer: ObjectWriter, _ name: String, isDraft: Bool = false) throws(CoreDataError) {
        let (entity, schema) = try writer.stored(name)
        guard !entity.isAbstract else { throw CoreDataError(.abstractEntity(name)) }
        let model = writer.store.model
        (self.writer, self.entity, self.schema, self.isDraft) = (writer, entity, schema, isDraft)
        columns = model.storedAttributes(of: name).compactMap { attribute in
            entity.columns[attribute.name].map { (attribute, $0) }
        }
        composites = CompositeValues(model, name)
        relationships = model.relationships(of: name)
        given = try AttributeValues(model: model, entity: entity, schema: schema, allowsNil: isDraft)
        let names = ["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name)
        let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let list = names.map(\.quotedName).joined(separator: ", ")
        text = "INSERT INTO \(entity.table.quotedName) (\(list)) VALUES (\(places))"
    }

    /// Takes the next primary keys of the table, which are never used again.
    mutating func reserve(_ count: Int) throws(CoreDataError) {
        let root = writer.store.layout.entities[entity.root]?.number ?? entity.number
        let text = "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ?2 WHERE Z_ENT = ?1 RETURNING Z_MAX"
        let row = try writer.rows(text, [.integer(root), .integer(Int64(count))]).first
        guard let last = row?.first?.number, last >= Int64(count) else {
            throw CoreDataError(.noKeyLeft(entity: entity.root))
        }
        keys = last - Int64(count) + 1..<last + 1
    }

    /// Inserts an object and returns its primary key.
    mutating func insert(_ values: [String: PredicateValue]) throws(CoreDataError) -> Int64 {
        let values = try composites.takenApart(values)
        try writer.checkKeys(values, schema)
        if !isDraft { try composites.checkMandatory(values) }
        if keys.isEmpty { try reserve(1) }
        let key = keys.lowerBound
        keys = key + 1..<keys.upperBound
        var bindings: [SQLBinding] = [.integer(key), .integer(entity.number), .integer(1)]
        for column in columns {
            let value = values[column.attribute.name] ?? column.attribute.defaultValue ?? .null
            bindings.append(try given.binding(value, of: column.attribute))
        }
        try writer.run(text, bindings)
        let object = ObjectKey(entity: entity.name, key: key)
        for relationship in relationships {
            guard let value = values[relationship.name] else { continue }
            try writer.relate(object, relationship, value)
        }
        writer.touch(object)
        try writer.validate()
        return key
    }
}
