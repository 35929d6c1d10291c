import Foundation
import PredicateJSON
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Writes the objects of an export as JSON, one per line.
///
///     {"@entity":"Book","@id":"x-coredata://5C1F0A6E-…/Book/p1","title":"One","shelf":"x-coredata://…/Shelf/p1",
///      "tags":["x-coredata://…/Tag/p3"]}
///
/// Elements of composite attributes are objects within the object. A transformable attribute is its archive as JSON
/// and, under `NAME@data`, its bytes; an archive that cannot be decoded is only its bytes in base 64.
final class ObjectWriting {
    private let context: ExportContext
    private let selection: ExportSelection
    private let output: ByteOutput
    /// True to write an array.
    private let isArray: Bool
    private var count = 0

    init(_ context: ExportContext, _ selection: ExportSelection, _ output: ByteOutput, isArray: Bool) {
        (self.context, self.selection, self.output, self.isArray) = (context, selection, output, isArray)
    }

    /// Writes everything and returns the number of objects.
    func run() throws(CoreDataError) -> Int {
        var plan = try ExportPlan(context, selection, .sqlite, usesURIs: true)
        for table in plan.tables() {
            if let entity = table.entity { try writeObjects(table, entity) }
        }
        let objects = count
        if selection.isWhole, let history = HistoryExport(context, usesURIs: true).table("history") {
            try writeHistory(history)
        }
        if isArray { output.append(count == 0 ? "[]\n" : "]\n") }
        try output.flush()
        return objects
    }

    private func begin() {
        if isArray { output.append(count == 0 ? "[" : ",\n") }
        count += 1
    }

    private func endLine() throws(CoreDataError) {
        output.append(isArray ? "}" : "}\n")
        try output.flushIfFull()
    }

    // MARK: - Objects

    private func writeObjects(_ table: ExportTable, _ entity: String) throws(CoreDataError) {
        let members = JSONMembers(table.columns)
        let lists = try lists(of: entity)
        let row = try context.row(table)
        var opening: [UInt8] = Array("{\"\(ExportedKey.entity)\":".utf8)
        JSONWriter.writeString(entity, to: &opening)
        while try row.advance() {
            begin()
            output.bytes.append(contentsOf: opening)
            let key = row.key
            try members.write(row, to: &output.bytes)
            for list in lists { try list.write(key, to: &output.bytes) }
            try endLine()
        }
    }

    private func lists(of entity: String) throws(CoreDataError) -> [LinkList] {
        guard let stored = context.store.layout.entities[entity] else { return [] }
        var lists: [LinkList] = []
        for relationship in context.store.model.relationships(of: entity)
        where relationship.isToMany && !relationship.isTransient {
            guard let links = ExportLinks(context.store, relationship, of: entity) else { continue }
            lists.append(try LinkList(context, relationship, links, selection.condition(on: links.key, of: stored)))
        }
        return lists
    }

    // MARK: - History

    private func writeHistory(_ table: ExportTable) throws(CoreDataError) {
        let row = try context.row(table)
        while try row.advance() {
            begin()
            var isFirst = true
            for (index, column) in table.columns.enumerated() {
                output.append(isFirst ? "{\"@" : ",\"@")
                isFirst = false
                output.append("\(column.name)\":")
                JSONMembers.append(try row.cell(index), to: &output.bytes)
            }
            try endLine()
        }
    }
}

extension ExportContext {
    /// The rows of a table, at the first one.
    func row(_ table: ExportTable) throws(CoreDataError) -> ExportRow {
        let query = SQLFragment("SELECT \(SQLText.joined(table.selected, by: ", ")) FROM \(table.rows)")
        let rows = try storing { () throws(StoreError) in try connection.rows(of: query) }
        return ExportRow(rows: rows, reader: ExportReader(table.columns, self))
    }
}

/// The members of an object: its columns, with those of composite attributes as objects.
private struct JSONMembers {
    private enum Step {
        /// A member: its name with the punctuation before it, and the index of its column.
        case value([UInt8], Int)
        /// A transformable attribute: its names, and the indices of its JSON and of its bytes.
        case archive([UInt8], [UInt8], Int, Int)
        /// The punctuation that begins or ends an object.
        case punctuation([UInt8])
    }

    private var steps: [Step] = []

    init(_ columns: [ExportColumn]) {
        var path: [Substring] = []
        var needsComma = true
        for (index, column) in columns.enumerated() {
            if case .history = column.column.role { continue }
            guard column.isMember else { continue }
            let keys = column.memberPath
            move(from: &path, to: Array(keys.dropLast()), &needsComma)
            let name = Self.name(keys.last.map(String.init) ?? "", needsComma)
            needsComma = true
            if case .attribute = column.column.role, column.column.type == .json {
                let bytes = columns.indices.contains(index + 1) ? index + 1 : index
                let other = Self.name((keys.last.map(String.init) ?? "") + ExportedKey.data, true)
                steps.append(.archive(name, other, index, bytes))
            } else {
                steps.append(.value(name, index))
            }
        }
        move(from: &path, to: [], &needsComma)
    }

