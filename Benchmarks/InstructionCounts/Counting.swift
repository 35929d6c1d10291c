import AllocationCounter
import BenchmarkHarness
import Foundation

/// Runs the works, each once before and once while callgrind watches, and writes down which they were.
enum Counting {
    /// The names and operations of the works, in the order of their profiles.
    static func manifest(in folder: String) -> String { "\(folder)/works.tsv" }

    /// All of them, or those whose names begin with a word: a profile of their own.
    static func count(into folder: String, only prefix: String = "") throws {
        var lines = ""
        for work in try Work.all() where work.name.hasPrefix(prefix) {
            let found = try work.run()
            guard found == work.expected, try counted(work) == work.expected else {
                throw BenchmarkError.usage("\(work.name): \(found) where \(work.expected) was expected")
            }
            lines += "\(work.name)\t\(work.operations)\n"
        }
        try Data(lines.utf8).write(to: URL(fileURLWithPath: manifest(in: folder)))
    }

    /// One run between the entry and the return of the function that callgrind knows.
    private static func counted(_ work: Work) throws -> Int {
        let box = Box(work)
        withExtendedLifetime(box) {
            counted_region(
                { context in
                    guard let context else { return }
                    let box = Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
                    box.outcome = Result { try box.work.run() }
                }, Unmanaged.passUnretained(box).toOpaque())
        }
        return try box.outcome.get()
    }

    private final class Box {
        let work: Work
        var outcome: Result<Int, any Error> = .success(-1)

        init(_ work: Work) {
            self.work = work
        }
    }
}
