import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Writes the objects of a store as an XML store, one entity after another, each in the order of the keys.
///
/// Each to-many relationship is a second query in the same order, so that only one object is in memory at a time.
struct XMLStoreWriter {
    private let store: CoreDataStore
    private let connection: StoreConnection
    private let kept: KeptTexts
    private let externalFolder: String
    /// The number that is added to the keys of a table, because IDs are unique in the document.
    private var offsets: [String: Int64] = [:]

    /// `externalFrom` is the store whose external data files the values refer to.
    init(_ store: CoreDataStore, keeping kept: KeptTexts, externalFrom path: String) throws(CoreDataError) {
        (self.store, self.kept) = (store, kept)
        connection = (store.changing ?? store.objects).connection
        externalFolder = ExternalFolder.path(ofStore: path)
        if try !hasUniqueKeys() { offsets = try consecutiveOffsets() }
    }

    // MARK: - IDs

    private var tables: [StoredEntity] {
        store.layout.ordered.filter { $0.parent == 0 && store.file.columns[$0.table] != nil }
    }

    private func hasUniqueKeys() throws(CoreDataError) -> Bool {
        guard !store.isXML else { return true }
        var keys: Set<Int64> = []
        for entity in tables {
            let query: SQLText = "SELECT Z_PK FROM \(name: entity.table)"
            let rows = try storing { () throws(StoreError) in try connection.rows(of: SQLFragment(query)) }
            while let row = try storing({ () throws(StoreError) in try rows.next() }) {
                guard let key = row[0].number, (1...XMLStoreText.greatestID).contains(key), keys.insert(key).inserted
                else { return false }
            }
        }
        return true
    }

    private func consecutiveOffsets() throws(CoreDataError) -> [String: Int64] {
        var offsets: [String: Int64] = [:]
        var end = XMLStoreText.firstID - 1
        for entity in tables {
            offsets[entity.table] = end
            let greatest = try connection.number("SELECT COALESCE(MAX(Z_PK), 0) FROM \(name: entity.table)")
            let (sum, overflows) = end.addingReportingOverflow(greatest)
            guard !overflows, sum <= XMLStoreText.greatestID else {
                throw CoreDataError(.noPrimaryKey(entity: entity.name))
            }
            end = sum
        }
        return offsets
    }

    private func lastID() throws(CoreDataError) -> Int64 {
        var last = XMLStoreText.firstID - 1
        if offsets.isEmpty { last = max(last, try connection.number("SELECT MAX(Z_MAX) FROM Z_PRIMARYKEY")) }
        for entity in tables {
            let greatest = try connection.number("SELECT COALESCE(MAX(Z_PK), 0) FROM \(name: entity.table)")
            last = max(last, greatest + (offsets[entity.table] ?? 0))
        }
        return last
    }

    // MARK: - The document

    /// Writes the document. Throws `invalidValue` for a value that the attribute's type does not have.
    func write(_ metadata: StoreMetadata, to output: ByteOutput) throws(CoreDataError) {
        output.append(try XMLStoreText.header(metadata, lastID: try lastID()))
        for entity in store.layout.ordered where !entity.isAbstract && store.file.columns[entity.table] != nil {
            try write(entity, to: output)
        }
        output.append(XMLStoreText.footer)
    }

