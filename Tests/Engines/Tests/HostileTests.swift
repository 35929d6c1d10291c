import Foundation
import PredicateAgreement
import PredicateEngines
import PredicateSyntax
import Testing

/// The hostile predicates in memory and on SQLite, where work is counted in steps: each is refused, or ends.
///
/// `make engines` asks the other databases, and measures the time.
@Suite struct HostileTests {
    private static let list = Result { try HostileList.read() }

    @Test func theListIsLong() throws {
        let list = try Self.list.get()
        #expect(list.entries.count >= 200)
        #expect(Set(list.entries.map(\.format)).count == list.entries.count)
        #expect(Set(list.entries.map(\.attack)).count >= 12)
    }

    @Test func theNotationOfRepetitions() {
        let list = HostileList(
            """
            # Words
            ⟪3 × a#⟫
            ⟪2 × b == # ‖ OR⟫ AND c
            ⟪2 nested NOT (…) ‖ d⟫
            ⟪2 × ⟪2 × e ‖ .⟫# ‖ AND⟫
            """)
        #expect(
            list.entries.map(\.format) == ["a1a2a3", "b == 1 OR b == 2 AND c", "NOT (NOT (d))", "e.e1 AND e.e2"])
    }

    /// Some of each group pass the policy: a list that is refused as a whole would test nothing else.
    @Test func memoryEndsEachOne() throws {
        let evaluation = HostileEvaluation()
        var (refused, results, errors) = (0, 0, 0)
        for entry in try Self.list.get().entries {
            guard let counts = evaluation.counts(entry.format) else {
                refused += 1
                continue
            }
            #expect(counts.results + counts.errors == 201, "\(entry.written)")
            (results, errors) = (results + counts.results, errors + counts.errors)
        }
        #expect(refused > 20 && results > 10_000 && errors > 0, "\((refused, results, errors))")
    }

    @Test func sqliteEndsEachOne() throws {
        let run = try HostileRun(SQLiteEngine())
        var (refused, failed, ended) = (0, 0, 0)
        for entry in try Self.list.get().entries {
            switch run.outcome(of: entry.format) {
            case .refused: refused += 1
            case .ended(_, error: .some): failed += 1
            case .ended(_, error: nil): ended += 1
            }
        }
        // Regular expressions take linear time, so that no bound ends any of them.
        #expect(refused > 20 && ended > 150, "\((refused, failed, ended))")
    }
}
