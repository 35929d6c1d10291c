/// The fold of any string, marks included. It is the reference for the faster implementations.
///
///     name ==[cd] "zoe"
///
/// The string is decomposed and its marks are put in canonical order. Then, character by character, `[d]` drops marks
/// and `[c]` folds the case of everything that is not a mark.
struct CharacterFold {
    private struct DecomposedCodePoint {
        let value: UInt32
        let mark: FoldTable.Mark
    }

    private let mode: FoldMode
    private var elements: [DecomposedCodePoint] = []

    /// Returns the folded bytes with the positions where characters begin.
    static func fold(_ text: FoldedText) -> FoldedCharacters {
        var fold = CharacterFold(mode: text.mode)
        fold.decompose(text)
        fold.orderMarks()
        return fold.folded()
    }

    private init(mode: FoldMode) {
        self.mode = mode
    }

    private mutating func decompose(_ text: FoldedText) {
        elements.reserveCapacity(text.count)
        var (position, end) = (text.start, text.start + text.count)
        while position < end {
            let codePoint = CodePoint(at: position, before: end)
            append(codePoint, position.pointee)
            position += codePoint.length
        }
    }

    private mutating func append(_ codePoint: CodePoint, _ byte: UInt8) {
        guard codePoint.isUnicode else { return append(UInt32(byte) | UTF8Bytes.malformed) }
        let place = FoldTable.packedReplacement(of: codePoint.value, .decomposition)
        if place.length != FoldTable.PackedReplacement.itself { return append(Replacement(place)) }
        if let syllable = HangulSyllable(codePoint.value) { return append(Replacement(syllable)) }
        append(codePoint.value)
    }

    private mutating func append(_ replacement: Replacement) {
        for codePoint in UTF8Bytes(replacement).codePoints { append(codePoint.value) }
    }

    private mutating func append(_ value: UInt32) {
        elements.append(DecomposedCodePoint(value: value, mark: FoldTable.mark(of: value)))
    }

    /// Sorts each run of marks by combining class; marks of the same class keep their order.
    private mutating func orderMarks() {
        var start = 0
        while start < elements.count {
            var end = start
            while end < elements.count, elements[end].mark.combiningClass > 0 { end += 1 }
            if end - start > 1 { orderMarks(start..<end) }
            start = end + 1
        }
    }

    private mutating func orderMarks(_ range: Range<Int>) {
        let marks = range.sorted { left, right in
            let classes = (elements[left].mark.combiningClass, elements[right].mark.combiningClass)
            return classes.0 == classes.1 ? left < right : classes.0 < classes.1
        }
        elements.replaceSubrange(range, with: marks.map { elements[$0] })
    }

    private func folded() -> FoldedCharacters {
        var folded = FoldedCharacters(capacity: 3 * elements.count)
        var start = 0
        while start < elements.count {
            var end = start + 1
            while end < elements.count, elements[end].mark.extends { end += 1 }
            append(elements[start..<end], to: &folded)
            start = end
        }
        folded.finish()
        return folded
    }

    /// Appends a character: a base and the code points that extend it.
    private func append(_ character: ArraySlice<DecomposedCodePoint>, to folded: inout FoldedCharacters) {
        folded.beginCharacter()
        let isMarkOnly = character.first?.mark.isDropped ?? true
        if !mode.dropsMarks || isMarkOnly || character.count == 1 {
            for element in character { append(element, to: &folded) }
        } else {
            withoutMarks(character) { append($0, to: &folded) }
        }
    }

    /// Calls `keep` with the base and the marks that `[d]` keeps. After a base up to Cyrillic, it keeps none. After other
    /// bases, it keeps the marks that canonical composition joins with the base, such as the voicing mark of `が`.
    private func withoutMarks(_ character: ArraySlice<DecomposedCodePoint>, _ keep: (DecomposedCodePoint) -> Void) {
        guard let first = character.first else { return }
        keep(first)
        var (base, last) = (first.value, 0)
        for element in character.dropFirst() {
            let rank = element.mark.combiningClass
            let composed = rank == 0 || last < rank ? Self.composition(base, element.value) : nil
            last = rank
            if composed != nil || !element.mark.isDropped { keep(element) }
            base = composed ?? base
        }
    }

    private static func composition(_ base: UInt32, _ next: UInt32) -> UInt32? {
        FoldTable.composition(base, next) ?? HangulSyllable.composition(base, next)
    }

