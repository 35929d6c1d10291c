import PredicateText

/// A fold in Spark's SQL, in two forms that agree.
///
/// The direct form uses `translate`, for a string whose code points each fold to one code point and are characters by
/// themselves. All other strings are folded code point by code point from a table, with joints between the code
/// points of a character; then their marks are put in order, and the marks that `[d]` ignores are removed. Folding
/// the case before marks are ordered makes no difference, because case folding changes no mark.
///
/// A body with lambdas is a subquery over its argument: otherwise Spark accepts no such call as the argument of
/// another.
enum SparkFold {
    static let isASCII = "octet_length(s) = char_length(s)"

    /// `predicates2_fold_cd(s)`: the folded string.
    static func fold(_ function: SQLFunction, _ mode: FoldMode) -> String {
        SparkPrelude.create(
            "\(function.name)(s STRING)", "STRING",
            "coalesce(\(nearName(mode))(s), translate(\(lettersName(mode))(s), '\(SparkFoldTable.joints)', ''))")
    }

    /// `predicates2_near_cd`
    static func nearName(_ mode: FoldMode) -> String { SparkPrelude.helperName("near_\(mode.letters)") }

    /// `predicates2_letters_cd`
    static func lettersName(_ mode: FoldMode) -> String { SparkPrelude.helperName("letters_\(mode.letters)") }

    /// `predicates2_near_cd(s)`: the folded string, or NULL if it has no direct form; and
    /// `predicates2_letters_cd(s)`: any folded string with its joints.
    static func statements(_ mode: FoldMode) -> [String] { allStatements[mode] ?? [] }

    /// The functions that fold a string, created once, because their tables are long.
    private static let allStatements: [FoldMode: [String]] = {
        let modes = FoldMode.allCases.dropFirst()
        return Dictionary(uniqueKeysWithValues: modes.map { ($0, makeStatements($0)) })
    }()

    private static func makeStatements(_ mode: FoldMode) -> [String] {
        let table = SparkFoldTable(mode)
        return [
            SparkPrelude.create("\(nearName(mode))(s STRING)", "STRING", near(table, mode)),
            SparkPrelude.create(
                "\(lettersName(mode))(s STRING)", "STRING", "(SELECT \(letters(table, mode)) FROM (SELECT s AS t))"),
        ]
    }

    /// If `translate` removes a code point, the string has no direct form.
    private static func near(_ table: SparkFoldTable, _ mode: FoldMode) -> String {
        let short = mode.foldsCase ? "lower(s)" : "s"
        let translated = "translate(s, '\(table.from)', '\(table.near)')"
        return """
            CASE WHEN \(isASCII) THEN \(short) \
            WHEN char_length(\(translated)) = char_length(s) AND NOT rlike(s, '[\u{AC00}-\u{D7A3}]') THEN \(translated) END
            """
    }

    private static func letters(_ table: SparkFoldTable, _ mode: FoldMode) -> String {
        let mapped = "array_join(transform(split(t, ''), c -> \(mapped(table))), '')"
        let marks = mode == .caseInsensitive ? SparkMarks.ordered : bind(SparkMarks.ordered, "y", SparkMarks.dropped)
        let hasMarks = [SparkFoldTable.divider, SparkFoldTable.separator].map { "contains(x, '\($0)')" }
        return bind(mapped, "x", "CASE WHEN \(hasMarks.joined(separator: " OR ")) THEN \(marks) ELSE x END")
    }

    /// Binds a value, which is evaluated once, to a name in an expression.
    static func bind(_ value: String, _ name: String, _ body: String) -> String {
        "get(transform(array(\(value)), \(name) -> \(body)), 0)"
    }

    // MARK: Code points

