import BenchmarkHarness
import Foundation

// InstructionCounts count FOLDER [NAME]     runs the works, under callgrind; those whose names begin so
// InstructionCounts check FOLDER BUDGET [--update] [--optional]
do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("probe", 1): break
    case ("count", 2): try Counting.count(into: arguments[1])
    case ("count", 3): try Counting.count(into: arguments[1], only: arguments[2])
    case ("check", 3...):
        let check = BudgetCheck(
            folder: arguments[1], path: arguments[2], updates: arguments.contains("--update"),
            isOptional: arguments.contains("--optional"))
        exit(try check.run() ? 0 : 1)
    default: throw BenchmarkError.usage("InstructionCounts count FOLDER, or check FOLDER BUDGET")
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(2)
}
