import Foundation
import PredicateJSON
import PredicateSyntax
import Testing

@testable import PredicateLanguageServer

/// A scripted editor talks to the server.
struct LanguageServerTests {
    // MARK: Life

    @Test func lifeOfAServer() throws {
        let client = ScriptedClient()
        #expect(try client.errorCode("textDocument/hover") == .integer(-32002))
        let result = try client.result("initialize", "{\"processId\": null, \"rootUri\": null, \"capabilities\": {}}")
        #expect(result?["serverInfo"]?["name"] == .string("predicate"))
        #expect(result?["serverInfo"]?["version"] == .string("1.2"))
        #expect(result?["capabilities"]?["positionEncoding"] == .string("utf-16"))
        #expect(result?["capabilities"]?["textDocumentSync"]?["change"] == .integer(2))
        #expect(try client.errorCode("initialize") == .integer(-32600))
        #expect(try client.errorCode("textDocument/definition") == .integer(-32601))
        try client.notify("$/setTrace", "{\"value\": \"off\"}")
        #expect(try client.request("shutdown", "null")["error"] == nil)
        #expect(try client.errorCode("textDocument/hover") == .integer(-32600))
        #expect(client.exitStatus == nil)
        try client.notify("exit")
        #expect(client.exitStatus == 0)
    }

    @Test func exitWithoutShutdownIsAFailure() throws {
        let client = ScriptedClient()
        try client.notify("exit")
        #expect(client.exitStatus == 1)
    }

    // MARK: Diagnostics

    @Test func diagnosticsStandAtTheirPlace() throws {
        let client = try ScriptedClient.open(
            "let e = \"🇳🇴😀\"; let p = NSPredicate(format: \"name == \\\"😀é\\\" AND age >\")\n")
        #expect(client.diagnostics.count == 1)
        let range = ScriptedClient.place(client.diagnostics.first?["range"])
        // The end of the format, after the pairs of surrogates and the escapes of the source.
        #expect(range == "0:72-0:72", "\(client.diagnostics)")
        #expect(client.diagnostics.first?["severity"] == .integer(1))
        #expect(client.diagnostics.first?["source"] == .string("predicate"))
        #expect(client.diagnostics.first?["code"] == .string("predicate-syntax"))
        #expect(client.diagnostics.first?["message"]?.text?.contains("hint: ") == true)
    }

    @Test func diagnosticsFollowTheText() throws {
        let client = try ScriptedClient.open("let p = NSPredicate(format: \"age > 5\")\n")
        #expect(client.diagnostics.isEmpty)
        try client.change(
            "{\"range\": {\"start\": {\"line\": 0, \"character\": 33}, \"end\": {\"line\": 0, \"character\": 36}}, \"text\": \"\"}"
        )
        #expect(client.shownDiagnostics.map { $0.split(separator: " ").last } == ["predicate-syntax"])
        #expect(client.notifications.last?["params"]?["version"] == .integer(2))
        try client.change("{\"text\": \"let p = NSPredicate(format: \\\"age > 5\\\")\"}", version: 3)
        #expect(client.diagnostics.isEmpty)
        try client.notify("textDocument/didClose", "{\"textDocument\": {\"uri\": \"file:///work/a.swift\"}}")
        #expect(try client.result("textDocument/hover", ScriptedClient.position(0, 0)) == nil)
    }

    @Test func objectiveCIsRead() throws {
        let client = try ScriptedClient.open(
            "p = [NSPredicate predicateWithFormat:@\"name == %@ AND\", name];\n", "objective-c", "file:///work/a.m")
        #expect(client.shownDiagnostics.map { $0.split(separator: " ").last } == ["predicate-syntax"])
    }

    @Test func filesOfPredicatesAreRead() throws {
        let text =
            "# Grown-ups\nage >= 18\n(name == \"jo\"\r\n  OR name == \"al\")\n\nage > 5 AND age < 3\n// end\nname ==\n"
        let client = try ScriptedClient.open(text, "plaintext", "file:///work/a.predicate")
        #expect(client.shownDiagnostics == ["5:12-5:19 predicate-check", "7:7-7:7 predicate-syntax"])
    }

    @Test func documentsWithoutPredicatesAreLeftAlone() throws {
        let client = try ScriptedClient.open("age >", "plaintext", "file:///work/a.txt")
        #expect(client.notifications.isEmpty)
    }

    // MARK: Hover

    @Test func hoverShowsCanonicalFormAndTree() throws {
        let client = try ScriptedClient.open("let p = NSPredicate(format: \"age>=%d && name==%@\", 1, x)\n")
        let hover = try client.result("textDocument/hover", ScriptedClient.position(0, 32))
        let text = try #require(hover?["contents"]?["value"]?.text)
        #expect(text.contains("```text\nage >= 1 AND name == $argument2\n```"))
        #expect(text.contains("keyPath"))
        #expect(ScriptedClient.place(hover?["range"]) == "0:28-0:49")
        #expect(try client.result("textDocument/hover", ScriptedClient.position(0, 3)) == nil)
    }

