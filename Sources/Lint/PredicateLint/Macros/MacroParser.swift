/// Parses the closure of a `#Predicate`: the expressions of Swift that occur in predicates.
///
/// Any tokens are accepted; what is not such an expression is unknown. Each token is read once, and the nesting and the
/// number of operators and members are limited.
struct MacroParser {
    private let tokens: SwiftTokens
    private var index: Int
    private var end: Int
    private var depth = 0

    private static let deepest = 64
    /// The number of operators and members so far. Each node contains those before it, so they count as nesting, too.
    private var links = 0
    private static let mostLinks = 1000

    init(_ tokens: SwiftTokens, from start: Int) {
        self.tokens = tokens
        index = start
        end = tokens.count
    }

    // MARK: Closures

    /// The closure that begins here; nil if there is none.
    mutating func closure() -> MacroClosure? {
        guard tokens[index].is("{"), depth < Self.deepest else { return nil }
        let (outer, close) = (end, tokens.end(of: index))
        depth += 1
        index += 1
        end = close - 1
        var closure = MacroClosure(parameters: parameters())
        if closure.parameters.isEmpty { closure.parameters = [("$0", nil)] }
        closure.body = statements()
        (index, end) = (close, outer)
        depth -= 1
        return closure
    }

    /// `item in`, `(item: Item) in`, `item, other in`, `[names] item in`
    private mutating func parameters() -> [(name: String, type: String?)] {
        var next = index
        if tokens[next].is("[") { next = tokens.end(of: next) }
        var found: [(name: String, type: String?)] = []
        let isList = tokens[next].is("(")
        let limit = isList ? tokens.end(of: next) - 1 : min(end, next + 16)
        var word = isList ? next + 1 : next
        while word < limit, tokens[word].kind == .word, !tokens.isWord(word, "in") {
            let isTyped = tokens[word + 1].is(":") && tokens[word + 2].kind == .word
            found.append((tokens.text(word), isTyped ? tokens.text(word + 2) : nil))
            word += isTyped ? 3 : 1
            while word < limit, !tokens[word].is(","), !tokens.isWord(word, "in") { word = tokens.end(of: word) }
            if tokens[word].is(",") { word += 1 }
        }
        var after = isList ? limit + 1 : word
        // `(item: Item) -> Bool in`
        if isList, tokens[after].is("-"), tokens[after + 1].is(">") { after += 3 }
        guard tokens.isWord(after, "in"), after < end else { return [] }
        index = after + 1
        return found
    }

    private mutating func statements() -> [MacroNode] {
        var nodes: [MacroNode] = []
        while index < end {
            let before = index
            if let refused = refused(isFirst: nodes.isEmpty) {
                index = end
                return nodes + [refused]
            }
            if tokens.isWord(index, "return") { index += 1 }
            nodes.append(tokens.isWord(index, "if") ? branch() : expression())
            if tokens[index].is(";") { index += 1 }
            if index == before { index = tokens.end(of: index) }
        }
        return nodes
    }

    private static let statementWords: Set<String> = [
        "let", "var", "func", "for", "while", "repeat", "do", "switch", "guard", "throw", "struct", "class", "enum",
    ]

    /// A statement that the macro refuses: a declaration, a loop, or an expression after another one.
    private func refused(isFirst: Bool) -> MacroNode? {
        let token = tokens[index]
        if token.kind == .word, Self.statementWords.contains(tokens.text(index)) {
            return .refused(.statement, token.range)
        }
        let isValue = token.kind == .word || token.kind == .number || token.kind == .string
        guard !isFirst, isValue, tokens[index - 1].is(";") || isOnNextLine else { return nil }
        return .refused(.secondExpression, token.range)
    }

    /// True if a line break, without a line such as `#else`, precedes the token.
    private var isOnNextLine: Bool {
        let gap = tokens[index - 1].end..<max(tokens[index - 1].end, tokens[index].start)
        return tokens.startsLine(index) && tokens.bytes.firstOffset(of: "#", in: gap) == nil
    }

    /// `if let a = b { c } else if d { e } else { f }`
    private mutating func branch() -> MacroNode {
        var (conditions, parts): ([MacroCondition], [MacroNode]) = ([], [])
        let word = tokens[index].range
        while tokens.isWord(index, "if"), index < end {
            let own = tokens[index].range
            index += 1
            let tests = self.conditions()
            conditions += tests
            if let mixed = Self.mixed(tests) { parts.append(.refused(.mixedConditions, mixed)) }
            block(&parts)
            guard tokens.isWord(index, "else") else {
                parts.append(.refused(.missingElse, own))
                break
            }
            index += 1
            if !tokens.isWord(index, "if") { block(&parts) }
        }
        return .branch(conditions, parts, word)
    }

