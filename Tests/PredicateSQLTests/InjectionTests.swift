import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Values never become text, and names are what the schema says.
@Suite struct InjectionTests {
    static let awkward = [
        "'; DROP TABLE person; --", "\" OR 1=1 --", "a\" AS t9, \"b", "`", "]", "?1", "$1", ":x", "@x", "%", "_", "\\",
        "\u{0}", "\n", "--", "/*", "*/", ";", "x' || 'y", "é", "e\u{301}", "😀", String(repeating: "'", count: 1_000),
    ]

    @Test(arguments: awkward) func constantsAreBound(text: String) throws {
        for format in ["name == %@", "name CONTAINS[cd] %@", "name IN %@", "name LIKE %@", "name MATCHES %@"] {
            let argument: PredicateValue =
                format.contains(" IN ") ? .array([.string(text), .string("b")]) : .string(text)
            let predicate = try FormatPredicate(format: format, arguments: [argument])
            let query = try SQLCompiler(schema: people).compile(predicate, entity: "Person")
            let plain = try FormatPredicate(
                format: format, arguments: [format.contains(" IN ") ? .array(["xyz", "b"]) : .string("xyz")])
            let other = try SQLCompiler(schema: people).compile(plain, entity: "Person")
            // LIKE takes shapes of its own, by what its pattern says; none of them has the pattern in it.
            if format.contains("LIKE") {
                #expect(!query.where.text.contains("DROP"))
            } else {
                // MATCHES has a range or a search before it if the pattern has a literal part. [NSP-442]
                let texts = [
                    other.where.text, "0", #"predicates_matches(t0."full_name", ?1, '')"#,
                    #"instr(t0."full_name", ?1) > 0 AND predicates_matches(t0."full_name", ?2, '')"#,
                ]
                #expect(texts.contains(query.where.text))
            }
        }
    }

    @Test(arguments: awkward) func variablesAreBound(text: String) throws {
        let predicate = try FormatPredicate("SUBQUERY(phones, $p, $p.number == $v).@count > 0")
        let query = try SQLCompiler(schema: people).compile(
            predicate, entity: "Person", variables: ["v": text])
        #expect(query.where.bindings == [.text(text)])
    }

    @Test(arguments: awkward) func keysAreLookedUp(text: String) throws {
        guard !text.isEmpty else { return }
        let predicate = try FormatPredicate(format: "%K == 1", arguments: [.string(text)])
        #expect(throws: SQLCompilationError.self) {
            try SQLCompiler(schema: people).compile(predicate, entity: "Person")
        }
    }

    @Test(arguments: awkward) func namesAreQuoted(name: String) throws {
        let schema = SQLSchema([
            SQLEntity(name, primaryKey: name, attributes: ["a": .init(.integer, column: name)])
        ])
        let compiler = SQLCompiler(schema: schema)
        let predicate = try FormatPredicate("a == 1")
        if name.utf8.contains(0) {
            let error = SQLCompilationError.thrown { try compiler.compile(predicate, entity: name) }
            #expect(error?.code == .unusableName(name))
            return
        }
        let quoted =
            "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        let query = try compiler.compile(predicate, entity: name)
        #expect(query.select.text == "SELECT t0.\(quoted) FROM \(quoted) AS t0 WHERE t0.\(quoted) = ?1")
    }

    @Test func pagesAreBound() throws {
        let query = try SQLCompiler(schema: people).compile(.constant(true), entity: "Person")
        #expect(
            shown(try query.select(keys: [], limit: 10, offset: 20))
                == #"SELECT t0."id" FROM "person" AS t0 ORDER BY t0."id" LIMIT ?1 OFFSET ?2 [10, 20]"#)
    }
}
