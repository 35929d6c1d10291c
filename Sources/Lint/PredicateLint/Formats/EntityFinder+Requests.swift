// The entities of variables: of fetch requests and their results, of objects, and of entity descriptions

extension EntityFinder {
    /// The entity of a variable that holds a fetch request or its results.
    func entity(ofRequest name: Range<Int>, near offset: Int, depth: Int = 0) -> String? {
        guard depth < Self.deepest, work.take(),
            let declaration = declarations.declaration(of: name, at: name.lowerBound, bytes)
        else { return nil }
        if let own = self.name(in: declared(declaration)) ?? returned(declaration, depth) {
            return current(own, declaration, at: offset)
        }
        let values = declarations.assignments(to: declaration, bytes).lazy.compactMap(\.value)
        let assigned = Set(values.prefix(8).compactMap { self.name(in: statement(from: $0)) })
        if assigned.count == 1 { return assigned.first }
        return assigned.isEmpty ? entitySet(of: name, declaration, near: offset) : nil
    }

    /// The entity of a variable at an offset, before which the source may assign other requests; nil if it may have several.
    private func current(_ own: String, _ declaration: Declarations.Declaration, at offset: Int) -> String? {
        let (values, isReplaced) = reader.newValues(of: declaration, at: offset)
        let found = values.map { self.name(in: statement(from: $0)) }
        // In Swift, the type of the variable may show the entity of a value that is not read.
        let known = language == .swift ? found.filter { $0 != nil } : found
        let entities = Set(isReplaced && !known.isEmpty ? known : known + [own])
        return entities.count == 1 ? entities.first ?? nil : nil
    }

    /// The entity of the result of a function: `let request = orderRequest()`
    private func returned(_ declaration: Declarations.Declaration, _ depth: Int) -> String? {
        guard let value = declaration.value.map(reader.expression(from:)) else { return nil }
        // `people.first as? Employee`
        if let own = reader.type(of: value).flatMap({ reader.schema?.entity(named: $0.name) }) { return own }
        if let list = fetched(by: value) { return entity(ofRequest: list, near: list.lowerBound, depth: depth + 1) }
        guard case .call(let function, _, _) = value, let name = function.lastName else { return nil }
        if let type = declarations.result(of: name, bytes), let own = self.name(in: statement(from: type)) {
            return own
        }
        let results = Set(
            reader.results(of: .call(function, [], name)).map { result in
                result.names?.count == 1
                    ? entity(ofRequest: result.range, near: result.range.lowerBound, depth: depth + 1)
                    : self.name(in: statement(from: result.range.lowerBound))
            })
        return results.count == 1 ? results.first ?? nil : nil
    }

    /// The request of `try context.fetch(request)`, and the list of `results.first` and `results[0]`.
    private func fetched(by value: CodeExpression) -> Range<Int>? {
        switch value {
        case .name(let name): return name
        case .cast(let inner, _), .forced(let inner), .element(let inner, _, _): return fetched(by: inner)
        case .infix(let left, let sign, _): return bytes.equals("??", sign) ? fetched(by: left) : nil
        case .group(_, let parts): return parts.count == 1 ? fetched(by: parts[0].value) : nil
        case .member(let base?, let name, _):
            return ["first", "last", "firstObject", "lastObject"].contains(bytes.text(name)) ? fetched(by: base) : nil
        case .call(let function, let arguments, _):
            guard let name = function.lastName, ["fetch", "executeFetchRequest"].contains(bytes.text(name)),
                function.base != nil, !declarations.declaresFunction(name, bytes), let request = arguments.first,
                request.label == nil || language == .objectiveC
            else { return nil }
            return fetched(by: request.value)
        case .member, .closure, .literal, .choice, .branch, .refused, .unknown: return nil
        }
    }

    /// The entity of an object: of its value, or its type as it is declared.
    func entity(ofObject name: Range<Int>, near offset: Int) -> String? {
        if let own = entity(ofRequest: name, near: offset) { return own }
        guard let words = declarations.declaration(of: name, at: name.lowerBound, bytes).map(declared),
            words.count > 1
        else { return nil }
        guard language == .swift else { return EntityName.type(bytes.text(words[0].range)) }
        if let label = words.firstIndex(where: { bytes.equals("entity", $0.range) }), label + 2 < words.count,
            words[label + 1].is(":")
        {
            return described(Array(words[(label + 2)...]))
        }
        return words.count > 2 && words[1].is(":") ? EntityName.type(bytes.text(words[2].range)) : nil
    }

    /// The words of a declaration: the type and the value.
    func declared(_ declaration: Declarations.Declaration) -> [CodeToken] {
        let name = declaration.name.lowerBound
        guard language == .objectiveC else { return statement(from: name) }
        // If the type does not begin with a name, as with generic arguments, the words begin at the start of the line.
        let type = declaration.type?.lowerBound ?? name
        return statement(from: bytes[type].isNameStart ? type : bytes.lineStart(before: name))
    }

    /// The entity in `[request setEntity:…]` or `request.entity = …`: the last assignment before an offset or else the first
    /// one after it.
    private func entitySet(of name: Range<Int>, _ declaration: Declarations.Declaration, near offset: Int) -> String? {
        let start = max(declaration.name.upperBound, offset - Self.laterReach)
        let end = min(declarations.scopes[declaration.scope].end, bytes.count, offset + Self.laterReach)
        guard start < end else { return nil }
        let all = tokens(in: start..<end)
        var before: String?
        for (index, token) in all.enumerated() where index + 1 < all.count {
            guard let owner = ownerOfEntity(all, index), bytes[owner].elementsEqual(bytes[name]) else { continue }
            let value = statement(from: all[index + 1].end)
            guard let entity = self.name(in: value) ?? described(value) else { continue }
            if token.start >= offset { return before ?? entity }
            before = entity
        }
        return before
    }

    /// The variable before `.entity =` and `setEntity:`.
    private func ownerOfEntity(_ tokens: [CodeToken], _ index: Int) -> Range<Int>? {
        if index > 0, bytes.equals("setEntity", tokens[index].range) { return tokens[index - 1].range }
        guard index > 1, bytes.equals("entity", tokens[index].range), tokens[index - 1].is("."),
            tokens[index + 1].is("=")
        else { return nil }
        return tokens[index - 2].range
    }

    /// The entity of a variable for an entity description: `NSEntityDescription *e = [… entityForName:@"Person" …]`.
    private func described(_ value: [CodeToken]) -> String? {
        guard let first = value.first, first.kind == .word,
            let declaration = declarations.declaration(of: first.range, at: first.start, bytes)
        else { return nil }
        return name(in: declared(declaration))
    }
}
