import Foundation
import PredicateLint
import Testing

/// Recipes of AutoPkg, tests of Appium, Markdown, and variables of scripts.
@Suite("More sources")
struct MoreSourceTests {
    @Test func recipes() {
        let recipe = { (predicate: String) in
            "<plist><key>Processor</key><string>StopProcessingIf</string><key>predicate</key><string>\(predicate)</string></plist>"
        }
        #expect(SourceKind(path: "a/Firefox.munki.recipe") == .propertyList)
        #expect(
            formats(recipe("new == False AND bundleid != 'x'"), .propertyList) == [
                "1:89 new == False AND bundleid != 'x'"
            ])
        #expect(rules(recipe("%BUILD_PREDICATE%"), .propertyList) == [])
        #expect(rules(recipe("\"%version%\" == \"1.0\" OR bundleid != %bundleid%"), .propertyList) == [])
        #expect(rules(recipe("version == '1' AND"), .propertyList) == [.syntax])
        #expect(rules("<key>predicate</key><string>a ==</string>", .propertyList) == [])
        let yaml = "- Processor: StopProcessingIf\n  Arguments:\n    predicate: "
        #expect(rules(yaml + "new == False AND\n", .script) == [.syntax])
        #expect(formats(yaml + "new == %NEW%\n", .script) == ["3:16 new == %NEW%"])
        #expect(rules("predicate: a ==\n", .script) == [])
    }

    /// The predicates of Appium's locators in each language.
    @Test(
        "Locators",
        arguments: [
            ("driver.find_element(AppiumBy.IOS_PREDICATE, \"label == 'a'\")", "script", "label == 'a'"),
            ("driver.find_element(MobileBy.IOS_PREDICATE, f'label == \"{name}\"')", "script", "label == \"{name}\""),
            ("driver.find_element_by_ios_predicate('label == \"a\"')", "script", "label == \"a\""),
            ("by = '-ios predicate string', 'label == \"a\"'", "script", "label == \"a\""),
            ("find_element(:predicate, \"label == 'a'\")", "script", "label == 'a'"),
            (
                "driver.findElement(AppiumBy.iOSNsPredicateString(\"label == 'a' AND \" +\n  \"enabled == 1\"));",
                "program", "label == 'a' AND enabled == 1"
            ),
            ("@iOSXCUITFindBy(iOSNsPredicate = \"label == 'a'\")", "program", "label == 'a'"),
            (
                "driver.findElement(MobileBy.iOSNsPredicateString(\"label == '\" + name + \"'\"))", "program",
                "label == 'name'"
            ),
            ("driver.findElement(AppiumBy.iOSNsPredicateString(\"label == '$name'\"))", "program", "label == '$name'"),
            ("const e = await $('-ios predicate string:label == \"a\"');", "program", "label == \"a\""),
            ("const e = await $(`-ios predicate string:label == \"${name}\"`);", "program", "label == \"${name}\""),
            ("driver.FindElement(MobileBy.IosNSPredicate($\"label == '{name}'\"));", "program", "label == '{name}'"),
            ("driver.elements('-ios predicate string', 'name IN {\"a\", \"b\"}')", "program", "name IN {\"a\", \"b\"}"),
        ])
    func locators(_ source: String, _ kind: String, _ format: String) throws {
        let kind = try #require(SourceKind(rawValue: kind))
        let found = Linter().lint(Array(source.utf8), kind: kind)
        #expect(found.formats.map(\.text.text) == [format])
        #expect(found.findings.isEmpty, "\(found.findings)")
    }

    @Test func mistakenLocators() {
        #expect(rules("By.IOS_PREDICATE, \"label == 'a', AND enabled == 1\"", .script) == [.syntax])
        let use = "BAR = \"Skipper's\"\nBAY = \"Old Bay\"\nfind(By.IOS_PREDICATE, f\"label == '{%}'\")\n"
        #expect(rules(use.replacing("%", with: "BAR"), .script) == [.syntax])
        #expect(rules(use.replacing("%", with: "BAY"), .script) == [])
        #expect(rules("BAR = 'x'\n" + use.replacing("%", with: "BAR"), .script) == [])
        #expect(rules("iOSNsPredicateString(\"label == 'a' AND\")", .program) == [.syntax])
        #expect(formats("// iOSNsPredicateString(\"label ==\")\niOSNsPredicateString(locator)", .program) == [])
        #expect(formats("using IosNSPredicate;\nvar a = \"label ==\";", .program) == [])
        #expect(formats("const using = '-ios predicate string';\nfoo(\"label ==\")", .program) == [])
        #expect(rules("By.iOSNsPredicateString(\"login_button\")", .program) == [.syntax])
    }

    /// A list of strategies names others, and a constant may stand for a predicate.
    @Test(
        "Names are no predicates",
        arguments: [
            "const all = [\n  'xpath',\n  '-ios predicate string',\n  '-ios class chain',\n];",
            "all = ('-ios predicate string', 'accessibility id')", "IOS_PREDICATE = '-ios predicate string'",
            "@iOSXCUITFindBy(iOSNsPredicate = \"SOME_LOCATOR\")",
            "const names = {\n  '-ios predicate string': 'IosNsPredicate',\n};",
            "all = ['-ios predicate string', 'predicate string', 'predicate string']",
        ])
    func namesOfStrategies(_ source: String) {
        #expect(formats(source, .program) == [])
    }

    /// Misspelled attributes are found.
    @Test func attributesOfElements() {
        #expect(rules("By.IOS_PREDICATE, 'visible == 1 AND nativeAccessibilityElement == 1'", .script) == [])
        #expect(rules("By.IOS_PREDICATE, 'isVisbile == 1'", .script) == [.model])
    }

    @Test func kinds() {
        #expect(SourceKind(path: "ios/fastlane/Fastfile") == .script)
        #expect(SourceKind(path: "a/b.java") == .program)
        #expect(SourceKind(path: "a/b.spec.ts") == .program)
        #expect(SourceKind(path: "README.md") == .markdown)
        #expect(rules("sh(\"log show --predicate 'a == 1 AND'\")", .script) == [.syntax])
    }

    @Test func codeWithinAParagraph() {
        let text = "```inline```\n\n```swift\nNSPredicate(format: \"age > \")\n```\n"
        #expect(rules(text, .markdown) == [.syntax])
    }

    @Test func markdown() {
        let text = """
            Write `NSPredicate(format: "a ==")`:

            ```swift
            let p = NSPredicate(format: "a NOT IN %@", x)
            ```
            - or
              ~~~sh
              log show --predicate 'b =='
              ~~~
            ```text
            NSPredicate(format: "a ==")
            ```
            """
        #expect(findings(text, .markdown) == [Found(4, 32, .syntax), Found(8, 29, .syntax)])
        #expect(
            rules("<!-- predicate:disable:next predicate-syntax -->\n```swift\nlet p = 1\n```", .markdown) == [
                .suppression
            ])
        #expect(rules("```swift\nNSPredicate(format: \"a ==\") // predicate:disable:this\n```", .markdown) == [])
        #expect(rules("```swift\nNSPredicate(format: \"a ==\")", .markdown) == [.syntax])
    }

    @Test func variablesOfScripts() {
        let use = "\nlog show --predicate \"$P\"\n"
        #expect(formats("P='a == \"b\"'" + use, .script) == ["1:3 a == \"b\""])
        #expect(rules("  local P=\"a == 1 AND\"" + use, .script) == [.syntax])
        #expect(rules("P='a == 1 AND'\nP='a == 1'" + use, .script) == [])
        #expect(formats("Q='a =='" + use, .script) == [])
        #expect(formats("P=$(make)" + use, .script) == [])
        #expect(formats(use + "P='a =='", .script) == [])
        let python = "predicate = \"a == 'b'\"\nrun([\"log\", \"show\", \"--predicate\", predicate])"
        #expect(formats(python, .script) == ["1:13 a == 'b'"])
    }

    @Test func operators() throws {
        let configuration = try LintConfiguration("operator fuzzyEquals\nfunction mgl_join\n")
        let source = "NSPredicate(format: \"name fuzzyEquals %@ AND mgl_join({a}) == 1\", x)"
        #expect(rules(source, .swift, configuration.settings) == [])
        #expect(rules(source) == [.syntax])
        let constants = "NSPredicate(format: \"name fuzzyEquals 'x' AND mgl_join({a}) == 'x' AND b MATCHES '('\")"
        let found = Linter(configuration.settings).lint(Array(constants.utf8), kind: .swift).findings
        #expect(found.count == 1 && found.first?.text.hasPrefix("expected a regular expression") == true)
        #expect(rules("NSPredicate(format: \"name fuzzyEquals: %@\", x)", .swift, configuration.settings) == [])
    }
}

