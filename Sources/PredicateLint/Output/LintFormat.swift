/// How findings are written.
package enum LintFormat: String, Hashable, Sendable, CaseIterable {
    /// As compilers print: `a.swift:12:34: error: …`, the line of the source, notes
    case text
    /// One object a line
    case json
    /// SARIF 2.1.0, for code scanning
    case sarif
    /// Commands of a GitHub workflow, which become annotations
    case github
    /// XML of Checkstyle, which many servers read
    case checkstyle
}

/// Writes findings, file by file; what is written before and after them makes a whole document.
package struct LintWriter: Sendable {
    private let format: LintFormat
    private let version: String
    private var isFirst = true

    package init(_ format: LintFormat, version: String) {
        self.format = format
        self.version = version
    }

    /// The text before the first file.
    package var head: String {
        switch format {
        case .text, .json, .github: ""
        case .sarif: SARIF.head(version: version)
        case .checkstyle: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"8.0\">\n"
        }
    }

    /// The text after the last file.
    package var tail: String {
        switch format {
        case .text, .json, .github: ""
        case .sarif: SARIF.tail
        case .checkstyle: "</checkstyle>\n"
        }
    }

    /// The text of one file.
    package mutating func text(of file: LintedFile) -> String {
        guard !file.rows.isEmpty else { return "" }
        defer { isFirst = false }
        switch format {
        case .text: return file.rows.map(CompilerText.text).joined()
        case .json: return file.rows.map { JSONText.object($0) + "\n" }.joined()
        case .sarif: return SARIF.results(file.rows, isFirst: isFirst)
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
        if !row.line.isEmpty { text += excerpt(row) }
        for hint in row.hints { text += "\(place) note: \(hint.shown)\n" }
        return text
    }

    /// The line with the marks under it, cut to what a terminal shows.
    private static func excerpt(_ row: LintRow) -> String {
        let bytes = Array(row.line.utf8)
        let start = min(row.start.column - 1, bytes.count)
        let end = row.end.line == row.start.line ? min(max(row.end.column - 1, start), bytes.count) : bytes.count
        let before = characters(bytes[..<start]), marked = characters(bytes[start..<end])
        let head = before.suffix(Self.width / 2)
        let cut = Array(head + marked + characters(bytes[end...])).prefix(Self.width)
        let opening = head.count < before.count ? "…" : ""
        let marks = max(1, min(marked.count, Self.width - head.count))
        let indent = String(repeating: " ", count: head.count + opening.count)
        return "    \(opening)\(String(cut))\n    \(indent)^\(String(repeating: "~", count: marks - 1))\n"
    }

    private static func characters(_ bytes: ArraySlice<UInt8>) -> [Character] {
        String(decoding: bytes, as: UTF8.self).map { $0.isNewline || $0 == "\t" || $0.asciiValue ?? 32 < 32 ? " " : $0 }
    }
}

extension String {
    /// The text in one line, without control characters.
    fileprivate var shown: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
    }
}

/// One object a line.
enum JSONText {
    static func object(_ row: LintRow) -> String {
        let members: [(String, String)] = [
            ("path", string(row.path)), ("line", "\(row.start.line)"), ("column", "\(row.start.column)"),
            ("endLine", "\(row.end.line)"), ("endColumn", "\(row.end.column)"),
            ("rule", row.rule.map { string($0.rawValue) } ?? "null"),
            ("level", row.level.map { string($0.rawValue) } ?? "null"),
            ("message", row.message.map(string) ?? "null"), ("format", row.format.map(string) ?? "null"),
        ]
        return "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    /// A text in quotes.
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if scalar.value < 32 {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
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
        let title = row.rule?.rawValue ?? "format"
        let message = ([row.message ?? row.format ?? ""] + row.hints).joined(separator: "\n")
        return "::\(command) file=\(property(row.path)),line=\(row.start.line),endLine=\(row.end.line),"
            + "col=\(row.start.column),endColumn=\(row.end.column),title=\(property(title))::\(data(message))\n"
    }

    private static func data(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            default: String(Character(scalar))
            }
        }.joined()
    }

    private static func property(_ text: String) -> String {
        data(text).unicodeScalars.map { scalar in
            switch scalar {
            case ":": "%3A"
            case ",": "%2C"
            default: String(Character(scalar))
            }
        }.joined()
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
            text += " message=\"\(escaped(message))\" source=\"\(row.rule?.rawValue ?? "format")\"/>\n"
        }
        return text + "  </file>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\n": "&#10;"
            case "\t": "&#9;"
            default: scalar.value < 32 || (0xFFFE...0xFFFF).contains(scalar.value) ? " " : String(Character(scalar))
            }
        }.joined()
    }
}
