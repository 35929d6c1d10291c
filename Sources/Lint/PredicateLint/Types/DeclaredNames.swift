/// The names of the types that a source of Swift declares or extends, and of its functions, found by their keywords.
///
/// `public final class Person: Base {`, `extension Shop.Item {`
///
/// Only hashes are kept, so the names of all sources of a project take little memory.
struct DeclaredNames: Sendable {
    /// The hashes of all names.
    private(set) var all: Set<Int> = []
    /// The hashes of the names of functions, one for each declaration.
    private(set) var functions: [UInt32] = []

    /// Notes the type whose keyword is at an offset: `Item` of `extension Shop.Item {`. A word of a comment may be noted too.
    ///
    /// `mark` tells the names of types from those of constants and of other names of types.
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

    /// Notes the function whose name follows.
    mutating func noteFunction(at offset: Int, _ bytes: Bytes) {
        let start = bytes.blankEnd(from: offset)
        let name = start..<bytes.nameEnd(from: start)
        if !name.isEmpty { functions.append(Self.shortHash(bytes[name])) }
    }

    /// The marks of the names of constants outside types, and of other names of types.
    static let constant = 0x5A5A, alias = 0xA5A5

    static func shortHash(_ name: some Sequence<UInt8>) -> UInt32 { UInt32(truncatingIfNeeded: hash(name)) }

    static func hash(_ name: some Sequence<UInt8>) -> Int {
        name.reduce(5381) { ($0 << 5) &+ $0 &+ Int($1) }
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

    /// The name that stands for what a type is another name of.
    static let alias = "typealias"
    /// The name that stands for all members of a type.
    static let whole = "class"
}
