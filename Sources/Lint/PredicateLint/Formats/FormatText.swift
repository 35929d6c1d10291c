/// A format string with the position of each of its bytes in the source.
///
///     NSPredicate(format: "name == \"jo\" AND \(key) > " + "%d", 3)
///
/// has the segments `name == ` (copied), `"` (escaped), `jo`, `"`, ` AND `, `\(key)` (a hole: a part that is unknown
/// before the program runs), ` > ` and, from the second literal, `%d`.
package struct FormatText: Hashable, Sendable {
    /// A part of the string that comes from one part of the source.
    package struct Segment: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// Identical in the source.
            case copied
            /// Written in another way in the source: `\n`, `\u{e9}`, `&lt;`.
            case escaped
            /// Unknown before the program runs; the expression's source takes its place.
            case hole(Hole)
        }

        package var kind: Kind
        /// The offset in the string at which the segment ends. The segment begins where the previous one ends.
        package var end: Int
        /// The range in the source.
        package var source: Range<Int>
    }

    /// A part of the string that is unknown before the program runs.
    package struct Hole: Hashable, Sendable {
        /// The range of the inserted expression in the source.
        package var expression: Range<Int>
        /// True if the value has no quotes or backslashes: a number, as for `%d` of stringWithFormat:, or a script's constant.
        package var isHarmless = false
    }

    /// The string as UTF-8, in which the expression's source takes the place of a hole.
    package private(set) var bytes: [UInt8] = []
    package private(set) var segments: [Segment] = []
    /// The range in the source from the first quote to the last one.
    package var literal: Range<Int> = 0..<0

    init() {}

    /// Creates a text whose source is the string itself, so that offsets in both are the same.
    package init(_ text: String) {
        bytes = Array(text.utf8)
        literal = 0..<bytes.count
        if !bytes.isEmpty { segments = [Segment(kind: .copied, end: bytes.count, source: literal)] }
    }

    /// A string that takes the place of a part of the source.
    init(_ text: some Sequence<UInt8>, at source: Range<Int>) { appendEscape(text, source: source) }

    /// A string that is unknown before the program runs.
    init(_ hole: Hole, shown: some Sequence<UInt8>, source: Range<Int>) {
        appendHole(hole, shown: shown, source: source)
    }

    /// The string, in which the expression's source takes the place of a hole.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package var hasHoles: Bool { segments.contains { $0.isHole } }

    /// True for a string that cannot change the syntax of a format: it has no holes, quotes or backslashes.
    var isHarmless: Bool { !hasHoles && !bytes.contains { "'\"\\".utf8.contains($0) } }
}

// MARK: - Building

extension FormatText {
    /// Appends bytes that are the same in the source, at an offset.
    mutating func appendCopy(_ copy: Slice<UnsafeBufferPointer<UInt8>>, from offset: Int) {
        guard !copy.isEmpty else { return }
        bytes.append(contentsOf: copy)
        if let last = segments.last, last.kind == .copied, last.source.upperBound == offset {
            segments[segments.count - 1].end = bytes.count
            segments[segments.count - 1].source = last.source.lowerBound..<offset + copy.count
        } else {
            segments.append(Segment(kind: .copied, end: bytes.count, source: offset..<offset + copy.count))
        }
    }

    /// Marks the holes whose values have no quotes or backslashes.
    mutating func mark(where isHarmless: (Hole) -> Bool) {
        for index in segments.indices {
            guard case .hole(var hole) = segments[index].kind else { continue }
            hole.isHarmless = isHarmless(hole)
            segments[index].kind = .hole(hole)
        }
    }

    mutating func appendCopied(_ copy: ArraySlice<UInt8>, source: Range<Int>) {
        bytes += copy
        segments.append(Segment(kind: .copied, end: bytes.count, source: source))
    }

    /// Appends characters that are written in another way in the source.
    mutating func appendEscape(_ text: some Sequence<UInt8>, source: Range<Int>) {
        bytes.append(contentsOf: text)
        segments.append(Segment(kind: .escaped, end: bytes.count, source: source))
    }

    mutating func appendScalar(_ value: UInt32, source: Range<Int>) {
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        appendEscape(Array(String(Character(scalar)).utf8), source: source)
    }

    mutating func appendHole(_ hole: Hole, shown: some Sequence<UInt8>, source: Range<Int>) {
        bytes.append(contentsOf: shown)
        segments.append(Segment(kind: .hole(hole), end: bytes.count, source: source))
    }

