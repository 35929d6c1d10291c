/// Declarations of Objective-C: classes and protocols with their properties and methods, variables, and loops.
extension CodeScanner {
    /// `@implementation Person … @end`, `@interface Person`, `@property NSString *name;`, `for (NSString *name in names)`
    mutating func objectiveCWord(_ index: Int) {
        let word = tokens[index].range
        if tokens[index - 2].is("@"), tokens.isWord(index - 1, "implementation") {
            let scope = declarations.scopes.open(at: word.lowerBound)
            declarations.scopes.name(scope, type: word)
            (implementation, owner) = (scope, bytes.text(word))
        } else if bytes.equals("in", word) {
            loopVariable(before: index)
        } else if tokens[index - 1].is("@") {
            keyword(index)
        }
    }

    private mutating func keyword(_ index: Int) {
        switch tokens.text(index) {
        case "interface", "protocol": owner = tokens[index + 1].kind == .word ? tokens.text(index + 1) : nil
        case "end":
            if let own = implementation { declarations.scopes.close(own, at: tokens[index].start) }
            (implementation, owner) = (nil, nil)
        case "property": property(index)
        default: break
        }
    }

    /// `for (NSString *name in names)`
    private mutating func loopVariable(before index: Int) {
        guard let open = frames.last?.index, tokens.isWord(open - 1, "for"), tokens[index - 1].kind == .word else {
            return
        }
        let (name, type) = (tokens[index - 1].range, typeName(from: open + 1, to: index - 1))
        let isTyped = type != nil && tokens[open + 1].kind == .word
        declarations.declare(
            .init(
                name: name, scope: scope, value: tokens[index].end,
                typeStart: isTyped ? tokens[open + 1].start : nil, isBound: true), bytes)
    }

    /// The type that a range of tokens spells.
    private func typeName(from start: Int, to end: Int) -> TypeName? {
        guard start < end else { return nil }
        var reader = TypeNameReader(
            CodeTokens(bytes, .objectiveC, in: tokens[start].start..<tokens[end - 1].end))
        return reader.typeName()
    }

    /// The index of the first token of the type before a name, as in `NSArray<NSString *> *names`.
    private func typeStart(before name: Int) -> Int {
        var index = name - 1
        while index > 0, tokens[index].is("*") || tokens.isQualifier(index) { index -= 1 }
        guard tokens[index].is(">") else { return index }
        var depth = 0
        for start in (max(1, index - 64)...index).reversed() {
            if tokens[start].is(">") { depth += 1 }
            if tokens[start].is("<") { depth -= 1 }
            if depth == 0 { return start - 1 }
        }
        return index
    }

    /// `@property (nonatomic) NSInteger limit;`
    private mutating func property(_ index: Int) {
        guard let end = (index..<min(tokens.count, index + 64)).first(where: { tokens[$0].is(";") }) else { return }
        let start = typeStart(before: end - 1)
        guard tokens[end - 1].kind == .word, tokens[start].kind == .word else { return }
        declarations.declareProperty(
            .init(
                name: tokens[end - 1].range, scope: 0, type: tokens[start].range, typeStart: tokens[start].start,
                isVariable: true), bytes)
        if let owner { noteResult(tokens.text(end - 1), typeName(from: start, to: end - 1), of: owner) }
    }

    /// `NSString *name;`: a variable without a value, or an instance variable in braces after `@interface` or `@implementation`
    mutating func unsetVariable(_ name: Int) {
        guard let open = frames.last?.index, tokens[open].is("{"), tokens[name].kind == .word else { return }
        let start = typeStart(before: name)
        guard start < name, tokens[start].kind == .word, !tokens.isWord(start, "return"),
            tokens[start - 1].kind == .symbol && ";{}".utf8.contains(tokens[start - 1].symbol)
        else { return }
        let own = Declarations.Declaration(
            name: tokens[name].range, scope: scope, type: tokens[start].range, typeStart: tokens[start].start,
            isVariable: true)
        if isOfObject(open) { declarations.declareProperty(own, bytes) } else { declarations.declare(own, bytes) }
    }

    /// True for the brace after `@interface Person : NSObject` or `@implementation Person`; false for a brace of a function.
    private func isOfObject(_ brace: Int) -> Bool {
        let head = (max(0, brace - 16)..<brace).reversed().first { index in
            tokens.isWord(index, "interface") || tokens.isWord(index, "implementation")
                || [";", "}", "-", "+"].contains { tokens[index].is($0) }
        }
        return frames.count == 1 && head.map { tokens[$0].kind == .word && tokens[$0 + 2].kind != .word } ?? false
    }

    /// `NSString *name = @"…"`, `name = @"…"`, `self.name = @"…"`
    mutating func declareVariable(_ name: Int, value: Int) {
        let isPointer = tokens[name - 1].is("*")
        guard isPointer || tokens[name - 1].kind == .word && !tokens.isWord(name - 1, "return") else {
            return declarations.assign(tokens[name].range, value: value, bytes)
        }
        let start = typeStart(before: name)
        declarations.declare(
            .init(
                name: tokens[name].range, scope: scope, value: value,
                type: tokens[isPointer ? name - 2 : name - 1].range,
                typeStart: tokens[start].kind == .word ? tokens[start].start : nil,
                isVariable: !tokens.isWord(name - 1, "const")), bytes)
        if frames.isEmpty, tokens.isWord(name - 1, "const"), !tokens.isWord(start - 1, "static") { constant(name) }
    }

    /// `NSString *const NameKey = @"name";`, which headers declare for other sources
    private mutating func constant(_ name: Int) {
        let value = tokens[name + 2]
        guard value.kind == .string, bytes[value.start] == UInt8(ascii: "@"), tokens[name + 3].is(";") else { return }
        let text = ObjectiveCLiteral.text(of: value.range, bytes)
        noteResult(tokens.text(name), TypeName(name: "NSString"), of: "")
        noteConstant(tokens.text(name), text.isHarmless ? text.text : nil, of: "")
    }

    /// `- (void)find:(NSString *)name limit:(int)limit {`, outside all brackets
    mutating func method(_ index: Int) {
        guard tokens[index + 1].is("(") else { return }
        var next = tokens.next(after: index + 1)
        let first = next
        if let owner { noteResult(tokens.text(first) + "()", typeName(from: index + 2, to: first - 1), of: owner) }
        var block = Block(body: tokens[first].range)
        while tokens[next].kind == .word, tokens[next + 1].is(":"), tokens[next + 2].is("(") {
            let (type, name) = (tokens[next + 3], tokens.next(after: next + 2))
            if type.kind == .word, tokens[name].kind == .word {
                block.parameters.append(
                    .init(
                        name: tokens[name].range, scope: 0, type: type.range, typeStart: type.start, isParameter: true,
                        function: tokens[next].range, position: block.parameters.count))
            }
            block.body = tokens[next].range
            next = name + 1
        }
        if block.body == tokens[first].range, tokens[first].kind != .word { return }
        if tokens[next].is(",") { next = next + 4 }
        if next == first { next += 1 }
        if tokens[next].is("{") { blocks[next] = block }
    }
}
