import PredicateLint
import Testing

/// Hosts that document their keys and operators.
@Suite("Hosts of predicates")
struct HostRuleTests {
    private func texts(_ source: String, _ kind: SourceKind = .swift) -> [String] {
        Linter().lint(Array(source.utf8), kind: kind).findings.filter { $0.rule == .model }.map {
            $0.hints.first.map { hint in hint.hasPrefix("did") ? hint : "" } ?? ""
        }
    }

    @Test(
        "Misspelled and unknown keys",
        arguments: [
            ("log show --predicate 'proccess == \"sshd\"'", "script", "did you mean process?"),
            ("P='subsytem == \"x\"'\nlog stream --predicate \"$P\"", "script", "did you mean subsystem?"),
            (
                "import XCTest\nlet q = app.buttons\nq.matching(NSPredicate(format: \"lable == %@\", t))", "swift",
                "did you mean label?"
            ),
            (
                "import XCTest\nlet p = NSPredicate(format: \"lable == %@\", t)\nlet b = app.buttons.element(matching: p)",
                "swift", "did you mean label?"
            ),
            (
                "import XCTest\nlet p = NSPredicate(format: \"%K == %@\", \"lable\", t)\napp.cells.containing(p)",
                "swift", "did you mean label?"
            ),
            ("let o = PHFetchOptions()\no.predicate = NSPredicate(format: \"filename == %@\", n)", "swift", ""),
            (
                "let o = PHFetchOptions()\no.predicate = NSPredicate(format: \"mediatype == %d\", 1)", "swift",
                "did you mean mediaType?"
            ),
            (
                "PHFetchOptions *o = [PHFetchOptions new];\no.predicate = [NSPredicate predicateWithFormat:@\"creationdate > %@\", d];",
                "objective-c", "did you mean creationDate?"
            ),
            (
                "let q = NSMetadataQuery()\nq.predicate = NSPredicate(format: \"kMDItemFSNmae == 'x'\")", "swift",
                "did you mean kMDItemFSName?"
            ),
            (
                "import OSLog\nlet e = try OSLogStore(scope: .currentProcessIdentifier).getEntries(matching: NSPredicate(format: \"subsytem == 'x'\"))",
                "swift", "did you mean subsystem?"
            ),
            (
                "import HealthKit\nlet p = NSPredicate(format: \"startDat >= %@\", d as NSDate)\nlet q = HKStatisticsQuery(quantityType: t, quantitySamplePredicate: p, options: .cumulativeSum) { _, _, _ in }",
                "swift", "did you mean startDate?"
            ),
            (
                "<key>installable_condition</key><string>os_ver BEGINSWITH '14'</string>", "plist",
                "did you mean os_vers?"
            ),
            ("driver.findElement(AppiumBy.iOSNsPredicateString(\"lable == 'OK'\"))", "program", "did you mean label?"),
        ])
    func keys(_ source: String, _ kind: String, _ hint: String) throws {
        let kind = try #require(SourceKind(rawValue: kind))
        #expect(texts(source, kind) == [hint])
    }

    @Test(
        "What CloudKit and Contacts refuse",
        arguments: [
            "a == 1 OR b == 2", "a == 1 || b == 2", "name LIKE 'x*'", "name ENDSWITH 'x'", "name MATCHES 'x'",
            "owner.name == 'x'",
        ])
    func refusals(_ format: String) {
        #expect(texts("let q = CKQuery(recordType: \"R\", predicate: NSPredicate(format: \"\(format)\"))").count == 1)
        #expect(
            texts("let p = NSPredicate(format: \"\(format)\")\nlet q = CKQuery(recordType: \"R\", predicate: p)").count
                == 1)
        #expect(
            texts("let r = CNContactFetchRequest(keysToFetch: k)\nr.predicate = NSPredicate(format: \"\(format)\")")
                .count == 1)
        #expect(texts("let p = NSPredicate(format: \"\(format)\")\nlet q = list.filter(p.evaluate)") == [])
    }

    @Test(
        "Right predicates",
        arguments: [
            "log show --predicate 'process == \"sshd\" AND eventMessage CONTAINS \"x\"'|script",
            "log show --predicate 'messageType == error AND custom == 5'|script",
            "import XCTest\nlet p = NSPredicate(format: \"exists == 1\")\nexpectation(for: p, evaluatedWith: e)|swift",
            "import XCTest\napp.buttons.matching(NSPredicate(format: \"identifier BEGINSWITH %@\", x))|swift",
            "let o = PHFetchOptions()\no.predicate = NSPredicate(format: \"(mediaSubtypes & %d) != 0 AND isFavorite == YES\", 1)|swift",
            "let q = CKQuery(recordType: \"R\", predicate: NSPredicate(format: \"creationDate > %@ AND tags CONTAINS %@\", d, t))|swift",
            "let q = CKQuery(recordType: \"R\", predicate: NSPredicate(format: \"self CONTAINS %@ AND NOT (a IN %@)\", d, t))|swift",
            "let p = NSPredicate(format: \"%K.%K > %d\", HKPredicateKeyPathMetadata, key, 75)\nlet q = HKSampleQuery(sampleType: t, predicate: p, limit: 5)|swift",
            "import HealthKit\nlet q = HKSampleQuery(sampleType: t, predicate: NSPredicate(format: \"startDate >= %@ AND metadata.HKWasUserEntered != YES AND sourceRevision.source.name == %@\", d as NSDate, n), limit: 5)|swift",
            "<key>installable_condition</key><string>my_fact == 'x' AND os_vers_major > 12</string>|plist",
            "let r = CNContactFetchRequest(keysToFetch: k)\nr.predicate = CNContact.predicateForContacts(matchingName: n)|swift",
            "driver.findElement(AppiumBy.iOSNsPredicateString(\"label == 'OK' AND wdVisible == 1\"))|program",
        ])
    func right(_ source: String) throws {
        let parts = source.split(separator: "|").map(String.init)
        let kind = try #require(parts.last.flatMap(SourceKind.init(rawValue:)))
        #expect(texts(parts[0], kind) == [])
    }
}

