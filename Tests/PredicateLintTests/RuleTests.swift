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
        #expect(rules(remote) == [.injection, .interpolation])
        #expect(
            rules("func f(name: String) { NSPredicate(format: \"name == '\\(name)'\") }") == [
                .injection, .interpolation,
            ])
    }

    @Test func checks() {
        #expect(check(#""age > 5 AND age < 3""#) == [.check])
        #expect(check(#""\(key) > 5 AND \(key) < 3""#) == [])
        #expect(check(#""name LIKE 'jo'""#) == [])
        #expect(check(#""%@ == %@", "name", "Bob""#) == [.check])
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

    @Test func suppressions() {
        let bad = #"NSPredicate(format: "age >")"#
        #expect(rules("// predicate:disable:next predicate-syntax\n\(bad)") == [])
        #expect(rules("// predicate:disable:next\r\n\(bad)") == [])
        #expect(rules("// predicate:disable:next predicate-check\n\(bad)") == [.syntax])
        #expect(rules("\(bad) // predicate:disable:this") == [])
        #expect(rules("\(bad)\n// predicate:disable:previous syntax") == [])
        #expect(rules("// predicate:disable\n\(bad)\n// predicate:enable\n\(bad)") == [.syntax])
        #expect(rules("let s = \"predicate:disable\"\n\(bad)") == [.syntax])
    }
}

/// Persons with a name, an age and a boss.
private struct PersonSchema: PredicateSchema {
    var origin: SchemaOrigin { .stored }
    func property(_ key: String, of entity: String) -> SchemaProperty? {
        switch key {
        case "name": SchemaProperty(.string)
        case "age": SchemaProperty(.number)
        case "boss": SchemaProperty(objects: "Person", isToMany: false)
        case "staff": SchemaProperty(objects: "Person", isToMany: true)
        case "notes": SchemaProperty()
        default: nil
        }
    }
    func keys(of entity: String) -> [String] { entity == "Person" ? ["name", "age", "boss", "staff", "notes"] : [] }
}

@Suite("Keys of a data model")
struct ModelRuleTests {
    private func missing(_ source: String, _ kind: SourceKind = .swift) -> [String] {
        let linter = Linter(LintSettings(), schema: PersonSchema())
        return linter.lint(Array(source.utf8), kind: kind).findings.filter { $0.rule == .model }.map(\.message)
    }

    private let message = ["Person has no key 'nmae' (unknown-key)"]

    @Test(
        "The entity is told",
        arguments: [
            "let r = NSFetchRequest<Person>(entityName: \"Person\")\nr.predicate = NSPredicate(format: \"nmae == 1\")",
            "let r: NSFetchRequest<Person> = Person.fetchRequest()\nr.predicate = NSPredicate(format: \"boss.nmae == 1\")",
            "let r = Person.fetchRequest()\nr.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [\n  NSPredicate(format: \"nmae == 1\")])",
            "@FetchRequest(entity: Person.entity(), sortDescriptors: [],\n  predicate: NSPredicate(format: \"nmae == 1\")) var a",
            "func f(r: NSFetchRequest<Person>) { r.predicate = NSPredicate(format: \"%K == 1\", \"nmae\") }",
            "let r = NSFetchRequest<Person>()\nlet p = NSPredicate(format: \"SUBQUERY(staff, $s, $s.nmae == 1).@count > 0\")\nr.predicate = p",
            "// predicate:entity Person\nlet p = NSPredicate(format: \"nmae == 1\")",
            "import RealmSwift\nrealm.objects(Person.self).filter(\"nmae == 1\")",
        ])
    func told(_ source: String) {
        #expect(missing(source) == message)
    }

    @Test(
        "Objective-C",
        arguments: [
            "NSFetchRequest *r = [NSFetchRequest fetchRequestWithEntityName:@\"Person\"];\nr.predicate = [NSPredicate predicateWithFormat:@\"nmae == 1\"];",
            "NSFetchRequest *r = [[NSFetchRequest alloc] initWithEntityName:@\"Person\"];\n[r setPredicate:[NSPredicate predicateWithFormat:@\"nmae == 1\"]];",
            "[Person objectsWhere:@\"nmae == 1\"];",
        ])
    func objectiveC(_ source: String) {
        #expect(missing(source, .objectiveC) == message)
    }

    @Test(
        "Nothing is missing, or the entity is not told",
        arguments: [
            "let p = NSPredicate(format: \"nmae == 1\")",
            "let r = NSFetchRequest<Dog>()\nr.predicate = NSPredicate(format: \"nmae == 1\")",
            "let r = NSFetchRequest<Person>()\nr.predicate = NSPredicate(format: \"boss.boss.age > 1 AND staff.@count > 0 AND notes.any == 1 AND SELF == %@\", x)",
            "let r = NSFetchRequest<Person>()\nr.predicate = NSPredicate(format: \"%K == 1 AND \\(key) == 1\", key)",
        ])
    func silent(_ source: String) {
        #expect(missing(source) == [])
    }

    @Test(
        "What is known of keys tells more than names",
        arguments: [
            ("\"age == %@\", \"21\"", "kind-mismatch"), ("\"name == %d\", 5", "kind-mismatch"),
            ("\"%K > %@\", \"name\", value", nil), ("\"age > %@\", value", nil),
            ("\"%K == %@ AND \\(clause)\", \"nmae\", x", nil),
            ("\"%K == \\\"a\\\"\", \"age\"", "kind-mismatch"), ("\"staff.name == %d\", x", "to-many-key"),
            ("\"ANY staff.name == %@\", x", nil), ("\"age > 'x' AND \\(clause)\"", "kind-mismatch"),
            ("\"name LIKE 'jo'\"", "like-without-wildcard"), ("\"%@ == 5\", \"age\"", "both-constant"),
        ] as [(String, String?)])
    func kinds(_ words: String, _ code: String?) {
        let source = "let r = NSFetchRequest<Person>()\nr.predicate = NSPredicate(format: \(words))"
        let found = Linter(schema: PersonSchema()).lint(Array(source.utf8), kind: .swift).findings
        #expect(found.map { $0.code?.rawValue } == (code.map { [$0] } ?? []), "\(found.map(\.message))")
    }

    /// Two constants are no matter of the schema.
    @Test func rules() {
        let source = "// predicate:entity Person\nNSPredicate(format: \"age == 'x' AND '1' == 1\")"
        let found = Linter(schema: PersonSchema()).lint(Array(source.utf8), kind: .swift).findings
        let rules = found.map { "\($0.rule.rawValue) \($0.code?.rawValue ?? "")" }
        #expect(rules == ["predicate-model kind-mismatch", "predicate-check kind-mismatch"])
    }

    private static let model = """
        <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Person">
        <attribute name="name" attributeType="String"/><attribute name="age" attributeType="Integer 16"/>
        <attribute name="total" attributeType="Integer 16" derived="YES" derivationExpression="nmae"/>
        <fetchedProperty name="all">
        <fetchRequest name="r" entity="Person" predicateString="name == $FETCH_SOURCE.nmae AND age &gt; 5"/>
        </fetchedProperty></entity>
        <fetchRequest name="s" entity="Person" predicateString="age == 'x'"/></model>
        """

    @Test func dataModel() {
        let own = Linter().lint(Array(Self.model.utf8), kind: .dataModel).findings
        #expect(own.map(\.code) == [.unknownKey, .unknownKey, .kindMismatch])
        #expect(own.map(\.rule) == [.model, .model, .model])
        #expect(own.first?.message == message[0])
    }
}
