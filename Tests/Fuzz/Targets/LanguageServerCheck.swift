import Foundation
import PredicateData
import PredicateJSON
import PredicateLanguageServer
import PredicateSyntax

/// A language server answers any bytes, however they are cut, with messages; what a client does in order is answered.
struct LanguageServerCheck {
    private let choices: UInt8
    private let bytes: [UInt8]

    /// A byte of choices, and what the client sends or what a document holds.
    init(_ bytes: [UInt8]) {
        choices = bytes.first ?? 0
        self.bytes = Array(bytes.dropFirst())
    }

    func run() throws(FuzzFinding) {
        try checkRawBytes()
        try checkDocument()
    }

    /// Whole or in pieces, the answer is the same.
    private func checkRawBytes() throws(FuzzFinding) {
        var whole = Self.server()
        var cut = Self.server()
        let expected = whole.receive(bytes)
        var found: [UInt8] = []
        let step = 1 + Int(choices % 7)
        for start in stride(from: 0, to: bytes.count, by: step) {
            found += cut.receive(bytes[start..<min(start + step, bytes.count)])
        }
        try FuzzFinding.unless(found == expected, "cut into pieces: \(bytes)")
        try FuzzFinding.unless(Self.messages(expected) != nil, "not all of the answer is messages: \(bytes)")
    }

    /// A document of these bytes is opened, changed, looked at everywhere and closed.
    private func checkDocument() throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        var server = Self.server()
        var answer = server.receive(Self.request(1, "initialize", "{}"))
        let names = ["a.swift", "a.m", "a.predicate", "a.sh", "a.plist"]
        let uri = "file:///" + names[Int(choices) % names.count]
        let document = "\"textDocument\": {\"uri\": \"\(uri)\", \"version\": 1, \"text\": \(Self.quoted(text))}"
        answer += server.receive(Self.message("\"method\": \"textDocument/didOpen\", \"params\": {\(document)}"))
        let place = "\"textDocument\": {\"uri\": \"\(uri)\"}, \"position\": {\"line\": \(choices % 3), \"character\": "
        for character in 0..<min(12, text.utf16.count + 1) {
            answer += server.receive(Self.request(2, "textDocument/hover", "{\(place)\(character)}}"))
            answer += server.receive(Self.request(3, "textDocument/completion", "{\(place)\(character)}}"))
        }
        let range =
            "\"range\": {\"start\": {\"line\": 0, \"character\": \(choices % 5)},"
            + " \"end\": {\"line\": 1, \"character\": 9}}"
        answer += server.receive(
            Self.request(4, "textDocument/codeAction", "{\"textDocument\": {\"uri\": \"\(uri)\"}, \(range)}"))
        answer += server.receive(
            Self.message(
                "\"method\": \"textDocument/didChange\", \"params\": {\"textDocument\": {\"uri\": \"\(uri)\"},"
                    + " \"contentChanges\": [{\(range), \"text\": \(Self.quoted(String(text.prefix(5))))}]}"))
        answer += server.receive(Self.request(5, "shutdown", "null"))
        let ids = Self.messages(answer)?.compactMap(Self.id) ?? []
        try FuzzFinding.unless(ids.first == 1 && ids.last == 5, "a request has no answer: \(bytes)")
    }

    // MARK: - Messages

    /// A server that reads no files.
    private static func server() -> LanguageServer { LanguageServer { _ in Project() } }

    private static func quoted(_ text: String) -> String { JSONWriter().text(of: .string(text)) }

    private static func request(_ id: Int, _ method: String, _ params: String) -> [UInt8] {
        message("\"id\": \(id), \"method\": \"\(method)\", \"params\": \(params)")
    }

    private static func message(_ members: String) -> [UInt8] {
        let body = Array("{\"jsonrpc\": \"2.0\", \(members)}".utf8)
        return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    /// The messages in bytes of a server; nil if something else is among them.
    private static func messages(_ bytes: [UInt8]) -> [PredicateValue]? {
        var messages: [PredicateValue] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let header = rest.prefix { $0 != 0x0D }
            let text = String(decoding: header, as: UTF8.self)
            guard text.hasPrefix("Content-Length: "), let count = Int(text.dropFirst(16)) else { return nil }
            let body = rest.dropFirst(header.count + 4)
            guard body.count >= count, let message = try? JSONReader.parse(Array(body.prefix(count))) else {
                return nil
            }
            messages.append(message)
            rest = body.dropFirst(count)
        }
        return messages
    }

    private static func id(_ message: PredicateValue) -> Int64? {
        guard case .dictionary(let members) = message, case .integer(let id)? = members["id"] else { return nil }
        return id
    }
}
