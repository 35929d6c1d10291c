import PredicateLint
import Testing

@Suite("Format strings in scripts, property lists and data models")
struct OtherSourceTests {
    @Test func scripts() {
        #expect(formats("log show --predicate 'a == \"b\"' --last 1h", .script) == ["1:22 a == \"b\""])
        #expect(formats("log stream --style json \\\n  --predicate \"a == \\\"b\\\"\"", .script) == ["2:15 a == \"b\""])
        #expect(formats("/usr/bin/log show --predicate='a == 1'", .script) == ["1:31 a == 1"])
        #expect(
            formats("x=$(log show --predicate \"a == '$NAME' AND b == ${B}\")", .script) == [
                "1:26 a == '$NAME' AND b == ${B}"
            ])
        #expect(formats("ssh h \"log show --predicate 'a == \\\"b\\\"'\"", .script) == ["1:29 a == \"b\""])
        #expect(formats("run(f'log show --predicate \\'a == \"{x}\"\\'')", .script) == ["1:29 a == \"{x}\""])
        #expect(formats("[\"log\", \"show\",\n \"--predicate\", f'a == \"{x}\"']", .script) == ["2:18 a == \"{x}\""])
        #expect(formats("log stream --predicate examples:\n", .script) == [])
        #expect(formats("log stream --predicate pid==1\n", .script) == ["1:24 pid==1"])
        #expect(formats("log show --predicate 'a == 1 AND 'b' == 2'", .script) == ["1:22 a == 1 AND b == 2"])
        #expect(formats("# log show --predicate 'a =='\necho # log show --predicate 'b =='", .script) == [])
        #expect(formats("cosign verify --predicate 'file.json'\nmylog --predicate 'a'", .script) == [])
        #expect(formats("log show --predicate \"$P\"", .script) == [])
        #expect(findings("log show --predicate 'a == 1 AND b NOT IN {1}'", .script) == [Found(1, 36, .syntax)])
        #expect(rules("log show --predicate \"a == '$NAME'\"", .script) == [.interpolation])
    }

    @Test func propertyLists() {
        let list = { (key: String, text: String) in
            "<plist><dict>\n<key>\(key)</key>\n  <string>\(text)</string></dict></plist>"
        }
        #expect(
            formats(list("installable_condition", "os_vers BEGINSWITH &quot;14&quot; AND a &lt; 5"), .propertyList)
                == ["3:11 os_vers BEGINSWITH \"14\" AND a < 5"])
        #expect(findings(list("installable_condition", "a &lt;&lt; AND"), .propertyList).map(\.rule) == [.syntax])
        #expect(formats(list("filter", "every day"), .propertyList) == [])
        #expect(formats(list("Label", "a == 1"), .propertyList) == [])
        #expect(formats("<!--" + list("installable_condition", "a ==") + "-->", .propertyList) == [])
        #expect(formats(list("installable_condition", "<![CDATA[a < 5]]>"), .propertyList) == ["3:20 a < 5"])
    }

    @Test func dataModels() {
        let source = """
            <model><entity name="E"><fetchRequest name="r" entity="A" predicateString="a &gt; $B AND b &#61;= 'x'"/>
            <fetchRequest name="s" entity="A" predicateString="a >"/>
            <attribute name="d" derivationExpression="now()"/></entity></model>
            """
        #expect(formats(source, .dataModel) == ["1:75 a > $B AND b == 'x'", "2:51 a >", "3:42 now()"])
        #expect(findings(source, .dataModel) == [Found(2, 55, .syntax)])
    }

    @Test func analytics() {
        let source = "inputType: GPFSEvent\nfilter: $event.isNew == 1 AND\n  $event.path MATCHES \"/U.*\"\nlevel: 0\n"
        #expect(formats(source, .script) == ["2:9 $event.isNew == 1 AND $event.path MATCHES \"/U.*\""])
        #expect(formats("inputType: A\nfilter: |\n  a == 1\n  OR b == 2\n", .script) == ["3:3 a == 1\nOR b == 2"])
        #expect(formats("inputType: A\nfilter: \"a == \\\"x\\\"\"\n", .script) == ["2:9 a == \"x\""])
        #expect(findings("inputType: A\nfilter: a == 1\n  AND b NOT IN {2}", .script) == [Found(3, 9, .syntax)])
        #expect(formats("filter: a == 1", .script) == [])
    }

    @Test func kinds() {
        #expect(SourceKind(path: "a/b.swift") == .swift)
        #expect(SourceKind(path: "a/b.MM") == .objectiveC)
        #expect(SourceKind(path: ".github/workflows/ci.yml") == .script)
        #expect(SourceKind(path: "M.xcdatamodeld/M.xcdatamodel/contents") == .dataModel)
        #expect(SourceKind(path: "contents") == nil)
        #expect(SourceKind(content: Array("#!/bin/zsh\n".utf8)) == .script)
        #expect(SourceKind(content: Array("<?xml?><!DOCTYPE plist>".utf8)) == .propertyList)
        #expect(SourceKind(content: Array("hello".utf8)) == nil)
    }
}