/// Configurations of folders, levels by path, and models that are found.
@Suite("Configurations of folders")
struct NestedConfigurationTests {
    private static let bad = "let p = NSPredicate(format: \"age >\")\n"
    private static let never = "let p = NSPredicate(format: \"a > 5 AND a < 3\")\n"
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Person"><attribute name="age" attributeType="Integer 16"/></entity>
        </model>
        """
    private static let fetch =
        "let r = NSFetchRequest<Person>(entityName: \"Person\")\nr.predicate = NSPredicate(format: \"aeg == 5\")\n"

    /// Writes files in a new folder, and lints paths in it with the configuration of the folder.
    private func lint(_ files: [String: String], _ paths: String...) throws -> (
        rows: [String], outcome: LintRun.Outcome, errors: [String]
    ) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        var run = LintRun(paths: paths.map { folder.appending(path: $0).path })
        if let text = files[".predicate-lint"] { run.configuration = try LintConfiguration(text) }
        run.folder = folder.path
        run.format = .json
        try run.readModels()
        var text = ""
        var errors: [String] = []
        let outcome = run.start(
            write: { text += $0 },
            report: { path, error in errors.append("\(path.split(separator: "/").last ?? "") \(error.message)") })
        let rows = text.split(separator: "\n").map { line -> String in
            let path = line.firstMatch(of: /"path":"([^"]*)"/).map { String($0.1).replacing("\\/", with: "/") } ?? ""
            let rule = line.firstMatch(of: /"rule":"([^"]*)"/)?.1 ?? ""
            return "\(path.dropFirst(folder.path.count + 1)) \(rule)"
        }
        return (rows, outcome, errors)
    }

    @Test func innerFiles() throws {
        let files = [
            "a.swift": Self.never, "App/a.swift": Self.never, "App/Tests/a.swift": Self.never,
            "Lib/a.swift": Self.never,
            "App/.predicate-lint": "level never-holds off\n", "App/Tests/.predicate-lint": "level never-holds error\n",
            "Lib/.predicate-lint": "exclude a.swift\n",
        ]
        let expected = ["App/Tests/a.swift predicate-check", "a.swift predicate-check"]
        #expect(try lint(files, "").rows == expected)
        #expect(try lint(files, "App").rows == ["App/Tests/a.swift predicate-check"])
        #expect(try lint(files, "App/Tests").outcome.worst == .error)
        #expect(try lint(files, "App/a.swift").rows == [])
    }

    @Test func mistakesInInnerFiles() throws {
        let found = try lint(["App/.predicate-lint": "exlude a\n", "App/a.swift": Self.bad], "")
        #expect(found.outcome.hasFailures && found.rows == ["App/a.swift predicate-syntax"])
        #expect(found.errors.first?.hasPrefix(".predicate-lint:1 expected exclude") == true)
        let baseline = try lint(["App/.predicate-lint": "baseline old\n"], "")
        #expect(
            baseline.errors == [".predicate-lint:1 expected the baseline in the configuration of the outermost folder"])
    }

    @Test func levelsByPath() throws {
        let files = [
            ".predicate-lint": "level never-holds off Tests/\nlevel syntax warning **/Old*.swift\n",
            "a.swift": Self.never, "Tests/a.swift": Self.never, "App/OldStore.swift": Self.bad,
        ]
        let found = try lint(files, "")
        #expect(found.rows == ["App/OldStore.swift predicate-syntax", "a.swift predicate-check"])
        #expect(found.outcome.worst == .warning)
    }

    @Test func foundModels() throws {
        let files = ["App/M.xcdatamodel/contents": Self.model, "App/a.swift": Self.fetch]
        let found = try lint(files, "")
        #expect(found.rows == ["App/a.swift predicate-model"])
        #expect(found.outcome.foundModels.count == 1)
        // Nothing tells which of two models is meant.
        let twice = files.merging(["Lib/N.xcdatamodel/contents": Self.model]) { own, _ in own }
        #expect(try lint(twice, "").rows == [])
        let none = files.merging([".predicate-lint": "exclude a.swift\n"]) { own, _ in own }
        #expect(try lint(none, "").rows == [])
    }

    /// The model of an inner configuration is that of its folder.
    @Test func innerModels() throws {
        let files = [
            "App/M.xcdatamodel/contents": Self.model, "App/a.swift": Self.fetch, "b.swift": Self.fetch,
            "App/.predicate-lint": "model M.xcdatamodel\n",
            "N.xcdatamodel/contents": Self.model.replacing("\"age\"", with: "\"aeg\""),
        ]
        #expect(try lint(files, "").rows == ["App/a.swift predicate-model"])
    }

    /// Types of other files of the project.
    @Test func typesOfOtherFiles() throws {
        let files = [
            "a.swift": "import SwiftData\nlet p = #Predicate<Trip> { $0.isLong }\n",
            "b.swift": "@Model final class Trip { var days: Int; var isLong: Bool { days > 9 } }\n",
            "c.swift": "// predicate:entity Stop\nlet p = try FormatPredicate(\"nmae == 1\")\n",
            "d.swift":
                "struct Stop: KeyPathCoding { var name: String\nstatic let keys: KeyPathTable<Stop> = [\"name\": .key(\\.name)] }\n",
        ]
        #expect(try lint(files, "").rows == ["a.swift predicate-macro", "c.swift predicate-model"])
        // A file alone has the findings that it has among the others.
        #expect(try lint(files, "a.swift").rows == ["a.swift predicate-macro"])
    }

    /// A diff leaves out lines that are not UTF-8.
    @Test func differences() {
        let line = Array("NSPredicate(format: \"name == '%@'\", x)\n".utf8)
        let source = [0xFC, 0x0A] + Array("let a = 1\n".utf8) + line + [0xE9, 0x0A]
        let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: folder) }
        try? Data(source).write(to: folder)
        var run = LintRun(paths: [folder.path])
        run.fixing = .shown
        var text = ""
        _ = run.start(write: { text += $0 }, report: { _, _ in })
        #expect(!text.contains("\u{FFFD}"))
        #expect(
            text.contains(
                "@@ -2,2 +2,2 @@\n let a = 1\n-NSPredicate(format: \"name == '%@'\", x)\n+NSPredicate(format: \"name == %@\", x)\n"
            ))
    }
}
