/// The constants, variables, parameters and macros of a source by name, with their scopes.
struct Declarations {
    /// `let name = "…"`
    struct Declaration {
        var name: Range<Int>
        var scope: Int
        /// The value; nil for a parameter, and for a property without one.
        var value: Int?
        /// The first word of the type, if it is written.
        var type: Range<Int>?
        /// True for `var` and for a variable of Objective-C.
        var isVariable: Bool
        var isParameter = false
        /// The function of a parameter, or its part of a selector, and the label of the argument; no label for `_`.
        var function: Range<Int>?
        var label: Range<Int>?
        /// The index among the parameters.
        var position = 0
    }

    /// The start and end offsets of each block.
    private(set) var scopes: [(start: Int, end: Int)] = [(0, .max)]
    private var byName: [Int: [Declaration]] = [:]
    private var assignments: [Int: [Assignment]] = [:]
    /// The properties of Objective-C, which only `self.name` refers to.
    private var properties: [Int: [Declaration]] = [:]
    /// The types whose blocks are in the source, in its order.
    private var types: [(name: Range<Int>, scope: Int)] = []
    private var typeNames: [Int: Range<Int>] = [:]

    /// A value assigned to a name after its declaration; nil for a change such as `name += "…"`.
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

    /// Adds a declaration, or completes one that was added without its value.
    mutating func declare(_ declaration: Declaration, _ bytes: Bytes) {
        let key = Self.key(bytes, declaration.name)
        if byName[key]?.last?.name == declaration.name { byName[key]?.removeLast() }
        byName[key, default: []].append(declaration)
    }

    /// The number of declarations of one name that are searched, so that a source of many takes linear time.
    private static let mostOfOneName = 256

    mutating func declareProperty(_ declaration: Declaration, _ bytes: Bytes) {
        // Two of different types are as good as many: the name has no type.
        let key = Self.key(bytes, declaration.name)
        let known = (properties[key] ?? []).filter { Self.areEqual(bytes, $0.name, declaration.name) }
        let type = declaration.type.map(bytes.text)
        if known.count < 2, !known.contains(where: { $0.type.map(bytes.text) == type }) {
            properties[key, default: []].append(declaration)
        }
    }

    /// The property with a name, unless several of them have different types.
    func property(named name: Range<Int>, _ bytes: Bytes) -> Declaration? {
        let found = (properties[Self.key(bytes, name)] ?? []).filter { Self.areEqual(bytes, $0.name, name) }
        return Set(found.compactMap { $0.type.map(bytes.text) }).count == 1 ? found.first : nil
    }

    mutating func declareType(_ name: Range<Int>, scope: Int) {
        types.append((name, scope))
        typeNames[scope] = name
    }

    /// The property of a type whose block is in the source.
    func member(_ name: Range<Int>, of type: Range<Int>, _ bytes: Bytes) -> Declaration? {
        let named = byName[Self.key(bytes, name)] ?? []
        if named.count > Self.mostOfOneName { return nil }
        let found = named.filter { member in
            Self.areEqual(bytes, member.name, name)
                && typeNames[member.scope].map { Self.areEqual(bytes, $0, type) } ?? false
        }
        return found.count == 1 ? found[0] : nil
    }

    /// The name of the innermost type whose block contains an offset.
    func enclosingType(at offset: Int) -> Range<Int>? {
        types.last { scopes[$0.scope].start <= offset && offset < scopes[$0.scope].end }?.name
    }

    /// The end of the innermost block that contains an offset.
    func scopeEnd(at offset: Int) -> Int {
        scopes.last { $0.start <= offset && offset < $0.end }?.end ?? .max
    }

    mutating func assign(_ name: Range<Int>, value: Int?, _ bytes: Bytes) {
        let key = Self.key(bytes, name)
        guard byName[key] != nil else { return }
        assignments[key, default: []].append(Assignment(offset: name.lowerBound, value: value))
    }

