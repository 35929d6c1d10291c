import PredicateLint
import Testing

@Suite("Format strings in Swift")
struct SwiftSourceTests {
    @Test(
        "Calls of each name",
        arguments: [
            #"NSPredicate(format: "age > 5")"#, #"NSPredicate.init(format: "age > 5")"#,
            #"Foundation.NSPredicate(format: "age > 5")"#, #"try FormatPredicate("age > 5")"#,
            #"NSPredicate(/* the old ones */ format: "age > 5")"#,
            "NSPredicate(\n  // old\n  format:\n    \"age > 5\"\n)",
            #"request.predicate = .init(format: "age > 5")"#, #"let p: NSPredicate = .init(format: "age > 5")"#,
            #"find(predicate: .init(format: "age > 5"))"#, #"x { NSPredicate(format: "age > 5") }"#,
            #"print("\(people.filtered(using: NSPredicate(format: "age > 5")))")"#,
            "import RealmSwift\nrealm.objects(Person.self)\n  .filter(\"age > 5\")",
            "import RealmSwift\nlist.index(matching: \"age > 5\")", #"["stream", "--predicate", "age > 5"]"#,
        ])
    func calls(_ source: String) {
        #expect(formats(source).map { $0.drop { $0 != " " }.dropFirst() } == ["age > 5"])
        #expect(rules(source) == [])
    }

    @Test(
        "What is no call",
        arguments: [
            #"// NSPredicate(format: "age >")"#, #"/* a /* b */ NSPredicate(format: "age >") */"#,
            #"let s = "NSPredicate(format: \"age >\")""#, "#if false\nlet p = NSPredicate(format: \"age >\")\n#endif",
            "#if 0\n#if X\n#endif\nNSPredicate(format: \"age >\")\n#else\n#endif",
            #"func filter(_ text: String = "age >")"#,
            #"NSPredicate(value: true)"#, #"query.filter("age", .equal, 5)"#, #"names.filter("not a predicate")"#,
            #"MyNSPredicate(format: "age >")"#, "let s = \"\"\"\n  NSPredicate(format: \"age >\")\n  \"\"\"",
            #"let r = /NSPredicate\(format: "age >"\)/"#, ##"let r = #/NSPredicate(format: "age >")/#"##,
            #"String(format: "%@ >", a)"#,
        ])
    func noCalls(_ source: String) {
        #expect(formats(source) == [])
        #expect(rules(source) == [])
    }

    @Test func literals() {
        #expect(formats(##"NSPredicate(format: #"name == "jo\#(x)""#)"##) == [##"1:22 name == "jo\#(x)""##])
        #expect(formats(#"NSPredicate(format: "name == \"\u{e9}\t\"")"#) == ["1:21 name == \"é\t\""])
        #expect(formats(#"NSPredicate(format: "age " + "> 5")"#) == ["1:21 age > 5"])
        #expect(formats("NSPredicate(format: \"age \" +\n  // more\n  \"> 5\")") == ["1:21 age > 5"])
        #expect(
            formats("NSPredicate(format: \"\"\"\n    age >\n      5 \\\n    OR a == 1\n    \"\"\")") == [
                "1:21 age >\n  5 OR a == 1"
            ])
        #expect(
            formats(#"NSPredicate(format: "a == \(f("b", "\(c)")) OR b == 1")"#) == [
                #"1:21 a == \(f("b", "\(c)")) OR b == 1"#
            ])
    }

    @Test func names() {
        #expect(formats("let f = \"age > 5\"\nNSPredicate(format: f)") == ["1:9 age > 5"])
        #expect(formats("enum Keys { static let f = \"age > 5\" }\nNSPredicate(format: Keys.f)") == ["1:28 age > 5"])
        #expect(
            formats("func a() { let f = \"a == 1\" }\nfunc b() { let f = \"b == 1\"\n NSPredicate(format: f) }") == [
                "2:20 b == 1"
            ])
        #expect(formats("var f = \"a == 1\"\nf += \" AND\"\nNSPredicate(format: f)") == ["1:9 a == 1 AND"])
        #expect(formats("NSPredicate(format: isNew ? \"a == 1\" : \"b == 1\")") == ["1:29 a == 1", "1:40 b == 1"])
        #expect(formats("NSPredicate(format: String(format: \"%@ == 1\", key))") == ["1:36 %@ == 1"])
        #expect(formats("let a = a\nNSPredicate(format: a)") == [])
    }

    /// A branch that opens a bracket, brackets that do not match, and the end of the source inside of a literal.
    @Test func brokenCode() {
        let source = """
            #if A
            f(NSPredicate(format: "a == 1"),
            #else
            f(NSPredicate(format: "b == 1"),
            #endif
              x) ] } )
            let p = NSPredicate(format: "c ==")
            let q = NSPredicate(format: "d == 1
            let r = NSPredicate(format: "e ==")
            """
        #expect(formats(source).count == 4)
        #expect(findings(source).filter { $0.rule == .syntax }.map(\.line) == [7, 9])
    }

    @Test func places() {
        #expect(findings(#"NSPredicate(format: "name == \"\u{e9}\" AND age NOT IN %@", x)"#) == [Found(1, 49, .syntax)])
        #expect(
            findings("NSPredicate(format: \"\"\"\n    a == 1 AND\n    b NOT IN %@\n    \"\"\", x)") == [
                Found(3, 7, .syntax)
            ])
        #expect(findings("NSPredicate(format: \"a == 1 AND \" +\r\n  \"b NOT IN %@\", x)") == [Found(2, 6, .syntax)])
        #expect(findings("let é = 1; NSPredicate(format: \"a NOT IN %@\", x)") == [Found(1, 36, .syntax)])
    }
}

