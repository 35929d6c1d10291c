/// The text of a diagram, a class diagram of Mermaid.
///
/// The grammar of Mermaid has no quoting inside members and labels: colons, brackets, tildes, parentheses and even some words
/// have a meaning there. Every character of a name but letters, digits and `_` is therefore written as an entity code,
/// `#58;`, which Mermaid replaces before it reads the text.
extension ModelDiagram {
    /// The text of the diagram, which ends with a line break.
    public var text: String {
        let written = ["classDiagram"] + entities.flatMap(Self.box) + lines.map(Self.line)
        return written.map { $0 + "\n" }.joined()
    }

    private static func box(_ entity: DiagramEntity) -> [String] {
        let head = "    class E\(entity.number)[\"\(escaped(entity.name))\"]"
        let members =
            (entity.isAbstract ? ["<<abstract>>"] : [])
            + entity.attributes.map { "\(escaped($0.name)): \(type($0.type))" }
        return members.isEmpty ? [head] : [head + " {"] + members.map { "        " + $0 } + ["    }"]
    }

    private static func line(_ line: DiagramLine) -> String {
        switch line.kind {
        case .inheritance: return "    E\(line.from) <|-- E\(line.to)"
        case .relationship(let end, nil):
            return "    E\(line.from) --> \"\(end.cardinality)\" E\(line.to) : \(words(end))"
        case .relationship(let end, let inverse?):
            let label = "\(words(end)) / \(words(inverse))"
            return "    E\(line.from) \"\(inverse.cardinality)\" -- \"\(end.cardinality)\" E\(line.to) : \(label)"
        }
    }

    /// `books (Cascade, ordered)`
    private static func words(_ end: DiagramEnd) -> String {
        "\(escaped(end.name)) (\(end.deleteRule)\(end.isOrdered ? ", ordered" : ""))"
    }

    /// `Integer 16?, derived`: spaces, commas and question marks have no special meaning in a member.
    private static func type(_ text: String) -> String {
        text.unicodeScalars.map { " ,?".unicodeScalars.contains($0) ? String($0) : escaped(String($0)) }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isWordCharacter {
                result.unicodeScalars.append(scalar)
            } else {
                result += "#\(scalar.isControl ? 0xFFFD : scalar.value);"
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// True for letters, digits, marks and `_`.
    fileprivate var isWordCharacter: Bool {
        self == "_" || properties.isAlphabetic || properties.numericType != nil || properties.isGraphemeExtend
    }

    /// True for control characters and for the separators that some programs read as line breaks.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