    /// The first name that the conditions bind, if another condition binds none.
    private static func mixed(_ conditions: [MacroCondition]) -> Range<Int>? {
        conditions.contains { $0.name == nil } ? conditions.lazy.compactMap(\.name).first : nil
    }

    private mutating func conditions() -> [MacroCondition] {
        var found: [MacroCondition] = []
        while index < end, !tokens[index].is("{") {
            let before = index
            if tokens.isWord(index, "let") || tokens.isWord(index, "var") {
                let name = index + 1
                index += 2
                let hasValue = tokens[index].is("=")
                if hasValue { index += 1 }
                let value = hasValue ? expression(hasTrailingClosures: false) : .name(tokens[name].range)
                found.append(MacroCondition(name: tokens[name].range, value: value))
            } else {
                found.append(MacroCondition(value: expression(hasTrailingClosures: false)))
            }
            if tokens[index].is(",") { index += 1 }
            if index == before { index = tokens.end(of: index) }
        }
        return found
    }

    private mutating func block(_ parts: inout [MacroNode]) {
        guard tokens[index].is("{"), depth < Self.deepest else { return }
        let (outer, close) = (end, tokens.end(of: index))
        depth += 1
        index += 1
        end = close - 1
        parts += statements()
        (index, end) = (close, outer)
        depth -= 1
    }

    // MARK: Expressions

    /// Counts an operator or a member. If there are too many, moves to the end of the closure and returns false.
    private mutating func link() -> Bool {
        links += 1
        if links > Self.mostLinks { index = end }
        return links <= Self.mostLinks
    }

    private mutating func expression(hasTrailingClosures: Bool = true) -> MacroNode {
        guard depth < Self.deepest else {
            index = end
            return .unknown
        }
        depth += 1
        defer { depth -= 1 }
        let first = infix(0, hasTrailingClosures)
        guard tokens[index].is("?"), index < end else { return first }
        let mark = tokens[index].range
        index += 1
        let second = expression(hasTrailingClosures: hasTrailingClosures)
        if tokens[index].is(":"), index < end { index += 1 }
        return .choice([first, second, expression(hasTrailingClosures: hasTrailingClosures)], mark)
    }

    /// The operators with their precedence. Longer operators precede the shorter ones with which they begin.
    private static let operators: [(spelling: StaticString, precedence: Int)] = [
        ("===", 3), ("!==", 3), ("...", 5), ("..<", 5), ("==", 3), ("!=", 3), ("<<", 8), (">>", 8), ("<=", 3),
        (">=", 3), ("&&", 2), ("||", 1), ("??", 4), ("<", 3), (">", 3), ("+", 6), ("-", 6), ("*", 7), ("/", 7),
        ("%", 7), ("~=", 3), ("&", 7), ("|", 6), ("^", 6),
    ]

    private mutating func infix(_ least: Int, _ hasTrailingClosures: Bool) -> MacroNode {
        var left = operand(hasTrailingClosures)
        while index < end {
            guard link() else { return .unknown }
            if tokens.isWord(index, "as") || tokens.isWord(index, "is") {
                left = .cast(left, cast())
                continue
            }
            guard let (range, precedence) = operation, precedence > least else { break }
            while index < end, tokens[index].start < range.upperBound { index += 1 }
            guard depth < Self.deepest else { return .unknown }
            depth += 1
            left = .infix(left, range, infix(precedence, hasTrailingClosures))
            depth -= 1
        }
        return left
    }

    /// The operator that begins here.
    private var operation: (Range<Int>, Int)? {
        guard tokens[index].kind == .symbol else { return nil }
        let start = tokens[index].start
        for (spelling, precedence) in Self.operators where tokens.bytes.matches(spelling, at: start) {
            return (start..<start + spelling.utf8CodeUnitCount, precedence)
        }
        return nil
    }

    /// `as? Kind`, `is Kind<A>`; returns the range of the type.
    private mutating func cast() -> Range<Int> {
        index += 1
        if tokens[index].is("?") || tokens[index].is("!") { index += 1 }
        let start = tokens[index].start
        while index < end, tokens[index].kind == .word || tokens[index].is(".") { index += 1 }
        index = tokens.angleEnd(index)
        if tokens[index].is("?"), tokens[index].start == tokens[index - 1].end { index += 1 }
        return start..<max(start, tokens[index - 1].end)
    }

