/// Parses expressions of Swift and Objective-C: those in a `#Predicate`, formats, and their arguments.
///
/// Any tokens are accepted; those that do not form such an expression are `unknown`. Each token is read once, and the nesting
/// and the number of operators and members are limited.
struct ExpressionParser {
    private let tokens: CodeTokens
    private var index: Int
    private var end: Int
    private var depth = 0

    private static let deepest = 64
    /// The number of operators and members so far. Each node contains those before it, so they increase the nesting.
    private var links = 0
    private static let mostLinks = 1000

    init(_ tokens: CodeTokens, from start: Int = 0) {
        self.tokens = tokens
        index = start
        end = tokens.count
    }

    /// The expression that all tokens form; unknown if tokens are left over.
    static func expression(_ tokens: CodeTokens) -> CodeExpression {
        var parser = ExpressionParser(tokens)
        let node = parser.expression()
        guard parser.index < tokens.count || tokens.count == 0 || tokens.isTooLong else { return node }
        return .unknown(tokens[0].start..<tokens[max(0, tokens.count - 1)].end)
    }

    private var isSwift: Bool { tokens.language == .swift }

    /// An unknown expression at the next token.
    private var unknown: CodeExpression {
        .unknown(index < end ? tokens[index].range : tokens[index - 1].end..<tokens[index - 1].end)
    }

    // MARK: Closures

    /// The closure that begins here; nil if there is none.
    mutating func closure() -> CodeClosure? {
        guard tokens[index].is("{"), depth < Self.deepest else { return nil }
        let (start, outer, close) = (index, end, tokens.end(of: index))
        depth += 1
        index += 1
        end = close - 1
        var closure = CodeClosure(parameters: parameters(), range: tokens[start].start..<tokens[close - 1].end)
        if closure.parameters.isEmpty { closure.parameters = [("$0", nil)] }
        closure.body = statements()
        (index, end) = (close, outer)
        depth -= 1
        return closure
    }

    private mutating func parameters() -> [(name: String, type: String?)] {
        guard let found = tokens.closureParameters(from: index, to: end) else { return [] }
        index = found.end
        return found.all.map { (tokens.bytes.text($0.name), $0.type.map(tokens.bytes.text)) }
    }

