/// The manual page predicate(1): all pages of help in the language of man.
enum ManualPage {
    static var text: String {
        var lines = [
            ".TH PREDICATE 1 \"\" \"predicate \(CommandLineTool.version)\" \"User Commands\"",
            ".SH NAME", "predicate \\- filter data with predicates in the format language of NSPredicate",
            ".SH SYNOPSIS",
        ]
        for usage in Command.allCases.flatMap({ HelpPages.page(of: $0).usage }) {
            lines += [".nf", escaped(usage), ".fi"]
        }
        lines.append(".SH DESCRIPTION")
        lines += blocks(of: HelpPages.overview, ".SS")
        for command in Command.allCases {
            lines.append(".SH PREDICATE \(command.rawValue.uppercased())")
            lines += blocks(of: HelpPages.page(of: command), ".SS")
        }
        lines += [".SH FILES", ".TP", "~/.predicate_history", "Lines of interactive sessions."]
        lines += [".SH SEE ALSO", ".BR grep (1),", ".BR jq (1),", ".BR sqlite3 (1)"]
        return lines.map { $0 + "\n" }.joined()
    }

    private static func blocks(of page: HelpLayout, _ heading: String) -> [String] {
        page.blocks.flatMap { block in
            switch block {
            case .paragraph(let text): [".PP", escaped(text)]
            case .lines(let title, let lines): ["\(heading) \(title)", ".nf"] + lines.map(escaped) + [".fi"]
            case .rows(let title, let rows):
                ["\(heading) \(title)"] + rows.flatMap { [".TP", ".B \(escaped($0.0.trimmed))", escaped($0.1)] }
            }
        }
    }

    /// Returns a line in which nothing is an instruction of man.
    private static func escaped(_ line: String) -> String {
        let text = line.map { character -> String in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "\"": "\\(dq"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "`": "\\(ga"
            default: String(character)
            }
        }.joined()
        return text.hasPrefix(".") ? "\\&" + text : text
    }
}
