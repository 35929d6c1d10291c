import Foundation
import PredicateGenerators

/// Pairs of strings in which texts that look alike are spelled differently.
struct TextQuestions {
    private var source: RandomSource

    init(seed: UInt64) {
        source = RandomSource(seed: seed)
    }

    /// A text and a needle, which is there to be found in most pairs.
    mutating func pair() -> (text: String, needle: String) {
        let alphabet = source.one(of: Self.alphabets)
        let text = word(alphabet, source.below(9))
        guard !source.percent(15) else { return (text, word(alphabet, source.below(3))) }
        let scalars = Array(text.unicodeScalars)
        let start = source.percent(40) ? 0 : source.below(scalars.count + 1)
        // Few needles begin with a mark.
        let isMark = start < scalars.count && scalars[start].properties.isGraphemeExtend
        let rest = scalars[(isMark && source.percent(90) ? max(start - 1, 0) : start)...]
        let piece = source.percent(40) ? rest : rest.prefix(1 + source.below(4))
        return (respelled(text), respelled(Self.string(piece)))
    }

    private mutating func word(_ alphabet: [String], _ count: Int) -> String {
        (0..<count).map { _ in source.one(of: source.percent(25) ? Self.latin : alphabet) }.joined()
    }

    /// The same text in other code points or with other letters of the same kind.
    private mutating func respelled(_ text: String) -> String {
        switch source.below(7) {
        case 0: text.decomposedStringWithCanonicalMapping
        case 1: text.precomposedStringWithCanonicalMapping
        case 2: text.uppercased()
        case 3: text.lowercased()
        default: text
        }
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

extension TextQuestions {
    private static let latin = ["a", "A", "e", "E", "i", "I", "o", "s", "S", "f", "k", "K", "1", " ", "-", "_", "ab"]

    private static let alphabets: [[String]] = [
        ["a", "B", "c", "Z", "z", "@", "[", "~", "0", "9", ".", "\n", "\r\n", "\t"],
        [
            "é", "É", "e\u{301}", "ë", "ñ", "Ñ", "n\u{303}", "ø", "Ø", "å", "\u{212B}", "ü", "u\u{308}", "ç",
            "\u{1E17}", "ē\u{301}",
        ],
        ["ß", "ẞ", "ss", "SS", "ﬁ", "ﬃ", "fi", "ŉ", "ĳ", "ŀ", "æ", "Æ", "œ", "ǆ", "ſ", "\u{212A}"],
        ["i", "I", "ı", "İ", "i\u{307}", "ị", "ĩ", "j", "ǰ", "ȷ"],
        ["α", "Α", "ά", "ά", "α\u{301}", "ς", "σ", "Σ", "ϊ", "ΐ", "ᾳ", "ᾼ", "ὰ", "ῶ", "Ω", "\u{2126}", "µ", "μ"],
        ["и", "И", "й", "Й", "и\u{306}", "ё", "Ё", "е\u{308}", "ґ", "ж", "ћ", "ѵ\u{30F}", "ы"],
        ["한", "국", "하", "\u{1112}\u{1161}\u{11AB}", "\u{1100}\u{116E}", "각", "가", "힣", "ㄱ"],
        ["か", "が", "か\u{3099}", "ハ", "バ", "パ", "ハ\u{309A}", "ｶ", "ﾞ", "ー", "漢", "字", "\u{F900}"],
        ["ا", "أ", "ا\u{654}", "آ", "ب", "بَ", "بّ", "ي", "ئ", "ه", "ة", "\u{640}"],
        ["न", "न\u{93C}", "ऩ", "क\u{93C}", "\u{958}", "कि", "का", "क्", "ं", "বো", "কো"],
        ["👍", "👍🏽", "👍🏿", "👩‍👦", "👨‍👩‍👧", "🇩🇪", "❤", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "𝒳", "𐐀", "𐐨", "🙂"],
        [
            "e\u{301}\u{327}", "e\u{327}\u{301}", "a\u{323}\u{302}", "ậ", "o\u{31B}", "ơ", "q\u{307}\u{323}",
            "q\u{323}\u{307}", "\u{301}",
        ],
        ["א", "ב", "בּ", "\u{FB31}", "שׁ", "שִׁ", "ל", "\u{5B0}"],
        [
            "\0", "\0", "\0", "\u{1}", "\u{7F}", "\u{85}", "\u{A0}", "\u{200B}", "\u{200D}", "\u{200C}", "\u{FEFF}",
            "\u{FFFD}",
            "\u{2028}", "a", "b",
        ],
        ["ก", "กำ", "กิ", "ข", "เ", "ე", "Ე", "ა", "ᏸ", "Ᏸ", "ꭰ", "Ꭰ", "ա", "Ա", "և", "եւ"],
    ]
}
