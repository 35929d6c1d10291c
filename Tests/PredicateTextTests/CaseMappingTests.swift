import PredicateReference
import Testing

@testable import PredicateText

/// The generated table, code point by code point. [NSP-340]
@Suite struct CaseMappingTests {
    @Test func agreesWithTheStandardLibrary() {
        for scalar in (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) where scalar.properties.age != nil {
            let text = String(scalar)
            let isUpper = Self.isSame(CaseMapping.upper.map(text), SlowCase.uppercase(text))
            #expect(isUpper, "\(scalar.value)")
            let isLower = Self.isSame(CaseMapping.lower.map(text), SlowCase.lowercase(text))
            #expect(isLower, "\(scalar.value)")
        }
    }

    @Test(arguments: CaseMapping.allCases)
    func everyMappingIsStable(_ mapping: CaseMapping) {
        for (from, to) in mapping.changes {
            let isStable = to.allSatisfy { mapping.mapped($0) == nil }
            #expect(isStable, "\(from.value)")
        }
    }

    @Test func codePointsPastTheLimitStay() {
        for scalar in (CaseMapping.limit...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) {
            let isPlain = CaseMapping.allCases.allSatisfy { $0.mapped(scalar) == nil }
            #expect(isPlain, "\(scalar.value)")
        }
    }

    /// Code points beside a sigma, on either side: the first and the last of each range, and those around them.
    @Test(arguments: [CaseMapping.cased, CaseMapping.ignorable])
    func sigmasAtTheEndOfWords(_ set: CodePointSet) {
        let near = set.ranges.flatMap { [$0.lowerBound - 1, $0.lowerBound, $0.upperBound, $0.upperBound + 1] }
        for scalar in near.compactMap(Unicode.Scalar.init) where Self.isComparable(scalar) {
            let text = "\(scalar)Σ Α\(scalar)Σ Σ\(scalar) ΑΣ\(scalar) ΑΣ\(scalar)Α \(scalar)Σ\(scalar)"
            let isSame = Self.isSame(CaseMapping.lower.map(text), SlowCase.lowercase(text))
            #expect(isSame, "\(scalar.value)")
        }
    }

    /// False for what later versions of Unicode added, and for `ʕ`, which had case up to version 15.
    private static func isComparable(_ scalar: Unicode.Scalar) -> Bool {
        guard let age = scalar.properties.age else { return false }
        return age.major < 16 && scalar != "\u{295}"
    }

    @Test func texts() {
        let cases = [
            ("Straße", "STRASSE", "straße"), ("ΑΣΣ ΑΣ", "ΑΣΣ ΑΣ", "ασς ας"), ("Σ", "Σ", "σ"),
            ("iIıİ", "IIIİ", "iiıi\u{307}"),
            ("ŉ\u{345}", "\u{2BC}N\u{399}", "ŉ\u{345}"), ("e\u{301}", "E\u{301}", "e\u{301}"),
            ("\u{0}a\r\n", "\u{0}A\r\n", "\u{0}a\r\n"),
            ("", "", ""), ("ǆǅǄ", "ǄǄǄ", "ǆǆǆ"), ("ᾳᾼ", "ΑΙΑΙ", "ᾳᾳ"), ("\u{10428}", "\u{10400}", "\u{10428}"),
            ("ﬃ", "FFI", "ﬃ"),
        ]
        for (text, upper, lower) in cases {
            #expect(Self.isSame(CaseMapping.upper.map(text), upper), "\(text)")
            #expect(Self.isSame(CaseMapping.lower.map(text), lower), "\(text)")
        }
    }

    private static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
