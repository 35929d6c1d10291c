/// Variables, functions, closures and loops: names with their types and values, and the blocks that they belong to.
extension CodeScanner {
    /// The words that begin declarations of Swift.
    private static let keywords: [(word: StaticString, read: @Sendable (inout CodeScanner, Int) -> Void)] = [
        ("let", { $0.variable($1, isVariable: false) }), ("var", { $0.variable($1, isVariable: true) }),
        ("func", { $0.function($1) }),
        ("init", { $0.function($1) }), ("for", { $0.loop($1) }),
        ("case", { $0.isInType ? $0.enumCase($1) : $0.casePattern($1) }),
        ("static", { scanner, _ in scanner.isStatic = true }), ("class", { $0.type($1) }), ("struct", { $0.type($1) }),
        ("enum", { $0.type($1) }), ("actor", { $0.type($1) }), ("extension", { $0.type($1) }),
        ("protocol", { $0.type($1) }), ("typealias", { $0.alias($1) }),
    ]

    /// The first letters of the keywords, as bits.
    private static let initials = keywords.reduce(UInt32(0)) { $0 | 1 << UInt32($1.word.utf8Start[0] & 0x1F) }

    mutating func swiftWord(_ index: Int) {
        let word = tokens[index].range
        let isDot = tokens[index - 1].is(".")
        guard word.count < 10, !isDot, 1 << UInt32(bytes[word.lowerBound] & 0x1F) & Self.initials != 0 else { return }
        if let keyword = Self.keywords.first(where: { bytes.equals($0.word, word) }) { keyword.read(&self, index) }
    }

    /// `@Model`, `@Attribute(.unique)`. `@objc(name)` is kept as `objc(name`.
    mutating func attribute(_ index: Int) {
        guard tokens[index + 1].kind == .word else { return }
        let name = tokens.text(index + 1)
        let isNamed = name == "objc" && tokens[index + 2].is("(") && tokens[index + 3].kind == .word
        attributes.insert(isNamed ? name + "(" + tokens.text(index + 3) : name)
    }

    mutating func endDeclaration() { (attributes, isStatic) = ([], false) }

    // MARK: Blocks

    mutating func openBlock(_ index: Int, _ frame: inout Frame) {
        frame.scope = declarations.scopes.open(at: tokens[index].start)
        endDeclaration()
        guard let block = blocks.removeValue(forKey: index) else { return isSwift ? closure(index, frame.scope) : () }
        if let body = block.body { declarations.declareBody(of: body, scope: frame.scope, bytes) }
        if let name = block.typeName { declarations.scopes.name(frame.scope, type: name) }
        declarations.declareGenerics(block.generics, scope: frame.scope, bytes)
        (frame.isType, frame.isExtension, frame.isProtocol) = (block.type != nil, block.isExtension, block.isProtocol)
        if let type = block.type { building.append(type) }
        for parameter in block.parameters { declare(parameter, in: frame.scope) }
    }

    private mutating func declare(_ parameter: Declarations.Declaration, in scope: Int) {
        var own = parameter
        own.scope = scope
        declarations.declare(own, bytes)
    }

    /// `{ item, other in`
    private mutating func closure(_ open: Int, _ scope: Int) {
        let all = tokens.closureParameters(from: open + 1, to: tokens.close(of: open))?.all ?? []
        for (index, (name, type)) in all.enumerated() {
            var own = Declarations.Declaration(name: name, scope: scope, type: type, typeStart: type?.lowerBound)
            (own.isBound, own.position, own.closure) = (true, index, tokens[open].start)
            if all.count > 1 { own.part = index }
            declare(own, in: scope)
        }
    }

    /// `for name in names {`, `for (key, value) in table {`
    mutating func loop(_ index: Int) {
        var word = index + 1
        while tokens.isWord(word, "await") || tokens.isWord(word, "try") || tokens.isWord(word, "case")
            || tokens.isWord(word, "let") || tokens.isWord(word, "var")
        {
            word += 1
        }
        let after = tokens.next(after: word)
        guard tokens.isWord(after, "in"), let open = body(after: after + 1) else { return }
        let list = tokens[after + 1].start
        blocks[open, default: Block()].parameters += bound(word).map {
            .init(name: $0.name, scope: 0, value: list, isBound: true, part: $0.part)
        }
    }