@Suite("Format strings in Objective-C")
struct ObjectiveCSourceTests {
    @Test(
        "Calls of each name",
        arguments: [
            #"[NSPredicate predicateWithFormat:@"age > 5"];"#, "[NSPredicate\n  predicateWithFormat: @\"age > 5\"];",
            #"[Dog objectsWhere:@"age > 5"];"#, #"[Dog objectsInRealm:realm where:@"age > 5"];"#,
            #"[NSPredicate predicateWithFormat:@"age " "> 5"];"#, #"[NSPredicate predicateWithFormat:@"age " @"> 5"];"#,
            "#define F @\"age > 5\"\n[NSPredicate predicateWithFormat:F];",
            "NSString *f = @\"age > 5\";\n[NSPredicate predicateWithFormat:f];",
            "static NSString * const F = @\"age > 5\";\n[NSPredicate predicateWithFormat:F];",
            #"#define P [NSPredicate predicateWithFormat:@"age > 5"]"#,
            #"f(^{ [NSPredicate predicateWithFormat:@"age > 5"]; });"#,
            #"[NSPredicate predicateWithFormat:@"\x61ge \076 \u0035"];"#,
            "[NSPredicate predicateWithFormat:@\"age \\\n> 5\"];",
        ])
    func calls(_ source: String) {
        #expect(formats(source, .objectiveC).map { $0.drop { $0 != " " }.dropFirst() } == ["age > 5"])
        #expect(rules(source, .objectiveC) == [])
    }

    @Test(
        "What is no call",
        arguments: [
            #"// [NSPredicate predicateWithFormat:@"age >"];"#,
            "#if 0\n don't [NSPredicate predicateWithFormat:@\"age >\"];\n#endif",
            "@interface NSPredicate (Mine)\n+ (id)predicateWithFormat:(NSString *)format, ...;\n@end",
            #"NSString *s = @"[NSPredicate predicateWithFormat:@\"age >\"]";"#,
            "[NSPredicate predicateWithFormat:format];",
            "NSString *f = [a string];\n[NSPredicate predicateWithFormat:f];", #"char c = '"'; [a b:@"age >"];"#,
        ])
    func noCalls(_ source: String) {
        #expect(formats(source, .objectiveC) == [])
        #expect(rules(source, .objectiveC) == [])
    }

    @Test func argumentsAndChoices() {
        #expect(rules(#"[NSPredicate predicateWithFormat:@"a == %@ AND b == %d", a ? b : c, 1];"#, .objectiveC) == [])
        #expect(
            rules(#"[NSPredicate predicateWithFormat:@"a == %@ AND b == %@" argumentArray:@[x, y]];"#, .objectiveC)
                == [])
        #expect(rules(#"[NSPredicate predicateWithFormat:@"a == %@" argumentArray:list];"#, .objectiveC) == [])
        #expect(rules(#"[NSPredicate predicateWithFormat:@"a == %@" arguments:list];"#, .objectiveC) == [])
        #expect(
            rules("#define P(f, ...) [NSPredicate predicateWithFormat:@\"a == %@\", ##__VA_ARGS__]", .objectiveC) == [])
        #expect(
            rules(#"[NSPredicate predicateWithFormat:[NSString stringWithFormat:@"%@ == %%@", key], v];"#, .objectiveC)
                == [])
        let source = #"[NSPredicate predicateWithFormat:[NSString stringWithFormat:@"name == '%@'", key]];"#
        #expect(findings(source, .objectiveC) == [Found(1, 72, .interpolation)])
    }
}
