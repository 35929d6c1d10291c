import PredicateLint
import Testing

/// `#Predicate` in source code: what fails after it compiles, and what is right.
@Suite("Macros")
struct MacroRuleTests {
    private static let models = """
        import SwiftData
        enum Kind: String, Codable { case open, closed }
        struct Address: Codable { var city: String }
        @Model final class Person {
            @Attribute(.unique) var name: String
            var age = 0
            var id: UUID
            var address: Address
            var boss: Person?
            @Relationship(deleteRule: .cascade, inverse: \\Pet.owner) var pets: [Pet] = []
            var isAdult: Bool { age >= 18 }
            @Transient var isOpen = false
            init(name: String) { self.name = name }
        }
        @Model class Pet {
            var name: String = "" { didSet { changed() } }
            var kind: Kind
            var born: Date?
            var chip: UUID
            var flags: Int
            var tags: [String]
            var owner: Person?
            var trainer: Person
        }
        extension Pet { var isYoung: Bool { born != nil } }

        """

    private func texts(_ source: String) -> [String] {
        Linter().lint(Array((Self.models + source).utf8), kind: .swift).findings.filter { $0.rule == .macro }.map(
            \.text)
    }

    private func person(_ body: String) -> [String] { texts("let p = #Predicate<Person> { \(body) }") }
    private func pet(_ body: String) -> [String] { texts("let p = #Predicate<Pet> { \(body) }") }

