import PredicateText

/// The tables by which DuckDB decomposes letters and folds their case, as lists of texts that a code point leads into.
///
/// Code points are divided in blocks, and equal blocks stand once: `pages` has the place in `letters` of the block of each code
/// point. Where the text there is empty, the code point stands for itself.
struct DuckDBFoldTable {
    /// The code points of a block are two to the power of this.
    static let blockBits: UInt32 = 7
    static let blockSize = 1 << Int(blockBits)

    /// The place of each block, from 1 on, between spaces. The last one stands for all code points after it, none of which changes.
    let pages: String
    /// The number of pages.
    let pageCount: Int
    /// The folds of `[c]`, between bars.
    let foldedLetters: String
    /// The canonical decompositions, between bars.
    let decomposedLetters: String

    static let shared = DuckDBFoldTable()

    private init() {
        var (pages, folded, decomposed): ([Int], [String], [String]) = ([], [], [])
        var places: [[String]: Int] = [:]
        for block in 0...Self.lastBlock {
            let letters = (block << Self.blockBits..<(block + 1) << Self.blockBits).map(Letter.init)
            let texts = letters.map(\.folded) + letters.map(\.decomposed)
            if let place = places[texts] {
                pages.append(place)
                continue
            }
            places[texts] = folded.count + 1
            pages.append(folded.count + 1)
            folded += letters.map(\.folded)
            decomposed += letters.map(\.decomposed)
        }
        self.pages = pages.map(String.init).joined(separator: " ")
        pageCount = pages.count
        foldedLetters = folded.joined(separator: "|")
        decomposedLetters = decomposed.joined(separator: "|")
    }

    /// The block after the last ideograph that is decomposed.
    private static let lastBlock: UInt32 = 0x2FA80 >> blockBits

    /// The texts of a code point.
    private struct Letter {
        var folded = ""
        var decomposed = ""

        init(_ value: UInt32) {
            // Syllables of Hangul are decomposed by arithmetic.
            guard let scalar = Unicode.Scalar(value), !(0xAC00...0xD7A3 ~= value) else { return }
            if let escape = DuckDBPrelude.escape(of: scalar) {
                (folded, decomposed) = (escape, escape)
                return
            }
            decomposed = Self.text(Folding.decomposition(scalar), of: scalar)
            folded = Self.text(Folding.fold(String(scalar), .caseInsensitive), of: scalar)
        }

        private static func text(_ text: String, of scalar: Unicode.Scalar) -> String {
            text.unicodeScalars.count == 1 && text.unicodeScalars.first == scalar ? "" : text
        }
    }
}
