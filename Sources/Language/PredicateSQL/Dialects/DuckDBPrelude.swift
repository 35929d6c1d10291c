import PredicateText

/// The macros of DuckDB, generated from the evaluator's fold table.
///
/// A fold processes the characters of a string one by one: decomposed, in lower case, with a joint before each
/// character and none inside. The folded string is this form without joints. Searches are regular expressions over
/// it, so that no match begins or ends inside a character. ASCII strings take a faster path in every macro.
///
/// The joint is the noncharacter U+FDD0. It is escaped if a string contains it, and so is U+0000, at which
/// `nfc_normalize` would stop.
struct DuckDBPrelude: GeneratedPrelude {
    var likeCallsFolds: Bool { false }

    func helpers(for functions: Set<SQLFunction>) -> [String] {
        let members = functions.contains(where: \.readsMembers) ? DuckDBJSON.helpers : []
        guard functions.contains(where: \.usesCharacters) else { return members }
        let literals = functions.contains(where: \.searches) ? [Self.literalMacro] : []
        return members + [Self.patternMacro, Self.unjoinedMacro, Self.charactersMacro] + literals
    }

    private static let patternMacro = macro(
        "\(patternName)(p)",
        "replace(p, '\(SQLRegularExpressions.nameOfMarks)', '\(SQLRegularExpressions.re2.membersOfMarks)')")

    var definitions: [SQLFunction: (SQLFunction) -> String] {
        [
            .foldCase: { Self.fold($0, "c") },
            .foldDiacritics: { Self.fold($0, "d") },
            .foldCaseAndDiacritics: { Self.fold($0, "cd") },
            .begins: { Self.search($0, "starts_with", "'^' || \(Self.literal("needle")) || '(?:\(Self.joint)|$)'") },
            .ends: { Self.search($0, "suffix", "\(Self.literal("needle")) || '$'") },
            .contains: { Self.search($0, "contains", "\(Self.literal("needle")) || '(?:\(Self.joint)|$)'") },
            .like: { _ in Self.like },
            .uppercase: { _ in Self.upper },
            .lowercase: { _ in Self.lower },
            .length: { Self.macro("\($0.name)(s)", Self.length(of: "s")) },
            .date: {
                Self.macro(
                    "\($0.name)(s)",
                    DateExpression(divide: "//", hasForm: "regexp_matches(s, '^\(DateTexts.form)\\z')").text)
            },
            // Before version 2, the square root of a negative number is an error.
            .squareRoot: { Self.macro("\($0.name)(a)", "CASE WHEN a < 0 THEN 'NaN'::DOUBLE ELSE sqrt(a) END") },
            .jsonKind: { DuckDBJSON.macro($0, DuckDBJSON.kind) },
            .jsonPathKind: { _ in DuckDBJSON.pathKind },
            .jsonText: { DuckDBJSON.macro($0, Self.cast("x", .jsonToText, DuckDBDialect())) },
            .jsonNumber: { DuckDBJSON.macro($0, Self.cast("x", .jsonToDouble, DuckDBDialect())) },
            .jsonBoolean: { DuckDBJSON.macro($0, Self.cast("x", .jsonToBoolean, DuckDBDialect())) },
            .jsonElements: { DuckDBJSON.macro($0, DuckDBJSON.elements) },
        ]
    }

    /// The number of UTF-16 code units of a string.
    static func length(of s: String) -> String {
        """
        CASE WHEN strlen(\(s)) < length(\(s)) + 3 THEN length(\(s)) \
        ELSE length(\(s)) + length(regexp_replace(\(s), '[^\\x{10000}-\\x{10FFFF}]', '', 'g')) END
        """
    }

    static func macro(_ signature: String, _ body: String) -> String {
        "CREATE OR REPLACE MACRO \(signature) AS \(body)"
    }

    private static let isASCII = "strlen(s) = length(s)"

    private static func fold(_ function: SQLFunction, _ letters: String) -> String {
        let short = letters == "d" ? "s" : "lower(s)"
        return macro(
            "\(function.name)(s)",
            """
            CASE WHEN s IS NULL THEN NULL WHEN \(isASCII) THEN \(short) \
            ELSE \(unjoined("\(characters)(s, '\(letters)')")) END
            """)
    }

    private static let upper = caseMapping(.uppercase, .upper, "upper(s)")
    private static let lower = caseMapping(.lowercase, .lower, "lower(s)")

    private static func caseMapping(_ function: SQLFunction, _ mapping: CaseMapping, _ short: String) -> String {
        let table = DuckDBTable(columns: 1, below: CaseMapping.limit) { scalar in
            [(mapping.mapped(scalar) ?? []).reduce(into: "") { $0.unicodeScalars.append($1) }]
        }
        let sigmas = CaseExpression(mapping, .re2).source(sigmas: "contains(s, '\(CaseMapping.sigma)')")
        let pairs = table.pairs(of: "string_split(t, '')", table.texts(0))
        let letters = "array_to_string([CASE WHEN z[1] = '' THEN z[2] ELSE z[1] END FOR z IN \(pairs)], '')"
        return macro(
            "\(function.name)(s)",
            """
            CASE WHEN s IS NULL THEN NULL WHEN \(isASCII) THEN \(short) \
            ELSE list_transform([\(sigmas)], lambda t: \(letters))[1] END
            """)
    }

    private static func search(_ function: SQLFunction, _ plain: String, _ pattern: String) -> String {
        macro(
            "\(function.name)(s, needle, letters)",
            """
            CASE WHEN s IS NULL OR needle IS NULL THEN NULL WHEN strlen(needle) = 0 THEN FALSE \
            WHEN \(isASCII) THEN \(plain)(CASE WHEN letters = 'd' THEN s ELSE lower(s) END COLLATE "C", needle COLLATE "C") \
            ELSE regexp_matches(\(characters)(s, letters), \(pattern)) END
            """)
    }
}

