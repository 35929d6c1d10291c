import Foundation
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Errors as data for the clients of a server.
struct DiagnosticEncodingTests {
    /// What a client decodes.
    private struct Report: Decodable {
        var code: String
        var title: String
        var text: String?
        var place: PredicateErrorPlace?
        var hints: [String]
    }

    @Test func anErrorIsData() throws {
        let error = try #require(PredicateFormatError.thrown { try FormatPredicate("age >= AND") })
        let report = try JSONDecoder().decode(Report.self, from: JSONEncoder().encode(error))
        #expect(report.code == error.codeName && report.title == error.title && report.hints == error.hints)
        #expect(!report.code.contains("(") && report.text == "age >= AND")
        let place = try #require(report.place)
        #expect(place.utf8 == 7..<10 && place.utf16 == 7..<10)
        #expect(place.start.line == 1 && place.start.column == 8 && place.end.column == 11)
    }

    @Test func placesAreCountedInEveryUnit() throws {
        let error = PredicateFormatError.thrown { try FormatPredicate("name == '👩‍👩‍👧é'\n AND ?") }
        let place = try #require(error?.place)
        #expect(
            place.start.line == 2 && place.start.column == 6 && place.utf8.lowerBound == 36
                && place.utf16.lowerBound == 25)
    }

    @Test func namesOfCodesHaveNoValues() throws {
        let policy = PredicateFormatError(.refused(.costlyPattern(.repetitions(most: 3))))
        #expect(policy.codeName == "refused.costlyPattern.repetitions")
        #expect(PredicateFormatError(.refused(.key("salary"))).codeName == "refused.key")
        #expect(PredicateFormatError(.refused(.unnamedKey)).codeName == "refused.unnamedKey")
        #expect(PredicateFormatError(.exceeds(.nodes, limit: 3)).codeName == "exceeds")
        #expect(policy.place == nil)
    }
}
