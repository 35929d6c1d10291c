/// The fold of `[c]` and `[d]`: it ignores the same differences as Foundation's string comparison, in every module.
///
///     name ==[cd] "zoe"          holds for Zoë, ZOË and zoe
///
/// - Canonically equivalent strings are equal: `é` as one code point and as two, `한` and its jamo.
/// - `[c]` is full Unicode case folding: `ß` becomes `ss`, and `İ` becomes `i` followed by a combining dot; `ı` does
///   not change.
/// - `[d]` drops marks: `é` becomes `e`, `Å` (the unit) becomes `A`, and `👍🏽` becomes `👍`. Letters without a
///   decomposition, such as `ø`, do not change. After letters beyond Cyrillic, marks that canonical composition joins
///   with the letter are kept: `が` does not equal `か`. A mark without a base is kept.
/// - `[cd]` is `[d]` followed by `[c]`. In this order, strings that are equal under `[d]` are also equal under
///   `[cd]`. The iota below a Greek letter is dropped as a mark; it does not become a letter.
///
/// A folded string is in canonical decomposition (NFD), is ordered by code points, and is at most three times as long
/// as the original. Folding is idempotent. No other character folds to `*`, `?` or a backslash. (NSP-096)
package enum Folding {
    /// The version of the fold, which is part of the names of SQL functions.
    package static let version = 2

    /// The Unicode version of the table.
    package static let unicodeVersion: String = FoldData.unicodeVersion

    /// Returns the folded string, as `name ==[cd] "zoe"` compares it.
    package static func fold(_ string: String, _ mode: FoldMode) -> String {
        string.withText(mode) { text in
            text.isFolded ? nil : text.withFolded { String(decoding: $0.bytes, as: UTF8.self) }
        } ?? string
    }

    /// Calls `body` with the folded form of UTF-8, as `name IN[cd] {"zoe", "jo"}` looks it up. Bytes that are not valid UTF-8
    /// stay as they are.
    ///
    /// The closure returns nothing, since generic code is slow across modules.
    package static func withFolded(
        _ utf8: UnsafeBufferPointer<UInt8>, _ mode: FoldMode, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        FoldedText(utf8, mode).withFolded { body($0.bytes) }
    }

    /// The marks that `[d]` drops, for databases that do not fold with this module.
    package static let marks = ranges { $0.isDropped }

    /// The code points that belong to the preceding character: marks, and Hangul vowels and final consonants.
    package static let extenders = ranges { $0.extends }

    /// The marks with a combining class, which canonical ordering may move.
    package static let orderedMarks = ranges { $0.combiningClass > 0 }

    /// Returns the code points with a combining class.
    package static func marks(ofClass combiningClass: Int) -> [ClosedRange<UInt32>] {
        ranges { $0.combiningClass == combiningClass }
    }

    /// Returns the combining class of a code point; 0 for a code point that canonical ordering does not move.
    package static func combiningClass(of scalar: Unicode.Scalar) -> Int {
        FoldTable.mark(of: scalar.value).combiningClass
    }

    /// The pairs that canonical composition joins, so that `[d]` keeps the second: for example `か` and its voicing
    /// mark.
    package static let compositions: [(base: Unicode.Scalar, mark: Unicode.Scalar, result: Unicode.Scalar)] =
        FoldTable.compositions

    /// Returns the full canonical decomposition of a code point: `é` as `e` and a mark.
    package static func decomposition(_ scalar: Unicode.Scalar) -> String {
        let place = FoldTable.packedReplacement(of: scalar.value, .decomposition)
        if place.length != FoldTable.PackedReplacement.itself { return UTF8Bytes(Replacement(place)).text }
        return HangulSyllable(scalar.value).map { UTF8Bytes(Replacement($0)).text } ?? String(scalar)
    }

    /// Returns true if canonical decomposition does not change the code point.
    package static func isDecomposed(_ scalar: Unicode.Scalar) -> Bool {
        let decomposition = FoldTable.packedReplacement(of: scalar.value, .decomposition)
        return HangulSyllable(scalar.value) == nil && decomposition.length == FoldTable.PackedReplacement.itself
    }

    private static func ranges(_ isMember: (FoldTable.Mark) -> Bool) -> [ClosedRange<UInt32>] {
        CodePointSet(FoldTable.members.filter { isMember(FoldTable.mark(of: $0)) }.map { $0...$0 }).ranges
    }
}

extension FoldedText {
    /// Calls `body` with the folded string.
    @inline(__always)
    func withFolded<Result>(_ body: (FoldedText) -> Result) -> Result {
        mode == .none ? body(self) : withFoldedCopy(body)
    }

    /// The buffer has room for three times the string; the generator of the table verifies that no fold needs more.
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

    /// True without folding, and for ASCII that folding does not change.
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

/// The differences that a string comparison ignores: the option letters `c` and `d` after an operator.
///
///     name BEGINSWITH[cd] "jo"
@usableFromInline
package enum FoldMode: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// `name == "Ann"`
    case none
    /// `name ==[c] "ann"`
    case caseInsensitive
    /// `name ==[d] "Zoe"`
    case diacriticInsensitive
    /// `name ==[cd] "zoe"`
    case caseAndDiacriticInsensitive
}

extension FoldMode {
    /// True if `A` folds to `a`.
    package var foldsCase: Bool { rawValue & 1 != 0 }

    /// True if `é` folds to `e`.
    var dropsMarks: Bool { rawValue & 2 != 0 }
}

/// The fold of each code point, for databases that fold with a table of their own.
extension Folding {
    /// The data that folding needs for one code point.
    package struct CodePointFold: Hashable, Sendable {
        /// The canonical decomposition; empty if the code point decomposes to itself.
        package let decomposition: [UInt32]
        /// The letters that `[c]` folds a decomposed code point to; empty if it does not change.
        package let caseFold: [UInt32]
        /// The canonical combining class times four, plus 2 for a mark that `[d]` drops, plus 1 for a code point that
        /// continues a character.
        package let kind: Int

        /// The entry of a code point that folding does not change.
        package static let plain = CodePointFold(decomposition: [], caseFold: [], kind: 0)
    }

    /// Every code point from here on is plain. Hangul syllables are plain too, since arithmetic decomposes them.
    package static let entryLimit = FoldData.limit

    package static func entry(of value: UInt32) -> CodePointFold {
        let mark = FoldTable.mark(of: value)
        let decomposition = FoldTable.packedReplacement(of: value, .decomposition)
        let folds = !mark.isDropped && decomposition.length == FoldTable.PackedReplacement.itself
        return CodePointFold(
            decomposition: codePoints(decomposition) ?? [],
            caseFold: folds ? caseFold(of: value) : [], kind: mark.number)
    }

    private static func caseFold(of value: UInt32) -> [UInt32] {
        if value &- 0x41 < 26 { return [value | 0x20] }
        return codePoints(FoldTable.packedReplacement(of: value, .caseInsensitive)) ?? []
    }

    private static func codePoints(_ place: FoldTable.PackedReplacement) -> [UInt32]? {
        if place.length == FoldTable.PackedReplacement.itself { return nil }
        return UTF8Bytes(Replacement(place)).codePoints.map(\.value)
    }
}
