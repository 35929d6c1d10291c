import Testing

@testable import PredicateText

/// Strings folded under `[c]`, `[d]` and `[cd]`.
@Suite struct FoldingTests {
    @Test(arguments: [
        ("Straße", "strasse", "Straße", "strasse"),
        ("ÉTÉ", "e\u{301}te\u{301}", "ETE", "ete"),
        ("e\u{301}", "e\u{301}", "e", "e"),
        ("İI ıi", "i\u{307}i ıi", "II ıi", "ii ıi"),
        ("ﬁﬃ", "fiffi", "ﬁﬃ", "fiffi"),
        ("ΣΊΣΥΦΟΣ ς", "σι\u{301}συφοσ σ", "ΣΙΣΥΦΟΣ ς", "σισυφοσ σ"),
        ("τῷ", "τω\u{342}\u{345}", "τω", "τω"),
        ("Øl", "øl", "Øl", "øl"),
        ("\u{212B}\u{212A}", "a\u{30A}k", "AK", "ak"),
        ("각", "\u{1100}\u{1161}\u{11A8}", "\u{1100}\u{1161}\u{11A8}", "\u{1100}\u{1161}\u{11A8}"),
        ("が か", "か\u{3099} か", "か\u{3099} か", "か\u{3099} か"),
        ("e\u{301}\u{327}", "e\u{327}\u{301}", "e", "e"),
        ("か\u{3099}\u{334}", "か\u{334}\u{3099}", "か\u{3099}", "か\u{3099}"),
        ("ב\u{5B4}", "ב\u{5B4}", "ב", "ב"),
        ("आ क\u{93C} न\u{93C}", "आ क\u{93C} न\u{93C}", "आ क न\u{93C}", "आ क न\u{93C}"),
        ("👍🏽", "👍🏽", "👍", "👍"),
        ("\u{301}", "\u{301}", "\u{301}", "\u{301}"),
        ("a\0B", "a\0b", "a\0B", "a\0b"),
        ("", "", "", ""),
    ])
    func folds(_ text: String, _ c: String, _ d: String, _ cd: String) {
        #expect(same(Folding.fold(text, .none), text))
        #expect(same(Folding.fold(text, .caseInsensitive), c))
        #expect(same(Folding.fold(text, .diacriticInsensitive), d))
        #expect(same(Folding.fold(text, .caseAndDiacriticInsensitive), cd))
    }

    @Test(arguments: FoldMode.allCases)
    func foldsRandomStringsAsTheReferenceDoes(_ mode: FoldMode) {
        var sampler = Sampler(mode)
        for _ in 0..<1_500 {
            let sample = sampler.sample(sampler.letters(sampler.number(0...24), rarity: 3))
            let folded = Folding.fold(sample.string, mode)
            #expect(folded.unicodeScalars.elementsEqual(sample.folded), "\(sample.string.debugDescription)")
            #expect(same(Folding.fold(folded, mode), folded))
            var bytes: [UInt8] = [1, 2]
            Array(sample.string.utf8).withUnsafeBufferPointer {
                Folding.withFolded($0, mode) { bytes.append(contentsOf: $0) }
            }
            #expect(bytes == [1, 2] + Array(folded.utf8))
        }
    }

    @Test(arguments: FoldMode.allCases)
    func bytesThatAreNotUTF8StayAsTheyAre(_ mode: FoldMode) {
        let malformed: [[UInt8]] = [
            [0xFF, 0xFE], [0xC3], [0xE2, 0x84], [0xF0, 0x9F, 0x98], [0x80, 0x80], [0xED, 0xA0, 0x80],
        ]
        for bytes in malformed {
            #expect(appended(bytes, mode) == bytes)
            #expect(appended(bytes + [0x7A], mode) == bytes + [0x7A])
        }
        #expect(appended([], mode) == [])
        var folded: [UInt8] = []
        Folding.withFolded(UnsafeBufferPointer(start: nil, count: 0), mode) { folded.append(contentsOf: $0) }
        #expect(folded == [])
    }

    @Test(arguments: FoldMode.allCases)
    func anyBytesCanBeFolded(_ mode: FoldMode) {
        var sampler = Sampler(mode)
        let parts: [UInt8] = [0x41, 0xC3, 0x9F, 0x89, 0xCC, 0x81, 0xE1, 0xBE, 0xB3, 0xF0, 0xF3, 0xA0, 0x84, 0x80, 0xFF]
        for _ in 0..<1_000 {
            let bytes = (0..<sampler.number(0...20)).map { _ in parts[sampler.number(0...parts.count - 1)] }
            #expect(appended(bytes, mode).count <= 3 * bytes.count)
        }
    }

    @Test func namesTheVersionOfUnicode() {
        #expect(Folding.unicodeVersion == "15.0.0")
    }

    private func appended(_ bytes: [UInt8], _ mode: FoldMode) -> [UInt8] {
        var folded: [UInt8] = []
        bytes.withUnsafeBufferPointer { Folding.withFolded($0, mode) { folded.append(contentsOf: $0) } }
        return folded
    }
}

/// Equality by code points.
func same(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
}
