import PredicateText

/// A fold in Spark's SQL: code point by code point from a table, then the marks in their order, then without those that `[d]` drops.
///
/// The letters that a code point becomes stand with joints between them. That its case is folded before marks are put in order
/// makes no difference: case folding changes no mark.
///
/// A body with lambdas is a subquery over its argument, without which Spark accepts no call in the argument of another.
enum SparkFold {
    static let isASCII = "octet_length(s) = char_length(s)"

    /// `predicates2_fold_cd(s)`: the folded text.
    static func fold(_ function: SQLFunction, _ mode: FoldMode) -> String {
        let short = mode == .diacriticInsensitive ? "s" : "lower(s)"
        return SparkPrelude.create(
            "\(function.name)(s STRING)", "STRING",
            "CASE WHEN \(isASCII) THEN \(short) ELSE replace(\(name(mode))(s), '\(SparkPrelude.joint)', '') END")
    }

    /// `predicates2_letters_cd`
    static func name(_ mode: FoldMode) -> String { "predicates\(Folding.version)_letters_\(mode.letters)" }

    /// `predicates2_letters_cd(s)`: the folded text with joints within letters.
    static func letters(_ mode: FoldMode) -> String? { allLetters[mode] }

    /// The functions that change a text, made once: their tables are long.
    private static let allLetters: [FoldMode: String] = {
        let modes = FoldMode.allCases.dropFirst()
        return Dictionary(uniqueKeysWithValues: modes.map { ($0, makeLetters($0)) })
    }()

    private static func makeLetters(_ mode: FoldMode) -> String {
        let mapped = "array_join(transform(split(t, ''), c -> \(mapped(mode))), '')"
        let ordered = bind(mapped, "x", ordered)
        let body = mode == .caseInsensitive ? ordered : bind(ordered, "y", withoutMarks)
        return SparkPrelude.create("\(name(mode))(s STRING)", "STRING", "(SELECT \(body) FROM (SELECT s AS t))")
    }

    /// An expression over a name for the value of another, which is evaluated once.
    private static func bind(_ value: String, _ name: String, _ body: String) -> String {
        "get(transform(array(\(value)), \(name) -> \(body)), 0)"
    }

    // MARK: Code points

    /// The letters of a code point `c`.
    private static func mapped(_ mode: FoldMode) -> String {
        let table = FoldPages(mode)
        let number = "ascii(c)"
        return """
            CASE WHEN c BETWEEN '\u{AC00}' AND '\u{D7A3}' THEN \(syllable) ELSE coalesce(nullif(get(split('\(table.entries)', ','), \
            get(CAST(split('\(table.pages)', ',') AS ARRAY<INT>), \(number) div 64) * 64 + \(number) % 64), ''), c) END
            """
    }

    /// A syllable of Hangul, whose vowel and final consonant extend the first.
    private static let syllable = """
        concat(get(\(jamo(0x1100, 19)), (ascii(c) - 44032) div 588), get(\(jamo(0x1161, 21)), (ascii(c) - 44032) % 588 div 28), \
        get(\(jamo(0x11A7, 28, isOptional: true)), (ascii(c) - 44032) % 28))
        """

    private static func jamo(_ first: UInt32, _ count: UInt32, isOptional: Bool = false) -> String {
        let letters = (0..<count).map { $0 == 0 && isOptional ? "" : Unicode.Scalar(first + $0).map(String.init) ?? "" }
        return "split('\(letters.joined(separator: ","))', ',')"
    }

    // MARK: Marks

    /// The text `x` with each run of marks in the order of their classes.
    private static let ordered = """
        CASE WHEN rlike(x, r'\(classed)\(classed)') THEN array_join(transform(regexp_extract_all(x, r'(?:\(classed))+|[^\(classed.dropFirst())+', 0), \
        r -> CASE WHEN rlike(r, r'^\(classed)\(classed)') THEN array_join(transform(array_sort(transform(split(r, ''), \
        (c, i) -> struct(\(combiningClass("c")) AS k, i, c))), e -> e.c), '') ELSE r END), '') ELSE x END
        """

    private static func combiningClass(_ mark: String) -> String {
        "ascii(translate(\(mark), '\(classes.marks)', '\(classes.numbers)')) - 256"
    }

