import Foundation
import PredicateData
import PredicateJSON
import PredicateSyntax

/// The process that talks to a database engine: requests and answers are lines of JSON.
///
/// `Tests/Engines/bridge.py` describes them.
package final class Bridge {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    /// Bytes after the last answer.
    private var rest: [UInt8] = []

    /// Starts the program of a command: `["python", "bridge.py", "postgresql", "/tmp/x"]`
    package init(_ command: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Sends a request and waits for its answer.
    package func answer(to request: [String: PredicateValue]) throws(BridgeError) -> [String: PredicateValue] {
        var line: [UInt8] = []
        JSONWriter().write(.dictionary(request), to: &line)
        line.append(UInt8(ascii: "\n"))
        do {
            try input.fileHandleForWriting.write(contentsOf: line)
        } catch {
            throw BridgeError(name: "bridge", message: "\(error)")
        }
        let answer = try? JSONReader.parse(try nextLine())
        guard case .dictionary(let members)? = answer else {
            let request = String(decoding: line.prefix(200), as: UTF8.self)
            throw BridgeError(name: "bridge", message: "no answer to \(request)")
        }
        if let error = BridgeError(members["error"]) { throw error }
        return members
    }

    private func nextLine() throws(BridgeError) -> [UInt8] {
        var end = rest.firstIndex(of: UInt8(ascii: "\n"))
        while end == nil {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw BridgeError(name: "bridge", message: "the bridge has ended") }
            end = more.firstIndex(of: UInt8(ascii: "\n")).map { rest.count + $0 - more.startIndex }
            rest += more
        }
        guard let end else { return [] }
        defer { rest.removeSubrange(...end) }
        return Array(rest[..<end])
    }
}

/// An error of an engine: its class, such as `22003`, and its message.
package struct BridgeError: Error, Hashable {
    package let name: String
    package let message: String

    init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    /// The error of an answer: `["22003", "bigint out of range"]`
    init?(_ value: PredicateValue?) {
        guard case .array(let parts)? = value, parts.count == 2, case .string(let name) = parts[0],
            case .string(let message) = parts[1]
        else { return nil }
        self.init(name: name, message: message)
    }
}
