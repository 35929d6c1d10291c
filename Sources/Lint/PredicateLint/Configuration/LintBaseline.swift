/// Known findings that are not reported again. Each line holds the name of a rule or check, a path, and a hash of
/// message and format.
///
/// Line numbers are left out, so a finding remains known when the code around it moves. Paths are relative to the folder
/// of the file, so a baseline is valid in every working directory and however the files are named.
package struct LintBaseline: Sendable {
    private var counts: [String: Int] = [:]
    private var root = SourceRoot()

    package init() {}

    /// Reads a baseline file.
    package init(_ text: String, file: String) throws(LintFileError) {
        root = Self.folder(of: file)
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 3, UInt64(fields[2], radix: 16) != nil else {
                throw .configuration("\(file):\(number + 1): expected the name of a rule, a path and a hash")
            }
            counts[String(line), default: 0] += 1
        }
    }

    private static func folder(of file: String) -> SourceRoot {
        SourceRoot(file.lastIndex(of: "/").map { String(file[...$0]) } ?? ".")
    }

    /// Removes the rows of known findings. Each line of the baseline covers one row.
    package mutating func removeOld(from rows: [LintRow]) -> [LintRow] {
        counts.isEmpty ? rows : rows.filter { isNew($0) }
    }

    /// Removes the known findings of one file.
    package func removingOld(from result: LintResult, path: String, source: [UInt8]) -> LintResult {
        guard !counts.isEmpty else { return result }
        var (baseline, result) = (self, result)
        let rows = LintedFile(path: path, source: source, result: result, lists: false).rows
        result.findings = zip(result.findings, rows).filter { baseline.isNew($1) }.map(\.0)
        return result
    }

    private mutating func isNew(_ row: LintRow) -> Bool {
        guard let line = Self.line(row, root), let count = counts[line], count > 0 else { return true }
        counts[line] = count - 1
        return false
    }

    /// Returns the contents of a baseline file for these rows.
    package static func text(of rows: [LintRow], file: String) -> String {
        let root = folder(of: file)
        return "# Findings of predicate lint that are not reported. Delete a line to see its finding again.\n"
            + rows.compactMap { line($0, root) }.sorted().map { $0 + "\n" }.joined()
    }

    private static func line(_ row: LintRow, _ root: SourceRoot) -> String? {
        guard let identifier = row.identifier else { return nil }
        let content = (row.message ?? "") + "\u{0}" + (row.format ?? String(decoding: row.line.bytes, as: UTF8.self))
        return "\(identifier)\t\(root.path(to: row.path))\t\(String(content.stableHash, radix: 16))"
    }
}