// MARK: - Noncharacters

extension DuckDBPrelude {
    /// Precedes a character.
    static let joint = String(noncharacter(0))
    /// Precedes a mark that `[d]` does not remove.
    static let keeper = String(noncharacter(1))
    /// Precedes marks while they are put in order.
    static let divider = String(noncharacter(3))
    /// Begins an escaped code point.
    private static let escape = String(noncharacter(2))

    private static func noncharacter(_ number: UInt32) -> Unicode.Scalar {
        Unicode.Scalar(0xFDD0 + number) ?? "\u{FFFD}"
    }

    /// The escape character itself is replaced first.
    private static let escapes: [(plain: Unicode.Scalar, escaped: String)] = [
        (noncharacter(2), "\(escape)c"), (noncharacter(0), "\(escape)a"), (noncharacter(1), "\(escape)b"),
        (noncharacter(3), "\(escape)d"), ("\0", "\(escape)e"),
    ]

    /// Returns the escaped form of a code point with a special meaning; nil for any other.
    static func escape(of scalar: Unicode.Scalar) -> String? {
        escapes.first { $0.plain == scalar }?.escaped
    }

    /// Returns a code point as an expression.
    private static func text(_ scalar: Unicode.Scalar) -> String { "chr(\(scalar.value))" }

    private static func escaped(_ text: String) -> String {
        escapes.reduce(text) { "replace(\($0), \(self.text($1.plain)), '\($1.escaped)')" }
    }

    private static func unjoined(_ text: String) -> String { "\(unjoinedName)(\(text))" }
    private static let unjoinedName = helperName("unjoined")

    /// `predicates2_unjoined(t)`: the string of some characters.
    private static let unjoinedMacro = macro(
        "\(unjoinedName)(t)",
        escapes.reversed().reduce("replace(t, '\(joint)', '')") {
            "replace(\($0), '\($1.escaped)', \(text($1.plain)))"
        })
}

// MARK: - Characters

extension DuckDBPrelude {
    private static let characters = helperName("characters")

    /// `predicates2_characters(s, 'cd')`: the folded characters, each after a joint.
    private static let charactersMacro = macro("\(characters)(s, letters)", DuckDBCharacters().text)

    private static func literal(_ text: String) -> String { "\(literalName)(\(text))" }
    private static let literalName = helperName("literal")

    /// `predicates2_literal('jo')`: a regular expression for a folded string, which may consist of several
    /// characters.
    private static let literalMacro = macro(
        "\(literalName)(n)",
        "'\(joint)' || array_to_string([regexp_escape(c) FOR c IN string_split(\(escaped("n")), '')], '\(joint)?')")

    /// `predicates2_like(s, 'j?h*n', 'cd')`: the pattern as a regular expression.
    ///
    /// Wildcards are enclosed in joints, so that a pattern alternates between literals and wildcards.
    private static let like = macro(
        "\(SQLFunction.like.name)(s, pattern, letters)",
        """
        CASE WHEN s IS NULL OR pattern IS NULL THEN NULL WHEN strlen(pattern) = 0 THEN FALSE \
        WHEN letters = '' THEN regexp_full_match(s, \(pattern(of: parts, "'(?s:.)'", "'(?s:.*)'", "regexp_escape(\(part))"))) \
        ELSE list_transform([[\(foldedPart) FOR p IN \(parts)]], lambda q: CASE WHEN \(isASCII) \
        THEN regexp_full_match(CASE WHEN letters = 'd' THEN s ELSE lower(s) END, \
        \(pattern(of: "q", "'(?s:.)'", "'(?s:.*)'", "regexp_escape(p[2:])"))) \
        ELSE regexp_full_match(\(characters)(s, letters), \
        \(pattern(of: "q", "'\(joint)[^\(joint)]+'", "'(?:\(joint)[^\(joint)]+)*'", literal("p[2:]")))) END)[1] END
        """)

    /// Returns an expression for the parts of a pattern; `p` is a part that is not a wildcard.
    private static func pattern(of parts: String, _ one: String, _ any: String, _ literal: String) -> String {
        """
        array_to_string([CASE WHEN p = '' THEN '' WHEN p = '\(keeper)?' THEN \(one) WHEN p = '\(keeper)*' THEN \(any) \
        ELSE \(literal) END FOR p IN \(parts)], '')
        """
    }

    /// Alternating literals and wildcards.
    private static let parts = """
        string_split(array_to_string([CASE WHEN t IN ('*', '?') THEN '\(joint)\(keeper)' || t || '\(joint)' \
        WHEN t[1] = '\\' AND length(t) = 2 THEN t[2:] ELSE t END \
        FOR t IN regexp_extract_all(\(escaped("pattern")), '(?s)\\\\.|[*?]|[^*?\\\\]+|\\\\')], ''), '\(joint)')
        """

    private static let part = unjoined("p")

    /// A part with its literal folded, after a joint.
    private static let foldedPart = """
        CASE WHEN p = '' OR p IN ('\(keeper)*', '\(keeper)?') THEN p WHEN strlen(p) = length(p) \
        THEN '\(joint)' || CASE WHEN letters = 'd' THEN p ELSE lower(p) END \
        ELSE '\(joint)' || \(unjoined("\(characters)(\(part), letters)")) END
        """
}

extension SQLFunction {
    /// True for a function that processes the characters of a string.
    fileprivate var usesCharacters: Bool { foldMode != nil || searches }
}
