import Foundation
import PredicateData
import Testing

/// `predicate model`, and `predicate check` with a model.
@Suite struct ModelCommandTests {
    private static func contents(_ attributes: String, _ more: String = "") -> String {
        "<model><entity name=\"Item\">\(attributes)</entity>\(more)</model>"
    }

    private static let name = "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"
    private static let due = "<attribute name=\"due\" optional=\"YES\" attributeType=\"Date\"/>"
    private static let mandatory = "<attribute name=\"count\" attributeType=\"Integer 16\"/>"

    /// A bundle of versions by name, the last one current, in a folder that is removed.
    private static func withBundle(
        _ versions: [(String, String)], _ body: (_ folder: String, _ bundle: String) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("model-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = folder.appendingPathComponent("M.xcdatamodeld")
        for (name, text) in versions {
            let version = bundle.appendingPathComponent("\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: version.appendingPathComponent("contents"))
        }
        let current =
            "<plist><dict><key>_XCCurrentVersionName</key><string>\(versions.last?.0 ?? "").xcdatamodel"
            + "</string></dict></plist>"
        try Data(current.utf8).write(to: bundle.appendingPathComponent(".xccurrentversion"))
        try body(folder.path, bundle.path)
    }

    @Test func versionsAreListed() throws {
        try Self.withBundle([("M", Self.contents(Self.name)), ("M 2", Self.contents(Self.name + Self.due))]) {
            _, path in
            #expect(predicate("model", "list", path) == .success("  M  1 entities\n* M 2  1 entities\n"))
            let json = predicate("model", "list", "--json", path).output
            #expect(json.hasPrefix("{\"current\":false,\"entities\":1,\"name\":\"M\"}\n"))
        }
    }

    @Test func aModelIsShownAndWritten() throws {
        try Self.withBundle([("M", Self.contents(Self.name)), ("M 2", Self.contents(Self.name + Self.due))]) {
            folder, path in
            #expect(
                predicate("model", "show", path) == .success("entity Item\n  name  String\n  due   Date\n"))
            #expect(predicate("model", "dump", path, "--version", "M").output == "entity Item\n  name  String\n")
            #expect(predicate("model", "show", path, "--entity", "Itme").error.contains("did you mean Item?"))
            let copy = folder + "/Copy.xcdatamodel"
            #expect(predicate("model", "write", path, "-o", copy) == .success(""))
            #expect(predicate("model", "diff", path + "/M 2.xcdatamodel", copy).output.contains("nothing to do"))
            #expect(predicate("model", "write", path, "-o", copy).status == 2)
            #expect(predicate("model", "show", "--json", copy).output.contains("\"type\": \"Date\""))
        }
    }

    @Test func theVerdictIsAStatus() throws {
        let unique =
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"name\"/></uniquenessConstraint>"
            + "</uniquenessConstraints>"
        let versions = [
            ("M", Self.contents(Self.name)), ("M 2", Self.contents(Self.name + Self.due)),
            ("M 3", Self.contents(Self.name + Self.due + unique)),
            ("M 4", Self.contents(Self.name + Self.due + Self.mandatory)),
        ]
        try Self.withBundle(versions) { _, path in
            func diff(_ old: String, _ new: String) -> Outcome {
                predicate("model", "diff", "\(path)/\(old).xcdatamodel", "\(path)/\(new).xcdatamodel")
            }
            #expect(diff("M", "M").status == 0)
            #expect(diff("M", "M 2").status == 0)
            #expect(diff("M 2", "M 3").status == 3)
            #expect(diff("M 2", "M 4").status == 1)
            #expect(diff("M 2", "M 4").output.contains("count of Item is new and mandatory"))
            #expect(predicate("model", "diff", path).output.split(separator: "\n").count { !$0.hasPrefix(" ") } == 3)
            #expect(predicate("model", "diff", "--all", "--json", path).output.split(separator: "\n").count == 6)
        }
    }

    @Test func mistakesAreFoundInEveryVersion() throws {
        let wrong = "<fetchRequest name=\"f\" entity=\"Item\" predicateString=\"nmae == 'x'\"/>"
        try Self.withBundle([("M", Self.contents(Self.name, wrong)), ("M 2", Self.contents(Self.name))]) { _, path in
            let outcome = predicate("model", "check", path)
            #expect(outcome.status == 1)
            #expect(outcome.output.hasPrefix("unknown-key: Item has no key 'nmae' (M, fetch request f)\n  nmae == 'x'"))
            #expect(predicate("model", "check", path + "/M 2.xcdatamodel") == .success(""))
        }
    }

    @Test func aPredicateIsCheckedAgainstAnEntity() throws {
        try Self.withBundle([("M", Self.contents(Self.name + Self.due))]) { _, path in
            func check(_ words: String...) -> Outcome {
                predicate(["check"] + words + ["--model", path, "--entity", "Item"], source: MemorySource(""))
            }
            #expect(check("name == %@ AND due < %@ AND %K == 5") == .success(""))
            #expect(check("nmae == 'x'").output.contains("did you mean name?"))
            #expect(check("name == %@", "--arg", "5").status == 1)
            #expect(check("nmae == 'x'", "--json").output.contains("\"code\":\"unknown-key\""))
            #expect(predicate("check", "a == 1", "--model", path).error.contains("--model needs --entity"))
            #expect(
                predicate("check", "a == 1", "--model", path, "--entity", "Itme").error.contains("did you mean Item?"))
        }
    }

