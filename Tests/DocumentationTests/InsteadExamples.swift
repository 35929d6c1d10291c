import NSPredicates
import Predicates
import Testing

struct InsteadExamples {
    @Test func insteadOfFoundation() throws {
        let compiler = SQLCompiler(
            schema: SQLSchema([
                SQLEntity("Person", attributes: ["age": .init(.integer), "member": .init(.boolean)])
            ]))
        let isAdult = NSPredicate(format: "age >= %d", 18)
        let isMember = NSPredicate(format: "member == YES")
        let people: [[String: Any]] = [["age": 30, "member": true], ["age": 3, "member": true]]
        let results = try example {
            let both = NSCompoundPredicate(andPredicateWithSubpredicates: [isAdult, isMember])
            both.predicateFormat  // age >= 18 AND member == 1
            NSArray(array: people).filtered(using: both)
            try compiler.compile(FormatPredicate(both), entity: "Person").where.text
        }
        #expect(results.texts[0] == "age >= 18 AND member == 1")
        #expect((try results.lines[1].get() as? [Any])?.count == 1)
        #expect(results.texts[2].hasPrefix(#"t0."age" >= ?1 AND "#))
    }
}
