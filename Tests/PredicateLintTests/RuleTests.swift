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
        #expect(rules(source, .swift, settings) == [.interpolation])
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
        let settings = try LintConfiguration("function MGL_MATCH\nfunction mgl_join\n").settings
        let call = #"NSExpression(format: "MGL_MATCH(kind, 'a', %@, mgl_join({'b', name}))", x)"#
        #expect(rules(call, .swift, settings) == [])
        #expect(rules(call) == [.syntax])
        let wrong = #"NSPredicate(format: "mgl_join({a}) == 1 AND b NOT IN %@", x)"#
        #expect(findings(wrong, .swift, settings) == [Found(1, 47, .syntax)])
        #expect(rules(#"NSExpression(format: "mgl_coalesce({a})")"#, .swift, settings) == [.syntax])
        #expect(LintConfigurationError.thrown { try LintConfiguration("function 3(") }?.line == 1)
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
            "import RealmSwift\nlet people = realm.objects(Person.self)\npeople.filter(\"nmae == 1\")",
            "struct V: View {\n  @FetchRequest(entity: Pet.entity(), sortDescriptors: []) var pets: FetchedResults<Pet>\n  @FetchRequest(entity: Person.entity(), sortDescriptors: [], predicate: NSPredicate(format: \"nmae != ''\")) var people: FetchedResults<Person>\n}",
            "struct V: View {\n  @FetchRequest(sortDescriptors: [], predicate: NSPredicate(format: \"nmae != ''\"))\n  private var people: FetchedResults<Person>\n  @FetchRequest(sortDescriptors: []) var pets: FetchedResults<Pet>\n}",
            "@SectionedFetchRequest(sectionIdentifier: \\.kind, sortDescriptors: [], predicate: NSPredicate(format: \"nmae == 1\")) var people: SectionedFetchResults<String, Person>",
            "@SectionedFetchRequest<String, Person>(sortDescriptors: [], predicate: NSPredicate(format: \"nmae == 1\")) var people",
            "struct V: View {\n  @FetchRequest var people: FetchedResults<Person>\n  init() { _people = FetchRequest(sortDescriptors: [], predicate: NSPredicate(format: \"nmae == 1\")) }\n}",
            "struct V: View {\n  @FetchRequest(sortDescriptors: []) var people: FetchedResults<Person>\n  func f() { people.nsPredicate = NSPredicate(format: \"nmae == 1\") }\n}",
            "let r = NSFetchRequest<NSFetchRequestResult>()\nr.entity = NSEntityDescription.entity(forEntityName: \"Person\", in: c)\nr.predicate = NSPredicate(format: \"nmae == 1\")",
            "let r = NSFetchRequest<NSFetchRequestResult>()\nr.predicate = NSPredicate(format: \"nmae == 1\")\nr.entity = Person.entity()",
            "extension Person {\n  static func all() {\n    let r = fetchRequest()\n    r.predicate = NSPredicate(format: \"nmae == 1\")\n  }\n}",
            "extension Person {\n  static func all() {\n    let r = Self.fetchRequest()\n    r.predicate = NSPredicate(format: \"nmae == 1\")\n  }\n}",
            "class Person: NSManagedObject {\n  class func all() {\n    let r = NSFetchRequest<Self>(entityName: name)\n    r.predicate = NSPredicate(format: \"nmae == 1\")\n  }\n}",
            "let r = NSFetchRequest<NSManagedObject>(entityName: String(describing: Person.self))\nr.predicate = NSPredicate(format: \"nmae == 1\")",
            "let a = [NSPredicate(format: \"nmae == 1\"), other]\nlet r = Person.fetchRequest()\nr.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: a)",
            "var a: [NSPredicate] = []\na.append(NSPredicate(format: \"nmae == 1\"))\nlet r = Person.fetchRequest()\nr.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: a)",
            "let a = NSPredicate(format: \"nmae == 1\")\nlet b = NSCompoundPredicate(andPredicateWithSubpredicates: [a, other])\nlet r = Person.fetchRequest()\nr.predicate = b",
            "class C { let frc: NSFetchedResultsController<Person>\nfunc f() { frc.fetchRequest.predicate = NSPredicate(format: \"nmae == 1\") } }",
            "let all = Person.mr_findAll(with: NSPredicate(format: \"nmae == 1\"))",
            "let p = NSPredicate(format: \"nmae == 1\")\nlet all = FetchRequest<Person>(sortDescriptors: [], predicate: p)",
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
            "NSFetchRequest *r = [[NSFetchRequest alloc] init];\n[r setEntity:[NSEntityDescription entityForName:@\"Person\" inManagedObjectContext:c]];\n[r setPredicate:[NSPredicate predicateWithFormat:@\"nmae == 1\"]];",
            "NSFetchRequest *r = [[NSFetchRequest alloc] init];\nNSEntityDescription *e = [NSEntityDescription entityForName:@\"Person\" inManagedObjectContext:c];\nr.entity = e;\nr.predicate = [NSPredicate predicateWithFormat:@\"nmae == 1\"];",
            "NSFetchRequest *r = [NSFetchRequest fetchRequestWithEntityName:@\"Person\"];\nNSPredicate *p = [NSPredicate predicateWithFormat:@\"nmae == 1\"];\n[r setPredicate:p];",
            "[Person MR_findAllWithPredicate:[NSPredicate predicateWithFormat:@\"nmae == 1\"]];",
            "NSPredicate *p = [NSPredicate predicateWithFormat:@\"nmae == 1\"];\nreturn [Person MR_findAllSortedBy:@\"name\" ascending:YES withPredicate:p];",
            "NSArray *a = @[[NSPredicate predicateWithFormat:@\"nmae == 1\"]];\nNSFetchRequest *r = [Person fetchRequest];\nr.predicate = [NSCompoundPredicate andPredicateWithSubpredicates:a];",
            "NSMutableArray *a = [NSMutableArray array];\n[a addObject:[NSPredicate predicateWithFormat:@\"nmae == 1\"]];\nNSFetchRequest *r = [Person fetchRequest];\nr.predicate = [NSCompoundPredicate andPredicateWithSubpredicates:a];",
            "@implementation Person\n+ (void)all { NSFetchRequest *r = [self fetchRequest]; r.predicate = [NSPredicate predicateWithFormat:@\"nmae == 1\"]; }\n@end",
        ])
    func objectiveC(_ source: String) {
        #expect(missing(source, .objectiveC) == message)
    }

    @Test(
        "Nothing is missing, or the entity is not told",
        arguments: [
            "let p = NSPredicate(format: \"nmae == 1\")",
            "let r = NSFetchRequest<Dog>()\nr.predicate = NSPredicate(format: \"nmae == 1\")",
            "struct V: View {\n  @FetchRequest(entity: Person.entity(), sortDescriptors: []) var people: FetchedResults<Person>\n  @FetchRequest(entity: Pet.entity(), sortDescriptors: [], predicate: NSPredicate(format: \"nmae != ''\")) var pets: FetchedResults<Pet>\n}",
            "struct V: View {\n  @FetchRequest(sortDescriptors: [], predicate: NSPredicate(format: \"nmae != ''\")) var pets: FetchedResults<Pet>\n  @FetchRequest(sortDescriptors: []) var people: FetchedResults<Person>\n}",
            "let r = NSFetchRequest<NSFetchRequestResult>()\nlet s = NSFetchRequest<Person>()\nr.predicate = NSPredicate(format: \"nmae == 1\")",
            "let p = NSPredicate(format: \"nmae == 1\")\nlet r = NSFetchRequest<Person>()\nr.predicate = p\nlet s = NSFetchRequest<Dog>()\ns.predicate = p",
            "func f(p: NSPredicate, r: NSFetchRequest<Dog>, s: NSFetchRequest<Person>) { r.predicate = NSPredicate(format: \"nmae == 1\") }",
            "extension Pet {\n  static func all() {\n    let r = fetchRequest()\n    r.predicate = NSPredicate(format: \"nmae == 1\")\n  }\n}\nextension Person {}",
            "func f() {\n  let r = NSFetchRequest<Person>()\n}\nfunc g(r: NSFetchRequest<Dog>) {\n  r.predicate = NSPredicate(format: \"nmae == 1\")\n}",
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

    /// The keys of elements in tests of user interfaces are fixed.
    @Test func elements() {
        let found = { (words: String) in
            Linter().lint(Array("import XCTest\napp.buttons.\(words)".utf8), kind: .swift).findings.flatMap(\.hints)
        }
        #expect(found(#"matching(NSPredicate(format: "lable == %@", x))"#) == ["did you mean label?"])
        #expect(
            found(#"element(matching: NSPredicate(format: "%K == 1", "identifer"))"#) == ["did you mean identifier?"])
        #expect(found(#"containing(NSPredicate(format: "label == %@ AND enabled == 1 AND own == 2", x))"#) == [])
        #expect(found(#"filter { NSPredicate(format: "lable == %@", x) }"#) == [])
        let source =
            #"XCUIElement *e = [q elementMatchingPredicate:[NSPredicate predicateWithFormat:@"lable == 'a'"]];"#
        #expect(findings(source, .objectiveC) == [Found(1, 81, .model)])
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
