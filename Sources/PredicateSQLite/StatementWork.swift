/// The work of the running statement, in steps, if a limit applies: instructions of SQLite's virtual machine, and one
/// for every 16 bytes that a registered function reads.
///
/// A statement that reads one row at a time is counted across its rows. One object per connection, used under its lock.
package final class StatementWork {
    /// The greatest number of steps of one statement; nil if steps are not counted.
    package var limit: Int?
    /// The steps of the running statement so far.
    package var steps = 0

    /// The instructions between two reports of SQLite.
    package var period = 0

    package init(limit: Int?) {
        self.limit = limit
    }

    /// True if the running statement must end.
    package var isExceeded: Bool { limit.map { steps > $0 } ?? false }

    private func add(_ count: Int) -> Bool {
        steps &+= count
        return !isExceeded
    }

    /// Adds the instructions since the last report. Returns false if the statement must end.
    package func addPeriod() -> Bool { add(period) }

    /// Adds the steps of a function that reads a string. Returns false if the statement must end.
    func addReading(_ bytes: Int) -> Bool { add(bytes / 16) }
}
