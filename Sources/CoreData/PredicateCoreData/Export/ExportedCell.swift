import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A value of an export, ready to be written. Bytes are valid until the next row.
enum ExportedCell {
    case null
    case integer(Int64)
    case boolean(Bool)
    case double(Double)
    /// A decimal number, which the store keeps as a double.
    case decimal(Double)
    case text(UnsafeBufferPointer<UInt8>)
    case ownText([UInt8])
    /// Seconds since 2001.
    case date(Double)
    case uuid(UUID)
    case data(UnsafeBufferPointer<UInt8>)
    case ownData(Data)
    /// A decoded archive.
    case json(PredicateValue)
    /// An object.
    case uri(URIPrefix, Int64)
}

/// The beginning of the URIs of an entity's objects: `x-coredata://5C1F0A6E-…/Photo/p`
final class URIPrefix: Sendable {
    let entity: String
    let bytes: [UInt8]
    /// True if a field of a table needs no quotes for it.
    let isPlain: Bool

    init(store: String, entity: String) {
        self.entity = entity
        isPlain = !(store + entity).contains { ",\"\r\n".contains($0) }
        bytes = Array("x-coredata://\(store)/\(entity)/p".utf8)
    }
}

/// How a value of an export is read from the columns of a query.
enum ExportRead {
    /// The value of a column, by the type of its attribute.
    case value(DeclaredType, column: Int)
    /// Data that may be in an external file.
    case external(key: String, entity: String, column: Int)
    /// A transformable attribute: its archive as JSON, and its bytes.
    indirect case archive(of: ExportRead)
    case bytes(column: Int)
    /// The name of the entity whose number is in a column.
    case entityName(column: Int)
    /// An object: the column of its key, and its entity or the column of the entity's number.
    case object(column: Int, URIPrefix, number: Int?)
    /// The keys that an update has changed: the column of their bits, and that of the entity's number.
    case changedKeys(column: Int, number: Int)
}

extension ExportRead {
    /// True for the value of a column in the form that SQLite and the store have in common.
    fileprivate var isUnchanged: Bool {
        guard case .value(let type, _) = self else { return false }
        switch type {
        case .integer16, .integer32, .integer64, .double, .single, .decimal, .exactDecimal, .boolean, .text, .shortText,
            .data, .shortData:
            return true
        case .date, .uuid, .uuidBytes, .json, .array: return false
        }
    }

    /// The columns that the value is read from.
    fileprivate var columns: [Int] {
        switch self {
        case .value(_, let column), .external(_, _, let column), .bytes(let column), .entityName(let column): [column]
        case .archive(let data): data.columns
        case .object(let column, _, let number): [column] + (number.map { [$0] } ?? [])
        case .changedKeys(let column, let number): [column, number]
        }
    }
}

/// The stored values of a row, by their columns.
protocol StoredCells {
    func cell(_ column: Int) -> RawCell
}

extension SQLiteRows: StoredCells {}

/// A row of a query.
struct ExportRow {
    let rows: SQLiteRows
    let reader: ExportReader

    func advance() throws(CoreDataError) -> Bool {
        try storing { () throws(StoreError) in try rows.advance() }
    }

    /// The key of the object in the first column.
    var key: Int64 { if case .integer(let key) = rows.cell(0) { key } else { 0 } }

    /// The value at an index.
    func cell(_ index: Int) throws(CoreDataError) -> ExportedCell { try reader.cell(index, in: rows) }
}

/// Reads the values of an export from those of a query.
final class ExportReader {
    private let reads: [ExportRead]
    private let context: ExportContext
    /// The replacements of values, by index; nil for a value that is not anonymized.
    private let replacements: [Replacement?]

    init(_ columns: [ExportColumn], _ context: ExportContext) {
        self.context = context
        reads = columns.map(\.read)
        replacements = columns.map { context.anonymizer == nil ? nil : $0.replacement }
    }

    /// The number of values.
    var count: Int { reads.count }

    /// The columns that the value at an index is read from, and whether it is the value of its column in the form that SQLite
    /// and the store have in common.
    func source(of index: Int) -> (columns: [Int], isUnchanged: Bool) {
        (reads[index].columns, replacements[index] == nil && reads[index].isUnchanged)
    }

    /// The value at an index.
    func cell(_ index: Int, in row: some StoredCells) throws(CoreDataError) -> ExportedCell {
        let cell = try read(reads[index], row)
        guard let anonymizer = context.anonymizer, let replacement = replacements[index] else { return cell }
        return anonymizer.replaced(cell, replacement)
    }

    private func read(_ read: ExportRead, _ row: some StoredCells) throws(CoreDataError) -> ExportedCell {
        switch read {
        case .value(let type, let column): return Self.value(row.cell(column), type)
        case .external(let key, let entity, let column):
            guard case .blob(let bytes) = row.cell(column) else { return Self.value(row.cell(column), .data) }
            return try context.externalData(bytes, key, entity)
        case .archive(let data): return Self.archive(in: try self.read(data, row))
        case .bytes(let column): return Self.value(row.cell(column), .data)
        case .entityName(let column):
            guard case .integer(let number) = row.cell(column), let name = context.prefixes[number]?.entity else {
                return .null
            }
            return .ownText(Array(name.utf8))
        case .object(let column, let prefix, let number):
            guard case .integer(let key) = row.cell(column) else { return .null }
            guard let number, case .integer(let found) = row.cell(number) else { return .uri(prefix, key) }
            return .uri(context.prefixes[found] ?? prefix, key)
        case .changedKeys(let column, let number):
            guard case .blob(let bits) = row.cell(column), case .integer(let entity) = row.cell(number),
                let columns = context.changedColumns[entity]
            else { return .null }
            return .json(.array(columns.keys(in: bits).map(PredicateValue.string)))
        }
    }

