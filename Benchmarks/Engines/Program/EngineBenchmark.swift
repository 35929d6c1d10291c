import Foundation
import PredicateEngines
import PredicateJSON
import PredicateSQL
import PredicateSyntax

/// The part of the benchmark that needs this package: it compiles predicates, counts objects in memory, and runs
/// statements on SQLite. Requests and answers are lines of JSON, as in `Tests/Engines/bridge.py`.
///
///     EngineBenchmark DIALECT SCHEMA DATABASE
///
///     {"do": "compile", "entity", "format", "sort": [KEY…], "first": N}    {"statement", "prelude"} or {"error"}
///     {"do": "setup"}                                                      {"statements": […]}
///     {"do": "time", "statement": {"text", "values"}}                      {"seconds", "value"} or {"error"}
///     {"do": "evaluate", "entity", "format"}                               {"value"} or {"error"}
struct EngineBenchmark {
    private let dialect: any SQLDialect
    private let compiler: SQLCompiler
    private let database: String

    init(_ arguments: ArraySlice<String>) {
        let words = Array(arguments)
        guard words.count == 3, let dialect = Self.dialect(words[0]) else {
            Self.end("usage: EngineBenchmark DIALECT SCHEMA DATABASE")
        }
        self.dialect = dialect
        database = words[2]
        do {
            let schema = try SQLSchema(json: try Data(contentsOf: URL(fileURLWithPath: words[1])))
            compiler = SQLCompiler(schema: schema, dialect: dialect)
        } catch {
            Self.end("\(words[1]): \(error)")
        }
    }

    private static func dialect(_ name: String) -> (any SQLDialect)? {
        name == "sqlite" ? SQLiteDialect() : EngineKind(rawValue: name)?.dialect
    }

    private static func end(_ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(2)
    }

    func run() -> Int32 {
        let file = SQLiteFile(database)
        let objects = StoredObjects(file)
        while let line = readLine() {
            let answer: PredicateValue
            do {
                answer = try self.answer(to: line, file, objects)
            } catch {
                answer = ["error": [.string("\(type(of: error))"), .string("\(error)")]]
            }
            print(JSONWriter().text(of: answer))
            fflush(nil)
        }
        return 0
    }

    private func answer(to line: String, _ file: SQLiteFile, _ objects: StoredObjects) throws -> PredicateValue {
        let request = try Request(line)
        switch request["do"] {
        case "compile": return try compiled(request)
        case "setup": return ["statements": .array(dialect.setup.map(PredicateValue.string))]
        case "time": return try file.time(try request.statement)
        case "evaluate":
            return ["value": .integer(Int64(try objects.count(try request.text("entity"), try request.predicate)))]
        default: throw RequestError(line)
        }
    }

    private func compiled(_ request: Request) throws -> PredicateValue {
        let query = try compiler.compile(try request.predicate, entity: try request.text("entity"))
        let keys = request.words("sort").map { key in
            key.hasPrefix("-") ? SortKey(String(key.dropFirst()), ascending: false) : SortKey(key)
        }
        let first = request.number("first")
        let isPlain = keys.isEmpty && first == nil
        let statement = isPlain ? query.select : try query.select(keys: [], sortKeys: keys, limit: first)
        return ["statement": statement.request, "prelude": .array(query.prelude.map(PredicateValue.string))]
    }
}
