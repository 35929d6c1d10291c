/// The constants, variables, parameters and macros of a source by name, with their scopes.
struct Declarations {
    /// `let name = "…"`
    struct Declaration {
        var name: Range<Int>
        var scope: Int
        /// The value; nil for a parameter, and for a property without one.
        var value: Int?
        /// The default value of a parameter.
        var standard: Int?
        /// The first word of the type, if it is written, and the offset at which the whole type begins.
        var type: Range<Int>?
        var typeStart: Int?
        /// True for `var` and for a variable of Objective-C.
        var isVariable = false
        var isParameter = false
        /// True for a name that a closure, a loop or a pattern binds. For a loop, the value is the list.
        var isBound = false
        /// True for `if let name = value` and `guard let name`, whose value is not nil.
        var isUnwrapped = false
        /// The function, or the part of a selector, that a parameter belongs to, and the label of its argument; nil for `_`.
        var function: Range<Int>?
        var label: Range<Int>?
        /// The index among the parameters.
        var position = 0
        /// The index in a pattern: 1 for `value` in `(key, value)`.
        var part: Int?
        /// `open` in `case .open(let name)`; the value is the one that is matched.
        var enumCase: Range<Int>?
        /// The offset of the brace of the closure whose parameter this is.
        var closure: Int?

        /// True for the parameter of an initializer that takes a literal of the source: `init(stringLiteral value: String)`
        func isLiteral(_ bytes: Bytes) -> Bool {
            label.map { Self.literals.contains(bytes.text($0)) } ?? false
        }

        private static let literals: Set<String> = [
            "stringLiteral", "extendedGraphemeClusterLiteral", "unicodeScalarLiteral",
        ]
    }

    var scopes = Scopes()
    private var byName: [String: Named] = [:]
    /// The properties of Objective-C, which are referred to as `self.name` only.
    private var properties: [String: [Declaration]] = [:]

    /// For each name of a generic parameter, the blocks in which it is one.
    private var generics: [String: [Int]] = [:]
    /// The blocks of functions and computed properties by name.
    private var bodies: [String: [Int]] = [:]

    /// The names of functions and computed properties by the scopes of their blocks.
    private var functions: [Int: Range<Int>] = [:]
    /// The offsets of the result types of functions by name.
    private var results: [String: [Int]] = [:]

    /// All declarations of one name, and the assignments to it, in the order of the source.
    private struct Named {
        var outside: [Declaration] = []
        /// The declarations in blocks.
        var inside: [Declaration] = []
        /// The names that closures, loops and patterns bind.
        var bound: [Declaration] = []
        var assignments: [Assignment] = []
    }

    /// A change of a name after its declaration: `name = "…"`, `name += "…"`, `name.append("…")`.
    struct Assignment {
        var offset: Int
        /// The start of the new value or of the added one: the operand of `+=`, or the whole call of a method.
        var value: Int
        /// True if the value is added to the old one.
        var isAddition = false
    }

    /// The number of declarations of one name that are searched on either side of an offset, so that the time stays linear for
    /// a source that declares a name many times.
    private static let mostOfOneName = 256

    /// Adds a declaration, or completes one that was added without its value.
    mutating func declare(_ declaration: Declaration, _ bytes: Bytes) {
        let name = bytes.text(declaration.name)
        if declaration.isBound {
            byName[name, default: Named()].bound.put(declaration)
        } else if declaration.scope == 0 {
            byName[name, default: Named()].outside.put(declaration)
        } else {
            byName[name, default: Named()].inside.put(declaration)
        }
    }

    /// Adds the generic parameters of a function or type, which are valid in its block: `func find<User>(…) {`.
    mutating func declareGenerics(_ names: [Range<Int>], scope: Int, _ bytes: Bytes) {
        for name in names { generics[bytes.text(name), default: []].append(scope) }
    }

    /// True for a name that is a generic parameter anywhere in the source, and so not a type of the project.
    func isGeneric(_ name: String) -> Bool { generics[name] != nil }

    func isGeneric(_ name: String, at offset: Int) -> Bool {
        generics[name]?.contains { scopes[$0].contains(offset) } ?? false
    }

    mutating func declareProperty(_ declaration: Declaration, _ bytes: Bytes) {
        // Two properties of different types are enough to show that the name has no single type.
        let name = bytes.text(declaration.name)
        let known = properties[name] ?? []
        let type = declaration.type.map(bytes.text)
        if known.count < 2, !known.contains(where: { $0.type.map(bytes.text) == type }) {
            properties[name, default: []].append(declaration)
        }
    }

    /// The property with a name, unless several of them have different types.
    func property(named name: Range<Int>, _ bytes: Bytes) -> Declaration? {
        let found = properties[bytes.text(name)] ?? []
        return Set(found.compactMap { $0.type.map(bytes.text) }).count == 1 ? found.first : nil
    }

