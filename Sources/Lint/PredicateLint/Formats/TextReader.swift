/// A string that an expression of the source may give.
struct TextValue {
    var text: FormatText
    /// True if a later assignment may have replaced or extended it.
    var isUncertain = false
    /// True if the literal is in the expression itself rather than in a named constant.
    var isDirect = true
    /// True if an unknown expression may give another string instead: `isNew ? "a == 1" : other`.
    var isPartial = false
}

/// Reads expressions that give strings: literals, concatenations, constants, conditionals, and calls with a printf
/// format.
///
///     "a == " + "1"        @"a " @"== 1"        Keys.active        isNew ? "a == 1" : "b == 1"
///     [NSString stringWithFormat:@"%@ == 1", key]
///
/// An unknown part becomes a hole. The work for an expression is limited, so that scanning takes linear time.
struct TextReader {
    let bytes: Bytes
    let language: CodeLanguage
    let declarations: Declarations
    let comments: EntityComments
    /// True for a test of a user interface.
    var hasElements = false
    /// The names of the properties that controls edit.
    var edited: Set<String> = []
    /// What is known of the types in other sources, and the members that were looked up.
    var members = SourceTypes()
    let needs = NeededMembers()
    /// The names of generic parameters, which are not types of the project: `func find<User>(…)`.
    var generics: Set<String> = []

    /// The maximum nesting of names and brackets that are followed.
    private static let deepest = 8
    /// The maximum number of strings for one expression.
    private static let mostValues = 8
    /// The maximum length of a searched bracket in bytes.
    private static let reach = 4096

    /// The strings that an expression may give; empty if nothing is known.
    func values(of range: Range<Int>) -> [TextValue] {
        read(range, depth: 0).filter { !$0.text.literal.isEmpty }.map { value in
            var value = value
            value.text = value.text.asUTF8()
            return value
        }
    }

    /// True for an expression whose value is in every case a string written in the source.
    func isConstant(_ range: Range<Int>, depth: Int = 0) -> Bool {
        guard depth < Self.deepest else { return false }
        if let choice = split(range)?.choice {
            return isConstant(choice.first, depth: depth + 1) && isConstant(choice.second, depth: depth + 1)
        }
        let values = values(of: range)
        return !values.isEmpty && !isVariable(range) && values.allSatisfy { !$0.text.hasHoles && !$0.isUncertain }
    }

    /// True for a constant of a type, if its string has no quotes or backslashes: `Kind.folder`, `UID.Button.accept`
    func isHarmlessConstant(_ range: Range<Int>) -> Bool {
        guard language == .swift, let (type, name) = lastMember(of: range) else { return false }
        if let own = declarations.member(name, of: type, bytes) { return isHarmless(own) }
        let owner = bytes.equals("Self", type) ? typeName(at: range.lowerBound) : bytes.text(type)
        guard let owner, !generics.contains(owner) else { return false }
        let member = NeededMember(type: owner, name: bytes.text(name))
        needs.note(member)
        return members.isHarmless(member)
    }

    private func isHarmless(_ constant: Declarations.Declaration) -> Bool {
        guard !constant.isVariable, !constant.isParameter, let value = constant.value else { return false }
        let texts = values(of: expression(from: value))
        return texts.count == 1 && texts[0].text.isHarmless
    }

    /// The last two names of `UID.Button.accept`.
    func lastMember(of range: Range<Int>) -> (type: Range<Int>, name: Range<Int>)? {
        var walk = TokenWalk(bytes, language, range, reach: 256)
        var (names, isName): ([Range<Int>], Bool) = ([], false)
        while let token = walk.next() {
            isName.toggle()
            guard isName ? token.kind == .word : token.is(".") else { return nil }
            if isName { names.append(token.range) }
        }
        return isName && names.count > 1 ? (names[names.count - 2], names[names.count - 1]) : nil
    }

    /// The name of the innermost type whose block contains an offset.
    func typeName(at offset: Int) -> String? { declarations.scopes.innermost(at: offset).type.map(bytes.text) }

    // MARK: Expressions

