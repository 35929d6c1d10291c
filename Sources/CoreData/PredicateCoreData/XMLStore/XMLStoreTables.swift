import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Writes the objects of an XML store into the tables that a SQLite store of the model has.
///
/// The primary key of an object is the number of its ID. IDs are unique in the document, so no two tables have a key in
/// common.
struct XMLStoreTables {
    private let document: XMLStoreDocument
    private let names: XMLStoreNames
    private let connection: StoreConnection
    private let layout: StoreLayout
    private var ids = XMLStoreIDs()
    private var isUnique = true
    /// Sentences about links that only one end has, or that lead to no object.
    private(set) var notes: [String] = []
    private var inserts: [String: EntityInsert] = [:]
    private var relationships: [XMLStoreLinks] = []
    /// The positions in ``relationships``, by the declaring entity and the key.
    private var positions: [String: Int] = [:]
    private let addLink = SQLFragment(
        "INSERT INTO temp.links (relationship, source, place, target) VALUES (?1, ?2, ?3, ?4)")

    init(
        _ document: XMLStoreDocument, _ names: XMLStoreNames, _ model: ManagedObjectModel,
        _ connection: StoreConnection
    ) {
        (self.document, self.names, self.connection) = (document, names, connection)
        layout = StoreLayout(model, sharesTargets: true)
    }

    /// Creates all tables and writes the objects in one transaction.
    mutating func fill(_ header: XMLStoreDocument.Header) throws(CoreDataError) {
        let tables = StoreTables(layout: layout)
        for statement in tables.tables + [XMLStoreLinks.creation] { try execute(statement) }
        try execute("BEGIN")
        var reader = self
        try document.read { (object) throws(CoreDataError) in
            try reader.add(object)
            return true
        }
        self = reader
        try execute("CREATE INDEX temp.links_index ON links (relationship, target, source)")
        for statement in tables.indexes { try makeIndex(statement) }
        for links in relationships {
            if let note = try links.resolve(connection, layout, document) { notes.append(note) }
        }
        let last = max(header.lastID, ids.last)
        var lastKeys: [String: Int64] = [:]
        for entity in layout.ordered { lastKeys[entity.table] = last }
        for row in tables.ownRows(lastKeys: lastKeys) { try run(row) }
        let metadata = StoreMetadata(uuid: header.uuid, values: header.values)
        try run(metadata.row(try metadata.data()))
        try execute("DROP TABLE temp.links; COMMIT")
    }

    /// Creates an index, unless objects violate its uniqueness constraint, which Core Data does not check in XML stores.
    /// Such a store can be read but not changed.
    private mutating func makeIndex(_ statement: SQLText) throws(CoreDataError) {
        do throws(StoreError) {
            try connection.execute(statement)
        } catch {
            guard case .sqlite(.constraint, _) = error.code else { throw CoreDataError(.store(error)) }
            isUnique = false
        }
    }

    /// Throws `notUnique` if a uniqueness constraint is violated.
    func checkUnique() throws(CoreDataError) {
        if !isUnique { try MigrationCheck(connection: connection, layout: layout).checkUnique() }
    }

    private func execute(_ statement: SQLText) throws(CoreDataError) {
        try storing { () throws(StoreError) in try connection.execute(statement) }
    }

    private func run(_ fragment: SQLFragment) throws(CoreDataError) {
        try storing { () throws(StoreError) in _ = try connection.run(fragment) }
    }

    // MARK: - Objects

    private mutating func add(_ object: XMLStoreObject) throws(CoreDataError) {
        guard let entity = names[object.type], let stored = layout.entities[entity.name] else {
            throw CoreDataError(.modelMismatch(connection.path, differences: ["the entity \(object.type) is unknown"]))
        }
        let key = try key(of: object.id[...], object)
        guard ids.define(key) else { throw document.problem(.duplicateID(object.id, line: object.line)) }
        var insert = inserts[entity.name] ?? EntityInsert(entity, stored)
        insert.begin(key)
        for (name, text) in object.attributes {
            try add(text, as: name.lowercased(), of: entity, object, key, to: &insert)
        }
        for (name, ids) in object.relationships {
            try add(ids, as: name.lowercased(), of: entity, object, key, to: &insert)
        }
        inserts[entity.name] = insert
        try run(insert.statement)
    }

    private mutating func key(of id: Substring, _ object: XMLStoreObject) throws(CoreDataError) -> Int64 {
        guard let key = ids.key(of: id) else {
            throw document.problem(.invalidID(String(id), line: object.line))
        }
        return key
    }

    private func add(
        _ text: String, as name: String, of entity: XMLStoreNames.Entity, _ object: XMLStoreObject, _ key: Int64,
        to insert: inout EntityInsert
    ) throws(CoreDataError) {
        guard let attribute = entity.attributes[name], let position = insert.columns[name] else {
            throw unknown("attribute", name, entity)
        }
        guard let value = XMLStoreValues.binding(text, attribute) else {
            throw document.problem(
                .invalidValue(String(text.prefix(40)), key: attribute.name, entity: entity.name, line: object.line))
        }
        guard insert.set(position, value) else {
            throw document.problem(.repeatedKey(attribute.name, entity: entity.name, line: object.line))
        }
        guard KeptTexts.isKept(text, value, attribute) else { return }
        var row = KeptTexts.keep
        row.bindings = [
            .text(insert.table), .integer(key), .text(name), value,
            .text(text.trimmingCharacters(in: .whitespacesAndNewlines)),
        ]
        try run(row)
    }

