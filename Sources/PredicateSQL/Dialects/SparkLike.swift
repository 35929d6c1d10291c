import PredicateText

/// LIKE as a function of Spark's: the pattern becomes a regular expression over the characters of a text.
enum SparkLike {
    /// Noncharacters that stand for the wildcards while a pattern is folded, so that marks after them stay.
    static let (star, any) = (noncharacter(2), noncharacter(3))
    /// Noncharacters that stand for `\*`, `\?` and `\\` meanwhile.
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

    /// Without a fold a wildcard stands for code points.
    private static let codePoints = replaced(SparkPrelude.escaped(tokens), [(star, ".*"), (any, ".")])

    /// Under a fold for characters: what is joined belongs together.
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

    /// The pattern with noncharacters for its wildcards and without its backslashes; the last stands for itself.
    private static let tokens: String = {
        let marked =
            #"replace(replace(replace(pattern, r'\\', '\#(literalBackslash)'), r'\*', '\#(literalStar)'), r'\?', '\#(literalAny)')"#
        let bare = #"regexp_replace(regexp_replace(\#(marked), r'(?s)\\(.)', '$1'), r'\\\z', '\#(literalBackslash)')"#
        return
            #"translate(\#(bare), '*?\#(literalStar)\#(literalAny)\#(literalBackslash)', concat('\#(star)\#(any)*?', char(92)))"#
    }()
}
