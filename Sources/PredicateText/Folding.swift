/// The fold that `[c]` and `[d]` stand for: one map from code points to strings, the same in every module.
///
///     name ==[cd] "zoe"          holds for Zoë, ZOË and zoe
///
/// - `[c]` is full Unicode case folding: `ß` becomes `ss`, `İ` an `i` with a dot above it; `ı` stays.
/// - `[d]` takes the code point apart as canonical decomposition does, to the end, and drops nonspacing marks (Mn):
///   `é` becomes `e`, `Å` (the unit) `A`, a combining accent nothing, `が` becomes `か`. Letters that do not decompose,
///   such as `ø`, stay. Hangul syllables stay too; they hold no marks.
/// - `[cd]` is `[d]`, then `[c]` of what is left. In this order whatever is equal under `[d]` is equal under `[cd]`; the
///   iota below a Greek letter is dropped as a mark and does not become a letter.
///
/// Each code point folds by itself, whatever its neighbours are. So the fold neither puts marks in order nor composes
/// jamo, and any database can repeat it with the same table. Folding twice is folding once. No fold makes `*`, `?`
/// or a backslash out of another character, and folded UTF-8 is at most three times as long.
package enum Folding {
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
            return body(FoldedText(UnsafeBufferPointer(rebasing: memory.bindMemory(to: UInt8.self)[..<count]), .none))
        }
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
