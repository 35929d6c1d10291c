import Foundation
import PredicateGenerators

/// All that is asked of one engine.
struct EngineJudgement {
    private let settings: EngineSettings
    private let engine: any AgreementEngine

    init(_ settings: EngineSettings) throws {
        self.settings = settings
        if settings.engine == "sqlite" {
            engine = SQLiteEngine()
        } else {
            guard let kind = EngineKind(rawValue: settings.engine) else {
                let names = ["sqlite"] + EngineKind.allCases.map(\.rawValue)
                throw EngineUsage("expected \(names.joined(separator: ", ")), found \(settings.engine)")
            }
            engine = try ServerEngine(kind, bridge: settings.bridge)
        }
    }

    /// True if nothing differs.
    func run() throws -> Bool {
        let start = ContinuousClock.now
        let run = AgreementRun(seed: settings.seed, engine: engine)
        var report = AgreementReport()
        for world in settings.worlds where report.failures.count < run.patience {
            report = report.adding(try run.run(world: world))
        }
        print("\(engine.name), seed \(settings.seed): \(report.summary)")
        for (reason, formats) in report.refusedFormats.sorted(by: { $0.key < $1.key }) {
            print("  \(reason): \(formats.joined(separator: "   "))")
        }
        for failure in report.failures { print("\n\(failure)") }
        let failed = report.failures.count
        let skipped = report.refused.values.reduce(0, +) - report.agreedWithResidual + report.unjudged
        print(
            "\(engine.name): \(report.predicates - failed - skipped) passed, \(failed) failed, \(skipped) skipped, \(ContinuousClock.now - start)"
        )
        return failed == 0
    }
}
