import PredicateText

/// The functions of PostgreSQL, generated from the evaluator's fold table. They need PostgreSQL 13 or later, which
/// can normalize strings, and a database in UTF-8.
///
/// Folds are expressions with `normalize`, `regexp_replace` and `translate`. Searches are regular expressions over
/// the characters of a string: the folded string with a joint before each code point that continues a character, so
/// that no match begins or ends inside a character. The joint is the noncharacter U+FDD0.
struct PostgreSQLPrelude: GeneratedPrelude {
    func helpers(for functions: Set<SQLFunction>) -> [String] {
        let patterns = functions.contains(where: \.comparesFolds) ? [Self.patternFunction] : []
        return functions.contains(where: \.searches) ? patterns + Self.searchHelpers : patterns
    }

    private static let patternFunction = create(
        "\(patternName)(p text)", "text",
        "replace(p, '\(SQLRegularExpressions.nameOfMarks)', '\(SQLRegularExpressions.postgreSQL.membersOfMarks)')")

    var definitions: [SQLFunction: (SQLFunction) -> String] {
        [
            .foldCase: { Self.fold($0, Self.caseFold) },
            .foldDiacritics: { Self.fold($0, Self.diacriticFold) },
            .foldCaseAndDiacritics: { Self.fold($0, Self.caseAndDiacriticFold) },
            .begins: { Self.search($0, "starts_with(%, needle)", "'^' || \(Self.literal("needle"))") },
            .ends: {
                let pattern = "'(?<!\(Self.joint))' || \(Self.literal("needle")) || '$'"
                return Self.search($0, "right(%, length(needle)) = needle", pattern)
            },
            .contains: {
                Self.search($0, "strpos(%, needle) > 0", "'(?<!\(Self.joint))' || \(Self.literal("needle"))")
            },
            .like: { _ in Self.like },
            .uppercase: { _ in Self.upper },
            .lowercase: { _ in Self.lower },
            .length: { Self.create("\($0.name)(s text)", "int8", Self.length(of: "s")) },
            .divide: { Self.create("\($0.name)(a float8, b float8)", "float8", Self.quotient) },
            .squareRoot: {
                Self.create("\($0.name)(a float8)", "float8", "CASE WHEN a < 0 THEN 'NaN' ELSE sqrt(a) END")
            },
            .date: { _ in PostgreSQLDates.function },
            .jsonPathKind: { _ in Self.pathKind },
        ]
    }

    /// The number of UTF-16 code units of a string. A code point of two of them has four bytes.
    static func length(of s: String) -> String {
        "char_length(\(s)) + CASE WHEN octet_length(\(s)) < char_length(\(s)) + 3 THEN 0 "
            + #"ELSE char_length(regexp_replace(\#(s), '[^\U00010000-\U0010FFFF]', '', 'g')) END"#
    }

    /// The sign of a negative zero shows in its string. The result is NULL if an operand is NULL.
    private static let quotient = """
        CASE WHEN b <> 0 OR b IS NULL THEN a / b WHEN a = 0 OR a = 'NaN' THEN 'NaN' \
        WHEN (a < 0) = (b::text = '-0') THEN 'Infinity' WHEN a <> b THEN '-Infinity' END
        """

    private static func fold(_ function: SQLFunction, _ body: String) -> String {
        create("\(function.name)(s text)", "text", body)
    }

    private static let upper = caseMapping(.uppercase, .upper, "upper")
    private static let lower = caseMapping(.lowercase, .lower, "lower")

    private static func caseMapping(_ function: SQLFunction, _ mapping: CaseMapping, _ short: String) -> String {
        let expression = CaseExpression(mapping, .postgreSQL).text(
            ascii: isASCII, short: "\(short)(s COLLATE \"C\")", sigmas: "strpos(s, '\(CaseMapping.sigma)') > 0")
        return create("\(function.name)(s text)", "text", expression)
    }

    fileprivate static let isASCII = "octet_length(s) = char_length(s)"

