import PredicateChecks
import PredicateLint
import PredicateSyntax
import Testing

/// Persons with a name, an age and a boss.
private struct PersonSchema: PredicateSchema {
    var origin: SchemaOrigin { .stored }
    func property(_ key: String, of entity: String) -> PredicateProperty? {
        switch key {
        case "name": PredicateProperty(.string)
        case "age": PredicateProperty(.number)
        case "boss": PredicateProperty(objects: "Person", isToMany: false)
        case "staff": PredicateProperty(objects: "Person", isToMany: true)
        case "notes": PredicateProperty()
        default: nil
        }
    }
    func keys(of entity: String) -> [String] { entity == "Person" ? ["name", "age", "boss", "staff", "notes"] : [] }
}

/// Pets with a name, and cats with lives.
private struct PetSchema: PredicateSchema {
    var origin: SchemaOrigin { .stored }
    func property(_ key: String, of entity: String) -> PredicateProperty? {
        keys(of: entity).contains(key) ? PredicateProperty(.number) : nil
    }
    func keys(of entity: String) -> [String] { ["Pet": ["name"], "Cat": ["lives"]][entity] ?? [] }
}

@Suite("Keys of a data model")
struct ModelRuleTests {
    private func missing(_ source: String, _ kind: SourceKind = .swift) -> [String] {
        let linter = Linter(LintSettings(), schema: PersonSchema())
        return linter.lint(Array(source.utf8), kind: kind).findings.filter { $0.rule == .model }.map(\.message)
    }

    private static let person = "let r = NSFetchRequest<Person>(entityName: \"Person\")\n"

    /// A later assignment, or another branch, gives a variable another predicate.
    @Test(
        "Predicates that do not reach a request",
        arguments: [
            "var p = NSPredicate(format: \"nmae == 1\")\nuse(p)\np = NSPredicate(format: \"age > 3\")\nr.predicate = p",
            "var p: NSPredicate\nif x { p = NSPredicate(format: \"nmae == 1\"); use(p) } else { r.predicate = p }",
            "switch x {\ncase 1: p = NSPredicate(format: \"nmae == 1\")\ncase 2: r.predicate = p\ndefault: break\n}",
        ])
    func unreached(_ source: String) {
        #expect(missing("func find() {\n\(Self.person)\(source)\n}") == [])
    }

    @Test(
        "Predicates that reach a request",
        arguments: [
            "var p = NSPredicate(format: \"nmae == 1\")\nif x { p = NSPredicate(format: \"age > 3\") }\nr.predicate = p",
            "var p = NSPredicate(format: \"nmae == 1\")\nother.p = NSPredicate(format: \"age > 3\")\nr.predicate = p",
            "var p = NSPredicate(format: \"nmae == 1\")\np = NSCompoundPredicate(notPredicateWithSubpredicate: p)\n"
                + "r.predicate = p",
        ])
    func reached(_ source: String) {
        #expect(missing("func find() {\n\(Self.person)\(source)\n}") == message)
    }

    /// A variable of Objective-C may hold another request later.
    @Test func requestsThatAreReplaced() {
        let request = { (name: String) in "[NSFetchRequest fetchRequestWithEntityName:@\"\(name)\"];\n" }
        let set = "r.predicate = [NSPredicate predicateWithFormat:@\"nmae == 1\"];\n"
        let first = "- (void)find {\nNSFetchRequest *r = " + request("Person")
        #expect(missing(first + set + "r = " + request("Shop") + "}", .objectiveC) == message)
        #expect(missing(first + "r = " + request("Shop") + set + "}", .objectiveC) == [])
        #expect(missing(first + "if (x) { r = " + request("Shop") + "}\n" + set + "}", .objectiveC) == [])
    }

    /// A variable may have the name of a property of controllers, and the predicate of one request is not that of another.
    @Test func variablesNamedFetchRequest() {
        let source = { (name: String) in
            """
            func old(_ context: NSManagedObjectContext) {
                let \(name) = NSFetchRequest<Person>(entityName: "Person")
                \(name).predicate = NSPredicate(format: "nmae == 1")
            }
            func other(_ context: NSManagedObjectContext) {
                let \(name) = NSFetchRequest<Shop>(entityName: "Shop")
                \(name).predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "city == 1")])
                let predicate = NSPredicate(format: "age > 3")
                Person.find(predicate: predicate, in: context)
            }
            """
        }
        #expect(missing(source("fetchRequest")) == message)
        #expect(missing(source("request")) == message)
        let property = """
            let request = NSFetchRequest<Person>(entityName: "Person")
            request.fetchRequest.predicate = NSPredicate(format: "nmae == 1")
            """
        #expect(missing(property) == message)
        let alias = "typealias Person = Human\nlet r: NSFetchRequest<Person> = Person.fetchRequest()\n"
        #expect(missing(alias + "r.predicate = NSPredicate(format: \"nmae == 1\")") == [])
    }

