import PredicateLint
import Testing

/// A line of what lint finds, as tests write it: `12:34 predicate-syntax`.
struct Found: Hashable, CustomStringConvertible {
    var line: Int
    var column: Int
    var rule: LintRule

    init(_ line: Int, _ column: Int, _ rule: LintRule) {
        self.line = line
        self.column = column
        self.rule = rule
    }

    var description: String { "\(line):\(column) \(rule.rawValue)" }
}

/// The findings of a source, with their places.
func findings(_ source: String, _ kind: SourceKind = .swift, _ settings: LintSettings = LintSettings()) -> [Found] {
    let bytes = Array(source.utf8)
    let lines = LineTable(bytes)
    return Linter(settings).lint(bytes, kind: kind).findings.map {
        let place = lines.place(of: $0.range.lowerBound)
        return Found(place.line, place.column, $0.rule)
    }
}

/// The rules of the findings of one call of Swift: `check("\"a ==\"")`.
func rules(_ source: String, _ kind: SourceKind = .swift, _ settings: LintSettings = LintSettings()) -> [LintRule] {
    findings(source, kind, settings).map(\.rule)
}

/// The format strings of a source, at their first quotes: `1:28 age > 5`.
func formats(_ source: String, _ kind: SourceKind = .swift, _ settings: LintSettings = LintSettings()) -> [String] {
    let bytes = Array(source.utf8)
    let lines = LineTable(bytes)
    return Linter(settings).lint(bytes, kind: kind).formats.map {
        let place = lines.place(of: $0.text.literal.lowerBound)
        return "\(place.line):\(place.column) \($0.text.text)"
    }
}

/// The source after all fixes, and after those that they made possible.
func fixed(_ source: String, _ kind: SourceKind = .swift) -> String {
    var bytes = Array(source.utf8)
    for _ in 0..<8 {
        let file = LintedFile(path: "a", source: bytes, result: Linter().lint(bytes, kind: kind), lists: false)
        if file.edits.isEmpty { break }
        bytes = LintEdit.apply(file.edits, to: bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
}
