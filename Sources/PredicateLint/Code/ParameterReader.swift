/// Reads the parameters of functions and methods, which are known in the block that follows.
///
/// `func find(named name: String)`, `- (void)find:(NSString *)name`
struct ParameterReader {
    private var found: [Declarations.Declaration] = []
    /// True after `func name` and `init`.
    private var isAwaited = false
    /// The number of brackets around the parameters.
    private var depth: Int?
    /// The parameter whose type comes next.
    private var name: Range<Int>?
    /// True after `-` or `+` outside of all brackets, as a method of Objective-C begins.
    private var isMethod = false
    private var type: Range<Int>?
    private var expectsType = false

    mutating func word(_ token: CodeToken, _ recent: CodeScanner.Recent, _ bytes: Bytes, isSwift: Bool) {
        if isSwift {
            if let name, depth != nil {
                found.append(.init(name: name, scope: 0, value: nil, type: token.range, isVariable: false))
                self.name = nil
            } else if recent.one.kind == .word, bytes.equals("func", recent.one.range) {
                begin()
            } else if bytes.equals("init", token.range), !recent.one.is(".") {
                begin()
            }
        } else if isMethod {
            if expectsType {
                type = token.range
                expectsType = false
            } else if recent.one.is(")"), let type {
                found.append(.init(name: token.range, scope: 0, value: nil, type: type, isVariable: false))
                self.type = nil
            }
        }
    }

    private mutating func begin() {
        found = []
        isAwaited = true
        depth = nil
        name = nil
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
        }
    }

    mutating func close(depth: Int) {
        if self.depth == depth { self.depth = nil }
    }

    mutating func colon(_ recent: CodeScanner.Recent, _ bytes: Bytes, isSwift: Bool, depth: Int) {
        guard isSwift, let own = self.depth, depth == own + 1, recent.one.kind == .word else { return }
        name = recent.one.range
    }

    mutating func reset() {
        found = []
        isAwaited = false
        depth = nil
        isMethod = false
    }

    /// The parameters that a block sees.
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
