import PredicateSession

/// The progress of a long task, on one line of standard error that is overwritten and finally erased.
///
///     loading log.jsonl: 42 % (420,000 objects)
final class ProgressLine {
    private let write: (String) -> Void
    private let columns: () -> Int
    private var lastTime: ContinuousClock.Instant?
    private let start = ContinuousClock.now
    private var isShown = false

    init(columns: @escaping () -> Int, write: @escaping (String) -> Void) {
        self.columns = columns
        self.write = write
    }

    /// Shows the progress, at most ten times a second, and not for short tasks.
    func show(_ progress: Progress) {
        let now = ContinuousClock.now
        guard let last = lastTime else {
            lastTime = now
            return
        }
        guard now - last > .milliseconds(isShown ? 100 : 300) else { return }
        lastTime = now
        isShown = true
        write("\r" + text(progress).cut(toColumns: max(10, columns() - 1)) + "\u{1B}[K")
    }

    func finish() {
        if isShown { write("\r\u{1B}[K") }
        isShown = false
        lastTime = nil
    }

    private func text(_ progress: Progress) -> String {
        let objects = Count.of(progress.objects, "object")
        guard let total = progress.total, total > 0 else { return "\(progress.task): \(objects)" }
        return "\(progress.task): \(min(100, progress.done * 100 / total)) % (\(objects))"
    }
}
