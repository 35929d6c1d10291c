import PredicateText

/// A fold in Spark's SQL, in two forms that agree.
///
/// Near at hand is `translate`, for a text whose code points become one code point each and are characters by themselves. All
/// other texts are taken code point by code point from a table, with joints between the code points of a character; then their
/// marks are put in order, and those dropped that `[d]` drops. That the case is folded before marks are put in order makes no
/// difference: case folding changes no mark.
///
/// A body with lambdas is a subquery over its argument, without which Spark accepts no call in the argument of another.
enum SparkFold {
    static let isASCII = "octet_length(s) = char_length(s)"

    /// `predicates2_fold_cd(s)`: the folded text.
    static func fold(_ function: SQLFunction, _ mode: FoldMode) -> String {
        SparkPrelude.create(
            "\(function.name)(s STRING)", "STRING",
            "coalesce(\(nearName(mode))(s), translate(\(lettersName(mode))(s), '\(SparkFoldTable.joints)', ''))")
    }

    /// `predicates2_near_cd`
    static func nearName(_ mode: FoldMode) -> String { "predicates\(Folding.version)_near_\(mode.letters)" }

    /// `predicates2_letters_cd`
    static func lettersName(_ mode: FoldMode) -> String { "predicates\(Folding.version)_letters_\(mode.letters)" }

    /// `predicates2_near_cd(s)`, the folded text, or NULL where that is not near at hand; and `predicates2_letters_cd(s)`, that of
    /// any text with its joints.
    static func statements(_ mode: FoldMode) -> [String] { allStatements[mode] ?? [] }

    /// The functions that change a text, made once: their tables are long.
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

    /// A text that loses a code point holds one that is not near at hand.
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

    /// An expression over a name for the value of another, which is evaluated once.
    static func bind(_ value: String, _ name: String, _ body: String) -> String {
        "get(transform(array(\(value)), \(name) -> \(body)), 0)"
    }

    // MARK: Code points

    /// The letters of a code point `c`.
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

    /// A syllable of Hangul, whose vowel and final consonant extend the first.
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

    /// The code points as a bracket expression.
    static func set(_ ranges: [ClosedRange<UInt32>]) -> String { "[\(members(ranges))]" }

    /// The code points as they stand in a bracket expression.
    static func members(_ ranges: [ClosedRange<UInt32>]) -> String {
        ranges.map { range in
            let (first, last) = (escaped(range.lowerBound), escaped(range.upperBound))
            return range.count == 1 ? first : "\(first)-\(last)"
        }.joined()
    }

    private static func escaped(_ value: UInt32) -> String { "\\x{\(String(value, radix: 16, uppercase: true))}" }
}
