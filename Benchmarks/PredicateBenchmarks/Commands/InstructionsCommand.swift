import AllocationCounter
import BenchmarkHarness
import Foundation

/// Counting instructions: the same small works in every run, each once without and once with callgrind watching.
enum InstructionsCommand {
    /// The groups whose engines are counted, by the beginning of their paths. Five thousand objects are as many as the
    /// simulated processor goes through in a moment.
    private static let groups = [
        "parse/", "plan/P02", "plan/P10", "print/P10", "filter-structs/", "filter-objects/P02", "filter-records/P02",
        "filter-records/P10", "filter-dictionaries/P01", "filter-dictionaries/P02", "filter-dictionaries/P10",
        "filter-json/P02", "evaluate-struct/P01", "evaluate-struct/P02",
    ]

    /// Runs the works. Profiles are written in their order, one for each.
    static func count() throws -> Bool {
        for (_, variant) in try works() {
            _ = try variant.run()
            try counted(variant)
        }
        return true
    }

    /// Compares the profiles in a folder with the budget; or makes them the budget.
    static func check(_ folder: String, _ path: String, updates: Bool) throws -> Bool {
        let works = try works()
        let totals = try CallgrindParts.counts(in: folder)
        guard totals.count == works.count else {
            throw BenchmarkError.usage("\(totals.count) profiles in \(folder) for \(works.count) works")
        }
        let counts = zip(works, totals).map { work, total in
            (name: work.name, count: total / Double(max(1, work.variant.operations)))
        }
        if updates {
            try Data(InstructionBudget(tolerance: 0.03, budgets: counts).text.utf8).write(
                to: URL(fileURLWithPath: path))
        }
        let budget = try InstructionBudget(String(contentsOfFile: path, encoding: .utf8))
        print(budget.table(counts), terminator: "")
        return counts.allSatisfy { ![.exceeded, .missing].contains(budget.verdict($0.name, $0.count)) }
    }

    private static func works() throws -> [(name: String, variant: Variant)] {
        let context = SuiteContext(data: WorkloadData(), scales: [5_000])
        let all = try Registry.suites.flatMap { try $0.groups(context) }
        return try all.filter { group in groups.contains { group.path.hasPrefix($0) } }.compactMap { group in
            try group.prepare().first { $0.role == .engine }.map { ("\(group.suite)/\(group.name)", $0) }
        }
    }

    /// One run between the entry and the return of the function that callgrind knows.
    private static func counted(_ variant: Variant) throws {
        let box = Box(variant)
        withExtendedLifetime(box) {
            counted_region(
                { context in
                    guard let context else { return }
                    let box = Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
                    box.found = try? box.variant.run()
                }, Unmanaged.passUnretained(box).toOpaque())
        }
        guard box.found == variant.expected else {
            throw BenchmarkError.usage("\(variant.name): \(box.found ?? -1) where \(variant.expected) was expected")
        }
    }

    private final class Box {
        let variant: Variant
        var found: Int?

        init(_ variant: Variant) {
            self.variant = variant
        }
    }
}
