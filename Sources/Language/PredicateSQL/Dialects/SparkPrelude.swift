import PredicateText

/// The functions of a Spark session, generated from the table that the evaluator folds by.
///
/// Searches are regular expressions over the characters of a string: the folded string with a joint before each code
/// point that continues a character, so that no match begins or ends inside a character.
///
/// Literals with a backslash are raw strings, so that no setting affects them.
struct SparkPrelude: GeneratedPrelude {
    func helpers(for functions: Set<SQLFunction>) -> [String] {
        let modes = FoldMode.allCases.dropFirst()
        let folds = modes.filter { mode in functions.contains { $0.needs(mode) } }.flatMap(SparkFold.statements)
        return folds + (functions.contains(where: \.searches) ? [Self.near, Self.characters, Self.literal] : [])
    }

    static func create(_ signature: String, _ type: String, _ body: String) -> String {
        "CREATE OR REPLACE TEMPORARY FUNCTION \(signature) RETURNS \(type) RETURN \(body)"
    }

    var definitions: [SQLFunction: (SQLFunction) -> String] {
        [
            .foldCase: { SparkFold.fold($0, .caseInsensitive) },
            .foldDiacritics: { SparkFold.fold($0, .diacriticInsensitive) },
            .foldCaseAndDiacritics: { SparkFold.fold($0, .caseAndDiacriticInsensitive) },
            .begins: { Self.search($0, "startswith", "concat('^', \(Self.literalName)(needle))") },
            .ends: { Self.search($0, "endswith", "concat('(?<!\(Self.joint))', \(Self.literalName)(needle), r'\\z')") },
            .contains: { Self.search($0, "contains", "concat('(?<!\(Self.joint))', \(Self.literalName)(needle))") },
            .like: { _ in SparkLike.function },
            .uppercase: { _ in Self.upper },
            .lowercase: { _ in Self.lower },
            .date: {
                Self.create(
                    "\($0.name)(s STRING)", "DOUBLE",
                    DateExpression(divide: "div", hasForm: "rlike(s, r'^\(DateTexts.form)\\z')").text)
            },
            .floor: { Self.rounding($0, "CASE WHEN rint(a) > a THEN rint(a) - 1D ELSE rint(a) END") },
            .ceiling: { Self.rounding($0, Self.ceiling) },
            .truncate: {
                let floor = "CASE WHEN rint(a) > a THEN rint(a) - 1D ELSE rint(a) END"
                return Self.rounding($0, "CASE WHEN a < 0D THEN \(Self.ceiling) ELSE \(floor) END")
            },
            // The string of a zero shows its sign.
            .divide: {
                Self.create(
                    "\($0.name)(a DOUBLE, b DOUBLE)", "DOUBLE",
                    "CASE WHEN b <> 0D THEN a / b WHEN CAST(b AS STRING) = '-0.0' THEN a * CAST('-Infinity' AS DOUBLE)"
                        + " WHEN b = 0D THEN a * CAST('Infinity' AS DOUBLE) END")
            },
            .remainder: {
                Self.create(
                    "\($0.name)(a DOUBLE, b DOUBLE)", "DOUBLE",
                    "CASE WHEN b <> 0D THEN a % b ELSE a * b * CAST('NaN' AS DOUBLE) END")
            },
        ]
    }

    private static func rounding(_ function: SQLFunction, _ body: String) -> String {
        create("\(function.name)(a DOUBLE)", "DOUBLE", body)
    }

    /// Between -1 and 0, the result is a negative zero.
    private static let ceiling = """
        CASE WHEN a > -1D AND a < 0D THEN -0D WHEN rint(a) < a THEN rint(a) + 1D ELSE rint(a) END
        """

    private static let upper = caseMapping(.uppercase, .upper, "upper")
    private static let lower = caseMapping(.lowercase, .lower, "lower")

    private static func caseMapping(_ function: SQLFunction, _ mapping: CaseMapping, _ short: String) -> String {
        let expression = CaseExpression(mapping, .java).text(
            ascii: SparkFold.isASCII, short: "\(short)(s)", sigmas: "contains(s, '\(CaseMapping.sigma)')")
        return create("\(function.name)(s STRING)", "STRING", expression)
    }

    // MARK: Searches

    /// A string whose fold has the direct form is searched without a regular expression.
    private static func search(_ function: SQLFunction, _ short: String, _ pattern: String) -> String {
        create(
            "\(function.name)(s STRING, needle STRING, letters STRING)", "BOOLEAN",
            """
            CASE WHEN needle = '' THEN FALSE \
            ELSE coalesce(\(short)(\(nearName)(s, letters), needle), rlike(\(charactersName)(s, letters), \(pattern))) END
            """)
    }

    static let joint = SparkFoldTable.joint
    static let charactersName = helperName("characters")
    private static let nearName = helperName("near")
    private static let literalName = helperName("literal")

    /// `predicates2_near(s, 'cd')`: the folded string, or NULL if it has no direct form.
    private static let near = create("\(nearName)(s STRING, letters STRING)", "STRING", byLetters(SparkFold.nearName))

