/// The errors of records before the first one that can be read. Only the first is shown as long as all records may have one.
struct UnreadBeginning {
    /// The number of errors.
    private(set) var count = 0
    private var held: [String] = []
    private var isOver = false

    /// The number of errors after which a file is probably of another format.
    private static let most = 10

    /// A Boolean value that indicates whether enough records could not be read to doubt the format.
    var isLong: Bool { !isOver && count == Self.most }

    /// A Boolean value that indicates whether errors are only counted.
    var isCounted: Bool { !isOver && count > RecordProblems.mostAlike }

    /// What is said about a file of another format.
    var none: String { "none of its first \(count) records can be read" }

    /// Returns true if the report of an error is held back. It is kept only if it can be reported later.
    mutating func holds(_ text: String, canReport: Bool) -> Bool {
        guard !isOver else { return false }
        count += 1
        if count > 1, canReport { held.append(text) }
        return count > 1
    }

    /// Returns the reports that were held: a record could be read.
    mutating func end() -> [String] {
        if isOver { return [] }
        defer { (held, isOver) = ([], true) }
        return held
    }

    /// The reports at the end of the file: none of its records could be read.
    var reports: [String] {
        guard isCounted else { return isOver ? [] : held }
        return ["error: \(count - 1) further records could not be read"]
    }
}
