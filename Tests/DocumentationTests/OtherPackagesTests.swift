import Foundation
import OtherPackages
import PredicateCoreData
import PredicateFoundation
import PredicateModel
import PredicateSQLite
import PredicateStore
import Predicates
import Testing

/// A file that imports the products beside packages with common names uses the names of both without a module before them.
struct OtherPackagesTests {
    private struct OtherTypes {
        var request = FetchRequest<Int>()
        var results = FetchedResults<Int>()
        var selection = SQLSelection()
        var expression = SQLExpression()
        var statement = SQLRequest<Row>()
        var connection: SQLiteConnection?
        var interface = QueryInterfaceRequest<Row>()
        var column = Column()
        var table = Table<Row>()
        var configuration = Configuration()
        var query = Query<Int>()
        var attribute = Attribute()
        var relationship = Relationship()
        var model = Model()
        var schema = Schema()
        var property: (any SchemaProperty)?
        var modelConfiguration = ModelConfiguration()
        var context = ModelContext()
        var descriptor = FetchDescriptor<Model>()
        var stage = MigrationStage.custom
        var server = (Request(), Response(), Router<Row>(), Logger())
    }

    @Test func theNamesOfOthersAreTheirs() {
        let others = OtherTypes()
        #expect(others.connection == nil && others.property == nil && others.stage == .custom)
        #expect(String(reflecting: type(of: others.request)).hasPrefix("OtherPackages."))
    }

    @Test func ownNamesNeedNoModule() throws {
        let schema = SQLSchema(table: "Person", columns: ["name": .string])
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let connection = try StoreConnection(path, SQLiteOptions(.create))
        try connection.execute("CREATE TABLE Person (id INTEGER PRIMARY KEY, name TEXT)")
        try connection.execute("INSERT INTO Person (name) VALUES ('Ann'), ('Bob')")
        let store = try ObjectStore(connection, schema: schema)
        let request = PredicateFetchRequest("Person", try FormatPredicate("name BEGINSWITH 'A'"))
        #expect(try store.fetchCount(request) == 1)
        let query = try SQLCompiler(schema: schema, dialect: SQLiteDialect())
            .compile(FormatPredicate("name == 'Bob'"), entity: "Person")
        let selection: ResultSelection = try query.select(results: [ResultKey("name")])
        #expect(selection.columns.map(\.name) == ["name"])
        #expect(ConfigurationDescription("Cloud", entityNames: ["Person"]).name == "Cloud")
        #expect(PredicateProperty(.string) == PredicateProperty(.string))
        #expect(FoundationPredicate(value: true).evaluate(with: nil))
    }
}