    /// The request of a controller and of `self`, and a predicate of `self?`.
    @Test(arguments: [
        "let fetchRequest = NSFetchRequest<Person>(entityName: \"Person\")\nself.fetchRequest.predicate = NSPredicate(format: \"nmae == 1\")",
        "let r = NSFetchRequest<Person>(entityName: \"Person\")\nself?.filter = NSPredicate(format: \"nmae == 1\")\nr.predicate = self?.filter",
        "struct Row { typealias Person = Int }\nlet r: NSFetchRequest<Person> = Person.fetchRequest()\nr.predicate = NSPredicate(format: \"nmae == 1\")",
    ])
    func owners(_ source: String) { #expect(missing(source) == message) }

    @Test func requestOfController() {
        let source = """
            NSFetchRequest *request = [NSFetchRequest fetchRequestWithEntityName:@"Person"];
            [[request fetchRequest] setPredicate:[NSPredicate predicateWithFormat:@"nmae == 1"]];
            """
        #expect(missing(source, .objectiveC) == message)
    }

    /// Only a fetch of a context gives objects of its request, and a cast to another entity decides.
    @Test func othersFetches() {
        let request = "let request = NSFetchRequest<NSManagedObject>(entityName: \"Person\")\n"
        let set = "\nfor object in list { print(object.value(forKey: \"nmae\")) }"
        let own = "extension Store { func fetch(_ request: Any) -> [NSManagedObject] { [] } }\n"
        #expect(missing(request + "let list = try context.fetch(request)" + set) == message)
        #expect(missing(own + request + "let list = store.fetch(request)" + set) == [])
        #expect(missing(request + "let list = store.fetch(for: request)" + set) == [])
        #expect(missing(request + "let list = fetch(request)" + set) == [])
        let cast = """
            let request = NSFetchRequest<NSManagedObject>(entityName: "Pet")
            let pets = try context.fetch(request)
            let cat = pets.first as! Cat
            cat.setValue(9, forKey: "lives")
            """
        let found = Linter(LintSettings(), schema: PetSchema()).lint(Array(cast.utf8), kind: .swift).findings
        #expect(found.isEmpty)
    }

    /// A format that two calls use is listed once, with its own entity.
    @Test func entitiesOfFormats() {
        let source = """
            let f = "age > 3"
            let r = NSFetchRequest<Person>(entityName: "Person")
            r.predicate = NSPredicate(format: f)
            other(NSPredicate(format: "x == 1"))
            r.predicate = NSPredicate(format: f)
            """
        let formats = Linter(LintSettings(), schema: PersonSchema()).lint(Array(source.utf8), kind: .swift).formats
        #expect(formats.map(\.entity) == ["Person", nil])
    }

    /// Objects without a class of their own, which a request of a known entity fetches.
    @Test func fetchedObjects() {
        let source = { (list: String) in
            """
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            let found = try context.fetch(request)
            for object in \(list) { print(object.value(forKey: "nmae") as? String ?? "") }
            """
        }
        for list in [
            "try context.fetch(request)", "found", "(try? context.fetch(request)) ?? []", "found as [NSManagedObject]",
        ] {
            #expect(missing(source(list)) == message, "\(list)")
        }
        #expect(missing(source("others")) == [])
        #expect(missing(source("found.map(\\.boss)")) == [])
        let objectiveC = """
            NSFetchRequest *request = [NSFetchRequest fetchRequestWithEntityName:@"Person"];
            for (NSManagedObject *object in [context executeFetchRequest:request error:nil]) {
                NSLog(@"%@", [object valueForKey:@"nmae"]);
            }
            """
        #expect(missing(objectiveC, .objectiveC) == message)
    }

    /// Names that are defined by themselves end.
    @Test(arguments: [
        "let a = b\nlet b = a\na.predicate = NSPredicate(format: \"nmae == 1\")",
        "func f() { let name = name\nrequest.predicate = NSPredicate(format: \"\\(name) == '\\(name)'\")\nname.setValue(1, forKey: \"nmae\") }",
        "typealias A = B\ntypealias B = A\nfunc f(_ a: A, _ list: [B]) { NSPredicate(format: \"name == %@\", a.b) }",
        "extension A: B {}\nextension B: A {}\nclass A: B { var b: B }\nclass B: A { var a: A }\nNSPredicate(format: \"x == %@\", A().b.a)",
        "for a in a { for b in a { a.setValue(b.first, forKey: \"nmae\") } }",
        "guard case let a as String = a else { return }\nNSPredicate(format: \"name == '\" + a + \"'\")",
        "func f(_ a: String = a) { f(a)\nNSPredicate(format: a) }",
        "var f = f\nf.insert(contentsOf: f, at: f.startIndex)\nNSPredicate(format: f)",
        "let p = [p]\nlet q = p.first\nq.setValue(1, forKey: \"nmae\")\np[0].setValue(1, forKey: \"nmae\")",
    ])
    func names(ofThemselves source: String) { #expect(!missing(source).contains { $0.isEmpty }) }

    /// A migration fetches objects of other versions of the model.
    @Test func migrations() {
        let source = { (base: String) in
            """
            class Policy: \(base) { func f() {
                let r = NSFetchRequest<Person>(entityName: "Person")
                r.predicate = NSPredicate(format: "nmae == 1")
            } }
            """
        }
        #expect(missing(source("NSEntityMigrationPolicy")) == [])
        #expect(missing(source("NSObject")) == message)
    }

    /// `#keyPath` gives the name of a property in Objective-C.
    @Test func keyPaths() {
        let source = { (name: String, key: String) in
            """
            class Person { @NSManaged @objc(\(name)) public private(set) var _name: String? }
            let r = NSFetchRequest<Person>(entityName: "Person")
            r.predicate = NSPredicate(format: "%K == nil", #keyPath(Person.\(key)))
            """
        }
        #expect(missing(source("name", "_name")) == [])
        let further = { (key: String) in
            """
            class Person { @NSManaged @objc(boss) var _boss: Person?
                @NSManaged @objc(name) var _name: String? }
            let r = NSFetchRequest<Person>(entityName: "Person")
            r.predicate = NSPredicate(format: "%K == nil", #keyPath(Person._boss.\(key)))
            """
        }
        #expect(missing(further("_name")) == [])
        #expect(missing(further("_elsewhere")) == [])
        for attribute in ["@objc(CDPerson) public ", "@objc(CDPerson)\n"] {
            for path in ["Person.name", "App.Person.name"] {
                let own = """
                    \(attribute)class Person: NSManagedObject { @NSManaged public var name: String? }
                    let r = NSFetchRequest<Person>(entityName: "Person")
                    r.predicate = NSPredicate(format: "%K == %@", #keyPath(\(path)), x)
                    """
                #expect(missing(own) == [])
            }
        }
        #expect(missing(source("nmae", "_name")) == message)
        #expect(missing(source("name", "nmae")) == message)
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
            Linter().lint(Array("import XCTest\napp.buttons.\(words)".utf8), kind: .swift).findings.flatMap {
                $0.hints.filter { !$0.hasPrefix("see https://developer.apple.com/documentation/") }
            }
        }
        #expect(found(#"matching(NSPredicate(format: "lable == %@", x))"#) == ["did you mean label?"])
        #expect(
            found(#"element(matching: NSPredicate(format: "%K == 1", "identifer"))"#) == ["did you mean identifier?"])
        #expect(found(#"containing(NSPredicate(format: "label == %@ AND enabled == 1 AND exists == 1", x))"#) == [])
        #expect(found(#"containing(NSPredicate(format: "own == 2"))"#).count == 1)
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

/// Strings outside formats that name keys.
@Suite("Keys outside formats")
struct KeyRuleTests {
    private func messages(_ statements: String, _ kind: SourceKind = .swift) -> [String] {
        let request =
            kind == .swift
            ? "let request = NSFetchRequest<Person>(entityName: \"Person\")\n"
            : "NSFetchRequest *request = [NSFetchRequest fetchRequestWithEntityName:@\"Person\"];\n"
        return Linter(LintSettings(), schema: PersonSchema()).lint(Array((request + statements).utf8), kind: kind)
            .findings
            .map(\.message)
    }

    private let absent = ["Person has no key 'nmae' (unknown-key)"]

    @Test(
        "Unknown keys",
        arguments: [
            "request.sortDescriptors = [NSSortDescriptor(key: \"nmae\", ascending: true)]",
            "request.propertiesToFetch = [\"name\", \"nmae\"]", "request.propertiesToGroupBy = [\"nmae\"]",
            "request.relationshipKeyPathsForPrefetching = [\"boss\", \"nmae\"]",
            "let p: Person\np.setValue(\"jo\", forKey: \"nmae\")",
            "let p = Person(context: context)\n_ = p.value(forKey: \"nmae\")",
            "let p = NSEntityDescription.insertNewObject(forEntityName: \"Person\", into: c)\np.setValue(1, forKey: \"nmae\")",
            "let predicate = NSPredicate(format: \"nmae == 'jo'\")\nrequest.predicate = predicate",
            "request.propertiesToUpdate = [\"nmae\": 5]",
            "request.sortDescriptors = []\nlet c = NSFetchedResultsController(fetchRequest: request, managedObjectContext: m, sectionNameKeyPath: \"nmae\")",
            "let p: Person\np.setPrimitiveValue(\"jo\", forKey: \"nmae\")",
            "let p: Person\n_ = p.mutableSetValue(forKey: \"nmae\")",
            "let p: Person\n_ = p.value(forKeyPath: \"staff.@max.nmae\")",
            """
            let sum = NSExpressionDescription()
            sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "nmae")])
            request.propertiesToFetch = [sum]
            """,
            """
            func people() -> NSFetchRequest<Person> { let r = NSFetchRequest<Person>(entityName: "Person"); return r }
            func f() { let r = people(); r.predicate = NSPredicate(format: "nmae == 1") }
            """,
            """
            func people() -> NSFetchRequest<NSFetchRequestResult> { let r = NSFetchRequest<NSFetchRequestResult>(entityName: "Person"); return r }
            func f() { let r = people(); r.predicate = NSPredicate(format: "nmae == 1") }
            """,
            "func f() { request.predicate = named() }\nprivate func named() -> NSPredicate { NSPredicate(format: \"nmae == 1\") }",
            """
            final class List { func f() { request.predicate = named }
                var named: NSPredicate { NSPredicate(format: "nmae == 1") }
            }
            """,
            "enum Field { static let sort = \"nmae\" }\nrequest.sortDescriptors = [NSSortDescriptor(key: Field.sort, ascending: true)]",
            "request.sortDescriptors = [.init(key: \"nmae\", ascending: true)]",
            "enum Field: String { case nmae }\nrequest.predicate = NSPredicate(format: \"%K == 1\", Field.nmae.rawValue)",
            "enum Field: String { case sort = \"nmae\", age }\nrequest.predicate = NSPredicate(format: \"%K == 1\", Field.sort.rawValue)",
            "let all = try Person.find(NSPredicate(format: \"nmae == 1\"), in: context)",
            "let n = try count(Person.self, NSPredicate(format: \"nmae == 1\"))",
            """
            extension Base { static func all(where format: String, _ arguments: CVarArg...) -> [Self] {
                fetch(withVaList(arguments) { NSPredicate(format: format, arguments: $0) })
            } }
            _ = Person.all(where: "nmae == %d", 1)
            """,
        ])
    func unknown(_ source: String) {
        #expect(messages(source) == absent)
    }

    @Test(
        "Unknown keys in Objective-C",
        arguments: [
            "request.sortDescriptors = @[[NSSortDescriptor sortDescriptorWithKey:@\"nmae\" ascending:YES]];",
            "[request setPropertiesToFetch:@[@\"nmae\"]];",
            "request.relationshipKeyPathsForPrefetching = @[@\"nmae\"];",
            "request.sortDescriptors = @[[[NSSortDescriptor alloc] initWithKey:@\"nmae\" ascending:YES]];",
            "request.sortDescriptors = @[];\nc = [[NSFetchedResultsController alloc] initWithFetchRequest:request managedObjectContext:m sectionNameKeyPath:@\"nmae\" cacheName:nil];",
        ])
    func unknownInMessages(_ source: String) {
        #expect(messages(source, .objectiveC) == absent)
    }

    @Test(
        "Values of another kind",
        arguments: [
            "p.setValue(5, forKey: \"name\")", "p.setValue(Date(), forKey: \"name\")",
            "p.setValue([\"a\"], forKey: \"name\")",
            "p.setPrimitiveValue(5, forKey: \"name\")", "p.setValue(\"a\", forKey: \"boss\")",
            "let n = p.value(forKey: \"name\") as? Int", "let n = p.value(forKeyPath: \"boss.name\") as! Date",
            "for q in list { q.setValue(5, forKey: \"name\") }",
        ])
    func kinds(_ statement: String) {
        #expect(messages("let p: Person, list: [Person]\n\(statement)").count == 1, "\(statement)")
    }

    @Test(
        "Values of the right kind",
        arguments: [
            "p.setValue(\"a\", forKey: \"name\")", "p.setValue(nil, forKey: \"name\")",
            "p.setValue(other, forKey: \"name\")",
            "p.setValue(p, forKey: \"boss\")", "p.setValue(Set([p]), forKey: \"staff\")",
            "let n = p.value(forKey: \"name\") as? String", "let n = p.value(forKey: \"boss\") as? Person",
            "let n = p.value(forKey: \"name\") as Any", "let n = p.mutableSetValue(forKey: \"staff\")",
            "defaults.setValue(5, forKey: \"name\")",
        ])
    func rightKinds(_ statement: String) {
        #expect(messages("let p: Person\n\(statement)") == [], "\(statement)")
    }

    /// A set of the objects of a relationship with one.
    @Test func collections() {
        #expect(
            messages("let p: Person\n_ = p.mutableSetValue(forKey: \"name\")") == [
                "name has one value, but mutableSetValue takes a to-many key (to-one-key)"
            ])
    }

    @Test func kindsInMessages() {
        let set = "Person *p = nil;\n[p setValue:@5 forKey:@\"name\"];\n[p setValue:@\"a\" forKey:@\"name\"];"
        #expect(messages(set, .objectiveC) == ["name takes a string, but this is a number (kind-mismatch)"])
    }

    /// An object without a class has the keys of its entity only.
    @Test func plainObjects() {
        let set = "p.setValue(1, forKey: \"colour\")"
        let made = "NSEntityDescription.insertNewObject(forEntityName: \"Person\", into: c)"
        let absent = ["Person has no key 'colour' (unknown-key)"]
        #expect(messages("let p = \(made)\n\(set)") == absent)
        #expect(
            messages(
                "let e = NSEntityDescription.entity(forEntityName: \"Person\", in: c)!\nlet p = NSManagedObject(entity: e, insertInto: c)\n\(set)"
            ) == absent)
        #expect(messages("let p = \(made) as! Person\n\(set)") == [])
        #expect(messages("let p: Person = \(made)\n\(set)") == [])
    }

    @Test func misused() {
        #expect(
            messages("request.sortDescriptors = [NSSortDescriptor(key: \"staff\", ascending: true)]") == [
                "a fetch cannot be sorted by staff, which has several values (to-many-key)"
            ])
        #expect(
            messages("request.relationshipKeyPathsForPrefetching = [\"name\"]") == [
                "name is not a relationship; only relationships can be prefetched (to-one-key)"
            ])
    }

