/// A diagram in the language of Graphviz.
///
/// Boxes are HTML-like labels, whose text is escaped as in XML; all other strings are quoted.
struct DotDiagram {
    private let diagram: ModelDiagram

    init(_ diagram: ModelDiagram) {
        self.diagram = diagram
    }

    var text: String {
        let lines =
            [
                "digraph model {", "    graph [rankdir=LR];",
                "    node [shape=plain, fontname=\"Helvetica\", fontsize=10];",
                "    edge [fontname=\"Helvetica\", fontsize=9];",
            ] + diagram.entities.map(box) + diagram.lines.map(line) + ["}"]
        return lines.map { $0 + "\n" }.joined()
    }

    private func box(_ entity: DiagramEntity) -> String {
        let name = Self.escaped(entity.name)
        let title = entity.isAbstract ? "<i>\(name)</i>" : "<b>\(name)</b>"
        let rows = entity.attributes.map {
            "<tr><td align=\"left\">\(Self.escaped("\($0.name): \($0.type)"))</td></tr>"
        }
        let table = "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\">"
        return "    e\(entity.number) [label=<\(table)<tr><td>\(title)</td></tr>\(rows.joined())</table>>];"
    }

    private func line(_ line: DiagramLine) -> String {
        let ends = "    e\(line.from) -> e\(line.to)"
        switch line.kind {
        case .inheritance: return "\(ends) [dir=back, arrowtail=empty];"
        case .relationship(let end, let inverse):
            let label = [end.words(), inverse?.words()].compactMap(\.self).joined(separator: " / ")
            var attributes = [
                "label=\(Self.quoted(label))", "headlabel=\(Self.quoted(end.cardinality))",
                "arrowhead=\(Self.arrow(end))",
            ]
            if let inverse {
                let tail = Self.quoted(inverse.cardinality)
                attributes += ["taillabel=\(tail)", "arrowtail=\(Self.arrow(inverse))", "dir=both"]
            }
            return "\(ends) [\(attributes.joined(separator: ", "))];"
        }
    }

    private static func arrow(_ end: DiagramEnd) -> String { end.isToMany ? "crow" : "tee" }

    /// Text of an HTML-like label: no tags, no entities, no line breaks.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case _ where scalar.isControl: result += "\u{FFFD}"
            default: result += scalar.xmlEntity ?? String(scalar)
            }
        }
        return result
    }

    /// A quoted string, in which a backslash would otherwise begin an escape such as `\N`, the name of the node, and
    /// `&` a character reference.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "&": result += "&amp;"
            default: result.unicodeScalars.append(scalar.isControl ? "\u{FFFD}" : scalar)
            }
        }
        return result + "\""
    }
}

extension Unicode.Scalar {
    /// True for control characters and for the separators that some programs read as line breaks.
    var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
