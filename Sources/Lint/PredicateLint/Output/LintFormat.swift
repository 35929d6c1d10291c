import PredicateJSON
import PredicateSyntax

/// One line of output: a finding or, with `--list`, a format string with or without a finding.
package struct LintRow: Hashable, Sendable {
    package var path: String
    package var start: SourcePlace
    package var end: SourcePlace
    /// Nil for a format string without a finding.
    package var rule: LintRule?
    /// The name of the check or, for other findings, of the rule; nil for a format string without a finding.
    package var identifier: String?
    package var level: LintLevel?
    package var message: String?
    package var hints: [String]
    /// The format string, with escapes resolved; nil if it is unknown.
    package var format: String?
    /// The first line of the source range. Columns count its bytes, which need not be UTF-8.
    package var line: LineExcerpt
    /// The places through which a value reaches this one, beginning with its origin.
    var way: [WayPoint] = []

    /// A place through which a value passes.
    struct WayPoint: Hashable, Sendable {
        var start: SourcePlace
        var end: SourcePlace
        var line: LineExcerpt
    }

    /// The name of the check; nil for a finding of another rule.
    var check: String? { identifier == rule?.rawValue ? nil : identifier }
}

/// The findings in a file, ready to be written.
package struct LintedFile: Sendable {
    package var path: String
    package var rows: [LintRow] = []
    /// The edits of fixes that are certain to keep the meaning.
    package var edits: [LintEdit] = []
    /// The entities of its predicates.
    var entities: Set<String> = []

    init(path: String) {
        self.path = path
    }

    /// If `lists` is true, rows are all format strings, each at its first quote; otherwise they are the findings,
    /// each at its own place.
    package init(path: String, source: [UInt8], result: LintResult, lists: Bool) {
        self.path = path
        entities = Set(result.formats.compactMap(\.entity))
        guard !result.findings.isEmpty || lists && !result.formats.isEmpty else { return }
        let lines = LineTable(source)
        var excerpts = LineExcerpts(source, lines)
        if lists {
            rows = Self.list(path, result, lines, &excerpts)
        } else {
            rows = result.findings.map { Self.row(path, lines, &excerpts, $0.range, $0, format: $0.format) }
        }
        edits = LintEdit.merged(result.findings.compactMap(\.fix))
    }

    private static func list(
        _ path: String, _ result: LintResult, _ lines: LineTable, _ excerpts: inout LineExcerpts
    ) -> [LintRow] {
        let findings = Dictionary(grouping: result.findings, by: \.literal)
        return result.formats.flatMap { format -> [LintRow] in
            let (literal, text) = (format.text.literal, format.text.text)
            guard let own = findings[literal] else {
                return [row(path, lines, &excerpts, literal, nil, format: text)]
            }
            return own.map { row(path, lines, &excerpts, literal, $0, format: text) }
        }
    }

    private static func row(
        _ path: String, _ lines: LineTable, _ excerpts: inout LineExcerpts, _ range: Range<Int>,
        _ finding: LintFinding?, format: String
    ) -> LintRow {
        let start = lines.place(of: range.lowerBound)
        let way = (finding?.way ?? []).map { place in
            LintRow.WayPoint(
                start: lines.place(of: place.lowerBound), end: lines.place(of: place.upperBound),
                line: excerpts.excerpt(around: place.lowerBound))
        }
        return LintRow(
            path: path, start: start, end: lines.place(of: range.upperBound), rule: finding?.rule,
            identifier: finding?.identifier, level: finding?.level, message: finding?.message,
            hints: finding?.hints ?? [],
            format: format.isEmpty && finding?.literal.isEmpty != false ? nil : format,
            // A predicate of a compiled model has no place in the file, so no line is shown.
            line: range == 0..<0 ? LineExcerpt() : excerpts.excerpt(around: range.lowerBound), way: way)
    }
}

/// The output formats.
package enum LintFormat: String, Hashable, Sendable, CaseIterable {
    /// The format of compilers: `a.swift:12:34: error: …`, the source line, notes
    case text
    /// One object per line
    case json
    /// SARIF 2.1.0, for code scanning
    case sarif
    /// Workflow commands of GitHub, which become annotations
    case github
    /// Checkstyle's XML, which many build servers read
    case checkstyle
}

/// Writes findings, file by file. The head, the files and the tail together are a complete document.
package struct LintWriter: Sendable {
    private let format: LintFormat
    private let version: String
    private let root: SourceRoot
    private var isFirst = true

    /// `root` is the directory to which SARIF's paths are relative.
    package init(_ format: LintFormat, version: String, root: SourceRoot = SourceRoot()) {
        self.format = format
        self.version = version
        self.root = root
    }

    /// The output before the first file.
    package var head: String {
        switch format {
        case .text, .json, .github: ""
        case .sarif: SARIF.log(version: version).head
        case .checkstyle: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"8.0\">\n"
        }
    }

    /// The output after the last file.
    package var tail: String {
        switch format {
        case .text, .json, .github: ""
        case .sarif: SARIF.log(version: version).tail
        case .checkstyle: "</checkstyle>\n"
        }
    }

    /// The output for a file.
    package mutating func text(of file: LintedFile) -> String {
        guard !file.rows.isEmpty else { return "" }
        defer { isFirst = false }
        switch format {
        case .text: return file.rows.map(CompilerText.text).joined()
        case .json: return JSONRow.text(of: file.rows)
        case .sarif: return SARIF.results(file.rows, isFirst: isFirst, root)
        case .github: return file.rows.map(GitHubText.text).joined()
        case .checkstyle: return CheckstyleText.text(file)
        }
    }
}

