import PredicateSyntax

/// The values of arguments, if the sources show them. The format is parsed with these values, because they affect its meaning.
///
/// `NSPredicate(format: "%K MATCHES %@", "name", "[a-z+")`, `NSPredicate(format: "age BETWEEN %@", [18])`
enum KnownArguments {
    /// The value for each specifier of a format, in order; nil if the value does not matter or is unknown.
    static func values(
        of arguments: [FormatArgument], in format: FormatText, _ call: FoundCall, _ reader: TextReader
    ) -> [PredicateValue?] {
        let tokens = TolerantToken.tokens(of: format.text)
        return zip(FormatPredicate.specifiers(in: format.text), arguments).map { specifier, argument in
            guard let index = tokens.firstIndex(where: { $0.range == specifier.range }) else { return nil }
            guard let value = reader.constant(argument.node) else {
                switch specifier.kind {
                case .value: return reader.pattern(argument.node, unknown: index, isLike: isLike(index, tokens))
                case .keyPath: return reader.keyOfHealth(argument.node)
                case .integer, .floatingPoint, .text: return nil
                }
            }
            switch specifier.kind {
            case .keyPath: return isPath(value) ? value : nil
            case .integer, .floatingPoint: return value.kind == .number ? value : nil
            case .value: return isBound(index, tokens) || isText(value, index, tokens) ? value : nil
            case .text: return nil
            }
        }
    }

    private static func isPath(_ value: PredicateValue) -> Bool {
        guard case .string(let path) = value else { return false }
        return !path.split(separator: ".", omittingEmptySubsequences: false).contains("")
    }

    /// True after `LIKE` and `LIKE[c]`
    private static func isLike(_ index: Int, _ tokens: [TolerantToken]) -> Bool {
        let hasOptions = tokens[max(0, index - 1)].kind == .token(.symbol(.closeBracket))
        return tokens[max(0, hasOptions ? index - 4 : index - 1)].kind == .token(.keyword(.like))
    }

    /// True for a string after a string operator, and for one with a special meaning next to `==`: `"NULL"`, `"jo*"`
    private static func isText(_ value: PredicateValue, _ index: Int, _ tokens: [TolerantToken]) -> Bool {
        guard case .string(let text) = value else { return false }
        let hasOptions = tokens[max(0, index - 1)].kind == .token(.symbol(.closeBracket))
        let before = max(0, hasOptions ? index - 4 : index - 1)
        if case .token(.keyword(let keyword)) = tokens[before].kind, case .text = keyword.role { return true }
        return TextReader.nilTexts.contains(text) || "*%".contains(text.first ?? " ") || "*%".contains(text.last ?? " ")
    }

    /// True after `BETWEEN`, and in the braces after it.
    private static func isBound(_ index: Int, _ tokens: [TolerantToken]) -> Bool {
        let before = tokens[max(0, index - 4)..<index].map(\.kind)
        if before.last == .token(.keyword(.between)) { return true }
        let isFirst = before.suffix(2) == [.token(.keyword(.between)), .token(.symbol(.openBrace))]
        return isFirst
            || before.count == 4 && before.last == .token(.symbol(.comma))
                && before.prefix(2) == [.token(.keyword(.between)), .token(.symbol(.openBrace))]
    }
}

extension TextReader {
    /// Strings that mean nil in other languages.
    static let nilTexts = ["NULL", "nil", "null", "<null>"]

    /// The value of an expression: a literal, a constant, or a list of these; nil if the expression may have different values.
    func constant(_ node: CodeExpression, depth: Int = 0) -> PredicateValue? {
        if depth == 0 { constants.begin() }
        guard depth < Self.deepest, constants.take() else { return nil }
        switch node {
        case .literal(let token) where token.kind == .number: return number(bytes.text(token.range))
        case .cast(let value, _), .forced(let value): return constant(value, depth: depth + 1)
        case .group(let range, let parts): return group(range, parts, depth)
        case .call(.name(let name), let arguments, _) where bytes.equals("NSNumber", name):
            return arguments.first.flatMap { constant($0.value, depth: depth + 1) }
        case .name, .member: return named(node, depth) ?? text(node)
        case .infix(_, let sign, let right) where bytes.equals("??", sign):
            // A replacement for nil is only of interest if it is text that means nil.
            let text = constant(right, depth: depth + 1)
            return Self.nilTexts.map(PredicateValue.string).contains(text) ? text : nil
        case .literal, .call, .infix, .choice: return keyPath(node).map(PredicateValue.string) ?? text(node)
        case .closure, .element, .branch, .refused, .unknown: return nil
        }
    }

