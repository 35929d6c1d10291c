import Foundation
import PredicateSyntax
import Testing

@testable import PredicateLanguageServer

/// Messages that arrive together, and projects with mistakes in their configuration.
@Suite("Queued messages of a language client")
struct QueueTests {
    private static func framed(_ bodies: [String]) -> [UInt8] {
        bodies.flatMap { Array("Content-Length: \($0.utf8.count)\r\n\r\n\($0)".utf8) }
    }

    private static func change(_ text: String, _ version: Int) -> String {
        "{\"jsonrpc\": \"2.0\", \"method\": \"textDocument/didChange\", \"params\": {\"textDocument\":"
            + " {\"uri\": \"file:///work/a.swift\", \"version\": \(version)}, \"contentChanges\": [{\"text\":"
            + " \(ScriptedClient.quoted(text))}]}}"
    }

    /// Edits in a row are analyzed once, with the last version.
    @Test func editsAreAnalyzedOnce() throws {
        let client = try ScriptedClient.open("let a = 1")
        let before = client.notifications.count
        _ = try client.receive(
            Self.framed((2...101).map { Self.change("NSPredicate(format: \"a == \($0) AND\")", $0) }))
        #expect(client.notifications.count == before + 1)
        #expect(client.notifications.last?["params"]?["version"] == .integer(101))
        #expect(client.shownDiagnostics.count == 1)
    }

    /// A request after an edit sees the edit.
    @Test func requestsSeeTheEditsBefore() throws {
        let client = try ScriptedClient.open("let a = 1")
        let hover =
            "{\"jsonrpc\": \"2.0\", \"id\": 90, \"method\": \"textDocument/hover\", \"params\":"
            + " \(ScriptedClient.position(0, 24))}"
        let answers = try client.receive(Self.framed([Self.change("NSPredicate(format: \"age == 1\")", 2), hover]))
        #expect(answers.first { $0["id"] == .integer(90) }?["result"]?.isObject == true)
    }

    @Test func cancelledRequests() throws {
        let client = try ScriptedClient.open("NSPredicate(format: \"age == 1\")")
        let hover = { (id: Int) in
            "{\"jsonrpc\": \"2.0\", \"id\": \(id), \"method\": \"textDocument/hover\", \"params\":"
                + " \(ScriptedClient.position(0, 24))}"
        }
        let cancel = "{\"jsonrpc\": \"2.0\", \"method\": \"$/cancelRequest\", \"params\": {\"id\": 91}}"
        let answers = try client.receive(Self.framed([hover(90), hover(91), cancel]))
        #expect(answers.count == 2)
        #expect(answers[0]["result"]?.isObject == true)
        #expect(answers[1]["error"]?["code"] == .integer(-32800))
        // The identifier may be used again, and a late cancellation does nothing.
        #expect(try client.receive(Self.framed([cancel])).isEmpty)
        #expect(try client.receive(Self.framed([hover(91)])).first?["result"]?.isObject == true)
    }

    @Test func otherDocuments() throws {
        let client = try ScriptedClient.open("# Title", "plaintext", "file:///work/a.txt")
        let position = ScriptedClient.position(0, 0, "file:///work/a.txt")
        for method in ["textDocument/hover", "textDocument/completion", "textDocument/codeAction"] {
            let answer = try client.request(method, position)
            #expect(answer["error"] == nil && answer["result"] == nil)
        }
    }

    /// Mistakes in the configuration are shown, and the rest of the project is used.
    @Test func mistakesInTheConfiguration() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lsp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Tests"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: ".predicate-lint")
        try "exlude Pods\n".write(to: file, atomically: true, encoding: .utf8)
        let broken = ScriptedClient(project: Project(folder: folder.path))
        try broken.request("initialize", "{\"rootUri\": \"file://\(folder.path)\"}")
        try broken.notify("initialized")
        let shown = broken.notifications.filter { $0["method"]?.text == "window/showMessage" }
        #expect(shown.count == 1)
        #expect(shown.first?["params"]?["message"]?.text?.contains(".predicate-lint:1: expected exclude") == true)

        try "model None.xcdatamodeld\n".write(to: file, atomically: true, encoding: .utf8)
        #expect(Project(folder: folder.path).problems.count == 1)
        try "level syntax off Tests/\n".write(to: file, atomically: true, encoding: .utf8)
        let uri = "file://\(folder.path)/Tests/a.swift"
        let client = try ScriptedClient.open(
            "NSPredicate(format: \"a ==\")", "swift", uri, project: Project(folder: folder.path))
        #expect(client.shownDiagnostics == [])
    }

    /// Types of the project's sources are known as they are to `predicate lint`.
    @Test func typesOfTheProject() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lsp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "@Model final class Trip { var days: Int; var isLong: Bool { days > 9 } }".write(
            to: folder.appending(path: "b.swift"), atomically: true, encoding: .utf8)
        let client = try ScriptedClient.open(
            "let p = #Predicate<Trip> { $0.isLong }", project: Project(folder: folder.path))
        #expect(client.shownDiagnostics == ["0:30-0:36 predicate-macro"])
    }
}

