import Foundation
import PredicateJSON
import PredicateSyntax
import Testing

@testable import PredicateLanguageServer

/// An editor as the server sees it: sends messages, keeps what comes back.
final class ScriptedClient {
    private(set) var server: LanguageServer
    private var nextID: Int64 = 0
    /// The notifications of the server so far.
    private(set) var notifications: [PredicateValue] = []

    init(project: Project = Project()) {
        server = LanguageServer(version: "1.2") { _ in project }
    }

    var exitStatus: Int32? { server.exitStatus }

    /// Sends a request, and returns the response.
    @discardableResult
    func request(_ method: String, _ params: String = "{}") throws -> PredicateValue {
        nextID += 1
        let answers = try send(
            "{\"jsonrpc\": \"2.0\", \"id\": \(nextID), \"method\": \"\(method)\", \"params\": \(params)}")
        let responses = answers.filter { $0["id"] == .integer(nextID) }
        #expect(responses.count == 1, "\(method): \(answers)")
        return try #require(responses.first)
    }

    func result(_ method: String, _ params: String = "{}") throws -> PredicateValue? {
        let response = try request(method, params)
        #expect(response["error"] == nil, "\(method): \(response)")
        return response["result"]
    }

    func errorCode(_ method: String, _ params: String = "{}") throws -> PredicateValue? {
        try request(method, params)["error"]?["code"]
    }

    func notify(_ method: String, _ params: String = "{}") throws {
        try send("{\"jsonrpc\": \"2.0\", \"method\": \"\(method)\", \"params\": \(params)}")
    }

    /// Sends a message, and returns what comes back.
    @discardableResult
    func send(_ body: String) throws -> [PredicateValue] {
        try receive(Array("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
    }

    func receive(_ bytes: [UInt8]) throws -> [PredicateValue] {
        let messages = try Self.messages(server.receive(bytes))
        notifications += messages.filter { $0["method"] != nil }
        return messages
    }

    static func messages(_ bytes: [UInt8]) throws -> [PredicateValue] {
        var reader = MessageReader()
        reader.append(bytes)
        var messages: [PredicateValue] = []
        while let event = reader.next() {
            guard case .body(let body) = event else { throw ClientError.notAMessage }
            messages.append(try JSONReader.parse(body))
        }
        return messages
    }

    enum ClientError: Error {
        case notAMessage
    }
}

extension ScriptedClient {
    static func quoted(_ text: String) -> String { JSONWriter().text(of: .string(text)) }

    /// A client whose server has this document open.
    static func open(
        _ text: String, _ language: String = "swift", _ uri: String = "file:///work/a.swift",
        project: Project = Project()
    ) throws -> ScriptedClient {
        let client = ScriptedClient(project: project)
        try client.request("initialize", "{\"rootUri\": \"file:///work\"}")
        try client.notify("initialized")
        try client.open(text, language, uri)
        return client
    }

    func open(_ text: String, _ language: String = "swift", _ uri: String = "file:///work/a.swift") throws {
        try notify(
            "textDocument/didOpen",
            "{\"textDocument\": {\"uri\": \"\(uri)\", \"languageId\": \"\(language)\", \"version\": 1,"
                + " \"text\": \(Self.quoted(text))}}")
    }

    func change(_ changes: String, version: Int = 2, _ uri: String = "file:///work/a.swift") throws {
        try notify(
            "textDocument/didChange",
            "{\"textDocument\": {\"uri\": \"\(uri)\", \"version\": \(version)}, \"contentChanges\": [\(changes)]}")
    }

    /// The diagnostics that were published last.
    var diagnostics: [PredicateValue] {
        notifications.last { $0["method"]?.text == "textDocument/publishDiagnostics" }?["params"]?["diagnostics"]?.list
            ?? []
    }

    /// `1:25-1:29 predicate-syntax`
    var shownDiagnostics: [String] { diagnostics.map { Self.place($0["range"]) + " " + ($0["code"]?.text ?? "") } }

    static func place(_ range: PredicateValue?) -> String {
        func place(_ position: PredicateValue?) -> String {
            "\(position?["line"]?.count ?? -1):\(position?["character"]?.count ?? -1)"
        }
        return place(range?["start"]) + "-" + place(range?["end"])
    }

    static func position(_ line: Int, _ character: Int, _ uri: String = "file:///work/a.swift") -> String {
        "{\"textDocument\": {\"uri\": \"\(uri)\"}, \"position\": {\"line\": \(line), \"character\": \(character)}}"
    }

    func completions(_ line: Int, _ character: Int, _ uri: String = "file:///work/a.swift") throws -> [PredicateValue] {
        try result("textDocument/completion", Self.position(line, character, uri))?.list ?? []
    }

    func codeActions(_ range: String, _ uri: String = "file:///work/a.swift") throws -> [PredicateValue] {
        let parts = range.split(whereSeparator: { $0 == ":" || $0 == "-" }).map(String.init)
        let value =
            "{\"start\": {\"line\": \(parts[0]), \"character\": \(parts[1])},"
            + " \"end\": {\"line\": \(parts[2]), \"character\": \(parts[3])}}"
        return try result(
            "textDocument/codeAction",
            "{\"textDocument\": {\"uri\": \"\(uri)\"}, \"range\": \(value), \"context\": {\"diagnostics\": []}}")?.list
            ?? []
    }

    /// The text of a document after the edits of a code action, which do not overlap.
    static func applied(_ action: PredicateValue, to text: String, _ uri: String = "file:///work/a.swift") -> String {
        var document = TextDocument(text)
        let edits = action["edit"]?["changes"]?[uri]?.list ?? []
        let changes = edits.compactMap { edit -> TextChange? in
            guard let value = edit["range"], let range = try? LanguageServer.range(value) else { return nil }
            return TextChange(range: range, text: edit["newText"]?.text ?? "")
        }
        for change in changes.sorted(by: { $0.range?.lowerBound ?? .zero > $1.range?.lowerBound ?? .zero }) {
            if let range = change.range { document.replace(range, with: change.text) }
        }
        return String(decoding: document.bytes, as: UTF8.self)
    }
}

extension TextPosition {
    static let zero = TextPosition(line: 0, character: 0)
}
