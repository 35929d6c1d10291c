import PredicateModel
import PredicateSQL
import PredicateStore

/// Infers a model from the tables of a SQLite store.
struct TableInference {
    private typealias Row = FileTables.EntityRow

    /// A foreign key: `ZCATEGORY` of an item.
    private struct ToOne {
        let key: String
        let entity: String
        let destination: String
        let table: String
        let column: String
        let isOrdered: Bool
    }

    private let connection: StoreConnection
    private let file: FileTables
    private let rows: [Row]
    private let indexes: Set<String>
    private var entities = InferredEntities()
    private var toOnes: [ToOne] = []

    init(_ connection: StoreConnection, _ file: FileTables) throws(CoreDataError) {
        (self.connection, self.file) = (connection, file)
        rows = file.entities.filter { $0.number < FileTables.firstInternal }
        indexes = try storing { () throws(StoreError) in
            Set(
                try connection.rows(of: SQLFragment("SELECT name FROM sqlite_master WHERE type = 'index'")).all()
                    .compactMap { $0[0].string })
        }
    }

    mutating func model() throws(CoreDataError) -> ManagedObjectModel {
        for row in rows { entities.add(EntityDescription(row.name, superentity: name(row.parent))) }
        for row in rows where row.parent == 0 {
            if file.columns[table(of: row)] != nil { try addTable(of: row) }
        }
        for name in file.columns.keys.sorted() { addJoin(name) }
        try addInverses()
        return entities.model
    }

    private func name(_ number: Int64) -> String? { rows.first { $0.number == number }?.name }

    private func table(of row: Row) -> String { "Z" + row.name.uppercased() }

    // MARK: - Columns

    private mutating func addTable(of root: Row) throws(CoreDataError) {
        let table = table(of: root)
        let columns = try storing { () throws(StoreError) in
            try connection.rows(
                of: SQLFragment("SELECT name, type FROM pragma_table_info(?1)", bindings: [.text(table)])
            ).all().compactMap { row in row[0].string.map { (name: $0, type: row[1].string ?? "") } }
        }
        let (owners, empty) = try owners(of: columns.map(\.name).filter { ColumnName($0) != nil }, in: table, root.name)
        for column in columns {
            guard let found = ColumnName(column.name), let owner = owners[column.name] else { continue }
            func isOrdered(_ key: String) -> Bool { names(table).contains("Z_FOK_" + key.uppercased()) }
            switch found {
            case .foreign(let number, let key):
                // `Z3_OWNER`, next to `ZOWNER`, is the entity number of a to-one relationship.
                guard let entity = name(number), !key.hasPrefix("_") else { continue }
                entities.add(.toMany(key, owner, isOrdered: isOrdered("\(number)\(key)")), to: entity)
            case .own(let stem):
                let (key, other) = key(stem, of: owner, owners, empty)
                let isOrdered = isOrdered(stem) || isOrdered(key)
                let userInfo = other.map { [ManagedObjectModel.otherName: PredicateValue.string($0)] } ?? [:]
                let found = column.type == "INTEGER" ? try destination(of: column.name, key, table) : nil
                // Only a relationship has an order; without any link it may lead anywhere.
                if let other = found?.name ?? (isOrdered ? owner : nil) {
                    var relationship = RelationshipDescription.toOne(key, other)
                    relationship.userInfo = userInfo
                    if let others = found?.others, !others.isEmpty {
                        relationship.userInfo[ManagedObjectModel.candidates] = .string(others.joined(separator: ", "))
                    }
                    entities.add(relationship, to: owner)
                    toOnes.append(
                        ToOne(
                            key: key, entity: owner, destination: other, table: table, column: column.name,
                            isOrdered: isOrdered))
                } else {
                    var attribute = try attribute(key, column.type, column.name, table)
                    attribute.userInfo = userInfo
                    entities.add(attribute, to: owner)
                }
            }
        }
    }

