import Foundation
import PredicateGenerators
import Testing

@testable import PredicateLanguageServer

/// Documents are edited by places that count UTF-16 code units.
struct TextDocumentTests {
    /// Text to draw from: every number of bytes and of code units, and all line breaks.
    private static let pieces = ["a", "é", "€", "😀", "e\u{301}", "\r", "\n", "\r\n", "👩‍👩‍👧", "\u{0}", "\u{2028}", "\t"]

    /// A line ends at LF, CR LF or CR, found again by splitting code units: slow and obvious.
    private static func lines(_ units: [UInt16]) -> [(start: Int, end: Int)] {
        var lines: [(start: Int, end: Int)] = []
        var (start, index) = (0, 0)
        while index < units.count {
            let isPair = units[index] == 13 && index + 1 < units.count && units[index + 1] == 10
            if units[index] == 10 || units[index] == 13 {
                lines.append((start, index))
                index += isPair ? 2 : 1
                start = index
            } else {
                index += 1
            }
        }
        return lines + [(start, units.count)]
    }

    private static func unit(_ position: TextPosition, _ units: [UInt16]) -> Int {
        let lines = lines(units)
        guard position.line < lines.count else { return units.count }
        let line = lines[position.line]
        var unit = min(line.start + position.character, line.end)
        // Between the halves of a pair: its beginning.
        if unit > 0, unit < units.count, (0xDC00..<0xE000).contains(units[unit]),
            (0xD800..<0xDC00).contains(units[unit - 1])
        {
            unit -= 1
        }
        return unit
    }

    @Test func randomEditsAgreeWithCodeUnits() {
        var random = RandomSource(seed: 7)
        func text(_ most: Int) -> String {
            (0..<random.below(most)).map { _ in Self.pieces[random.below(Self.pieces.count)] }.joined()
        }
        var start = text(20)
        var document = TextDocument(start)
        var units = Array(start.utf16)
        for step in 0..<3_000 {
            let ends = (0..<2).map { _ in TextPosition(line: random.below(8), character: random.below(9)) }.sorted()
            let new = text(5)
            let lower = Self.unit(ends[0], units)
            let upper = max(lower, Self.unit(ends[1], units))
            document.replace(ends[0]..<ends[1], with: new)
            units.replaceSubrange(lower..<upper, with: Array(new.utf16))
            start = String(decoding: units, as: UTF16.self)
            #expect(document.bytes == Array(start.utf8), "step \(step)")
            if units.count > 300 {
                document = TextDocument("")
                units = []
            }
        }
    }

    @Test func placesAndOffsetsAreInverse() {
        let document = TextDocument("aé€😀\r\n\r😀b\n")
        var offset = 0
        for scalar in String(decoding: document.bytes, as: UTF8.self).unicodeScalars {
            // A place inside of CR LF is the end of the line before it.
            if !(scalar == "\n" && offset > 0 && document.bytes[offset - 1] == 13) {
                #expect(document.offset(of: document.position(of: offset)) == offset)
            }
            offset += String(scalar).utf8.count
        }
        #expect(document.position(of: document.bytes.count) == TextPosition(line: 3, character: 0))
        #expect(document.position(of: Int.max) == TextPosition(line: 3, character: 0))
        #expect(document.position(of: 6) == TextPosition(line: 0, character: 3))
    }
}