    /// The declaration to which a name refers at an offset: the last one before it in an enclosing block or, if there
    /// is none, the only one in the source.
    func declaration(of name: Range<Int>, at offset: Int, _ bytes: Bytes) -> Declaration? {
        let found = (byName[Self.key(bytes, name)] ?? []).filter { Self.areEqual(bytes, $0.name, name) }
        let visible = found.filter { scopes[$0.scope].start <= offset && offset < scopes[$0.scope].end }
        if let before = visible.last(where: { $0.name.lowerBound < offset && $0.scope > 0 }) { return before }
        if visible.count == 1 { return visible[0] }
        return visible.isEmpty && found.count == 1 ? found[0] : nil
    }

    /// The last declaration of a name before an offset in an enclosing block.
    func visible(_ name: Range<Int>, at offset: Int, _ bytes: Bytes) -> Declaration? {
        (byName[Self.key(bytes, name)] ?? []).suffix(Self.mostOfOneName).last {
            Self.areEqual(bytes, $0.name, name) && scopes[$0.scope].start <= offset && offset < scopes[$0.scope].end
                && $0.name.lowerBound < offset
        }
    }

    /// The changes of a declared name after its declaration, in the same block.
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

/// Reads the parameters of functions and methods, whose scope is the block that follows.
///
/// `func find(named name: String)`, `- (void)find:(NSString *)name`
struct ParameterReader {
    private var found: [Declarations.Declaration] = []
    /// True after `func name` and `init`.
    private var isAwaited = false
    /// The nesting of brackets at the parameter list.
    private var depth: Int?
    /// The parameter whose type comes next, and its label.
    private var name: Range<Int>?
    private var label: Range<Int>?
    /// The name of the function.
    private var function: Range<Int>?
    /// True after `-` or `+` outside all brackets, which begins a method of Objective-C.
    private var isMethod = false
    private var type: Range<Int>?
    private var expectsType = false

    mutating func word(_ token: CodeToken, _ recent: CodeScanner.Recent, _ bytes: Bytes, isSwift: Bool) {
        if isSwift {
            if let name, depth != nil {
                // `[Int]` is a type of which nothing is known.
                let type = recent.one.is(":") ? token.range : nil
                found.append(
                    .init(
                        name: name, scope: 0, value: nil, type: type, isVariable: false, isParameter: true,
                        function: function, label: label, position: found.count))
                self.name = nil
            } else if recent.one.kind == .word, bytes.equals("func", recent.one.range) {
                begin()
                function = token.range
            } else if bytes.equals("init", token.range), !recent.one.is(".") {
                begin()
            }
        } else if isMethod {
            if expectsType {
                type = token.range
                expectsType = false
            } else if recent.one.is(")"), let type {
                found.append(
                    .init(
                        name: token.range, scope: 0, value: nil, type: type, isVariable: false, isParameter: true,
                        function: function, position: found.count))
                self.type = nil
            }
        }
    }

    private mutating func begin() {
        found = []
        isAwaited = true
        depth = nil
        name = nil
        function = nil
    }

    mutating func symbol(_ token: CodeToken, isTopLevel: Bool) {
        if isTopLevel, token.is("-") || token.is("+") {
            found = []
            isMethod = true
            type = nil
        } else if isTopLevel, token.is(";") {
            isMethod = false
        }
    }

    mutating func open(_ recent: CodeScanner.Recent, _ bytes: Bytes, depth: Int) {
        if isAwaited {
            isAwaited = false
            self.depth = depth
        } else if isMethod, recent.one.is(":") {
            expectsType = true
            function = recent.two.kind == .word ? recent.two.range : nil
        }
    }

    mutating func close(depth: Int) {
        if self.depth == depth { self.depth = nil }
    }

    mutating func colon(_ recent: CodeScanner.Recent, _ bytes: Bytes, isSwift: Bool, depth: Int) {
        guard isSwift, let own = self.depth, depth == own + 1, recent.one.kind == .word else { return }
        name = recent.one.range
        label = recent.two.kind == .word ? recent.two.range : recent.one.range
    }

    mutating func reset() {
        found = []
        isAwaited = false
        depth = nil
        isMethod = false
    }

    /// Returns the parameters for a block.
    mutating func take(scope: Int) -> [Declarations.Declaration] {
        guard depth == nil else { return [] }
        isMethod = false
        defer { found = [] }
        return found.map { parameter in
            var parameter = parameter
            parameter.scope = scope
            return parameter
        }
    }
}