    /// Code points with a combining class, and in the same places a code point that is the class and 256.
    private static let classes: (marks: String, numbers: String) = {
        var (marks, numbers) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        for mark in Folding.orderedMarks.joined().compactMap(Unicode.Scalar.init) {
            guard let number = Unicode.Scalar(UInt32(Folding.combiningClass(of: mark)) + 256) else { continue }
            marks.append(mark)
            numbers.append(number)
        }
        return (String(marks), String(numbers))
    }()

    /// The text `y` without the marks that `[d]` drops. A text that begins with a mark keeps those at its beginning, and so does
    /// a literal part of a pattern.
    private static let withoutMarks = """
        CASE WHEN rlike(y, r'\(dropped)') THEN array_join(transform(regexp_extract_all(y, r'(?s).\(extenders)*', 0), \
        k -> CASE WHEN char_length(k) = 1 OR rlike(k, r'^[\(SparkLike.star)\(SparkLike.any)]|^\(dropped)') THEN k \
        WHEN ascii(k) < 1296 THEN regexp_replace(k, r'\(dropped)', '') ELSE \(composed) END), '') ELSE y END
        """

    /// A letter beyond Cyrillic with the marks that composition puts back.
    private static let composed = """
        aggregate(split(substring(k, 2), ''), struct(left(k, 1) AS base, 0 AS last, left(k, 1) AS kept), \
        (a, m) -> struct(coalesce(\(composition), a.base) AS base, \(classOrZero) AS last, \
        CASE WHEN \(composition) IS NOT NULL OR NOT rlike(m, r'\(dropped)') THEN concat(a.kept, m) ELSE a.kept END AS kept), a -> a.kept)
        """

    private static let classOrZero =
        "CASE WHEN rlike(m, r'\(classed)') THEN \(combiningClass("m")) ELSE 0 END"

    /// What the base and the mark `m` become; NULL for two that stay apart.
    private static let composition = """
        CASE WHEN \(classOrZero) = 0 OR a.last < \(classOrZero) THEN get(split('\(compositions.results)', ','), \
        CAST(array_position(split('\(compositions.pairs)', ','), concat(a.base, m)) AS INT) - 1) END
        """

    private static let compositions = (
        pairs: Folding.compositions.map { "\($0.base)\($0.mark)" }.joined(separator: ","),
        results: Folding.compositions.map { "\($0.result)" }.joined(separator: ",")
    )

    // MARK: Sets

    static let extenders = set(Folding.extenders)
    private static let dropped = set(Folding.marks)
    private static let classed = set(Folding.orderedMarks)

    /// The code points as a bracket expression.
    private static func set(_ ranges: [ClosedRange<UInt32>]) -> String {
        let members = ranges.map { range in
            let (first, last) = (escaped(range.lowerBound), escaped(range.upperBound))
            return range.count == 1 ? first : "\(first)-\(last)"
        }
        return "[\(members.joined())]"
    }

    private static func escaped(_ value: UInt32) -> String { "\\x{\(String(value, radix: 16, uppercase: true))}" }
}

/// What code points become under a fold, in pages of 64; pages that are the same stand once.
private struct FoldPages {
    /// The number of the page for each 64 code points.
    private(set) var pages = ""
    /// The entries of the pages, with commas between them; nothing for what stays.
    private(set) var entries = ""

    /// Past it nothing changes.
    private static let limit: UInt32 = 0x2FA40

    init(_ mode: FoldMode) {
        var (numbers, distinct): ([String], [[String]: Int]) = ([], [:])
        var all: [[String]] = []
        for start in stride(from: 0, to: Self.limit, by: 64) {
            let page = (start..<start + 64).map { Self.entry($0, mode) }
            if distinct[page] == nil {
                distinct[page] = all.count
                all.append(page)
            }
            numbers.append(String(distinct[page] ?? 0))
        }
        pages = numbers.joined(separator: ",")
        entries = all.joined().joined(separator: ",")
    }

    /// The fold of a code point, with joints before those that do not extend it anyway; nothing for one that stays.
    private static func entry(_ value: UInt32, _ mode: FoldMode) -> String {
        guard let scalar = Unicode.Scalar(value), !(0xAC00...0xD7A3).contains(value) else { return "" }
        let folded = Array(Folding.fold(String(scalar), mode).unicodeScalars)
        if folded == [scalar] { return "" }
        var result = String.UnicodeScalarView(folded.prefix(1))
        for next in folded.dropFirst() {
            let extends = Folding.extenders.contains { $0 ~= next.value }
            if !extends { result.append(contentsOf: SparkPrelude.joint.unicodeScalars) }
            result.append(next)
        }
        return String(result)
    }
}
