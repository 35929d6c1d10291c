import Foundation
import PredicateAgreement
import PredicateEvaluation
@_spi(Dialect) import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Asks an engine the hostile predicates under the policy for untrusted ones. Each is refused, or its statement ends
/// within ``bound``; here time is what is tested.
package struct HostileRun {
    private let engine: any AgreementEngine
    private let world: AgreementWorld
    private let ask: (AgreementStatement) -> String?

    /// The time for one statement: twice that after which a database itself ends it, since machines are busy, and a
    /// database looks at the time only between rows.
    package static let bound = (PredicateLimits.untrusted.statementTime ?? .zero) * 2

    /// The outcome of one predicate.
    package enum Outcome {
        /// The policy, the compiler or the database refused it: a typed error.
        case refused(String)
        /// The statement ended, with an error or without.
        case ended(Duration, error: String?)
    }

    package init(_ engine: any AgreementEngine) throws {
        self.engine = engine
        // Without optimization the functions of SQLite take fifty times as long; servers do not care.
        let isSlow = engine is SQLiteEngine && _isDebugAssertConfiguration()
        world = HostileWorld.world(engine.traits, textLength: isSlow ? HostileWorld.shortLength : HostileWorld.length)
        let database = try engine.database(of: world)
        guard let file = database as? WorldFile else {
            ask = { statement in
                switch database.keys(selectedBy: [statement]).first {
                case .success?: nil
                case .failure(let error)?: error.description
                case nil: "no answer"
                }
            }
            return
        }
        // SQLite counts the steps of a connection that has limits.
        let connection = try StoreConnection(file.path, SQLiteOptions(limits: .untrusted))
        ask = { statement in
            withExtendedLifetime(file) {
                do throws(StoreError) {
                    _ = try connection.rows(of: statement.fragment).all()
                    return nil
                } catch {
                    return error.title
                }
            }
        }
    }

    package func outcome(of format: String) -> Outcome {
        let predicate: FormatPredicate
        let query: SQLQuery
        do {
            predicate = try FormatPredicate(format, policy: .untrusted)
            query = try SQLCompiler(schema: world.schema, dialect: engine.dialect, limits: .untrusted)
                .compile(predicate, entity: "Node")
        } catch {
            return .refused("\(error)".split(separator: "\n").first.map(String.init) ?? "")
        }
        // The functions are installed before the time begins.
        _ = ask(AgreementStatement(SQLFragment("SELECT 1"), prelude: query.prelude))
        let start = ContinuousClock.now
        let error = ask(AgreementStatement(query.select))
        return .ended(ContinuousClock.now - start, error: error)
    }

    /// Returns the complaints and a summary.
    package func run(_ list: HostileList) throws -> (passed: Int, complaints: [String], summary: String) {
        try limitTime()
        var (refused, failed, ended, complaints) = (0, 0, 0, [String]())
        var slowest: [(time: Duration, written: String)] = []
        for entry in list.entries {
            switch outcome(of: entry.format) {
            case .refused: refused += 1
            case .ended(let time, let error):
                if error == nil { ended += 1 } else { failed += 1 }
                guard error == nil || isAlive else {
                    return (0, ["the engine does not answer after \(entry.written)"], "stopped")
                }
                slowest.append((time, entry.written))
                if time > Self.bound { complaints.append("\(time) for \(entry.written) (\(error ?? "no error"))") }
            }
        }
        slowest.sort { $0.time > $1.time }
        let times = slowest.prefix(5).map { "\n    \($0.time)  \($0.written)" }.joined()
        let summary =
            "\(list.entries.count) hostile predicates: \(refused) refused, \(failed) ended by an error, \(ended) answered; slowest:"
            + times
        return (list.entries.count - complaints.count, complaints, summary)
    }

    /// True if the engine still answers. An engine that a predicate has ended would refuse all others quickly.
    private var isAlive: Bool { ask(AgreementStatement(SQLFragment("SELECT 1"))) == nil }

    /// Sets the time limit of the engine, as the setup of an untrusted statement does.
    private func limitTime() throws {
        guard let server = engine as? ServerEngine, let time = PredicateLimits.untrusted.statementTime else { return }
        try server.run(engine.dialect.setup(endingStatementsAfter: time))
    }
}

/// The hostile predicates in memory.
package struct HostileEvaluation {
    private let graph: AgreementGraph

    package init() { graph = AgreementGraph(HostileWorld.world(.sqlite, textLength: HostileWorld.shortLength)) }

    /// Evaluates a predicate for every row. Returns the number of rows with a result, and of rows with an error; nil if
    /// the policy or the planner refuses it.
    package func counts(_ format: String) -> (results: Int, errors: Int)? {
        guard let predicate = try? FormatPredicate(format, policy: .untrusted),
            let evaluator = try? PredicateEvaluator(predicate, policy: .untrusted)
        else { return nil }
        var (results, errors) = (0, 0)
        for object in graph.objects["Node"] ?? [] {
            do throws(EvaluationError) {
                _ = try evaluator.evaluate(.object(object))
                results += 1
            } catch {
                errors += 1
            }
        }
        return (results, errors)
    }
}
