import PredicateLint
import PredicateSyntax
import Testing

@Suite("Rules of lint")
struct RuleTests {
    /// A call of NSPredicate with these words between its parentheses.
    private func check(_ words: String) -> [LintRule] { rules("NSPredicate(format: \(words))") }

    @Test(
        "Right formats",
        arguments: [
            #""age > %d AND name == %@", age, name"#, #""%K == %@", #keyPath(Person.name), name"#, #""%K", key"#,
            #""name == $NAME""#, #""a == %@ AND b == %@", argumentArray: [a, b]"#, #""a == %@", argumentArray: list"#,
            #""a == %@", argumentArray: nil ?? list"#, #""\(key) == %@", x"#, #""boss.\(key) == %@", x"#,
            #""name CONTAINS\(options) %@", x"#, #""name ==[\(options)] %@", x"#, #""\(clause) AND a == 1""#,
            #""a \(op) %@", x"#, #""SUBQUERY(\(prefix)tags, $t, $t.x == 1).@count > 0""#,
            #""%K \(op) %@ \(joint) b == 1", k, v"#,
            #""a == nil AND b == %@", nil as Any"#, #""a == %f", 5.0"#, #""a == %d", true"#, #""a == \(list.count)""#,
        ])
    func right(_ words: String) {
        #expect(check(words) == [])
    }

    @Test func syntax() {
        #expect(check(#""age >""#) == [.syntax])
        #expect(check(#""""#) == [.syntax])
        #expect(check(#""name NOT IN %@", x"#) == [.syntax])
        #expect(check(#""a == 1 b == 2""#) == [.syntax])
        #expect(check(#""age == %k", x"#) == [.syntax])
        #expect(check(#""a NOT IN %@ AND \(x) == 1", y"#) == [.syntax])
        #expect(rules(#"NSExpression(format: "a == 1")"#) == [.syntax])
        #expect(rules(#"XCTAssertThrowsError(try f(NSPredicate(format: "age >")))"#) == [])
    }

