import Foundation
import PredicateCoreData
import PredicateData
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A schema with its source.
struct SchemaFile {
    let schema: SQLSchema
    /// The name in errors.
    let name: String
    /// The word for its entities: the tables of a SQLite file.
    let noun: Noun
    /// Parts of a SQLite file that are not entities.
    var leftOut: [IntrospectedSchema.Omission] = []
    /// Parts of the model of a Core Data store that the file does not have.
    var missing: [StoreOmission] = []
    /// Columns of a SQLite file that are declared as UUIDs and hold other texts.
    var looseUUIDs: [IntrospectedSchema.LooseUUIDs] = []

    enum Noun {
        case entity
        case table

        var singular: String {
            switch self {
            case .entity: "entity"
            case .table: "table"
            }
        }

        var plural: String {
            switch self {
            case .entity: "entities"
            case .table: "tables"
            }
        }
    }

    /// The entities of a store of Core Data.
    static func entities(of store: CoreDataStore) -> SchemaFile {
        SchemaFile(schema: store.schema, name: store.path, noun: .entity, missing: store.leftOut)
    }

    /// `--schema library.json`, `--schema library.sqlite`
    static func load(_ path: String, _ words: EntityWords? = nil) throws(CommandFailure) -> SchemaFile {
        if SQLiteFile.isOne(path), let words = try words?.withoutSchema(),
            let store = try CoreDataFile.open(path, words)
        {
            return entities(of: store)
        }
        if SQLiteFile.isOne(path) { return try tables(of: SQLiteFile.open(path)) }
        let json = try bytes(of: path)
        try checkSyntax(of: json, path)
        do throws(SQLSchemaError) {
            return SchemaFile(schema: try SQLSchema(json: Data(json)), name: path, noun: .entity)
        } catch {
            throw .schema(error, path)
        }
    }

    /// Checks that a text is JSON, since Foundation's decoder reports no position.
    private static func checkSyntax(of json: [UInt8], _ path: String) throws(CommandFailure) {
        do throws(DataError) {
            _ = try JSONReader.parse(json)
        } catch {
            let hint = "a schema is JSON as 'predicate schema' writes it, or a SQLite file"
            throw .message("\(path):\(error.line): \(error.message) (column \(error.column))", hints: [hint])
        }
    }

    static func tables(of connection: SQLiteConnection) throws(CommandFailure) -> SchemaFile {
        let found = try SQLiteFile.introspect(connection)
        return SchemaFile(
            schema: found.schema, name: connection.path, noun: .table, leftOut: found.leftOut,
            looseUUIDs: found.looseUUIDs)
    }

    /// `--table people --types name=string,born=date:iso8601`
    static func flat(table: String, types: [String]) throws(CommandFailure) -> SchemaFile {
        var attributes: [String: PredicateValue] = [:]
        for declaration in types.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            guard let equals = declaration.lastIndex(of: "="), equals != declaration.startIndex else {
                throw .usage(UsageError("--types takes NAME=TYPE,..., found '\(declaration)'", in: .sql))
            }
            let words = declaration[declaration.index(after: equals)...].split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var members: [String: PredicateValue] = ["type": .string(String(words.first ?? ""))]
            members["storage"] = words.count > 1 ? .string(String(words[1])) : nil
            attributes[String(declaration[..<equals])] = .dictionary(members)
        }
        return try flat(table, attributes)
    }

    /// Returns a schema of one entity, made from its JSON so that types are read in one place.
    private static func flat(
        _ table: String, _ attributes: [String: PredicateValue]
    ) throws(CommandFailure) -> SchemaFile {
        var entity: [String: PredicateValue] = ["attributes": .dictionary(attributes)]
        if case .dictionary(let key)? = attributes["id"] { entity["primaryKeyType"] = key["type"] }
        let document: PredicateValue = ["entities": .dictionary([table: .dictionary(entity)])]
        do throws(SQLSchemaError) {
            let schema = try SQLSchema(json: Data(JSONWriter().text(of: document).utf8))
            return SchemaFile(schema: schema, name: "--types", noun: .table)
        } catch {
            throw .usage(UsageError("--types: \(error.title)", hints: error.hints, in: .sql))
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
