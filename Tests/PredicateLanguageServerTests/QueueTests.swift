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
