import Foundation
import Predicates
import Testing

#if canImport(MySQLNIO) && canImport(SQLiteNIO)
    import MySQLNIO
    import NIOCore
    import SQLiteNIO
#endif

/// The values of statements for MySQLNIO and SQLiteNIO. Without them the examples are compiled, and run, with types of the
/// same form.
enum BindingExamples {
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

    /// What clients may ask.
    static func compiler() -> (SQLCompiler, PredicatePolicy) {
        var policy = PredicatePolicy.untrusted
        policy.keys = .only(["name", "age"])
        let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])
        let compiler = SQLCompiler(schema: schema, dialect: PostgreSQLDialect(), limits: policy.limits)
        return (compiler, policy)
    }
}

#if !(canImport(MySQLNIO) && canImport(SQLiteNIO))
    extension BindingExamples {
        typealias ByteBuffer = HummingbirdExamples.ByteBuffer

        struct MySQLData: Equatable {
            enum DataType { case null, longlong, double, varString, blob }
            var type: DataType
            var text: String
            static let null = MySQLData(type: .null, text: "")
            init(type: DataType, text: String) { (self.type, self.text) = (type, text) }
            init(type: DataType, buffer: ByteBuffer?) { self.init(type: type, text: "\(buffer?.bytes ?? [])") }
            init(int: Int) { self.init(type: .longlong, text: "\(int)") }
            init(double: Double) { self.init(type: .double, text: "\(double)") }
            init(string: String) { self.init(type: .varString, text: string) }
        }

        enum SQLiteData {
            case integer(Int)
            case float(Double)
            case text(String)
            case blob(ByteBuffer)
            case null
        }
    }

    struct BindingTests {
        @Test func values() throws {
            let values: [SQLBinding] = [
                .null, .integer(7), .double(1.5), .boolean(true), .text("Jo"), .blob(Data([1, 2])),
            ]
            #expect(values.map(BindingExamples.mySQLData).map(\.text) == ["", "7", "1.5", "1", "Jo", "[1, 2]"])
            guard case .integer(1) = BindingExamples.sqliteData(.boolean(true)) else {
                Issue.record("expected an integer")
                return
            }
            let (compiler, policy) = BindingExamples.compiler()
            let filter = try FormatPredicate("age >= 21", policy: policy)
            #expect(try compiler.compile(filter, entity: "people").select.bindings == [.integer(21)])
        }
    }
#endif