    /// The key without its number if a column of that name belongs to objects of other entities: two subentities may have a key
    /// with the same name, with the columns ZNOTE and ZNOTE1, the latter for the entity with the higher number. `other` is that
    /// name if this is uncertain because a column has no values.
    private func key(
        _ key: String, of owner: String, _ owners: [String: String], _ empty: Set<String>
    ) -> (name: String, other: String?) {
        let stem = String(key.reversed().drop { $0.isASCIIDigit }.reversed())
        let columns = ["Z" + stem.uppercased(), "Z" + key.uppercased()]
        guard stem != key, let other = owners[columns[0]] else { return (key, nil) }
        if entities.isEntity(owner, kindOf: other) || entities.isEntity(other, kindOf: owner) {
            return (key, empty.isDisjoint(with: columns) ? nil : stem)
        }
        let isLater = entities.names.firstIndex(of: owner) ?? 0 > entities.names.firstIndex(of: other) ?? 0
        return (isLater && entities.isFree(stem, in: owner) ? stem : key, nil)
    }

    private func names(_ table: String) -> Set<String> { file.columns[table] ?? [] }

    /// The entity of each column, which is the closest superentity of all objects that have a value in it, and the columns
    /// without values, if there are subentities.
    private func owners(
        of columns: [String], in table: String, _ root: String
    ) throws(CoreDataError) -> (owners: [String: String], empty: Set<String>) {
        var empty: Set<String> = []
        var owners = Dictionary(columns.map { ($0, root) }, uniquingKeysWith: { first, _ in first })
        guard !entities.children(of: root).isEmpty else { return (owners, []) }
        let counts = SQLText.joined(columns.map { "COUNT(\(name: $0))" }, by: ", ")
        let found = try storing { () throws(StoreError) in
            try connection.rows(of: SQLFragment("SELECT Z_ENT, \(counts) FROM \(name: table) GROUP BY Z_ENT")).all()
        }
        for (index, column) in columns.enumerated() {
            let lines = found.filter { $0[index + 1].number != 0 }.compactMap { $0[0].number.flatMap(name) }
                .map { Array(entities.lineage(of: $0).reversed()) }
            guard var common = lines.first else {
                empty.insert(column)
                continue
            }
            for line in lines { common = Array(zip(common, line).prefix { $0 == $1 }.map(\.0)) }
            owners[column] = common.last ?? root
        }
        return (owners, empty)
    }

    private func attribute(
        _ key: String, _ type: String, _ column: String, _ table: String
    ) throws(CoreDataError) -> AttributeDescription {
        switch type {
        case "INTEGER": return AttributeDescription(key, .integer64)
        case "FLOAT": return AttributeDescription(key, .double)
        case "DECIMAL": return AttributeDescription(key, .decimal)
        case "TIMESTAMP": return AttributeDescription(key, .date)
        case "VARCHAR": return AttributeDescription(key, .string)
        default: break
        }
        let kind = try dataKind(SQLText("\(name: column)"), table)
        return AttributeDescription(
            key, kind == .uuid ? .uuid : .binaryData, allowsExternalBinaryDataStorage: kind == .external)
    }

    private enum DataKind {
        case plain, uuid, external
    }

    /// The kind of values in a data column: UUIDs if most have the bits of a version and a variant; external data if all begin
    /// with 01, before data in the row, or 02, before the name of a file. Data may begin with 01 by chance, so at least one
    /// value must be a file's name or begin with the first bytes of a known format.
    private func dataKind(_ value: SQLText, _ table: String) throws(CoreDataError) -> DataKind {
        let (mark, bits): (SQLText, SQLText) = ("substr(\(value), 1, 1)", "hex(substr(\(value), 7, 3))")
        let counts = try connection.numbers(
            """
            SELECT COUNT(*), SUM(length(\(value)) = 16), SUM(\(bits) GLOB '[1-8]???[89AB]?'), SUM(\(mark) IN (x'01', x'02')),
            SUM(\(mark) = x'02' AND length(\(value)) = 38 OR \(mark) = x'01' AND substr(\(value), 2, 2) IN
            (x'FFD8', x'8950', x'4749', x'1F8B', x'6270', x'2550', x'504B', x'3C3F', x'7B22'))
            FROM \(name: table) WHERE \(value) IS NOT NULL
            """)
        guard let count = counts.first, count > 0 else { return .plain }
        if counts[1] == count, counts[2] * 2 > count { return .uuid }
        return counts[3] == count && counts[4] > 0 ? .external : .plain
    }

    // MARK: - Relationships

    /// A possible destination of a column: the similarity of the key to its name, whether a column of the destination refers
    /// back, and the share of its objects.
    private typealias Candidate = (name: String, rank: (likeness: Int, isAnswered: Int, share: Int64))

