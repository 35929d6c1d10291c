import Foundation
import PredicateSyntax
import Testing

/// Endless input, unbounded lines and blocked output: memory is bounded and the exit status is right.
@Suite(.serialized) struct ProcessFaultTests {
    private static let megabyte = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)

    @Test func aLineOfAHundredMegabytes() throws {
        let child = try Child(["filter", "-c", "a == 1"])
        #expect(child.write(Array("{\"a\": 1}\n{\"b\": \"".utf8)))
        for _ in 0..<100 { #expect(child.write(Self.megabyte)) }
        #expect(child.write(Array("\"}\n{\"a\": 1}\n".utf8)))
        let peak = child.peakMemory
        let (status, error) = child.finish()
        #expect(status == 2)
        #expect(error.contains("this record is longer than \(PredicateLimits.standard.recordLength) bytes"))
        // The longest record, and its copy when the storage grows.
        if let peak { #expect(peak < 4 * PredicateLimits.standard.recordLength, "\(peak >> 20) MiB") }
    }

    /// What is repaired without a word would be another predicate.
    @Test func anArgumentThatIsNoText() throws {
        let child = try Child(line: #""$0" parse "$(printf 'a == "\377"')""#)
        let (status, error) = child.finish()
        #expect(status == 2)
        #expect(error == "error: argument 2 is not valid UTF-8\n")
        #expect(try Child(line: #""$0" parse "$(printf 'a == "\303\251"')""#).finish().status == 0)
    }

    @Test func aLineThatNeverEnds() throws {
        let child = try Child(["filter", "-f", "jsonl", "a == 1"])
        for _ in 0..<300 { #expect(child.write(Self.megabyte)) }
        let peak = child.peakMemory
        let (status, error) = child.finish()
        #expect(status == 2 && !error.isEmpty)
        if let peak { #expect(peak < 4 * PredicateLimits.standard.recordLength, "\(peak >> 20) MiB") }
    }

    /// A million evaluations in all, of predicates of every sort: neither the stream nor the evaluations leave
    /// anything behind. A leak of one small object for each record would show as five megabytes.
    @Test(
        arguments: [
            ["a == 2"], ["a == 1"], ["-v", "-c", "b LIKE 'x*'"], ["-c", "b MATCHES '(so|al).*'"],
            ["-c", "b MATCHES b"], ["-c", "SUBQUERY(t, $x, $x == b).@count > 0"], ["-c", "ANY t BEGINSWITH[cd] 's'"],
            ["-c", "FUNCTION(b, 'uppercaseString') == 'X' OR a + 1 == 9"], ["-c", "($v := b) == 'x' AND $v == 'y'"],
            ["-c", "CAST(t, 'NSString') == b OR t.@count == 5 OR TERNARY(a == 1, b, t) == 3"],
        ])
    func aStreamThatNeverEndsTakesConstantMemory(_ words: [String]) throws {
        let child = try Child(["filter"] + words)
        let line = "{\"a\": 1, \"b\": \"some text that is long enough\", \"t\": [\"some\", \"words\", 3]}\n"
        let lines = Array(String(repeating: line.replacing(", 3]", with: "]"), count: 1_000).utf8)
        for _ in 0..<10 { #expect(child.write(lines)) }
        let early = child.peakMemory
        for _ in 0..<100 { #expect(child.write(lines)) }
        let late = child.peakMemory
        let (status, error) = child.finish()
        #expect(status == 0 || status == 1, "\(error)")
        if let early, let late { #expect(late - early < 4 << 20, "from \(early >> 10) to \(late >> 10) KiB") }
    }

    @Test func aReaderThatGoesAwayIsNoError() throws {
        let output = Pipe()
        let child = try Child(["filter", "a == 1"], output: output)
        try output.fileHandleForWriting.close()
        try output.fileHandleForReading.close()
        let lines = Array(String(repeating: "{\"a\": 1}\n", count: 100_000).utf8)
        #expect(!child.write(lines + lines + lines))
        let (status, error) = child.finish()
        #expect(status == 0 && error == "")
    }

    #if os(Linux)
        @Test func outputThatTakesNothing() throws {
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            let child = try Child(["filter", "a == 1"], output: full)
            _ = child.write(Array("{\"a\": 1}\n".utf8))
            let (status, error) = child.finish()
            #expect(status == 2)
            #expect(error == "error: cannot write: No space left on device\n")
        }
    #endif

    @Test func bytesThatAreNoTextAndLinesThatAreCut() throws {
        for (bytes, words) in [
            (Array("{\"a\": 1}\n{\"a\": \"\u{0}".utf8) + [0xFF, 0xFE], ":2: error: control character 0"),
            (Array("{\"a\": 1}\n{\"a\": ".utf8), ":2: error: the JSON ends in the middle of a value (column 7)"),
            (Array("{\"a\": 1}\n{\"a\": \"x".utf8), ":2: "),
            (
                [0x7B, 0x22, 0xC3, 0x28, 0x22, 0x3A, 0x31, 0x7D, 0x0A],
                ":1: error: these bytes are not UTF-8; --encoding names another encoding (column 3)"
            ),
        ] {
            let child = try Child(["filter", "-c", "a == 1"])
            #expect(child.write(bytes))
            let (status, error) = child.finish()
            #expect(status == 2 && error.contains(words), "\(error)")
        }
    }
}
