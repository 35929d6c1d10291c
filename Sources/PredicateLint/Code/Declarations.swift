/// The constants, variables, parameters and macros of a source, by name, with the blocks in which they are known.
struct Declarations {
    /// `let name = "…"`
    struct Declaration {
        var name: Range<Int>
        var scope: Int
        /// The value; nil for a parameter.
        var value: Int?
        /// The first word of the type, if it is written.
        var type: Range<Int>?
        /// `var`, a variable of Objective-C
        var isVariable: Bool
    }

    /// The offsets at which a block begins and ends.
    private(set) var scopes: [(start: Int, end: Int)] = [(0, .max)]
    private var byName: [Int: [Declaration]] = [:]
    private var assignments: [Int: [Assignment]] = [:]

    /// A value that is given to a name after its declaration; nil for a change that is no assignment: `name += "…"`.
    struct Assignment {
        var offset: Int
        var value: Int?
    }

    mutating func open(at offset: Int) -> Int {
        scopes.append((offset, .max))
        return scopes.count - 1
    }

    mutating func close(_ scope: Int, at offset: Int) {
        guard scope > 0, scope < scopes.count else { return }
        scopes[scope].end = offset
    }

    mutating func declare(_ declaration: Declaration, _ bytes: Bytes) {
        byName[Self.key(bytes, declaration.name), default: []].append(declaration)
    }

    mutating func assign(_ name: Range<Int>, value: Int?, _ bytes: Bytes) {
        let key = Self.key(bytes, name)
        guard byName[key] != nil else { return }
        assignments[key, default: []].append(Assignment(offset: name.lowerBound, value: value))
    }

    /// The declaration that a name means at an offset: the last one before it in the blocks around it, or else the only one.
    func declaration(of name: Range<Int>, at offset: Int, _ bytes: Bytes) -> Declaration? {
        let found = (byName[Self.key(bytes, name)] ?? []).filter { Self.areEqual(bytes, $0.name, name) }
        let visible = found.filter { scopes[$0.scope].start <= offset && offset < scopes[$0.scope].end }
        if let before = visible.last(where: { $0.name.lowerBound < offset && $0.scope > 0 }) { return before }
        if visible.count == 1 { return visible[0] }
        return visible.isEmpty && found.count == 1 ? found[0] : nil
    }

    /// The changes of a declared name after its declaration, in its block.
    func assignments(to declaration: Declaration, _ bytes: Bytes) -> [Assignment] {
        let scope = scopes[declaration.scope]
        return (assignments[Self.key(bytes, declaration.name)] ?? []).filter {
            $0.offset > declaration.name.lowerBound && scope.start <= $0.offset && $0.offset < scope.end
        }
    }

    private static func key(_ bytes: Bytes, _ name: Range<Int>) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes[name] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int(truncatingIfNeeded: hash)
    }

    private static func areEqual(_ bytes: Bytes, _ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.count == right.count && bytes[left].elementsEqual(bytes[right])
    }
}
