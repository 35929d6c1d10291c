import Foundation
import PredicateCoreData
import PredicateData
import PredicateJSON
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

/// A schema, and the file that it comes from.
struct SchemaFile {
    let schema: SQLSchema
    /// The name of the file in error messages.
    let name: String
    /// The noun for the entities in messages: a SQLite file has tables.
    let noun: Noun
    /// The parts of a SQLite file that have no entity.
    var omissions: [IntrospectedSchema.Omission] = []
    /// The parts of the store's model that are missing in the file.
    var missing: [StoreOmission] = []
    /// The columns of a SQLite file that are declared as UUIDs but hold other strings.
    var looseUUIDs: [IntrospectedSchema.LooseUUIDs] = []

    enum Noun: String {
        case entity, table

        var plural: String { self == .entity ? "entities" : "tables" }
    }

    static func entities(of store: CoreDataStore) -> SchemaFile {
        SchemaFile(schema: store.schema, name: store.path, noun: .entity, missing: store.omissions)
    }

    /// `--schema library.json`, `--schema library.sqlite`; also a database's answer to the query that describes its schema.
    static func load(_ path: String, _ choice: TableChoice? = nil) throws(CommandFailure) -> SchemaFile {
        if SQLiteFile.isOne(path), let choice = choice?.withoutSchema,
            let store = try CoreDataFile.open(path, choice)
        {
            return entities(of: store)
        }
        if SQLiteFile.isOne(path) { return try tables(of: SQLiteFile.open(path)) }
        let json = try bytes(of: path)
        let hint = "a schema is JSON as 'predicate schema' writes it, or a SQLite file"
        if case .dictionary(let members) = try parsed(json, path, hint: hint), members["database"] != nil {
            return try tables(ofDocument: json, path)
        }
        do throws(SQLSchemaError) {
            return SchemaFile(schema: try SQLSchema(json: Data(json)), name: path, noun: .entity)
        } catch {
            throw .schema(error, path)
        }
    }

    /// Parses the JSON first, because Foundation's decoder reports no position.
    @discardableResult
    private static func parsed(
        _ json: [UInt8], _ path: String, hint: String
    ) throws(CommandFailure) -> PredicateValue {
        do throws(JSONError) {
            return try JSONReader.parse(json)
        } catch {
            throw .message("\(path):\(error.line): \(error.message) (column \(error.column))", hints: [hint])
        }
    }

    /// Reads the result of ``SQLEngine/catalogQuery``.
    static func tables(ofDocument json: [UInt8], _ name: String) throws(CommandFailure) -> SchemaFile {
        let hint =
            "expected a SQLite file, or the result of the query that 'predicate schema --query postgresql' prints"
        try parsed(json, name, hint: hint)
        do throws(SQLSchemaError) {
            let found = try IntrospectedSchema(document: json)
            return SchemaFile(schema: found.schema, name: name, noun: .table, omissions: found.omissions)
        } catch {
            throw .message("\(name): \(error.placedTitle)", hints: error.hints + [hint])
        }
    }

    static func tables(of connection: StoreConnection) throws(CommandFailure) -> SchemaFile {
        let found = try SQLiteFile.introspect(connection)
        return SchemaFile(
            schema: found.schema, name: connection.path, noun: .table, omissions: found.omissions,
            looseUUIDs: found.looseUUIDs)
    }

    /// Returns a store on a connection to a file that has this schema.
    func store(_ connection: StoreConnection, _ context: PredicateContext) throws(CommandFailure) -> ObjectStore {
        try CommandFailure.storing(connection.path) { () throws(StoreError) in
            try ObjectStore(connection, schema: schema, context: context)
        }
    }