    /// The entity to which a column refers, and other entities that differ from it only in the share of their objects; nil for
    /// an attribute. Foreign keys have an index, and one to an entity with subentities has a column for the entity number.
    private func destination(
        of column: String, _ key: String, _ table: String
    ) throws(CoreDataError) -> (name: String, others: [String])? {
        for row in rows where names(table).contains("Z\(row.number)_\(column.dropFirst())") { return (row.name, []) }
        // For a second key with the same name, the number at the end may be missing in the column of the entity number.
        for row in rows where "Z" + key.uppercased() != column {
            let number = "Z\(row.number)_\(key.uppercased())"
            let query: SQLText =
                "SELECT COUNT(*) FROM \(name: table) WHERE (\(name: number) IS NULL) <> (\(name: column) IS NULL)"
            if names(table).contains(number), try connection.number(query) == 0 { return (row.name, []) }
        }
        guard indexes.contains("\(table)_\(column)_INDEX") else { return nil }
        let candidates = try candidates(for: column, key, table)
        guard let best = candidates.max(by: { $0.rank < $1.rank }) else { return nil }
        let others = candidates.filter {
            ($0.rank.likeness, $0.rank.isAnswered) == (best.rank.likeness, best.rank.isAnswered) && $0.name != best.name
        }
        return (best.name, others.map(\.name))
    }

    private func candidates(
        for column: String, _ key: String, _ table: String
    ) throws(CoreDataError) -> [Candidate] {
        var candidates: [Candidate] = []
        for row in rows where row.parent == 0 && file.columns[self.table(of: row)] != nil {
            let other = self.table(of: row)
            let found = try connection.numbers(
                """
                SELECT COUNT(*), COUNT(DISTINCT s.\(name: column)), COUNT(t.Z_PK), COUNT(DISTINCT t.Z_ENT), MIN(t.Z_ENT),
                (SELECT COUNT(*) FROM \(name: other)) FROM \(name: table) AS s
                LEFT JOIN \(name: other) AS t ON t.Z_PK = s.\(name: column) WHERE s.\(name: column) IS NOT NULL
                """)
            if found[0] == 0 {
                for name in leaves(of: row.name) where Self.likeness(key, name) > 1 {
                    candidates.append((name, (Self.likeness(key, name), 0, 0)))
                }
            } else if found[2] == found[0], found[3] == 1, let name = name(found[4]),
                entities.children(of: name).isEmpty
            {
                let isAnswered = try isAnswered(column, table, by: other)
                let share = found[1] * 1_000 / max(found[5], 1)
                candidates.append((name, (Self.likeness(key, name), isAnswered ? 1 : 0, share)))
            }
        }
        return candidates
    }

    /// True if a column of the other table refers back to every row, so that the two are inverses.
    private func isAnswered(_ column: String, _ table: String, by other: String) throws(CoreDataError) -> Bool {
        for back in names(other).sorted() where indexes.contains("\(other)_\(back)_INDEX") {
            let found = try answers(to: column, of: table, in: back, of: other)
            if found.referring == found.answered, back != column || table != other { return true }
        }
        return false
    }

    /// The number of rows that refer to a row of another table, and how many of them a column there refers back to.
    private func answers(
        to column: String, of table: String, in back: String, of other: String
    ) throws(CoreDataError) -> (referring: Int64, answered: Int64) {
        let found = try connection.numbers(
            """
            SELECT COUNT(s.\(name: column)), COUNT(CASE WHEN t.\(name: back) = s.Z_PK THEN 1 END)
            FROM \(name: table) AS s LEFT JOIN \(name: other) AS t ON t.Z_PK = s.\(name: column)
            """)
        return (found[0], found[1])
    }

    private func leaves(of name: String) -> [String] {
        entities.names.filter { entities.isEntity($0, kindOf: name) && entities.children(of: $0).isEmpty }
    }

    /// The similarity of a key to the name of an entity: `category` equals Category, and resembles ToDoCategory.
    private static func likeness(_ key: String, _ entity: String) -> Int {
        let name = entity.lowercased()
        return key == name ? 3 : name.hasSuffix(key) || key.hasSuffix(name) ? 2 : 0
    }