    private func append(_ element: DecomposedCodePoint, to folded: inout FoldedCharacters) {
        let place = FoldTable.packedReplacement(of: element.value, .caseInsensitive)
        if mode.foldsCase, place.length != FoldTable.PackedReplacement.itself, !element.mark.isDropped {
            folded.append(UTF8Bytes(Replacement(place)))
        } else {
            folded.append(UTF8Bytes(mode.foldsCase ? element.value.smallLetter : element.value))
        }
    }
}

/// The UTF-8 of a few code points.
struct UTF8Bytes {
    /// The bit that marks a byte that is not valid UTF-8 and folds to itself.
    static let malformed: UInt32 = 1 << 31

    private(set) var bytes: UInt128 = 0
    private(set) var count = 0

    init(_ replacement: Replacement) {
        (bytes, count) = (replacement.bytes, replacement.count)
    }

    init(_ value: UInt32) {
        if value & Self.malformed != 0 {
            (bytes, count) = (UInt128(value & 0xFF), 1)
        } else if let scalar = Unicode.Scalar(value) {
            for byte in UTF8.encode(scalar).map(Array.init) ?? [] { append(byte) }
        }
    }

    private mutating func append(_ byte: UInt8) {
        bytes |= UInt128(byte) << UInt128(8 * count)
        count += 1
    }

    var text: String { withUnsafeBytes(of: bytes.littleEndian) { String(decoding: $0.prefix(count), as: UTF8.self) } }

    var codePoints: [CodePoint] {
        withUnsafeBytes(of: bytes.littleEndian) { memory in
            let all = memory.bindMemory(to: UInt8.self)
            guard var position = all.baseAddress else { return [] }
            let end = position + count
            var codePoints: [CodePoint] = []
            while position < end {
                codePoints.append(CodePoint(at: position, before: end))
                position += codePoints[codePoints.count - 1].length
            }
            return codePoints
        }
    }
}

extension UInt32 {
    /// The small letter for `A` to `Z`; any other code point unchanged.
    fileprivate var smallLetter: UInt32 {
        self &- 0x41 < 26 ? self | 0x20 : self
    }
}

// MARK: - Folded characters

/// A folded string and the positions in it where characters begin. A character is a base with its marks, or
/// everything that one code point folds to.
///
/// No match begins or ends inside a character: `"e\u{301}" CONTAINS[c] "e"` and `"ß" CONTAINS[c] "s"` are false.
struct FoldedCharacters {
    /// The folded UTF-8.
    private(set) var bytes: [UInt8] = []
    /// For each byte, and for the end: true if a character begins there.
    private var isStart: [Bool] = []
    private var begins = false

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
        isStart.reserveCapacity(capacity + 1)
    }

    mutating func beginCharacter() {
        begins = true
    }

    mutating func append(_ piece: UTF8Bytes) {
        var rest = piece.bytes
        for _ in 0..<piece.count {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            isStart.append(begins)
            begins = false
            rest >>= 8
        }
    }

    mutating func finish() {
        isStart.append(true)
    }
}

/// Comparisons with a folded, non-empty needle.
extension FoldedCharacters {
    /// `name BEGINSWITH[cd] "jo"`
    func begins(with needle: FoldedText) -> Bool {
        bytes.starts(with: needle.bytes) && isStart[needle.count]
    }

    /// `name ENDSWITH[cd] "son"`
    func ends(with needle: FoldedText) -> Bool {
        let start = bytes.count - needle.count
        return start >= 0 && isStart[start] && bytes[start...].elementsEqual(needle.bytes)
    }

    /// `name CONTAINS[cd] "oh"`
    func contains(_ needle: FoldedText) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            needle.isFound(in: bytes) { isStart[$0.lowerBound] && isStart[$0.upperBound] }
        }
    }

    /// `name LIKE[c] "j?h*n"`
    func fits(_ tokens: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            isStart.withUnsafeBufferPointer { CharacterCursor($0, bytes).fits(tokens) }
        }
    }
}

/// A cursor over folded characters.
private struct CharacterCursor: ByteCursor {
    private let isStart: UnsafeBufferPointer<Bool>
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ isStart: UnsafeBufferPointer<Bool>, _ bytes: UnsafeBufferPointer<UInt8>) {
        self.isStart = isStart
        self.bytes = bytes
    }

    mutating func next() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    var isBetweenCharacters: Bool { isStart[position] }

    mutating func skipCharacter() -> Bool {
        guard position < bytes.count else { return false }
        repeat { position += 1 } while !isStart[position]
        return true
    }
}
