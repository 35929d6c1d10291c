import PredicateData

/// The bookkeeping that every pass of `predicate filter` shares: matches, problems, and how the run ends.
final class FilterPass {
    let settings: FilterSettings
    let console: Console
    var problems: RecordProblems
    /// The number of matches so far.
    var matched = 0

    /// `noun` is the word for one of the things that are filtered: `record`
    init(_ settings: FilterSettings, _ console: Console, noun: String) {
        (self.settings, self.console) = (settings, console)
        problems = RecordProblems(console: console, isStrict: settings.isStrict, noun: noun)
    }

    /// True after as many matches as `--first` allows.
    var isDone: Bool { settings.stoppingLimit.map { matched >= $0 } ?? false }

    /// True if matching records are written, instead of only counted.
    var writesRecords: Bool { !settings.isQuiet && !settings.countsOnly }

    /// Runs a pass and returns the exit status. `finish` completes the output even after an error that ends the run,
    /// so that the records written before it stay valid.
    func run(
        _ body: () throws(CommandFailure) -> Void, finish: (_ isWhole: Bool) throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> ExitStatus {
        do throws(CommandFailure) {
            try body()
        } catch {
            if case .output = error { throw error }
            problems.summarize()
            try finish(false)
            throw error
        }
        problems.summarize()
        try finish(!problems.endedFile)
        if settings.countsOnly, !settings.isQuiet { try console.write("\(matched)\n") }
        return status
    }

    /// As in grep, an error outweighs a match, except with `--quiet`.
    private var status: ExitStatus {
        if settings.isQuiet, matched > 0 { return .success }
        if problems.wereFound { return .failure }
        return matched > 0 ? .success : .negative
    }
}
