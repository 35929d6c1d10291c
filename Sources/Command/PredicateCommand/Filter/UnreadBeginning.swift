/// The errors before the first record that can be read. While no record could be read, only the first error is shown.
struct UnreadBeginning {
    /// The number of errors.
    private(set) var count = 0
    private var held: [String] = []
    private var isOver = false

    /// The number of errors after which a file is probably of another format.
    private static let most = 10

    /// A Boolean value that indicates whether so many records could not be read that the format is in doubt.
    var isLong: Bool { !isOver && count == Self.most }

    /// A Boolean value that indicates whether errors are only counted.
    var isCounted: Bool { !isOver && count > RecordProblems.mostAlike }

    /// The message for a file that has another format.
    var none: String { "none of its first \(count) records can be read" }

    /// Returns true if the report of an error is held back. The report is kept only if it can be shown later.
    mutating func holds(_ text: String, canReport: Bool) -> Bool {
        guard !isOver else { return false }
        count += 1
        if count > 1, canReport { held.append(text) }
        return count > 1
    }

    /// Call this when a record could be read. Returns the reports that were held back.
    mutating func end() -> [String] {
        if isOver { return [] }
        defer { (held, isOver) = ([], true) }
        return held
    }

    /// The reports at the end of the file, if none of its records could be read.
    var reports: [String] {
        guard isCounted else { return isOver ? [] : held }
        return ["error: \(count - 1) further records could not be read"]
    }
}
