import Foundation
import PredicateAgreement

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

    /// True if nothing differs. Records come first, unless one world is asked for.
    func run() throws -> Bool {
        let start = ContinuousClock.now
        var (passed, failed, skipped) = (0, 0, 0)
        if settings.world == nil {
            for part in [
                try records(), try fixedQuestions(), try columnTypes(), try indexes(), try declarations(),
                try expressions(), try groups(),
            ] {
                (passed, failed, skipped) = (passed + part.passed, failed + part.failed, skipped + part.skipped)
            }
        }
        let report = try predicates()
        failed += report.failures.count + report.changes.failures.count
        // Last, since the time limit that it sets holds for the rest of the session.
        if settings.world == nil {
            let part = try hostilePredicates()
            (passed, failed) = (passed + part.passed, failed + part.failed)
        }
        let unproved = report.refused.values.reduce(0, +) - report.agreedWithResidual + report.unjudged
        skipped += unproved
        passed += report.predicates - report.failures.count - unproved + report.changes.agreed
        print(
            "\(engine.name): \(passed) passed, \(failed) failed, \(skipped) skipped in \(ContinuousClock.now - start)")
        return failed == 0
    }

    private func records() throws -> (passed: Int, failed: Int, skipped: Int) {
        let report = try RecordRun(engine: engine).run()
        let complaints = report.complaints(floor: recordFloor)
        print("\(engine.name): \(report.summary)")
        for complaint in complaints { print("  \(complaint)") }
        return (report.passed, complaints.count, report.skipped)
    }

    private func hostilePredicates() throws -> (passed: Int, failed: Int) {
        if engine.dialect.name == "spark" {
            // Searches of many long strings can exhaust the driver's memory, and a statement has no time limit.
            print("spark: hostile predicates are not run: nothing ends a statement of Spark (SECURITY.md)")
            return (0, 0)
        }
        let report = try HostileRun(engine).run(try HostileList.read())
        print("\(engine.name): \(report.summary)")
        for complaint in report.complaints { print("  \(complaint)") }
        return (report.passed, report.complaints.count)
    }

    private func fixedQuestions() throws -> (passed: Int, failed: Int, skipped: Int) {
        let bench = try AgreementBench(TaskWorld(engine).world, engine)
        var report = try FetchRun(bench: bench).run(FixedQuestions.fetches())
        report = report.adding(ChangeRun(bench: bench).run(try FixedQuestions.changes()))
        print("\(engine.name): fetches and changes: \(report.summary)")
        return (report.agreed, report.failures.count, report.refused.values.reduce(0, +))
    }

    /// Predicates over one column of each type that applications have.
    private func columnTypes() throws -> (passed: Int, failed: Int, skipped: Int) {
        let report = try ColumnTypeRun(engine: engine).run()
        print("\(engine.name): types of columns: \(report.summary)")
        for failure in report.failures { print("  \(failure)") }
        return (report.passed, report.failures.count, report.refused)
    }

    private func indexes() throws -> (passed: Int, failed: Int, skipped: Int) {
        guard let server = engine as? ServerEngine else { return (0, 0, 0) }
        let report = try IndexRun(engine: server).run()
        for complaint in report.complaints { print("  \(complaint)") }
        return (report.agreed, report.complaints.count, 0)
    }

    /// Values of expressions, and groups by them.
    private func expressions() throws -> (passed: Int, failed: Int, skipped: Int) {
        if engine.dialect.name == "spark" {
            print("spark: expressions: not judged, since its driver returns keys of rows, not values")
            return (0, 0, 0)
        }
        let report = try ExpressionRun(engine: engine, seed: settings.seed).run(worlds: max(settings.count / 1000, 3))
        print("\(engine.name): expressions: \(report.summary)")
        let failures = max(report.failures.count, report.agreed == 0 ? 1 : 0)
        return (report.agreed, failures, report.refused.values.reduce(0, +))
    }

    /// Aggregates of groups, and orders.
    private func groups() throws -> (passed: Int, failed: Int, skipped: Int) {
        if engine.dialect.name == "spark" { return (0, 0, 0) }
        let report = try GroupRun(engine: engine, seed: settings.seed).run(worlds: max(settings.count / 1000, 8))
        print("\(engine.name): groups and orders: \(report.summary)")
        return (report.agreed, report.failures.count, report.refused.values.reduce(0, +))
    }

    /// The tables of a model.
    private func declarations() throws -> (passed: Int, failed: Int, skipped: Int) {
        guard let server = engine as? ServerEngine else { return (0, 0, 0) }
        let report = try DeclarationRun(engine: server).run()
        print("\(engine.name): tables of a model: \(report.agreed) right, \(report.complaints.count) wrong")
        for complaint in report.complaints { print("  \(complaint)") }
        return (report.agreed, report.complaints.count, 0)
    }

    /// The number of rows of records that the engine is known to judge.
    private var recordFloor: Int { EngineKind(rawValue: engine.name)?.recordFloor ?? 1_600 }

    private func predicates() throws -> AgreementReport {
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
        return report
    }
}
