import PredicateChecks
import Testing

/// The pages of the checks.
@Suite("Pages of checks")
struct CheckPageTests {
    /// An example is a format. If it has findings without knowledge of the objects, its own is among them.
    @Test(arguments: PredicateFinding.Code.allCases) func wrong(of code: PredicateFinding.Code) throws {
        let found = try Checker.findings(inFormat: code.page.wrong).map(\.code)
        // Without a key of that name, the word is the constant, which is no number.
        let expected: PredicateFinding.Code = code == .keywordAsKey ? .kindMismatch : code
        #expect(found.isEmpty || found.contains(expected), "\(code.page.wrong): \(found)")
        #expect(!code.page.summary.isEmpty && !code.page.summary.hasSuffix(".") && !code.page.why.hasSuffix("."))
    }

    @Test(arguments: PredicateFinding.Code.allCases) func right(of code: PredicateFinding.Code) throws {
        let found = try Checker.findings(inFormat: code.page.right).map(\.code)
        #expect(!found.contains(code), "\(code.page.right)")
    }

    /// What nobody documents or reported is a warning at most.
    @Test func inferredChecksAreNoErrors() {
        let errors = PredicateFinding.Code.allCases.filter { $0.page.source == .inferred && $0.level == .error }
        #expect(errors == [])
    }

    /// What Apple's classes do with such a cast is inferred, too.
    @Test(arguments: ["born > CAST('2024-02-30', 'NSDate')", "born > CAST(age, 'NSDat')"])
    func castsThatFailHereAreNoErrors(_ format: String) throws {
        #expect(try Checker.findings(inFormat: format).map(\.level) == [.warning])
    }

    @Test func pagesDiffer() {
        let codes = PredicateFinding.Code.allCases
        #expect(
            Set(codes.map(\.page.summary)).count == codes.count && Set(codes.map(\.page.wrong)).count == codes.count)
    }
}
