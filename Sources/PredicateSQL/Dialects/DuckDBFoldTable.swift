import PredicateText

/// The tables by which DuckDB decomposes letters and folds their case: lists of texts, and the place of a code point in them.
///
/// Only code points that change, and those near to one, have a place of their own; all others have the first. Where the text
/// at a place is empty, the code point stands for itself.
struct DuckDBFoldTable {
    /// Code points without a gap of more than ``longestGap``, and the place of the first.
    private struct Run {
        var values: ClosedRange<UInt32>
        let place: Int
    }

    private static let longestGap: UInt32 = 64

    private var runs: [Run] = []
    private var folded = [""]
    private var decomposed = [""]

    static let shared = DuckDBFoldTable()

    private init() {
        for value in Self.values {
            guard let last = runs.last?.values, value - last.upperBound <= Self.longestGap else {
                runs.append(Run(values: value...value, place: folded.count + 1))
                append(value)
                continue
            }
            for value in last.upperBound + 1...value { append(value) }
            runs[runs.count - 1].values = last.lowerBound...value
        }
    }

    private mutating func append(_ value: UInt32) {
        let letter = Letter(value)
        folded.append(letter.folded)
        decomposed.append(letter.decomposed)
    }

    /// The code points that change.
    private static var values: [UInt32] {
        (0...0x2FFFF).filter { value in
            let letter = Letter(value)
            return letter.folded + letter.decomposed != ""
        }
    }

    /// The folds of `[c]`, between bars.
    var foldedLetters: String { folded.joined(separator: "|") }

    /// The canonical decompositions, between bars.
    var decomposedLetters: String { decomposed.joined(separator: "|") }

    /// The place of a code point, as an expression that finds its run by halves.
    func place(of codePoint: String) -> String { place(of: codePoint, in: runs[...]) }

    private func place(of codePoint: String, in runs: ArraySlice<Run>) -> String {
        guard let first = runs.first else { return "1" }
        if runs.count > 1 {
            let middle = runs.startIndex + runs.count / 2
            let (left, right) = (place(of: codePoint, in: runs[..<middle]), place(of: codePoint, in: runs[middle...]))
            return "CASE WHEN \(codePoint) < \(runs[middle].values.lowerBound) THEN \(left) ELSE \(right) END"
        }
        // No code point comes before the first run, which begins at U+0000.
        let offset = Int(first.values.lowerBound) - first.place
        let place = offset < 0 ? "\(codePoint) + \(-offset)" : "\(codePoint) - \(offset)"
        return "CASE WHEN \(codePoint) > \(first.values.upperBound) THEN 1 ELSE \(place) END"
    }
}

extension DuckDBFoldTable {
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