    /// The names in a pattern: `name`, `(key, value)`
    private func bound(_ index: Int) -> [(name: Range<Int>, part: Int?)] {
        guard tokens[index].is("(") else { return tokens[index].kind == .word ? [(tokens[index].range, nil)] : [] }
        return tokens.parts(index + 1..<tokens.close(of: index)).enumerated().compactMap { part, range in
            let name = tokens[range.upperBound - 1]
            return name.kind == .word && !bytes.equals("_", name.range) ? (name.range, part) : nil
        }
    }

    /// The opening brace of the block after a declaration or a loop's head; nil if another declaration comes first.
    func body(after start: Int) -> Int? {
        var next = start
        while next < min(tokens.count, start + 128) {
            let token = tokens[next]
            if token.is("{") { return next }
            if token.is("}") || token.is(";") || token.is(")") { return nil }
            if bytes.beginsStatement(token, after: tokens[next - 1]),
                !["where", "throws", "rethrows", "async"].contains(tokens.text(next))
            {
                return nil
            }
            next = tokens.next(after: next)
        }
        return nil
    }

    // MARK: Variables

    /// `let name: Type = value`, `var name: Type { … }`, `let (a, b) = value`, `case let .open(name)`
    ///
    /// `index` is that of the keyword, or of the comma before another variable.
    mutating func variable(_ index: Int, isVariable: Bool) {
        defer { endDeclaration() }
        let name = index + 1
        if tokens[index].kind == .word { variables = index }
        if tokens[name].is("(") { return pattern(name) }
        // The names in the pattern of a case are declared with it.
        guard tokens[name].kind == .word, !isInPattern else { return }
        var own = Declarations.Declaration(
            name: tokens[name].range, scope: scope, isVariable: isVariable)
        own.isUnwrapped = tokens[index].kind == .word && isInCondition(index)
        var next = name + 1
        if tokens[next].is(":") {
            (own.type, own.typeStart) = type(after: next)
            next = tokens.next(after: next + 1)
        }
        let end = headEnd(from: next)
        if isAssignment(end) {
            (own.value, assignment) = (tokens[end].end, end)
        } else if own.isUnwrapped, own.type == nil {
            own.value = own.name.lowerBound
        } else if tokens[end].is("{"), own.typeStart != nil {
            blocks[end, default: Block()].body = own.name
        }
        declarations.declare(own, bytes)
        member(name, end)
        if frames.isEmpty, !isVariable { noteResult(tokens.text(name), constant(name, end)) }
    }

    /// The type of a constant outside all types.
    private func constant(_ name: Int, _ end: Int) -> TypeName? {
        guard tokens[name + 1].is(":") else { return tokens[end].is("=") ? tokens.literalType(end + 1) : nil }
        var reader = TypeNameReader(tokens, from: name + 2)
        return reader.typeName()
    }

    /// True after `if`, `guard` and `while`, and after the comma of another condition.
    private func isInCondition(_ index: Int) -> Bool {
        let before = tokens[index - 1]
        return before.is(",") || before.kind == .word && ["if", "guard", "while"].contains(tokens.text(index - 1))
    }

    /// The first word of the type after a colon: `String`, `[String]`; nil for other types, such as `(Int) -> Int`.
    private func type(after colon: Int) -> (name: Range<Int>?, start: Int?) {
        let start = tokens[colon + 1]
        let type = tokens[start.is("[") ? colon + 2 : colon + 1]
        return (type.kind == .word ? type.range : nil, type.kind == .word || type.is("(") ? start.start : nil)
    }

    /// The index of the token after the name and type of a variable: `=`, a brace, or anything else.
    private func headEnd(from start: Int) -> Int {
        var index = start
        while index < min(tokens.count, start + 64) {
            let token = tokens[index]
            let isEnd =
                token.is("{") || token.is("}") || token.is(")") || token.is("]") || token.is(",") || token.is(";")
            if isEnd || isAssignment(index) || bytes.beginsStatement(token, after: tokens[index - 1]) { return index }
            index = tokens.next(after: index)
        }
        return index
    }