    /// Failures that public threads report; the first words of the finding.
    @Test(
        "Failures",
        arguments: [
            ("$0.owner == nil", "SwiftData may end the program at a comparison of the relationship owner"),
            ("$0.owner != nil", "SwiftData may end the program"), ("nil == $0.owner", "SwiftData may end the program"),
            ("pet in pet.owner == nil && pet.name == \"x\"", "SwiftData may end the program"),
            (
                "$0.owner?.boss?.name == name",
                "SwiftData ends the program at a chain through two optionals: $0.owner?.boss?.name"
            ),
            ("pet in\n pet.owner?.boss?.persistentModelID == modelID", "SwiftData ends the program at a chain"),
            ("$0.trainer.boss == owner.boss && $0.trainer.boss?.boss?.age ?? 0 > 5", "SwiftData ends the program"),
            ("$0.trainer.isAdult", "isAdult is computed, so SwiftData may have no column"),
            ("!$0.trainer.isAdult", "isAdult is computed"), ("$0.isYoung == true", "isYoung is computed"),
            ("$0.owner!.isOpen", "isOpen is transient"),
            ("$0.trainer.address.city == \"x\"", "city is a member of a Codable"),
            ("$0.kind == kind", "SwiftData may not translate the enum kind"),
            ("$0.kind.rawValue == raw", "SwiftData ends the program at the raw value of the enum kind"),
            ("kinds.contains($0.name) && $0.kind != kind", "SwiftData may not translate the enum kind"),
            ("$0.kind == .open", "#Predicate does not accept the enum case .open"),
            ("$0.kind == Kind.open", "#Predicate does not accept the enum case Kind.open"),
            ("$0.tags.isEmpty == false", "SwiftData ends the program when it compares isEmpty with false"),
            ("$0.trainer.pets.isEmpty != true", "SwiftData ends the program when it compares isEmpty with true"),
            ("$0.name.lowercased() == name", "#Predicate does not accept lowercased()"),
            ("$0.name.hasPrefix(\"x\")", "#Predicate does not accept hasPrefix()"),
            (
                "$0.name.caseInsensitiveCompare(name) == .orderedSame",
                "#Predicate does not accept the enum case .orderedSame"
            ),
            ("if let owner = $0.owner { owner.isAdult } else { false }", "isAdult is computed"),
            ("$0.owner.flatMap { $0.isAdult } ?? false", "isAdult is computed"),
            ("$0.trainer.pets.contains { $0.owner == nil }", "SwiftData may end the program"),
            ("$0.trainer.pets.contains(where: { pet in pet.isYoung })", "isYoung is computed"),
            (
                "$0.name == a && $0.name != b && $0.name != c && $0.trainer.pets.contains { pet in pet.isYoung }",
                "isYoung is computed"
            ),
            ("(pet: Pet) -> Bool in pet.owner == nil", "SwiftData may end the program"),
            ("$0.trainer.pets.filter { $0.isYoung }.count > 5", "isYoung is computed"),
            ("$0.chip.uuidString == text", "SwiftData may end the program at chip.uuidString, a member of a value"),
            ("$0.owner?.id.uuidString == text", "SwiftData may end the program at id.uuidString"),
            ("$0.tags.contains(\"x\")", "SwiftData stores the array tags as one value"),
            (
                "$0.trainer.pets.contains { $0.flags > 9 } == false",
                "SwiftData ends the program when it compares contains"
            ),
            (
                "$0.trainer.pets.filter { $0.trainer.pets.count > 3 }.isEmpty",
                "SwiftData ends the program at the count of pets in a closure"
            ),
            ("$0.name.localizedUppercase == name", "SwiftData ends the program at localizedUppercase"),
            ("$0.name == title.lowercased()", "#Predicate does not accept lowercased()"),
            ("$0.flags == Int(text)", "#Predicate does not accept the global function Int()"),
            ("max($0.flags, 5) == 5", "#Predicate does not accept the global function max()"),
            ("$0.flags & mask != 0", "#Predicate does not accept the operator &"),
            ("$0.flags << 2 == 8", "#Predicate does not accept the operator <<"),
            ("let x = 5; return $0.trainer.age == x", "#Predicate accepts only an expression, not let"),
            ("pet in\n for tag in tags { }\n return true", "#Predicate accepts only an expression, not for"),
            ("switch $0.flags { case 1: true default: false }", "#Predicate accepts only an expression, not switch"),
            (
                "pet in\n if pet.flags > 1 { return true } else { return false }\n return false",
                "#Predicate accepts only one expression"
            ),
            ("$0.trainer.pets.contains { pet in\n pet.name == \"x\"\n pet.flags > 1 }", "#Predicate accepts only one"),
            ("if $0.flags > 5 { $0.name == \"x\" }", "#Predicate does not accept if without else"),
            (
                "if let born = $0.born, $0.flags > 1 { born > start } else { false }",
                "#Predicate does not accept the binding of born next to other conditions"
            ),
        ])
    func failures(_ body: String, _ expected: String) {
        let found = pet(body)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix(expected) == true, "\(found)")
    }

    @Test func theTypeIsTold() {
        let text = "isAdult is computed, so SwiftData may have no column for it"
        #expect(texts("let p: Predicate<Person> = #Predicate { $0.isAdult }") == [text])
        #expect(texts("func adults() -> Predicate<Person> { #Predicate { $0.isAdult } }") == [text])
        #expect(texts("var adults: Predicate<Person> { return #Predicate { $0.isAdult } }") == [text])
        #expect(texts("let p = #Predicate { (person: Person) in person.isAdult }") == [text])
        #expect(texts("let d = FetchDescriptor<Person>(predicate: #Predicate { $0.isAdult })") == [text])
        #expect(texts("struct V { @Query(filter: #Predicate { $0.isAdult }) private var people: [Person] }") == [text])
        #expect(
            texts("let d = FetchDescriptor(predicate: #Predicate<App.Person> { person in\n person.isAdult })") == [text]
        )
        #expect(texts("let p = #Predicate { $0.isAdult }") == [])
    }

    @Test func wholeObjects() {
        let source = "func f(owner: Person) { _ = #Predicate<Pet> { $0.owner == owner } }"
        #expect(texts(source) == ["SwiftData may fail to compare owner as a whole object"])
        #expect(texts(source.replacing("owner: Person", with: "owner: PersistentIdentifier")) == [])
    }

    @Test func genericParameters() {
        let text = "SwiftData does not recognize the key paths of the generic parameter Row"
        #expect(texts("func f<Row: PersistentModel>(_: Row) { _ = #Predicate<Row> { $0.name == name } }") == [text])
        #expect(
            texts("struct Cache<Key, Row: CacheRow> {\n func f() { _ = #Predicate<Row> { $0.isAdult } } }") == [text])
        #expect(
            texts("func f<Row: PersistentModel>(_: Row) { _ = #Predicate<Row> { $0.persistentModelID == id } }") == [])
        #expect(texts("struct Cache<Row> {}\nfunc f() { _ = #Predicate<Row> { $0.name == name } }") == [])
    }

    /// Each finding tells the cure, and where the failure was reported.
    @Test func hints() throws {
        let source = Self.models + "let p = #Predicate<Pet> { $0.owner == nil }"
        let finding = try #require(Linter().lint(Array(source.utf8), kind: .swift).findings.first)
        #expect(
            finding.hints == [
                "fetch without this condition and filter the result",
                "reported (iOS 26): https://github.com/meshtastic/Meshtastic-Apple/pull/1900",
            ])
        #expect(
            LintName.rule(.macro).help.contains("https://github.com/meshtastic/Meshtastic-Apple/pull/1900 (iOS 26)"))
    }

    /// Ordinary macros, and look-alikes of the failures.
    @Test(
        "Right predicates",
        arguments: [
            "$0.name == \"x\"", "$0.born == nil", "$0.born != nil && $0.name != \"\"", "$0.owner?.name == name",
            "$0.owner?.persistentModelID == id", "!$0.tags.isEmpty", "$0.tags.isEmpty", "$0.name.isEmpty == false",
            "$0.flags == 5 && tags.contains($0.name)", "$0.trainer.age > 5 ? true : false",
            "$0.name.localizedStandardContains(text)",
            "$0.name.starts(with: \"x\")", "name.isEmpty || $0.name.contains(name)", "$0.born ?? now < now",
            "$0.trainer.pets.count > 5", "$0.trainer.pets.contains { $0.name == \"x\" }", "ids.contains($0.name)",
            "pet in\n if let born = pet.born { born > start } else { false }", "$0.born.flatMap { $0 > now } == true",
            "isOpen == false || $0.name == \"x\"", "$0.toys?.isEmpty == true", "$0.trainer?.pets.isEmpty != false",
            "$0.trainer.age + 1 == 5", "($0.name) == names[0]", "true",
            "$0.owner?.age ?? 0 > 5", "$0.name == other.kind.rawValue", "words.isEmpty == false || $0.name == \"x\"",
            "$0.name == title", "-$0.trainer.age < 3", "!$0.trainer.pets.contains { $0.flags > 9 }",
            "$0.trainer.pets.count > 3", "$0.trainer.pets.filter { $0.flags < 18 }.count >= 3", "$0.chip == id",
            "if $0.flags > 1 { if $0.flags < 5 { true } else { false } } else { false }", "other.evaluate($0)",
            "if let born = $0.born, let owner = $0.owner { born > start && owner.age > 5 } else { false }",
            "if $0.flags > 1, $0.name == \"x\" { true } else { false }", "$0.flags % 2 == 0 && ($0.flags + 1) * 2 > 5",
            "pet in\n pet.name == \"x\"\n    && pet.flags > 5\n    || pet.flags == 0", "pet in return pet.flags > 1",
            "pet in\n pet\n .name\n .contains(\"x\")", "$0.trainer.pets.allSatisfy { $0.name != \"\" }",
            "$0.name.localizedCompare(name) == order", "$0.trainer.pets.contains(where: \\.isOld)", "$0.born! > start",
            "$0.kind as? String == nil",
            "$0.id == id", "$0.persistentModelID == id", "(0...5).contains($0.trainer.age)", "$0.tags[0] == \"x\"", "",
            "$0.name == \"\\(first) \\(last)\"", "$0.name.contains(/a.*b/)",
        ])
    func right(_ body: String) {
        #expect(pet(body) == [])
    }

    /// Predicates for memory: SwiftData's rules do not apply.
    @Test func inMemory() {
        let types =
            "struct Row: Codable { var next: [Row]?; let id: UUID; var isOld: Bool { true } }\nclass Node { let id = 5; var size = 1 }\n"
        let texts = { (source: String) in
            Linter().lint(Array((types + source).utf8), kind: .swift).findings.map(\.text)
        }
        #expect(texts("_ = #Predicate<Row> { $0.isOld && $0.id == id && $0.next == nil }") == [])
        #expect(texts("_ = #Predicate<Node> { $0.size == 1 }") == [])
        #expect(
            texts("_ = #Predicate<Node> { $0.id == 1 }") == [
                "id is a let property of a class, whose key path #Predicate may refuse"
            ])
    }

    /// Predicates for a type that lists its keys are converted, so each member needs a name.
    @Test func forThisLibrary() {
        let source = """
            struct Row: KeyPathCoding {
                var name: String
                var isOld: Bool { true }
                var isNew: Bool { false }
                static let keys: KeyPathTable<Row> = ["name": .key(\\.name), "old": .key(\\.isOld)]
            }
            _ = #Predicate<Row> { $0.name == "x" && $0.isOld && $0.isNew }
            """
        #expect(
            Linter().lint(Array(source.utf8), kind: .swift).findings.map(\.text) == [
                "isNew has no name in predicates, so the predicate cannot be converted"
            ])
    }

    /// What this library cannot convert, by the types of the properties.
    @Test(
        "Predicates that are not converted",
        arguments: [
            ("$0.id < other", "predicates do not order values of UUID, so the predicate cannot be converted"),
            ("$0.isOpen >= other", "predicates do not order values of Bool, so the predicate cannot be converted"),
            ("$0.ratio * 2 > 1", "ratio is a Float, but predicates compute only with Double"),
            ("$0.tags[1..<3] == tags", "predicates have no slices, so ..< cannot be converted"),
            ("$0.tags.starts(with: tags)", "starts(with:) of the collection tags cannot be converted"),
            ("($0.age as? Double) == 5", "the cast to Double cannot be converted"),
        ])
    func notConverted(_ body: String, _ expected: String) {
        #expect(row(body) == [expected])
    }

    @Test(
        "Predicates that are converted",
        arguments: [
            "$0.id == other", "$0.age < 5 && $0.age + 1 > 2", "$0.tags[0] == tag", "$0.name.starts(with: name)",
            "$0.ratio > 1", "($0.age as? Int) == 5", "$0.age is Int", "$0.tags.contains(tag)", "$0.born ?? now < now",
            "$0.isOpen ? $0.age > 1 : true", "$0.scores[key] == 1", "$0.tags.contains { $0 == name }",
        ])
    func converted(_ body: String) {
        #expect(row(body) == [])
    }

    private func row(_ body: String) -> [String] {
        let source = """
            struct Row: KeyPathCoding {
                var id: UUID
                var name: String
                var age: Int
                var ratio: Float
                var isOpen: Bool
                var born: Date?
                var tags: [String]
                var scores: [String: Int]
            }
            _ = #Predicate<Row> { \(body) }
            """
        return Linter().lint(Array(source.utf8), kind: .swift).findings.map(\.text)
    }

    /// A failure that only programs with some SDKs have is a note that must be asked for.
    @Test func rareFailures() throws {
        let source = Array((Self.models + "_ = #Predicate<Pet> { $0.flags > 1 ? true : false }").utf8)
        #expect(Linter().lint(source, kind: .swift).findings == [])
        let settings = try LintConfiguration("level predicate-macro note").settings
        let finding = try #require(Linter(settings).lint(source, kind: .swift).findings.first)
        #expect(
            finding.text == "SDKs that describe predicates may end the program at this condition, a ternary expression")
    }

    /// The help names the reports, each with the systems.
    @Test func reports() {
        let help = LintName.rule(.macro).help
        #expect(help.split(separator: "https://").count > 20)
        #expect(help.contains("https://github.com/getsentry/sentry-cocoa/issues/3553 (sentry-cocoa 8.18, iOS 17)"))
    }

    /// The configuration may say what evaluates the predicates.
    @Test func hosts() throws {
        let source =
            Self.models + "_ = #Predicate<Pet> { $0.trainer.isAdult && $0.owner == nil }\n"
            + "func f<Row>(_: Row) { _ = #Predicate<Row> { $0.name == name } }"
        let texts = { (line: String) throws -> [String] in
            let settings = try LintConfiguration(line).settings
            return Linter(settings).lint(Array(source.utf8), kind: .swift).findings.map { String($0.text.prefix(24)) }
        }
        #expect(try texts("macros library") == ["isAdult has no name in p", "name has no name in pred"])
        #expect(try texts("macros memory") == [])
        #expect(
            try texts("macros swiftdata") == [
                "isAdult is computed, so ", "SwiftData may end the pr", "SwiftData does not recog",
            ])
        #expect(throws: LintConfigurationError.self) { try LintConfiguration("macros realm") }
    }

    /// Cut macros end, and nothing is reported outside the source.
    @Test func cutMacros() {
        let source = Array(
            (Self.models + "let p = #Predicate<Pet> { pet in if let a = pet.owner?.boss?.name { a ? [b] : (c) } }").utf8
        )
        for end in stride(from: source.count, to: source.count - 90, by: -1) {
            let findings = Linter().lint(Array(source[..<end]), kind: .swift).findings
            #expect(findings.allSatisfy { $0.range.upperBound <= end })
        }
    }

    @Test func comments() {
        #expect(texts("// predicate:disable:next predicate-macro\nlet p = #Predicate<Pet> { $0.owner == nil }") == [])
        #expect(texts("// #Predicate<Pet> { $0.owner == nil }\nlet s = \"#Predicate<Pet> { $0.owner == nil }\"") == [])
    }
}

