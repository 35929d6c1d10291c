import PredicateText

/// The expression for the folded characters of a string `s` and option `letters`: `⎸e⎸j` for `"ÉJ"`, with joints
/// shown as bars.
struct DuckDBCharacters {
    private let joint = DuckDBPrelude.joint
    private let keeper = DuckDBPrelude.keeper
    private let divider = DuckDBPrelude.divider

    /// The letters, followed by two steps for marks: putting them in canonical order, and removing the marks that `[d]`
    /// ignores.
    var text: String {
        let steps = [ordered, joined, kept, withoutMarks]
        return "replace(\(steps.reduce(letters) { $1($0) }), '\(keeper)', '')"
    }

    // MARK: Letters

    /// Every code point, decomposed and in lower case, with a joint before it unless it continues a character or is ordered
    /// among marks. A divider follows each code point without such an order.
    private var letters: String {
        let texts = "CASE WHEN letters = 'd' THEN \(Self.table.texts(1)) ELSE \(Self.table.texts(0)) END"
        return "array_to_string([\(letter) FOR z IN \(Self.table.pairs(of: "string_split(s, '')", texts))], '')"
    }

    /// The table's entry, the jamo of a syllable, or the code point itself.
    private var letter: String {
        """
        CASE WHEN z[1] <> '' THEN z[1] WHEN z[2] >= '\u{AC00}' AND z[2] <= '\u{D7A3}' THEN \
        '\(joint)' || chr(4352 + (unicode(z[2]) - 44032) // 588) || '\(divider)' || chr(4449 + (unicode(z[2]) - 44032) % 588 // 28) \
        || CASE WHEN (unicode(z[2]) - 44032) % 28 = 0 THEN '' ELSE '\(divider)' || chr(4519 + (unicode(z[2]) - 44032) % 28) END \
        || '\(divider)' ELSE '\(joint)' || z[2] || '\(divider)' END
        """
    }

    /// Code points that change, and marks: folded for `[c]`, and decomposed.
    private static let table = DuckDBTable(columns: 2, below: Folding.entryLimit) { scalar in
        if let escape = DuckDBPrelude.escape(of: scalar) { return [text(escape), text(escape)] }
        if Folding.entry(of: scalar.value) == .plain { return ["", ""] }
        return [text(Folding.fold(String(scalar), .caseInsensitive)), text(Folding.decomposition(scalar))]
    }

    private static func text(_ letters: String) -> String {
        letters.unicodeScalars.enumerated().reduce(into: "") { text, letter in
            let kind = Folding.entry(of: letter.element.value).kind
            if letter.offset == 0, kind & 1 == 0, kind < 4 { text += DuckDBPrelude.joint }
            text.unicodeScalars.append(letter.element)
            if kind < 4 { text += DuckDBPrelude.divider }
        }
    }

    // MARK: Marks

    /// Puts marks in canonical order. The divider before each run prevents composition.
    private func ordered(_ text: String) -> String { "replace(nfc_normalize(\(text)), '\(divider)', '')" }

    /// Puts a joint before ordered marks that are characters by themselves, and before the first character.
    private func joined(_ text: String) -> String {
        let marks = SQLRegularExpressions.re2.members(Self.separateMarks)
        return "'\(joint)' || ltrim(\(Self.replacing(text, "'([\(marks)])'", "\(joint)\\1")), '\(joint)')"
    }

    private static let separateMarks = Folding.orderedMarks.flatMap { range in
        range.filter { value in !Folding.extenders.contains { $0 ~= value } }.map { $0...$0 }
    }

    /// Puts a keeper before each mark that composition would restore, for `[d]`.
    private func kept(_ text: String) -> String {
        let (pairs, chains) = DuckDBComposition.patterns
        let marked = [pairs, chains].reduce(text) { Self.replacing($0, ifDropping("(\($1))"), "\\1\(keeper)") }
        return Self.replacing(marked, "'([^\(joint)])\(keeper)'", "\(keeper)\\1")
    }

    /// Removes the marks without a keeper. If the first character of a string begins with a mark, it stays unchanged.
    private func withoutMarks(_ text: String) -> String {
        let marks = SQLRegularExpressions.re2.members(Folding.marks)
        let pattern = "(^\(joint)[\(marks)][^\(joint)]*|\(keeper).)|[\(marks)]+"
        return Self.replacing(text, ifDropping(pattern), #"\1"#)
    }

    /// Returns a pattern for `[d]` and `[cd]`, and one that matches nothing for `[c]`.
    private func ifDropping(_ pattern: String) -> String {
        #"CASE WHEN letters = 'c' THEN '([^\x{0}-\x{10FFFF}])' ELSE '\#(pattern)' END"#
    }

    private static func replacing(_ text: String, _ pattern: String, _ replacement: String) -> String {
        "regexp_replace(\(text), \(pattern), '\(replacement)', 'g')"
    }
}

/// Pairs of a base and a mark that canonical composition joins. Pairs are in one group if their marks have the same
/// combining class and their bases compose with the same set of marks.
struct DuckDBComposition {
    private var bases: Set<Unicode.Scalar>
    private var marks: Set<Unicode.Scalar>
    private let combiningClass: Int
    /// The marks that the bases compose with. None of them may occur between base and mark.
    private let others: Set<Unicode.Scalar>