    private mutating func operand(_ hasTrailingClosures: Bool) -> MacroNode {
        guard index < end else { return .unknown }
        if tokens[index].is("!") || tokens[index].is("-") {
            index += 1
            guard depth < Self.deepest else { return .unknown }
            depth += 1
            defer { depth -= 1 }
            return .group([operand(hasTrailingClosures)])
        }
        if tokens.isWord(index, "try") || tokens.isWord(index, "await") { index += 1 }
        return postfix(primary(), hasTrailingClosures)
    }

    private mutating func primary() -> MacroNode {
        let token = tokens[index]
        switch token.kind {
        case .number, .string, .opaque:
            index += 1
            return .literal(token.range)
        case .word:
            index += 1
            let isConstant = ["nil", "true", "false"].contains(tokens.bytes.text(token.range))
            return isConstant ? .literal(token.range) : .name(token.range)
        case .symbol: return bracketed(token)
        case .end, .condition, .directive: return .unknown
        }
    }

    private mutating func bracketed(_ token: CodeToken) -> MacroNode {
        if token.is("("), index < end { return .group(list()) }
        if token.is("["), index < end { return .group(list()) }
        if token.is("{") { return closure().map(MacroNode.closure) ?? .unknown }
        if token.is("."), tokens[index + 1].kind == .word {
            index += 2
            return .member(nil, name: tokens[index - 1].range, isOptional: false)
        }
        if token.is("\\") { return keyPath() }
        if !token.is(")"), !token.is("]"), !token.is("}"), !token.is(","), !token.is(":"), !token.is(";") { index += 1 }
        return .unknown
    }

    /// `\.name`, `\Trip.name`: not a value of the object.
    private mutating func keyPath() -> MacroNode {
        index += 1
        while index < end, tokens[index].kind == .word || tokens[index].is(".") || tokens[index].is("?") { index += 1 }
        return .unknown
    }

    /// The expressions in brackets, without their labels; moves past the brackets.
    private mutating func list() -> [MacroNode] {
        let (outer, close) = (end, tokens.end(of: index))
        index += 1
        end = max(index, min(close - 1, outer))
        var nodes: [MacroNode] = []
        while index < end {
            let before = index
            if tokens[index].kind == .word, tokens[index + 1].is(":") { index += 2 }
            nodes.append(expression())
            if tokens[index].is(",") || tokens[index].is(":") { index += 1 }
            if index == before { index = tokens.end(of: index) }
        }
        (index, end) = (min(close, outer), outer)
        return nodes
    }

    /// `.name`, `?.name`, `!`, `(…)`, `[…]` and a closure after an operand
    private mutating func postfix(_ first: MacroNode, _ hasTrailingClosures: Bool) -> MacroNode {
        var node = first
        while index < end {
            guard link() else { return .unknown }
            let token = tokens[index]
            let isAdjacent = token.start == tokens[index - 1].end
            if token.is("."), tokens[index + 1].kind == .word || tokens[index + 1].kind == .number {
                node = .member(node, name: tokens[index + 1].range, isOptional: false)
                index += 2
            } else if token.is("?"), isAdjacent, tokens[index + 1].is("."), tokens[index + 2].kind == .word {
                node = .member(node, name: tokens[index + 2].range, isOptional: true)
                index += 3
            } else if token.is("!"), isAdjacent, tokens[index + 1].start != token.end || !tokens[index + 1].is("=") {
                node = .forced(node)
                index += 1
            } else if token.is("("), isAdjacent {
                node = .call(node, list())
            } else if token.is("["), isAdjacent {
                node = .element(node, list())
            } else if token.is("{"), hasTrailingClosures, isCallable(node), let last = closure() {
                node = .call(Self.function(of: node), Self.arguments(of: node) + [.closure(last)])
            } else {
                break
            }
        }
        return node
    }

    private func isCallable(_ node: MacroNode) -> Bool {
        switch node {
        case .member, .call, .name: true
        case .closure, .literal, .infix, .group, .element, .cast, .choice, .forced, .branch, .refused, .unknown: false
        }
    }

    private static func function(of node: MacroNode) -> MacroNode {
        if case .call(let function, _) = node { function } else { node }
    }

    private static func arguments(of node: MacroNode) -> [MacroNode] {
        if case .call(_, let arguments) = node { arguments } else { [] }
    }
}
