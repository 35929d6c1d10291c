import Foundation
import PredicateChecks
import PredicateJSON
import PredicateSyntax

/// A SARIF 2.1.0 log with one run, for code scanning services. Columns count code points.
enum SARIF {
    /// The parts of the log before and after the results of the run.
    static func log(version: String) -> (head: String, tail: String) {
        let driver: PredicateValue = [
            "name": "predicate lint", "version": .string(version), "semanticVersion": .string(version),
            "rules": .array(names.map(rule)),
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

    /// The rules of lint and its checks; each of them is a rule of the log.
    private static let names = LintName.every
    /// The page of the documentation that describes them, with the same placeholder for the site as in README.
    private static let site = "https://example.com/swift-predicates/documentation/predicates/checks#"

    private static func rule(_ name: LintName) -> PredicateValue {
        let isInjection = name == .rule(.injection)
        let isSecurity = isInjection || name == .rule(.interpolation)
        var properties: [String: PredicateValue] = [
            "tags": isSecurity ? ["security", "external/cwe/cwe-943"] : ["correctness"], "precision": "high",
        ]
        if isSecurity { properties["security-severity"] = isInjection ? "8.8" : "5.0" }
        var configuration: [String: PredicateValue] = ["level": .string((name.standardLevel ?? .note).rawValue)]
        if name.standardLevel == nil { configuration["enabled"] = false }
        return [
            "id": .string(name.identifier), "shortDescription": ["text": .string(name.page.summary)],
            "helpUri": .string(site + name.identifier),
            "help": ["text": .string(name.help), "markdown": .string(name.help)],
            "defaultConfiguration": .dictionary(configuration), "properties": .dictionary(properties),
        ]
    }

    private static let identifiers = Dictionary(
        uniqueKeysWithValues: names.enumerated().map { ($0.element.identifier, $0.offset) })

    /// The results of a file, one per line.
    static func results(_ rows: [LintRow], isFirst: Bool, _ root: SourceRoot) -> String {
        var seen: [UInt64: Int] = [:]
        let texts = rows.compactMap { row in
            row.identifier.map { JSONWriter().text(of: result(row, $0, root, &seen)) }
        }
        guard !texts.isEmpty else { return "" }
        return (isFirst ? "" : ",\n") + texts.joined(separator: ",\n")
    }

    private static func result(
        _ row: LintRow, _ identifier: String, _ root: SourceRoot, _ seen: inout [UInt64: Int]
    ) -> PredicateValue {
        let hash = hash(of: row, identifier)
        let number = (seen[hash] ?? 0) + 1
        seen[hash] = number
        let artifact = artifact(root.relative(row.path))
        let location: PredicateValue = [
            "physicalLocation": ["artifactLocation": artifact, "region": region(row.start, row.end, row.line)]
        ]
        var result: [String: PredicateValue] = [
            "ruleId": .string(identifier), "ruleIndex": .number(identifiers[identifier] ?? 0),
            "level": .string((row.level ?? .note).rawValue),
            "message": ["text": .string(([row.message ?? ""] + row.hints).joined(separator: "; "))],
            "locations": [location],
            "partialFingerprints": ["primaryLocationLineHash": .string("\(String(hash, radix: 16)):\(number)")],
        ]
        if !row.way.isEmpty { result["codeFlows"] = [flow(row.way, artifact, to: location)] }
        return .dictionary(result)
    }

    /// The places through which a value passes from its origin to the result.
    private static func flow(
        _ way: [LintRow.WayPoint], _ artifact: PredicateValue, to location: PredicateValue
    ) -> PredicateValue {
        let places = way.map { point -> PredicateValue in
            let region = region(point.start, point.end, point.line)
            return ["location": ["physicalLocation": ["artifactLocation": artifact, "region": region]]]
        }
        return ["threadFlows": [["locations": .array(places + [["location": location]])]]]
    }

    private static func region(_ start: SourcePlace, _ end: SourcePlace, _ line: LineExcerpt) -> PredicateValue {
        var region: [String: PredicateValue] = [
            "startLine": .number(start.line),
            "startColumn": .number(line.codePointColumn(start.column) ?? start.column),
        ]
        if end.line == start.line {
            region["endLine"] = .number(end.line)
            // Without this, the region ends with the line.
            region["endColumn"] = line.codePointColumn(end.column).map(PredicateValue.number)
        }
        return .dictionary(region)
    }

    /// A relative reference for a file below the root, an absolute URI for any other.
    private static func artifact(_ path: String) -> PredicateValue {
        path.hasPrefix("/")
            ? ["uri": .string("file://" + uri(path))] : ["uri": .string(uri(path)), "uriBaseId": "%SRCROOT%"]
    }

    private static func uri(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: plain)) ?? path
    }

    private static let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-~"

    /// A hash of the rule and of the line without white space, which does not change when the line moves.
    private static func hash(of row: LintRow, _ identifier: String) -> UInt64 {
        (identifier + String(decoding: row.line.bytes, as: UTF8.self).filter { !$0.isWhitespace }).stableHash
    }
}

extension String {
    /// A hash that is the same in every run (FNV-1a).
    var stableHash: UInt64 {
        utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
