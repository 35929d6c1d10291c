import Foundation
import Predicates
import Testing

#if canImport(PostgresNIO)
    import Logging
    import PostgresNIO

    /// PostgresNIO, Vapor and Fluent on a server that the script has started.
    @Suite(.serialized, .enabled(if: ClientRows.socket("postgresql") != nil)) struct PostgresClientTests {
        private let socket: String
        private let client: PostgresClient

        init() throws {
            socket = try #require(ClientRows.socket("postgresql"))
            let configuration = PostgresClient.Configuration(
                unixSocketPath: socket, username: "postgres", password: nil, database: "postgres")
            client = PostgresClient(configuration: configuration)
        }

        /// Runs a function on a migrated database while the client has its pool.
        private func running(_ body: () async throws -> Void) async throws {
            let running = Task { await client.run() }
            defer { running.cancel() }
            try await migrate()
            try await body()
        }

        private func migrate() async throws {
            let frequent = try FormatPredicate("name BEGINSWITH[c] 'jo' AND age > 21")
            let compiler = PeoplePolicy.compiler(PostgreSQLDialect())
            var statements = ["DROP TABLE IF EXISTS people"] + ClientRows.script.split(separator: ";").map(String.init)
            statements += PostgreSQLDialect().prelude(for: Set(SQLFunction.allCases))
            statements += try compiler.indexes(for: frequent, entity: "people").map(\.statement)
            for statement in statements {
                _ = try await client.query(PostgresQuery(unsafeSQL: statement), logger: PostgresExamples.logger)
            }
        }

        @Test func filters() async throws {
            try await running {
                for filter in ClientRows.filters {
                    let (page, setup) = try ClientRows.page(filter, PostgreSQLDialect())
                    let found = try await PostgresExamples.people(page, setup, in: client)
                    #expect(Set(found) == (try ClientRows.matches(filter)), "\(filter)")
                }
            }
        }
    }
#endif

#if canImport(PostgresNIO) && canImport(VaporTesting)
    import Vapor
    import VaporTesting

    extension PostgresClientTests {
        @Test func routesOfVapor() async throws {
            try await running {
                let app = try await Application.make(.testing)
                let compiler = PeoplePolicy.compiler(PostgreSQLDialect())
                VaporExamples.addRoutes(to: app, compiler, PeoplePolicy.policy, in: client)
                do { try await answers(of: app) } catch { Issue.record(error) }
                try await app.asyncShutdown()
            }
        }

        private func answers(of app: Application) async throws {
            let tester = try app.testing()
            for filter in ClientRows.filters {
                try await tester.test(.GET, ClientRows.uri(filter)) { response async throws in
                    #expect(response.status == .ok, "\(filter)")
                    let found = try JSONDecoder().decode([FoundPerson].self, from: Data(buffer: response.body))
                    #expect(Set(found) == (try ClientRows.matches(filter)), "\(filter)")
                }
            }
            for filter in ClientRows.errors {
                try await tester.test(.GET, ClientRows.uri(filter)) { response async throws in
                    #expect(response.status == .badRequest, "\(filter)")
                    #expect(response.body.string.contains(#""code":"#))
                }
            }
        }
    }
#endif

#if canImport(PostgresNIO) && canImport(FluentPostgresDriver)
    import FluentKit
    import FluentPostgresDriver
    import NIOPosix

    extension PostgresClientTests {
        @Test func modelsOfFluent() async throws {
            try await running {
                let databases = Databases(
                    threadPool: NIOThreadPool.singleton, on: MultiThreadedEventLoopGroup.singleton)
                let configuration = SQLPostgresConfiguration(
                    unixDomainSocketPath: socket, username: "postgres", password: nil, database: "postgres")
                databases.use(.postgres(configuration: configuration), as: .psql)
                do { try await models(of: databases) } catch { Issue.record(error) }
                await databases.shutdownAsync()
            }
        }

        private func models(of databases: Databases) async throws {
            let database = try #require(
                databases.database(
                    .psql, logger: PostgresExamples.logger, on: MultiThreadedEventLoopGroup.singleton.any()))
            for filter in ClientRows.filters {
                let (page, setup) = try ClientRows.page(filter, PostgreSQLDialect())
                let models = try await FluentExamples.people(page, setup, on: database)
                let found = models.map { FoundPerson(name: $0.name, age: $0.age) }
                #expect(Set(found) == (try ClientRows.matches(filter)), "\(filter)")
                #expect(models.allSatisfy { $0.id != nil })
            }
        }
    }
#endif

#if canImport(MySQLNIO)
    import MySQLNIO
    import NIOPosix

    /// MySQLNIO on a server of MariaDB that the script has started.
    @Suite(.enabled(if: ClientRows.socket("mariadb") != nil)) struct MySQLClientTests {
        @Test func filters() async throws {
            let socket = try #require(ClientRows.socket("mariadb"))
            let connection = try await MySQLConnection.connect(
                to: SocketAddress(unixDomainSocketPath: socket), username: "root", database: "mysql", password: "",
                tlsConfiguration: nil, on: MultiThreadedEventLoopGroup.singleton.any()
            ).get()
            do { try await people(in: connection) } catch { Issue.record(error) }
            try await connection.close().get()
        }

        private func people(in connection: MySQLConnection) async throws {
            var statements = [
                "DROP DATABASE IF EXISTS clients", "CREATE DATABASE clients CHARACTER SET utf8mb4", "USE clients",
            ]
            statements += MariaDBDialect().setup + ClientRows.script.split(separator: ";").map(String.init)
            statements += MariaDBDialect().prelude(for: Set(SQLFunction.allCases))
            for statement in statements { _ = try await connection.simpleQuery(statement).get() }
            for filter in ClientRows.filters {
                let (page, setup) = try ClientRows.page(filter, MariaDBDialect())
                let found = try await MySQLExamples.people(page, setup, in: connection)
                #expect(Set(found) == (try ClientRows.matches(filter)), "\(filter)")
            }
        }
    }
#endif
