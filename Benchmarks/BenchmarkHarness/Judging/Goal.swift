import Foundation

/// A bound that a figure should keep.
///
/// ```
/// Batches over structs | P01 P02 | filter-structs:count@1M / filter-structs:inline@1M <= 1.5
/// [cd] on ASCII | all | text-ascii:SELF <= 6 or text-ascii:Foundation / text-ascii:SELF >= 40
/// GNUstep | mean | peers:GNUstep objects@100k / filter-objects:count@100k >= 80
/// ```
///
/// A name, the benchmarks, and a bound or several of which one must be kept. `all` is every benchmark that has the
/// first figure, `mean` and `mean of P01 P02` the geometric mean.
public struct Goal: Hashable, Sendable {
    public var title: String
    /// The names of benchmarks; nil for all.
    public var names: [String]?
    /// True if the bound is for the mean, and not for each benchmark.
    public var isMean: Bool
    public var bounds: [Bound]

    /// A ratio and what it may be.
    public struct Bound: Hashable, Sendable {
        public var ratio: Ratio
        /// True if the limit is the largest value, and not the smallest.
        public var isUpper: Bool
        public var limit: Double

        init(_ text: String) throws {
            let isUpper = text.contains(" <= ")
            let parts = text.divided(by: isUpper ? " <= " : " >= ")
            guard parts.count == 2, let limit = Double(parts[1]) else {
                throw BenchmarkError.usage("no bound (measure <= number): \(text)")
            }
            ratio = try Ratio(parts[0])
            self.isUpper = isUpper
            self.limit = limit
        }

        func isKept(by value: Double) -> Bool {
            isUpper ? value <= limit : value >= limit
        }

        /// The distance of a value from the limit: 1 at the limit, more when it is missed.
        func strain(of value: Double) -> Double {
            isUpper ? value / max(limit, .leastNonzeroMagnitude) : limit / max(value, .leastNonzeroMagnitude)
        }

        var text: String { "\(isUpper ? "≤" : "≥") \(Figure.short(limit))" }
    }

    /// Reads one line. Throws a ``BenchmarkError`` for anything else.
    public init(_ line: String) throws {
        let fields = line.divided(by: "|")
        guard fields.count == 3, !fields[0].isEmpty else {
            throw BenchmarkError.usage("no goal (title | names | bounds): \(line)")
        }
        title = fields[0]
        isMean = fields[1] == "mean" || fields[1].hasPrefix("mean of ")
        let names = isMean ? String(fields[1].dropFirst("mean of ".count)) : fields[1]
        self.names = names.isEmpty || names == "all" ? nil : names.split(separator: " ").map(String.init)
        bounds = try fields[2].divided(by: " or ").map(Bound.init)
    }

    /// The goals of a file; lines that begin with `#` are remarks.
    public static func read(_ text: String) throws -> [Goal] {
        try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { try Goal(String($0)) }
    }
}

/// The outcome of a goal in a run.
public struct GoalVerdict: Sendable {
    public enum Outcome: String, Sendable {
        case met
        case missed = "MISSED"
        /// No result is about it.
        case unmeasured = "not measured"
    }

    public var goal: Goal
    public var outcome: Outcome
    /// The value nearest to its limit, or farthest beyond it, with the name of its benchmark.
    public var worst: (name: String, value: Double, bound: Goal.Bound)?
    /// The benchmarks that miss it.
    public var missing: [String] = []
    /// The number of values that were judged.
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

    /// The outcomes as a table; goals without a measurement are only counted.
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
