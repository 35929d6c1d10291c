import PredicateCoreData
import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// The columns that are written for a row of a SQLite file, and the keys that sort or group rows.
struct RowColumns {
    private var columns: [SelectedColumn]
    /// The number of columns that are written. Columns after them only sort or group.
    let writtenCount: Int
    private let entity: SQLEntity
    /// The store whose object URIs replace primary keys; nil to write primary keys.
    private let identities: CoreDataStore?
    /// True to replace data that is a property list or an archive with its decoded value.
    private let decodesArchives: Bool
    /// Which columns contain days, which are written without a time.
    private let areDays: [Bool]

    /// A column: the to-one relationships to follow, and the key of the object to which they lead. A to-many relationship gives
    /// the list of the values in all of its objects.
    private struct SelectedColumn {
        let name: String
        let path: [String]
        let last: PathEnd
        /// The expression that is evaluated for each object, and the keys at the beginnings of its paths.
        var computed: (evaluator: ExpressionEvaluator, keys: [String])?

        var isPrimaryKey: Bool { path.isEmpty && last == .primaryKey }
    }

    private enum PathEnd: Equatable {
        case attribute(String)
        /// The primary key of the related object
        case toOne(String)
        case primaryKey
        /// The objects of a to-many relationship, with the path and the key in each object
        indirect case each(String, path: [String], PathEnd)
        /// `phones.@count`
        case count(String)
    }

    /// Creates the columns of `--keys`; without `--keys`, the primary key and all attributes, in the order of the table.
    /// `others` are read but not written. Columns of days are detected by samples if `findsDays` is true.
    init(
        _ keys: [OutputValue]?, others: [OutputValue] = [], of entity: SQLEntity, in store: ObjectStore,
        identities: CoreDataStore? = nil, decodesArchives: Bool = false, findsDays: Bool
    ) throws(CommandFailure) {
        self.entity = entity
        self.decodesArchives = decodesArchives
        self.identities = identities
        var columns = identities == nil ? [] : [SelectedColumn(name: "objectID", path: [], last: .primaryKey)]
        if keys == nil {
            let all = try Self.all(of: entity, in: store)
            columns += identities == nil ? all : all.filter { !$0.isPrimaryKey }
        }
        writtenCount = columns.count + (keys?.count ?? 0)
        for (index, key) in ((keys ?? []) + others).enumerated() {
            let isWritten = index < keys?.count ?? 0
            try key.check()
            do throws(SQLCompilationError) {
                columns.append(
                    try Self.column(
                        key, as: isWritten ? key.name : key.spelling, of: entity, in: store.schema,
                        mayBeList: isWritten))
            } catch {
                throw .compilation(error, store.schema)
            }
        }
        self.columns = columns
        areDays = columns.map { findsDays && Self.holdsDays($0, of: entity, in: store) }
    }

    private static func holdsDays(_ column: SelectedColumn, of entity: SQLEntity, in store: ObjectStore) -> Bool {
        guard column.computed == nil, case .attribute(let key) = column.last else { return false }
        var owner = entity
        for key in column.path {
            guard let next = owner.relationships[key].flatMap({ store.schema.entities[$0.destination] }) else {
                return false
            }
            owner = next
        }
        return store.holdsDays(key, of: owner)
    }

    /// True if a column contains days, which are written without a time.
    func holdsDays(_ column: Int) -> Bool { areDays[column] }

    /// The same columns without those that only sort or group.
    var written: RowColumns {
        var columns = self
        columns.columns = Array(self.columns.prefix(writtenCount))
        return columns
    }

    /// The names of the columns that are written.
    var names: [String] { columns.prefix(writtenCount).map(\.name) }

    /// The names of all columns.
    var allNames: [String] { columns.map(\.name) }

    /// Returns the cells to write, given the values of all columns.
    func cells(of values: [PredicateValue], _ style: NumberStyle) -> [RowCell] {
        zip(values, columns.prefix(writtenCount)).enumerated().map { index, cell in
            cell.1.computed == nil ? RowCell(cell.0, isDay: areDays[index], in: style.zone) : style.cell(cell.0)
        }
    }

    /// The keys to read from each row.
    var keysToFetch: [String] {
        columns.flatMap { column in
            if let computed = column.computed { return computed.keys }
            if let first = column.path.first { return [first] }
            switch column.last {
            case .attribute(let key), .toOne(let key), .each(let key, _, _), .count(let key): return [key]
            case .primaryKey: return []
            }
        }
    }

    /// The to-many relationships, which are prefetched for many objects at a time.
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