    @Test func hoverShowsTheErrorOfAWrongFormat() throws {
        let client = try ScriptedClient.open("name LIKE OR ```", "predicate", "file:///work/a.predicate")
        let position = ScriptedClient.position(0, 2, "file:///work/a.predicate")
        let text = try client.result("textDocument/hover", position)?["contents"]?["value"]?.text
        #expect(text?.hasPrefix("````text\nerror: ") == true)
    }

    // MARK: Quick fixes

    @Test(arguments: [
        ("NSPredicate(format: \"ANY tags != \\\"a\\\"\")", "NSPredicate(format: \"NONE tags == \\\"a\\\"\")"),
        ("NSPredicate(format: #\"name == \"nil\"\"#)", "NSPredicate(format: #\"name == nil\"#)"),
        ("NSPredicate(format: \"name == '$NAME'\")", "NSPredicate(format: \"name == $NAME\")"),
        ("NSPredicate(format: \"name == Bob\")", "NSPredicate(format: \"name == \\\"Bob\\\"\")"),
        ("NSPredicate(format: \"é == 1 || name == '%@'\", x)", nil),
        ("NSPredicate(format: \"name == '%@'\", x)", "NSPredicate(format: \"name == %@\", x)"),
    ])
    func quickFixesMend(source: String, mended: String?) throws {
        let client = try ScriptedClient.open(source)
        let actions = try client.codeActions("0:0-0:\(source.utf16.count)")
        guard let mended else { return }
        let results = actions.map { ScriptedClient.applied($0, to: source) }
        #expect(results.contains(mended), "\(results)")
        #expect(actions.allSatisfy { $0["kind"] == .string("quickfix") && $0["title"]?.text?.isEmpty == false })
    }

    @Test func quickFixesOfAFileOfPredicates() throws {
        let uri = "file:///work/a.predicates"
        let text = "age > 1\nname == \"😀\" AND scores.@avg > 2\n"
        let client = try ScriptedClient.open(text, "", uri)
        let actions = try client.codeActions("1:20-1:20", uri)
        #expect(
            actions.map { ScriptedClient.applied($0, to: text, uri) } == [
                "age > 1\nname == \"😀\" AND scores.@avg.self > 2\n"
            ])
        #expect(try client.codeActions("0:0-0:3", uri).isEmpty)
    }

    // MARK: Malformed input

    @Test(arguments: [
        ("Content-Length: x\r\n\r\n", -32700), ("Content-Type: a\r\n\r\n", -32700), ("\r\n\r\n", -32700),
        ("Content-Length: 99999999999999999999\r\n\r\n", -32700), ("Content-Length: -1\r\n\r\n", -32700),
        ("Content-Length: 2\r\n\r\n{]", -32700), ("Content-Length: 2\r\n\r\n[]", -32600),
        ("content-length:7\n\n\"a\\ud8\"", -32700), ("Content-Length: 4\r\n\r\nnull", -32600),
        ("Content-Length: 14\r\n\r\n{\"method\": 1 }\n", -32600), ("Content-Length: 0\r\n\r\n", -32700),
        ("Content-Length: 67108865\r\n\r\n", -32700), (String(repeating: "x", count: 9_000), -32700),
    ])
    func malformedInputIsAnswered(input: String, code: Int) throws {
        let client = ScriptedClient()
        let answers = try client.receive(Array(input.utf8))
        #expect(answers.first?["error"]?["code"] == .integer(Int64(code)), "\(answers)")
        #expect(answers.first?["error"]?["message"]?.text?.isEmpty == false)
        #expect(answers.count == 1)
    }

    @Test func theServerGoesOnAfterMalformedInput() throws {
        let client = ScriptedClient()
        for input in ["Content-Length: 2\r\n\r\n{]", "Foo: bar\r\n\r\n", String(repeating: "\u{0}x", count: 9_000)] {
            #expect(try client.receive(Array(input.utf8)).count == 1)
        }
        #expect(try client.result("initialize") != nil)
    }

    @Test func wrongParametersAreAnswered() throws {
        let client = try ScriptedClient.open("NSPredicate(format: \"a == 1\")")
        let uri = "\"textDocument\": {\"uri\": \"file:///work/a.swift\"}"
        for params in [
            "{}", "[]", "{\(uri)}", "{\(uri), \"position\": {\"line\": -1, \"character\": 0}}",
            "{\(uri), \"position\": {\"line\": 1.5, \"character\": 0}}",
            "{\(uri), \"position\": {\"line\": 99999999999, \"character\": 0}}",
        ] {
            #expect(try client.errorCode("textDocument/hover", params) == .integer(-32602), "\(params)")
            #expect(try client.errorCode("textDocument/codeAction", params) == .integer(-32602), "\(params)")
        }
        try client.change("{\"range\": {\"start\": 1}, \"text\": \"\"}")
        try client.notify("textDocument/didOpen", "{\"textDocument\": 3}")
        let logged = client.notifications.filter { $0["method"]?.text == "window/logMessage" }
        #expect(logged.count == 2)
        #expect(try client.completions(99, 99).isEmpty)
    }
}