    /// The archive in some data as JSON.
    private static func archive(in data: ExportedCell) -> ExportedCell {
        let value: PredicateValue? =
            switch data {
            case .data(let bytes): ArchivedJSON.value(of: bytes)
            case .ownData(let data): data.withUnsafeBytes { ArchivedJSON.value(of: $0.bindMemory(to: UInt8.self)) }
            case .null, .integer, .boolean, .double, .decimal, .text, .ownText, .date, .uuid, .json, .uri: nil
            }
        return value.map(ExportedCell.json) ?? .null
    }

    /// A stored value by the type of its attribute. A value that does not fit the type is exported as it is stored.
    static func value(_ cell: RawCell, _ type: DeclaredType) -> ExportedCell {
        switch (cell, type) {
        case (.null, _): .null
        case (.integer(let number), .boolean) where number == 0 || number == 1: .boolean(number == 1)
        case (.integer(let number), .double): .double(Double(number))
        case (.integer(let number), .date): .date(Double(number))
        case (.integer(let number), _): .integer(number)
        case (.double(let number), .date): .date(number)
        case (.double(let number), .decimal): .decimal(number)
        case (.double(let number), _): .double(number)
        case (.text(let bytes), _): .text(bytes)
        case (.blob(let bytes), .uuid) where bytes.count == 16:
            .uuid(UUID(uuid: UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self)))
        case (.blob(let bytes), _): .data(bytes)
        }
    }
}

/// The data that all tables of an export share.
final class ExportContext {
    let store: CoreDataStore
    /// The connection that reads the tables of the store, and their schema on it.
    let connection: StoreConnection
    let schema: SQLText
    let anonymizer: Anonymizer?
    /// The UUID of the store or, in an anonymized export, its replacement, because a UUID can identify a person's device.
    let uuid: String
    /// The beginnings of URIs, by entity number.
    let prefixes: [Int64: URIPrefix]
    private let byName: [String: URIPrefix]
    /// The meaning of the bits of updates, by entity number. Entities without a known meaning are left out.
    let changedColumns: [Int64: ChangedColumns]
    private let folder: URL
    private let allowsMissingData: Bool
    private(set) var tally = ExportTally()

    /// `connection` has the store attached as `old`; without it, the store's own connection reads.
    init(_ store: CoreDataStore, _ options: ExportOptions, attachedTo connection: StoreConnection?) {
        (self.store, allowsMissingData) = (store, options.allowsMissingData)
        (self.connection, schema) = (connection ?? store.connection, connection == nil ? "main" : "old")
        let anonymizer = options.anonymizes ? Anonymizer() : nil
        self.anonymizer = anonymizer
        let uuid = anonymizer?.uuidText(store.uuid) ?? store.uuid
        var (prefixes, byName) = ([Int64: URIPrefix](), [String: URIPrefix]())
        for entity in store.layout.ordered {
            let prefix = URIPrefix(store: uuid, entity: entity.name)
            (prefixes[entity.number], byName[entity.name]) = (prefix, prefix)
        }
        (self.prefixes, self.byName, self.uuid) = (prefixes, byName, uuid)
        let changed = store.file.keepsHistory ? store.layout.ordered : []
        changedColumns = Dictionary(
            changed.compactMap { entity in (try? ChangedColumns(entity, store.layout)).map { (entity.number, $0) } },
            uniquingKeysWith: { first, _ in first })
        folder = URL(fileURLWithPath: ExternalFolder.path(ofStore: store.path), isDirectory: true)
    }

    func prefix(of entity: String) -> URIPrefix { byName[entity] ?? URIPrefix(store: uuid, entity: entity) }

    /// A table of the store: `main."ZITEM"`
    func table(_ name: String) -> SQLText { "\(schema).\(name: name)" }

    /// Counts a value that the format cannot hold.
    func note(_ loss: ExportTally.Loss, _ place: String) { tally.add(loss, place) }

    /// The data of a column whose first byte shows where the data is stored. Throws `missingExternalData`.
    func externalData(
        _ bytes: UnsafeBufferPointer<UInt8>, _ key: String, _ entity: String
    ) throws(CoreDataError) -> ExportedCell {
        switch bytes.first {
        case 1: return .data(UnsafeBufferPointer(rebasing: bytes.dropFirst()))
        case 2:
            guard let name = ExternalData.name(in: Data(bytes.dropFirst())) else { return .data(bytes) }
            guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else {
                if allowsMissingData { return .null }
                throw CoreDataError(.missingExternalData(key: key, entity: entity, file: name))
            }
            return .ownData(data)
        default: return .data(bytes)
        }
    }
}

/// Counts what a format cannot hold.
struct ExportTally {
    /// A loss of an export.
    enum Loss: Hashable {
        /// A value that the column's type does not include, which becomes NULL.
        case null
        /// The character U+0000, which becomes U+FFFD.
        case zero
    }

    private var counts: [String: [Loss: Int]] = [:]

    mutating func add(_ loss: Loss, _ place: String) { counts[place, default: [:]][loss, default: 0] += 1 }

    /// A sentence for each column.
    func notes(of database: String) -> [String] {
        counts.sorted { $0.key < $1.key }.flatMap { place, losses in
            losses.sorted { $0.value < $1.value }.map { loss, count in
                switch (loss, count) {
                case (.null, 1): "1 value of \(place) is NULL, because \(database) cannot hold it"
                case (.null, _): "\(count) values of \(place) are NULL, because \(database) cannot hold them"
                case (.zero, 1): "1 value of \(place) has U+FFFD for U+0000, which \(database) cannot hold"
                case (.zero, _): "\(count) values of \(place) have U+FFFD for U+0000, which \(database) cannot hold"
                }
            }
        }
    }
}