    @Test func versionsThatGitHasStayWhatTheyWere() throws {
        try Self.withBundle([("M", Self.contents(Self.name))]) { folder, path in
            func git(_ words: String...) throws {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b"] + words
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                process.waitUntilExit()
            }
            try git("init", "-q")
            try git("add", "-A")
            try git("commit", "-qm", "one")
            let file = URL(fileURLWithPath: path + "/M.xcdatamodel/contents")
            func unchanged() -> Outcome { predicate("model", "unchanged", path, "--since", "HEAD") }
            #expect(unchanged() == .success(""))
            let saved = Self.contents(Self.name).replacing("<model>", with: "<model lastSavedToolsVersion=\"2\">")
            try Data(saved.utf8).write(to: file)
            #expect(unchanged() == .success(""))
            try Data(Self.contents(Self.due).utf8).write(to: file)
            #expect(unchanged().status == 1)
            #expect(unchanged().output.hasPrefix("M: changed since HEAD\n"))
            #expect(predicate("model", "unchanged", path, "--since", "nothing").status == 2)
            #expect(predicate("model", "unchanged", path, "--since", "-x").status == 2)
        }
    }

    @Test func modelsAreMergedAndCompiled() throws {
        let other = "<entity name=\"Other\">\(Self.due)</entity>"
        try Self.withBundle([("M", Self.contents(Self.name)), ("M 2", Self.contents(Self.name, other))]) {
            folder, path in
            let versions = [path + "/M.xcdatamodel", path + "/M 2.xcdatamodel"]
            let all = folder + "/All.xcdatamodeld"
            #expect(predicate(["model", "merge"] + versions + ["-o", all], source: MemorySource("")) == .success(""))
            #expect(predicate("model", "diff", versions[1], all).output.contains("nothing to do"))
            #expect(predicate("model", "list", all).output == "* All  2 entities\n")
            let conflict = folder + "/N.xcdatamodel"
            try FileManager.default.createDirectory(atPath: conflict, withIntermediateDirectories: true)
            try Data(Self.contents(Self.mandatory).utf8).write(to: URL(fileURLWithPath: conflict + "/contents"))
            let refused = predicate("model", "merge", path, conflict)
            #expect(refused.status == 2 && refused.error.contains("different versions of entity Item"))

            #expect(predicate("model", "compile", path, "-o", folder + "/M.momd") == .success(""))
            #expect(predicate("model", "list", folder + "/M.momd").output == "  M  1 entities\n* M 2  2 entities\n")
            #expect(predicate("model", "compile", path, "--version", "M", "-o", folder + "/M.mom") == .success(""))
            #expect(predicate("model", "diff", versions[0], folder + "/M.mom").output.contains("nothing to do"))
            #expect(predicate("model", "compile", path).error.contains("--save NAME.mom"))
            #expect(predicate("model", "compile", path, "-o", folder + "/M.mom").error.contains("already exists"))
        }
    }

    @Test func aStoreHasTheEntitiesOfAConfiguration() throws {
        let more =
            "<entity name=\"Other\">\(Self.due)</entity>"
            + "<configuration name=\"Local\"><memberEntity name=\"Other\"/></configuration>"
        try Self.withBundle([("M", Self.contents(Self.name, more))]) { folder, path in
            let store = folder + "/M.sqlite"
            #expect(
                predicate("store", "create", store, "--model", path, "--configuration", "Cloud").error.contains(
                    "are Local"))
            #expect(predicate("store", "create", store, "--model", path, "--configuration", "Local").status == 0)
            let shown = predicate("model", "show", store).output
            #expect(shown.hasPrefix("entity Other\n  due  Date\n") && !shown.contains("Item"))
        }
    }

    @Test func wrongUse() {
        #expect(predicate("model").error.contains("expected one of list, show"))
        #expect(predicate("model", "shwo", "x").error.contains("did you mean show?"))
        #expect(predicate("model", "list", "x", "--all").error.contains("--all is not for list"))
        #expect(predicate("model", "list").error.contains("expected list FILE"))
        #expect(predicate("model", "show", "/nothing.xcdatamodel").error.contains("the file does not exist"))
        #expect(predicate("help", "model").output.contains("unchanged BUNDLE --since REF"))
    }
}
