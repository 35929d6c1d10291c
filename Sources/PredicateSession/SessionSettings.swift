/// How a session answers.
package struct SessionSettings: Sendable {
    /// Columns of the terminal.
    package var width: Int
    package var isColoured: Bool
    /// Whether answers say how long they took.
    package var showsTime: Bool
    /// Whether `:bench` says what it measured, which no two runs agree on.
    package var showsMeasurements = true
    /// Whether hints name options of a command instead of commands of a conversation.
    package var namesOptions = false
    /// How many objects a table shows.
    package var rowLimit: Int
    /// How long `:bench` measures, after three runs.
    package var benchTime: Duration
    /// From how many objects on they are kept by column for further questions: fewer are asked in no time.
    package var columnsFrom = 20_000
    /// How many bytes the columns may take, about.
    package var columnMemory = 512 << 20

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

/// The answer to one line.
package struct Reply: Sendable {
    /// What is shown, without a line end behind it; empty where there is nothing to say.
    package var text: String
    package var isError = false
    /// A line that deserves another try, to be put back into the editor.
    package var refill: String?
    /// Whether the session ends.
    package var quits = false

    package init(_ text: String = "", isError: Bool = false, refill: String? = nil, quits: Bool = false) {
        self.text = text
        self.isError = isError
        self.refill = refill
        self.quits = quits
    }
}