    private init(_ pair: Pair, others: Set<Unicode.Scalar>) {
        (bases, marks) = ([pair.base], [pair.mark])
        self.others = others
        combiningClass = Folding.combiningClass(of: pair.mark)
    }

    private typealias Pair = (base: Unicode.Scalar, mark: Unicode.Scalar, result: Unicode.Scalar)

    /// The patterns of pairs, and of pairs whose base is itself a pair with a keeper after its mark.
    static let patterns: (pairs: String, chains: String) = {
        let all = Folding.compositions.filter { pair in
            let first = Folding.decomposition(pair.base).unicodeScalars.first ?? pair.base
            return !Folding.marks.contains { $0 ~= first.value }
        }
        let marks = Dictionary(grouping: all) { $0.base }.mapValues { Set($0.map(\.mark)) }
        let parts = Dictionary(all.map { ($0.result, $0) }) { first, _ in first }
        var groups: [DuckDBComposition] = []
        var chains: [String] = []
        for pair in all {
            let next = DuckDBComposition(pair, others: marks[pair.base] ?? [])
            if let inner = parts[pair.base] {
                let first = DuckDBComposition(inner, others: marks[inner.base] ?? [])
                chains.append(first.pattern + DuckDBPrelude.keeper + next.way)
            } else if let index = groups.firstIndex(where: { $0.canTake(next) }) {
                groups[index].bases.formUnion(next.bases)
                groups[index].marks.formUnion(next.marks)
            } else {
                groups.append(next)
            }
        }
        return (groups.map(\.pattern).joined(separator: "|"), chains.joined(separator: "|"))
    }()

    /// Returns true if every base of both groups is joined with every mark of both.
    private func canTake(_ other: DuckDBComposition) -> Bool {
        others == other.others && combiningClass == other.combiningClass
            && marks.union(other.marks).isSubset(of: others)
    }

    private var pattern: String { "\(DuckDBPrelude.joint)[\(Self.set(bases))]\(way)" }

    /// A mark and what may precede it: no mark that the base composes with, and immediately before it no mark of the
    /// same combining class.
    private var way: String {
        let excluded = Self.set(others) + DuckDBPrelude.joint + DuckDBPrelude.keeper
        if combiningClass == 0 { return "[^\(excluded)]*[\(Self.set(marks))]" }
        let same = SQLRegularExpressions.re2.members(Folding.marks(ofClass: combiningClass))
        return "(?:[^\(excluded)]*[^\(excluded)\(same)])?[\(Self.set(marks))]"
    }

    private static func set(_ scalars: Set<Unicode.Scalar>) -> String {
        SQLRegularExpressions.re2.members(scalars.map { $0.value...$0.value })
    }
}

/// A table of strings for code points, as an expression over constant lists.
///
/// Code points are looked up in three steps: by their first bits, the next six and the last four. Equal blocks are
/// stored once, and most blocks are empty.
struct DuckDBTable {
    /// The numbers of the middle blocks, for the first bits.
    private let first: [Int]
    /// The middle blocks, one after another.
    private let middle: [Int]
    /// The strings of the last blocks, by column.
    private let columns: [[String]]

    /// Creates a table of the code points below a limit. `texts` returns one string per column; an empty string means
    /// the code point itself.
    init(columns count: Int, below limit: UInt32, _ texts: (Unicode.Scalar) -> [String]) {
        let nothing = [String](repeating: "", count: count)
        let all = (0..<0x110000 as Range<UInt32>).map { value in
            value < limit ? Unicode.Scalar(value).map(texts) ?? nothing : nothing
        }
        let texts = SharedBlocks(all, size: 16)
        let numbers = SharedBlocks(texts.numbers, size: 64)
        (first, middle) = (numbers.numbers, numbers.elements)
        columns = (0..<count).map { column in texts.elements.map { $0[column] } }
    }

    /// Returns the strings of a column, separated by bars.
    func texts(_ column: Int) -> String { "'\(columns[column].joined(separator: "|"))'" }

    /// Returns pairs of a string and its code point, for the code points of an expression over strings separated by
    /// bars.
    func pairs(of codePoints: String, _ texts: String) -> String {
        "list_zip(list_select(string_split(\(texts), '|'), [\(place) FOR c IN \(codePoints)]), \(codePoints))"
    }

    /// The index of a code point `c`.
    private var place: String {
        let block = "\(Self.list(first))[unicode(c) // 1024 + 1] * 64 + unicode(c) // 16 % 64 + 1"
        return "\(Self.list(middle))[\(block)] * 16 + unicode(c) % 16 + 1"
    }

    private static func list(_ numbers: [Int]) -> String {
        "CAST(string_split('\(numbers.map(String.init).joined(separator: ","))', ',') AS BIGINT[])"
    }
}