/// Types of the sources as entities of predicates.
@Suite("Types in sources")
struct SourceTypeTests {
    private static let types = """
        import Predicates
        struct Pet: KeyPathCoding {
            var name: String
            var age: Int
            static let keys: KeyPathTable<Pet> = [
                "name": .key(\\.name), "age": .key(\\.age), "isOld": .computed { $0.age > 9 },
            ]
        }
        struct Dog { var name: String }
        extension Dog: KeyPathCoding { static var keys: KeyPathTable<Dog> { ["name": .key(\\.name)] } }
        struct Cat: KeyPathCoding { static let keys = makeKeys() }
        @Model final class Person { var name: String; var pets: [Visit] }
        @Model final class Visit { var day: Date }

        """

    private func found(_ source: String, separately: Bool = false) -> [String] {
        let types = SourceTypes(Array(Self.types.utf8)).resolved()
        let text = separately ? source : Self.types + source
        let linter = separately ? Linter(types: types) : Linter(types: SourceTypes(Array(text.utf8)).resolved())
        return linter.lint(Array(text.utf8), kind: .swift).findings.map(\.message)
    }

    @Test func entities() {
        let unknown = ["Pet has no key 'nmae' (unknown-key)"]
        #expect(found("// predicate:entity Pet\nlet p = try FormatPredicate(\"nmae == 1\")") == unknown)
        #expect(
            found("// predicate:entity Pet\nlet p = try FormatPredicate(\"nmae == 1\")", separately: true) == unknown)
        #expect(
            found("let pets: [Pet] = []\nlet p = try pets.filtered(using: FormatPredicate(\"nmae == 1\"))") == unknown)
        #expect(found("// predicate:entity Pet\nlet p = try FormatPredicate(\"isOld == YES AND age > 5\")") == [])
        #expect(found("// predicate:entity Pet\nlet p = try FormatPredicate(\"age > 'x'\")").count == 1)
        #expect(found("// predicate:entity Dog\nlet p = try FormatPredicate(\"nmae == 1\")").count == 1)
        #expect(found("// predicate:entity Cat\nlet p = try FormatPredicate(\"nmae == 1\")") == [])
    }

    @Test func models() {
        let fetch = "let r = NSFetchRequest<Person>(entityName: \"Person\")\nr.predicate = NSPredicate(format: \""
        #expect(found(fetch + "nmae == 'x'\")") == ["Person has no key 'nmae' (unknown-key)"])
        #expect(found(fetch + "ANY pets.day > %@\", now)") == [])
        #expect(found(fetch + "ANY pets.dya > %@\", now)") == ["Visit has no key 'dya' (unknown-key)"])
    }

    /// Two types of a name are no entity.
    @Test func ambiguous() {
        let other = "\nenum Other { struct Pet: KeyPathCoding { static let keys = [\"x\": .key(\\.x)] } }\n"
        #expect(found(other + "// predicate:entity Pet\nlet p = try FormatPredicate(\"nmae == 1\")") == [])
    }
}