    /// Adds the relationships of a join table. Z_28ALBUMS contains keys of albums, for the other end's relationship `albums`.
    private mutating func addJoin(_ table: String) {
        let columns = names(table).filter { !$0.hasPrefix("Z_FOK_") }.sorted()
        let ends = columns.compactMap { JoinEnd($0) }
        guard table.hasPrefix("Z_"), columns.count == 2, let first = ends.first, let entity = name(first.number) else {
            return
        }
        func isOrdered(_ end: JoinEnd) -> Bool { names(table).contains(JoinNames.order(end.column)) }
        if columns.contains("REFLEXIVE") {
            entities.add(.toMany(first.key, entity, isOrdered: isOrdered(first)), to: entity)
            return entities.relate(first.key, of: entity, first.key, of: entity)
        }
        guard ends.count == 2, let other = name(ends[1].number) else { return }
        let keys = (first.key(named: table, ends[1].number), ends[1].key(named: table, first.number))
        entities.add(.toMany(keys.1, other, isOrdered: isOrdered(ends[1])), to: entity)
        entities.add(.toMany(keys.0, entity, isOrdered: isOrdered(first)), to: other)
        entities.relate(keys.1, of: entity, keys.0, of: other)
    }

    // MARK: - Inverses

    /// Makes pairs of to-one relationships that refer back to each other inverses, and gives all others a to-many inverse.
    private mutating func addInverses() throws(CoreDataError) {
        var open = toOnes
        while let end = open.popLast() {
            if let other = try takeInverse(of: end, from: &open) {
                entities.relate(end.key, of: end.entity, other.key, of: other.entity)
                continue
            }
            var key = end.entity.prefix(1).lowercased() + end.entity.dropFirst() + "s"
            if !entities.isFree(key, in: end.destination) { key += "_\(end.key)" }
            guard entities.isFree(key, in: end.destination) else { continue }
            entities.add(.toMany(key, end.entity, isOrdered: end.isOrdered), to: end.destination)
            entities.relate(end.key, of: end.entity, key, of: end.destination)
        }
    }

    private func takeInverse(of end: ToOne, from open: inout [ToOne]) throws(CoreDataError) -> ToOne? {
        for place in open.indices where try isInverse(end, open[place]) { return open.remove(at: place) }
        return nil
    }

    private func isInverse(_ one: ToOne, _ other: ToOne) throws(CoreDataError) -> Bool {
        guard !one.isOrdered, !other.isOrdered, entities.isEntity(other.entity, kindOf: one.destination),
            entities.isEntity(one.entity, kindOf: other.destination)
        else { return false }
        let found = try answers(to: one.column, of: one.table, in: other.column, of: other.table)
        let count = try connection.number("SELECT COUNT(\(name: other.column)) FROM \(name: other.table)")
        return found.referring > 0 && found.answered == found.referring && count == found.referring
    }
}

/// The meaning of a column's name: `ZTITLE` is a key of the row's object, `Z3LENT` a key of entity 3.
private enum ColumnName {
    case own(String)
    case foreign(Int64, String)

    /// Nil for columns that belong to others: `Z_PK`, `Z_FOK_SHELF`.
    init?(_ column: String) {
        let rest = column.dropFirst()
        guard column.hasPrefix("Z"), !rest.isEmpty, !rest.hasPrefix("_") else { return nil }
        let digits = rest.prefix { $0.isASCIIDigit }
        let key = rest.dropFirst(digits.count).lowercased()
        guard key.uppercased() == rest.dropFirst(digits.count) else { return nil }
        if digits.isEmpty {
            self = .own(key)
        } else if let number = Int64(digits), !key.isEmpty {
            self = .foreign(number, key)
        } else {
            return nil
        }
    }
}

/// A column of a join table: the number of an entity, and the relationship of the other end that leads to its objects.
private struct JoinEnd {
    let column: String
    let number: Int64
    let key: String

    init?(_ column: String) {
        guard column.hasPrefix("Z_") else { return nil }
        let digits = column.dropFirst(2).prefix { $0.isASCIIDigit }
        let rest = column.dropFirst(2 + digits.count)
        guard let number = Int64(digits), !rest.isEmpty else { return nil }
        (self.column, self.number, key) = (column, number, rest.lowercased())
    }

    /// The key, without its number if the name of the table does not contain this number: Z_24USERS1 in the table Z_3USERS.
    func key(named table: String, _ other: Int64) -> String {
        let stem = key.reversed().drop { $0.isASCIIDigit }.reversed()
        return table == "Z_\(other)\(String(stem).uppercased())" ? String(stem) : key
    }
}
