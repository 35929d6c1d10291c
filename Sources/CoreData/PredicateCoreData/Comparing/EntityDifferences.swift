import Foundation
@_spi(Dialect) import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The differing objects of one entity: the rows of both stores are read side by side, in the order of the objects'
/// identities.
final class EntityDifferences {
    private let entity: ComparedEntity
    private let old: CoreDataStore
    private let new: CoreDataStore
    private let before: RowCursor?
    private let after: RowCursor?
    /// The objects of the new store without a match, if objects are matched by keys.
    private let unmatched: RowCursor?
    private let related: [RelatedDifferences]
    /// The indices of the compared columns after the identity: the attributes and the foreign keys.
    private let columns: Range<Int>
    /// True if data of an attribute may be in a file; its column may then be the same although the data differs.
    private let hasExternalData: Bool
    private let allowsMissingData: Bool

    init(
        _ entity: ComparedEntity, _ old: CoreDataStore, _ new: CoreDataStore, _ matches: ObjectMatches,
        allowsMissingData: Bool
    ) throws(CoreDataError) {
        (self.entity, self.old, self.new, self.allowsMissingData) = (entity, old, new, allowsMissingData)
        columns = 1..<(1 + entity.attributes.count + entity.toOnes.count)
        let statements = DifferenceStatements(entity, new, matches)
        hasExternalData = entity.attributes.contains(where: \.isExternal)
        (before, after, unmatched) = try storing { () throws(StoreError) in
            (
                try statements.old.map { (query) throws(StoreError) in try RowCursor(old.connection, query) },
                try statements.new.map { (query) throws(StoreError) in try RowCursor(new.connection, query) },
                try statements.unmatched.map { (query) throws(StoreError) in try RowCursor(new.connection, query) }
            )
        }
        var related: [RelatedDifferences] = []
        if let side = entity.new, entity.old != nil {
            for relationship in entity.toManys {
                related.append(try RelatedDifferences(relationship, side, old, new, matches))
            }
        }
        self.related = related
    }

    func next() throws(CoreDataError) -> ObjectDifference? {
        while let step = nextStep() {
            let object = try object(of: step)
            try storing { () throws(StoreError) in
                switch step {
                case .removed: try before?.advance()
                case .added: try after?.advance()
                case .both:
                    try before?.advance()
                    try after?.advance()
                case .unmatched: try unmatched?.advance()
                }
            }
            if let object { return object }
        }
        return nil
    }

    // MARK: - Merging

    /// Which rows come next in the order of identities.
    private enum Step {
        case removed, added, both, unmatched
    }

    private func nextStep() -> Step? {
        switch (before?.identity, after?.identity) {
        case (nil, nil): return unmatched?.hasRow ?? false ? .unmatched : nil
        case (_?, nil): return .removed
        case (nil, _?): return .added
        case (let left?, let right?): return left < right ? .removed : left > right ? .added : .both
        }
    }

    private func object(of step: Step) throws(CoreDataError) -> ObjectDifference? {
        switch step {
        case .removed: return try single(before, .removed)
        case .added: return try single(after, .added)
        case .unmatched: return try single(unmatched, .added)
        case .both:
            guard let before, let after else { return nil }
            return try changed(before, after)
        }
    }

    /// An object that only one store has, with its values that are not nil.
    private func single(_ row: RowCursor?, _ kind: ObjectDifference.Kind) throws(CoreDataError) -> ObjectDifference? {
        guard let row else { return nil }
        let isOld = kind == .removed
        let store = isOld ? old : new
        var properties: [PropertyDifference] = []
        for (index, attribute) in entity.attributes.enumerated() {
            let value = try value(attribute, row.value(index + 1), isOld: isOld)
            guard value != .null else { continue }
            properties.append(.value(key: attribute.key, old: isOld ? value : .null, new: isOld ? .null : value))
        }
        for (index, relationship) in entity.toOnes.enumerated() {
            let (key, end) = isOld ? (oldKey(index), relationship.old) : (newKey(index), relationship.new)
            guard let uri = try uri(row.integer(key), end.destination, store) else { continue }
            properties.append(.toOne(key: relationship.key, old: isOld ? uri : nil, new: isOld ? nil : uri))
        }
        let own = uri(of: isOld ? row.identity : row.integer(ownKey), store)
        return ObjectDifference(
            kind: kind, entity: entity.name, old: isOld ? own : nil, new: isOld ? nil : own, properties: properties)
    }

    private func changed(_ before: RowCursor, _ after: RowCursor) throws(CoreDataError) -> ObjectDifference? {
        var properties = try values(before, after)
        if let identity = before.identity {
            for cursor in related {
                if let difference = try cursor.difference(of: identity) { properties.append(difference) }
            }
        }
        guard !properties.isEmpty else { return nil }
        return ObjectDifference(
            kind: .changed, entity: entity.name, old: uri(of: before.identity, old),
            new: uri(of: after.integer(ownKey), new), properties: properties)
    }