    /// Closes the objects that do not contain the next member, and opens those that do.
    private mutating func move(from path: inout [Substring], to next: [Substring], _ needsComma: inout Bool) {
        var common = 0
        while common < path.count, common < next.count, path[common] == next[common] { common += 1 }
        if path.count > common {
            steps.append(.punctuation(Array(repeating: Byte.closeBrace, count: path.count - common)))
            needsComma = true
        }
        for key in next[common...] {
            steps.append(.punctuation(Self.name(String(key), needsComma) + [Byte.openBrace]))
            needsComma = false
        }
        path = next
    }

    private static func name(_ name: String, _ needsComma: Bool) -> [UInt8] {
        var bytes: [UInt8] = needsComma ? [Byte.comma] : []
        JSONWriter.writeString(name, to: &bytes)
        return bytes + [Byte.colon]
    }

    func write(_ row: ExportRow, to bytes: inout [UInt8]) throws(CoreDataError) {
        for step in steps {
            switch step {
            case .punctuation(let text): bytes.append(contentsOf: text)
            case .value(let name, let index):
                bytes.append(contentsOf: name)
                Self.append(try row.cell(index), to: &bytes)
            case .archive(let name, let other, let index, let data):
                bytes.append(contentsOf: name)
                let json = try row.cell(index)
                guard case .json = json else {
                    Self.append(try row.cell(data), to: &bytes)
                    continue
                }
                Self.append(json, to: &bytes)
                bytes.append(contentsOf: other)
                Self.append(try row.cell(data), to: &bytes)
            }
        }
    }

    static func append(_ cell: ExportedCell, to bytes: inout [UInt8]) {
        switch cell {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .integer(let number): JSONWriter.writeInteger(number, to: &bytes)
        case .boolean(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .double(let number), .decimal(let number): JSONWriter.writeDouble(number, to: &bytes)
        case .text(let text): JSONWriter.writeString(repairing: text, to: &bytes)
        case .ownText(let text): text.withUnsafeBufferPointer { JSONWriter.writeString(repairing: $0, to: &bytes) }
        case .date(let seconds):
            bytes.append(Byte.quote)
            _ = ExportText.append(date: seconds, to: &bytes)
            bytes.append(Byte.quote)
        case .uuid(let uuid):
            bytes.append(Byte.quote)
            ExportText.append(uuid, to: &bytes)
            bytes.append(Byte.quote)
        case .data(let data): JSONWriter.writeString(ExportText.base64(data), to: &bytes)
        case .ownData(let data): JSONWriter.writeString(data.base64EncodedString(), to: &bytes)
        case .json(let value): JSONWriter().write(value, to: &bytes)
        case .uri(let prefix, let key): appendURI(prefix, key, to: &bytes)
        }
    }

    static func appendURI(_ prefix: URIPrefix, _ key: Int64, to bytes: inout [UInt8]) {
        bytes.append(Byte.quote)
        if prefix.isPlain {
            bytes.append(contentsOf: prefix.bytes)
        } else {
            JSONWriter.writeString(String(decoding: prefix.bytes, as: UTF8.self), to: &bytes)
            bytes.removeLast()
        }
        JSONWriter.writeInteger(key, to: &bytes)
        bytes.append(Byte.quote)
    }
}

extension ExportColumn {
    /// True for a column that is a member of its own.
    fileprivate var isMember: Bool {
        switch column.role {
        case .key, .attribute, .link: true
        case .archive, .linkEntity, .linkPosition, .source, .target, .position, .inversePosition, .history: false
        }
    }

    /// The keys that lead to the value, more than one for an element of a composite attribute.
    fileprivate var memberPath: [Substring] {
        switch column.role {
        case .attribute(let attribute): attribute.name.split(separator: ".", omittingEmptySubsequences: false)
        case .link(let relationship): [relationship.name[...]]
        case .key, .archive, .linkEntity, .linkPosition, .source, .target, .position, .inversePosition, .history:
            [column.name[...]]
        }
    }
}

/// Writes the related objects of all objects of an entity.
private struct LinkList {
    private let links: LinkCursor
    private let name: [UInt8]
    private let target: URIPrefix
    private let context: ExportContext

    init(
        _ context: ExportContext, _ relationship: RelationshipDescription, _ links: ExportLinks, _ condition: SQLText
    ) throws(CoreDataError) {
        (self.context, target) = (context, context.prefix(of: relationship.destinationEntityName ?? ""))
        var bytes: [UInt8] = [Byte.comma]
        JSONWriter.writeString(relationship.name, to: &bytes)
        name = bytes + [Byte.colon, Byte.openBracket]
        self.links = try LinkCursor(links, context.connection, where: condition)
    }

    /// Writes the member for an object, whose key is greater than those before.
    func write(_ key: Int64, to bytes: inout [UInt8]) throws(CoreDataError) {
        bytes.append(contentsOf: name)
        var isFirst = true
        try links.forEach(of: key) { other, entity in
            if !isFirst { bytes.append(Byte.comma) }
            isFirst = false
            JSONMembers.appendURI(entity.flatMap { context.prefixes[$0] } ?? target, other, to: &bytes)
        }
        bytes.append(Byte.closeBracket)
    }
}