    /// A key applied to an array applies to each element; a key applied to a string or a number is an error.
    private static let pathKind = """
        CREATE OR REPLACE FUNCTION \(SQLFunction.jsonPathKind.name)(v jsonb, keys text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE \
        PARALLEL SAFE AS $predicates$BEGIN RETURN CASE \
        WHEN v IS NULL OR jsonb_typeof(v) = 'null' THEN NULL \
        WHEN cardinality(keys) = 0 THEN jsonb_typeof(v) \
        WHEN jsonb_typeof(v) = 'object' THEN \(SQLFunction.jsonPathKind.name)(v -> keys[1], keys[2:]) \
        WHEN jsonb_typeof(v) <> 'array' THEN 'error' \
        WHEN EXISTS (SELECT FROM jsonb_array_elements(v) AS e (value) \
        WHERE \(SQLFunction.jsonPathKind.name)(e.value, keys) = 'error') THEN 'error' \
        ELSE 'array' END; END$predicates$
        """

    /// ASCII strings take a faster path, in which `%` represents the folded string.
    private static func search(_ function: SQLFunction, _ short: String, _ pattern: String) -> String {
        let folded = "CASE WHEN letters = 'd' THEN s ELSE lower(s COLLATE \"C\") END"
        return create(
            "\(function.name)(s text, needle text, letters text)", "boolean",
            """
            CASE WHEN needle = '' THEN FALSE \
            WHEN \(isASCII) THEN \(short.replacing("%", with: folded)) \
            ELSE \(characters)(s, letters) ~ (\(pattern)) END
            """)
    }

    /// Not STRICT: each body returns NULL for NULL anyway, and a function that is not STRICT can be inlined.
    static func create(_ signature: String, _ type: String, _ body: String) -> String {
        """
        CREATE OR REPLACE FUNCTION \(signature) RETURNS \(type) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS \
        $predicates$SELECT \(body)$predicates$
        """
    }

    private static let caseFold = PostgreSQLFold(.caseInsensitive).folded
    private static let diacriticFold = PostgreSQLFold(.diacriticInsensitive).folded
    private static let caseAndDiacriticFold = PostgreSQLFold(.caseAndDiacriticInsensitive).folded
}

/// Characters and patterns.
extension PostgreSQLPrelude {
    fileprivate static let joint = "\(noncharacter(0))"
    private static let characters = helperName("characters")
    private static let literalName = helperName("literal")

    /// A noncharacter, which no string contains.
    fileprivate static func noncharacter(_ number: UInt32) -> Unicode.Scalar {
        Unicode.Scalar(0xFDD0 + number) ?? "\u{FFFD}"
    }

    private static func literal(_ text: String) -> String { "\(literalName)(\(text))" }

    private static let searchHelpers = [charactersFunction, literalFunction]

    /// `predicates2_characters(s, 'cd')`: the folded string with joints.
    private static let charactersFunction = create(
        "\(characters)(s text, letters text)", "text",
        """
        CASE letters WHEN 'c' THEN \(PostgreSQLFold(.caseInsensitive).joined) \
        WHEN 'd' THEN \(PostgreSQLFold(.diacriticInsensitive).joined) \
        WHEN 'cd' THEN \(PostgreSQLFold(.caseAndDiacriticInsensitive).joined) ELSE s END
        """)

    /// `predicates2_literal('jo')`: a regular expression for a folded string, whose code points may be joined.
    private static let literalFunction = create(
        "\(literalName)(s text)", "text",
        """
        replace(regexp_replace(regexp_replace(s, '(.)(?=.)', '\\1\(noncharacter(1))', 'g'), \
        '([][\\\\.^$*+?(){}|])', '\\\\\\1', 'g'), '\(noncharacter(1))', '\(joint)?') || '(?!\(joint))'
        """)

    /// `predicates2_like(s, 'j?h*n', 'cd')`: the pattern as a regular expression.
    ///
    /// Escaped wildcards become noncharacters before the pattern is split.
    private static let like = create(
        "\(SQLFunction.like.name)(s text, pattern text, letters text)", "boolean",
        """
        CASE WHEN pattern = '' THEN FALSE WHEN s IS NULL OR pattern IS NULL THEN NULL ELSE \
        \(characters)(s, letters) ~ ('^' || (SELECT string_agg(CASE token[1] \
        WHEN '*' THEN '.*(?<!\(joint))(?!\(joint))' WHEN '?' THEN '[^\(joint)](?:\(joint)[^\(joint)])*(?!\(joint))' \
        ELSE \(literal("CASE letters WHEN 'c' THEN \(fold("c")) WHEN 'd' THEN \(fold("d")) WHEN 'cd' THEN \(fold("cd")) ELSE \(plain) END")) \
        END, '' ORDER BY number) FROM regexp_matches(\(withoutEscapes), '[*]|[?]|[^*?]+', 'g') \
        WITH ORDINALITY AS tokens (token, number)) || '$') END
        """)