    /// The folded letters of a code point `c`.
    private static func mapped(_ table: SparkFoldTable) -> String {
        let number = "ascii(c)"
        let far = SparkFoldTable.extendersPastLimit.map { "\(number) BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
        return """
            CASE WHEN c BETWEEN '\u{AC00}' AND '\u{D7A3}' THEN \(syllable) \
            WHEN \(far.joined(separator: " OR ")) THEN concat('\(SparkFoldTable.divider)', c) \
            ELSE coalesce(nullif(get(split('\(table.entries)', ','), \
            get(CAST(split('\(table.pages)', ',') AS ARRAY<INT>), \(number) div 64) * 64 + \(number) % 64), ''), c) END
            """
    }

    /// A Hangul syllable, whose vowel and final consonant continue the first jamo.
    private static let syllable = """
        concat(get(\(jamo(0x1100, 19)), (ascii(c) - 44032) div 588), \
        get(\(jamo(0x1161, 21, after: "\(SparkFoldTable.joint)")), (ascii(c) - 44032) % 588 div 28), \
        get(\(jamo(0x11A7, 28, after: "\(SparkFoldTable.joint)", isOptional: true)), (ascii(c) - 44032) % 28))
        """

    private static func jamo(
        _ first: UInt32, _ count: UInt32, after prefix: String = "", isOptional: Bool = false
    ) -> String {
        let letters = (0..<count).map { number in
            number == 0 && isOptional ? "" : Unicode.Scalar(first + number).map { prefix + String($0) } ?? ""
        }
        return "split('\(letters.joined(separator: ","))', ',')"
    }

    static let extenders = set(Folding.extenders)

    /// Returns the code points as a bracket expression.
    static func set(_ ranges: [ClosedRange<UInt32>]) -> String { "[\(SQLRegularExpressions.java.members(ranges))]" }
}

/// The folds of code points, as literals of Spark's SQL.
///
/// A folded code point is written with a joint before each code point but the first, and a mark with a divider before
/// it. A character is a base and the code points that joints and dividers attach to it. A separator precedes a code
/// point that begins a character but is ordered like a mark.
struct SparkFoldTable {
    /// The number of the page for each 64 code points, separated by commas. Equal pages are stored once.
    private(set) var pages = ""
    /// The entries of the pages, separated by commas; empty for a code point that does not change.
    private(set) var entries = ""
    /// The code points that `translate` maps to those of ``near``, followed by the code points that it removes: any that become
    /// several or continue a character.
    private(set) var from = ""
    /// The code points to which `translate` maps the first code points of ``from``, in the same order.
    private(set) var near = ""

    /// `À`, before a code point that continues a character. No folded string contains it, because it is decomposed.
    static let joint: Unicode.Scalar = "\u{C0}"
    /// `Á`, before a mark that was a separate code point. No folded string contains it either.
    static let divider: Unicode.Scalar = "\u{C1}"
    /// `Â`, before a code point with a combining class that begins a character.
    static let separator: Unicode.Scalar = "\u{C2}"
    /// The code points that attach other code points to a character, as members of a bracket expression.
    static let joints = "\(joint)\(divider)"

    static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    /// Code points at or above this one do not change, and it is known which of them continue a character.
    static let limit: UInt32 = 0x2FA40

    init(_ mode: FoldMode) {
        var kept = String.UnicodeScalarView()
        let all = SharedBlocks((0..<Self.limit).map { entry($0, mode, &kept) }, size: 64)
        pages = all.numbers.map(String.init).joined(separator: ",")
        entries = all.elements.joined(separator: ",")
        for range in Self.extendersPastLimit { kept.append(contentsOf: range.compactMap(Unicode.Scalar.init)) }
        from += String(kept)
    }

    /// Returns the fold of a code point; empty if it does not change. A code point that `translate` removes is
    /// appended to `dropped`.
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

    /// Returns true for a code point that continues a character.
    private static func extends(_ scalar: Unicode.Scalar) -> Bool { Folding.entry(of: scalar.value).kind & 1 != 0 }

    static let extendersPastLimit = Folding.extenders.filter { $0.lowerBound >= limit }
}

/// Marks in letters with joints: ordering them, and removing the marks that `[d]` ignores.
enum SparkMarks {
    private static let joints = SparkFoldTable.joints
    private static let joint = SparkFoldTable.joint
    private static let divider = SparkFoldTable.divider
    private static let separator = SparkFoldTable.separator
    private static let all = "\(joints)\(separator)"

    // MARK: Order

    /// The letters `x` with each run of marks in canonical order. A cheap test comes first: adjacent marks are
    /// adjacent dividers once marks have become dividers and joints are removed.
    static let ordered = """
        replace(CASE WHEN contains(\
        translate(x, '\(classes.marks)\(all)', repeat('\(divider)', \(classes.marks.unicodeScalars.count))), '\(divider)\(divider)') \
        THEN array_join(transform(regexp_extract_all(x, r'(?:[\(all)]\(classed))+|[^\(all)]+|[\(all)]', 0), \
        r -> CASE WHEN rlike(r, r'^[\(all)].[\(all)]') THEN \(sorted) ELSE r END), '') ELSE x END, '\(separator)', '')
        """

