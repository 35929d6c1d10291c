import PredicateJSON
import PredicateSyntax

/// A SARIF 2.1.0 log with one run, as code scanning services read it. Columns count code points.
enum SARIF {
    /// The parts of the log before and after the results of the run.
    static func log(version: String) -> (head: String, tail: String) {
        let driver: PredicateValue = [
            "name": "predicate lint", "version": .string(version), "semanticVersion": .string(version),
            "rules": .array(LintRule.allCases.map(rule)),
        ]
        let run: PredicateValue = [
            "tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": [],
        ]
        let text = JSONWriter().text(of: [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
        ])
        // Quotes inside strings are escaped, so only the member itself matches.
        guard let list = text.firstRange(of: "\"results\":[]") else { return (text, "") }
        let start = text.index(before: list.upperBound)
        return (String(text[..<start]) + "\n", "\n" + String(text[start...]) + "\n")
    }

    private static func rule(_ rule: LintRule) -> PredicateValue {
        let isSecurity = rule == .injection || rule == .interpolation
        var properties: [String: PredicateValue] = [
            "tags": isSecurity ? ["security", "external/cwe/cwe-943"] : ["correctness"], "precision": "high",
        ]
        if isSecurity { properties["security-severity"] = rule == .injection ? "8.8" : "5.0" }
        var configuration: [String: PredicateValue] = ["level": .string((rule.standardLevel ?? .note).rawValue)]
        if rule.standardLevel == nil { configuration["enabled"] = false }
        return [
            "id": .string(rule.rawValue), "shortDescription": ["text": .string(rule.summary)],
            "help": ["text": .string(rule.help), "markdown": .string(rule.help)],
            "defaultConfiguration": .dictionary(configuration), "properties": .dictionary(properties),
        ]
    }

    /// The results of a file, one per line.
    static func results(_ rows: [LintRow], isFirst: Bool) -> String {
        var seen: [UInt64: Int] = [:]
        let texts = rows.compactMap { row in
            row.rule.map { JSONWriter().text(of: result(row, $0, &seen)) }
        }
        guard !texts.isEmpty else { return "" }
        return (isFirst ? "" : ",\n") + texts.joined(separator: ",\n")
    }

    private static func result(_ row: LintRow, _ rule: LintRule, _ seen: inout [UInt64: Int]) -> PredicateValue {
        let hash = hash(of: row, rule)
        let number = (seen[hash] ?? 0) + 1
        seen[hash] = number
        let location: PredicateValue = [
            "artifactLocation": ["uri": .string(uri(row.path)), "uriBaseId": "%SRCROOT%"], "region": region(row),
        ]
        return [
            "ruleId": .string(rule.rawValue), "ruleIndex": .number(LintRule.allCases.firstIndex(of: rule) ?? 0),
            "level": .string((row.level ?? .note).rawValue),
            "message": ["text": .string(([row.message ?? ""] + row.hints).joined(separator: "; "))],
            "locations": [["physicalLocation": location]],
            "partialFingerprints": ["primaryLocationLineHash": .string("\(String(hash, radix: 16)):\(number)")],
        ]
    }

    private static func region(_ row: LintRow) -> PredicateValue {
        var region: [String: PredicateValue] = [
            "startLine": .number(row.start.line),
            "startColumn": .number(codePoints(row.line, before: row.start.column)),
        ]
        if row.end.line == row.start.line {
            region["endLine"] = .number(row.end.line)
            region["endColumn"] = .number(codePoints(row.line, before: row.end.column))
        }
        return .dictionary(region)
    }

    /// Converts a column in bytes to a column in code points.
    private static func codePoints(_ line: String, before column: Int) -> Int {
        line.utf8.prefix(max(column - 1, 0)).count { $0 & 0xC0 != 0x80 } + 1
    }

    /// A path as a relative reference.
    private static func uri(_ path: String) -> String {
        var path = path
        while path.hasPrefix("./") { path.removeFirst(2) }
        return path.utf8.map { byte in
            if byte.isLetter || byte.isDigit || "/._-~".utf8.contains(byte) {
                return String(Unicode.Scalar(byte))
            }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    /// A hash of the rule and of the line without white space, which does not change when the line moves.
    private static func hash(of row: LintRow, _ rule: LintRule) -> UInt64 {
        (rule.rawValue + row.line.filter { !$0.isWhitespace }).stableHash
    }
}

extension String {
    /// A hash that is the same in every run (FNV-1a).
    var stableHash: UInt64 {
        utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