    /// `--table people --types name=string,born=date:iso8601`
    ///
    /// `date` has the form that is usual in the database: a timestamp or, in SQLite, a string.
    static func flat(
        _ table: String, _ types: [String], _ engine: SQLEngine, _ reader: ArgumentReader
    ) throws(CommandFailure) -> SchemaFile {
        var attributes: [String: PredicateValue] = [:]
        for declaration in types.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            guard let equals = declaration.lastIndex(of: "="), equals != declaration.startIndex else {
                throw reader.failure("--types takes NAME=TYPE,..., found '\(declaration)'")
            }
            let words = declaration[declaration.index(after: equals)...].split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let word = String(words.first ?? "")
            let type = ColumnType.spelling(word) ?? word
            var members: [String: PredicateValue] = ["type": .string(type)]
            let ownStorage = type == "date" ? engine.dateStorage : nil
            let storage = words.count > 1 ? String(words[1]) : ownStorage?.rawValue
            members["storage"] = storage.map(PredicateValue.string)
            attributes[String(declaration[..<equals])] = .dictionary(members)
        }
        return try flat(table, attributes, reader)
    }

    /// Creates a schema of one entity from its JSON, so that types are read in one place.
    private static func flat(
        _ table: String, _ attributes: [String: PredicateValue], _ reader: ArgumentReader
    ) throws(CommandFailure) -> SchemaFile {
        guard let own = TableName(table) else {
            throw reader.failure("--table takes TABLE, SCHEMA.TABLE or \"A.B\", a name with a dot, found '\(table)'")
        }
        var entity: [String: PredicateValue] = ["attributes": .dictionary(attributes), "table": .string(own.table)]
        entity["schema"] = own.schema.map(PredicateValue.string)
        let primaryKey = reader.value(of: SQLCommand.primaryKey) ?? "id"
        entity["primaryKey"] = .string(primaryKey)
        if case .dictionary(let key)? = attributes[primaryKey] { entity["primaryKeyType"] = key["type"] }
        let document: PredicateValue = ["entities": .dictionary([table: .dictionary(entity)])]
        do throws(SQLSchemaError) {
            let schema = try SQLSchema(json: Data(JSONWriter().text(of: document).utf8))
            return SchemaFile(schema: schema, name: "--types", noun: .table)
        } catch {
            throw reader.failure("--types: \(error.title)", hints: error.hints)
        }
    }

    private static func bytes(of path: String) throws(CommandFailure) -> [UInt8] {
        do throws(DataError) {
            return try FileSource(path: path).all()
        } catch {
            throw .message("--schema: \(error.message)")
        }
    }
}

extension CommandOption {
    static let table = CommandOption(
        "table", value: "NAME", .tables, help: "Table or view of a SQLite file (default: the only one)")
    static let model = CommandOption(
        "model", value: "FILE", .files,
        help: "Model of a Core Data store that does not contain one: .xcdatamodel(d), .mom or .momd")
    static let allowMissingFiles = CommandOption(
        "allow-missing-files",
        help: "Go on if files with the external data of a Core Data store are missing: these values are nil")
}

/// The options that select a table: `--schema`, `--entity`, `--table`.
struct TableChoice {
    private(set) var schema: String?
    private(set) var entity: String?
    private(set) var table: String?
    /// The model for a Core Data store that does not keep one: `--model`
    private(set) var model: String?
    /// True if external data files of a Core Data store may be missing.
    var allowsMissingFiles = false

    /// Throws for contradictory options.
    init(_ reader: ArgumentReader) throws(CommandFailure) {
        // All subcommands use the same names for these options.
        schema = reader.value(of: FilterOption.schema)
        entity = reader.value(of: FilterOption.entity)
        table = reader.value(of: .table)
        model = reader.value(of: .model)
        allowsMissingFiles = reader.has(.allowMissingFiles)
        if entity != nil, table != nil {
            throw reader.failure("--entity and --table both select a table: use one of them")
        }
        if model != nil, schema != nil {
            throw reader.failure("--model and --schema both describe the file: use one of them")
        }
    }

    private init() {}

    /// No option.
    static let none = TableChoice()

    /// The same choice without `--schema`, for a file that is itself the schema.
    var withoutSchema: TableChoice {
        var choice = self
        choice.schema = nil
        return choice
    }

    /// Returns the named entity, or the only entity of the file.
    func entity(of file: SchemaFile) throws(CommandFailure) -> SQLEntity {
        let entities = file.schema.entities.values.sorted { $0.name < $1.name }
        if let name = entity ?? table {
            guard let found = find(name, in: entities) else { throw unknown(name, file, entities) }
            return found
        }
        guard !entities.isEmpty else {
            throw .message("\(file.name): there are no \(file.noun.plural)", hints: hints(file.omissions))
        }
        guard let only = file.schema.onlyTable else {
            let hints = [
                NameList.hint(file.noun.plural, entities.map(\.name)), "--\(file.noun.rawValue) NAME chooses one",
            ]
            throw .message("\(file.name): there is more than one \(file.noun.rawValue)", hints: hints)
        }
        return only
    }

