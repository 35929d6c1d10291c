import Foundation
import PredicateSession
import Testing

/// Replayed sessions: a line after `> ` is the input, the lines under it are the reply.
///
/// `PREDICATES_REWRITE=1 swift test --filter TranscriptTests` writes the current replies.
struct TranscriptTests {
    static let names = [
        "data", "queries", "understanding", "checking", "commands", "journal", "broken", "matches", "groups",
    ]

    @Test(arguments: names) func isReplayed(name: String) throws {
        let path = "Transcripts/\(name).transcript"
        let expected = try TestFile.text(path)
        let found = replayed(expected)
        if ProcessInfo.processInfo.environment["PREDICATES_REWRITE"] == "1" {
            try Data(found.utf8).write(to: TestFile.folder.appendingPathComponent(path))
        } else {
            #expect(found == expected)
        }
    }

    /// Returns the transcript with the replies of a new session.
    private func replayed(_ transcript: String) -> String {
        let session = Session.forTests()
        var lines: [String] = []
        for line in transcript.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("//") { lines.append(String(line)) }
            guard line.hasPrefix("> ") else { continue }
            let reply = session.reply(to: String(line.dropFirst(2)))
            lines.append(String(line))
            if !reply.text.isEmpty { lines.append(reply.text) }
            if reply.quits { lines.append("(left)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The reply to every broken predicate has a caret under the error and a hint or a label.
    @Test func everyBrokenPredicateIsAnswered() throws {
        let lines = try TestFile.text("Transcripts/broken.transcript").split(separator: "\n")
            .filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
        #expect(lines.count >= 20)
        for line in lines {
            let reply = Session.forTests().reply(to: line)
            #expect(reply.isError)
            #expect(reply.text.hasPrefix("error: "))
            let marks = reply.text.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("^") }
            #expect(marks.count == 1, "\(line): \(reply.text)")
        }
    }
}