    @Test func argumentCount() {
        let missing = Linter().lint(Array(#"NSPredicate(format: "a == %@ AND b == %@", x)"#.utf8), kind: .swift)
            .findings
        #expect(missing.map(\.rule) == [.argumentCount])
        #expect(missing.map(\.level) == [.error])
        let surplus = Linter().lint(Array(#"NSPredicate(format: "a == 1", x)"#.utf8), kind: .swift).findings
        #expect(surplus.map(\.rule) == [.argumentCount])
        #expect(surplus.map(\.level) == [.warning])
        #expect(check(#""a == %@", argumentArray: [a, b]"#) == [.argumentCount])
        #expect(check(#""\(key) == %@""#) == [.argumentCount])
        #expect(check(#""\(clause)", x"#) == [])
        #expect(rules("import RealmSwift\na.filter(\"x == %@ AND y == %@\", b)") == [.argumentCount])
        #expect(rules(#"FormatPredicate(format: "a == %@", arguments: [])"#) == [.argumentCount])
        #expect(rules(#"FormatPredicate("a == %@", x, options: .strict)"#) == [])
    }

    /// nil is in no collection, except for Realm.
    @Test func nilInCollections() {
        #expect(check(#""a IN {nil}""#) == [.check])
        #expect(rules("import RealmSwift\nrealm.objects(A.self).filter(\"a IN {nil}\")") == [])
        #expect(rules("import RealmSwift\nrealm.objects(A.self).filter(\"a > 5 AND a < 3\")") == [.check])
        let counted = "let p = NSPredicate(format: \"ANY items.pets.@count == 0\")"
        #expect(rules("import RealmSwift\n" + counted) == [])
        #expect(rules(counted) == [.check])
        #expect(rules("import RealmSwift\nlist.filter(\n    \"a ==\")") == [.syntax])
        #expect(rules("import RealmSwift\nlist.index(/* first */ matching:\n \"a ==\")") == [.syntax])
        #expect(rules("import RealmSwift\nrealm.objects(A.self).filter(\"nilA > 5 AND nilA < 3\")") == [.check])
        #expect(rules("RLMResults *r = [A objectsWhere:@\"a IN {NULL}\"];", .objectiveC) == [])
    }

    @Test func argumentType() {
        #expect(check(#""age == %d", "21""#) == [.argumentType])
        #expect(check(#""age == %@", 21"#) == [.argumentType])
        #expect(check(#""age == %f", 5"#) == [.argumentType])
        #expect(check(#""%K == 1", 5"#) == [.argumentType])
        #expect(check(#""age == %@", argumentArray: [21]"#) == [])
        #expect(rules(#"FormatPredicate("age == %@", 21)"#) == [])
        #expect(rules(#"[NSPredicate predicateWithFormat:@"a == %d", @5];"#, .objectiveC) == [.argumentType])
        #expect(rules(#"[NSPredicate predicateWithFormat:@"a == %@", @5];"#, .objectiveC) == [])
    }

    @Test func quotedPlaceholder() {
        #expect(check(#""name == '%@'", x"#) == [.quotedPlaceholder])
        #expect(check(#""name LIKE '*%@*'", x"#) == [.quotedPlaceholder])
        #expect(check(#""name == '100%d'""#) == [])
        #expect(check(#""name == '%d'", 5"#) == [.quotedPlaceholder])
    }

    @Test func interpolation() {
        #expect(check(#""age > \(limit)""#) == [.interpolation])
        #expect(check(#""name == '\(name)'""#) == [.interpolation])
        #expect(check(#""age IN {\(a), \(b)}""#) == [.interpolation, .interpolation])
        #expect(check(#""age > \(5)""#) == [])
        #expect(check(#""\(firstKey) == \(secondKey)""#) == [])
        #expect(rules("func f(age: Int) { NSPredicate(format: \"age == \\(age)\") }") == [])
        let remote = #"NSPredicate(format: "name == '\(nameTextField.text!)'")"#
        #expect(rules(remote) == [.injection])
        #expect(rules("func f(name: String) { NSPredicate(format: \"name == '\\(name)'\") }") == [.injection])
    }

    /// A hole has one finding: that of the origin, with the level of the place.
    @Test func oneFindingForAHole() throws {
        let source = "func f(name: String) { NSPredicate(format: \"name == '\\(name)'\") }"
        let found = Linter().lint(Array(source.utf8), kind: .swift).findings
        #expect(found.map(\.level) == [.error] && found.allSatisfy { $0.fix != nil })
        var settings = LintSettings()
        try settings.setLevel("injection", "off")
        #expect(rules(source, .swift, settings) == [])
    }

    /// A literal of the source becomes the format.
    @Test func literalsAreNoInjection() {
        let source = "struct Query { init(stringLiteral value: String) { p = NSPredicate(format: value) } }"
        #expect(rules(source) == [])
        #expect(rules(source.replacing("stringLiteral", with: "text")) == [.injection])
    }

    @Test(
        "Values without quotes are no risk",
        arguments: [
            #"NSPredicate(format: "kind == '\(Kind.folder.rawValue)'")"#,
            #"NSPredicate(format: "kind == \(Kind.folder.rawValue)")"#,
            #"NSPredicate(format: "flag == \(on ? "YES" : "NO")")"#,
            #"NSPredicate(format: "flag == '\(on ? "YES" : "NO")'")"#,
            "let isNew = true\nNSPredicate(format: \"a == \\(isNew)\")",
            "struct A { let isNew: Bool\nfunc f() { NSPredicate(format: \"a == \\(isNew) AND b == \\(self.isNew)\") } }",
            "let kind = \"folder\"\nNSPredicate(format: \"a == '\\(kind)'\")",
            "func f(since: TimeInterval) { NSPredicate(format: \"a > \\(since)\") }",
            #"NSPredicate(format: "marked == \(NSNumber(booleanLiteral: true))")"#,
            "enum UID { static let a = \"x\" }\nNSPredicate(format: \"id == '\\(UID.a)'\")",
            "enum A { static let b = \"x\" }\nenum C { static let b = \"y\" }\nNSPredicate(format: \"id == '\\(C.b)'\")",
        ])
    func harmless(_ source: String) {
        #expect(rules(source) == [])
    }

    @Test(
        "Values that are not certain to be without quotes",
        arguments: [
            "struct A { var kind = \"folder\"\nfunc f() { NSPredicate(format: \"a == '\\(kind)'\") } }",
            "let isNew = true\nlist.map { isNew in NSPredicate(format: \"a == \\(isNew)\") }",
            "func f(count: Int?) { NSPredicate(format: \"a == \\(count)\") }",
            #"NSPredicate(format: "a == '\(on ? "YES" : text)'")"#,
            "enum A { static var b = \"x\" }\nNSPredicate(format: \"id == '\\(A.b)'\")",
            "enum A { static let b = make() }\nNSPredicate(format: \"id == '\\(A.b)'\")",
            "enum A { static let b = \"x'\" }\nenum C { static let b = \"\" }\nNSPredicate(format: \"id == '\\(A.b)'\")",
        ])
    func uncertain(_ source: String) {
        #expect(rules(source) == [.interpolation])
    }

    @Test func harmlessInObjectiveC() {
        let source = { (value: String) in
            "NSString *s = [NSString stringWithFormat:@\"a == %@\", \(value)];\n[NSPredicate predicateWithFormat:s];"
        }
        #expect(rules(source("[NSNumber numberWithBool:YES]"), .objectiveC) == [])
        #expect(rules(source("@YES"), .objectiveC) == [])
        #expect(rules(source("name"), .objectiveC) == [.interpolation])
        #expect(rules("log show --predicate \"processID == $PID\"", .script) == [])
    }

    /// A string that is assigned again in a branch has the same mistake twice, which is one finding.
    @Test func oneFindingForAPlace() {
        let source = """
            NSString *s = [NSString stringWithFormat:@"a == '%@'", name];
            if (q) { s = [s stringByAppendingString:@" AND b == 1"]; }
            p = [NSPredicate predicateWithFormat:s];
            """
        #expect(findings(source, .objectiveC) == [Found(1, 50, .interpolation)])
    }

    @Test(
        "Arguments whose types the source shows",
        arguments: [
            "func f(age: Int) { NSPredicate(format: \"age == %@\", age) }",
            "let flag: Bool\nlet p = NSPredicate(format: \"a == %@\", flag)",
            "let flag = true\nlet p = NSPredicate(format: \"a == %@\", flag)",
            "struct A { let age: Int\nfunc f() { NSPredicate(format: \"age == %@\", self.age) } }",
            "func f(name: String) { NSPredicate(format: \"age == %d\", name) }",
            "func f(name: String) { NSPredicate(format: \"name == %s\", name) }",
            "func f(limit: Double) { NSPredicate(format: \"age > %d\", limit) }",
            #"NSPredicate(format: "viewed == %d", NSNumber(value: false))"#,
            #"NSPredicate(format: "viewed == %d", x as NSNumber)"#,
            #"NSPredicate(format: "date > %@", date.timeIntervalSince1970)"#,
        ])
    func argumentsOfKnownType(_ source: String) {
        #expect(rules(source) == [.argumentType])
    }

    @Test(
        "Arguments whose types are right or not known",
        arguments: [
            "func f(age: Int) { NSPredicate(format: \"age == %d\", age) }",
            "func f(age: Int) { NSPredicate(format: \"age == %@\", argumentArray: [age]) }",
            "func f(age: Int?) { NSPredicate(format: \"age == %@\", age) }",
            "func f(age: Int) { g { age in NSPredicate(format: \"age == %@\", age) } }",
            "func f(age: Int) { for age in ages { NSPredicate(format: \"age == %@\", age) } }",
            "func f(age: Int) { if case .some(let age) = x { NSPredicate(format: \"age == %@\", age) } }",
            "func f(age: Int) { NSPredicate(format: \"age == %@\", age as NSNumber) }",
            "func f(age: Int) {}\nfunc g() { NSPredicate(format: \"age == %@\", age) }",
            "func f(name: String) { NSPredicate(format: \"name == %@\", name) }",
            "func f(ids: [Int]) { NSPredicate(format: \"id IN %@\", ids) }",
            "func f(id: Int) { ids.map { id -> NSPredicate? in NSPredicate(format: \"id == %@\", id) } }",
            "func f(id: Int) { ids.map { id, name in NSPredicate(format: \"id == %@\", id) } }",
            "func f(id: Int) { for (id, name) in ids { NSPredicate(format: \"id == %@\", id) } }",
            "func f(id: Int) { if case let .some(id) = x { NSPredicate(format: \"id == %@\", id) } }",
            "func f(name: String) { FormatPredicate(\"age == %@\", name.count) }",
        ])
    func argumentsOfOtherType(_ source: String) {
        #expect(rules(source) == [])
    }

    @Test func argumentsOfKnownTypeInObjectiveC() {
        let method = { (words: String) in
            "- (void)find:(NSInteger)age named:(NSString *)name { [NSPredicate predicateWithFormat:\(words)]; }"
        }
        #expect(rules(method("@\"age == %@\", age"), .objectiveC) == [.argumentType])
        #expect(rules(method("@\"age == %ld AND name == %@\", age, name"), .objectiveC) == [])
        #expect(rules(method("@\"age == %d\", [NSNumber numberWithInt:1]"), .objectiveC) == [.argumentType])
        #expect(rules(method("@\"age == %d\", [[NSNumber numberWithInt:1] intValue]"), .objectiveC) == [])
    }

    @Test func checks() {
        #expect(check(#""age > 5 AND age < 3""#) == [.check])
        #expect(check(#""\(key) > 5 AND \(key) < 3""#) == [])
        #expect(check(#""name LIKE 'jo'""#) == [])
        #expect(check(#""%@ == %@", "name", "Bob""#) == [.check])
        #expect(check(#""%@ == %@", #keyPath(Person.name), name"#) == [.check])
        #expect(check(#""%@ == %@", NSExpression(forKeyPath: "a"), value"#) == [])
        #expect(check(#""%@ == %@", leftExpression, value"#) == [])
        #expect(check(#""%@ == %@ OR %K == %@", a, b, c, d"#) == [.check])
        #expect(check(#""name MATCHES '('""#) == [.check])
        #expect(check(#""LENGTH(name) > 3""#) == [.check])
    }

    @Test func levelsAndCalls() throws {
        var settings = LintSettings()
        try settings.setLevel("syntax", "off")
        try settings.setLevel("predicate-dynamic", "warning")
        try settings.setLevel("predicate-check", "note")
        #expect(rules(#"NSPredicate(format: "age >")"#, .swift, settings) == [])
        #expect(rules(#"NSPredicate(format: format)"#, .swift, settings) == [.dynamic])
        #expect(rules(#"NSPredicate(format: "name LIKE 'jo'")"#, .swift, settings) == [.check])
        settings = LintSettings()
        settings.calls = ["find(where:)", "fetch", "allWhere:"].compactMap(CallName.init)
        #expect(
            formats(#"find(a, where: "age > 5", x); fetch(5, "age > 6")"#, .swift, settings) == [
                "1:16 age > 5", "1:40 age > 6",
            ])
        #expect(formats(#"[Dog allWhere:@"age > 5"];"#, .objectiveC, settings) == ["1:16 age > 5"])
        #expect(CallName("3(") == nil && CallName("") == nil)
    }

    /// A check has a level of its own, which outranks that of its rule.
    @Test func levelsOfChecks() throws {
        let never = #"NSPredicate(format: "age > 5 AND age < 3")"#
        let note = #"NSPredicate(format: "name LIKE 'jo'")"#
        var settings = LintSettings()
        #expect(rules(never + "\n" + note) == [.check])
        try settings.setLevel("never-holds", "off")
        #expect(rules(never, .swift, settings) == [])
        try settings.setLevel("like-without-wildcard", "note")
        #expect(rules(never + "\n" + note, .swift, settings) == [.check])
        settings = LintSettings()
        try settings.setLevel("predicate-check", "off")
        #expect(rules(never + "\n" + note, .swift, settings) == [])
        try settings.setLevel("never-holds", "error")
        let found = Linter(settings).lint(Array((never + "\n" + note).utf8), kind: .swift).findings
        #expect(found.map(\.code) == [.neverHolds] && found.map(\.level) == [.error])
        settings = LintSettings()
        settings.showsNotes = true
        #expect(rules(note, .swift, settings) == [.check])
    }

    /// A function of the host is called without a colon if the configuration names it.
    @Test func functionsOfTheHost() throws {
        let settings = try LintConfiguration("function app_match\nfunction app_join\n").settings
        let call = #"NSExpression(format: "app_match(kind, 'a', %@, app_join({'b', name}))", x)"#
        #expect(rules(call, .swift, settings) == [])
        #expect(rules(call) == [.syntax])
        let wrong = #"NSPredicate(format: "app_join({a}) == 1 AND b NOT IN %@", x)"#
        #expect(findings(wrong, .swift, settings) == [Found(1, 47, .syntax)])
        #expect(rules(#"NSExpression(format: "app_other({a})")"#, .swift, settings) == [.syntax])
        #expect(LintConfigurationError.thrown { try LintConfiguration("function 3(") }?.line == 1)
    }

    /// The functions of map styles are known without a configuration.
    @Test func functionsOfMaps() {
        #expect(rules(#"NSExpression(format: "MGL_MATCH(kind, 'a', %@, mgl_join({'b', name}))", x)"#) == [])
        #expect(rules(#"NSPredicate(format: "mgl_coalesce({%K, %K}) == 'x'", "a", "b")"#) == [])
        #expect(rules(#"NSPredicate(format: "mgl_join({a}) NOT IN %@", x)"#) == [.syntax])
    }

    /// Constant patterns among the arguments are checked like those in the format.
    @Test(
        "Patterns among the arguments",
        arguments: [
            #"NSPredicate(format: "SELF MATCHES %@", "[a-z+")"#,
            "let pattern = \"[A-Z{2,}\"\nNSPredicate(format: \"SELF MATCHES %@\", pattern)",
            #"NSPredicate(format: "name MATCHES[c] %@ AND a == 1", "(")"#,
            #"NSPredicate(format: "name LIKE %@", "%foo%")"#,
        ])
    func patterns(_ source: String) {
        #expect(rules(source) == [.check])
    }

    @Test(
        "Patterns that are right or not known",
        arguments: [
            #"NSPredicate(format: "SELF MATCHES %@", "[a-z]+")"#,
            #"NSPredicate(format: "SELF MATCHES %@", "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,64}")"#,
            #"NSPredicate(format: "name LIKE %@", "*foo*")"#, #"NSPredicate(format: "name == %@", "[a-z+")"#,
            #"NSPredicate(format: "name MATCHES %@", "(" + rest)"#, #"NSPredicate(format: "name MATCHES %@", "(\(x)")"#,
            "struct A { var pattern = \"(\"\nfunc f() { NSPredicate(format: \"a MATCHES %@\", pattern) } }",
        ])
    func otherPatterns(_ source: String) {
        #expect(rules(source) == [])
    }

    /// The finding stands at the argument, which no fix replaces.
    @Test func placesOfPatterns() {
        let source = #"NSPredicate(format: "SELF MATCHES %@", "[a-z+")"#
        #expect(findings(source) == [Found(1, 40, .check)])
        #expect(fixed(source) == source)
        #expect(
            findings(#"[NSPredicate predicateWithFormat:@"a MATCHES %@", @"[0-9"];"#, .objectiveC).map(\.rule) == [
                .check
            ])
    }

    @Test func suppressions() {
        let bad = #"NSPredicate(format: "age >")"#
        #expect(rules("// predicate:disable:next predicate-syntax\n\(bad)") == [])
        #expect(rules("// predicate:disable:next\r\n\(bad)") == [])
        #expect(rules("// predicate:disable:next predicate-check\n\(bad)") == [.suppression, .syntax])
        #expect(rules("\(bad) // predicate:disable:this") == [])
        #expect(rules("\(bad)\n// predicate:disable:previous syntax") == [])
        #expect(rules("// predicate:disable\n\(bad)\n// predicate:enable\n\(bad)") == [.syntax])
        #expect(rules("let s = \"predicate:disable\"\n\(bad)") == [.syntax])
    }
}
