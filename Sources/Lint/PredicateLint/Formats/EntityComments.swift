/// The comments that name the entity of the predicates on their line and on the next one.
///
/// `// predicate:entity Person`
struct EntityComments {
    private static let mark: StaticString = "predicate:entity "

    private var names: [Int: String] = [:]
    private var lines: LineTable?

    init(_ bytes: Bytes) {
        var start = 0
        while let found = bytes.firstOffset(of: Self.mark, from: start) {
            let lines = lines ?? LineTable(bytes)
            self.lines = lines
            let name = bytes.blankEnd(from: found + Self.mark.utf8CodeUnitCount)
            start = bytes.nameEnd(from: name)
            let line = lines.place(of: found).line
            if start > name, names[line] == nil { names[line] = bytes.text(name..<start) }
        }
    }

    /// The entity of a predicate at an offset, from the comment on the line before or else on its own line.
    func name(near offset: Int) -> String? {
        guard let line = lines?.place(of: offset).line else { return nil }
        return names[line - 1] ?? names[line]
    }
}
