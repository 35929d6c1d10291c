/// A name as the language compares it, by its code points: `é` in one and `é` in two are two variables. [NSP-010]
package struct ExactName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.hasSameCodePoints(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        text.hashCodePoints(into: &hasher)
    }
}

extension Dictionary where Key == String {
    /// The value under just these code points; a key that is only canonically equivalent is another one.
    package subscript(exactly name: String) -> Value? {
        guard let index = index(forKey: name), self[index].key.hasSameCodePoints(as: name) else { return nil }
        return self[index].value
    }
}

extension [String] {
    /// The strings in ascending order: the one place that sorts text, so that the sort is compiled once.
    @inline(never)
    package func inOrder() -> [String] { sorted() }
}
