/// The names of the types that a source of Swift declares or extends, and of its functions, found by their keywords.
///
/// `public final class Person: Base {`, `extension Shop.Item {`
///
/// Only hashes are kept, so the names of all sources of a project take little memory.
struct DeclaredNames: Sendable {
    private var hashes: Set<Int> = []
    /// The hashes of the names of functions, one for each declaration.
    private(set) var functions: [UInt32] = []

    /// How far before a keyword its line may begin.
    private static let reach = 256

    /// Notes the type whose keyword is at an offset.
    mutating func noteType(at offset: Int, _ bytes: Bytes) {
        let line = bytes.lineStart(before: offset, reach: Self.reach)
        guard line == 0 || bytes[line - 1].isNewline,
            let name = Self.name(from: bytes.blankEnd(from: line), bytes)
        else { return }
        hashes.insert(Self.hash(bytes[name]))
    }

    /// Notes the function whose name follows.
    mutating func noteFunction(at offset: Int, _ bytes: Bytes) {
        let start = bytes.blankEnd(from: offset)
        let name = start..<bytes.nameEnd(from: start)
        if !name.isEmpty { functions.append(Self.shortHash(bytes[name])) }
    }

    static func shortHash(_ name: some Sequence<UInt8>) -> UInt32 { UInt32(truncatingIfNeeded: hash(name)) }

    var isEmpty: Bool { hashes.isEmpty }

    /// The hashes of all names.
    var all: Set<Int> { hashes }

    static func hash(_ name: some Sequence<UInt8>) -> Int {
        name.reduce(5381) { ($0 << 5) &+ $0 &+ Int($1) }
    }

    // MARK: Lines

    /// The maximum number of words up to the keyword.
    private static let mostWords = 6

    private static func name(from start: Int, _ bytes: Bytes) -> Range<Int>? {
        var offset = start
        for _ in 0..<mostWords {
            let isAttribute = bytes[offset] == UInt8(ascii: "@")
            guard isAttribute || mayBegin(bytes[offset]) else { return nil }
            let end = bytes.nameEnd(from: isAttribute ? offset + 1 : offset)
            let word = offset..<end
            offset = bytes.blankEnd(from: end)
            if isKeyword(word, bytes) { return lastName(from: offset, bytes) }
            guard isAttribute || isModifier(word, bytes) else { return nil }
        }
        return nil
    }

    /// `Item` of `Shop.Item`
    private static func lastName(from start: Int, _ bytes: Bytes) -> Range<Int>? {
        var name = start..<bytes.nameEnd(from: start)
        while bytes[name.upperBound] == UInt8(ascii: ".") {
            name = name.upperBound + 1..<bytes.nameEnd(from: name.upperBound + 1)
        }
        return name.isEmpty ? nil : name
    }

    /// True for the first letter of a keyword or modifier.
    private static func mayBegin(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "e"), UInt8(ascii: "f"), UInt8(ascii: "i"),
            UInt8(ascii: "n"), UInt8(ascii: "o"), UInt8(ascii: "p"), UInt8(ascii: "s"):
            true
        default: false
        }
    }

    private static let keywords: [StaticString] = ["class", "struct", "extension", "enum", "actor"]
    private static let modifiers: [StaticString] = [
        "public", "final", "private", "open", "internal", "fileprivate", "package", "indirect", "nonisolated",
    ]

    private static func isKeyword(_ word: Range<Int>, _ bytes: Bytes) -> Bool {
        keywords.contains { bytes.equals($0, word) }
    }

    private static func isModifier(_ word: Range<Int>, _ bytes: Bytes) -> Bool {
        modifiers.contains { bytes.equals($0, word) }
    }
}

/// The members that findings about a source depend on and that other sources may declare.
final class NeededMembers {
    private(set) var all: Set<NeededMember> = []
    private var own: SourceTypes?
    /// The maximum number of members for one source.
    private static let most = 1000

    func note(_ member: NeededMember) {
        if all.count < Self.most { all.insert(member) }
    }

    /// The types of the source itself.
    func ownTypes(_ bytes: Bytes) -> SourceTypes {
        let types = own ?? SourceTypes(bytes).resolved()
        own = types
        return types
    }
}

/// A member of a type by name: `age` of `Search`
package struct NeededMember: Hashable, Sendable {
    var type: String
    var name: String
}
