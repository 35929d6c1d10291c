import PredicateSyntax

/// A possible string value of an expression of the source.
struct TextValue {
    var text: FormatText
    /// True if a later assignment may have replaced or extended it.
    var isUncertain = false
    /// True if the literal is in the expression itself rather than in a named constant.
    var isDirect = true
    /// True if an unknown expression may result in another string: `isNew ? "a == 1" : other`.
    var isPartial = false

    /// The largest number of arguments that one of several strings takes.
    var mostArguments = 0

    /// True if the whole string is known, and no other string is possible.
    var isWhole: Bool { !isUncertain && !isPartial && !text.hasHoles }

    /// The same string, or one that is made from it, as the result of a name, a call or several steps.
    func made(with text: FormatText? = nil, isUncertain: Bool = false, isPartial: Bool = false) -> TextValue {
        TextValue(
            text: text ?? self.text, isUncertain: self.isUncertain || isUncertain, isDirect: false,
            isPartial: self.isPartial || isPartial)
    }
}

extension [TextValue] {
    /// The only possible string of an expression, if all of it is known.
    var only: FormatText? { count == 1 && self[0].isWhole ? self[0].text : nil }
}

/// Reads expressions whose values are strings: literals, concatenations, constants, conditionals, and calls with a printf
/// format.
///
///     "a == " + "1"        @"a " @"== 1"        Keys.active        isNew ? "a == 1" : "b == 1"
///     [NSString stringWithFormat:@"%@ == 1", key]
///
/// An unknown part becomes a hole. The work for an expression is limited, so that scanning takes linear time.
struct TextReader {
    let source: CodeScanner
    let comments: EntityComments
    /// The names of the properties that controls edit.
    var edited: Set<String> = []
    /// The known types of other sources, and the members that were looked up.
    var members = SourceTypes()
    /// The objects of the project.
    var schema: (any PredicateSchema)?
    let needs = NeededMembers()
    let work = ReadingWork()
    let constants = ReadingWork()

    /// The maximum nesting of names and brackets that are followed.
    static let deepest = 8
    /// The maximum number of strings for one expression.
    static let mostValues = 8

    var bytes: Bytes { source.bytes }
    var language: CodeLanguage { source.tokens.language }
    var declarations: Declarations { source.declarations }

    /// The expression in a range.
    func expression(in range: Range<Int>) -> CodeExpression {
        ExpressionParser.expression(CodeTokens(bytes, language, in: range))
    }

    /// The expression that begins at an offset and ends with its statement.
    func expression(from start: Int) -> CodeExpression {
        ExpressionParser.expression(CodeTokens(bytes, language, from: start))
    }

    /// The possible strings of an expression; empty if none is known.
    func values(of node: CodeExpression) -> [TextValue] {
        work.begin()
        let found = read(node, depth: 0).filter { !$0.text.literal.isEmpty }
        let counts = found.count < 2 ? [] : found.map { FormatPredicate.specifiers(in: $0.text.text).count }
        return found.map { value in
            var value = value
            (value.text, value.mostArguments) = (value.text.asUTF8(), counts.max() ?? 0)
            return value
        }
    }

    /// True for an expression whose value is always a string that is written in the source.
    func isConstant(_ node: CodeExpression) -> Bool {
        if case .choice(let parts, _) = node { return parts.dropFirst().allSatisfy(isConstant) }
        let values = values(of: node)
        return !values.isEmpty && !isVariable(node) && values.allSatisfy { !$0.text.hasHoles && !$0.isUncertain }
    }

    /// True for a constant of a type whose string has no quotes or backslashes: `Kind.folder`, `UID.Button.accept`
    func isHarmlessConstant(_ node: CodeExpression) -> Bool {
        guard language == .swift, let (type, name) = lastMember(of: node) else { return false }
        if let own = declarations.member(name, of: bytes.text(type), bytes) { return isHarmless(own) }
        return constantOfOther(node).map(members.isHarmless) ?? false
    }

