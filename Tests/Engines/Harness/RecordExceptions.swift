import Foundation

/// Records whose rows an engine is known to select otherwise, with the reasons: `Tests/Engines/Exceptions.txt`.
struct RecordExceptions {
    private var reasons: [String: String] = [:]
    private var unmet: Set<String> = []

    init(engine: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Exceptions.txt")
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty }
            guard fields.count == 3 else { throw EngineUsage("Exceptions.txt: expected three fields in '\(line)'") }
            if fields[0] == engine || fields[0] == "every" { reasons[fields[1]] = fields[2] }
        }
        unmet = Set(reasons.keys)
    }

    /// True if a failing row belongs to a record that is listed.
    mutating func covers(_ record: String) -> Bool {
        // The place comes first: `keys.cases:224 the keys of …`
        let title = String(record.drop { $0 != " " }.dropFirst())
        guard reasons[title] != nil else { return false }
        unmet.remove(title)
        return true
    }

    /// The titles that no failing row belongs to.
    var needless: [String] { unmet.sorted() }
}
