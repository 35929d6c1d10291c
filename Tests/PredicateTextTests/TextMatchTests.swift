import PredicateText
import Testing

/// One operation gives one result for two strings, for a prepared needle and for a needle by pointer.
@Suite struct TextMatchTests {
    private static let texts = [
        "", "j", "jo", "Jo", "john", "Johnathan Longname", "hn", "Straße", "STRASSE", "Zoë", "zoe\u{301}", "*", "jo*hn",
    ]
    private static let needles = ["jo", "JO", "hn", "oh", "ss", "e\u{308}", "j*n", "*o?*", "Johnathan Longname", "*"]

    @Test(arguments: TextMatch.allCases, FoldMode.allCases)
    func agrees(_ match: TextMatch, _ mode: FoldMode) {
        for needle in Self.needles {
            guard let (own, prepared) = Self.prepared(match, needle, mode) else { continue }
            for text in Self.texts {
                let expected = match.holds(text, needle, mode)
                #expect(own.holds(text, prepared) == expected, "\(text) \(match) \(needle) \(mode)")
                #expect(Self.holdsByPointer(own, text, prepared) == expected, "\(text) \(match) \(needle) \(mode)")
            }
        }
    }

    /// A pattern becomes the operation of its shape; one that is constant has no needle.
    private static func prepared(
        _ match: TextMatch, _ needle: String, _ mode: FoldMode
    ) -> (match: TextMatch, needle: PreparedNeedle)? {
        guard match == .like else { return (match, PreparedNeedle(needle, mode)) }
        guard case .match(let match, let needle) = LikePattern(needle, mode).shape else { return nil }
        return (match, needle)
    }

    private static func holdsByPointer(_ match: TextMatch, _ text: String, _ needle: PreparedNeedle) -> Bool {
        needle.foldedBytes.withUnsafeBufferPointer { bytes in
            withUnsafePointer(to: NeedleWords(bytes, needle.mode)) { words in
                let flat = FlatNeedle(bytes, needle.mode, words)
                return Array(text.utf8).withUnsafeBufferPointer { match.holds($0, flat) }
            }
        }
    }
}
