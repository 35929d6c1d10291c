import Foundation
import PredicateSQLite
import Predicates
import Testing

#if canImport(SQLite)
    import SQLite
#endif

/// The recipe for SQLite.swift. Without it the example is compiled, and run, with types of the same form.
enum SQLiteSwiftExamples {
    typealias Person = FoundPerson

    static func open(_ path: String) throws -> Connection {
        let connection = try Connection(path)
        try SQLFunction.register(on: connection.handle)
        return connection
    }

    static func people(_ page: SQLFragment, in connection: Connection) throws -> [Person] {
        guard !page.bindsZero else { throw ZeroInString() }
        let rows = try connection.prepare(page.text, page.bindings.map(sqliteValue))
        return rows.compactMap { row in
            guard let name = row[1] as? String, let age = row[2] as? Int64 else { return nil }
            return Person(name: name, age: Int(age))
        }
    }

    static func sqliteValue(_ value: SQLBinding) -> (any Binding)? {
        switch value {
        case .null: nil
        case .integer(let value): value
        case .double(let value): value
        case .boolean(let value): Int64(value ? 1 : 0)
        case .text(let value): value
        case .blob(let value): Blob(bytes: [UInt8](value))
        }
    }
}

#if !canImport(SQLite)
    protocol Binding: Sendable {}
    extension Int64: Binding {}
    extension Double: Binding {}
    extension String: Binding {}

    extension SQLiteSwiftExamples {
        struct Blob: Binding {
            var bytes: [UInt8]
        }

        /// A connection that answers with the bindings of a statement as a row.
        struct Connection {
            var handle: OpaquePointer
            init(_ path: String) throws { throw CocoaError(.fileNoSuchFile) }
            init(handle: OpaquePointer) { self.handle = handle }

            func prepare(_ sql: String, _ bindings: [(any Binding)?]) throws -> [[(any Binding)?]] {
                [bindings]
            }
        }
    }

    struct SQLiteSwiftTests {
        @Test func values() throws {
            let values: [SQLBinding] = [.integer(7), .text("Jo"), .integer(30)]
            let connection = SQLiteSwiftExamples.Connection(handle: try #require(OpaquePointer(bitPattern: 8)))
            let people = try SQLiteSwiftExamples.people(SQLFragment("SELECT ?1", bindings: values), in: connection)
            #expect(people == [FoundPerson(name: "Jo", age: 30)])
            let zero = ZeroInString.thrown {
                try SQLiteSwiftExamples.people(SQLFragment("SELECT ?1", bindings: [.text("a\0")]), in: connection)
            }
            #expect(zero != nil)
            let blob = SQLiteSwiftExamples.sqliteValue(.blob(Data([1, 2]))) as? SQLiteSwiftExamples.Blob
            #expect(blob?.bytes == [1, 2])
            #expect(SQLiteSwiftExamples.sqliteValue(.boolean(true)) as? Int64 == 1)
        }
    }
#endif
