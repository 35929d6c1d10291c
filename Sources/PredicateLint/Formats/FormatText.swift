/// A format string as a source spells it: its text, and where each byte of it stands in the source.
///
///     NSPredicate(format: "name == \"jo\" AND \(key) > " + "%d", 3)
///
/// has the pieces `name == ` (copied), `"` (escaped), `jo`, `"`, ` AND `, `\(key)` (a hole: a part that only the run of
/// the program knows), ` > ` and, from the second literal, `%d`.
package struct FormatText: Hashable, Sendable {
    /// A part of the text that comes from one part of the source.
    package struct Piece: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// Byte for byte the same in the source.
            case copied
            /// Spelled differently in the source: `\n`, `\u{e9}`, `&lt;`.
            case escaped
            /// A part that is not known before the program runs, shown as the source spells it.
            case hole(Hole)
        }

        package var kind: Kind
        /// The offset in the text at which the piece ends; it begins where the one before ends.
        package var end: Int
        /// The bytes of the source that spell it.
        package var source: Range<Int>
    }

    /// A part of the text that is not known before the program runs.
    package struct Hole: Hashable, Sendable {
        /// The source of the expression whose value is inserted.
        package var expression: Range<Int>
        /// True if the value is a number for certain: `%d` of stringWithFormat:.
        package var isNumber = false
    }

    /// The text as UTF-8; a hole is shown as the source spells it.
    package private(set) var bytes: [UInt8] = []
    package private(set) var pieces: [Piece] = []
    /// The source from the first quote to the last one.
    package var literal: Range<Int> = 0..<0

    init() {}

    /// A text that is its own source.
    package init(_ text: String) {
        bytes = Array(text.utf8)
        literal = 0..<bytes.count
        if !bytes.isEmpty { pieces = [Piece(kind: .copied, end: bytes.count, source: literal)] }
    }

    /// The text; a hole is shown as the source spells it.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package var hasHoles: Bool { pieces.contains { $0.isHole } }
}

// MARK: - Building

extension FormatText {
    /// Appends bytes that the source spells as they are, from an offset of it.
    mutating func appendCopy(_ copy: Slice<UnsafeBufferPointer<UInt8>>, from offset: Int) {
        guard !copy.isEmpty else { return }
        bytes.append(contentsOf: copy)
        if let last = pieces.last, last.kind == .copied, last.source.upperBound == offset {
            pieces[pieces.count - 1].end = bytes.count
            pieces[pieces.count - 1].source = last.source.lowerBound..<offset + copy.count
        } else {
            pieces.append(Piece(kind: .copied, end: bytes.count, source: offset..<offset + copy.count))
        }
    }

    mutating func appendCopied(_ copy: ArraySlice<UInt8>, source: Range<Int>) {
        bytes += copy
        pieces.append(Piece(kind: .copied, end: bytes.count, source: source))
    }

    /// Appends text that the source spells differently.
    mutating func appendEscape(_ text: some Sequence<UInt8>, source: Range<Int>) {
        bytes.append(contentsOf: text)
        pieces.append(Piece(kind: .escaped, end: bytes.count, source: source))
    }

    mutating func appendScalar(_ value: UInt32, source: Range<Int>) {
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        appendEscape(Array(String(Character(scalar)).utf8), source: source)
    }

    mutating func appendHole(_ hole: Hole, shown: some Sequence<UInt8>, source: Range<Int>) {
        bytes.append(contentsOf: shown)
        pieces.append(Piece(kind: .hole(hole), end: bytes.count, source: source))
    }

    /// Appends another literal.
    mutating func append(_ other: FormatText) {
        let count = bytes.count
        bytes += other.bytes
        pieces += other.pieces.map { Piece(kind: $0.kind, end: $0.end + count, source: $0.source) }
        if literal.isEmpty {
            literal = other.literal
        } else if literal.upperBound <= other.literal.lowerBound, other.literal.lowerBound < literal.upperBound + 4096 {
            literal = literal.lowerBound..<other.literal.upperBound
        }
    }

    /// The text with other contents in the place of its holes, one for each.
    func filled(with contents: [String]) -> FormatText {
        var result = FormatText()
        result.literal = literal
        var (start, hole) = (0, 0)
        for piece in pieces {
            if piece.isHole {
                result.bytes += Array((hole < contents.count ? contents[hole] : "").utf8)
                hole += 1
            } else {
                result.bytes += bytes[start..<piece.end]
            }
            result.pieces.append(Piece(kind: piece.kind, end: result.bytes.count, source: piece.source))
            start = piece.end
        }
        return result
    }
}

// MARK: - Places

extension FormatText {
    /// The part of the source that spells a part of the text; the whole literal for a part that there is not.
    package func sourceRange(of range: Range<Int>) -> Range<Int> {
        guard !pieces.isEmpty else { return literal }
        let lower = sourceOffset(of: range.lowerBound, isEnd: false)
        guard !range.isEmpty else { return lower..<lower }
        let upper = sourceOffset(of: range.upperBound, isEnd: true)
        return lower..<max(lower, upper)
    }

    /// The offset in the text of a byte of the source; nil for a byte that is not part of the literal.
    package func offset(ofSource offset: Int) -> Int? {
        var start = 0
        for piece in pieces {
            if piece.source.contains(offset) || piece.source.upperBound == offset {
                return piece.kind == .copied ? start + (offset - piece.source.lowerBound) : start
            }
            start = piece.end
        }
        return nil
    }

    /// The ranges of the holes in the text, in order.
    package var holes: [(range: Range<Int>, hole: Hole, source: Range<Int>)] {
        var start = 0
        var result: [(range: Range<Int>, hole: Hole, source: Range<Int>)] = []
        for piece in pieces {
            if case .hole(let hole) = piece.kind { result.append((start..<piece.end, hole, piece.source)) }
            start = piece.end
        }
        return result
    }

    /// The place of an offset, which is the end of a range or its beginning.
    private func sourceOffset(of offset: Int, isEnd: Bool) -> Int {
        let index = index(of: isEnd ? offset - 1 : offset)
        let piece = pieces[index]
        let start = index == 0 ? 0 : pieces[index - 1].end
        if offset >= piece.end { return piece.source.upperBound }
        if piece.kind == .copied { return piece.source.lowerBound + max(offset - start, 0) }
        return isEnd ? piece.source.upperBound : piece.source.lowerBound
    }

    /// The index of the piece that holds an offset, by binary search; the last one for the end.
    private func index(of offset: Int) -> Int {
        var (low, high) = (0, pieces.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].end <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension FormatText.Piece {
    var isHole: Bool { if case .hole = kind { true } else { false } }
}
