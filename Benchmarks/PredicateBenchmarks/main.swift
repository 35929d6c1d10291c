import BenchmarkHarness
import Foundation

do {
    let command = try Command(Array(CommandLine.arguments.dropFirst()))
    exit(try command.run() ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(2)
}
