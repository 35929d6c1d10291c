/// The names of the types that a Swift source declares or extends, and of its functions, found by their keywords.
///
/// `public final class Person: Base {`, `extension Shop.Item {`
///
/// Only hashes are kept, so that the names in all sources of a project take little memory.
struct DeclaredNames: Sendable {
    /// The hashes of all names.
    private(set) var all: Set<Int> = []
    /// The hashes of the names of functions, one for each declaration.
    private(set) var functions: [UInt32] = []

    /// Records the type whose keyword is at an offset: `Item` of `extension Shop.Item {`. It may be a word of a comment.
    ///
    /// `mark` distinguishes names of types from names of constants and from type aliases.
    mutating func noteType(after keyword: Range<Int>, mark: Int = 0, _ bytes: Bytes) {
        let start = bytes.blankEnd(from: keyword.upperBound)
        guard start > keyword.upperBound || bytes[start - 1].isBlank, !bytes[keyword.lowerBound - 1].isName else {
            return
        }
        var name = start..<bytes.nameEnd(from: start)
        while bytes[name.upperBound] == UInt8(ascii: ".") {
            name = name.upperBound + 1..<bytes.nameEnd(from: name.upperBound + 1)
        }
        if !name.isEmpty { all.insert(Self.hash(bytes[name]) ^ mark) }
    }

    /// Records the function whose name follows an offset.
    mutating func noteFunction(at offset: Int, _ bytes: Bytes) {
        let start = bytes.blankEnd(from: offset)
        let name = start..<bytes.nameEnd(from: start)
        if !name.isEmpty { functions.append(Self.shortHash(bytes[name])) }
    }

    /// The marks for names of constants outside all types, and for type aliases.
    static let constant = 0x5A5A, alias = 0xA5A5

    static func shortHash(_ name: some Sequence<UInt8>) -> UInt32 { UInt32(truncatingIfNeeded: hash(name)) }

    static func hash(_ name: some Sequence<UInt8>) -> Int {
        name.reduce(5381) { ($0 << 5) &+ $0 &+ Int($1) }
    }
}

/// The members that other sources may declare and that findings about a source depend on.
final class NeededMembers {
    private(set) var all: Set<NeededMember> = []
    private var own: SourceTypes?
    /// The maximum number of members for one source.
    private static let most = 1000

    func note(_ member: NeededMember) {
        if all.count < Self.most { all.insert(member) }
    }

    /// The types of the source itself.
    func ownTypes(_ source: CodeScanner) -> SourceTypes {
        let types = own ?? SourceTypes(source).resolved()
        own = types
        return types
    }
}

/// A member of a type by name: `age` of `Search`
package struct NeededMember: Hashable, Sendable {
    /// Empty for a function or constant outside all types
    var type: String
    var name: String

    /// The name of the member that represents the type for which a type alias stands.
    static let alias = "typealias"
    /// The name of the member that represents all members of a type.
    static let whole = "class"
}
