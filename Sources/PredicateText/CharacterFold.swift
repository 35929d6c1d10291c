/// The fold of any text, marks included: the definition that faster forms derive from.
///
///     name ==[cd] "zoe"
///
/// The text is decomposed and its marks are put in canonical order; then, character by character, `[d]` drops marks and `[c]`
/// folds the case of what is no mark.
struct CharacterFold {
    /// A decomposed code point, its combining class and kind.
    private struct Element {
        let value: UInt32
        let mark: FoldTable.Mark
    }

    private let mode: FoldMode
    private var elements: [Element] = []

    /// The folded bytes with the places where characters begin.
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
        let place = FoldTable.place(of: codePoint.value, .decomposition)
        if place.length != FoldTable.Place.itself { return append(Replacement(place)) }
        if let syllable = HangulSyllable(codePoint.value) { return append(Replacement(syllable)) }
        append(codePoint.value)
    }

    private mutating func append(_ replacement: Replacement) {
        for codePoint in UTF8Bytes(replacement).codePoints { append(codePoint.value) }
    }

    private mutating func append(_ value: UInt32) {
        elements.append(Element(value: value, mark: FoldTable.mark(of: value)))
    }

    /// Sorts each run of marks by their combining classes; marks of one class keep their order.
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

    /// Appends a character: a base and what extends it.
    private func append(_ character: ArraySlice<Element>, to folded: inout FoldedCharacters) {
        folded.beginCharacter()
        let isMarkOnly = character.first?.mark.isDropped ?? true
        if !mode.dropsMarks || isMarkOnly || character.count == 1 {
            for element in character { append(element, to: &folded) }
        } else {
            withoutMarks(character) { append($0, to: &folded) }
        }
    }

    /// Calls `keep` with the base and what `[d]` does not drop: after a base of Greek, Cyrillic and all that comes before them
    /// no mark, after others those that canonical composition puts back, such as the voicing mark of `が`.
    private func withoutMarks(_ character: ArraySlice<Element>, _ keep: (Element) -> Void) {
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

    private func append(_ element: Element, to folded: inout FoldedCharacters) {
        let place = FoldTable.place(of: element.value, .caseInsensitive)
        if mode.foldsCase, place.length != FoldTable.Place.itself, !element.mark.isDropped {
            folded.append(UTF8Bytes(Replacement(place)))
        } else {
            folded.append(UTF8Bytes(mode.foldsCase ? element.value.smallLetter : element.value))
        }
    }
}

/// The UTF-8 of a few code points.
struct UTF8Bytes {
    /// The bit that marks a byte which is not UTF-8 and stands for itself.
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
    /// `a` for `A`, any other code point as it is.
    fileprivate var smallLetter: UInt32 {
        self &- 0x41 < 26 ? self | 0x20 : self
    }
}