    private func read(_ range: Range<Int>, depth: Int) -> [TextValue] {
        guard depth < Self.deepest, let parts = split(range) else { return [] }
        if let choice = parts.choice {
            let first = read(choice.first, depth: depth + 1), second = read(choice.second, depth: depth + 1)
            return (first + second).prefix(Self.mostValues).map { value in
                var value = value
                value.isPartial = value.isPartial || first.isEmpty || second.isEmpty
                return value
            }
        }
        if parts.operands.count == 1 { return operand(parts.operands[0], depth: depth) }
        return joined(parts.operands.map { ($0, operand($0, depth: depth)) })
    }

    /// `a + b`: each string of `a` followed by each string of `b`.
    private func joined(_ operands: [(range: Range<Int>, values: [TextValue])]) -> [TextValue] {
        guard operands.contains(where: { !$0.values.isEmpty }) else { return [] }
        var result = [TextValue(text: FormatText())]
        for operand in operands {
            let values = operand.values.isEmpty ? [TextValue(text: hole(operand.range))] : operand.values
            result = result.flatMap { first in values.map { Self.join(first, $0) } }
            if result.count > Self.mostValues { return [] }
        }
        return result
    }

    /// The strings of an expression inside another one.
    func nested(_ range: Range<Int>, depth: Int) -> [TextValue] { read(trimmed(range), depth: depth + 1) }

    /// The strings of two expressions, concatenated.
    func appended(
        _ first: (Range<Int>, [TextValue]), _ second: (Range<Int>, [TextValue])
    ) -> [TextValue] {
        joined([first, second])
    }

    private static func join(_ first: TextValue, _ second: TextValue) -> TextValue {
        var result = first
        result.text.append(second.text)
        result.isUncertain = first.isUncertain || second.isUncertain
        result.isDirect = first.isDirect && second.isDirect
        result.isPartial = first.isPartial || second.isPartial
        return result
    }

    /// A string that consists of a hole.
    private func hole(_ range: Range<Int>) -> FormatText {
        var text = FormatText()
        text.appendHole(
            .init(expression: range), shown: Array("\\(".utf8) + bytes[range] + Array(")".utf8), source: range)
        return text
    }

    private struct Operands {
        var operands: [Range<Int>] = []
        var choice: (first: Range<Int>, second: Range<Int>)?
    }

    /// Splits an expression at its `+`, or at its `?` and `:`; nil for an expression that is too long.
    private func split(_ range: Range<Int>) -> Operands? {
        var walk = TokenWalk(bytes, language, range, reach: Self.reach)
        var parts = Operands()
        var (start, question, colon) = (range.lowerBound, Int?.none, Int?.none)
        while let token = walk.next() {
            if token.is("+"), bytes[token.end] != UInt8(ascii: "+"), question == nil {
                parts.operands.append(start..<walk.before)
                start = token.end
            } else if token.is("?"), question == nil, isChoice(token) {
                question = token.end
            } else if token.is(":"), question != nil, colon == nil {
                colon = token.start
            }
            if parts.operands.count > 64 { return nil }
        }
        guard !walk.isTooLong else { return nil }
        if let question, let colon, question <= colon {
            parts.choice = (trimmed(question..<colon), trimmed(colon + 1..<range.upperBound))
        }
        parts.operands.append(start..<range.upperBound)
        parts.operands = parts.operands.map(trimmed)
        return parts.operands.allSatisfy { !$0.isEmpty } ? parts : nil
    }

    /// True for `? a : b`, false for `a?.b` and `a ?? b`.
    private func isChoice(_ token: CodeToken) -> Bool {
        if language == .objectiveC { return true }
        return bytes[token.start - 1].isSpace && bytes[token.end] != UInt8(ascii: "?")
            && bytes[token.start - 1] != UInt8(ascii: "?")
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lexer = CodeLexer(bytes, language)
        let first = lexer.token(at: range.lowerBound)
        var end = range.upperBound
        while end > first.start, bytes[end - 1].isSpace { end -= 1 }
        return min(first.start, range.upperBound)..<max(min(first.start, range.upperBound), end)
    }

    // MARK: Operands

    private func operand(_ range: Range<Int>, depth: Int) -> [TextValue] {
        var walk = TokenWalk(bytes, language, range, reach: Self.reach)
        guard let first = walk.next() else { return [] }
        switch first.kind {
        case .string: return literals(first, &walk, depth: depth)
        case .word: return name(first, &walk, in: range, depth: depth)
        case .symbol where first.is("("): return parenthesis(first, walk, in: range, depth: depth)
        case .symbol where first.is("["): return language == .objectiveC ? message(range, depth: depth) : []
        case .symbol, .number, .opaque, .end, .condition, .directive: return []
        }
    }