    @Test(
        "Right keys",
        arguments: [
            "request.sortDescriptors = [NSSortDescriptor(key: \"boss.name\", ascending: true)]",
            "request.propertiesToFetch = [\"name\", key]",
            "list.sorted(using: [NSSortDescriptor(key: \"nmae\", ascending: true)])",
            "defaults.setValue(5, forKey: \"nmae\")", "let p: Person\np.setValue(5, forKey: \"objectID\")",
            "let p: Person\np.setValue(5, forKey: \"nmae\")\nextension Person { var nmae: Int { 5 } }",
            "let p: Person\np.setValue(5, forKey: \"title\")",
            "request.predicate = NSPredicate(format: \"name == %@\", other.value(forKey: \"nmae\"))",
            "var adults: NSPredicate { NSPredicate(format: \"age > 18\") }\nrequest.predicate = adults",
            "func f() { request.predicate = named() }\nfunc named() -> NSPredicate { NSPredicate(format: \"nmae == 1\") }",
            """
            private func named() -> NSPredicate { NSPredicate(format: "nmae == 1") }
            func f() { request.predicate = named(); list.filter(using: named()) }
            """,
            """
            func people() -> NSFetchRequest<Person> { people() }
            func f() { let r = people(); r.predicate = NSPredicate(format: "name == 'a'") }
            """,
        ])
    func right(_ source: String) {
        #expect(messages(source) == [])
    }
}
