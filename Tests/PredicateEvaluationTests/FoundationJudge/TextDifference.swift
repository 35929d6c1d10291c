import Foundation
import PredicateReference
import PredicateText

/// A reason why a text operator answers otherwise than NSString of the toolchain's Foundation does.
///
/// Canonical equivalents are the same text to every operator here, and no match begins or ends inside a character. Foundation
/// means the same, but its search goes by UTF-16 code units and clusters of them, and misses it in the cases listed.
enum TextDifference: String, CaseIterable {
    /// The needle begins with a mark: Foundation finds it inside a character, after the base.
    case needleBeginsWithMark
    /// The text or the needle begins with a mark, which has no base to be a mark of: Foundation drops it under `[d]`.
    case marksWithoutBase
    /// Under `[d]` Foundation drops a mark after a letter beyond Cyrillic where it is spelled as a code point of its own, and
    /// mostly keeps it where it is composed: `か` and `が`. Here both spellings of `が` are one text.
    case marksBeyondCyrillic
    /// Foundation does not find a needle at the end of a text that ends in a mark.
    case marksAtTheEnd
    /// Vowels and final consonants of Hangul that are spelled as code points of their own.
    case conjoiningHangul
    /// Foundation folds the case of code units, and so of no letter beyond the basic plane: `𐐀`.
    case beyondBasicPlane
    /// The iota below a Greek letter is a mark here, as in canonical decomposition; Foundation's `[c]` makes it a letter.
    case iotaBelow
    /// Under `[c]` Foundation's search misses some needles that the text spells by other code points, and takes some letters
    /// that fold to several code points for others: `"SSSSSSÆ" ENDSWITH[c] "ssß"` is true there.
    case spelledInAnotherWay
    /// Foundation does not find NULs at the end of a text, and passes over one at the end of a needle.
    case nul
    /// Foundation orders some composed letters, and letters that fold to several, by another form than the folded one.
    case orderOfComposedLetters
    /// Cherokee folds to its capitals, as Unicode has it; Foundation folds it to small letters, which come elsewhere in order.
    case orderOfCherokee
    /// Letters that a joiner or a virama joins to the next one: Foundation counts both as one character.
    case joinedLetters

    init?(_ operator: String, _ letters: String, _ text: String, _ needle: String) {
        let question = Question(operator: `operator`, letters: letters, text: text, needle: needle)
        guard let reason = Self.allCases.first(where: question.has) else { return nil }
        self = reason
    }
}

/// A question whose answers differ.
private struct Question {
    let `operator`: String
    let letters: String
    let text: String
    let needle: String

    private var scalars: [Unicode.Scalar] { Array(text.unicodeScalars) + Array(needle.unicodeScalars) }
    private var decomposed: [Unicode.Scalar] {
        Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
            + Array(needle.decomposedStringWithCanonicalMapping.unicodeScalars)
    }

    func has(_ reason: TextDifference) -> Bool {
        switch reason {
        case .needleBeginsWithMark: begins(needle, Self.extends)
        case .marksWithoutBase: begins(text, Self.extends) && letters != "c"
        case .marksBeyondCyrillic: letters != "c" && hasMarkBeyondCyrillic
        case .marksAtTheEnd: `operator` == "ENDSWITH" && text.unicodeScalars.last.map(Self.isMark) ?? false
        case .conjoiningHangul: scalars.contains { 0x1100...0x11FF ~= $0.value }
        case .beyondBasicPlane: letters != "d" && scalars.contains { $0.value > 0xFFFF && $0.properties.isCased }
        case .spelledInAnotherWay:
            letters != "d" && `operator` != "<" && (text + needle).unicodeScalars.contains(where: Self.becomesSeveral)
        case .orderOfComposedLetters: `operator` == "<" && scalars.contains(where: Self.becomesSeveral)
        case .nul: needle.unicodeScalars.last == "\0"
        case .orderOfCherokee: `operator` == "<" && scalars.contains(where: Self.isCherokee)
        case .iotaBelow: letters != "d" && decomposed.contains { $0.value == 0x345 }
        case .joinedLetters: scalars.contains { $0 == "\u{200D}" || $0.properties.canonicalCombiningClass == .virama }
        }
    }

    private func begins(_ string: String, _ isKind: (Unicode.Scalar) -> Bool) -> Bool {
        string.decomposedStringWithCanonicalMapping.unicodeScalars.first.map(isKind) ?? false
    }

    private var hasMarkBeyondCyrillic: Bool {
        zip(decomposed, decomposed.dropFirst()).contains { $0.value >= 0x510 && Self.isMark($1) }
    }

    private static func becomesSeveral(_ scalar: Unicode.Scalar) -> Bool {
        isMark(scalar) || SlowText.fold(String(scalar), .caseInsensitive).count > 1
    }

    private static func extends(_ scalar: Unicode.Scalar) -> Bool {
        isMark(scalar) || 0x1160...0x11FF ~= scalar.value
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isGraphemeExtend || scalar.properties.isEmojiModifier
    }

    private static func isCherokee(_ scalar: Unicode.Scalar) -> Bool {
        0x13A0...0x13FF ~= scalar.value || 0xAB70...0xABBF ~= scalar.value
    }
}
