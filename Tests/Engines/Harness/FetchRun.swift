import PredicateAgreement
import PredicateEvaluation
import PredicateSQL
import PredicateSyntax

/// Puts fetches to an engine: the keys in their order, the number of rows, and whether there are any.
struct FetchRun {
    let bench: AgreementBench

    /// A statement with the rows that memory has for it.
    private struct Trial {
        let statement: AgreementStatement
        let wanted: [SQLBinding]
        let isOrdered: Bool
    }

    func run(_ requests: [PredicateFetchRequest]) throws -> ChangeReport {
        var report = ChangeReport()
        var trials: [Trial] = []
        for request in requests {
            do throws(SQLCompilationError) {
                trials += try self.trials(for: request)
            } catch {
                report.refused[error.reason, default: 0] += 1
            }
        }
        for (trial, keys) in zip(trials, bench.database.keys(selectedBy: trials.map(\.statement))) {
            if let complaint = complaint(keys, trial) {
                report.failures.append("\(complaint)\n    \(trial.statement.fragment)")
            } else {
                report.agreed += 1
            }
        }
        return report
    }

    private func trials(for request: PredicateFetchRequest) throws(SQLCompilationError) -> [Trial] {
        let compiler = SQLCompiler(schema: bench.world.schema, dialect: bench.engine.dialect)
        let query = try compiler.compile(request.predicate ?? FormatPredicate(.constant(true)), entity: request.entity)
        let keys = wanted(request)
        let isPage = request.limit != nil || request.offset != nil || !request.sortKeys.isEmpty
        let page = try query.select(
            keys: [], sortKeys: request.sortKeys, limit: request.limit, offset: request.offset)
        var trials = [trial(page, query, keys, isOrdered: isPage)]
        if !isPage {
            trials.append(trial(query.count, query, [.integer(Int64(keys.count))], isOrdered: true))
            trials.append(trial(query.exists, query, [.boolean(!keys.isEmpty)], isOrdered: true))
        }
        return trials
    }

    private func trial(
        _ fragment: SQLFragment, _ query: SQLQuery, _ wanted: [SQLBinding], isOrdered: Bool
    ) -> Trial {
        Trial(statement: AgreementStatement(fragment, prelude: query.prelude), wanted: wanted, isOrdered: isOrdered)
    }

    /// The keys that memory selects, in the order of the request.
    private func wanted(_ request: PredicateFetchRequest) -> [SQLBinding] {
        let objects = (bench.graph.objects[request.entity] ?? []).map(KeyedValue.object)
        let entity = bench.world.entity(request.entity)
        let selected = (try? request.selection(from: objects)) ?? []
        return selected.compactMap { value in
            guard case .object(let object as AgreementObject) = value else { return nil }
            return bench.world.storedKey(entity, object.number)
        }
    }

    private func complaint(_ found: Result<[SQLBinding], AgreementError>, _ trial: Trial) -> String? {
        switch found {
        case .failure(let error): return error.description
        case .success(let keys):
            let isRight =
                trial.isOrdered
                ? keys.map(\.truthAsNumber) == trial.wanted.map(\.truthAsNumber)
                : Set(keys) == Set(trial.wanted) && keys.count == trial.wanted.count
            return isRight ? nil : "expected \(trial.wanted), found \(keys)"
        }
    }
}

extension SQLBinding {
    /// Truth as 1 or 0, which is what databases without Booleans return.
    fileprivate var truthAsNumber: SQLBinding {
        if case .boolean(let value) = self { .integer(value ? 1 : 0) } else { self }
    }
}
