import Foundation

/// Matches one regular expression against many strings.
///
/// The closure that receives the matcher's progress reports is created once and reused: creating it takes longer than
/// most matches. Several threads may match at once; each has its own run while it matches.
///
/// `@unchecked`: a lock protects every access to the idle runs.
final class PatternRuns: @unchecked Sendable {
    private let lock = NSLock()
    private var idle: [PatternRun] = []
    /// The maximum number of progress reports of a run.
    private let patience: Int

    init(patience: Int) {
        self.patience = patience
    }

    /// Returns whether the expression matches a string (nil if the matcher was stopped or gave up), and the number of progress
    /// reports.
    func matches(_ expression: NSRegularExpression, _ text: String) -> (Bool?, reports: Int) {
        let run = lock.withLock { idle.popLast() } ?? PatternRun(patience: patience)
        defer { lock.withLock { idle.append(run) } }
        return run.matches(expression, text)
    }
}

/// One run, with the closure that receives the matcher's progress reports.
private struct PatternRun {
    private final class RunState {
        var outcome = MatchOutcome.differs
        var progress = 0
    }

    private enum MatchOutcome {
        case matches
        case differs
        /// The matcher was stopped, or its own stack overflowed.
        case gaveUp
    }

    private typealias Report =
        (NSTextCheckingResult?, NSRegularExpression.MatchingFlags, UnsafeMutablePointer<ObjCBool>) -> Void

    private let state: RunState
    private let report: Report

    init(patience: Int) {
        let state = RunState()
        self.state = state
        report = { match, flags, stop in
            if match != nil {
                state.outcome = .matches
            } else if flags.contains(.internalError) {
                state.outcome = .gaveUp
            } else if flags.contains(.progress) {
                state.progress += 1
                if state.progress > patience { state.outcome = .gaveUp }
            }
            if state.outcome != .differs { stop.pointee = true }
        }
    }

    func matches(_ expression: NSRegularExpression, _ text: String) -> (Bool?, reports: Int) {
        (state.outcome, state.progress) = (.differs, 0)
        expression.enumerateMatches(
            in: text, options: [.anchored, .reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: text.utf16.count), using: report)
        return (state.outcome == .gaveUp ? nil : state.outcome == .matches, state.progress)
    }
}
