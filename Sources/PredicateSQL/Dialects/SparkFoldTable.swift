import PredicateText

/// What code points become under a fold, as literals of Spark's SQL.
///
/// A folded code point is written with a joint before each code point but the first, a mark by itself with a divider before it: a
/// character is a base and what joints and dividers tie to it. A separator marks what begins a character and is ordered like a
/// mark all the same.
struct SparkFoldTable {
    /// The number of the page for each 64 code points, with commas between them; pages that are the same stand once.
    private(set) var pages = ""
    /// The entries of the pages, with commas between them; nothing for what stays.
    private(set) var entries = ""
    /// The code points of ``near``, and after them those that `translate` drops: what becomes several code points, and what
    /// belongs to the character before it.
    private(set) var from = ""
    /// What each of the first of them becomes: one code point.
    private(set) var near = ""

    /// `À`, before a code point that is not the first of its character. No folded text holds it: it is decomposed.
    static let joint: Unicode.Scalar = "\u{C0}"
    /// `Á`, before a mark that was a code point of its own. No folded text holds it either.
    static let divider: Unicode.Scalar = "\u{C1}"
    /// `Â`, before a code point that has a combining class and begins a character.
    static let separator: Unicode.Scalar = "\u{C2}"
    /// What ties code points together, as members of a bracket expression.
    static let joints = "\(joint)\(divider)"

    static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    /// Past it nothing changes, and what belongs to the character before it is told by its range.
    static let limit: UInt32 = 0x2FA40

    init(_ mode: FoldMode) {
        var (numbers, distinct): ([String], [[String]: Int]) = ([], [:])
        var all: [[String]] = []
        var kept = String.UnicodeScalarView()
        for start in stride(from: 0, to: Self.limit, by: 64) {
            let page = (start..<start + 64).map { entry($0, mode, &kept) }
            if distinct[page] == nil {
                distinct[page] = all.count
                all.append(page)
            }
            numbers.append(String(distinct[page] ?? 0))
        }
        pages = numbers.joined(separator: ",")
        entries = all.joined().joined(separator: ",")
        for range in Self.extendersPastLimit { kept.append(contentsOf: range.compactMap(Unicode.Scalar.init)) }
        from += String(kept)
    }

    /// The fold of a code point; nothing for one that stays. What `translate` drops is appended to `dropped`.
    private mutating func entry(
        _ value: UInt32, _ mode: FoldMode, _ dropped: inout String.UnicodeScalarView
    ) -> String {
        guard let scalar = Unicode.Scalar(value), !Self.syllables.contains(value) else { return "" }
        let folded = Array(Folding.fold(String(scalar), mode).unicodeScalars)
        if Self.extends(scalar) {
            dropped.append(scalar)
            return folded.map { "\(Self.divider)\($0)" }.joined()
        }
        if Folding.combiningClass(of: scalar) > 0 {
            dropped.append(scalar)
            return "\(Self.separator)\(scalar)"
        }
        if folded == [scalar] { return "" }
        if folded.count == 1, !Self.extends(folded[0]) {
            from.unicodeScalars.append(scalar)
            near.unicodeScalars.append(folded[0])
        } else {
            dropped.append(scalar)
        }
        return folded.map(String.init).joined(separator: String(Self.joint))
    }

    /// True for a code point that belongs to the character before it.
    private static func extends(_ scalar: Unicode.Scalar) -> Bool { Folding.entry(of: scalar.value).kind & 1 != 0 }

    static let extendersPastLimit = Folding.extenders.filter { $0.lowerBound >= limit }
}
