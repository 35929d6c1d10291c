import Foundation
import Predicates
import Testing

#if canImport(NIOCore)
    import NIOCore
#endif
#if canImport(MySQLNIO)
    import MySQLNIO
#endif

/// The values of statements for MySQLNIO. Without it the example is compiled, and run, with types of the same form.
enum MySQLExamples {
    typealias Person = FoundPerson

    static func mySQLData(_ value: SQLBinding) -> MySQLData {
        switch value {
        case .null: .null
        case .integer(let value): MySQLData(int: Int(value))
        case .double(let value): MySQLData(double: value)
        case .boolean(let value): MySQLData(int: value ? 1 : 0)
        case .text(let value): MySQLData(string: value)
        case .blob(let value): MySQLData(type: .blob, buffer: ByteBuffer(bytes: value))
        }
    }

    static func people(
        _ page: SQLFragment, _ setup: [String], in connection: MySQLConnection
    ) async throws -> [Person] {
        for statement in setup { _ = try await connection.simpleQuery(statement).get() }
        let rows = try await connection.query(page.text, page.bindings.map(mySQLData)).get()
        return rows.compactMap { row in
            guard let name = row.column("name")?.string, let age = row.column("age")?.int else { return nil }
            return Person(name: name, age: age)
        }
    }
}

#if !canImport(MySQLNIO)
    extension MySQLExamples {
        struct MySQLData: Hashable, Sendable {
            enum DataType { case null, longlong, double, varString, blob }
            var type: DataType
            var text: String
            static let null = MySQLData(type: .null, text: "")
            init(type: DataType, text: String) { (self.type, self.text) = (type, text) }
            init(type: DataType, buffer: ByteBuffer?) {
                self.init(type: type, text: buffer.map { "\(Array($0.readableBytesView))" } ?? "")
            }
            init(int: Int) { self.init(type: .longlong, text: "\(int)") }
            init(double: Double) { self.init(type: .double, text: "\(double)") }
            init(string: String) { self.init(type: .varString, text: string) }
            var string: String? { text }
            var int: Int? { Int(text) }
        }

        struct MySQLRow: Sendable {
            var columns: [String: MySQLData]
            func column(_ name: String) -> MySQLData? { columns[name] }
        }

        struct EventLoopFuture<Value: Sendable>: Sendable {
            var value: Value
            func get() async throws -> Value { value }
        }

        /// Keeps the statements that it is given, and answers with one row.
        final class MySQLConnection: @unchecked Sendable {
            var statements: [String] = []
            func simpleQuery(_ sql: String) -> EventLoopFuture<[MySQLRow]> {
                statements.append(sql)
                return EventLoopFuture(value: [])
            }
            func query(_ sql: String, _ binds: [MySQLData]) -> EventLoopFuture<[MySQLRow]> {
                statements.append(sql + "\(binds.map(\.text))")
                let row = MySQLRow(columns: ["name": MySQLData(string: "Jo"), "age": MySQLData(int: 30)])
                return EventLoopFuture(value: [row])
            }
        }
    }

    struct MySQLTests {
        @Test func values() {
            let values: [SQLBinding] = [
                .null, .integer(7), .double(1.5), .boolean(true), .text("Jo"), .blob(Data([1, 2])),
            ]
            #expect(values.map(MySQLExamples.mySQLData).map(\.text) == ["", "7", "1.5", "1", "Jo", "[1, 2]"])
        }

        @Test func statements() async throws {
            let filter = try FormatPredicate("age >= 21", policy: PeoplePolicy.policy)
            let query = try PeoplePolicy.compiler(MySQLDialect()).compile(filter, entity: "people")
            let page = try query.select(keys: ["name", "age"], sortKeys: [SortKey("name")], limit: 20)
            let connection = MySQLExamples.MySQLConnection()
            let people = try await MySQLExamples.people(page, query.setup, in: connection)
            #expect(people == [FoundPerson(name: "Jo", age: 30)])
            #expect(connection.statements.count == query.setup.count + 1)
            #expect(connection.statements.last?.hasSuffix("[\"21\", \"20\"]") == true)
        }
    }
#endif