    /// `"a"`, `@"a" @"b"`, `"a" as NSString`
    private func literals(_ first: CodeToken, _ walk: inout TokenWalk, depth: Int) -> [TextValue] {
        let own = literal(first)
        var text = own.hasHoles ? filled(own, depth: depth) : own
        let isDirect = own.segments.count(where: \.isHole) == text.segments.count(where: \.isHole)
        while let token = walk.next() {
            switch (language, token.kind) {
            case (.swift, .word) where bytes.equals("as", token.range):
                return [TextValue(text: text, isDirect: isDirect)]
            case (.objectiveC, .string): text.append(literal(token))
            case (.objectiveC, .word):
                if bytes[token.start] == UInt8(ascii: "#") {
                    // `#name` in the body of a macro.
                    text.append(hole(token.range))
                } else {
                    guard let next = constant(token.range, depth: depth) else { return [] }
                    text.append(next)
                }
            default: return []
            }
        }
        return [TextValue(text: text, isDirect: isDirect)]
    }

    /// A literal whose interpolated constants are replaced by their strings: `"\(clause) AND a == 1"`. A literal with many
    /// interpolations stays as it is.
    private func filled(_ text: FormatText, depth: Int) -> FormatText {
        guard text.segments.count(where: \.isHole) <= Self.mostValues else { return text }
        var (result, start) = (FormatText(), 0)
        for segment in text.segments {
            if case .hole(let hole) = segment.kind, let known = constantText(hole.expression, depth: depth) {
                result.append(known)
            } else {
                result.append(text.part(start..<segment.end))
            }
            start = segment.end
        }
        result.literal = text.literal
        return result
    }

    /// The only string that a constant expression may give.
    private func constantText(_ expression: Range<Int>, depth: Int) -> FormatText? {
        guard !isVariable(expression) else { return nil }
        // An interpolated constant counts as several levels, so that only short chains of constants are followed.
        let values = nested(expression, depth: depth + 2)
        guard values.count == 1, !values[0].isUncertain, !values[0].isPartial, !values[0].text.hasHoles else {
            return nil
        }
        return values[0].text
    }

    private func literal(_ token: CodeToken) -> FormatText {
        language == .swift
            ? SwiftLiteral.text(of: token.range, bytes) : ObjectiveCLiteral.text(of: token.range, bytes)
    }

    /// The string of a macro between two literals: `@"count == %" PRId64`.
    private func constant(_ name: Range<Int>, depth: Int) -> FormatText? {
        if bytes.matches("PRI", at: name.lowerBound) {
            var text = FormatText()
            text.appendEscape(Array("ld".utf8), source: name)
            return text
        }
        let values = named(name, depth: depth)
        return values.count == 1 ? values[0].text : nil
    }

    /// `format`, `self.format`, `Keys.format`, `String(format: "…", a)`
    private func name(_ first: CodeToken, _ walk: inout TokenWalk, in range: Range<Int>, depth: Int) -> [TextValue] {
        var last = first
        while let token = walk.next() {
            if token.is("("), language == .swift { return call(of: last, first, range, open: token, depth: depth) }
            if language == .objectiveC, token.kind == .string, last.start == first.start {
                return joinedLiterals(from: first, range, depth: depth)
            }
            guard token.is("."), let next = walk.next(), next.kind == .word else { return [] }
            last = next
        }
        return named(last.range, depth: depth)
    }

    /// `PREFIX @" == 1"`
    private func joinedLiterals(from first: CodeToken, _ range: Range<Int>, depth: Int) -> [TextValue] {
        guard let start = constant(first.range, depth: depth) else { return [] }
        return operand(trimmed(first.end..<range.upperBound), depth: depth + 1).map {
            Self.join(TextValue(text: start), $0)
        }
    }

    private func parenthesis(_ open: CodeToken, _ walk: TokenWalk, in range: Range<Int>, depth: Int) -> [TextValue] {
        guard let close = walk.closing else { return [] }
        let rest = trimmed(close..<range.upperBound)
        if rest.isEmpty { return read(trimmed(open.end..<close - 1), depth: depth + 1) }
        // `(NSString *)value`
        return language == .objectiveC ? operand(rest, depth: depth + 1) : []
    }

