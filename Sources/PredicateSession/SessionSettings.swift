/// The settings of a session.
package struct SessionSettings: Sendable {
    /// Columns of the terminal.
    package var width: Int
    package var isColoured: Bool
    /// True if sentences are broken into lines of the terminal's width.
    package var wrapsLines = false
    /// True if replies show how long they took.
    package var showsTime: Bool
    /// True if `:bench` shows its measurements, which differ from run to run.
    package var showsMeasurements = true
    /// True if hints name options of the command line instead of commands of the session.
    package var namesOptions = false
    /// The number of objects that a table shows.
    package var rowLimit: Int
    /// The time for which `:bench` measures, after three runs.
    package var benchTime: Duration

    package init(
        width: Int = 80, isColoured: Bool = false, showsTime: Bool = true, rowLimit: Int = 10,
        benchTime: Duration = .seconds(1)
    ) {
        self.width = width
        self.isColoured = isColoured
        self.showsTime = showsTime
        self.rowLimit = rowLimit
        self.benchTime = benchTime
    }
}

/// The reply to one line.
package struct Reply: Sendable {
    /// The text to show, without a line end; may be empty.
    package var text: String
    package var isError = false
    /// True if the session ends.
    package var quits = false

    package init(_ text: String = "", isError: Bool = false, quits: Bool = false) {
        self.text = text
        self.isError = isError
        self.quits = quits
    }
}