    private static func fold(_ letters: String) -> String { helperName("fold_\(letters)(\(plain))") }

    private static let (star, mark, backslash) = (noncharacter(2), noncharacter(3), noncharacter(4))

    private static let withoutEscapes = """
        regexp_replace(regexp_replace(replace(replace(replace(pattern, '\\\\', '\(backslash)'), '\\*', '\(star)'), \
        '\\?', '\(mark)'), '\\\\(.)', '\\1', 'g'), '\\\\$', '\(backslash)')
        """

    private static let plain = "translate(token[1], '\(star)\(mark)\(backslash)', '*?\\')"
}

/// A fold as an expression over a string `s`.
private struct PostgreSQLFold {
    private let mode: FoldMode

    init(_ mode: FoldMode) {
        self.mode = mode
    }

    /// The folded string.
    var folded: String { short(or: whole("")) }

    /// The folded string with a joint before each code point that continues a character, except at the beginning of
    /// the string.
    var joined: String {
        let joint = PostgreSQLPrelude.joint
        let extenders = SQLRegularExpressions.postgreSQL.members(Folding.extenders)
        let extended = "regexp_replace(\(whole(joint)), '([\(extenders)])', '\(joint)\\1', 'g')"
        return short(or: "ltrim(\(extended), '\(joint)')")
    }

    private func short(or whole: String) -> String {
        let short = mode == .diacriticInsensitive ? "s" : "lower(s COLLATE \"C\")"
        return "CASE WHEN \(PostgreSQLPrelude.isASCII) THEN \(short) ELSE \(whole) END"
    }

    /// Folds letters. One `translate` folds letters that become one letter; before it, `replace` folds letters that become
    /// several.
    private func whole(_ joint: String) -> String {
        let plain = mode == .caseInsensitive ? "normalize(s, NFD)" : Self.withoutMarks
        guard mode != .diacriticInsensitive else { return plain }
        let text = Self.cases.several.reduce(plain) { text, pair in
            "replace(\(text), '\(pair.from)', '\(pair.to.map(String.init).joined(separator: joint))')"
        }
        return "translate(\(text), '\(Self.cases.from)', '\(Self.cases.to)')"
    }

    /// Normalizes to NFC, which keeps the marks that compose with a letter beyond Cyrillic, and removes the remaining
    /// marks. Then normalizes to NFD and removes all marks after letters up to Cyrillic.
    private static let withoutMarks: String = {
        let expressions = SQLRegularExpressions.postgreSQL
        let marks = expressions.members(Folding.marks)
        let bases = expressions.members(CodePointSet(Folding.marks).inverted.intersection(1...0x50F))
        let composed = "regexp_replace(normalize(s, NFC), '([^\(marks)])[\(marks)]+', '\\1', 'g')"
        return "regexp_replace(normalize(\(composed), NFD), '([\(bases)])[\(marks)]+', '\\1', 'g')"
    }()

    private static let cases = Cases()
}

/// The letters that case folding changes, in decomposed strings.
private struct Cases {
    private(set) var from = ""
    private(set) var to = ""
    private(set) var several: [(from: String, to: [Unicode.Scalar])] = []

    /// The planes that hold letters.
    private static let letters: [ClosedRange<UInt32>] = [0x41...0x1FFFF]

    init() {
        for value in Self.letters.joined() where !Folding.marks.contains(where: { $0 ~= value }) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            let folded = Array(Folding.fold(text, .caseInsensitive).unicodeScalars)
            guard folded != [scalar], Folding.isDecomposed(scalar) else { continue }
            if folded.count == 1 {
                from.unicodeScalars.append(scalar)
                to.unicodeScalars.append(folded[0])
            } else {
                several.append((text, folded))
            }
        }
    }
}

extension String {
    fileprivate func replacing(_ part: Character, with text: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: text)
    }
}