    /// Finds an entity by its exact name, or by the name of its table, with that of its schema if it has one, ignoring case as
    /// SQLite does.
    private func find(_ name: String, in entities: [SQLEntity]) -> SQLEntity? {
        if entity != nil { return entities.first { $0.name.hasSameCodePoints(as: name) } }
        let named = { (table: TableName) in
            entities.first { $0.tableName == table }
                ?? entities.first { $0.tableName.words.lowercased() == table.words.lowercased() }
        }
        return named(TableName(name, in: nil)) ?? TableName(name).flatMap(named)
    }

    private func unknown(_ name: String, _ file: SchemaFile, _ entities: [SQLEntity]) -> CommandFailure {
        let noun = entity == nil ? SchemaFile.Noun.table : file.noun
        let names = entities.map { entity == nil ? $0.tableName.words : $0.name }
        var hints = self.hints(file.omissions.filter { $0.tableName == name })
        hints += UsageError.suggestions(for: name, among: names)
        if !names.isEmpty { hints.append(NameList.hint(noun.plural, names)) }
        return .message("\(file.name): there is no \(noun.rawValue) '\(name)'", hints: hints)
    }

    private func hints(_ omissions: [IntrospectedSchema.Omission]) -> [String] {
        omissions.map { "left out: \($0.reason)" }
    }
}

/// Files that are SQLite databases.
enum SQLiteFile {
    /// Returns true if the file begins with SQLite's header. Pipes are not read.
    static func isOne(_ path: String) -> Bool {
        guard let size = FileAccess.size(of: path), let source = try? FileSource(path: path) else { return false }
        return (try? OpenedFile(source: source, size: size).isDatabase()) ?? false
    }

    static func open(
        _ path: String, limits: PredicateLimits = .standard
    ) throws(CommandFailure) -> StoreConnection {
        try CommandFailure.storing(path) { () throws(StoreError) in
            try StoreConnection(path, SQLiteOptions(limits: limits))
        }
    }

    /// Returns the tables of a file as entities, and the parts that were left out.
    static func introspect(_ connection: StoreConnection) throws(CommandFailure) -> IntrospectedSchema {
        try CommandFailure.storing(connection.path) { () throws(StoreError) in try connection.introspect() }
    }
}

extension IntrospectedSchema.LooseUUIDs {
    /// Describes the column, and the form that its UUIDs must have.
    var words: String {
        "column '\(column)' of '\(table)' is declared as UUIDs but holds strings such as '\(example)', so it is compared as strings; "
            + "UUIDs must be all in upper case or all in lower case, with hyphens"
    }
}

extension IntrospectedSchema.Omission {
    /// The part that was left out, and why.
    var reason: String {
        switch self {
        case .view(let name, let problem): "view '\(name)': \(problem)"
        case .virtualTable(let name, let problem): "virtual table '\(name)': \(problem)"
        case .compositeKey(let table): "table '\(table)': its primary key has several columns"
        case .foreignKey(let table, let columns, let target):
            "foreign key \(table)(\(columns.joined(separator: ", "))) to '\(target)': it does not reference a primary key"
        case .columnType(let table, let column, let type) where ["json", "jsonb"].contains(type.lowercased()):
            "column '\(column)' of '\(table)': if it holds arrays of strings, declare it as string[] with storage json"
        case .columnType(let table, let column, let type):
            "column '\(column)' of '\(table)': a schema has no type for \(type); a view can cast it"
        case .columnName(let table, let column):
            "column '\(column)' of '\(table)': no key path can contain this name; a view can rename it"
        }
    }

    /// The name of the table or view; nil for a part of a table.
    var tableName: String? {
        switch self {
        case .view(let name, _), .virtualTable(let name, _), .compositeKey(let name): name
        case .foreignKey, .columnType, .columnName: nil
        }
    }
}