    /// `predicates2_characters(s, 'cd')`: the folded string with joints.
    private static let characters = create(
        "\(charactersName)(s STRING, letters STRING)", "STRING",
        """
        CASE WHEN letters = '' THEN s ELSE coalesce(\(nearName)(s, letters), \
        trim(LEADING '\(joint)' FROM translate(\(byLetters(SparkFold.lettersName)), '\(SparkFoldTable.divider)', '\(joint)'))) END
        """)

    private static func byLetters(_ name: (FoldMode) -> String) -> String {
        """
        CASE letters WHEN 'c' THEN \(name(.caseInsensitive))(s) WHEN 'd' THEN \(name(.diacriticInsensitive))(s) \
        WHEN 'cd' THEN \(name(.caseAndDiacriticInsensitive))(s) END
        """
    }

    /// `predicates2_literal('jo')`: a regular expression for a folded string, whose code points may be joined.
    private static let literal = create(
        "\(literalName)(s STRING)", "STRING",
        "concat(replace(\(escaped("regexp_replace(s, r'(?s)(.)(?=.)', '$1\(bond)')")), '\(bond)', '\(joint)?'), '(?!\(joint))')"
    )

    /// A position where a joint may occur, in a string that becomes a regular expression.
    static let bond = SparkFoldTable.divider

    /// Escapes the characters that have a special meaning in a regular expression.
    static func escaped(_ text: String) -> String {
        #"regexp_replace(\#(text), r'([\[\]\\.^$*+?(){}|])', r'\\$1')"#
    }
}

extension SQLFunction {
    /// Returns true for a function that folds strings in this mode.
    fileprivate func needs(_ mode: FoldMode) -> Bool { searches || foldMode == mode }
}

/// LIKE as a Spark function: the pattern becomes a regular expression over the characters of a string.
enum SparkLike {
    /// Noncharacters that represent the wildcards while a pattern is folded, so that marks after them are kept.
    static let (star, any) = (noncharacter(2), noncharacter(3))
    /// Noncharacters that represent `\*`, `\?` and `\\` while a pattern is folded.
    private static let (literalStar, literalAny, literalBackslash) = (noncharacter(4), noncharacter(5), noncharacter(6))

    private static func noncharacter(_ number: UInt32) -> String {
        Unicode.Scalar(0xFDD0 + number).map(String.init) ?? ""
    }

    /// `predicates2_like(s, 'j?h*n', 'cd')`
    static let function = SparkPrelude.create(
        "\(SQLFunction.like.name)(s STRING, pattern STRING, letters STRING)", "BOOLEAN",
        """
        CASE WHEN pattern = '' THEN FALSE WHEN letters = '' THEN rlike(s, concat('(?s)^', \(codePoints), r'\\z')) \
        ELSE rlike(\(SparkPrelude.charactersName)(s, letters), concat('(?s)^', \(characters), r'\\z')) END
        """)

    /// Without a fold, a wildcard matches code points.
    private static let codePoints = replaced(SparkPrelude.escaped(tokens), [(star, ".*"), (any, ".")])

    /// Under a fold, a wildcard matches whole characters.
    private static let characters: String = {
        let joint = SparkPrelude.joint
        let bonded =
            "regexp_replace(\(folded), r'(?s)([^\(star)\(any)])(?=[^\(star)\(any)])', '$1\(SparkPrelude.bond)')"
        let ended =
            #"regexp_replace(\#(SparkPrelude.escaped(bonded)), r'(?s)([^\#(star)\#(any)])(?=[\#(star)\#(any)]|\z)', '$1(?!\#(joint))')"#
        return replaced(
            ended,
            [
                (String(SparkPrelude.bond), "\(joint)?"), (star, ".*(?<!\(joint))(?!\(joint))"),
                (any, "[^\(joint)](?:\(joint)[^\(joint)])*(?!\(joint))"),
            ])
    }()

    private static func replaced(_ text: String, _ pairs: [(String, String)]) -> String {
        pairs.reduce(text) { "replace(\($0), '\($1.0)', '\($1.1)')" }
    }

    private static let folded = """
        CASE letters WHEN 'c' THEN \(SQLFunction.foldCase.name)(\(tokens)) \
        WHEN 'd' THEN \(SQLFunction.foldDiacritics.name)(\(tokens)) \
        ELSE \(SQLFunction.foldCaseAndDiacritics.name)(\(tokens)) END
        """

    /// The pattern with noncharacters in place of its wildcards, and without the backslashes that escape them. A
    /// backslash at the end of the pattern is literal.
    private static let tokens: String = {
        let marked =
            #"replace(replace(replace(pattern, r'\\', '\#(literalBackslash)'), r'\*', '\#(literalStar)'), r'\?', '\#(literalAny)')"#
        let bare = #"regexp_replace(regexp_replace(\#(marked), r'(?s)\\(.)', '$1'), r'\\\z', '\#(literalBackslash)')"#
        return
            #"translate(\#(bare), '*?\#(literalStar)\#(literalAny)\#(literalBackslash)', concat('\#(star)\#(any)*?', char(92)))"#
    }()
}
