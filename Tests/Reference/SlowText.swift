import Foundation

import PredicateText

/// The slow and obvious forms of what texts are compared by, written without a table and without cursors.
///
/// A text is a list of characters, each of them folded: a base with its marks, or a single code point without a fold.
package enum SlowText {
    package typealias Character = [Unicode.Scalar]

    package static func characters(_ string: String, _ mode: FoldMode) -> [Character] {
        guard mode != .none else { return string.unicodeScalars.map { [$0] } }
        var characters: [Character] = []
        for scalar in string.decomposedStringWithCanonicalMapping.unicodeScalars {
            if characters.isEmpty || !extends(scalar) { characters.append([]) }
            characters[characters.count - 1].append(scalar)
        }
        return characters.map { fold($0, mode) }
    }

    package static func fold(_ string: String, _ mode: FoldMode) -> [Unicode.Scalar] {
        characters(string, mode).flatMap { $0 }
    }

    private static func fold(_ character: Character, _ mode: FoldMode) -> Character {
        switch mode {
        case .none: character
        case .caseInsensitive: character.flatMap(foldCase)
        case .diacriticInsensitive: dropMarks(character)
        case .caseAndDiacriticInsensitive: dropMarks(character).flatMap(foldCase)
        }
    }

    /// The small letters of the capitals of the small letters, but for marks and the dotless i, which no fold touches, and for
    /// Cherokee, which folds to capitals.
    private static func foldCase(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        guard scalar != "\u{131}", !isMark(scalar) else { return [scalar] }
        if isCherokee(scalar) { return Array(scalar.properties.uppercaseMapping.unicodeScalars) }
        return small([scalar]).flatMap { $0.properties.uppercaseMapping.unicodeScalars }.flatMap { small([$0]) }
    }

    private static func isCherokee(_ scalar: Unicode.Scalar) -> Bool {
        0x13A0...0x13FF ~= scalar.value || 0xAB70...0xABBF ~= scalar.value
    }

    private static func small(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        scalars.flatMap { $0.properties.lowercaseMapping.unicodeScalars }
    }

    /// The base, with the marks that composition puts into one code point if it is beyond Cyrillic, and what is no mark.
    private static func dropMarks(_ character: Character) -> Character {
        guard let base = character.first, !isMark(base) else { return character }
        if base.value < 0x510 { return character.filter { $0 == base || !isMark($0) } }
        let composed = string(character).precomposedStringWithCanonicalMapping.unicodeScalars
        let kept = string([composed.first ?? base]).decomposedStringWithCanonicalMapping.unicodeScalars
        // What composes of marks alone is one, too, before Unicode 16.
        return kept
            + composed.dropFirst().filter { scalar in
                !string([scalar]).decomposedStringWithCanonicalMapping.unicodeScalars.allSatisfy(isMark)
            }
    }

    private static func string(_ scalars: Character) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// A mark, an emoji modifier, or a medial sign of Ahom, which was a spacing mark in one version of Unicode.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isGraphemeExtend || scalar.properties.isEmojiModifier || scalar.value == 0x1171E
    }

    /// A mark, a vowel or a final consonant of Hangul.
    private static func extends(_ scalar: Unicode.Scalar) -> Bool {
        let conjoining: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB]
        return isMark(scalar) || conjoining.contains { $0 ~= scalar.value }
    }
}

extension SlowText {
    /// True if some characters of the text, as many as there are from one place to another, are the needle.
    private static func holds(
        _ text: String, _ needle: String, _ mode: FoldMode, _ places: (Int) -> [Range<Int>]
    ) -> Bool {
        let (characters, wanted) = (characters(text, mode), fold(needle, mode))
        return !wanted.isEmpty && places(characters.count).contains { characters[$0].joined().elementsEqual(wanted) }
    }

    package static func contains(_ text: String, _ needle: String, _ mode: FoldMode) -> Bool {
        let (characters, wanted) = (characters(text, mode), fold(needle, mode))
        return !wanted.isEmpty
            && characters.indices.contains { start in
                var (count, end) = (0, start)
                while count < wanted.count, end < characters.count {
                    count += characters[end].count
                    end += 1
                }
                return characters[start..<end].joined().elementsEqual(wanted)
            }
    }

    package static func begins(_ text: String, _ needle: String, _ mode: FoldMode) -> Bool {
        holds(text, needle, mode) { count in (0...count).map { 0..<$0 } }
    }

    package static func ends(_ text: String, _ needle: String, _ mode: FoldMode) -> Bool {
        holds(text, needle, mode) { count in (0...count).map { $0..<count } }
    }

    package static func compare(_ left: String, _ right: String, _ mode: FoldMode) -> Int {
        let (left, right) = (fold(left, mode), fold(right, mode))
        return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

extension SlowText {
    package enum Token: Equatable {
        case star
        case any
        /// Folded.
        case literal([Unicode.Scalar])
    }

    /// The pattern taken apart; a run of literal characters is folded as one text.
    package static func tokens(_ pattern: String, _ mode: FoldMode) -> [Token] {
        var rest = Array(pattern.unicodeScalars)[...]
        var tokens: [Token] = []
        var literal: [Unicode.Scalar] = []
        func finish() {
            if !literal.isEmpty { tokens.append(.literal(fold(string(literal), mode))) }
            literal = []
        }
        while let first = rest.popFirst() {
            switch first {
            case "*", "?":
                finish()
                tokens.append(first == "*" ? .star : .any)
            case "\\": literal.append(rest.popFirst() ?? first)
            default: literal.append(first)
            }
        }
        finish()
        return tokens
    }

    /// True if the pattern fits the text: token by token, which places in the text can be reached.
    package static func matches(_ text: String, _ pattern: String, _ mode: FoldMode) -> Bool {
        let (characters, tokens) = (characters(text, mode), tokens(pattern, mode))
        var reached: Set<Int> = tokens.isEmpty ? [] : [0]
        for token in tokens {
            reached = Set(reached.flatMap { places(after: token, $0, characters) })
        }
        return reached.contains(characters.count)
    }

    private static func places(after token: Token, _ place: Int, _ characters: [Character]) -> [Int] {
        switch token {
        case .star: Array(place...characters.count)
        case .any: place < characters.count ? [place + 1] : []
        case .literal(let scalars):
            (place...characters.count).filter { characters[place..<$0].joined().elementsEqual(scalars) }
        }
    }
}