    /// The property of a type whose block is in this source.
    func member(_ name: Range<Int>, of type: String, _ bytes: Bytes) -> Declaration? {
        let named = byName[bytes.text(name)]?.inside ?? []
        guard named.count <= Self.mostOfOneName else { return nil }
        let found = named.filter { scopes[$0.scope].ownType.map(bytes.text) == type }
        return found.count == 1 ? found[0] : nil
    }

    mutating func assign(_ name: Range<Int>, value: Int, isAddition: Bool = false, _ bytes: Bytes) {
        byName[bytes.text(name)]?.assignments.append(
            Assignment(offset: name.lowerBound, value: value, isAddition: isAddition))
    }

    /// Notes the block of a function or of a computed property.
    mutating func declareBody(of name: Range<Int>, scope: Int, _ bytes: Bytes) {
        bodies[bytes.text(name), default: []].append(scope)
        functions[scope] = name
    }

    /// The name of the function or computed property whose block contains an offset.
    func function(at offset: Int) -> Range<Int>? {
        var scope: Int? = scopes.index(at: offset)
        while let own = scope, functions[own] == nil { scope = scopes[own].parent }
        return scope.flatMap { functions[$0] }
    }

    mutating func declareResult(of name: Range<Int>, at offset: Int, _ bytes: Bytes) {
        results[bytes.text(name), default: []].append(offset)
    }

    /// The offset of the result type of the only function with a name.
    func result(of name: Range<Int>, _ bytes: Bytes) -> Int? {
        let found = results[bytes.text(name)] ?? []
        return found.count == 1 ? found[0] : nil
    }

    func declaresFunction(_ name: Range<Int>, _ bytes: Bytes) -> Bool {
        bodies[bytes.text(name)] != nil || results[bytes.text(name)] != nil
    }

    /// The block of the only function or computed property with a name.
    func body(of name: Range<Int>, _ bytes: Bytes) -> Range<Int>? {
        guard let found = bodies[bytes.text(name)], found.count == 1 else { return nil }
        let scope = scopes[found[0]]
        return scope.end < .max ? scope.start + 1..<max(scope.start + 1, scope.end) : nil
    }

    /// The declaration to which a name refers at an offset: the last one before it in an enclosing block or, if there
    /// is none, the only one in the source.
    func declaration(of name: Range<Int>, at offset: Int, _ bytes: Bytes) -> Declaration? {
        guard let named = byName[bytes.text(name)] else { return nil }
        let index = named.inside.firstIndex(from: offset)
        let before = lastVisible(named.inside[..<index], at: offset)
        if let last = Self.later(before, lastVisible(named.bound.before(offset), at: offset)) { return last }
        let later = named.inside[index...].prefix(Self.mostOfOneName).filter { scopes[$0.scope].contains(offset) }
        let visible = named.outside.prefix(2) + later.prefix(2)
        if visible.isEmpty, named.inside.count == 1 { return named.inside[0] }
        return visible.count == 1 ? visible.first : nil
    }

    /// The last declaration of a name before an offset in an enclosing block.
    func visible(_ name: Range<Int>, at offset: Int, _ bytes: Bytes) -> Declaration? {
        guard let named = byName[bytes.text(name)] else { return nil }
        let inside = lastVisible(named.inside.before(offset), at: offset)
        let bound = lastVisible(named.bound.before(offset), at: offset)
        return Self.later(Self.later(inside, named.outside.before(offset).last), bound)
    }

    private static func later(_ first: Declaration?, _ second: Declaration?) -> Declaration? {
        guard let first, let second else { return first ?? second }
        return first.name.lowerBound > second.name.lowerBound ? first : second
    }

    private func lastVisible(_ declarations: ArraySlice<Declaration>, at offset: Int) -> Declaration? {
        declarations.suffix(Self.mostOfOneName).last { scopes[$0.scope].contains(offset) }
    }

    /// The assignments to a declared name after its declaration, in the same block, and between two offsets.
    func assignments(
        to declaration: Declaration, between lower: Int = 0, and upper: Int = .max, _ bytes: Bytes
    ) -> ArraySlice<Assignment> {
        let all = byName[bytes.text(declaration.name)]?.assignments ?? []
        let scope = scopes[declaration.scope]
        let start = all.firstIndex(from: max(declaration.name.upperBound, scope.start, lower), \.offset)
        return all[start..<max(start, all.firstIndex(from: min(scope.end, upper), \.offset))]
    }
}

extension [Declarations.Declaration] {
    func firstIndex(from offset: Int) -> Int { firstIndex(from: offset, \.name.lowerBound) }

    /// The declarations before an offset.
    fileprivate func before(_ offset: Int) -> ArraySlice<Declarations.Declaration> { self[..<firstIndex(from: offset)] }

    /// Adds a declaration in the order of the source, or replaces the one at its place.
    fileprivate mutating func put(_ declaration: Declarations.Declaration) {
        let index = firstIndex(from: declaration.name.lowerBound)
        if index < count, self[index].name == declaration.name {
            self[index] = declaration
        } else {
            insert(declaration, at: index)
        }
    }
}