    private func number(_ text: String) -> PredicateValue? {
        let text = text.filter { $0 != "_" }
        return Int64(text).map(PredicateValue.integer) ?? Double(text).map(PredicateValue.double)
    }

    /// `-5`, `(5)`, `@5`, `[18, 65]`
    private func group(_ range: Range<Int>, _ parts: [CodeArgument], _ depth: Int) -> PredicateValue? {
        let values = parts.compactMap { $0.label == nil ? constant($0.value, depth: depth + 1) : nil }
        guard values.count == parts.count, let first = values.first else { return nil }
        let isBoxed = bytes[range.lowerBound] == UInt8(ascii: "@")
        switch bytes[isBoxed ? range.lowerBound + 1 : range.lowerBound] {
        case UInt8(ascii: "["): return .array(values)
        case UInt8(ascii: "!"): return nil
        case UInt8(ascii: "-"):
            if case .integer(let number) = first { return number == .min ? nil : .integer(-number) }
            if case .double(let number) = first { return .double(-number) }
            return nil
        default: return values.count == 1 ? first : nil
        }
    }

    /// The number or list that is the value of a constant.
    private func named(_ node: CodeExpression, _ depth: Int) -> PredicateValue? {
        if let other = constantOfOther(node), let text = members.text(of: other),
            members.type(of: other)?.isNumber ?? false
        {
            return number(text)
        }
        let value = constantValue(node).flatMap { constant($0, depth: depth + 1) }
        if case .string? = value { return nil }
        return value
    }

    /// The value of a constant, which in Objective-C may be a variable that never changes; nil for any other expression.
    func constantValue(_ node: CodeExpression) -> CodeExpression? {
        let member = lastMember(of: node).flatMap { declarations.member($0.name, of: bytes.text($0.type), bytes) }
        guard let own = local(node) ?? member, !own.isParameter, !own.isBound, own.part == nil, let start = own.value,
            !own.isVariable || language == .objectiveC && declarations.assignments(to: own, bytes).isEmpty
        else { return nil }
        return expression(from: start)
    }

    /// A string with a wildcard at one end, in which a word replaces the unknown part: `query + "*"`, `"%\(query)%"`
    func pattern(_ node: CodeExpression, unknown: Int, isLike: Bool) -> PredicateValue? {
        let values = values(of: node)
        guard values.count == 1, let text = values.first?.text, text.hasHoles else { return nil }
        let word = String(repeating: "x", count: unknown + 2)
        let filled = text.filled(with: text.holes.map { _ in word }).text
        let ends = [filled.first, filled.last].compactMap(\.self)
        let hasWildcard =
            ends.contains("*") && !filled.contains(".*") || ends == ["%", "%"]
            || isLike && ends.contains("%") && filled.filter { $0 == "%" }.count == 1
        return hasWildcard ? .string(filled) : nil
    }

    /// The key that is the value of a constant of HealthKit: `HKPredicateKeyPathStartDate`
    func keyOfHealth(_ node: CodeExpression) -> PredicateValue? {
        let keys = ["StartDate": "startDate", "EndDate": "endDate", "Quantity": "quantity"]
        guard case .name(let name) = node, bytes.matches("HKPredicateKeyPath", at: name.lowerBound) else { return nil }
        return keys[String(bytes.text(name).dropFirst(18))].map(PredicateValue.string)
    }

    /// The string that an expression has, if it is the only possible one.
    private func text(_ node: CodeExpression) -> PredicateValue? {
        guard !isVariable(node) || language == .objectiveC else { return nil }
        return values(of: node).only.map { .string($0.text) }
    }
}