    /// The attributes and to-one relationships that differ.
    private func values(_ before: RowCursor, _ after: RowCursor) throws(CoreDataError) -> [PropertyDifference] {
        let different = before.differences(from: after, in: columns)
        guard hasExternalData || !different.isEmpty else { return [] }
        var properties: [PropertyDifference] = []
        for (index, attribute) in entity.attributes.enumerated()
        where attribute.isExternal || different.contains(index + 1) {
            let left = try value(attribute, before.value(index + 1), isOld: true)
            let right = try value(attribute, after.value(index + 1), isOld: false)
            // Of two files that are missing only the names differ.
            if left != right || !attribute.isExternal || left == .null && different.contains(index + 1) {
                properties.append(.value(key: attribute.key, old: left, new: right))
            }
        }
        for (index, relationship) in entity.toOnes.enumerated() where different.contains(oldKey(index)) {
            properties.append(
                .toOne(
                    key: relationship.key,
                    old: try uri(before.integer(oldKey(index)), relationship.old.destination, old),
                    new: try uri(after.integer(newKey(index)), relationship.new.destination, new)))
        }
        return properties
    }

    // MARK: - Columns

    private func oldKey(_ index: Int) -> Int { 1 + entity.attributes.count + index }
    /// The column with the primary key of an object of the new store.
    private var ownKey: Int { columns.upperBound }
    private func newKey(_ index: Int) -> Int { ownKey + 1 + index }

    private func uri(of key: Int64?, _ store: CoreDataStore) -> ObjectURI? {
        key.map { ObjectURI(store: store.uuid, entity: entity.name, key: $0) }
    }

    private func uri(
        _ key: Int64?, _ destination: String, _ store: CoreDataStore
    ) throws(CoreDataError) -> ObjectURI? {
        guard let key else { return nil }
        return try store.uri(of: SQLObjectID(destination, key: .integer(key)))
    }

    /// The value of an attribute, with the contents of its file. Throws `missingExternalData`, unless files may be missing.
    private func value(
        _ attribute: ComparedAttribute, _ stored: SQLBinding, isOld: Bool
    ) throws(CoreDataError) -> PredicateValue {
        let column = isOld ? attribute.old : attribute.new
        let value = column.type.value(of: stored)
        guard let folder = column.externalFolder else { return value }
        let content = ExternalData.value(of: value, in: folder)
        if !allowsMissingData, case .data(let bytes) = value, content == .null,
            let file = ExternalData.name(in: bytes.dropFirst())
        {
            throw CoreDataError(.missingExternalData(key: attribute.key, entity: entity.name, file: file))
        }
        return content
    }
}

extension RowCursor {
    /// The identity in the first column; nil after the last row.
    fileprivate var identity: Int64? { hasRow ? integer(0) : nil }
}

/// The queries for the rows of an entity in both stores.
private struct DifferenceStatements {
    private let entity: ComparedEntity
    private let store: CoreDataStore
    private let matches: ObjectMatches

    init(_ entity: ComparedEntity, _ new: CoreDataStore, _ matches: ObjectMatches) {
        (self.entity, store, self.matches) = (entity, new, matches)
    }

    var isMatchedByKeys: Bool { entity.new.map { matches.hasMatches($0.entity.table) } ?? false }

    /// `SELECT s.Z_PK, s."ZNAME", s."ZOWNER" FROM "ZITEM" AS s WHERE s.Z_ENT = 2 ORDER BY s.Z_PK`
    var old: SQLText? {
        guard let side = entity.old else { return nil }
        let columns =
            ["s.Z_PK"] + entity.attributes.map { Self.column($0.old, $0.key) }
            + entity.toOnes.map { Self.column($0.old) }
        return """
            SELECT \(SQLText.joined(columns, by: ", ")) FROM \(name: side.entity.table) AS s
            WHERE s.Z_ENT = \(number: side.entity.number) ORDER BY s.Z_PK
            """
    }

    /// The objects of the new store that may have a match, with their identities first and their own keys last.
    var new: SQLText? {
        guard let side = entity.new else { return nil }
        let identity: SQLText = isMatchedByKeys ? "m.old" : "s.Z_PK"
        return """
            SELECT \(columns(identity)) FROM \(matches.matched(in: side.entity.table))
            WHERE s.Z_ENT = \(number: side.entity.number) ORDER BY \(identity)
            """
    }

    var unmatched: SQLText? {
        guard let side = entity.new, let condition = matches.isUnmatched(in: side.entity.table) else { return nil }
        return """
            SELECT \(columns("-s.Z_PK")) FROM \(name: side.entity.table) AS s
            WHERE s.Z_ENT = \(number: side.entity.number) AND \(condition) ORDER BY s.Z_PK
            """
    }

    private func columns(_ identity: SQLText) -> SQLText {
        let attributes = entity.attributes.map { Self.column($0.new, $0.key) }
        let keys = entity.toOnes.map { Self.column($0.new) }
        let identities = zip(keys, entity.toOnes).map { key, relationship -> SQLText in
            let table = store.layout.entities[relationship.new.destination]?.table ?? ""
            return matches.identity(key, in: table)
        }
        return SQLText.joined([identity] + attributes + identities + ["s.Z_PK"] + keys, by: ", ")
    }

    private static func column(_ attribute: SQLAttribute, _ key: String) -> SQLText {
        "s.\(name: attribute.column ?? key)"
    }

    private static func column(_ relationship: SQLRelationship) -> SQLText {
        guard case .toOne(let column) = relationship.kind else { return "NULL" }
        return "s.\(name: column)"
    }
}