    /// Appends another literal.
    mutating func append(_ other: FormatText) {
        let count = bytes.count
        bytes += other.bytes
        segments += other.segments.map { Segment(kind: $0.kind, end: $0.end + count, source: $0.source) }
        if literal.isEmpty {
            literal = other.literal
        } else if literal.upperBound <= other.literal.lowerBound, other.literal.lowerBound < literal.upperBound + 4096 {
            literal = literal.lowerBound..<other.literal.upperBound
        }
    }

    /// Returns the string with the given contents in place of its holes, in order.
    func filled(with contents: [String]) -> FormatText {
        replacing(
            zip(holes, contents).map { hole, shown in
                Part(hole.range, FormatText(hole.hole, shown: shown.utf8, source: hole.source))
            })
    }

    /// Returns the string with known contents in place of their holes, or nil if no contents are known.
    func filled(where known: (Hole) -> FormatText?) -> FormatText? {
        let parts = holes.compactMap { hole in known(hole.hole).map { Part(hole.range, $0) } }
        return parts.isEmpty ? nil : inserting(parts)
    }

    /// A part of the string, and the string in its place.
    typealias Part = (range: Range<Int>, text: FormatText)

    /// The maximum number of bytes of a string that is made from others.
    static let longest = 65_536

    /// Returns the string with others in place of some of its parts; nil for a result that would be too long.
    func inserting(_ parts: [Part]) -> FormatText? {
        let count = parts.reduce(bytes.count) { $0 + $1.text.bytes.count }
        return parts.isEmpty || count <= Self.longest ? replacing(parts) : nil
    }

    /// Returns the string with others in place of some of its parts, which are in order.
    func replacing(_ parts: [Part]) -> FormatText {
        var (result, start) = (FormatText(), 0)
        for (range, text) in parts {
            result.append(part(start..<range.lowerBound))
            result.append(text)
            start = range.upperBound
        }
        result.append(part(start..<bytes.count))
        result.literal = literal
        return result
    }

    /// Returns the string with another one in place of each occurrence of some bytes.
    func replacing(_ target: [UInt8], with contents: FormatText) -> FormatText? {
        var (parts, offset): ([Part], Int) = ([], 0)
        while offset + target.count <= bytes.count {
            let range = offset..<offset + target.count
            let isFound = bytes[range].elementsEqual(target)
            if isFound { parts.append((range, contents)) }
            offset += isFound ? target.count : 1
        }
        return inserting(parts)
    }
}

// MARK: - Places

extension FormatText {
    /// The source of a range of the string; the whole literal for a range outside the string.
    package func sourceRange(of range: Range<Int>) -> Range<Int> {
        guard !segments.isEmpty else { return literal }
        let lower = sourceOffset(of: range.lowerBound, isEnd: false)
        guard !range.isEmpty else { return lower..<lower }
        let upper = sourceOffset(of: range.upperBound, isEnd: true)
        return lower..<max(lower, upper)
    }

    /// The offset in the string of a byte of the source; nil for a byte outside the literal.
    package func offset(ofSource offset: Int) -> Int? {
        var start = 0
        for segment in segments {
            if segment.source.contains(offset) || segment.source.upperBound == offset {
                return segment.kind == .copied ? start + (offset - segment.source.lowerBound) : start
            }
            start = segment.end
        }
        return nil
    }

    /// The ranges of the holes in the string, in order.
    package var holes: [(range: Range<Int>, hole: Hole, source: Range<Int>)] {
        var start = 0
        var result: [(range: Range<Int>, hole: Hole, source: Range<Int>)] = []
        for segment in segments {
            if case .hole(let hole) = segment.kind { result.append((start..<segment.end, hole, segment.source)) }
            start = segment.end
        }
        return result
    }

    /// Returns the source offset for an offset in the string at which a range starts or ends.
    private func sourceOffset(of offset: Int, isEnd: Bool) -> Int {
        let index = index(of: isEnd ? offset - 1 : offset)
        let segment = segments[index]
        let start = index == 0 ? 0 : segments[index - 1].end
        if offset >= segment.end { return segment.source.upperBound }
        if segment.kind == .copied { return segment.source.lowerBound + max(offset - start, 0) }
        return isEnd ? segment.source.upperBound : segment.source.lowerBound
    }

    /// The index of the segment that contains an offset; the last segment for the end.
    func index(of offset: Int) -> Int { max(min(segments.firstIndex(from: offset + 1, \.end), segments.count - 1), 0) }
}

extension FormatText.Segment {
    var isHole: Bool { if case .hole = kind { true } else { false } }
}