    /// The constant that another source may declare: `Kind.folder`, `NameKey` in Objective-C
    func constantOfOther(_ node: CodeExpression) -> NeededMember? {
        if language == .objectiveC, case .name(let name) = node {
            guard declarations.declaration(of: name, at: name.lowerBound, bytes) == nil else { return nil }
            let member = NeededMember(type: "", name: bytes.text(name))
            needs.note(member)
            return member
        }
        guard language == .swift, let (type, name) = lastMember(of: node) else { return nil }
        let owner = bytes.equals("Self", type) ? typeName(at: name.lowerBound) : bytes.text(type)
        guard let owner, !declarations.isGeneric(owner) else { return nil }
        // `Key.name.rawValue`
        let raw = bytes.equals("rawValue", name) ? node.base.flatMap(lastMember) : nil
        let member =
            raw.map { NeededMember(type: bytes.text($0.type), name: "case " + bytes.text($0.name)) }
            ?? NeededMember(type: owner, name: bytes.text(name))
        needs.note(member)
        return member
    }

    /// The string of such a constant, positioned at the constant's name.
    private func constant(of node: CodeExpression) -> [TextValue] {
        guard let member = constantOfOther(node),
            let source = [members, needs.ownTypes(source)].first(where: { $0.text(of: member) != nil }),
            let known = source.text(of: member), source.type(of: member)?.isString ?? false
        else { return [] }
        var text = FormatText(known.utf8, at: node.range)
        text.literal = node.range
        return [TextValue(text: text, isDirect: false)]
    }

    private func isHarmless(_ constant: Declarations.Declaration) -> Bool {
        guard !constant.isVariable, !constant.isParameter, let value = constant.value else { return false }
        let texts = values(of: expression(from: value))
        return texts.count == 1 && texts[0].text.isHarmless
    }

    /// The last two names of `UID.Button.accept`.
    func lastMember(of node: CodeExpression) -> (type: Range<Int>, name: Range<Int>)? {
        guard let names = node.names, names.count > 1 else { return nil }
        return (names[names.count - 2], names[names.count - 1])
    }

    /// The name of the innermost type whose block contains an offset.
    func typeName(at offset: Int) -> String? { declarations.scopes.innermost(at: offset).type.map(bytes.text) }

    // MARK: Expressions

    func read(_ node: CodeExpression, depth: Int) -> [TextValue] {
        guard depth < Self.deepest else { return [] }
        switch node {
        case .literal(let token): return token.kind == .string ? filled(literal(token), depth: depth) : []
        case .name(let name):
            let own = named(name, depth: depth)
            return own.isEmpty && language == .objectiveC ? constant(of: node) : own
        case .member(_, let name, _):
            let own = node.names == nil ? [] : named(name, depth: depth)
            let found = own.isEmpty ? results(of: node, depth: depth) : own
            return found.isEmpty ? constant(of: node) : found
        case .infix:
            let operands = operands(of: node)
            guard operands.count > 1 else { return [] }
            let parts = operands.map { ($0, part($0, depth: depth)) }
            // Next to an unknown macro of C, nothing is known.
            return language == .objectiveC && parts.contains { $0.1.isEmpty } ? [] : joined(parts)
        case .choice(let parts, _): return parts.count == 3 ? either(parts[1], parts[2], depth: depth + 1) : []
        case .cast(let value, _), .forced(let value): return read(value, depth: depth + 1)
        case .element(let list, let index, _): return element(of: list, index, depth: depth)
        case .group(let range, let parts):
            guard bytes[range.lowerBound] == UInt8(ascii: "("), parts.count == 1 else { return [] }
            return read(parts[0].value, depth: depth + 1)
        case .call(let function, let arguments, _): return call(function, arguments, depth: depth)
        case .closure, .branch, .refused, .unknown: return []
        }
    }

    /// The strings of two expressions, one of which is chosen.
    private func either(_ first: CodeExpression, _ second: CodeExpression, depth: Int) -> [TextValue] {
        let first = read(first, depth: depth), second = read(second, depth: depth)
        return (first + second).prefix(Self.mostValues).map { value in
            var value = value
            value.isPartial = value.isPartial || first.isEmpty || second.isEmpty
            return value
        }
    }

