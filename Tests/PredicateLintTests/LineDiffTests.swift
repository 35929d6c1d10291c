import Foundation
import PredicateGenerators
import Testing

@testable import PredicateLint

/// The diff of the fixes: what it shows, and that applying it gives the file after the fixes.
@Suite("Line diffs")
struct LineDiffTests {
    private func diff(_ old: String, _ edits: [LintEdit]) -> [String] {
        LineDiff.text(path: "/a/b.swift", old: Array(old.utf8), edits: edits).utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
    }

    private func edit(_ range: Range<Int>, _ replacement: String) -> LintEdit {
        LintEdit(range: range, replacement: replacement)
    }

    /// The line between two changed ones stands once, as context.
    @Test func unchangedLines() {
        #expect(diff("a\nb\nc\n", []) == [""])
        #expect(
            diff("a\nb\nc\n", [edit(0..<1, "x"), edit(4..<5, "z")]) == [
                "--- a/a/b.swift", "+++ b/a/b.swift", "@@ -1,3 +1,3 @@", "-a", "+x", " b", "-c", "+z", "",
            ])
        #expect(diff("a\nb\nc\n", [edit(0..<5, "x\nb\nz")])[3...] == ["-a", "+x", " b", "-c", "+z", ""])
        #expect(diff("a\nb\nc\n", [edit(2..<3, "b")]) == [""])
        #expect(diff("a\nb\nc\n", [edit(2..<4, "")])[2...] == ["@@ -1,3 +1,2 @@", " a", "-b", " c", ""])
        #expect(diff("a\nb\n", [edit(2..<2, "x\n")])[2...] == ["@@ -1,2 +1,3 @@", " a", "+x", " b", ""])
    }

    /// Lines end with LF in a diff, so other line breaks are part of a line.
    @Test func lineEnds() {
        #expect(
            diff("a\nb", [edit(2..<3, "x")])[2...] == [
                "@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+x", "\\ No newline at end of file", "",
            ])
        #expect(diff("a\r\nb\r\n", [edit(0..<1, "x")])[3...] == ["-a\r", "+x\r", " b\r", ""])
        #expect(diff("a\rb\n", [edit(0..<1, "x")])[2...] == ["@@ -1,1 +1,1 @@", "-a\rb", "+x\rb", ""])
        #expect(diff("a\n", [edit(0..<2, "")])[2...] == ["@@ -1,1 +0,0 @@", "-a", ""])
        #expect(diff("", [edit(0..<0, "x")]) == [""])
    }

    /// Random edits of random lines.
    @Test func applied() {
        var random = RandomSource(seed: 47)
        for _ in 0..<2000 {
            let old = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                ["a", "bb", "", "c = d"].randomElement(using: &random)! + "\n"
            }.joined()
            var (edits, start): ([LintEdit], Int) = ([], 0)
            while start < old.utf8.count, edits.count < 5 {
                let lower = Int.random(in: start...old.utf8.count, using: &random)
                let upper = min(lower + Int.random(in: 0...6, using: &random), old.utf8.count)
                edits.append(edit(lower..<upper, ["", "x", "\n", "a\nx\n"].randomElement(using: &random)!))
                start = upper + 1
            }
            let new = String(decoding: LintEdit.apply(edits, to: Array(old.utf8)), as: UTF8.self)
            #expect(Self.apply(diff(old, edits), to: old) == new, "\(old.debugDescription) \(edits)")
        }
    }

    /// The file after a diff, as `patch` makes it; nil if a line of the context or a removed one differs.
    private static func apply(_ diff: [String], to old: String) -> String? {
        let lines = split(old)
        var (result, next): ([String], Int) = ([], 0)
        for (index, line) in diff.enumerated().dropFirst(2) where line != "" && line.first != "\\" {
            let isLast = diff[index + 1].first == "\\"
            let text = String(line.dropFirst()) + (isLast ? "" : "\n")
            switch line.first {
            case "@":
                let numbers = line.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
                let start = numbers[1] == 0 ? numbers[0] : numbers[0] - 1
                result += lines[next..<start]
                next = start
            case "+": result.append(text)
            default:
                guard lines[next] == text else { return nil }
                if line.first == " " { result.append(text) }
                next += 1
            }
        }
        return (result + lines[next...]).joined()
    }

    /// The lines with their line feeds.
    private static func split(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) + "\n" }
        let last = lines.removeLast().dropLast()
        return last.isEmpty ? lines : lines + [String(last)]
    }
}
