import Foundation
import PredicateAgreement
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Differential test: random predicates over random rows select the same objects in memory and in a SQLite file.
@Suite struct AgreementTests {
    /// `PREDICATES_AGREE_COUNT=1000000 PREDICATES_AGREE_SEED=7 swift test -c release --filter AgreementTests`
    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment["PREDICATES_AGREE_\(name)"].flatMap(Int.init) ?? standard
    }

    @Test func evaluatorAndFileSelectTheSame() async throws {
        let run = AgreementRun(seed: UInt64(clamping: Self.setting("SEED", 1)))
        var report = AgreementReport()
        for world in AgreementRun.worlds(forPredicates: Self.setting("COUNT", 20_000)) {
            report = report.adding(try run.run(world: world))
            if report.failures.count >= run.patience { break }
            // Other tests share the threads.
            await Task.yield()
        }
        print("agreement, seed \(run.seed): \(report.summary)")
        for failure in report.failures { Issue.record("\(failure)") }
        #expect(report.changes.failures == [])
        // Most predicates are judged, and many tell some rows from others.
        #expect(report.agreed * 100 > report.predicates * 90)
        #expect(report.selective * 100 > report.predicates * 20)
        #expect(report.unjudgedRows * 100 < report.rows * 5)
    }
}
