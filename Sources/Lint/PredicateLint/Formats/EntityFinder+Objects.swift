// Predicates that are evaluated in memory, or passed to functions of the source

extension EntityFinder {
    /// The element type of `people` in `people.filtered(using: …)` and `(people as NSArray).filtered(using: …)`.
    func filtered(_ words: [CodeToken]) -> String? {
        guard let method = words.lastIndex(where: { bytes.equals("filtered", $0.range) }), method > 1,
            words[method - 1].is(".")
        else { return nil }
        let all = reader.source.tokens
        let operand = all.operand(endingAt: all.tokens.firstIndex(from: words[method - 2].start, \.start))
        guard let list = reader.type(of: plain(reader.expression(in: operand))), list.isCollection, !list.isTable else {
            return nil
        }
        let isName = words[method - 2].kind == .word
        return isName && reader.schema?.entity(named: list.name) != nil ? EntityName.type(list.name) : object(list.name)
    }

    /// The list in `(people as NSArray)` and `NSArray(array: people)`
    private func plain(_ node: CodeExpression) -> CodeExpression {
        switch node {
        case .group(_, let parts) where parts.count == 1: plain(parts[0].value)
        case .cast(let value, let type) where bytes.matches("NS", at: type.lowerBound): value
        case .call(.name(let name), let arguments, _) where bytes.matches("NS", at: name.lowerBound):
            arguments.count == 1 ? arguments[0].value : node
        case .name, .member, .call, .closure, .literal, .infix, .group, .element, .cast, .choice, .forced, .branch,
            .refused, .unknown:
            node
        }
    }

    static let evaluation: StaticString = ".evaluate(with:"

    /// The type of `person` in `predicate.evaluate(with: person)`.
    func evaluated(after end: Int) -> String? {
        let start = bytes.spaceEnd(from: end)
        guard language == .swift, bytes.matches(Self.evaluation, at: start) else { return nil }
        let object = reader.expression(from: start + Self.evaluation.utf8CodeUnitCount)
        guard let type = reader.type(of: object), !type.isCollection else { return nil }
        return self.object(type.name)
    }

    /// The name of a class or structure whose objects are in memory. Objects of an entity are excluded, because they may have
    /// keys that the model does not contain.
    private func object(_ name: String) -> String? {
        guard let name = EntityName.type(name), reader.schema?.entity(named: name) == nil else { return nil }
        reader.needs.note(NeededMember(type: name, name: NeededMember.whole))
        return name
    }

    // MARK: Functions

    /// The entity with which the only function of a name uses its parameter: `fetch(matching: NSPredicate(…))`
    func passed(_ words: [CodeToken], _ depth: Int) -> String? {
        guard language == .swift, depth < Self.deepest, let last = words.last,
            let open = last.is(":") || last.is("(") ? openBracket(of: words[...]) : nil, open > 0, words[open].is("("),
            words[open - 1].kind == .word, isOwn(words[..<(open - 1)]),
            let body = declarations.body(of: words[open - 1].range, bytes),
            let label = last.is(":") ? words.dropLast().last?.range : 0..<0,
            let parameter = parameter(label, ofBody: body)
        else { return nil }
        let owner = reader.typeName(at: body.lowerBound)
        guard owner == nil || owner == reader.typeName(at: last.start) else { return nil }
        var followed: Set<String> = []
        return agreed(on: parameter, in: body.prefix(Self.laterReach), &followed, depth: depth + 1)
    }

    /// The first call in a function of the source to which the function passes its parameter: `func wait(_ format: String) {
    /// NSPredicate(format: format) }`
    func passedOn(by call: FoundCall) -> FoundCall? {
        guard let body = declarations.body(of: call.name, bytes) else { return nil }
        let calls = reader.source.calls.lazy.filter { $0.kind == .predicate && body.contains($0.name.lowerBound) }
        return calls.prefix(Self.mostFollowed).first { inner in
            inner.arguments.indices.contains(inner.format)
                && reader.isTextParameter(reader.expression(in: inner.arguments[inner.format].value))
        }
    }

    /// The entity of the model that another argument of a call names: `count(Person.self, NSPredicate(…))`
    func argument(_ words: ArraySlice<CodeToken>) -> String? {
        let found = words.indices.dropFirst(2).filter { bytes.equals("self", words[$0].range) && words[$0 - 1].is(".") }
            .compactMap { reader.schema?.entity(named: bytes.text(words[$0 - 2].range)) }
        return found.count == 1 ? found[0] : nil
    }

    /// True for a name after these words that has no receiver, or that of `self` or `self?`.
    func isOwn(_ before: ArraySlice<CodeToken>) -> Bool {
        guard before.last?.is(".") == true else { return true }
        return before.dropLast().last { !$0.is("?") }.map { bytes.equals("self", $0.range) } ?? false
    }

    /// The name of the parameter with a label; for an empty label, the first parameter without a label.
    private func parameter(_ label: Range<Int>, ofBody body: Range<Int>) -> Range<Int>? {
        guard let name = declarations.function(at: body.lowerBound) else { return nil }
        let tokens = reader.source.tokens
        let open = tokens.angleEnd(tokens.tokens.firstIndex(from: name.lowerBound, \.start) + 1)
        guard tokens[open].is("(") else { return nil }
        let parts = tokens.parts(open + 1..<tokens.close(of: open))
        let part = (label.isEmpty ? Array(parts.prefix(1)) : parts).first { part in
            let own = tokens[part.lowerBound].range
            return label.isEmpty ? bytes.equals("_", own) : bytes[own].elementsEqual(bytes[label])
        }
        guard let colon = part?.first(where: { tokens[$0].is(":") }), bytes.matches("NS", at: tokens[colon + 1].start)
        else { return nil }
        return tokens[colon - 1].range
    }
}
