import PredicateCoreData

/// Any text as migration rules: rules, or an error whose range lies within the line that it shows.
struct RulesCheck {
    private let text: String

    init(_ bytes: [UInt8]) {
        text = String(decoding: bytes, as: UTF8.self)
    }

    func run() throws(FuzzFinding) {
        do throws(CoreDataError) {
            _ = try MigrationRules(text)
        } catch {
            try check(error)
        }
    }

    private func check(_ error: CoreDataError) throws(FuzzFinding) {
        guard case .invalidRule(let line, let text, let range, _) = error.code else {
            throw FuzzFinding("rules throw another error: \(error)")
        }
        try FuzzFinding.unless(
            line > 0 && range.lowerBound >= 0 && range.upperBound <= text.utf8.count,
            "the range \(range) is not in '\(text)'")
        try FuzzFinding.unless(error.description.contains("line \(line)"), "an error does not name its line")
    }
}