    private func write(_ entity: StoredEntity, to output: ByteOutput) throws(CoreDataError) {
        let attributes = store.model.storedAttributes(of: entity.name).compactMap { attribute in
            entity.columns[attribute.name].map { (attribute, $0) }
        }
        let relationships = store.model.relationships(of: entity.name).filter { !$0.isTransient }
        var toOne: [(relationship: RelationshipDescription, column: String)] = []
        for relationship in relationships {
            guard case .toOne(let column, _, _)? = entity.relationships[relationship.name] else { continue }
            toOne.append((relationship, column))
        }
        var toMany: [(relationship: RelationshipDescription, links: LinkCursor?)] = []
        for relationship in relationships where relationship.isToMany {
            let links = try ExportLinks(store, relationship, of: entity.name).map { (links) throws(CoreDataError) in
                try LinkCursor(links, connection, readsEntities: false)
            }
            toMany.append((relationship, links))
        }
        let columns = ["Z_PK"] + attributes.map(\.1) + toOne.map(\.column)
        let query: SQLText = """
            SELECT \(SQLText.names(columns)) FROM \(name: entity.table)
            WHERE Z_ENT = \(bind: .integer(entity.number)) ORDER BY Z_PK
            """
        let rows = try storing { () throws(StoreError) in try connection.rows(of: SQLFragment(query)) }
        let offset = offsets[entity.table] ?? 0
        let type = entity.name.uppercased()
        while let row = try storing({ () throws(StoreError) in try rows.next() }) {
            guard let key = row[0].number else { continue }
            var text = ""
            for (position, (attribute, _)) in attributes.enumerated() {
                try add(row[position + 1], attribute, key, entity, to: &text)
            }
            for (position, end) in toOne.enumerated() {
                let target = row[attributes.count + 1 + position].number
                add(target.map { [$0] } ?? [], end.relationship, to: &text)
            }
            for (relationship, links) in toMany {
                var keys: [Int64] = []
                try links?.forEach(of: key) { other, _ in keys.append(other) }
                add(keys, relationship, to: &text)
            }
            output.append(XMLStoreText.object(type, key + offset, text))
            try output.flushIfFull()
        }
    }

    private func add(
        _ value: SQLBinding, _ attribute: AttributeDescription, _ key: Int64, _ entity: StoredEntity,
        to text: inout String
    ) throws(CoreDataError) {
        let name = attribute.name.lowercased()
        let written: String
        if let kept = kept.text(entity.table, key, name, value: value) {
            written = kept
        } else if value == .null {
            return
        } else if let own = XMLStoreValues.text(value, attribute, externalFolder: externalFolder) {
            written = own
        } else if case .blob = value, attribute.allowsExternalBinaryDataStorage {
            return
        } else {
            throw CoreDataError(
                .invalidValue(
                    key: attribute.name, entity: entity.name,
                    .type(expected: "a value of type \(attribute.type.name)", found: "another value in object \(key)")))
        }
        text += XMLStoreText.attribute(name, XMLStoreValues.typeName(attribute.type), written)
    }

    private func add(_ keys: [Int64], _ relationship: RelationshipDescription, to text: inout String) {
        let destination = relationship.destinationEntityName ?? ""
        let offset = store.layout.entities[destination].flatMap { offsets[$0.table] } ?? 0
        text += XMLStoreText.relationship(
            relationship.name.lowercased(), (relationship.minimumCount, relationship.maximumCount),
            destination.uppercased(), keys.map { $0 &+ offset })
    }
}

extension XMLStoreText {
    /// The first ID that Core Data gives.
    static let firstID: Int64 = 102
    /// The greatest number that the ID of an object can contain.
    static let greatestID: Int64 = (1 << 62) - 1

    /// The document up to the first object. Throws `unreadableMetadata` for a string that XML cannot contain.
    static func header(_ metadata: StoreMetadata, lastID: Int64) throws(CoreDataError) -> String {
        var own = metadata
        (own.values["NSStoreType"], own.values["NSStoreUUID"]) = (nil, nil)
        let text = String(decoding: try own.data(.xml), as: UTF8.self)
        guard text.unicodeScalars.allSatisfy(\.isXML), let start = text.range(of: "<plist") else {
            throw CoreDataError(.unreadableMetadata("XML cannot contain one of its characters"))
        }
        // A reader would drop a carriage return.
        let list = text[start.lowerBound...].replacingOccurrences(of: "\r", with: "&#13;", options: .literal)
        return header(uuid: metadata.uuid, nextObjectID: lastID, list)
    }
}