    /// Returns the index of each written column in the cells of a row; nil for the primary key. Returns nil as a whole if a
    /// column belongs to another object.
    func cellIndices(of objects: ObjectCursor) -> [Int?]? {
        if identities != nil || decodesArchives { return nil }
        var indices: [Int?] = []
        for column in columns.prefix(writtenCount) {
            guard column.path.isEmpty, column.computed == nil else { return nil }
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

    /// Returns the values of all columns. An expression that cannot be evaluated is nil, and its error is passed to `note`.
    func values(
        of object: StoredObject, _ note: (EvaluationError) -> Void
    ) throws(StoreError) -> [PredicateValue] {
        var values: [PredicateValue] = []
        values.reserveCapacity(columns.count)
        for column in columns {
            guard let computed = column.computed else {
                values.append(try value(column.path, column.last, of: object))
                continue
            }
            do throws(EvaluationError) {
                values.append(try computed.evaluator.valueOrNil(.object(object)))
            } catch {
                note(error)
                values.append(.null)
            }
        }
        return values
    }

    private func value(_ path: [String], _ last: PathEnd, of object: StoredObject) throws(StoreError) -> PredicateValue
    {
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
        case .attribute(let key): return decoded(try object.value(of: key) ?? .null)
        case .toOne(let key): return try object.related(key).first.map { identity($0.id) } ?? .null
        case .primaryKey: return identity(object.id)
        }
    }

    /// Returns the decoded value of an archive, if archives are to be decoded.
    private func decoded(_ value: PredicateValue) -> PredicateValue {
        guard decodesArchives, case .data(let data) = value else { return value }
        return ArchivedJSON.value(of: Array(data)) ?? value
    }

    /// Returns the primary key of an object, or its URI.
    private func identity(_ id: SQLObjectID) -> PredicateValue {
        guard let identities, let uri = try? identities.uri(of: id) else { return id.key }
        return .string(uri.description)
    }
}

extension RowColumns {
    private static func all(of entity: SQLEntity, in store: ObjectStore) throws(CommandFailure) -> [SelectedColumn] {
        let names: [String]
        do throws(StoreError) {
            names = try ColumnOrder.attributes(of: entity, in: store)
        } catch {
            throw .store(error, store.connection.path)
        }
        let sorted = names.map { (key: $0, column: entity.attributes[$0]?.column ?? $0) }
        let columns = sorted.map { SelectedColumn(name: $0.key, path: [], last: .attribute($0.key)) }
        let key = entity.primaryKey
        let isTold = sorted.contains { $0.key == key || $0.column.lowercased() == key.lowercased() }
        let isHidden = isTold || ["rowid", "_rowid_", "oid"].contains(key.lowercased())
        return (isHidden ? [] : [SelectedColumn(name: key, path: [], last: .primaryKey)]) + columns
    }

    /// `name`, `boss`, `boss.name` and, for written columns, the lists `phones`, `phones.number`, `phones.@count`
    private static func column(
        _ value: OutputValue, as name: String, of entity: SQLEntity, in schema: SQLSchema, mayBeList: Bool
    ) throws(SQLCompilationError) -> SelectedColumn {
        if let path = value.keyPath {
            let keys = value.evaluator == nil ? value.paths[0] : KeyPathExpression.keys(of: path)
            let isProperty = value.evaluator != nil && withoutProperty(keys) != keys
            if !isProperty || (try? resolve(keys, of: entity, in: path, schema, mayBeList)) != nil {
                let (path, last) = try resolve(keys, of: entity, in: path, schema, mayBeList)
                return SelectedColumn(name: name, path: path, last: last)
            }
        }
        guard let evaluator = value.evaluator else { return SelectedColumn(name: name, path: [], last: .primaryKey) }
        var keys: [String] = []
        for path in value.paths {
            let (links, last) = try resolve(withoutProperty(path), of: entity, in: value.text, schema, true)
            if !links.isEmpty || last != .primaryKey { keys.append(path[0]) }
        }
        return SelectedColumn(name: name, path: [], last: .primaryKey, computed: (evaluator, keys))
    }

    /// Returns `name` for `name.length`, because `length` is a property of the string.
    private static func withoutProperty(_ keys: [String]) -> [String] {
        keys.count > 1 && keys.last.flatMap(StringKey.init) != nil ? Array(keys.dropLast()) : keys
    }

    /// Resolves a key path to its to-one relationships and the key at its end.
    private static func resolve(
        _ keys: [String], of entity: SQLEntity, in name: String, _ schema: SQLSchema, _ mayBeList: Bool
    ) throws(SQLCompilationError) -> (path: [String], last: PathEnd) {
        var keys = keys
        let last = keys.popLast() ?? ""
        var entity = entity
        for (index, key) in keys.enumerated() {
            if mayBeList, let destination = toMany(key, of: entity, schema) {
                let rest = keys[(index + 1)...] + [last]
                if rest.first == "@count", rest.count == 1 { return (Array(keys[..<index]), .count(key)) }
                let inner = try resolve(Array(rest), of: destination, in: name, schema, true)
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

    /// Returns the destination of a to-many relationship; nil for any other key.
    private static func toMany(_ key: String, of entity: SQLEntity, _ schema: SQLSchema) -> SQLEntity? {
        guard let relationship = entity.relationships.exactly(key), relationship.isToMany else { return nil }
        return schema.entities.exactly(relationship.destination)
    }

    /// Returns the destination of a to-one relationship.
    private static func toOne(
        _ key: String, of entity: SQLEntity, in path: String, _ schema: SQLSchema
    ) throws(SQLCompilationError) -> String {
        guard let relationship = entity.relationships.exactly(key) else {
            throw unknown(key, of: entity, in: path, schema)
        }
        if relationship.isToMany {
            throw SQLCompilationError(.notAColumn(key: key), text: path, range: range(of: key, in: path))
        }
        return relationship.destination
    }

    private static func unknown(
        _ key: String, of entity: SQLEntity, in path: String, _ schema: SQLSchema
    ) -> SQLCompilationError {
        SQLCompilationError(schema.missingKey(key, of: entity), text: path, range: range(of: key, in: path))
    }

    /// Returns the range of a key in a path.
    private static func range(of key: String, in path: String) -> Range<Int> {
        if let found = path.utf8.firstRange(of: key.utf8) {
            let start = path.utf8.distance(from: path.utf8.startIndex, to: found.lowerBound)
            return start..<start + key.utf8.count
        }
        return 0..<path.utf8.count
    }
}

extension Dictionary where Key == String {
    /// Returns the value of the key with the same code points. The subscript would also find canonically equivalent
    /// keys.
    fileprivate func exactly(_ key: String) -> Value? {
        guard let index = index(forKey: key), self[index].key.hasSameCodePoints(as: key) else { return nil }
        return self[index].value
    }
}
