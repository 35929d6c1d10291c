import PredicateCoreData
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// The columns that are written for a row of a SQLite file, and those by which rows are sorted or grouped.
struct RowColumns {
    private let columns: [Column]
    /// The number of columns that are written; the others follow them.
    let writtenCount: Int
    private let entity: SQLEntity
    /// The store whose URIs are written in place of primary keys; nil for none.
    private let identities: CoreDataStore?

    /// One member of the JSON: the to-one relationships to follow, and the key of the object at their end; a relationship to
    /// several objects gives a list of what the key is of each.
    private struct Column {
        let name: String
        let path: [String]
        let last: Last

        var isPrimaryKey: Bool { path.isEmpty && last == .primaryKey }
    }

    private enum Last: Equatable {
        case attribute(String)
        /// The primary key of the related object.
        case toOne(String)
        case primaryKey
        /// The objects of a to-many relationship: what is at the end of a path from each.
        indirect case each(String, path: [String], Last)
        /// `phones.@count`
        case count(String)
    }

    /// Creates the columns of `--keys`; without them of the primary key and the attributes, in the order of the table.
    /// `others` are read too, and not written.
    init(
        _ keys: [String]?, others: [String] = [], of entity: SQLEntity, in store: PredicateStore,
        identities: CoreDataStore? = nil
    ) throws(CommandFailure) {
        self.entity = entity
        self.identities = identities
        var columns = identities == nil ? [] : [Column(name: "objectID", path: [], last: .primaryKey)]
        if keys == nil {
            let all = try Self.all(of: entity, in: store)
            columns += identities == nil ? all : all.filter { !$0.isPrimaryKey }
        }
        writtenCount = columns.count + (keys?.count ?? 0)
        for (index, key) in ((keys ?? []) + others).enumerated() {
            let isWritten = index < keys?.count ?? 0
            do throws(SQLCompilationError) {
                columns.append(try Self.column(key, of: entity, in: store.schema, mayBeList: isWritten))
            } catch {
                throw .compilation(error, store.schema)
            }
        }
        self.columns = columns
    }

    /// The names of the columns that are written.
    var names: [String] { columns.prefix(writtenCount).map(\.name) }

    /// The names of all columns.
    var allNames: [String] { columns.map(\.name) }

    /// The keys to fetch.
    var keysToFetch: [String] {
        columns.compactMap { column in
            if let first = column.path.first { return first }
            switch column.last {
            case .attribute(let key), .toOne(let key), .each(let key, _, _), .count(let key): return key
            case .primaryKey: return nil
            }
        }
    }

    /// The relationships to several objects, which are read for many objects at a time.
    var relationshipsToPrefetch: [String] {
        var paths: [String] = []
        for column in columns {
            switch column.last {
            case .each(let key, _, _), .count(let key):
                let path = (column.path + [key]).joined(separator: ".")
                if !paths.contains(path) { paths.append(path) }
            case .attribute, .toOne, .primaryKey: continue
            }
        }
        return paths
    }

    /// The index of each written column among the cells of a row, nil for the primary key; nil if some column is of
    /// another object.
    func cellIndices(of objects: StoredObjects) -> [Int?]? {
        if identities != nil { return nil }
        var indices: [Int?] = []
        for column in columns.prefix(writtenCount) {
            guard column.path.isEmpty else { return nil }
            switch column.last {
            case .primaryKey: indices.append(nil)
            case .toOne, .each, .count: return nil
            case .attribute(let key):
                guard let index = objects.cellIndex(of: key) else { return nil }
                indices.append(index)
            }
        }
        return indices
    }

    /// Returns the values of all columns.
    func values(of object: StoredObject) throws(StoreError) -> [PredicateValue] {
        var values: [PredicateValue] = []
        values.reserveCapacity(columns.count)
        for column in columns { values.append(try value(column, of: object)) }
        return values
    }

    private func value(_ column: Column, of object: StoredObject) throws(StoreError) -> PredicateValue {
        try value(column.path, column.last, of: object)
    }

    private func value(_ path: [String], _ last: Last, of object: StoredObject) throws(StoreError) -> PredicateValue {
        var object = object
        for key in path {
            guard let next = try object.related(key).first else { return .null }
            object = next
        }
        switch last {
        case .each(let key, let path, let last):
            return .array(
                try object.related(key).map { (other) throws(StoreError) in try value(path, last, of: other) })
        case .count(let key): return .integer(Int64(try object.related(key).count))
        case .attribute(let key): return try object.value(of: key) ?? .null
        case .toOne(let key): return try object.related(key).first.map { identity($0.id) } ?? .null
        case .primaryKey: return identity(object.id)
        }
    }

    /// The primary key of an object, or its URI.
    private func identity(_ id: SQLObjectID) -> PredicateValue {
        guard let identities, let uri = try? identities.uri(of: id) else { return id.key }
        return .string(uri.description)
    }
}

