/// The attributes of an element of a model file, taken one by one: what is left is for an editor.
struct ModelFields {
    private let element: XMLElementNode
    private(set) var rest: [String: String]

    init(_ element: XMLElementNode) {
        self.element = element
        rest = Dictionary(element.attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func text(_ name: String) -> String? { rest.removeValue(forKey: name) }

    /// A text that is nil where it is empty.
    mutating func name(_ name: String) -> String? {
        text(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func requiredText(_ name: String) throws(ModelError) -> String {
        let value = try element.required(name)
        rest[name] = nil
        return value
    }

    /// `YES` or `NO`; `NO` where there is none.
    mutating func flag(_ name: String, default absent: Bool = false) throws(ModelError) -> Bool {
        guard let word = text(name) else { return absent }
        switch word.uppercased() {
        case "YES", "TRUE", "1": return true
        case "NO", "FALSE", "0", "": return false
        default: throw invalid(word, name, "YES or NO")
        }
    }

    mutating func integer(_ name: String) throws(ModelError) -> Int? {
        guard let word = self.name(name) else { return nil }
        guard let number = Int(word) else { throw invalid(word, name, "a whole number") }
        return number
    }

    mutating func number(_ name: String) throws(ModelError) -> Double? {
        guard let word = self.name(name) else { return nil }
        guard let number = Double(word) else { throw invalid(word, name, "a number") }
        return number
    }

    private func invalid(_ value: String, _ name: String, _ expected: String) -> ModelError {
        ModelError(.invalidValue(String(value.prefix(60)), attribute: name, expected: expected), at: element.place)
    }
}