    // MARK: Names

    /// The strings of a constant or variable.
    private func named(_ name: Range<Int>, depth: Int) -> [TextValue] {
        guard depth < Self.deepest,
            let declaration = declarations.declaration(of: name, at: name.lowerBound, bytes),
            let value = declaration.value, !isEdited(declaration)
        else { return [] }
        let changes = declarations.assignments(to: declaration, bytes).prefix(Self.mostValues).prefix {
            $0.offset < name.lowerBound
        }
        guard changes.count < Self.mostValues, changes.allSatisfy({ $0.value != nil }) else { return [] }
        var result: [TextValue] = []
        for start in [value] + changes.compactMap(\.value) {
            let values = read(expression(from: start), depth: depth + 1)
            if values.isEmpty { return [] }
            result += values
        }
        guard result.count <= Self.mostValues else { return [] }
        let isUncertain = !changes.isEmpty
        return result.map {
            TextValue(
                text: $0.text, isUncertain: $0.isUncertain || isUncertain, isDirect: false, isPartial: $0.isPartial)
        }
    }

    /// The expression that begins at an offset and ends with the statement.
    func expression(from start: Int) -> Range<Int> {
        var walk = TokenWalk(bytes, language, start..<min(bytes.count, start + 4 * Self.reach), reach: Self.reach)
        var (first, end, mayEnd) = (start, start, false)
        while let token = walk.next() {
            if end == start { first = token.start }
            let isNewLine = bytes.hasLineBreak(in: end..<token.start)
            let goesOn =
                token.is("+") || token.is(".") || token.is("?") || token.is(":")
                || token.kind == .string && language == .objectiveC
            if mayEnd, isNewLine, !goesOn, language == .swift || isMacro(at: start) { break }
            if token.is(";") || token.is(",") || token.is("{") || token.is("}") || token.is(")") || token.is("]") {
                break
            }
            mayEnd = !(token.is("+") || token.is("?") || token.is(":"))
            end = walk.closing ?? token.end
        }
        return min(first, end)..<end
    }

    /// True for the value of a `#define`.
    private func isMacro(at offset: Int) -> Bool {
        let start = bytes.lineStart(before: offset)
        return bytes[bytes.blankEnd(from: start)] == UInt8(ascii: "#")
    }
}

extension Bytes {
    func hasLineBreak(in range: Range<Int>) -> Bool { self[range].contains { $0.isNewline } }
}

/// The tokens of an expression outside brackets. A part in brackets counts as one token, its opening bracket.
struct TokenWalk {
    private let bytes: Bytes
    private var lexer: CodeLexer
    private var offset: Int
    private let end: Int
    private var budget: Int
    /// The end of the token before the last one.
    private(set) var before: Int
    private var last: Int
    /// The offset after the bracket that closes the last token.
    private(set) var closing: Int?
    private(set) var isTooLong = false

    init(_ bytes: Bytes, _ language: CodeLanguage, _ range: Range<Int>, reach: Int) {
        var part = bytes
        part.count = min(range.upperBound, bytes.count)
        self.bytes = part
        lexer = CodeLexer(part, language)
        offset = range.lowerBound
        end = range.upperBound
        budget = reach
        before = range.lowerBound
        last = range.lowerBound
    }

    mutating func next() -> CodeToken? {
        let token = lexer.token(at: offset)
        guard token.kind != .end, token.kind != .condition, token.kind != .directive, token.start < end else {
            return nil
        }
        before = last
        offset = token.end
        closing = nil
        if token.is("(") || token.is("[") || token.is("{") { skip(from: token) }
        budget -= token.kind == .string ? 16 : token.end - token.start
        if budget < 0 { isTooLong = true }
        last = offset
        return isTooLong ? nil : token
    }

    /// Skips to the end of the matching bracket.
    private mutating func skip(from open: CodeToken) {
        var depth = 1
        while depth > 0 {
            let token = lexer.token(at: offset)
            if token.kind == .end { return }
            if token.is("(") || token.is("[") || token.is("{") { depth += 1 }
            if token.is(")") || token.is("]") || token.is("}") { depth -= 1 }
            budget -= token.end - offset
            offset = token.end
            if budget < 0 {
                isTooLong = true
                return
            }
        }
        closing = offset
    }
}
