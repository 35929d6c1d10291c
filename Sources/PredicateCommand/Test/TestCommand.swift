import PredicateConformance

/// The options of `predicate test`.
enum TestOption: CommandOption {
    case exceptions
    case verbose

    var declaration: OptionDeclaration {
        switch self {
        case .exceptions:
            .init(
                "exceptions", "x", value: .required("FILE"),
                help: "Cases expected to fail, an id and a reason on each line; one that passes counts as failed")
        case .verbose: .init("verbose", help: "Also print skipped cases and expected failures, with the reasons")
        }
    }
}

/// `predicate test cases.jsonl`: runs conformance cases.
struct TestCommand {
    private let files: [String]
    private let exceptionFiles: [String]
    private let isVerbose: Bool

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<TestOption>(words, .test)
        files = reader.positionals
        exceptionFiles = reader.values(of: .exceptions)
        isVerbose = reader.has(.verbose)
        if files.isEmpty { throw .usage(UsageError("expected a file of cases", in: .test)) }
        if exceptionFiles.count > 1 { throw .usage(UsageError("--exceptions takes one file", in: .test)) }
    }

    /// Runs all files; a file that cannot be read is reported.
    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let exceptions = try loadExceptions()
        var report = ConformanceReport()
        var wasUnreadable = false
        for file in files {
            do throws(ConformanceFileError) {
                report.merge(try ConformanceSuite.load(path: file).run(exceptions: exceptions))
            } catch {
                console.report("error: \(error)")
                wasUnreadable = true
            }
        }
        for id in exceptions.idsMissing(from: report) { console.report("note: no case has the excepted id '\(id)'") }
        try console.write(text(of: report))
        return wasUnreadable ? .failure : report.isSuccess ? .success : .negative
    }

    private func loadExceptions() throws(CommandFailure) -> ExceptionList {
        guard let file = exceptionFiles.first else { return ExceptionList() }
        do throws(ConformanceFileError) {
            return try ExceptionList.load(path: file)
        } catch {
            throw .message(error.description)
        }
    }

    private func text(of report: ConformanceReport) -> String {
        var lines = report.failures.map(\.description)
        if isVerbose {
            lines += report.skipped.map { "skipped \($0)" } + report.excepted.map { "excepted \($0)" }
        }
        return (lines + [report.summary]).map { $0 + "\n" }.joined()
    }
}
