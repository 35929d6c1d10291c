import Foundation

/// How many instructions each of a fixed list of small works may take: a guard that noise cannot move.
///
/// ```
/// # instructions for one operation
/// tolerance 3%
/// filter-structs/P01 80
/// ```
public struct InstructionBudget: Equatable, Sendable {
    /// By how much a count may pass its budget: 0.03.
    public var tolerance: Double
    public var budgets: [(name: String, count: Double)]

    public static func == (left: InstructionBudget, right: InstructionBudget) -> Bool {
        left.tolerance == right.tolerance && left.budgets.elementsEqual(right.budgets, by: ==)
    }

    public init(tolerance: Double, budgets: [(name: String, count: Double)]) {
        self.tolerance = tolerance
        self.budgets = budgets
    }

    /// Reads the text of a budget file. Throws what line is none.
    public init(_ text: String) throws {
        self.init(tolerance: 0.03, budgets: [])
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Double(words[1].filter { $0 != "%" }) else {
                throw BenchmarkError.usage("no budget: \(line)")
            }
            if words[0] == "tolerance" {
                tolerance = number / 100
            } else {
                budgets.append((String(words[0]), number))
            }
        }
    }

    public var text: String {
        let lines = budgets.map { "\($0.name) \(Int($0.count.rounded()))" }
        let head = ["# Instructions for one operation, counted by callgrind. Rewritten by: make instructions UPDATE=1"]
        return (head + ["tolerance \(Figure.short(tolerance * 100))%"] + lines).joined(separator: "\n") + "\n"
    }

    /// What a count is worth.
    public enum Verdict: String, Sendable {
        case kept = ""
        case exceeded = "TOO MANY"
        /// So far below that the budget guards nothing.
        case loose = "far below: lower the budget"
        case missing = "NO BUDGET"
    }

    public func verdict(_ name: String, _ count: Double) -> Verdict {
        guard let budget = budgets.first(where: { $0.name == name })?.count else { return .missing }
        if count > budget * (1 + tolerance) + 1 { return .exceeded }
        return count < budget * 0.8 ? .loose : .kept
    }

    /// The counts beside their budgets.
    public func table(_ counts: [(name: String, count: Double)]) -> String {
        var table = TextTable(header: ["", "instructions", "budget", ""])
        for (name, count) in counts {
            let budget = budgets.first { $0.name == name }?.count
            table.append([
                name, Figure.short(count), budget.map(Figure.short) ?? "–", verdict(name, count).rawValue,
            ])
        }
        return table.text
    }
}