@Suite("Fixes of lint")
struct FixTests {
    @Test(
        "Fixes",
        arguments: [
            (#"NSPredicate(format: "name == '%@'", x)"#, #"NSPredicate(format: "name == %@", x)"#),
            (
                #"NSPredicate(format: "name == \"%@\" AND b == '%d'", x, 5)"#,
                #"NSPredicate(format: "name == %@ AND b == %d", x, 5)"#
            ),
            (#"NSPredicate(format: "name == '\(x)'")"#, #"NSPredicate(format: "name == %@", "\(x)")"#),
            (
                #"func f(name: String) { let p = NSPredicate(format: "name == '\(name)'") }"#,
                #"func f(name: String) { let p = NSPredicate(format: "name == %@", name) }"#
            ),
            (
                #"func f(since: Date) { NSPredicate(format: "date > '\(since)'") }"#,
                #"func f(since: Date) { NSPredicate(format: "date > %@", since as NSDate) }"#
            ),
            (
                #"NSPredicate(format: "%K LIKE '*\(x)*' AND b == %@", k, b)"#,
                #"NSPredicate(format: "%K LIKE %@ AND b == %@", k, "*\(x)*", b)"#
            ),
            (
                #"NSPredicate(format: "a == '\(x)' AND b == '\(y)'")"#,
                #"NSPredicate(format: "a == %@ AND b == %@", "\(x)", "\(y)")"#
            ),
            (
                #"NSPredicate(format: "a == 1 AND b NOT IN %@", x)"#,
                #"NSPredicate(format: "a == 1 AND NOT (b IN %@)", x)"#
            ),
            (
                #"NSPredicate(format: "a NOT IN %@ OR b not like 'x'", x)"#,
                #"NSPredicate(format: "NOT (a IN %@) OR NOT (b like 'x')", x)"#
            ),
        ])
    func fixes(_ source: String, _ expected: String) {
        #expect(fixed(source) == expected)
    }

    @Test(
        "What is not certain stays",
        arguments: [
            #"NSPredicate(format: "name == '%@'")"#, #"NSPredicate(format: "name LIKE '*%@*'", x)"#,
            #"func f(name: String?) { NSPredicate(format: "name == '\(name)'") }"#,
            #"func f(id: UUID) { NSPredicate(format: "id == '\(id)'") }"#,
            #"NSPredicate(format: "date > '\(startDate)'")"#, #"NSPredicate(format: "date > '\(Date()) x'")"#,
            #"NSPredicate(format: "age > \(x)")"#, #"NSPredicate(format: "ANY a NOT IN %@", x)"#,
            #"NSPredicate(format: "name == '\(x)'", argumentArray: [])"#,
            "let f = \"name == '%@'\"\nNSPredicate(format: f, x)",
            ##"NSPredicate(format: #"name == '\#(x)'"#)"##,
        ])
    func uncertain(_ source: String) {
        #expect(fixed(source) == source)
    }

    @Test func objectiveC() {
        #expect(
            fixed(#"[NSPredicate predicateWithFormat:@"a NOT IN '%@'", x];"#, .objectiveC)
                == #"[NSPredicate predicateWithFormat:@"NOT (a IN %@)", x];"#)
    }
}
