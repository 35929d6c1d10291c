/// A log of SARIF 2.1.0 with one run, as code scanning reads it. Columns count code points.
enum SARIF {
    static func head(version: String) -> String {
        let rules = LintRule.allCases.map(rule).joined(separator: ",\n")
        return """
            {
              "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
              "version": "2.1.0",
              "runs": [{
                "tool": {"driver": {
                  "name": "predicate lint",
                  "version": \(JSONText.string(version)),
                  "semanticVersion": \(JSONText.string(version)),
                  "rules": [
            \(rules)
                  ]
                }},
                "columnKind": "unicodeCodePoints",
                "results": [

            """
    }

    static let tail = """

            ]
          }]
        }

        """

    private static func rule(_ rule: LintRule) -> String {
        let level =
            rule.standardLevel.map { "\"level\": \"\($0.rawValue)\"" } ?? "\"enabled\": false, \"level\": \"note\""
        let isSecurity = rule == .injection || rule == .interpolation
        let tags = isSecurity ? "[\"security\", \"external/cwe/cwe-943\"]" : "[\"correctness\"]"
        let severity = isSecurity ? ", \"security-severity\": \"\(rule == .injection ? "8.8" : "5.0")\"" : ""
        return
            "        {\"id\": \"\(rule.rawValue)\", \"shortDescription\": {\"text\": \(JSONText.string(rule.summary))},"
            + " \"help\": {\"text\": \(JSONText.string(rule.help)), \"markdown\": \(JSONText.string(rule.help))},"
            + " \"defaultConfiguration\": {\(level)},"
            + " \"properties\": {\"tags\": \(tags), \"precision\": \"high\"\(severity)}}"
    }

    static func results(_ rows: [LintRow], isFirst: Bool) -> String {
        var seen: [UInt64: Int] = [:]
        let texts = rows.compactMap { row in row.rule.map { result(row, $0, &seen) } }
        guard !texts.isEmpty else { return "" }
        return (isFirst ? "" : ",\n") + texts.joined(separator: ",\n")
    }

    private static func result(_ row: LintRow, _ rule: LintRule, _ seen: inout [UInt64: Int]) -> String {
        let index = LintRule.allCases.firstIndex(of: rule) ?? 0
        let message = ([row.message ?? ""] + row.hints).joined(separator: "; ")
        let hash = hash(of: row, rule)
        let number = (seen[hash] ?? 0) + 1
        seen[hash] = number
        return "      {\"ruleId\": \"\(rule.rawValue)\", \"ruleIndex\": \(index),"
            + " \"level\": \"\(row.level?.rawValue ?? "note")\", \"message\": {\"text\": \(JSONText.string(message))},"
            + " \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": \(JSONText.string(uri(row.path))),"
            + " \"uriBaseId\": \"%SRCROOT%\"}, \"region\": \(region(row))}}],"
            + " \"partialFingerprints\": {\"primaryLocationLineHash\": \"\(String(hash, radix: 16)):\(number)\"}}"
    }

    private static func region(_ row: LintRow) -> String {
        var region =
            "{\"startLine\": \(row.start.line), \"startColumn\": \(codePoints(row.line, before: row.start.column))"
        if row.end.line == row.start.line {
            region += ", \"endLine\": \(row.end.line), \"endColumn\": \(codePoints(row.line, before: row.end.column))"
        }
        return region + "}"
    }

    /// A column that counts code points, for one that counts bytes.
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

    /// A hash of the rule and of the line without its white space, which stays when the line moves.
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