/// Configurations and models of inner folders.
@Suite("Inner folders of a project")
struct InnerFolderTests {
    private static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lsp-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Lib/Zoo.xcdatamodel"), withIntermediateDirectories: true)
        try body(folder)
    }

    private static func write(_ text: String, _ path: String, in folder: URL) throws {
        try text.write(to: folder.appending(path: path), atomically: true, encoding: .utf8)
    }

    private static func model(_ attributes: String...) -> String {
        let lines = attributes.map { "<attribute name=\"\($0)\" attributeType=\"String\"/>" }.joined()
        return "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">"
            + "<entity name=\"Cage\">\(lines)</entity></model>"
    }

    private static func diagnostics(_ client: ScriptedClient, _ file: String) -> [PredicateValue]? {
        client.notifications.last { $0["params"]?["uri"]?.text?.hasSuffix(file) == true }?["params"]?["diagnostics"]?
            .list
    }

    /// A mistake in the configuration of an inner folder is shown in that file, once, until it is mended.
    @Test func mistakesInInnerConfigurations() throws {
        try Self.withFolder { folder in
            try Self.write("# ours\nexlude Pods\n", "Lib/.predicate-lint", in: folder)
            let uri = "file://\(folder.path)/Lib/a.swift"
            let client = try ScriptedClient.open(
                "NSPredicate(format: \"a ==\")", "swift", uri, project: Project(folder: folder.path))
            let shown = try #require(Self.diagnostics(client, "Lib/.predicate-lint"))
            #expect(shown.map { ScriptedClient.place($0["range"]) } == ["1:0-2:0"])
            #expect(shown.first?["message"]?.text?.contains("did you mean exclude?") == true)
            #expect(Self.diagnostics(client, "a.swift")?.count == 1)
            let before = client.notifications.count
            try client.change("{\"text\": \"NSPredicate(format: \\\"b ==\\\")\"}", uri)
            #expect(client.notifications.count == before + 1)

            try Self.write("level predicate-syntax off\n", "Lib/.predicate-lint", in: folder)
            try client.notify("workspace/didChangeWatchedFiles")
            #expect(Self.diagnostics(client, "Lib/.predicate-lint") == [])
            #expect(Self.diagnostics(client, "a.swift") == [])
        }
    }

    /// Completion and hover know the keys of an inner model, also after it has changed.
    @Test func keysOfInnerModels() throws {
        try Self.withFolder { folder in
            try Self.write("model Zoo.xcdatamodel\n", "Lib/.predicate-lint", in: folder)
            try Self.write(Self.model("bars"), "Lib/Zoo.xcdatamodel/contents", in: folder)
            let uri = "file://\(folder.path)/Lib/a.swift"
            let text =
                "let r = NSFetchRequest<Cage>(entityName: \"Cage\")\nr.predicate = NSPredicate(format: \"bars == 'x'\")"
            let client = try ScriptedClient.open(text, "swift", uri, project: Project(folder: folder.path))
            #expect(client.diagnostics == [])
            #expect(try client.completions(1, 35, uri).contains { $0["label"]?.text == "bars" })
            let hover = try client.result("textDocument/hover", ScriptedClient.position(1, 37, uri))
            #expect(hover?["contents"]?["value"]?.text?.contains("`bars`: String") == true)

            try Self.write(Self.model("poles"), "Lib/Zoo.xcdatamodel/contents", in: folder)
            let old = [FileAttributeKey.modificationDate: Date(timeIntervalSinceReferenceDate: 0)]
            let file = folder.appending(path: "Lib/Zoo.xcdatamodel/contents").path
            try FileManager.default.setAttributes(old, ofItemAtPath: file)
            try client.notify("textDocument/didSave")
            #expect(client.shownDiagnostics == ["1:35-1:39 predicate-model"])
            #expect(try client.completions(1, 35, uri).contains { $0["label"]?.text == "poles" })
        }
    }

    /// A file that is not linted has no findings, but completion.
    @Test func excludedFiles() throws {
        try Self.withFolder { folder in
            try Self.write("exclude Lib\n", ".predicate-lint", in: folder)
            let uri = "file://\(folder.path)/Lib/a.swift"
            let client = try ScriptedClient.open(
                "NSPredicate(format: \"a ==\")", "swift", uri, project: Project(folder: folder.path))
            #expect(client.shownDiagnostics == [])
            #expect(try client.completions(0, 22, uri).isEmpty == false)
        }
    }
}