/// Hosts that a team describes.
@Suite("Hosts of a configuration")
struct ConfiguredHostTests {
    private static let table = """
        host Feed
          words an entry
          in FeedQuery
          strings title author kind
          numbers views
          values kind news sport
          write title for headline
          refuses OR || : cannot be queried with OR
          source https://example.com/feed
        level predicate-dynamic off
        """

    private func messages(_ format: String) throws -> [String] {
        let settings = try LintConfiguration(Self.table).settings
        let source = "FeedQuery(matching: NSPredicate(format: \"\(format)\"))"
        return Linter(settings).lint(Array(source.utf8), kind: .swift).findings.map(\.text)
    }

    @Test func itsFactsCount() throws {
        #expect(try messages("titel == 'x'") == ["an entry has no key 'titel'"])
        #expect(try messages("headline == 'x'") == ["an entry has no key 'headline'"])
        #expect(try messages("views == 'x'") == ["a number and a string are never equal"])
        #expect(try messages("kind == 'newz'") == ["kind is never 'newz'"])
        #expect(try messages("title == 'x' OR views == 1") == ["an entry cannot be queried with OR"])
        #expect(try messages("title == 'x' AND kind IN {'news', 'sport'} AND other == 5") == [])
    }

    @Test func mistakes() {
        #expect(throws: LintConfigurationError.self) { try LintConfiguration("host Feed\n  titles name") }
        #expect(throws: LintConfigurationError.self) { try LintConfiguration("host") }
        #expect(throws: LintConfigurationError.self) { try LintConfiguration("host Feed\n  values kind") }
    }
}

/// Formats from outside the program.
@Suite("Formats from outside")
struct InjectionTests {
    @Test(
        "The whole format",
        arguments: [
            "NSPredicate(format: textField.text!)", "let q = cityField.text!\nlet p = NSPredicate(format: q)",
            "func search(query: String) { list.filter(NSPredicate(format: query).evaluate) }",
            "func f(url: URL) throws { let text = try String(contentsOf: url)\n _ = NSPredicate(format: text) }",
            "let p = NSPredicate(format: UserDefaults.standard.string(forKey: \"f\")!)",
            "class C { let city: UITextField\nfunc f() { _ = NSPredicate(format: city.text!) } }",
            "func f(url: URL) throws { let text = try String(contentsOf: url)\n _ = NSPredicate(format: text, argumentArray: []) }",
            "let e = NSExpression(format: field.text!)",
        ])
    func whole(_ source: String) {
        #expect(rules(source) == [.injection])
    }

