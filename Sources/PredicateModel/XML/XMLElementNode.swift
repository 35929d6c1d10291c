/// An element of an XML document, with its attributes, its children and its own text.
struct XMLElementNode: Sendable {
    var name: String
    var attributes: [(name: String, value: String)] = []
    var children: [XMLElementNode] = []
    /// The text directly inside, without that of children.
    var text = ""
    var line: Int
    var column: Int

    var place: ModelPlace { ModelPlace(line: line, column: column) }

    /// The value of an attribute.
    subscript(_ name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// The value of an attribute that must be there.
    func required(_ name: String) throws(ModelError) -> String {
        guard let value = self[name] else {
            throw ModelError(.missingAttribute(name, element: self.name), at: place)
        }
        return value
    }

    func children(named name: String) -> [XMLElementNode] { children.filter { $0.name == name } }
}
