import Foundation

/// Runs of one regular expression over text after text.
///
/// The closure that the matcher reports to is made once and lent out: making it takes longer than matching many a text.
/// Safe to use from several threads, each of which has a run of its own while it matches.
///
/// `@unchecked`: every access to the idle runs is under the lock.
final class PatternRuns: @unchecked Sendable {
    private let lock = NSLock()
    private var idle: [PatternRun] = []
    /// The most reports of progress of a run.
    private let patience: Int

    init(patience: Int) {
        self.patience = patience
    }

    /// Matches a text; nil if the matcher was stopped, or gave up by itself.
    func matches(_ expression: NSRegularExpression, _ text: String) -> Bool? {
        let run = lock.withLock { idle.popLast() } ?? PatternRun(patience: patience)
        defer { lock.withLock { idle.append(run) } }
        return run.matches(expression, text)
    }
}

/// One run, and the closure to which the matcher reports progress.
private struct PatternRun {
    private final class State {
        var outcome = Outcome.differs
        var progress = 0
    }

    private enum Outcome {
        case matches
        case differs
        /// The matcher was stopped, or its own stack was full.
        case gaveUp
    }

    private typealias Report =
        (NSTextCheckingResult?, NSRegularExpression.MatchingFlags, UnsafeMutablePointer<ObjCBool>) -> Void

    private let state: State
    private let report: Report

    init(patience: Int) {
        let state = State()
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

    func matches(_ expression: NSRegularExpression, _ text: String) -> Bool? {
        (state.outcome, state.progress) = (.differs, 0)
        expression.enumerateMatches(
            in: text, options: [.anchored, .reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: text.utf16.count), using: report)
        return state.outcome == .gaveUp ? nil : state.outcome == .matches
    }
}
