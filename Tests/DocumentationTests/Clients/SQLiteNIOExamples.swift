import Foundation
import PredicateSQLite
import Predicates
import Testing

#if canImport(NIOCore)
    import NIOCore
#endif
#if canImport(SQLiteNIO)
    import SQLiteNIO
#endif

/// The recipe for SQLiteNIO. Without it the example is compiled, and run, with types of the same form.
enum SQLiteNIOExamples {
    typealias Person = FoundPerson

    static func install(on connection: SQLiteConnection, _ limits: PredicateLimits) async throws {
        let caller = try SQLFunctionCaller(limits: limits)
        for function in SQLFunctionCaller.functions {
            let custom = SQLiteCustomFunction(
                function.name, argumentCount: Int32(function.argumentCount), pure: true, indirect: true
            ) { arguments in
                FunctionResult(sqliteData: sqliteData(try caller.call(function, arguments.map(sqlBinding))))
            }
            try await connection.install(customFunction: custom)
        }
    }

    struct FunctionResult: SQLiteDataConvertible {
        var sqliteData: SQLiteData?
        init(sqliteData: SQLiteData) { self.sqliteData = sqliteData }
    }

    static func people(_ page: SQLFragment, in connection: SQLiteConnection) async throws -> [Person] {
        let rows = try await connection.query(page.text, page.bindings.map(sqliteData))
        return rows.compactMap { row in
            guard let name = row.column("name")?.string, let age = row.column("age")?.integer else { return nil }
            return Person(name: name, age: age)
        }
    }

    static func sqliteData(_ value: SQLBinding) -> SQLiteData {
        switch value {
        case .null: .null
        case .integer(let value): .integer(Int(value))
        case .double(let value): .float(value)
        case .boolean(let value): .integer(value ? 1 : 0)
        case .text(let value): .text(value)
        case .blob(let value): .blob(ByteBuffer(bytes: value))
        }
    }

    static func sqlBinding(_ value: SQLiteData) -> SQLBinding {
        switch value {
        case .null: .null
        case .integer(let value): .integer(Int64(value))
        case .float(let value): .double(value)
        case .text(let value): .text(value)
        case .blob(let value): .blob(Data(value.readableBytesView))
        }
    }
}

#if !canImport(SQLiteNIO)
    extension SQLiteNIOExamples {
        enum SQLiteData: Hashable, Sendable {
            case integer(Int)
            case float(Double)
            case text(String)
            case blob(ByteBuffer)
            case null

            var string: String? { if case .text(let text) = self { text } else { nil } }
            var integer: Int? { if case .integer(let number) = self { number } else { nil } }
        }

        protocol SQLiteDataConvertible {
            init?(sqliteData: SQLiteData)
            var sqliteData: SQLiteData? { get }
        }

        struct SQLiteRow: Sendable {
            var columns: [String: SQLiteData]
            func column(_ name: String) -> SQLiteData? { columns[name] }
        }

        struct SQLiteCustomFunction: Sendable {
            var name: String
            var argumentCount: Int32?
            var function: @Sendable ([SQLiteData]) throws -> (any SQLiteDataConvertible)?

            init(
                _ name: String, argumentCount: Int32?, pure: Bool, indirect: Bool,
                function: @escaping @Sendable ([SQLiteData]) throws -> (any SQLiteDataConvertible)?
            ) {
                (self.name, self.argumentCount, self.function) = (name, argumentCount, function)
            }
        }

        /// Keeps the functions that are installed, and answers with the bindings of a statement.
        final class SQLiteConnection: @unchecked Sendable {
            var functions: [String: SQLiteCustomFunction] = [:]
            func install(customFunction: SQLiteCustomFunction) async throws {
                functions[customFunction.name] = customFunction
            }
            func query(_ sql: String, _ binds: [SQLiteData]) async throws -> [SQLiteRow] {
                [SQLiteRow(columns: ["name": .text(sql), "age": binds[0]])]
            }
        }
    }

    struct SQLiteNIOTests {
        @Test func functions() async throws {
            let connection = SQLiteNIOExamples.SQLiteConnection()
            try await SQLiteNIOExamples.install(on: connection, .untrusted)
            #expect(connection.functions.count == SQLFunctionCaller.functions.count)
            let fold = try #require(connection.functions[SQLFunction.foldCaseAndDiacritics.name])
            #expect(try fold.function([.text("JOSÉ")])?.sqliteData == .text("jose"))
            let begins = try #require(connection.functions[SQLFunction.begins.name])
            #expect(try begins.function([.text("José"), .text("JO"), .text("c")])?.sqliteData == .integer(1))
            #expect(try begins.function([.null, .text("JO"), .text("c")])?.sqliteData == .null)
        }

        @Test func values() async throws {
            let values: [SQLBinding] = [
                .null, .integer(7), .double(1.5), .text("Jo"), .blob(Data([1, 2])),
            ]
            #expect(values.map(SQLiteNIOExamples.sqliteData).map(SQLiteNIOExamples.sqlBinding) == values)
            #expect(SQLiteNIOExamples.sqliteData(.boolean(true)) == .integer(1))
            let connection = SQLiteNIOExamples.SQLiteConnection()
            let compiler = PeoplePolicy.compiler(SQLiteDialect())
            let query = try compiler.compile(FormatPredicate("age >= 21"), entity: "people")
            let people = try await SQLiteNIOExamples.people(query.select, in: connection)
            #expect(people == [FoundPerson(name: query.select.text, age: 21)])
        }
    }
#endif