    private mutating func pattern(_ open: Int) {
        let end = tokens.next(after: open)
        guard isAssignment(end) else { return }
        assignment = end
        for (name, part) in bound(open) {
            declarations.declare(.init(name: name, scope: scope, value: tokens[end].end, part: part), bytes)
        }
    }

    // MARK: Patterns

    /// True in the brackets of `case .open(let name)`.
    private var isInPattern: Bool {
        guard let frame = frames.last, frame.start.is("("), tokens[frame.index - 2].is(".") else { return false }
        let before = tokens[frame.index - 3]
        return before.kind == .word && ["case", "let", "var"].contains(bytes.text(before.range)) || before.is(",")
    }

    /// `case .open(let name)`, `case let .range(from, to)`, in `switch` and in conditions
    mutating func casePattern(_ index: Int) {
        let hasWord = tokens.isWord(index + 1, "let") || tokens.isWord(index + 1, "var")
        let dot = hasWord ? index + 2 : index + 1
        if hasWord, tokens[dot].kind == .word, tokens.isWord(dot + 1, "as") { return castPattern(dot) }
        guard tokens[dot].is("."), tokens[dot + 1].kind == .word, tokens[dot + 2].is("(") else { return }
        let value = matched(after: tokens.next(after: dot + 2))
        for (name, part) in bound(dot + 2) where hasWord || tokens.isBinding(name) {
            declarations.declare(
                .init(
                    name: name, scope: scope, value: value, isBound: true, part: part,
                    enumCase: tokens[dot + 1].range), bytes)
        }
    }

    /// `case let name as String`
    private mutating func castPattern(_ name: Int) {
        var end = tokens.angleEnd(tokens.next(after: name + 2))
        while tokens[end].is(".") || tokens[end].is("?") {
            end = tokens.angleEnd(tokens[end].is(".") ? end + 2 : end + 1)
        }
        declarations.declare(
            .init(
                name: tokens[name].range, scope: scope, value: matched(after: end), typeStart: tokens[name + 2].start,
                isBound: true), bytes)
    }

    /// The offset of what a pattern is compared with: after `=`, or after the `switch` of the block.
    private func matched(after end: Int) -> Int? {
        if isAssignment(end) { return tokens[end].end }
        // `for case let name as String in list`
        guard !tokens.isWord(end, "in"), let brace = frames.last?.index else { return nil }
        let head = (max(0, brace - 32)..<brace).reversed().prefix { !tokens[$0].is("{") && !tokens[$0].is("}") }
        return head.first { tokens.isWord($0, "switch") }.map { tokens[$0].end }
    }

    /// True for `=`, unless it is part of another operator.
    private func isAssignment(_ index: Int) -> Bool {
        let (token, before) = (tokens[index], tokens[index - 1])
        guard token.is("="), bytes[token.end] != UInt8(ascii: "=") else { return false }
        return before.kind != .symbol || before.end < token.start || ")]}?!>".utf8.contains(before.symbol)
    }

    /// `name = "…"`, `name += "…"`, `NSString *name = @"…"`
    mutating func equals(_ index: Int) {
        let (token, before) = (tokens[index], tokens[index - 1])
        if tokens[index - 2].is("."), names.isKeyProperty(before.range, bytes) {
            let value = ExpressionParser.expression(CodeTokens(bytes, tokens.language, from: token.end))
            note(.keys, before.range, argument: value.range)
        }
        if before.is("+"), before.end == token.start, tokens[index - 2].kind == .word, isOwn(index - 2) {
            declarations.assign(tokens[index - 2].range, value: token.end, isAddition: true, bytes)
        }
        guard isAssignment(index), index != assignment, before.kind == .word, isOwn(index - 1) else { return }
        if isSwift {
            declarations.assign(before.range, value: token.end, bytes)
        } else {
            declareVariable(index - 1, value: token.end)
        }
    }

