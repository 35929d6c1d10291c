import Foundation
import PredicateSQLite
import Predicates
import Testing

// The recipe for GRDB. Without it the example is compiled, and run, with types of the same form.
#if canImport(GRDB)
    import GRDB
#else
    import PredicateTestSupport
#endif

enum GRDBExamples {
    static func pool(_ path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            guard let handle = database.sqliteConnection else { return }
            try SQLFunction.register(on: handle)
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        return pool
    }

    static func people(_ filter: String, _ compiler: SQLCompiler, in pool: DatabasePool) throws -> [Row] {
        let predicate = try FormatPredicate(filter, policy: .untrusted)
        let query = try compiler.compile(predicate, entity: "people")
        let page = try query.select(keys: ["name", "age"], sortKeys: [SortKey("name")], limit: 20)
        guard !page.bindsZero else { throw ZeroInString() }
        return try pool.read { database in
            try Row.fetchAll(
                database, sql: page.text, arguments: StatementArguments(page.bindings.map(\.databaseValue)))
        }
    }

    static func people(
        _ filter: String, of tenant: Int64, _ compiler: SQLCompiler, in pool: DatabasePool
    ) throws -> [Row] {
        var query = try compiler.compile(FormatPredicate(filter, policy: .untrusted), entity: "people")
        query.placeholders = .plain
        let condition = try query.condition(on: "people")
        guard !condition.bindsZero else { throw ZeroInString() }
        let sql = SQL(sql: condition.text, arguments: StatementArguments(condition.bindings.map(\.databaseValue)))
        return try pool.read { database in
            try Table("people").filter(Column("tenant") == tenant).filter(literal: sql).fetchAll(database)
        }
    }
}

extension SQLBinding {
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .double(let value): value.databaseValue
        case .boolean(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let value): value.databaseValue
        }
    }
}

extension SQLFragment {
    var bindsZero: Bool {
        bindings.contains { if case .text(let text) = $0 { text.utf8.contains(0) } else { false } }
    }
}

struct ZeroInString: Error {}

#if !canImport(GRDB)
    struct DatabaseValue: Equatable {
        var text: String
        static let null = DatabaseValue(text: "NULL")
    }

    protocol DatabaseValueConvertible {}
    extension DatabaseValueConvertible {
        var databaseValue: DatabaseValue { DatabaseValue(text: "\(self)") }
    }
    extension Int64: DatabaseValueConvertible {}
    extension Double: DatabaseValueConvertible {}
    extension Bool: DatabaseValueConvertible {}
    extension String: DatabaseValueConvertible {}
    extension Data: DatabaseValueConvertible {}

    struct StatementArguments {
        var values: [DatabaseValue]
        init(_ values: [DatabaseValue]) { self.values = values }
    }

    struct Database {
        var sqliteConnection: OpaquePointer?
    }

    struct Configuration {
        var prepare: ((Database) throws -> Void)?
        mutating func prepareDatabase(_ body: @escaping (Database) throws -> Void) { prepare = body }
    }

    struct DatabasePool {
        init(path: String, configuration: Configuration) throws { try configuration.prepare?(Database()) }
        func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try body(Database()) }
    }

    /// A row that has the statement and its values in place of columns.
    struct Row {
        var sql: String
        var arguments: StatementArguments
        static func fetchAll(_ database: Database, sql: String, arguments: StatementArguments) throws -> [Row] {
            [Row(sql: sql, arguments: arguments)]
        }
    }

    extension GRDBExamples {
        struct SQL {
            var sql: String
            var arguments: StatementArguments
        }

        struct Column {
            var name: String
            init(_ name: String) { self.name = name }
            static func == (column: Column, value: Int64) -> SQL {
                SQL(sql: "\"\(column.name)\" = ?", arguments: StatementArguments([value.databaseValue]))
            }
        }

        /// A request for the rows that fulfil all conditions.
        struct Table {
            var name: String
            var conditions: [SQL] = []
            init(_ name: String) { self.name = name }

            func filter(_ condition: SQL) -> Table {
                var table = self
                table.conditions.append(condition)
                return table
            }
            func filter(literal condition: SQL) -> Table { filter(condition) }

            func fetchAll(_ database: Database) throws -> [Row] {
                let all = conditions.map { "(\($0.sql))" }.joined(separator: " AND ")
                let arguments = StatementArguments(conditions.flatMap(\.arguments.values))
                return [Row(sql: "SELECT * FROM \"\(name)\" WHERE \(all)", arguments: arguments)]
            }
        }
    }

    struct GRDBTests {
        @Test func besideItsOwnConditions() throws {
            let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])
            let pool = try GRDBExamples.pool("people.sqlite")
            let rows = try GRDBExamples.people("age >= 21", of: 7, SQLCompiler(schema: schema), in: pool)
            #expect(
                rows.first?.sql == """
                    SELECT * FROM "people" WHERE ("tenant" = ?) AND (("people"."age" >= ?))
                    """)
            #expect(rows.first?.arguments.values.map(\.text) == ["7", "21"])
        }

        @Test func values() throws {
            let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])
            let pool = try GRDBExamples.pool("people.sqlite")
            let rows = try GRDBExamples.people("age >= 21 AND name == 'Jo'", SQLCompiler(schema: schema), in: pool)
            let row = try #require(rows.first)
            #expect(row.sql.hasPrefix("SELECT") && row.sql.contains("?1"))
            #expect(row.arguments.values.map(\.text) == ["21", "Jo", "20"])
            #expect(SQLBinding.null.databaseValue == .null)
            let zero = ZeroInString.thrown {
                try GRDBExamples.people("name == 'Jo\0hn'", SQLCompiler(schema: schema), in: pool)
            }
            #expect(zero != nil)
        }
    }
#endif
