import PredicateSyntax
import Testing

/// Places of nodes, and the options that a format was read with.
@Suite struct SourceMapTests {
    private static let format = "age >= 21"
    private static let places = [0..<3, 7..<9, 0..<9]

    @Test func placesAreFoundByReadingOnceMore() throws {
        let source = try #require(try FormatPredicate(Self.format).source)
        #expect(source.text == Self.format)
        #expect(source.ranges == Self.places)
        #expect(source.range(ofNode: 2) == 0..<9)
        #expect(source.range(ofNode: 3) == nil)
        #expect(source.range(ofNode: -1) == nil)
    }

    @Test func placesOfAnExpression() throws {
        let source = try #require(try FormatExpression("age + 1").source)
        #expect(source.ranges == [0..<3, 6..<7, 0..<7])
    }

    @Test func mapsAreEqualWhereTextAndPlacesAre() throws {
        let known = PredicateSourceMap(text: Self.format, ranges: Self.places)
        let found = try #require(try FormatPredicate(Self.format).source)
        #expect(known == found)
        #expect(known.hashValue == found.hashValue)
        #expect(known != PredicateSourceMap(text: Self.format, ranges: [0..<3]))
        #expect(known != PredicateSourceMap(text: "age >= 22", ranges: Self.places))
    }

    @Test func mapsOfOtherLimitsAreEqualToo() throws {
        let options = FormatOptions(surplusArguments: .refused, limits: .untrusted)
        let narrow = try FormatPredicate(format: Self.format, arguments: [], options: options).source
        let standard = try FormatPredicate(Self.format).source
        #expect(narrow == standard)
    }

    @Test func optionsAreWhatTheyAllow() {
        var options = FormatOptions.standard
        #expect(options == FormatOptions(surplusArguments: .ignored, limits: PredicateLimits()))
        #expect(options != .strict)
        options.limits.nesting = 20
        #expect(options != .standard)
        #expect(options.limits == PredicateLimits(nesting: 20))
        #expect(options == FormatOptions(limits: PredicateLimits(nesting: 20)))
        #expect(options.hashValue == FormatOptions(limits: PredicateLimits(nesting: 20)).hashValue)
        options.limits.nesting = PredicateLimits.standard.nesting
        #expect(options == .standard)
        #expect(options.hashValue == FormatOptions.standard.hashValue)
    }
}
