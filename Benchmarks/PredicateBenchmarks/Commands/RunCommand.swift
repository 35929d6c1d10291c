import AllocationCounter
import BenchmarkHarness
import Foundation

/// Runs the suites, and writes a table after each suite and scale.
struct RunCommand {
    var options: RunOptions

    /// False when something gave a wrong result; everything else is measured all the same.
    func run() throws -> Bool {
        let sections = try sections
        if sections.isEmpty { throw BenchmarkError.usage("no benchmark has these words in its path (see --list)") }
        let origin = RunOrigin.current
        print(origin.summary)
        if origin.load > 0.5 { print("The machine is busy (load \(Figure.short(origin.load))): do not quote figures.") }
        var file = ResultFile(origin: origin, measurements: [])
        var failures: [String] = []
        for section in sections {
            let measurements = measure(section, &failures)
            print("\n" + ResultTable.text(measurements), terminator: "")
            file.measurements += measurements
            try options.json.map(file.write(to:))
        }
        failures.forEach { Self.complain($0) }
        return failures.isEmpty
    }

    func list() throws -> Bool {
        for suite in Registry.suites {
            let groups = try selected(suite.groups(context))
            if groups.isEmpty { continue }
            print("\(suite.name): \(suite.summary)")
            groups.forEach { print("  \($0.path)") }
        }
        return true
    }

    /// Groups of one suite and scale, which share a table: one scale after the other, so that the objects of a scale
    /// are made once.
    private var sections: [[Group]] {
        get throws {
            let context = context
            let groups = try Registry.suites.flatMap { try selected($0.groups(context)) }
            let scales = Set(groups.map(\.scale)).sorted()
            return scales.flatMap { scale in
                groups.filter { $0.scale == scale }.grouped(by: \.suite).map(\.elements)
            }
        }
    }

    private var context: SuiteContext {
        let standard = options.isQuick ? [1_000, 100_000] : [1_000, 100_000, 1_000_000]
        return SuiteContext(data: WorkloadData(), scales: options.scales ?? standard)
    }

    private func selected(_ groups: [Group]) -> [Group] {
        groups.filter { group in options.words.allSatisfy { group.path.contains($0) } }
    }

    private func measure(_ section: [Group], _ failures: inout [String]) -> [BenchmarkResult] {
        let runner = Runner(
            options: options.isQuick ? .quick : .standard,
            allocationCount: allocation_counting_is_available() ? { allocation_count() } : nil)
        return section.flatMap { group -> [BenchmarkResult] in
            do {
                return try runner.measure(group)
            } catch {
                Self.complain("\(group.path): \(error)")
                failures.append("\(group.path): \(error)")
                return []
            }
        }
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
    }
}
