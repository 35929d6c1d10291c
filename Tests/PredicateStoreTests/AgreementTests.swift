import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// The proof: random predicates over random rows select the same in memory and in a SQLite file.
@Suite struct AgreementTests {
    /// `PREDICATES_AGREE_COUNT=1000000 PREDICATES_AGREE_SEED=7 swift test -c release --filter AgreementTests`
    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment["PREDICATES_AGREE_\(name)"].flatMap(Int.init) ?? standard
    }

    @Test func evaluatorAndFileSelectTheSame() throws {
        let seed = UInt64(clamping: Self.setting("SEED", 1))
        let report = try AgreementRun(seed: seed, count: Self.setting("COUNT", 20_000)).run()
        print("agreement, seed \(seed): \(report.summary)")
        for failure in report.failures { Issue.record("\(failure)") }
    }
}
