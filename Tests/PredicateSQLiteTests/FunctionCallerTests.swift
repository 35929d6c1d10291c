import Foundation
import PredicateSQL
import PredicateSQLite
import PredicateSyntax
import PredicateTestSupport
import Testing

/// The functions called with values, as clients with a SQLite of their own call them. [NSP-497]
struct FunctionCallerTests {
    private let caller: SQLFunctionCaller

    init() throws {
        caller = try SQLFunctionCaller()
    }

    @Test func values() throws {
        #expect(try caller.call(.foldCaseAndDiacritics, [.text("JOSÉ")]) == .text("jose"))
        #expect(try caller.call(.foldCase, [.text("")]) == .text(""))
        #expect(try caller.call(.begins, [.text("José"), .text("JO"), .text("c")]) == .integer(1))
        #expect(try caller.call(.compare, [.text("a"), .text("b"), .text("c")]) == .integer(-1))
        #expect(try caller.call(.matches, [.text("Jo\0hn"), .text("J.*"), .text("")]) == .integer(1))
        #expect(try caller.call(.length, [.text("a😀")]) == .integer(3))
        #expect(try caller.call(.date, [.text("2001-01-01T00:01:00Z")]) == .double(60))
        #expect(try caller.call(.decimalAdd, [.text("1.10"), .integer(2)]) == .text("3.1"))
        #expect(try caller.call(.divide, [.double(1), .double(0)]) == .double(.infinity))
        #expect(try caller.call(.power, [.integer(2), .integer(10)]) == .integer(1024))
    }

    /// The result of a function is NULL if an argument is.
    @Test func nothing() throws {
        for function in SQLFunctionCaller.functions.subtracting([.mixedKinds]) {
            let arguments = Array(repeating: SQLBinding.null, count: function.argumentCount)
            #expect(try caller.call(function, arguments) == .null)
        }
    }

    @Test func errors() throws {
        let pattern = SQLFunctionError.thrown { try caller.call(.matches, [.text("a"), .text("("), .text("")]) }
        #expect(pattern?.function == .matches && pattern?.message.isEmpty == false)
        let kinds = SQLFunctionError.thrown { try caller.call(.mixedKinds, [.text("a"), .text("age")]) }
        #expect(kinds?.description.contains("the column 'age' holds values of several types") == true)
        #expect(SQLFunctionError.thrown { try caller.call(.length, []) }?.message == "expected 1 arguments")
        #expect(SQLFunctionError.thrown { try caller.call(.decimalSum, [.text("1")]) } != nil)
        // An error does not remain.
        #expect(try caller.call(.matches, [.text("a"), .text("a|b"), .text("")]) == .integer(1))
    }

    @Test func limits() throws {
        var limits = PredicateLimits.standard
        limits.patternLength = 3
        let limited = try SQLFunctionCaller(limits: limits)
        let error = SQLFunctionError.thrown { try limited.call(.matches, [.text("a"), .text("abcd"), .text("")]) }
        #expect(error?.function == .matches)
    }

    /// The functions in a statement, and the same values given to the caller.
    @Test func theResultsAreThoseOfStatements() throws {
        let connection = try ForeignConnection()
        try SQLFunction.register(on: connection.handle)
        let texts = ["", "a", "Jo", "JOSÉ", "straße", "ſ", "İ", "e\u{301}", "😀", "100%", "a_b", "\u{1F1E9}\u{1F1EA}"]
        for text in texts {
            for needle in texts {
                for function in [SQLFunction.begins, .ends, .contains, .like, .compare] {
                    let arguments: [SQLBinding] = [.text(text), .text(needle), .text("cd")]
                    let statement = SQLFragment("SELECT \(verbatim: function.name)(?1, ?2, ?3)", bindings: arguments)
                    let expected = try connection.integers(statement)
                    #expect(try caller.call(function, arguments) == .integer(try #require(expected.first)))
                }
            }
        }
    }

    /// A compiler for such connections refuses the aggregates, which are all that is left out.
    @Test func aDialectOfTheseFunctions() throws {
        let schema = SQLSchema([
            SQLEntity(
                "Order", attributes: ["price": .init(.decimal), "name": .init(.string)],
                relationships: ["items": .toMany("Order", inverseColumn: "parent")])
        ])
        let compiler = SQLCompiler(schema: schema, dialect: SQLiteDialect(functions: SQLFunctionCaller.functions))
        _ = try compiler.compile(FormatPredicate("name LIKE[cd] 'j*' AND price > 1.5"), entity: "Order")
        let error = SQLCompilationError.thrown {
            try compiler.compile(FormatPredicate("items.@sum.price > 1"), entity: "Order")
        }
        #expect(error?.code == .notExpressible(.unregisteredFunction(.decimalSum)), "\(String(describing: error))")
        let others = Set(SQLFunction.allCases).subtracting(SQLFunctionCaller.functions)
        let aggregates: Set<SQLFunction> = [
            .decimalSum, .decimalAverage, .decimalLeast, .decimalGreatest, .numberSum, .numberAverage, .numberMedian,
            .numberDeviation, .numberPercentile, .joined,
        ]
        #expect(others == aggregates)
    }

    @Test func severalTasks() async {
        let caller = caller
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        let result = try? caller.call(.foldCase, [.text("Name \(number)")])
                        #expect(result == .text("name \(number)"))
                    }
                }
            }
        }
    }
}
