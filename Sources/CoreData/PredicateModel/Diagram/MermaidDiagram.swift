/// A class diagram of Mermaid.
///
/// Its grammar has no quoting inside members and labels: colons, brackets, tildes, parentheses and even some words have
/// a meaning there. Every character of a name but letters, digits and `_` is therefore written as an entity code,
/// `#58;`, which Mermaid replaces before it reads the text.
struct MermaidDiagram {
    private let diagram: ModelDiagram

    init(_ diagram: ModelDiagram) {
        self.diagram = diagram
    }

    var text: String {
        let lines = ["classDiagram"] + diagram.entities.flatMap(box) + diagram.lines.map(line)
        return lines.map { $0 + "\n" }.joined()
    }

    private func box(_ entity: DiagramEntity) -> [String] {
        let head = "    class E\(entity.number)[\"\(Self.escaped(entity.name))\"]"
        let members =
            (entity.isAbstract ? ["<<abstract>>"] : [])
            + entity.attributes.map { "\(Self.escaped($0.name)): \(Self.type($0.type))" }
        return members.isEmpty ? [head] : [head + " {"] + members.map { "        " + $0 } + ["    }"]
    }

    private func line(_ line: DiagramLine) -> String {
        switch line.kind {
        case .inheritance: return "    E\(line.from) <|-- E\(line.to)"
        case .relationship(let end, nil):
            return "    E\(line.from) --> \"\(end.cardinality)\" E\(line.to) : \(end.words(Self.escaped))"
        case .relationship(let end, let inverse?):
            let label = "\(end.words(Self.escaped)) / \(inverse.words(Self.escaped))"
            return "    E\(line.from) \"\(inverse.cardinality)\" -- \"\(end.cardinality)\" E\(line.to) : \(label)"
        }
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
}