    /// The operands of `a + b` and of `@"a" @"b"`; the expression itself if it is no concatenation.
    private func operands(of node: CodeExpression) -> [CodeExpression] {
        guard case .infix(let left, let sign, let right) = node, sign.isEmpty || bytes.equals("+", sign) else {
            return [node]
        }
        return operands(of: left) + [right]
    }

    /// `a + b`: each string of `a` followed by each string of `b`.
    func joined(_ operands: [(node: CodeExpression, values: [TextValue])]) -> [TextValue] {
        guard operands.count <= 64, operands.contains(where: { !$0.values.isEmpty }) else {
            return []
        }
        var result = [TextValue(text: FormatText())]
        for (node, found) in operands {
            let values = found.isEmpty ? [TextValue(text: hole(node.range))] : found
            result = result.flatMap { first in values.map { Self.join(first, $0) } }
            let isTooLong = result.contains { $0.text.bytes.count > FormatText.longest }
            if isTooLong || result.count > Self.mostValues { return [] }
        }
        return result
    }

    static func join(_ first: TextValue, _ second: TextValue) -> TextValue {
        var result = first
        result.text.append(second.text)
        result.isUncertain = first.isUncertain || second.isUncertain
        result.isDirect = first.isDirect && second.isDirect
        result.isPartial = first.isPartial || second.isPartial
        return result
    }

    /// The strings of an operand of a concatenation; `PRId64` and `#name` of a macro are parts of strings in C.
    private func part(_ node: CodeExpression, depth: Int) -> [TextValue] {
        guard language == .objectiveC, case .name(let name) = node else { return read(node, depth: depth) }
        if bytes[name.lowerBound] == UInt8(ascii: "#") { return [TextValue(text: hole(name))] }
        guard bytes.matches("PRI", at: name.lowerBound) else { return read(node, depth: depth) }
        return [TextValue(text: FormatText("ld".utf8, at: name))]
    }

    /// A string that consists of a hole.
    func hole(_ range: Range<Int>) -> FormatText {
        FormatText(.init(expression: range), shown: Array("\\(".utf8) + bytes[range] + Array(")".utf8), source: range)
    }

    // MARK: Literals

    /// A literal whose interpolated constants are replaced by each of their strings: `"\(clause) AND a == 1"`. A constant that
    /// occurs twice has the same string in both places. A literal with many interpolations stays as it is.
    private func filled(_ text: FormatText, depth: Int) -> [TextValue] {
        let holes = text.holes
        guard !holes.isEmpty, holes.count <= Self.mostValues else { return [TextValue(text: text)] }
        var choices: [[String: FormatText]] = [[:]]
        for (range, hole, _) in holes {
            let name = bytes.text(hole.expression)
            if choices[0][name] != nil { continue }
            let known = constantTexts(hole.expression, depth: depth)
            let isQuoted = "'\"".utf8.contains(text.bytes[max(0, range.lowerBound - 1)])
            guard known.count == 1 || !known.isEmpty && !isQuoted, choices.count * known.count <= Self.mostValues else {
                continue
            }
            choices = choices.flatMap { choice in known.map { choice.merging([name: $0]) { $1 } } }
        }
        return choices.map { choice in
            let known = text.filled { choice[bytes.text($0.expression)] }
            return TextValue(text: known ?? text, isDirect: known == nil)
        }
    }

    /// The possible strings of a constant expression; empty if one of them is unknown.
    private func constantTexts(_ range: Range<Int>, depth: Int) -> [FormatText] {
        let node = expression(in: range)
        // An interpolated constant counts as several levels, so that only short chains of constants are followed.
        let values = isVariable(node) ? [] : read(node, depth: depth + 3)
        return values.allSatisfy(\.isWhole) ? values.map(\.text) : []
    }

    func literal(_ token: CodeToken) -> FormatText {
        language == .swift
            ? SwiftLiteral.text(of: token.range, bytes) : ObjectiveCLiteral.text(of: token.range, bytes)
    }
}