    private mutating func statements() -> [CodeExpression] {
        var nodes: [CodeExpression] = []
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
    private func refused(isFirst: Bool) -> CodeExpression? {
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
    private mutating func branch() -> CodeExpression {
        var (conditions, parts): ([CodeCondition], [CodeExpression]) = ([], [])
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

    /// The first name that the conditions bind, if the conditions also contain one without a name.
    private static func mixed(_ conditions: [CodeCondition]) -> Range<Int>? {
        conditions.contains { $0.name == nil } ? conditions.lazy.compactMap(\.name).first : nil
    }

    private mutating func conditions() -> [CodeCondition] {
        var found: [CodeCondition] = []
        while index < end, !tokens[index].is("{") {
            let before = index
            if tokens.isWord(index, "let") || tokens.isWord(index, "var") {
                let name = index + 1
                index += 2
                let hasValue = tokens[index].is("=")
                if hasValue { index += 1 }
                let value = hasValue ? expression(hasTrailingClosures: false) : .name(tokens[name].range)
                found.append(CodeCondition(name: tokens[name].range, value: value))
            } else {
                found.append(CodeCondition(value: expression(hasTrailingClosures: false)))
            }
            if tokens[index].is(",") { index += 1 }
            if index == before { index = tokens.end(of: index) }
        }
        return found
    }

    private mutating func block(_ parts: inout [CodeExpression]) {
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

    private mutating func expression(hasTrailingClosures: Bool = true) -> CodeExpression {
        guard depth < Self.deepest else {
            index = end
            return unknown
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

    private mutating func infix(_ least: Int, _ hasTrailingClosures: Bool) -> CodeExpression {
        var left = operand(hasTrailingClosures)
        while index < end {
            guard link() else { return unknown }
            if isSwift, tokens.isWord(index, "as") || tokens.isWord(index, "is") {
                left = .cast(left, cast())
                continue
            }
            if joinsStrings {
                let start = tokens[index].start
                left = .infix(left, start..<start, primary())
                continue
            }
            guard let (range, precedence) = operation, precedence > least else { break }
            while index < end, tokens[index].start < range.upperBound { index += 1 }
            let before = left
            left = nested { .infix(before, range, $0.infix(precedence, hasTrailingClosures)) }
        }
        return left
    }

    /// True at the second part of `@"a" @"b"`, `@"%" PRId64` and `PREFIX @"a"`.
    private var joinsStrings: Bool {
        guard !isSwift else { return false }
        return tokens[index].kind == .string
            || tokens[index].kind == .word && tokens[index - 1].kind == .string && !tokens[index + 1].is(":")
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
        if tokens[index].is("[") { index = min(tokens.end(of: index), end) }
        while index < end, tokens[index].kind == .word || tokens[index].is(".") { index += 1 }
        index = tokens.angleEnd(index)
        if tokens[index].is("?"), tokens[index].start == tokens[index - 1].end { index += 1 }
        return start..<max(start, tokens[index - 1].end)
    }

    private mutating func operand(_ hasTrailingClosures: Bool) -> CodeExpression {
        guard index < end else { return unknown }
        if tokens[index].is("!") || tokens[index].is("-") {
            let start = tokens[index].start
            index += 1
            return nested {
                let inner = $0.operand(hasTrailingClosures)
                return .group(start..<inner.range.upperBound, [CodeArgument(value: inner)])
            }
        }
        while tokens.isWord(index, "try") || tokens.isWord(index, "await") {
            index += 1
            if tokens[index].is("?") || tokens[index].is("!") { index += 1 }
        }
        return postfix(primary(), hasTrailingClosures)
    }

    private mutating func primary() -> CodeExpression {
        let token = tokens[index]
        switch token.kind {
        case .number, .string, .opaque:
            index += 1
            return .literal(token)
        case .word:
            index += 1
            // The arguments of `Set<String>(names)` belong to the name.
            let end = isSwift && tokens[index].start == token.end ? tokens.angleEnd(index) : index
            if end > index, end < self.end, tokens[end].is("(") { index = end }
            let isConstant = Self.constants.contains(tokens.bytes.text(token.range))
            return isConstant ? .literal(token) : .name(token.range)
        case .symbol: return bracketed(token)
        case .end, .condition, .directive: return unknown
        }
    }

    private static let constants: Set<String> = ["nil", "true", "false", "YES", "NO", "NULL", "Nil"]

    private mutating func bracketed(_ token: CodeToken) -> CodeExpression {
        if !isSwift, token.is("[") { return message() }
        if !isSwift, token.is("@") { return boxed() }
        if token.is("(") || token.is("["), index < end {
            let parts = list()
            let range = token.start..<tokens[index - 1].end
            guard !isSwift, token.is("("), !parts.isEmpty, mayBeCast else { return .group(range, parts) }
            return nested { .cast($0.operand(false), range) }
        }
        if token.is("{") { return closure().map(CodeExpression.closure) ?? unknown }
        if token.is("."), tokens[index + 1].kind == .word {
            index += 2
            return .member(nil, name: tokens[index - 1].range, isOptional: false)
        }
        if token.is("\\") { return keyPath() }
        let unread = unknown
        if !token.is(")"), !token.is("]"), !token.is("}"), !token.is(","), !token.is(":"), !token.is(";") { index += 1 }
        return unread
    }

    /// `\.name`, `\Trip.name`: not a value of the object.
    private mutating func keyPath() -> CodeExpression {
        let start = tokens[index].start
        index += 1
        while index < end, tokens[index].kind == .word || tokens[index].is(".") || tokens[index].is("?") { index += 1 }
        return .unknown(start..<tokens[index - 1].end)
    }

    /// Runs one level deeper; deeper nesting than the maximum is unknown.
    private mutating func nested(_ body: (inout ExpressionParser) -> CodeExpression) -> CodeExpression {
        guard depth < Self.deepest else { return unknown }
        depth += 1
        defer { depth -= 1 }
        return body(&self)
    }

    /// The expressions in brackets, with their labels; moves past the brackets.
    private mutating func list() -> [CodeArgument] {
        let (outer, close) = (end, tokens.end(of: index))
        index += 1
        end = max(index, min(close - 1, outer))
        var parts: [CodeArgument] = []
        var label: Range<Int>?
        while index < end {
            let before = index
            if tokens[index].kind == .word, tokens[index + 1].is(":") {
                label = tokens[index].range
                index += 2
            }
            parts.append(CodeArgument(label: label, value: expression()))
            label = tokens[index].is(":") ? tokens[index].range : nil
            if tokens[index].is(",") || tokens[index].is(":") { index += 1 }
            if index == before { index = tokens.end(of: index) }
        }
        (index, end) = (min(close, outer), outer)
        return parts
    }

    // MARK: Objective-C

    /// True after the type in `(NSString *)value`.
    private var mayBeCast: Bool {
        let token = tokens[index]
        guard index < end else { return false }
        return token.kind == .word || token.kind == .string || token.is("[") || token.is("(") || token.is("@")
    }

    /// `@21`, `@YES`, `@[a, b]`, `@(a)`
    private mutating func boxed() -> CodeExpression {
        let start = tokens[index].start
        index += 1
        let isList = tokens[index].is("[") || tokens[index].is("(") || tokens[index].is("{")
        let parts = isList && index < end ? list() : [CodeArgument(value: nested { $0.operand(false) })]
        return .group(start..<max(start, tokens[index - 1].end), parts)
    }

    /// `[NSString stringWithFormat:@"…", a]`: a call of the member that the first part of the selector names
    private mutating func message() -> CodeExpression {
        let (start, outer, close) = (index, end, tokens.end(of: index))
        index += 1
        end = max(index, min(close - 1, outer))
        let receiver = nested { $0.operand(false) }
        let name = tokens[index].range
        let isNamed = tokens[index].kind == .word && index < end
        let arguments = isNamed ? selector() : []
        let isWhole = isNamed && index == end
        (index, end) = (min(close, outer), outer)
        let range = tokens[start].start..<tokens[index - 1].end
        return isWhole
            ? .call(.member(receiver, name: name, isOptional: false), arguments, range) : .unknown(range)
    }

    /// `part: a, b other: c`
    private mutating func selector() -> [CodeArgument] {
        var arguments: [CodeArgument] = []
        while index < end, tokens[index].kind == .word, arguments.isEmpty || tokens[index + 1].is(":") {
            var label: Range<Int>? = tokens[index].range
            index += 1
            while index < end, tokens[index].is(":") || tokens[index].is(",") && !arguments.isEmpty {
                index += 1
                arguments.append(CodeArgument(label: label, value: expression()))
                label = nil
            }
            if arguments.isEmpty { break }
        }
        return arguments
    }

    // MARK: Postfixes

    /// `.name`, `?.name`, `!`, `(…)`, `[…]` and a closure after an operand
    private mutating func postfix(_ first: CodeExpression, _ hasTrailingClosures: Bool) -> CodeExpression {
        var node = first
        while index < end {
            guard link() else { return unknown }
            let token = tokens[index]
            let isAdjacent = token.start == tokens[index - 1].end
            if token.is("."), tokens[index + 1].kind == .word || tokens[index + 1].kind == .number {
                node = .member(node, name: tokens[index + 1].range, isOptional: false)
                index += 2
            } else if token.is("?"), isAdjacent, tokens[index + 1].is("."), tokens[index + 2].kind == .word {
                node = .member(node, name: tokens[index + 2].range, isOptional: true)
                index += 3
            } else if !isSwift, token.is("-"), tokens[index + 1].is(">"), tokens[index + 2].kind == .word {
                node = .member(node, name: tokens[index + 2].range, isOptional: false)
                index += 3
            } else if isSwift, token.is("?"), isAdjacent, opensAdjacent(after: token) {
                index += 1
            } else if token.is("!"), isAdjacent, tokens[index + 1].start != token.end || !tokens[index + 1].is("=") {
                node = .forced(node)
                index += 1
            } else if token.is("("), isAdjacent {
                node = .call(node, list(), node.range.lowerBound..<tokens[index - 1].end)
            } else if token.is("["), isAdjacent {
                node = .element(node, list(), node.range.lowerBound..<tokens[index - 1].end)
            } else if token.is("{"), hasTrailingClosures, isCallable(node), let last = closure() {
                node = Self.call(node, trailing: last)
            } else {
                break
            }
        }
        return node
    }

    /// True for the question mark in `a?[0]` and `a?()`.
    private func opensAdjacent(after mark: CodeToken) -> Bool {
        let next = tokens[index + 1]
        return next.start == mark.end && (next.is("[") || next.is("("))
    }

    private func isCallable(_ node: CodeExpression) -> Bool {
        switch node {
        case .member, .call, .name: true
        case .closure, .literal, .infix, .group, .element, .cast, .choice, .forced, .branch, .refused, .unknown: false
        }
    }

    private static func call(_ node: CodeExpression, trailing last: CodeClosure) -> CodeExpression {
        let range = node.range.lowerBound..<last.range.upperBound
        guard case .call(let function, let arguments, _) = node else {
            return .call(node, [CodeArgument(value: .closure(last))], range)
        }
        return .call(function, arguments + [CodeArgument(value: .closure(last))], range)
    }
}