/// `a.swift:12:34: error: …` with the line of the source and a caret, as compilers print.
enum CompilerText {
    private static let width = 160

    static func text(of row: LintRow) -> String {
        let place = "\(row.path):\(row.start.line):\(row.start.column):"
        guard let level = row.level, let rule = row.rule else { return "\(place) \(row.format?.shown ?? "")\n" }
        var text = "\(place) \(level.rawValue): \((row.message ?? "").shown) [\(rule.rawValue)]\n"
        if !row.line.bytes.isEmpty { text += excerpt(row) }
        for hint in row.hints { text += "\(place) note: \(hint.shown)\n" }
        return text
    }

    /// The line with marks under it, cut to the width of a terminal.
    private static func excerpt(_ row: LintRow) -> String {
        let (bytes, first) = (row.line.bytes, row.line.column)
        let start = min(row.start.column - first, bytes.count)
        let end = row.end.line == row.start.line ? min(max(row.end.column - first, start), bytes.count) : bytes.count
        let (line, marks) = ErrorRenderer.excerpt(bytes, start..<end, isCut: first > 1, width: width)
        return "    \(line)\n    \(marks)\n"
    }
}

extension String {
    /// The string on one line, without control characters.
    fileprivate var shown: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
    }
}

/// `{"column":34,"endColumn":40,"endLine":12,"format":"age > ","level":"error","line":12,…}`
enum JSONRow {
    /// The length above which a format is written only in its first row; the other rows have its beginning. Many findings about
    /// a long format would otherwise repeat it.
    private static let longest = 1000

    static func text(of rows: [LintRow]) -> String {
        var last: String?
        return rows.map { row in
            var short = row
            if let format = row.format, format.utf8.count > longest {
                if format == last { short.format = String(format.prefix(longest)) + "…" }
                last = format
            }
            return text(short)
        }.joined()
    }

    private static func text(_ row: LintRow) -> String {
        let members: [String: PredicateValue] = [
            "path": .string(row.path), "line": .number(row.start.line), "column": .number(row.start.column),
            "endLine": .number(row.end.line), "endColumn": .number(row.end.column),
            "rule": .text(row.rule?.rawValue), "check": .text(row.check), "level": .text(row.level?.rawValue),
            "message": .text(row.message),
            "format": .text(row.format), "hints": .array(row.hints.map(PredicateValue.string)),
        ]
        return JSONWriter().text(of: .dictionary(members)) + "\n"
    }
}

extension PredicateValue {
    /// A string, or null.
    fileprivate static func text(_ text: String?) -> PredicateValue { text.map(PredicateValue.string) ?? .null }

    /// An integer.
    static func number(_ number: Int) -> PredicateValue { .integer(Int64(number)) }
}

/// `::error file=a.swift,line=12,col=34::…`
enum GitHubText {
    static func text(of row: LintRow) -> String {
        let command =
            switch row.level {
            case .error: "error"
            case .warning: "warning"
            case .note, nil: "notice"
            }
        let title = row.identifier ?? "format"
        let message = ([row.message ?? row.format ?? ""] + row.hints).joined(separator: "\n")
        return "::\(command) file=\(property(row.path)),line=\(row.start.line),endLine=\(row.end.line),"
            + "col=\(row.start.column),endColumn=\(row.end.column),title=\(property(title))::\(data(message))\n"
    }

    private static func data(_ text: String) -> String { text.with(escapes) }

    private static func property(_ text: String) -> String {
        text.with(escapes.merging([":": "%3A", ",": "%2C"]) { own, _ in own })
    }

    private static let escapes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]
}

extension String {
    /// The string with others in place of some characters.
    fileprivate func with(_ escapes: [Unicode.Scalar: String]) -> String {
        unicodeScalars.map { escapes[$0] ?? String(Character($0)) }.joined()
    }
}

/// XML of Checkstyle.
enum CheckstyleText {
    static func text(_ file: LintedFile) -> String {
        var text = "  <file name=\"\(escaped(file.path))\">\n"
        for row in file.rows {
            let severity = row.level.map { $0 == .note ? "info" : $0.rawValue } ?? "info"
            let message = ([row.message ?? row.format ?? ""] + row.hints).joined(separator: "; ")
            text += "    <error line=\"\(row.start.line)\" column=\"\(row.start.column)\" severity=\"\(severity)\""
            text += " message=\"\(escaped(message))\" source=\"\(row.identifier ?? "format")\"/>\n"
        }
        return text + "  </file>\n"
    }

    private static func escaped(_ text: String) -> String {
        let isForbidden = { (scalar: Unicode.Scalar) in
            scalar.value < 32 && escapes[scalar] == nil || (0xFFFE...0xFFFF).contains(scalar.value)
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isForbidden($0) ? " " : $0 })).with(escapes)
    }

    private static let escapes: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\n": "&#10;", "\t": "&#9;",
    ]
}
