/// The line of a finding, or the part around the finding if the line is longer than 1 KB: a long line with a finding
/// every few bytes would otherwise be copied for each.
package struct LineExcerpt: Hashable, Sendable {
    package fileprivate(set) var bytes: [UInt8] = []
    /// The column of the first byte.
    package fileprivate(set) var column = 1
    /// The number of code points on the line before the first byte.
    fileprivate var codePoints = 0

    /// Converts a column in bytes to a column in code points; nil for a column after the excerpt.
    func codePointColumn(_ column: Int) -> Int? {
        let length = max(column - self.column, 0)
        return length > bytes.count ? nil : codePoints + bytes[..<length].codePoints + 1
    }
}

/// Creates excerpts of a source. In the order of the source, this takes linear time.
struct LineExcerpts {
    private let source: [UInt8]
    private let lines: LineTable
    /// The start of the last excerpt of a long line, and the number of code points before it.
    private var last = (line: 0, start: 0, codePoints: 0)

    private static let longest = 1024
    /// The number of bytes of an excerpt before and after the start of a finding: enough for the width of the text output with
    /// four bytes per character.
    private static let (before, after) = (320, 640)

    init(_ source: [UInt8], _ lines: LineTable) {
        self.source = source
        self.lines = lines
    }

    mutating func excerpt(around offset: Int) -> LineExcerpt {
        let number = lines.place(of: offset).line
        var line = lines.range(ofLine: number).clamped(to: 0..<source.count)
        while let end = line.last, source[end].isNewline { line.removeLast() }
        guard line.count > Self.longest else { return LineExcerpt(bytes: Array(source[line])) }
        var start = min(max(line.lowerBound, offset - Self.before), line.upperBound)
        while start > line.lowerBound, start < line.upperBound, source[start] & 0xC0 == 0x80 { start -= 1 }
        if last.line != number || last.start > start { last = (number, line.lowerBound, 0) }
        last.codePoints += source[last.start..<start].codePoints
        last.start = start
        let end = max(start, min(line.upperBound, offset + Self.after))
        return LineExcerpt(
            bytes: Array(source[start..<end]), column: start - line.lowerBound + 1, codePoints: last.codePoints)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var codePoints: Int { String(decoding: self, as: UTF8.self).unicodeScalars.count }
}
