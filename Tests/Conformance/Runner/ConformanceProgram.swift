/// The program `predicate-conformance`: runs conformance cases and prints a line for each difference.
///
/// `predicate-conformance --exceptions known.txt cases.jsonl` ends with status 0 if all cases pass, 1 if a case fails and
/// 2 for an error.
package struct ConformanceProgram {
    private var files: [String] = []
    private var exceptionFile: String?
    private var isVerbose = false

    package static let help = """
        Usage: predicate-conformance [-x FILE] [--verbose] FILE...

        Run conformance cases and print a line for each difference: the id, and what differs. A FILE that ends in .cases
        holds records, any other FILE JSON Lines. The last line is a summary.

        Options:
          -x, --exceptions FILE  Cases expected to fail, an id and a reason on each line; one that passes counts as failed
              --verbose          Also print skipped cases and expected failures, with the reasons

        Exit status: 0 all cases passed, 1 a case failed, 2 a file could not be read

        """

    /// Runs the program and returns its exit status.
    package static func run(
        _ words: [String], write: (String) -> Void, report: (String) -> Void
    ) -> Int32 {
        if words.contains("--help") || words.contains("-h") {
            write(help)
            return 0
        }
        guard let program = ConformanceProgram(words) else {
            report(help)
            return 2
        }
        return program.run(write, report)
    }

    private init?(_ words: [String]) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--verbose": isVerbose = true
            case "-x", "--exceptions":
                guard exceptionFile == nil, let file = words.popFirst() else { return nil }
                exceptionFile = file
            case let file where file.hasPrefix("-"): return nil
            case let file: files.append(file)
            }
        }
        if files.isEmpty { return nil }
    }

    /// Runs all files. A file that cannot be read is reported.
    private func run(_ write: (String) -> Void, _ report: (String) -> Void) -> Int32 {
        do throws(ConformanceFileError) {
            let exceptions = try exceptionFile.map(ExceptionList.load(path:)) ?? ExceptionList()
            return run(exceptions, write, report)
        } catch {
            report("error: \(error)\n")
            return 2
        }
    }

    private func run(_ exceptions: ExceptionList, _ write: (String) -> Void, _ report: (String) -> Void) -> Int32 {
        var results = ConformanceReport()
        var wasUnreadable = false
        for file in files {
            do throws(ConformanceFileError) {
                results.merge(try ConformanceSuite.load(path: file).run(exceptions: exceptions))
            } catch {
                report("error: \(error)\n")
                wasUnreadable = true
            }
        }
        for id in exceptions.idsMissing(from: results) { report("note: no case has the excepted id '\(id)'\n") }
        write(text(of: results))
        return wasUnreadable ? 2 : results.isSuccess ? 0 : 1
    }

    private func text(of results: ConformanceReport) -> String {
        var lines = results.failures.map(\.description)
        if isVerbose {
            lines += results.skipped.map { "skipped \($0)" } + results.excepted.map { "excepted \($0)" }
        }
        return (lines + [results.summary]).map { $0 + "\n" }.joined()
    }
}
