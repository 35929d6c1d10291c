/// What the fold does with each code point, for databases that fold by a table of their own.
extension Folding {
    /// What folding has to know of one code point.
    package struct Entry: Hashable, Sendable {
        /// The canonical decomposition; empty for a code point that is its own.
        package let decomposition: [UInt32]
        /// The letters that `[c]` makes of a code point in decomposed text; empty where it stays.
        package let caseFold: [UInt32]
        /// The canonical combining class, times four; 2 for a mark that `[d]` drops; 1 for one that continues a character.
        package let kind: Int

        /// The entry of a code point that folding leaves alone.
        package static let plain = Entry(decomposition: [], caseFold: [], kind: 0)
    }

    /// All code points from here on are plain. Hangul syllables are plain, too: arithmetic decomposes them.
    package static let entryLimit = FoldData.limit

    package static func entry(of value: UInt32) -> Entry {
        let mark = FoldTable.mark(of: value)
        let decomposition = FoldTable.place(of: value, .decomposition)
        let folds = !mark.isDropped && decomposition.length == FoldTable.Place.itself
        return Entry(
            decomposition: codePoints(decomposition) ?? [],
            caseFold: folds ? caseFold(of: value) : [], kind: mark.number)
    }

    private static func caseFold(of value: UInt32) -> [UInt32] {
        if value &- 0x41 < 26 { return [value | 0x20] }
        return codePoints(FoldTable.place(of: value, .caseInsensitive)) ?? []
    }

    private static func codePoints(_ place: FoldTable.Place) -> [UInt32]? {
        if place.length == FoldTable.Place.itself { return nil }
        return UTF8Bytes(Replacement(place)).codePoints.map(\.value)
    }
}
