import BenchmarkHarness
import Foundation

/// Compares the profiles of a run with the budget, or makes them the budget.
struct BudgetCheck {
    var folder: String
    var path: String
    var updates: Bool
    /// True if a budget for another machine is no error.
    var isOptional: Bool

    func run() throws -> Bool {
        let counts = try counts
        let machine = InstructionBudget.currentMachine
        var budget = try InstructionBudget(String(contentsOfFile: path, encoding: .utf8))
        if updates {
            budget.update(counts, machine: machine)
            try Data(budget.text.utf8).write(to: URL(fileURLWithPath: path))
        } else if let made = budget.machine, made != machine, isOptional {
            let line = String(repeating: "*", count: 80)
            print(
                "\n\(line)\nINSTRUCTIONS NOT CHECKED: the budget was counted with \(made); this is \(machine).\n\(line)\n"
            )
            return true
        }
        print(budget.table(counts), terminator: "")
        let failed = counts.filter { budget.verdict($0.name, $0.count).isFailure }
        if !failed.isEmpty { print("INSTRUCTIONS: \(failed.count) of \(counts.count) works take too many.") }
        return failed.isEmpty
    }

    private var counts: [(name: String, count: Double)] {
        get throws {
            let lines = try String(contentsOfFile: Counting.manifest(in: folder), encoding: .utf8).split(
                separator: "\n")
            let totals = try CallgrindParts.counts(in: folder)
            guard totals.count == lines.count else {
                throw BenchmarkError.usage("\(totals.count) profiles in \(folder) for \(lines.count) works")
            }
            return zip(lines, totals).map { line, total in
                let fields = line.split(separator: "\t")
                let operations = fields.count == 2 ? Double(fields[1]) ?? 1 : 1
                return (String(fields.first ?? ""), total / max(1, operations))
            }
        }
    }
}
