import PredicateData
import PredicateJSON
import PredicateSyntax
import Testing

struct ParseTests {
    @Test func reportHasTreePrintAndFields() {
        let report = """
            compound AND
            ├─ subpredicate: comparison >=
            │  ├─ left: keyPath age
            │  └─ right: constantValue 18
            └─ subpredicate: comparison >
               ├─ left: function sum:
               │  └─ argument: keyPath dept.sizes
               └─ right: variable MIN

            prints     age >= 18 AND sum:(dept.sizes) > $MIN
            keys       age, dept.sizes
            variables  $MIN
            functions  sum:

            """
        let outcome = predicate("parse", "age => %@ && sum:(dept.sizes) > $MIN", "18")
        #expect(outcome == .success(report))
    }

    @Test func whatIsMissingSaysSo() {
        #expect(predicate("parse", "TRUEPREDICATE").output.contains("keys       (none)\n"))
    }

    @Test func expressionsHaveAnOption() {
        let outcome = predicate("parse", "--expression", "price * %f", "2")
        #expect(outcome.output.contains("prints     price * 2.0\n"))
        #expect(predicate("parse", "-e", "a == 1").error.hasPrefix("error: expected an expression, found a predicate"))
        #expect(predicate("parse", "price * 2").status == 2)
    }

    @Test func programsGetOneObject() throws {
        let outcome = predicate("parse", "--json", "born < %@ AND x IN $Y", "date:2001-01-01T00:00:00Z")
        guard case .dictionary(let object) = try JSONReader.parse(outcome.output) else {
            Issue.record("expected an object: \(outcome.output)")
            return
        }
        #expect(object["format"] == "born < %@ AND x IN $Y")
        #expect(object["predicateFormat"] == "born < CAST(0.000000, \"NSDate\") AND x IN $Y")
        #expect(object["keys"] == ["born", "x"])
        #expect(object["variables"] == ["Y"])
        #expect(object["functions"] == [])
        let printed: PredicateValue = "CAST(0.000000, \"NSDate\")"
        #expect(object["arguments"] == [["specifier": "%@", "value": "2001-01-01T00:00:00Z", "prints": printed]])
        guard case .dictionary(let tree) = object["tree"], case .array(let children) = tree["children"] else {
            Issue.record("expected a tree: \(outcome.output)")
            return
        }
        #expect(tree["type"] == "compound")
        #expect(tree["operator"] == "AND")
        #expect(children.count == 2)
    }

    @Test func deepTreesStayWhole() {
        let depth = 90
        let format = String(repeating: "NOT (", count: depth) + "a == 1" + String(repeating: ")", count: depth)
        let outcome = predicate("parse", "--json", format)
        #expect(outcome.status == 0)
        #expect(!outcome.output.contains("null"))
        #expect(outcome.output.contains(#""keys": "a""#))
    }

    @Test(arguments: [
        ("18", "18"), ("1.5", "1.5"), ("-7", "-7"), ("true", "1"), ("null", "nil"), ("\"18\"", "\"18\""),
        ("jo", "\"jo\""), ("007", "\"007\""), ("", "\"\""), ("[1,2]", "{1, 2}"), ("string:18", "\"18\""),
        ("string:date:x", "\"date:x\""), ("set:[1]", "{1}"), ("key:dept.name", "dept.name"),
        ("date:2001-01-01T00:00:00Z", "CAST(0.000000, \"NSDate\")"), ("http://a.b", "\"http://a.b\""),
        ("age >= 3 OR 1 == 1", "\"age >= 3 OR 1 == 1\""),
    ])
    func valuesAreReadAsWritten(_ word: String, _ printed: String) {
        let outcome = predicate("parse", "a == %@", word)
        let expected = word == "true" ? ["a == 1", "a == YES"] : ["a == \(printed)"]
        #expect(expected.contains { outcome.output.contains("prints     \($0)\n") }, "\(outcome)")
    }

    @Test(arguments: [
        "decimal:1.10", "uuid:137DECC8-B300-4954-A233-F89909F4FD89", "data:aGk=", "url:https://swift.org", "{\"a\":1}",
    ])
    func otherTypesAreAccepted(word: String) {
        #expect(predicate("parse", "a == %@", word).status == 0)
    }

    @Test(arguments: [
        ("decimal:x", "decimal number"), ("date:foo", "date"), ("uuid:1", "UUID"), ("data:%", "base 64 string"),
        ("url:", "URL"), ("key:a..b", "key path"), ("set:1", "JSON array"),
        ("decimal:1234567890123456789012345678901234567890", "decimal number"),
    ])
    func wrongValuesAreExplained(_ word: String, _ noun: String) {
        let outcome = predicate("parse", "a == %@", word)
        #expect(outcome.status == 2)
        #expect(outcome.error.hasPrefix("error: argument 1: '"), "\(outcome.error)")
        #expect(outcome.error.contains("' is not a valid \(noun)\nhint: write "))
        #expect(outcome.error.hasSuffix("string:\(word) for this string\n"))
    }

    @Test func specifiersSayHowAWordIsRead() {
        let outcome = predicate("parse", "%K == %@ AND b == %f AND c == %s AND d == %ld", "date:x", "1", "2", "3", "4")
        #expect(outcome.output.contains("b == 2.0 AND c == \"3\" AND d == 4"))
        #expect(outcome.output.contains("#\"date:x\" == 1"))
        #expect(predicate("parse", "a == %d", "1.5").error == "error: argument 1: expected an integer, found '1.5'\n")
        #expect(predicate("parse", "a == %f", "nan").error == "error: argument 1: expected a number, found 'nan'\n")
    }

    @Test func argumentsMustFit() {
        let surplus = predicate("parse", "a == 1", "3")
        #expect(surplus.status == 2)
        #expect(surplus.error.hasPrefix("error: expected no arguments, found 1\n  a == 1\n"))
        let missing = predicate("parse", "a == %@")
        #expect(missing.error.hasPrefix("error: expected an argument for specifier number 1\n  a == %@\n       ^~"))
    }

    @Test func formatErrorsShowThePlace() {
        let outcome = predicate("parse", "a == b c")
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.error.contains("\n  a == b c\n         ^ "))
    }
}
