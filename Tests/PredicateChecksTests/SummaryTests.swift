import PredicateChecks
import Testing

/// What reports say of each check.
@Suite("Summaries of checks")
struct SummaryTests {
    /// An example is a format. If it has findings without knowledge of the objects, its own is among them.
    @Test(arguments: PredicateFinding.Code.allCases) func examples(of code: PredicateFinding.Code) throws {
        let found = try Checker.findings(inFormat: code.example).map(\.code)
        // Without a key of that name, the word is the constant, which is no number.
        let expected: PredicateFinding.Code = code == .keywordAsKey ? .kindMismatch : code
        #expect(found.isEmpty || found.contains(expected), "\(code.example): \(found)")
        #expect(!code.summary.isEmpty && !code.summary.hasSuffix("."))
    }

    @Test func summariesDiffer() {
        let codes = PredicateFinding.Code.allCases
        #expect(Set(codes.map(\.summary)).count == codes.count && Set(codes.map(\.example)).count == codes.count)
    }
}