    /// The marks of a run `r`, in order.
    private static let sorted = """
        array_join(transform(array_sort(transform(split(translate(r, '\(all)', ''), ''), \
        (c, i) -> struct(\(combiningClass("c")) AS k, i, c))), \
        e -> CASE WHEN rlike(e.c, r'\(SparkFold.extenders)') THEN concat('\(divider)', e.c) ELSE e.c END), '')
        """

    private static func combiningClass(_ mark: String) -> String {
        "ascii(translate(\(mark), '\(classes.marks)', '\(classes.numbers)')) - 256"
    }

    /// Code points with a combining class, and at the same positions the code points whose values are the classes plus 256.
    private static let classes: (marks: String, numbers: String) = {
        var (marks, numbers) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        for mark in Folding.orderedMarks.joined().compactMap(Unicode.Scalar.init) {
            guard let number = Unicode.Scalar(UInt32(Folding.combiningClass(of: mark)) + 256) else { continue }
            marks.append(mark)
            numbers.append(number)
        }
        return (String(marks), String(numbers))
    }()

    // MARK: Marks that are dropped

    /// The letters `y` without the marks that `[d]` ignores: after letters up to Cyrillic all marks at once, after
    /// other letters character by character.
    static let dropped = SparkFold.bind(
        "regexp_replace(y, r'(\(early))(?:\(divider)\(droppedMark))+', '$1')", "z",
        "CASE WHEN contains(z, '\(divider)') THEN \(droppedByCharacter) ELSE z END")

    /// Code points up to Cyrillic that begin a character and after which all marks are removed: all code points up to there
    /// except joints and those that continue a character.
    private static let early: String = {
        let others = Folding.extenders.filter { $0.lowerBound < lateBase } + [joint.value...divider.value]
        return SparkFold.set(CodePointSet(others).inverted.intersection(0...lateBase - 1).ranges)
    }()

    private static let lateBase: UInt32 = 0x510

    /// A string that begins with a mark keeps the marks at its beginning, and so does a literal part of a pattern.
    private static let droppedByCharacter = """
        array_join(transform(regexp_extract_all(z, r'(?s)[\(joints)]?[^\(joints)](?:[\(joints)]\(SparkFold.extenders))*', 0), \
        k -> CASE WHEN char_length(k) < 3 OR rlike(k, r'^[\(SparkLike.star)\(SparkLike.any)]|^\(divider)\(droppedMark)') THEN k \
        WHEN ascii(translate(k, '\(joints)', '')) < \(lateBase) THEN regexp_replace(k, r'[\(joints)]\(droppedMark)', '') \
        ELSE \(composed) END), '')
        """

    /// A letter beyond Cyrillic with the marks that composition restores.
    private static let composed = SparkFold.bind(
        "translate(k, '\(joints)', '')", "j",
        """
        concat(regexp_extract(k, r'^[\(joints)]?', 0), \
        aggregate(split(substring(j, 2), ''), struct(left(j, 1) AS base, 0 AS last, left(j, 1) AS kept), \
        (a, m) -> struct(coalesce(\(composition), a.base) AS base, \(classOrZero) AS last, \
        CASE WHEN \(composition) IS NOT NULL OR NOT rlike(m, r'\(droppedMark)') THEN concat(a.kept, '\(joint)', m) \
        ELSE a.kept END AS kept), a -> a.kept))
        """)

    private static let classOrZero = "CASE WHEN rlike(m, r'\(classed)') THEN \(combiningClass("m")) ELSE 0 END"

    /// The composition of the base and the mark `m`; NULL if there is none.
    private static let composition = """
        CASE WHEN \(classOrZero) = 0 OR a.last < \(classOrZero) THEN get(split('\(compositions.results)', ','), \
        CAST(array_position(split('\(compositions.pairs)', ','), concat(a.base, m)) AS INT) - 1) END
        """

    private static let compositions = (
        pairs: Folding.compositions.map { "\($0.base)\($0.mark)" }.joined(separator: ","),
        results: Folding.compositions.map { "\($0.result)" }.joined(separator: ",")
    )

    private static let droppedMark = SparkFold.set(Folding.marks)
    private static let classed = SparkFold.set(Folding.orderedMarks)
}
