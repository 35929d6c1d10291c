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
    /// The store whose object URIs replace primary keys; nil to write primary keys.
    private let identities: CoreDataStore?
    /// True to replace data that is a property list or an archive with its decoded value.
    private let decodesArchives: Bool
    /// Which columns contain days, which are written without a time.
    private let areDays: [Bool]

    /// A column: the path from a row to the value, or the expression that is evaluated for each row, with the keys at the
    /// beginnings of its paths.
    private struct SelectedColumn {
        let name: String
        var path: StoredPath = StoredPath()
        var computed: (evaluator: ExpressionEvaluator, keys: [String])?

        /// The key that is read from each row; nil for the primary key.
        var firstKeys: [String] { computed?.keys ?? path.steps.first?.key.map { [$0] } ?? [] }
    }

    /// Creates the columns of `--keys`; without `--keys`, the primary key and all attributes, in the order of the table.
    /// `others` are read but not written. Columns of days are detected by samples if `findsDays` is true.
    init(
        _ keys: [OutputValue]?, others: [OutputValue] = [], of entity: SQLEntity, in store: ObjectStore,
        identities: CoreDataStore? = nil, decodesArchives: Bool = false, findsDays: Bool
    ) throws(CommandFailure) {
        (self.decodesArchives, self.identities) = (decodesArchives, identities)
        var columns = identities == nil ? [] : [SelectedColumn(name: "objectID")]
        if keys == nil {
            let all = try Self.all(of: entity, in: store)
            columns += identities == nil ? all : all.filter { !$0.path.steps.isEmpty }
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
        areDays = columns.map { column in
            guard findsDays, column.computed == nil, let (key, owner) = column.path.attribute else { return false }
            return store.holdsDays(key, of: owner)
        }
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

    var allNames: [String] { columns.map(\.name) }

    /// Returns the cells to write, given the values of all columns.
    func cells(of values: [PredicateValue], _ style: NumberStyle) -> [RowCell] {
        zip(values, columns.prefix(writtenCount)).enumerated().map { index, cell in
            cell.1.computed == nil ? RowCell(cell.0, isDay: areDays[index], in: style.zone) : style.cell(cell.0)
        }
    }

    /// The keys to read from each row.
    var keysToFetch: [String] { columns.flatMap(\.firstKeys) }

    /// The to-many relationships, which are prefetched for many objects at a time.
    var relationshipsToPrefetch: [String] {
        var paths: [String] = []
        for case let path? in columns.map(\.path.firstList) where !paths.contains(path) { paths.append(path) }
        return paths
    }

    /// Returns the index of each written column in the cells of a row; nil for the primary key. Returns nil as a whole if a
    /// column belongs to another object.
    func cellIndices(of objects: ObjectCursor) -> [Int?]? {
        if identities != nil || decodesArchives { return nil }
        var indices: [Int?] = []
        for column in columns.prefix(writtenCount) {
            guard column.computed == nil, column.path.steps.count < 2 else { return nil }
            switch column.path.steps.first {
            case nil: indices.append(nil)
            case .attribute(let key, _)?:
                guard let index = objects.cellIndex(of: key) else { return nil }
                indices.append(index)
            case .toOne?, .toMany?, .count?: return nil
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
                values.append(try value(column.path.steps[...], of: object))
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

    private func value(
        _ steps: ArraySlice<StoredPath.Step>, of object: StoredObject
    ) throws(StoreError) -> PredicateValue {
        guard let step = steps.first else {
            guard let identities, let uri = try? identities.uri(of: object.id) else { return object.id.key }
            return .string(uri.description)
        }
        switch step {
        case .attribute(let key, _):
            let value = try object.value(of: key) ?? .null
            guard decodesArchives, case .data(let data) = value else { return value }
            return ArchivedJSON.value(of: Array(data)) ?? value
        case .toOne(let key):
            guard let next = try object.related(key).first else { return .null }
            return try value(steps.dropFirst(), of: next)
        case .toMany(let key):
            return .array(
                try object.related(key).map { (other) throws(StoreError) in try value(steps.dropFirst(), of: other) })
        case .count(let key): return .integer(Int64(try object.related(key).count))
        }
    }
}

extension RowColumns {
    private static func all(of entity: SQLEntity, in store: ObjectStore) throws(CommandFailure) -> [SelectedColumn] {
        let names = try CommandFailure.storing(store.connection.path) { () throws(StoreError) in
            try ColumnOrder.attributes(of: entity, in: store)
        }
        let key = entity.primaryKey
        let isTold = names.contains { name in
            name == key || (entity.attributes[name]?.column ?? name).lowercased() == key.lowercased()
        }
        let isHidden = isTold || ["rowid", "_rowid_", "oid"].contains(key.lowercased())
        return (isHidden ? [] : [SelectedColumn(name: key)])
            + names.map { SelectedColumn(name: $0, path: StoredPath(steps: [.attribute($0, of: entity)])) }
    }

    /// `name`, `boss`, `boss.name` and, for written columns, the lists `phones`, `phones.number`, `phones.@count`
    private static func column(
        _ value: OutputValue, as name: String, of entity: SQLEntity, in schema: SQLSchema, mayBeList: Bool
    ) throws(SQLCompilationError) -> SelectedColumn {
        var evaluator = value.evaluator
        if let path = value.keyPath {
            let keys = evaluator == nil ? value.paths[0] : KeyPathExpression.keys(of: path)
            let isStored = storedKeys(of: keys, entity, schema) == keys
            if evaluator == nil, !isStored { evaluator = try? ExpressionEvaluator(.keys(keys)) }
            do throws(SQLCompilationError) {
                return SelectedColumn(
                    name: name, path: try StoredPath(keys, of: entity, in: path, schema, mayBeList: mayBeList))
            } catch {
                if isStored || evaluator == nil { throw error }
            }
        }
        guard let evaluator else { return SelectedColumn(name: name) }
        var keys: [String] = []
        for path in value.paths {
            let stored = storedKeys(of: path, entity, schema)
            let found = try StoredPath(stored, of: entity, in: value.text, schema, mayBeList: true)
            if !found.steps.isEmpty { keys.append(path[0]) }
        }
        return SelectedColumn(name: name, computed: (evaluator, keys))
    }

    /// Returns `name` for `name.length`, because `length` is a property of the string, and `payload` for `payload.user.id`, because
    /// the rest is in a JSON object.
    private static func storedKeys(of keys: [String], _ entity: SQLEntity, _ schema: SQLSchema) -> [String] {
        var owner: SQLEntity? = entity
        for (index, key) in keys.enumerated() {
            if case .json? = owner?.attributes[exactly: key]?.type { return Array(keys.prefix(index + 1)) }
            owner = owner?.relationships[exactly: key].flatMap { schema.entities[exactly: $0.destination] }
        }
        return keys.count > 1 && keys.last.flatMap(StringKey.init) != nil ? Array(keys.dropLast()) : keys
    }
}

extension FormatExpression {
    /// The key path with these keys, whatever they look like.
    fileprivate static func keys(_ keys: [String]) -> FormatExpression {
        FormatExpression(.keyPath(KeyPathExpression(keys.map { .key($0) })))
    }
}

/// The way from a row of a SQLite file to a value: to-one relationships, and a to-many relationship, which gives the list of the
/// values of its objects. A path without steps leads to the primary key.
private struct StoredPath {
    enum Step {
        case attribute(String, of: SQLEntity)
        case toOne(String)
        case toMany(String)
        /// `phones.@count`
        case count(String)

        var key: String? {
            switch self {
            case .attribute(let key, _), .toOne(let key), .toMany(let key), .count(let key): key
            }
        }
    }

    var steps: [Step] = []

    /// The attribute at the end of to-one relationships, and its entity.
    var attribute: (key: String, owner: SQLEntity)? {
        guard case .attribute(let key, let owner)? = steps.last, firstList == nil else { return nil }
        return (key, owner)
    }

    /// The path to the first to-many relationship.
    var firstList: String? {
        let end = steps.firstIndex { step in
            switch step {
            case .toMany, .count: true
            case .attribute, .toOne: false
            }
        }
        return end.map { steps[...$0].compactMap(\.key).joined(separator: ".") }
    }

    init(steps: [Step] = []) { self.steps = steps }

    /// Resolves a key path; `name` is the text for errors.
    init(
        _ keys: [String], of entity: SQLEntity, in name: String, _ schema: SQLSchema, mayBeList: Bool
    ) throws(SQLCompilationError) {
        var entity = entity
        for (index, key) in keys.enumerated() {
            let rest = keys[index...].joined(separator: ".")
            let isLast = index == keys.count - 1
            if isLast || entity.isComposite(key), entity.attributes[exactly: rest] != nil || entity.isComposite(rest) {
                steps.append(.attribute(rest, of: entity))
                return
            }
            if entity.isComposite(key) { throw Self.unknown(rest, of: entity, in: name, schema) }
            let relationship = entity.relationships[exactly: key]
            if isLast, relationship == nil, key.hasSameCodePoints(as: entity.primaryKey) { return }
            guard let relationship, let next = schema.entities[exactly: relationship.destination] else {
                throw Self.unknown(key, of: entity, in: name, schema)
            }
            if relationship.isToMany, !mayBeList {
                throw SQLCompilationError(.notAColumn(key: key), text: name, range: Self.range(of: key, in: name))
            }
            let isCounted = relationship.isToMany && keys[(index + 1)...] == ["@count"]
            steps.append(isCounted ? .count(key) : relationship.isToMany ? .toMany(key) : .toOne(key))
            if isCounted { return }
            entity = next
        }
    }

    private static func unknown(
        _ key: String, of entity: SQLEntity, in path: String, _ schema: SQLSchema
    ) -> SQLCompilationError {
        SQLCompilationError(schema.missingKey(key, of: entity), text: path, range: range(of: key, in: path))
    }

    private static func range(of key: String, in path: String) -> Range<Int> {
        if let found = path.utf8.firstRange(of: key.utf8) {
            let start = path.utf8.distance(from: path.utf8.startIndex, to: found.lowerBound)
            return start..<start + key.utf8.count
        }
        return 0..<path.utf8.count
    }
}
