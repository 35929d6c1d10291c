import Foundation
import PredicateGenerators

/// Regular expressions and strings drawn by seed: constructs in frames, and awkward strings.
enum PatternDraw {
    /// Returns the seed of a test, which `PREDICATES_PATTERN_SEED=7` replaces to draw others.
    static func seed(_ standard: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment["PREDICATES_PATTERN_SEED"].flatMap(UInt64.init) ?? standard
    }

    static let constructs = [
        // Letters, also such as fold to several, and their escapes
        "a", "b", "S", "k", "ss", "ß", "fi", "st", "é", "e\u{301}", "日", "\u{1F600}", "K", "ſ", "İ", "ı", "ΐ", "σ", "Σ",
        "ŉ", "ᾳ", "가", "\u{1100}\u{1161}", "ǅ", "#", " ", "-", "&", "]", "}", "{", "\"", "\\x41", "\\x{e9}", "\\u00e9",
        "\\n", "\\r", "\\t", "\\e", "\\cA", "\\cJ", "\\0101", "\\.", "\\Qa.b\\E", "\\Q\\E", "\\QsS\\E", "(?#x)",
        // Classes
        ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\h", "\\H", "\\v", "\\V", "\\R", "\\X", "[a-c]", "[^a]",
        "[^a-z.]", "[0-9_]", "[\\w.-]", "[^\\d]", "[a\\-c]", "[\\]]", "[.-]", "[a-c-]", "[]a]", "[a-é]", "[é-ü]",
        "[^é]",
        "[ß]", "[k]", "[^K]", "[ſ]", "[\\s\\S]", "[a[bc]]", "[^a[bc]]", "[[a-z]&&[^b]]", "[a-z--[b]]", "[[a-z]-[b]]",
        "[a&&b]", "[[:alpha:]]", "[[:^alpha:]]", "[^[:digit:]x]", "[\\p{L}--[a]]", "[\\p{Lu}é]", "[\\x41-\\x43]",
        "[\\n\\r]", "[\\Qa]\\E]", "[σ]", "[ǅ]", "[A-Z]", "[\\u0130]", "[\\U0001F600]", "\\p{L}", "\\p{Lu}", "\\P{Ll}",
        "\\p{Greek}", "\\p{script=Han}", "\\p{Alphabetic}", "\\pL", "\\p{^Lu}", "\\N{LATIN SMALL LETTER A}",
        // Assertions
        "\\b", "\\B", "\\A", "\\z", "\\Z", "\\G", "^", "$", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)",
        // Flags
        "(?i)", "(?s)", "(?m)", "(?-i)", "(?is-m)", "(?x)", "(?w)", "(?d)", "(?i:s)", "(?i:ss)", "(?-i:K)", "(?s:.)",
        "(?m:^a$)",
        // Groups and alternatives
        "x|y", "|", "", "a|ab", "()", "(a)", "(ab|b)", "(a|)", "(?:a|S|)", "(a(b|c))", "(a|b+)", "(1*-)", "(a?b)",
        "(?<n>a)", "(?>a|ab)", "\\1", "\\k<n>", "(?<n>b)\\k<n>", "(^a)", "(a$)", "(\\b)", "(?:\\R)", "(?:^|b)",
        "(?:$|b)",
        "(a*)", "(a*b*)", "(?:a?)", "(?:.a|c)", "(s|ſ)", "(?:ss|ß)",
    ]
    private static let marks = [
        "", "", "", "", "", "*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,3}", "{0}", "{2,}", "{0,2}?",
        "{2}+", "{1,2}+", "{2", "{3,1}", "**",
    ]
    /// The numbers stand for constructs.
    private static let frames = [
        "012", "0|1", "(0)1", "(?:0|1)2", "(?:01)*2", "(01)+", "(?:0|1)*", "(?i)01", "(?i:0)12", "0(?i)1|2", "(?s)012",
        "(?m)^0$1", "(?m)0^1", "^0$", "^0|1$", "0$1", "0\\Z1", "\\A0\\z", "(0|1){1,3}2", "(0(1)?)*", "0.*1", "0.*?12",
        "(?:0+1)?2", "[0]1", "[^0]1", "0\\b1", "0\\B1", "(?s).*0.*", "0\\R1", "(?ism)0.1", "((0)|(1))+2", "0*+1",
        "0++2",
        "(?:0|12|)", "(?i)[0]1", "(?-i)0",
    ]
    static let letters = [
        "a", "b", "c", "S", "s", "ss", "K", "k", "ſ", "ß", "ẞ", "\u{212A}", "ﬁ", "ﬆ", "ŉ", "İ", "i", "ı", "é", "É",
        "e\u{301}", "\u{301}", "日", "가", "\u{1100}\u{1161}", "\u{1F600}", "👩‍👧", "\n", "\r", "\r\n", "\n\r", "\u{85}",
        "\u{2028}", "\u{B}", "\u{200D}", "-", "_", ".", " ", "\t", "1", "٣", "&", "#", "]", "}", "{", "\"", "A", "B",
        "x",
        "y", "z", "σ", "ς", "Σ", "ΐ", "\u{1FD3}", "ᾳ", "αι", "ǆ", "ǅ", "\u{1}", "\0", "\u{FEFF}", "\u{AD}", "fi", "st",
        "ʼn",
    ]

    static func pattern(_ source: inout RandomSource) -> String {
        source.one(of: frames).map { mark in
            "012".contains(mark) ? source.one(of: constructs) + source.one(of: marks) : String(mark)
        }.joined()
    }

    /// Few letters, some of them in runs that are longer than what a matcher skips at once.
    static func text(_ source: inout RandomSource, atMost most: Int = 6) -> String {
        (0..<source.below(most)).map { _ in
            String(repeating: source.one(of: letters), count: source.oneIn(8) ? 14 + source.below(24) : 1)
        }.joined()
    }

    /// Patterns on which a backtracking matcher takes exponential or polynomial time, or that need many states.
    static func hostile(_ source: inout RandomSource) -> String {
        let parts = [
            "a", "b", "[ab]", ".", "a?", "(a|b)", "(a|ab)", "a*", "(?:a|a)", "\\w", "(?i:A)", "(b|ba)?", "\\b", "$",
        ]
        let frames = [
            "(0+)+1", "(0*)*1", "(0|1)*2", "0*0*0*1", "(?:0{1,5}){1,5}1", "(.*)*0", "(0+1?)+2", "(?:0?){20}0{20}",
            "(0|1)*a(0|1){12}", "(.*0){3}1", "((0+)+)+1", "^(0+)+$", "(?s).*0.*1.*2", "(0|00)+1", "(0?1?)*2",
        ]
        return source.one(of: frames).map { mark in
            "012".contains(mark) ? source.one(of: parts) : String(mark)
        }.joined() + "x"
    }
}
