/// One line of output: a finding, or with `--list` a format string, with or without a finding.
package struct LintRow: Hashable, Sendable {
    package var path: String
    package var start: SourcePlace
    package var end: SourcePlace
    /// Nil for a format string without a finding.
    package var rule: LintRule?
    package var level: LintLevel?
    package var message: String?
    package var hints: [String]
    /// The format string as the source spells it, escapes resolved; nil if it is not known.
    package var format: String?
    /// The first line of the source that it is about.
    package var line: String
}

/// What was found in one file, ready to be written.
package struct LintedFile: Sendable {
    package var path: String
    package var rows: [LintRow] = []
    /// The changes that mend what is certain.
    package var edits: [LintEdit] = []

    init(path: String) {
        self.path = path
    }

    /// `lists` asks for all format strings, at the first quote of each; otherwise for the findings, at their own places.
    package init(path: String, source: [UInt8], result: LintResult, lists: Bool) {
        self.path = path
        guard !result.findings.isEmpty || lists && !result.formats.isEmpty else { return }
        let lines = LineTable(source)
        if lists {
            rows = Self.list(path, source, result, lines)
        } else {
            rows = result.findings.map { Self.row(path, source, lines, $0.range, $0, format: $0.format) }
        }
        edits = LintEdit.merged(result.findings.compactMap(\.fix))
    }

    private static func list(
        _ path: String, _ source: [UInt8], _ result: LintResult, _ lines: LineTable
    ) -> [LintRow] {
        result.formats.flatMap { format -> [LintRow] in
            let literal = format.text.literal
            let own = result.findings.filter { $0.literal == literal }
            guard !own.isEmpty else { return [row(path, source, lines, literal, nil, format: format.text.text)] }
            return own.map { row(path, source, lines, literal, $0, format: format.text.text) }
        }
    }

    private static func row(
        _ path: String, _ source: [UInt8], _ lines: LineTable, _ range: Range<Int>, _ finding: LintFinding?,
        format: String
    ) -> LintRow {
        let start = lines.place(of: range.lowerBound)
        // What has no place in the source, as a predicate of a compiled model, shows no line of it.
        let line = range == 0..<0 ? range : lines.range(ofLine: start.line).clamped(to: 0..<source.count)
        return LintRow(
            path: path, start: start, end: lines.place(of: range.upperBound), rule: finding?.rule,
            level: finding?.level, message: finding?.message, hints: finding?.hints ?? [],
            format: format.isEmpty && finding?.literal.isEmpty != false ? nil : format,
            line: String(decoding: source[line].prefix { !$0.isNewline }, as: UTF8.self))
    }
}
