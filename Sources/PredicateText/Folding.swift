/// The fold that `[c]` and `[d]` stand for: what Foundation's text comparison ignores, the same in every module.
///
///     name ==[cd] "zoe"          holds for Zoë, ZOË and zoe
///
/// - Canonical equivalents are equal: `é` in one code point and in two, `한` and its jamo.
/// - `[c]` is full Unicode case folding: `ß` becomes `ss`, `İ` an `i` with a dot above it; `ı` stays.
/// - `[d]` drops marks: `é` becomes `e`, `Å` (the unit) `A`, `👍🏽` `👍`. Letters that are not composed, such as `ø`, stay. After
///   letters beyond Cyrillic those marks stay that composition puts back: `が` is not `か`. A mark without a base stays.
/// - `[cd]` is `[d]`, then `[c]` of what is left. In this order whatever is equal under `[d]` is equal under `[cd]`; the
///   iota below a Greek letter is dropped as a mark and does not become a letter.
///
/// Folded text is in canonical decomposition (NFD), its order is that of code points, and it is at most three times as long.
/// Folding twice is folding once. No fold makes `*`, `?` or a backslash out of another character. (NSP-096)
package enum Folding {
    /// The version of the fold: a part of the names of the functions that databases know it by.
    package static let version = 2

    /// The version of Unicode the table was made from: it decides what `name ==[cd] "zoe"` holds for.
    package static let unicodeVersion: String = FoldData.unicodeVersion

    /// The folded string: what `name ==[cd] "zoe"` compares.
    package static func fold(_ string: String, _ mode: FoldMode) -> String {
        string.withText(mode) { text in
            text.isFolded ? nil : text.withFolded { String(decoding: $0.bytes, as: UTF8.self) }
        } ?? string
    }

    /// Appends the folded form of UTF-8 to bytes, for `name CONTAINS[cd] "zoe"` over columns that are not strings.
    ///
    /// Bytes that are not UTF-8 are appended as they are.
    package static func appendFolded(_ utf8: UnsafeBufferPointer<UInt8>, _ mode: FoldMode, to bytes: inout [UInt8]) {
        FoldedText(utf8, mode).withFolded { bytes.append(contentsOf: $0.bytes) }
    }
}

extension Folding {
    /// Calls `body` with the folded form of UTF-8: what `name IN[cd] {"zoe", "jo"}` looks up.
    ///
    /// Without a result, since generic code is slow across modules.
    package static func withFolded(
        _ utf8: UnsafeBufferPointer<UInt8>, _ mode: FoldMode, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        FoldedText(utf8, mode).withFolded { body($0.bytes) }
    }

    /// The marks that `[d]` drops, for databases that fold by other means than this module.
    package static let marks = ranges { $0.isDropped }

    /// The code points that belong to the character before them: marks, and vowels and final consonants of Hangul.
    package static let extenders = ranges { $0.extends }

    /// The marks that canonical order moves: those with a combining class.
    package static let orderedMarks = ranges { $0.combiningClass > 0 }

    /// The code points of a combining class.
    package static func marks(ofClass combiningClass: Int) -> [ClosedRange<UInt32>] {
        ranges { $0.combiningClass == combiningClass }
    }

    /// The combining class of a code point; 0 for what no order moves.
    package static func combiningClass(of scalar: Unicode.Scalar) -> Int {
        FoldTable.mark(of: scalar.value).combiningClass
    }

    /// The pairs that canonical composition joins and whose second `[d]` therefore keeps, such as `か` and its voicing mark.
    package static let compositions: [(base: Unicode.Scalar, mark: Unicode.Scalar, result: Unicode.Scalar)] =
        FoldTable.compositions

    /// The canonical decomposition of a code point, in full: `é` as `e` and a mark.
    package static func decomposition(_ scalar: Unicode.Scalar) -> String {
        let place = FoldTable.place(of: scalar.value, .decomposition)
        if place.length != FoldTable.Place.itself { return UTF8Bytes(Replacement(place)).text }
        return HangulSyllable(scalar.value).map { UTF8Bytes(Replacement($0)).text } ?? String(scalar)
    }

    /// True if canonical decomposition leaves the code point as it is.
    package static func isDecomposed(_ scalar: Unicode.Scalar) -> Bool {
        HangulSyllable(scalar.value) == nil
            && FoldTable.place(of: scalar.value, .decomposition).length == FoldTable.Place.itself
    }

    private static func ranges(_ isMember: (FoldTable.Mark) -> Bool) -> [ClosedRange<UInt32>] {
        var ranges: [ClosedRange<UInt32>] = []
        for value in 0..<FoldData.limit where isMember(FoldTable.mark(of: value)) {
            if let last = ranges.last, last.upperBound + 1 == value {
                ranges[ranges.count - 1] = last.lowerBound...value
            } else {
                ranges.append(value...value)
            }
        }
        return ranges
    }
}

extension FoldedText {
    /// Calls `body` with the folded text.
    @inline(__always)
    func withFolded<Result>(_ body: (FoldedText) -> Result) -> Result {
        mode == .none ? body(self) : withFoldedCopy(body)
    }

    /// The copy has room for three times the text; the generator of the table checks that no fold needs more.
    @inline(never)
    private func withFoldedCopy<Result>(_ body: (FoldedText) -> Result) -> Result {
        let capacity = 3 &* count &+ FoldedPieces.step
        return withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) { memory in
            var pieces = FoldedPieces(self)
            let count = pieces.fill(memory, after: 0)
            if pieces.isSpecial { return withFoldedCharacters(body) }
            return body(FoldedText(UnsafeBufferPointer(rebasing: memory.bindMemory(to: UInt8.self)[..<count]), .none))
        }
    }

    @inline(never)
    private func withFoldedCharacters<Result>(_ body: (FoldedText) -> Result) -> Result {
        CharacterFold.fold(self).bytes.withUnsafeBufferPointer { body(FoldedText($0, .none)) }
    }

    /// True for ASCII that folding does not change, and without folding.
    fileprivate var isFolded: Bool {
        var position = 0
        while position < count {
            let word = word(at: position)
            if word & tableBits != 0 || folded(word) != word { return false }
            position &+= 8
        }
        return true
    }
}
