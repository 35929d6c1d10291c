import Foundation
import PredicateSyntax
import Testing

/// SECURITY.md agrees with the code.
@Suite struct SecurityPageTests {
    private func rows() throws -> [[String]] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("SECURITY.md"), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func theTableOfLimitsIsThatOfTheCode() throws {
        let rows = try rows()
        #expect(rows.map { $0[0] } == PredicateLimits.Limit.allCases.map { "`\($0)`" })
        for (row, limit) in zip(rows, PredicateLimits.Limit.allCases) {
            let standard = PredicateLimits.standard[limit]
            let expected = [
                standard == .max ? "none" : "\(standard)", "\(PredicateLimits.untrusted[limit])", limit.unit,
            ]
            #expect(Array(row[1...3]) == expected, "\(limit)")
        }
        #expect(PredicatePolicy.untrusted.limits == .untrusted)
        #expect(PredicatePolicy.unrestricted.limits == .standard)
    }
}
