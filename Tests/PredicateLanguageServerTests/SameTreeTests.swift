import Foundation
import PredicateLint
import PredicateSyntax
import Testing

@testable import PredicateLanguageServer

/// One tree of sources, put to each tool as it is used: `predicate lint .`, `predicate-lint` with a directory, with the
/// files of a target as build plugins and commit hooks pass them, and the language server with each file open.
struct SameTreeTests {
    /// A finding as every tool shows it.
    struct Row: Hashable, Comparable, CustomStringConvertible {
        var path: String
        var line: Int
        var rule: String
        var message: String

        var description: String { "\(path):\(line): \(message) [\(rule)]" }

        static func < (left: Row, right: Row) -> Bool { left.description < right.description }
    }

    private static func model(_ entity: String, _ attribute: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="\(entity)"><attribute name="\(attribute)" attributeType="Integer 16"/></entity>
        </model>
        """
    }

    private static func request(_ entity: String, _ format: String) -> String {
        """
        let r = NSFetchRequest<\(entity)>(entityName: "\(entity)")
        r.predicate = NSPredicate(format: "\(format)")
        """
    }

    private static let files = [
        ".predicate-lint": "level never-holds off Tests/\nexclude Generated\nfunction own\n",
        "App/Shop.xcdatamodel/contents": model("Person", "age"),
        "App/a.swift": request("Person", "age == '5' AND name == 1")
            + "\nlet p = NSPredicate(format: \"🎈 == %@ AND a NOT IN %@\", x)",
        "App/b.swift": "@Model final class Trip { var days: Int; var isLong: Bool { days > 9 } }",
        "App/c.swift": "let p = #Predicate<Trip> { $0.isLong }\n",
        "App/e.swift":
            "func pets(_ format: String) -> P { NSPredicate(format: format) }\nstruct Search { var age: Int }\n",
        "App/f.swift":
            "let q = pets(\"a ==\")\nextension Search { func g() { _ = NSPredicate(format: \"a == %@\", age) } }\n",
        "App/d.m": "[NSPredicate predicateWithFormat:@\"own(1) == %@ AND a IN\", b];\n",
        "Tests/.predicate-lint": "level predicate-argument-count warning\n",
        "Tests/t.swift": "NSPredicate(format: \"a > 5 AND a < 3\")\nNSPredicate(format: \"a == %@ AND b == %@\", x)\n",
        "Lib/.predicate-lint": "model Zoo.xcdatamodel\n",
        "Lib/Zoo.xcdatamodel/contents": model("Cage", "size"),
        "Lib/y.swift": request("Person", "name == 1"),
        "Lib/z.swift": request("Cage", "sise > 3"),
        "Generated/g.swift": "NSPredicate(format: \"a ==\")\n",
        "Pods/p.swift": "NSPredicate(format: \"a ==\")\n",
        "Views/v.swift": request("Person", "agee == 5") + "\nlet p = #Predicate<Trip> { $0.isLong }\n",
        "tools/x.sh": "log show --predicate 'proccess == \"a\"'\nlog show --predicate 'process =='\n",
        "README.md": "```swift\nNSPredicate(format: \"age >\")\n```\n",
    ]

    /// The sources that a tool may be given by name.
    private static let sources = files.keys.filter { !$0.hasSuffix("contents") && !$0.hasSuffix(".predicate-lint") }

    private static func withTree(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tree-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        try body(folder)
    }

    // MARK: Tools

    private func run(_ tool: String, _ arguments: [String], in folder: URL, _ root: URL) throws -> [Row] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: tool)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 1, "\(tool) \(arguments)")
        let prefix = root.path + "/"
        return try String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
            let row = try JSONDecoder().decode(JSONRow.self, from: Data(line.utf8))
            let path = row.path.hasPrefix(prefix) ? String(row.path.dropFirst(prefix.count)) : row.path
            return Row(path: path, line: row.line, rule: row.rule, message: row.message)
        }.sorted()
    }

    private struct JSONRow: Decodable {
        var path: String
        var line: Int
        var rule: String
        var message: String
    }

    /// The diagnostics of the server for each file that an editor may open.
    private func server(_ folder: URL) throws -> [Row] {
        let project = Project(folder: folder.path)
        return try Self.sources.flatMap { path -> [Row] in
            let text = try #require(Self.files[path])
            let language = path.hasSuffix(".swift") ? "swift" : path.hasSuffix(".m") ? "objective-c" : ""
            let uri = "file://\(folder.path)/\(path)"
            let client = try ScriptedClient.open(text, language, uri, project: project)
            return client.diagnostics.map { diagnostic in
                Row(
                    path: path, line: (diagnostic["range"]?["start"]?["line"]?.count ?? -1) + 1,
                    rule: diagnostic["code"]?.text ?? "",
                    message: (diagnostic["message"]?.text ?? "").split(separator: "\n").first.map(String.init) ?? "")
            }
        }.sorted()
    }

    @Test func everyToolFindsTheSame() throws {
        try Self.withTree { folder in
            let rows = try run("predicate", ["lint", "--format", "json", "."], in: folder, folder)
            let places = Set(rows.map { "\($0.path):\($0.line) \($0.rule)" })
            let expected: Set = [
                "App/a.swift:2 predicate-model", "App/a.swift:3 predicate-syntax", "App/c.swift:1 predicate-macro",
                "App/f.swift:1 predicate-syntax", "App/f.swift:2 predicate-argument-type", "App/d.m:1 predicate-syntax",
                "Lib/z.swift:2 predicate-model", "README.md:2 predicate-syntax",
                "Tests/t.swift:2 predicate-argument-count", "tools/x.sh:1 predicate-model",
                "tools/x.sh:2 predicate-syntax", "Views/v.swift:2 predicate-model", "Views/v.swift:3 predicate-macro",
            ]
            #expect(places == expected)

            let away = URL(fileURLWithPath: "/")
            let all = Self.sources.map { folder.appending(path: $0).path }.sorted()
            let json = ["--format", "json"]
            let here = try run("predicate-lint", json + ["."], in: folder, folder)
            #expect(here == rows)
            let rooted = try run("predicate-lint", json + ["--root", folder.path, folder.path], in: away, folder)
            #expect(rooted == rows)
            // Dependencies that are named are linted.
            let named = all.filter { !$0.contains("/Pods/") }
            let files = try run("predicate-lint", json + ["--root", folder.path, "--"] + named, in: away, folder)
            #expect(files == rows)
            let hook = try run(
                "predicate", ["lint"] + json + Self.sources.filter { $0 != "Pods/p.swift" }, in: folder, folder)
            #expect(hook == rows)
            #expect(try server(folder) == rows)
        }
    }

    /// A baseline hides the same findings in every tool.
    @Test func everyToolReadsTheBaseline() throws {
        try Self.withTree { folder in
            let all = try run("predicate", ["lint", "--format", "json", "."], in: folder, folder)
            var known = LintRun(paths: [folder.appending(path: "App/a.swift").path])
            known.keepsRows = true
            let old = known.start(write: { _ in }, report: { _, _ in }).rows
            let file = folder.appending(path: "old.txt")
            try LintBaseline.text(of: old, file: file.path).write(to: file, atomically: true, encoding: .utf8)
            try "level never-holds off Tests/\nexclude Generated\nfunction own\nbaseline old.txt\n".write(
                to: folder.appending(path: ".predicate-lint"), atomically: true, encoding: .utf8)

            let rows = try run("predicate", ["lint", "--format", "json", "."], in: folder, folder)
            #expect(rows == all.filter { $0.path != "App/a.swift" || $0.rule != "predicate-syntax" })
            #expect(rows.count == all.count - 1)
            let away = URL(fileURLWithPath: "/")
            let rooted = ["--format", "json", "--root", folder.path, folder.path]
            #expect(try run("predicate-lint", rooted, in: away, folder) == rows)
            #expect(try server(folder) == rows)
        }
    }

    /// A folder alone has the findings that it has in its tree.
    @Test(arguments: ["App", "Lib", "Tests", "Views", "tools"])
    func everyFolderAloneHasItsFindings(_ name: String) throws {
        try Self.withTree { folder in
            let json = ["--format", "json"]
            let rows = try run("predicate-lint", json + ["."], in: folder, folder)
            let own = rows.filter { $0.path.hasPrefix(name + "/") }
            #expect(try run("predicate", ["lint"] + json + [name], in: folder, folder) == own)
            let away = URL(fileURLWithPath: "/")
            let path = folder.appending(path: name).path
            #expect(try run("predicate-lint", json + ["--root", folder.path, path], in: away, folder) == own)
        }
    }

    /// A repository in a folder of several knows nothing of the others.
    @Test func everyRepositoryIsAProject() throws {
        try Self.withTree { folder in
            let repository = folder.appending(path: "Views/.git")
            try FileManager.default.createDirectory(at: repository, withIntermediateDirectories: true)
            let json = ["lint", "--format", "json", "--level", "predicate-dynamic=warning"]
            let source = "NSPredicate(format: format)\n"
            try (Self.files["Views/v.swift"].map { $0 + source } ?? source).write(
                to: folder.appending(path: "Views/v.swift"), atomically: true, encoding: .utf8)
            for path in ["Views", "Views/v.swift"] {
                #expect(try run("predicate", json + [path], in: folder, folder).map(\.rule) == ["predicate-dynamic"])
            }
        }
    }

    /// A file alone has the findings that it has in its tree.
    @Test func everyFileAloneHasItsFindings() throws {
        try Self.withTree { folder in
            let rows = try run("predicate-lint", ["--format", "json", "."], in: folder, folder)
            for path in Set(rows.map(\.path)) {
                let own = try run("predicate", ["lint", "--format", "json", path], in: folder, folder)
                #expect(own == rows.filter { $0.path == path })
            }
        }
    }
}
