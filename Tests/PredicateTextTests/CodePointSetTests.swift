import Foundation
import PredicateText
import Testing

/// True if the matcher knows a letter that came with version 16.
private let matcherKnowsUnicode16 = "\u{1C89}".range(of: "\\p{L}", options: .regularExpression) != nil

/// The sets of code points that classes of patterns stand for, where the matcher knows the same version of Unicode.
/// [NSP-191] [NSP-341]
@Suite(.enabled(if: matcherKnowsUnicode16, "the matcher of this toolchain knows another Unicode"))
struct CodePointSetTests {
    /// The classes are those of the matcher that judges MATCHES in memory.
    @Test(arguments: [
        ("\\d", CodePointSet.digits), ("\\s", CodePointSet.spaces), ("\\w", CodePointSet.words),
        (".", CodePointSet.line),
    ])
    func classesAreThoseOfTheMatcher(_ pattern: String, _ set: CodePointSet) throws {
        try judge(pattern, set)
    }

    @Test(arguments: [
        "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe",
        "Pi", "Pf",
        "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "Cc", "Cf", "Co",
    ])
    func categoriesAreThoseOfTheMatcher(_ name: String) throws {
        try judge("\\p{\(name)}", try #require(CodePointSet.category(name)))
    }

    /// Compares a set with what the matcher finds in a text of all code points.
    private func judge(_ pattern: String, _ set: CodePointSet) throws {
        var text = String.UnicodeScalarView()
        for value in UInt32(0)...0x10FFFF { Unicode.Scalar(value).map { text.append($0) } }
        let whole = String(text) as NSString
        var ranges: [ClosedRange<UInt32>] = []
        try NSRegularExpression(pattern: pattern + "+").enumerateMatches(
            in: whole as String, range: NSRange(location: 0, length: whole.length)
        ) { match, _, _ in
            let found = match.map { whole.substring(with: $0.range).unicodeScalars }
            if let first = found?.first, let last = found?.last { ranges.append(first.value...last.value) }
        }
        #expect(
            CodePointSet(ranges) == set,
            "\(ranges.map { String($0.lowerBound, radix: 16) + "-" + String($0.upperBound, radix: 16) })")
    }
}