    /// False for a property of another object: `other.name`; true for `name`, `self.name`, `weakSelf?.name`.
    private func isOwn(_ name: Int) -> Bool {
        guard tokens[name - 1].is(".") else { return true }
        return tokens.text(tokens[name - 2].is("?") ? name - 3 : name - 2).lowercased().hasSuffix("self")
    }

    /// `name.append("…")`, `[name appendFormat:@"…", a]`, `[parts addObject:@"…"]`
    mutating func noteAddition(of method: Int, to name: Int, isMember: Bool, from start: Int) {
        let word = tokens[method]
        guard isMember, tokens[name].kind == .word, isOwn(name), word.kind == .word,
            "ai".utf8.contains(bytes[word.start]),
            Self.adders.contains(where: { bytes.equals($0, word.range) })
        else { return }
        declarations.assign(tokens[name].range, value: start, isAddition: true, bytes)
    }

    private static let adders: [StaticString] = [
        "append", "appendString", "appendFormat", "addObject", "insert", "insertString", "insertObject",
    ]

    // MARK: Functions

    /// `func find<User>(named name: String) -> User {`, `init(name: String) {`
    mutating func function(_ index: Int) {
        endDeclaration()
        let isNamed = tokens.isWord(index, "func")
        var next = index + (isNamed ? 2 : 1)
        while next < index + 6, tokens[next].kind != .end, !tokens[next].is("("), !tokens[next].is("<") { next += 1 }
        let generics = generics(at: next)
        next = tokens.angleEnd(next)
        guard tokens[next].is("(") else { return }
        var block = Block(body: isNamed ? tokens[index + 1].range : nil, generics: generics)
        block.parameters = parameters(next, of: block.body)
        if let name = block.body { result(of: name, after: tokens.next(after: next)) }
        guard let open = body(after: tokens.next(after: next)) else {
            return declarations.declareGenerics(generics, scope: scope, bytes)
        }
        blocks[open] = block
    }

    /// `throws -> [Item] {`
    private mutating func result(of name: Range<Int>, after start: Int) {
        let head = (start..<start + 6).prefix { !tokens[$0].is("{") }
        guard let arrow = head.first(where: { tokens[$0].is(">") && tokens[$0 - 1].is("-") }) else { return }
        declarations.declareResult(of: name, at: tokens[arrow + 1].start, bytes)
        guard isInType || frames.isEmpty else { return }
        var reader = TypeNameReader(tokens, from: arrow + 1)
        noteResult(bytes.text(name) + "()", reader.typeName())
    }

    private func parameters(_ open: Int, of function: Range<Int>?) -> [Declarations.Declaration] {
        var found: [Declarations.Declaration] = []
        for part in tokens.parts(open + 1..<tokens.close(of: open)) {
            guard let colon = part.prefix(8).first(where: { tokens[$0].is(":") && tokens[$0 - 1].kind == .word }) else {
                continue
            }
            let isLabeled = tokens[colon - 2].kind == .word
            let (type, start) = type(after: colon)
            var sign = colon
            while sign < part.upperBound, !isAssignment(sign) { sign = tokens.next(after: sign) }
            let standard = sign < part.upperBound ? tokens[sign].end : nil
            found.append(
                .init(
                    name: tokens[colon - 1].range, scope: 0, standard: standard, type: type,
                    typeStart: start, isParameter: true, function: function,
                    label: tokens[isLabeled ? colon - 2 : colon - 1].range, position: found.count))
        }
        return found
    }

    /// The generic parameters after a name: `<User, each Item: Hashable>`
    func generics(at open: Int) -> [Range<Int>] {
        var (found, depth): ([Range<Int>], Int) = ([], 0)
        for index in open..<tokens.angleEnd(open) {
            if tokens[index].is("<") { depth += 1 }
            if tokens[index].is(">") { depth -= 1 }
            let before = tokens[index - 1]
            if depth == 1, tokens[index].kind == .word,
                before.is("<") || before.is(",") || bytes.equals("each", before.range)
            {
                found.append(tokens[index].range)
            }
        }
        return found
    }
}
