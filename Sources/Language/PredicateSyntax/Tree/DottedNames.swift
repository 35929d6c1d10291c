/// Names that may contain dots, at the beginning of key paths: `sum_dept.size`. They are compared by code points. [NSP-010]
package struct DottedNames {
    private let names: Set<ExactName>
    /// The numbers of keys in the names.
    private let lengths: Set<Int>

    package init(_ names: some Sequence<String>) {
        self.names = Set(names.map(ExactName.init))
        lengths = Set(self.names.map { Self.length($0.text) })
    }

    private static func length(_ name: String) -> Int { 1 + name.utf8.count { $0 == UInt8(ascii: ".") } }

    package var isEmpty: Bool { names.isEmpty }

    package func contains(_ name: String) -> Bool { names.contains(ExactName(name)) }

    /// Returns the longest name that the first keys of a path spell, and the number of these keys; nil if there is none.
    package func longest(at keys: [String]) -> (name: String, count: Int)? {
        var length = keys.reduce(0) { $0 + Self.length($1) }
        for count in stride(from: keys.count, to: 0, by: -1) {
            if lengths.contains(length) {
                let name = keys.prefix(count).joined(separator: ".")
                if contains(name) { return (name, count) }
            }
            length -= Self.length(keys[count - 1])
        }
        return nil
    }
}