extension RowColumns {
    private static func all(of entity: SQLEntity, in store: PredicateStore) throws(CommandFailure) -> [Column] {
        let names: [String]
        do throws(StoreError) {
            names = try ColumnOrder.attributes(of: entity, in: store)
        } catch {
            throw .store(error, store.connection.path)
        }
        let sorted = names.map { (key: $0, column: entity.attributes[$0]?.column ?? $0) }
        let columns = sorted.map { Column(name: $0.key, path: [], last: .attribute($0.key)) }
        let key = entity.primaryKey
        let isTold = sorted.contains { $0.key == key || $0.column.lowercased() == key.lowercased() }
        let isHidden = isTold || ["rowid", "_rowid_", "oid"].contains(key.lowercased())
        return (isHidden ? [] : [Column(name: key, path: [], last: .primaryKey)]) + columns
    }

    /// `name`, `boss`, `boss.name`, and where lists are written `phones`, `phones.number`, `phones.@count`
    private static func column(
        _ name: String, of entity: SQLEntity, in schema: SQLSchema, mayBeList: Bool
    ) throws(SQLCompilationError) -> Column {
        let (path, last) = try way(KeyPathExpression.keys(of: name), of: entity, in: name, schema, mayBeList)
        return Column(name: name, path: path, last: last)
    }

    /// The to-one relationships of a path, and what is at its end.
    private static func way(
        _ keys: [String], of entity: SQLEntity, in name: String, _ schema: SQLSchema, _ mayBeList: Bool
    ) throws(SQLCompilationError) -> (path: [String], last: Last) {
        var keys = keys
        let last = keys.popLast() ?? ""
        var entity = entity
        for (index, key) in keys.enumerated() {
            if mayBeList, let destination = toMany(key, of: entity, schema) {
                let rest = keys[(index + 1)...] + [last]
                if rest.first == "@count", rest.count == 1 { return (Array(keys[..<index]), .count(key)) }
                let inner = try way(Array(rest), of: destination, in: name, schema, true)
                return (Array(keys[..<index]), .each(key, path: inner.path, inner.last))
            }
            if entity.isComposite(key) {
                let rest = (keys[index...] + [last]).joined(separator: ".")
                guard entity.attributes.exactly(rest) != nil || entity.isComposite(rest) else {
                    throw unknown(rest, of: entity, in: name, schema)
                }
                return (Array(keys[..<index]), .attribute(rest))
            }
            let destination = try toOne(key, of: entity, in: name, schema)
            guard let next = schema.entities.exactly(destination) else {
                throw unknown(key, of: entity, in: name, schema)
            }
            entity = next
        }
        if entity.attributes.exactly(last) != nil || entity.isComposite(last) {
            return (keys, .attribute(last))
        }
        if entity.relationships.exactly(last) == nil, last.hasSameCodePoints(as: entity.primaryKey) {
            return (keys, .primaryKey)
        }
        if mayBeList, toMany(last, of: entity, schema) != nil {
            return (keys, .each(last, path: [], .primaryKey))
        }
        _ = try toOne(last, of: entity, in: name, schema)
        return (keys, .toOne(last))
    }

    /// The destination of a to-many relationship; nil for any other key.
    private static func toMany(_ key: String, of entity: SQLEntity, _ schema: SQLSchema) -> SQLEntity? {
        switch entity.relationships.exactly(key) {
        case .toMany(let destination, _)?, .manyToMany(let destination, _, _, _)?:
            schema.entities.exactly(destination)
        case .toOne?, nil: nil
        }
    }

    /// Returns the destination of a to-one relationship.
    private static func toOne(
        _ key: String, of entity: SQLEntity, in path: String, _ schema: SQLSchema
    ) throws(SQLCompilationError) -> String {
        switch entity.relationships.exactly(key) {
        case .toOne(let destination, _)?: return destination
        case .toMany?, .manyToMany?:
            throw SQLCompilationError(.notAColumn(key: key), text: path, range: range(of: key, in: path))
        case nil: throw unknown(key, of: entity, in: path, schema)
        }
    }

    private static func unknown(
        _ key: String, of entity: SQLEntity, in path: String, _ schema: SQLSchema
    ) -> SQLCompilationError {
        SQLCompilationError(schema.missingKey(key, of: entity), text: path, range: range(of: key, in: path))
    }

    /// Returns the range of one key in a path.
    private static func range(of key: String, in path: String) -> Range<Int> {
        var start = 0
        for part in KeyPathExpression.keys(of: path) {
            if part == key { return start..<start + part.utf8.count }
            start += part.utf8.count + 1
        }
        return 0..<path.utf8.count
    }
}

extension Dictionary where Key == String {
    /// Returns the value of the key with the same code points; the subscript uses canonical equivalence.
    fileprivate func exactly(_ key: String) -> Value? {
        guard let index = index(forKey: key), self[index].key.hasSameCodePoints(as: key) else { return nil }
        return self[index].value
    }
}