    @Test func partsThroughLocals() {
        #expect(rules("let q = nameField.text!\nlet p = NSPredicate(format: \"name == '\\(q)'\")") == [.injection])
        #expect(
            rules("let q = url.query!\nlet r = q\nlet p = NSPredicate(format: \"a == 1 AND \" + r)") == [.injection])
        #expect(rules("let q = name\nlet p = NSPredicate(format: \"name == '\\(q)'\")") == [.interpolation])
    }

    @Test func objectiveC() {
        #expect(rules("[NSPredicate predicateWithFormat:self.nameField.text];", .objectiveC) == [.injection])
        #expect(
            rules("NSString *s = [self.searchBar text];\n[NSPredicate predicateWithFormat:s];", .objectiveC) == [
                .injection
            ])
        #expect(
            rules(
                "- (void)find:(NSString *)query { [NSPredicate predicateWithFormat:query]; }", .objectiveC) == [
                    .injection
                ])
        #expect(
            rules(
                "NSString *s = [[NSUserDefaults standardUserDefaults] stringForKey:@\"f\"];\n[NSPredicate predicateWithFormat:s];",
                .objectiveC) == [.injection])
    }

    @Test(
        "Wrappers and values of the program",
        arguments: [
            "func find(_ format: String, _ args: CVarArg...) { NSPredicate(format: format, arguments: getVaList(args)) }",
            "func find(query: String, args: [Any]) { NSPredicate(format: query, argumentArray: args) }",
            "extension A { init(predicate: String) { self.p = NSPredicate(format: predicate) } }",
            "func find(whereClause: String) { NSPredicate(format: whereClause) }", "NSPredicate(format: format)",
            "let q = field.text!\nFormatPredicate(q, policy: .untrusted)", "NSPredicate(format: Constants.format)",
            "let f = make()\nNSPredicate(format: f)",
            "func find(query: String) { NSPredicate(format: \"name == %@\", query) }",
            "NSPredicate(format: \"name == %@\", textField.text!)",
            "func f(n: Int) { NSPredicate(format: \"a == \\(n)\") }",
        ])
    func quiet(_ source: String) {
        #expect(rules(source) == [])
    }

    /// A function that passes a parameter on as a format takes formats itself.
    @Test func wrappersAreCalls() {
        let find =
            "func find(matching format: String, args: CVarArg...) { NSPredicate(format: format, arguments: args) }\n"
        #expect(rules(find + "find(matching: \"a NOT IN %@\", args: x)") == [.syntax])
        #expect(rules(find + "find(matching: \"a IN %@\", args: x)") == [])
        #expect(formats(find + "find(matching: \"a IN %@\", args: x)") == ["2:16 a IN %@"])
        let twice = find + "func find(matching name: String) {}\n"
        #expect(rules(twice + "find(matching: \"x y\")") == [])
        let unlabeled = "func all(_ predicate: String, _ n: Int) { NSPredicate(format: predicate) }\n"
        #expect(rules(unlabeled + "all(\"a == 1\", 5)") == [])
        #expect(rules(unlabeled + "all(\"a = = 1\", 5)") == [.syntax])
        let returning = "func find(_ format: String) -> [Pet] { pets(NSPredicate(format: format)) }\n"
        #expect(rules(returning + "let a = find(\"a ==\")\nfunc g() { find(\"b ==\") }") == [.syntax, .syntax])
        #expect(rules("func f(age: Int) -> NSPredicate { NSPredicate(format: \"a == %@\", age) }") == [.argumentType])
    }

    /// Another type may have a function of the same name.
    @Test func wrappersOfOtherTypes() {
        let add = "- (id)add:(NSString *)filter { return [NSPredicate predicateWithFormat:filter]; }\n"
        let type = "@implementation A\n" + add
        let hello = "add:@\"Hello world\"]; }\n@end\n"
        #expect(rules(add + "- (void)f { [list " + hello, .objectiveC) == [])
        #expect(rules(add + "- (void)f { [self " + hello, .objectiveC) == [.syntax])
        #expect(rules(type + "- (void)f { [list " + hello, .objectiveC) == [])
        #expect(rules(type + "- (void)f { [[B list] " + hello, .objectiveC) == [])
        #expect(rules(type + "- (void)f { [self " + hello, .objectiveC) == [.syntax])
        #expect(rules(type + "- (void)f:(A *)a { [a " + hello, .objectiveC) == [.syntax])
        #expect(rules(type + "- (void)f:(B *)a { [a " + hello, .objectiveC) == [])
        #expect(rules("@property A *a;\n" + type + "- (void)f { [self.a " + hello, .objectiveC) == [.syntax])
        #expect(rules(type + "@end\n@implementation B\n- (void)f { [self " + hello, .objectiveC) == [])
        let find = "class A { func find(_ filter: String) { NSPredicate(format: filter) } }\n"
        #expect(rules(find + "list.find(\"Hello world\")") == [])
        #expect(rules(find + "make().find(\"Hello world\")") == [])
        #expect(rules(find + "A.find(\"Hello world\")") == [.syntax])
        #expect(rules(find + "let a: A = make()\na.find(\"Hello world\")") == [.syntax])
    }
}
