/// The names of the generic parameters that a source declares: `func find<User>(…)`, `struct Box<Item: Hashable> {`.
///
/// Their scope is ignored: a type of the project with such a name is not looked up anywhere in the source.
enum GenericNames {
    /// The maximum length of a list of parameters in bytes.
    private static let reach = 512

    static func all(in bytes: Bytes) -> Set<String> {
        var (names, offset): (Set<String>, Int) = ([], 0)
        while let open = bytes.firstOffset(ofByte: UInt8(ascii: "<"), from: offset) {
            offset = open + 1
            if bytes.declares(open) { add(from: open + 1, bytes, &names) }
        }
        return names
    }

    /// Adds the names after the bracket and after its commas.
    private static func add(from start: Int, _ bytes: Bytes, _ names: inout Set<String>) {
        var (offset, depth, expectsName) = (start, 1, true)
        while depth > 0, offset < min(bytes.count, start + reach) {
            let end = bytes.nameEnd(from: offset)
            if end > offset, !bytes.equals("each", offset..<end) {
                if expectsName { names.insert(bytes.text(offset..<end)) }
                expectsName = false
            }
            switch bytes[end] {
            case UInt8(ascii: "<"), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ">"), UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: ","): expectsName = depth == 1
            default: break
            }
            offset = end + 1
        }
    }
}

extension Bytes {
    /// True after `init`, and after the name in a declaration: `func find`, `struct Box`.
    fileprivate func declares(_ offset: Int) -> Bool {
        let name = word(before: offset)
        guard !name.isEmpty else { return false }
        if equals("init", name) { return true }
        var end = name.lowerBound
        while end > 0, self[end - 1].isBlank { end -= 1 }
        let keyword = word(before: end)
        let keywords: [StaticString] = ["func", "struct", "class", "enum", "actor", "typealias"]
        return end < name.lowerBound && keywords.contains { equals($0, keyword) }
    }

    private func word(before end: Int) -> Range<Int> {
        var start = end
        while start > 0, end - start < 128, self[start - 1].isName { start -= 1 }
        return start..<end
    }
}
