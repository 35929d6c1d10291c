/// What became of a goal in a run.
public struct GoalVerdict: Sendable {
    public enum Outcome: String, Sendable {
        case met
        case missed = "MISSED"
        /// No result says anything about it.
        case unmeasured = "not measured"
    }

    public var goal: Goal
    public var outcome: Outcome
    /// The value that is nearest to its limit, or farthest beyond, and whose it is.
    public var worst: (name: String, value: Double, bound: Goal.Bound)?
    /// The benchmarks that miss it.
    public var missing: [String] = []
    /// How many values were judged.
    public var count = 0

    public init(_ goal: Goal, _ results: [BenchmarkResult]) {
        self.goal = goal
        let values = goal.isMean ? Self.means(goal, results) : Self.each(goal, results)
        outcome = values.isEmpty ? .unmeasured : .met
        for (name, candidates) in values {
            count += 1
            guard let best = candidates.min(by: { $0.strain < $1.strain }) else { continue }
            if !best.bound.isKept(by: best.value) {
                missing.append(name)
                outcome = .missed
            }
            if worst.map({ $0.bound.strain(of: $0.value) < best.strain }) ?? true {
                worst = (name, best.value, best.bound)
            }
        }
    }

    /// A value, and the bound that it is held against.
    private struct Candidate {
        var value: Double
        var bound: Goal.Bound
        var strain: Double { bound.strain(of: value) }
    }

    private static func each(_ goal: Goal, _ results: [BenchmarkResult]) -> [(String, [Candidate])] {
        let names = goal.names ?? goal.bounds.flatMap { $0.ratio.numerator.names(in: results) }.uniqued
        return names.compactMap { name in
            let candidates = goal.bounds.compactMap { bound in
                bound.ratio.value(name, in: results).map { Candidate(value: $0, bound: bound) }
            }
            return candidates.isEmpty ? nil : (name, candidates)
        }
    }

    private static func means(_ goal: Goal, _ results: [BenchmarkResult]) -> [(String, [Candidate])] {
        let candidates = goal.bounds.compactMap { bound -> Candidate? in
            let names = goal.names ?? bound.ratio.numerator.names(in: results)
            let values = names.compactMap { bound.ratio.value($0, in: results) }
            return values.geometricMean.map { Candidate(value: $0, bound: bound) }
        }
        return candidates.isEmpty ? [] : [("mean", candidates)]
    }

    private var row: [String] {
        let worst = worst.map { [Figure.short($0.value), $0.bound.text] } ?? ["–", ""]
        return [outcome.rawValue, goal.title] + worst + [remark]
    }

    /// `P09, the worst of 16`; `P11, missed by 3 of 16: P02 P03 P11`
    private var remark: String {
        guard let worst, count > 1 else { return worst?.name ?? "" }
        if missing.isEmpty { return "\(worst.name), the worst of \(count)" }
        let names = missing.count > 6 ? "" : ": \(missing.joined(separator: " "))"
        return "\(worst.name), missed by \(missing.count) of \(count)\(names)"
    }

    /// What became of all goals; those that nothing was measured for are only counted.
    public static func table(_ verdicts: [GoalVerdict]) -> String {
        let judged = verdicts.filter { $0.outcome != .unmeasured }
        var table = TextTable(header: ["", "goal", "found", "bound", ""], leftColumns: 2, lastIsText: true)
        judged.forEach { table.append($0.row) }
        let met = judged.count { $0.outcome == .met }
        let unmeasured = verdicts.filter { $0.outcome == .unmeasured }.map(\.goal.title).uniqued
        let names = unmeasured.count > 6 ? "\(unmeasured.count) others" : unmeasured.joined(separator: "; ")
        let rest = unmeasured.isEmpty ? "" : "; not measured: \(names)"
        return "Goals: \(met) of \(judged.count) met\(rest)\n" + (judged.isEmpty ? "" : table.text)
    }
}
