import Foundation
import Predicates
import Testing

#if canImport(NIOCore)
    import NIOCore
#endif
#if canImport(FluentSQL)
    import FluentKit
    import FluentSQL
#endif

/// The models that a filter selects, with Fluent. Without it the example is compiled, and run, with types of the same form.
enum FluentExamples {
    static func people(
        _ page: SQLFragment, _ setup: [String], on database: any Database
    ) async throws -> [PersonModel] {
        try await database.withConnection { connection in
            guard let sql = connection as? any SQLDatabase else { throw NoSQLDatabase() }
            for statement in setup { try await sql.raw("\(unsafeRaw: statement)").run() }
            return try await sql.raw("\(CompiledStatement(page: page))").all(decodingFluent: PersonModel.self)
        }
    }

    struct CompiledStatement: SQLExpression {
        var page: SQLFragment

        func serialize(to serializer: inout SQLSerializer) {
            serializer.write(page.text)
            serializer.binds += page.bindings.map(boundValue)
        }
    }

    static func boundValue(_ value: SQLBinding) -> any Encodable & Sendable {
        switch value {
        case .null: String?.none
        case .integer(let value): value
        case .double(let value): value
        case .boolean(let value): value
        case .text(let value): value
        case .blob(let value): value
        }
    }

    struct NoSQLDatabase: Error {}
}

#if canImport(FluentSQL)
    extension FluentExamples {
        /// `@unchecked`: as in Fluent's own examples, a model stays in one task.
        final class PersonModel: Model, @unchecked Sendable {
            static let schema = "people"

            @ID(custom: "id", generatedBy: .database) var id: Int?
            @Field(key: "name") var name: String
            @Field(key: "age") var age: Int

            init() {}
        }
    }
#else
    extension FluentExamples {
        struct PersonModel: Equatable, Sendable {
            var name: String
            var age: Int
        }

        protocol SQLExpression: Sendable {
            func serialize(to serializer: inout SQLSerializer)
        }

        struct SQLSerializer {
            var sql = ""
            var binds: [any Encodable & Sendable] = []
            mutating func write(_ sql: String) { self.sql += sql }
        }

        struct SQLQueryString: ExpressibleByStringInterpolation {
            struct StringInterpolation: StringInterpolationProtocol {
                var serializer = SQLSerializer()
                init(literalCapacity: Int, interpolationCount: Int) {}
                mutating func appendLiteral(_ literal: String) { serializer.write(literal) }
                mutating func appendInterpolation(unsafeRaw text: String) { serializer.write(text) }
                mutating func appendInterpolation(_ expression: some SQLExpression) {
                    expression.serialize(to: &serializer)
                }
            }
            var serializer: SQLSerializer
            init(stringLiteral value: String) { serializer = SQLSerializer(sql: value) }
            init(stringInterpolation: StringInterpolation) { serializer = stringInterpolation.serializer }
        }

        /// A statement that is answered with one row.
        struct SQLRawBuilder {
            func run() async throws {}
            func all(decodingFluent: PersonModel.Type) async throws -> [PersonModel] {
                [PersonModel(name: "Jo", age: 30)]
            }
        }

        protocol Database: Sendable {
            func withConnection<Value: Sendable>(
                _ body: @Sendable (any Database) async throws -> Value
            ) async throws -> Value
        }

        protocol SQLDatabase: Database {
            func raw(_ sql: SQLQueryString) -> SQLRawBuilder
        }

        /// Keeps the statements that it is given.
        final class KeepingDatabase: SQLDatabase, @unchecked Sendable {
            var statements: [SQLSerializer] = []
            func withConnection<Value: Sendable>(
                _ body: @Sendable (any Database) async throws -> Value
            ) async throws -> Value {
                try await body(self)
            }
            func raw(_ sql: SQLQueryString) -> SQLRawBuilder {
                statements.append(sql.serializer)
                return SQLRawBuilder()
            }
        }
    }

    struct FluentTests {
        @Test func statements() async throws {
            let filter = try FormatPredicate("age >= 21", policy: PeoplePolicy.policy)
            let query = try PeoplePolicy.compiler(PostgreSQLDialect()).compile(filter, entity: "people")
            let page = try query.select(keys: ["name", "age"], sortKeys: [SortKey("name")], limit: 20)
            let database = FluentExamples.KeepingDatabase()
            let people = try await FluentExamples.people(page, query.setup, on: database)
            #expect(people == [FluentExamples.PersonModel(name: "Jo", age: 30)])
            #expect(database.statements.map(\.sql) == query.setup + [page.text])
            #expect(database.statements.last?.binds.map { "\($0)" } == ["21", "20"])
        }

        @Test func values() {
            let values: [SQLBinding] = [.double(1.5), .boolean(true), .text("Jo"), .blob(Data([1]))]
            #expect(
                values.map { "\(type(of: FluentExamples.boundValue($0)))" } == ["Double", "Bool", "String", "Data"])
        }
    }
#endif