    private func unknown(_ kind: String, _ name: String, _ entity: XMLStoreNames.Entity) -> CoreDataError {
        CoreDataError(
            .modelMismatch(connection.path, differences: ["the \(kind) \(entity.name).\(name) is unknown"]))
    }

    // MARK: - Relationships

    private mutating func add(
        _ targets: [Substring], as name: String, of entity: XMLStoreNames.Entity, _ object: XMLStoreObject,
        _ key: Int64, to insert: inout EntityInsert
    ) throws(CoreDataError) {
        guard let relationship = entity.relationships[name] else { throw unknown("relationship", name, entity) }
        let position = try position(of: relationship, entity.name)
        var keys: [Int64] = []
        for target in targets { keys.append(try self.key(of: target, object)) }
        if !relationship.isToMany {
            guard keys.count <= 1, let column = insert.columns[name],
                insert.set(column, keys.first.map(SQLBinding.integer) ?? .null)
            else { throw document.problem(.repeatedKey(relationship.name, entity: entity.name, line: object.line)) }
            return
        }
        guard insert.addRelationship(name) else {
            throw document.problem(.repeatedKey(relationship.name, entity: entity.name, line: object.line))
        }
        for (place, target) in keys.enumerated() {
            var row = addLink
            row.bindings = [
                .integer(Int64(position)), .integer(key), .integer(Int64(place + 1) * ObjectWriter.orderStep),
                .integer(target),
            ]
            try run(row)
        }
    }

    /// The number of a relationship, which subentities share with the entity that declares it.
    private mutating func position(
        of relationship: RelationshipDescription, _ entity: String
    ) throws(CoreDataError) -> Int {
        let owner = layout.model.property(relationship.name, of: entity)?.declaringEntity.name ?? entity
        let name = "\(owner).\(relationship.name)"
        if let known = positions[name] { return known }
        positions[name] = relationships.count
        relationships.append(XMLStoreLinks(number: relationships.count, relationship: relationship, entity: owner))
        return relationships.count - 1
    }
}

/// The statement that inserts objects of an entity, with the values of one object.
private struct EntityInsert {
    let table: String
    /// The positions of the values of attributes and to-one relationships, by their names in the file.
    private(set) var columns: [String: Int] = [:]
    private(set) var statement: SQLFragment
    private let number: Int64
    private var given: Set<Int> = []
    private var relationships: Set<String> = []

    init(_ entity: XMLStoreNames.Entity, _ stored: StoredEntity) {
        var names = ["Z_PK", "Z_ENT", "Z_OPT"]
        for (name, attribute) in entity.attributes {
            guard let column = stored.columns[attribute.name] else { continue }
            columns[name] = names.count
            names.append(column)
        }
        for (name, relationship) in entity.relationships {
            guard case .toOne(let column, _, _)? = stored.relationships[relationship.name] else { continue }
            columns[name] = names.count
            names.append(column)
        }
        (table, number) = (stored.table, stored.number)
        statement = SQLFragment(.insert(into: "\(name: stored.table)", names, .values(names.map { _ in .null })))
    }

    mutating func begin(_ key: Int64) {
        for position in given { statement.bindings[position] = .null }
        (given, relationships) = ([], [])
        statement.bindings.replaceSubrange(0..<3, with: [.integer(key), .integer(number), .integer(1)])
    }

    /// Sets a value. Returns false if it was set before.
    mutating func set(_ position: Int, _ value: SQLBinding) -> Bool {
        statement.bindings[position] = value
        return given.insert(position).inserted
    }

    /// Returns false if the object already has the to-many relationship.
    mutating func addRelationship(_ name: String) -> Bool { relationships.insert(name).inserted }
}

/// The IDs of objects as numbers: `z102` is 102. Other IDs, which Core Data does not write, get numbers of their own.
struct XMLStoreIDs {
    private var numbers: [Substring: Int64] = [:]
    private var defined: Set<Int64> = []
    /// The greatest number of an object.
    private(set) var last: Int64 = 0
    private static let firstOther: Int64 = 1_000_000_000_000

    /// Nil for an ID with a number that is too large.
    mutating func key(of id: Substring) -> Int64? {
        let digits = id.dropFirst()
        if id.first == "z", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != "0",
            !digits.isEmpty
        {
            return Int64(digits).flatMap { $0 <= XMLStoreText.greatestID ? $0 : nil }
        }
        guard !id.isEmpty else { return nil }
        if let known = numbers[id] { return known }
        let number = Self.firstOther + Int64(numbers.count)
        numbers[Substring(String(id))] = number
        return number
    }

    /// Returns false if an object has the number already.
    mutating func define(_ key: Int64) -> Bool {
        last = max(last, key)
        return defined.insert(key).inserted
    }
}
