// The recipe for GRDB, which the tests do not build: it was compiled and run with GRDB 7.8, as main.swift of a package that has it.
#if canImport(GRDB)
    import GRDB
    import PredicateSQLite
    import Predicates

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

        func people(_ filter: String, _ compiler: SQLCompiler, in pool: DatabasePool) throws -> [Row] {
            let predicate = try FormatPredicate(filter, policy: .untrusted)
            let query = try compiler.compile(predicate, entity: "person")
            let page = try query.select(keys: ["name", "age"], sortKeys: [SortKey("name")], limit: 20)
            return try pool.read { database in
                try Row.fetchAll(
                    database, sql: page.text, arguments: StatementArguments(page.bindings.map(\.databaseValue)))
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
#endif
