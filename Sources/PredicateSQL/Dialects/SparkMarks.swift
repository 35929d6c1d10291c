import PredicateText

/// Marks in letters with joints: putting them in order, and dropping those that `[d]` drops.
enum SparkMarks {
    private static let joints = SparkFoldTable.joints
    private static let joint = SparkFoldTable.joint
    private static let divider = SparkFoldTable.divider
    private static let separator = SparkFoldTable.separator
    private static let all = "\(joints)\(separator)"

    // MARK: Order

    /// The letters `x` with each run of marks in the order of their classes, which is asked for first: two marks beside each
    /// other are dividers beside each other once marks have become dividers and joints are gone.
    static let ordered = """
        replace(CASE WHEN contains(\
        translate(x, '\(classes.marks)\(all)', repeat('\(divider)', \(classes.marks.unicodeScalars.count))), '\(divider)\(divider)') \
        THEN array_join(transform(regexp_extract_all(x, r'(?:[\(all)]\(classed))+|[^\(all)]+|[\(all)]', 0), \
        r -> CASE WHEN rlike(r, r'^[\(all)].[\(all)]') THEN \(sorted) ELSE r END), '') ELSE x END, '\(separator)', '')
        """

    /// The marks of a run `r`.
    private static let sorted = """
        array_join(transform(array_sort(transform(split(translate(r, '\(all)', ''), ''), \
        (c, i) -> struct(\(combiningClass("c")) AS k, i, c))), \
        e -> CASE WHEN rlike(e.c, r'\(SparkFold.extenders)') THEN concat('\(divider)', e.c) ELSE e.c END), '')
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

    // MARK: Marks that are dropped

    /// The letters `y` without the marks that `[d]` drops: at once those after letters up to Cyrillic, character by character
    /// all others.
    static let dropped = SparkFold.bind(
        "regexp_replace(y, r'(\(early))(?:\(divider)\(droppedMark))+', '$1')", "z",
        "CASE WHEN contains(z, '\(divider)') THEN \(droppedByCharacter) ELSE z END")

    /// Code points up to Cyrillic that begin a character, after which no mark stays: all but those that belong to one before
    /// them, and joints.
    private static let early: String = {
        let others = Folding.extenders.filter { $0.lowerBound < lateBase } + [joint.value...divider.value]
        return "[\(SparkFold.members([0...lateBase - 1]))&&[^\(SparkFold.members(others))]]"
    }()

    private static let lateBase: UInt32 = 0x510

    /// A text that begins with a mark keeps those at its beginning, and so does a literal part of a pattern.
    private static let droppedByCharacter = """
        array_join(transform(regexp_extract_all(z, r'(?s)[\(joints)]?[^\(joints)](?:[\(joints)]\(SparkFold.extenders))*', 0), \
        k -> CASE WHEN char_length(k) < 3 OR rlike(k, r'^[\(SparkLike.star)\(SparkLike.any)]|^\(divider)\(droppedMark)') THEN k \
        WHEN ascii(translate(k, '\(joints)', '')) < \(lateBase) THEN regexp_replace(k, r'[\(joints)]\(droppedMark)', '') \
        ELSE \(composed) END), '')
        """

    /// A letter beyond Cyrillic with the marks that composition puts back.
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

    /// What the base and the mark `m` become; NULL for two that stay apart.
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
