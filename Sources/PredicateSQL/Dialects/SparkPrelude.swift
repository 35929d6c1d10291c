import PredicateText

/// The functions that a session of Spark is given, made from the same table that evaluators fold by.
///
/// Searches are regular expressions over the characters of a text: the folded text with a joint before each code point that is
/// not the first of its character, so that no match begins or ends inside one.
///
/// Literals with a backslash are raw, so that no setting decides how they are read.
enum SparkPrelude {
    /// One statement for each function, after those that it calls; those that stand already are replaced.
    static func statements(for functions: Set<SQLFunction>) -> [String] {
        let modes = FoldMode.allCases.dropFirst()
        let folds = modes.filter { mode in functions.contains { $0.needs(mode) } }.flatMap(SparkFold.statements)
        let bodies = functions.withFoldsOfPatterns.sorted { $0.name < $1.name }.compactMap(definition)
        return folds + (functions.contains(where: \.searches) ? [near, characters, literal] : []) + bodies
    }

    static func create(_ signature: String, _ type: String, _ body: String) -> String {
        "CREATE OR REPLACE TEMPORARY FUNCTION \(signature) RETURNS \(type) RETURN \(body)"
    }

    private static func definition(of function: SQLFunction) -> String? {
        switch function {
        case .foldCase: SparkFold.fold(function, .caseInsensitive)
        case .foldDiacritics: SparkFold.fold(function, .diacriticInsensitive)
        case .foldCaseAndDiacritics: SparkFold.fold(function, .caseAndDiacriticInsensitive)
        case .begins: search(function, "startswith", "concat('^', \(literalName)(needle))")
        case .ends: search(function, "endswith", "concat('(?<!\(joint))', \(literalName)(needle), r'\\z')")
        case .contains: search(function, "contains", "concat('(?<!\(joint))', \(literalName)(needle))")
        case .like: SparkLike.function
        case .uppercase: upper
        case .lowercase: lower
        case .date:
            create(
                "\(function.name)(s STRING)", "DOUBLE",
                DateExpression(divide: "div", hasForm: "rlike(s, r'^\(DateTexts.form)\\z')").text)
        case .floor: SparkPrelude.rounding(function, "CASE WHEN rint(a) > a THEN rint(a) - 1D ELSE rint(a) END")
        case .ceiling: SparkPrelude.rounding(function, ceiling)
        case .truncate:
            SparkPrelude.rounding(
                function,
                "CASE WHEN a < 0D THEN \(ceiling) WHEN rint(a) > a THEN rint(a) - 1D ELSE rint(a) END")
        case .divide:
            // The text of a zero has its sign.
            create(
                "\(function.name)(a DOUBLE, b DOUBLE)", "DOUBLE",
                "CASE WHEN b <> 0D THEN a / b WHEN CAST(b AS STRING) = '-0.0' THEN a * CAST('-Infinity' AS DOUBLE)"
                    + " WHEN b = 0D THEN a * CAST('Infinity' AS DOUBLE) END")
        case .remainder:
            create(
                "\(function.name)(a DOUBLE, b DOUBLE)", "DOUBLE",
                "CASE WHEN b <> 0D THEN a % b ELSE a * b * CAST('NaN' AS DOUBLE) END")
        case .compare, .matches, .length, .decimalCompare, .decimalDouble, .power,
            .absolute,
            .squareRoot, .naturalLogarithm, .decimalLogarithm, .exponential, .mixedKinds:
            nil
        }
    }

    private static func rounding(_ function: SQLFunction, _ body: String) -> String {
        create("\(function.name)(a DOUBLE)", "DOUBLE", body)
    }

    /// Above -1 it is a zero with a sign.
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

    /// A text whose fold is near at hand is searched as it is.
    private static func search(_ function: SQLFunction, _ short: String, _ pattern: String) -> String {
        create(
            "\(function.name)(s STRING, needle STRING, letters STRING)", "BOOLEAN",
            """
            CASE WHEN needle = '' THEN FALSE \
            ELSE coalesce(\(short)(\(nearName)(s, letters), needle), rlike(\(charactersName)(s, letters), \(pattern))) END
            """)
    }

    static let joint = SparkFoldTable.joint
    static let charactersName = "predicates\(Folding.version)_characters"
    private static let nearName = "predicates\(Folding.version)_near"
    private static let literalName = "predicates\(Folding.version)_literal"

    /// `predicates2_near(s, 'cd')`: the folded text, or NULL where that is not near at hand.
    private static let near = create("\(nearName)(s STRING, letters STRING)", "STRING", byLetters(SparkFold.nearName))

    /// `predicates2_characters(s, 'cd')`: the folded text with joints.
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

    /// `predicates2_literal('jo')`: a regular expression for a folded text, whose code points may be joined, as a whole.
    private static let literal = create(
        "\(literalName)(s STRING)", "STRING",
        "concat(replace(\(escaped("regexp_replace(s, r'(?s)(.)(?=.)', '$1\(bond)')")), '\(bond)', '\(joint)?'), '(?!\(joint))')"
    )

    /// A place where a joint may stand, in a text that becomes a regular expression.
    static let bond = SparkFoldTable.divider

    /// A text with a backslash before each character that has a meaning in a regular expression.
    static func escaped(_ text: String) -> String {
        #"regexp_replace(\#(text), r'([\[\]\\.^$*+?(){}|])', r'\\$1')"#
    }
}

extension SQLFunction {
    /// True for a function that folds texts this way.
    fileprivate func needs(_ mode: FoldMode) -> Bool { searches || foldMode == mode }
}
