import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Closures of the host, and `ANYKEY`, in a database.
@Suite struct BlockStoreTests {
    private let list: ToDoList
    private let adult = FormatPredicate(name: "adult") { _, _ in true }

    init() throws {
        list = try ToDoList()
    }

    /// A closure stays for the evaluator, wherever it stands. [NSP-178]
    @Test func blocksAreResidual() throws {
        let compiler = SQLCompiler(schema: ToDoList.schema, mode: .residual)
        let high = try FormatPredicate("priority > 1")
        let query = try compiler.compile(high && adult, entity: "Task")
        #expect(query.where.text == #"t0."priority" > ?1"#)
        #expect(query.residual == adult)
        let negated = !(high || adult)
        #expect(try compiler.compile(negated, entity: "Task").residual == negated)
        #expect(throws: SQLCompilationError.self) { try query.delete() }
    }

    /// [NSP-178]
    @Test func exactSQLRefusesBlocks() throws {
        let exact = SQLCompiler(schema: ToDoList.schema)
        let high = try FormatPredicate("priority > 1")
        let refusal = SQLCompilationError.thrown { try exact.compile(high && adult, entity: "Task") }
        #expect(refusal?.code == .notExpressible(.block("adult")))
        #expect(refusal?.node == 3 && refusal?.text == #"BLOCKPREDICATE(<"adult">)"#)
        let tax = FormatExpression(name: "tax", arguments: [try FormatExpression("effort")]) { _, values, _ in values[0]
        }
        let comparison = FormatPredicate(.comparison(ComparisonPredicate(tax.node, .equalTo, .constantValue(1))))
        let other = SQLCompilationError.thrown { try exact.compile(comparison, entity: "Task") }
        #expect(other?.code == .notExpressible(.block("tax")))
        #expect(other?.text == #"BLOCK(<"tax">, effort)"#)
    }

    /// [NSP-178]
    @Test func fetchesWithBlocks() throws {
        let even = FormatPredicate(name: "even") { object, variables in
            guard case .object(let task) = object, case .value(.integer(let id))? = task.value(forKey: "id"),
                case .value(.integer(let remainder))? = variables["remainder"]
            else { return false }
            return id % 2 == remainder
        }
        var request = PredicateFetchRequest("Task", try FormatPredicate("priority == 1") && even)
        request.variables = ["remainder": 0]
        request.allowsResidual = true
        #expect(try list.store.fetchAll(request).map(\.number).sorted() == [2, 6])
    }

    /// What SQL selects is what an evaluator selects. [NSP-179]
    @Test(
        arguments: [
            "ANYKEY == 'Sleep'", "ANYKEY CONTAINS[cd] 'zoe'", "ANYKEY == 1", "ANYKEY != 1", "NOT ANYKEY == 1",
            "ANYKEY == nil", "ANYKEY != nil", "NOT ANYKEY != nil", "ANYKEY > 2", "3 < ANYKEY", "ANYKEY <= 1",
            "ANYKEY BETWEEN {2, 4}", "ANYKEY IN {'Sleep', 3, nil}", "ANYKEY LIKE '*100%'", "'all' IN ANYKEY",
            "ANYKEY MATCHES '.* .*'", "ANYKEY BEGINSWITH 'C'", "ANYKEY == YES", "ANYKEY CONTAINS 5", "ANYKEY LIKE 5",
            "ANYKEY < 'M'", "ANYKEY == 2.5", "ANYKEY == title", "ANYKEY == priority", "ANYKEY > dueDate",
            "ANYKEY == CAST('137DECC8-B300-4954-A233-F89909F4FD89', 'NSUUID')", "ANYKEY == CAST('AP8=', 'NSData')",
            "ANYKEY > CAST(1000, 'NSDate')", "priority == 1 AND (ANYKEY == 2 OR ANYKEY == 5)",
            "SUBQUERY(list.tasks, $t, ANYKEY == $t.priority).@count > 1", "TERNARY(ANYKEY == 3, 1, 2) == 1",
            "ANYKEY == owner.name", "ANYKEY == CAST('1.1', 'NSDecimalNumber')", "ANYKEY IN {}",
        ])
    func anyKeyInSQL(_ format: String) throws {
        let predicate = try FormatPredicate(format)
        let all = try list.store.fetchAll("Task")
        let expected = try all.filter { try predicate.evaluate(with: $0) }.map(\.number).sorted()
        let found = try list.store.fetchAll("Task", where: predicate)
        #expect(found.map(\.number).sorted() == expected, "\(format)")
    }

    /// [NSP-179]
    @Test func anyKeyAsksTheAttributes() throws {
        let compiler = SQLCompiler(schema: ToDoList.schema)
        let people = try compiler.compile(FormatPredicate("ANYKEY == 1"), entity: "Person")
        #expect(people.where.text == #"t0."id" = ?1"#)
        let names = try compiler.compile(FormatPredicate("ANYKEY CONTAINS 'o'"), entity: "Person")
        #expect(names.where.text == #"instr(t0."name", ?1) > 0"#)
        let none = try compiler.compile(FormatPredicate("ANYKEY > %@", Data([1])), entity: "Person")
        #expect(none.where.text == "0")
    }
}
