/// The blocks of a source, each with the type that it belongs to. The first one is the source itself.
struct Scopes {
    struct Scope {
        var start: Int
        var end = Int.max
        /// The name of the type whose block this is.
        var ownType: Range<Int>?
        /// The name of the innermost type whose block contains this one, or is this one.
        var type: Range<Int>?
        /// The scope around this one.
        var parent: Int?

        func contains(_ offset: Int) -> Bool { start <= offset && offset < end }
    }

    private var all = [Scope(start: 0)]
    /// The scopes that are open while the source is scanned, innermost last.
    private var stack = [0]
    /// The offsets at which the innermost scope changes, in order.
    private var changes: [(offset: Int, scope: Int)] = [(0, 0)]

    subscript(_ scope: Int) -> Scope { all[scope] }

    mutating func open(at offset: Int) -> Int {
        all.append(Scope(start: offset, type: all[stack.last ?? 0].type, parent: stack.last))
        stack.append(all.count - 1)
        note(offset)
        return all.count - 1
    }

    mutating func close(_ scope: Int, at offset: Int) {
        guard scope > 0, let index = stack.lastIndex(of: scope) else { return }
        all[scope].end = offset
        stack.remove(at: index)
        note(offset)
    }

    private mutating func note(_ offset: Int) {
        changes.append((max(offset, changes.last?.offset ?? 0), stack.last ?? 0))
    }

    mutating func name(_ scope: Int, type: Range<Int>) {
        all[scope].ownType = type
        all[scope].type = type
    }

    /// The innermost scope that contains an offset.
    func innermost(at offset: Int) -> Scope { all[index(at: offset)] }

    /// The index of the innermost scope that contains an offset.
    func index(at offset: Int) -> Int { changes[max(changes.firstIndex(from: offset + 1, \.offset) - 1, 0)].scope }
}
