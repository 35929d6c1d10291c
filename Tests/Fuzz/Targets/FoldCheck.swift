import PredicateGenerators
import PredicateReference
import PredicateText

/// Folding and searching as lists of characters do them; any bytes that are not text, too.
struct FoldCheck {
    private let mode: FoldMode
    private let text: String
    private let needle: String
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        var source = RandomSource(bytes: bytes[...])
        mode = source.one(of: FoldMode.allCases)
        text = FuzzText.text(&source, atMost: 40)
        // Half of the needles are there to be found.
        needle = source.oneIn(2) ? FuzzText.text(&source, atMost: 6) : Self.piece(of: text, &source)
        self.bytes = Array(source.rest())
    }

    private static func piece(of text: String, _ source: inout RandomSource) -> String {
        let scalars = Array(text.unicodeScalars)
        let start = source.below(scalars.count + 1)
        let piece = scalars[start...].prefix(source.below(8))
        var view = String.UnicodeScalarView()
        view.append(contentsOf: piece)
        return String(view)
    }

    func run() throws(FuzzFinding) {
        let folded = Folding.fold(text, mode)
        try check("fold", Array(folded.unicodeScalars) == SlowText.fold(text, mode))
        try check("folds once", Folding.fold(folded, mode).utf8.elementsEqual(folded.utf8))
        let prepared = PreparedNeedle(needle, mode)
        let begins = SlowText.begins(text, needle, mode)
        try check(
            "begins", prepared.isPrefix(of: text) == begins && TextSearch.begins(text, with: needle, mode) == begins)
        let ends = SlowText.ends(text, needle, mode)
        try check("ends", prepared.isSuffix(of: text) == ends && TextSearch.ends(text, with: needle, mode) == ends)
        let contains = SlowText.contains(text, needle, mode)
        try check("contains", prepared.isContained(in: text) == contains)
        try check("contains, unprepared", TextSearch.contains(text, needle, mode) == contains)
        // Long texts are folded piece by piece.
        let long = String(repeating: text, count: 8)
        try check("contains, long", prepared.isContained(in: long) == SlowText.contains(long, needle, mode))
        let order = SlowText.compare(text, needle, mode)
        try check(
            "equal",
            prepared.isEqual(to: text) == (order == 0) && TextSearch.equal(text, needle, mode) == (order == 0))
        try check("compare", TextSearch.compare(text, needle, mode).signum() == order)
        try check("order", prepared.order(of: text).signum() == order)
        try checkBytes()
    }

    /// Bytes that are no text are folded too, to three times as many at most.
    private func checkBytes() throws(FuzzFinding) {
        var folded: [UInt8] = []
        bytes.withUnsafeBufferPointer { Folding.withFolded($0, mode) { folded.append(contentsOf: $0) } }
        try FuzzFinding.unless(mode != .none || folded == bytes, "without a mode \(bytes) folds to \(folded)")
        try FuzzFinding.unless(folded.count <= 3 * bytes.count, "\(bytes) folds to \(folded.count) bytes")
    }

    private func check(_ name: String, _ holds: Bool) throws(FuzzFinding) {
        try FuzzFinding.unless(holds, "\(name) \(mode): \(text.debugDescription), \(needle.debugDescription)")
    }
}
