/// Finds the entity of a predicate, if the source shows it.
///
///     // predicate:entity Person
///     let request = NSFetchRequest<Person>(entityName: "Person")
///     request.predicate = NSPredicate(format: "age > 18")
///     @FetchRequest(entity: Person.entity(), sortDescriptors: [], predicate: NSPredicate(format: "age > 18"))
///     realm.objects(Person.self).filter("age > 18")
struct EntityFinder {
    let bytes: Bytes
    let language: CodeLanguage
    let declarations: Declarations

    /// The maximum length of the searched part of a statement in bytes.
    private static let reach = 512

    func entity(of call: FoundCall, literal: Range<Int>) -> String? {
        if let named = comment(before: literal.lowerBound) ?? comment(before: call.name.lowerBound) { return named }
        let start = max(call.statement, call.name.lowerBound - Self.reach)
        let words = statement(min(start, call.name.lowerBound)..<call.name.lowerBound)
        if let target = target(of: words) { return entity(ofRequest: target) }
        if let direct = EntityName.entity(in: (words.map(\.range) + [call.name]).map(bytes.text)) { return direct }
        return assignedLater(words, call)
    }

    /// `// predicate:entity Person` on the line or on the line before.
    private func comment(before offset: Int) -> String? {
        let line = bytes.lineStart(before: offset)
        let start = bytes.lineStart(before: max(line - 1, 0))
        guard let found = bytes.firstOffset(of: "predicate:entity ", in: start..<bytes.lineEnd(from: offset)) else {
            return nil
        }
        let name = bytes.blankEnd(from: found + 17)
        let end = bytes.nameEnd(from: name)
        return end > name ? bytes.text(name..<end) : nil
    }

    private func statement(_ range: Range<Int>) -> [CodeToken] {
        var part = bytes
        part.count = min(range.upperBound, bytes.count)
        var lexer = CodeLexer(part, language)
        var tokens: [CodeToken] = []
        var offset = range.lowerBound
        while true {
            let token = lexer.token(at: offset)
            if token.kind == .end { return tokens }
            tokens.append(token)
            offset = token.end
        }
    }

    /// The name of the request in `request.predicate = …` or `[request setPredicate:…]`.
    private func target(of tokens: [CodeToken]) -> Range<Int>? {
        for (index, token) in tokens.enumerated() where token.kind == .word {
            if bytes.equals("predicate", token.range), index + 1 < tokens.count, tokens[index + 1].is("=") {
                return tokens[..<index].last { $0.kind == .word }?.range
            }
            if bytes.equals("setPredicate", token.range), index > 0, tokens[index - 1].kind == .word {
                return tokens[index - 1].range
            }
        }
        return nil
    }

    /// The entity of a variable that holds a fetch request.
    private func entity(ofRequest name: Range<Int>) -> String? {
        guard let declaration = declarations.declaration(of: name, at: name.lowerBound, bytes) else { return nil }
        // Search its written type or its value.
        let end = min((declaration.value ?? declaration.name.upperBound) + 160, bytes.count)
        let text = statement(declaration.name.lowerBound..<end).prefix(24)
        let first = text.prefix { !$0.is(";") && !$0.is("{") }
        return EntityName.entity(in: first.map { bytes.text($0.range) })
    }

    /// Finds a later `request.predicate = p` after `let p = NSPredicate(…)`.
    private func assignedLater(_ words: [CodeToken], _ call: FoundCall) -> String? {
        guard let name = words.last(where: { $0.kind == .word && !bytes.equals("NSPredicate", $0.range) }),
            words.last.map({ $0.is("=") || $0.is("[") }) == true
        else { return nil }
        let later = statement(call.range.upperBound..<min(bytes.count, call.range.upperBound + 1024))
        for (index, token) in later.enumerated() where index > 2 && token.kind == .word {
            guard bytes[token.range].elementsEqual(bytes[name.range]) else { continue }
            if later[index - 1].is("="), bytes.equals("predicate", later[index - 2].range), later[index - 3].is("."),
                index > 3
            {
                return entity(ofRequest: later[index - 4].range)
            }
            if later[index - 1].is(":"), bytes.equals("setPredicate", later[index - 2].range) {
                return entity(ofRequest: later[index - 3].range)
            }
        }
        return nil
    }
}

/// Finds an entity in the words of an expression.
private enum EntityName {
    static func entity(in words: [String]) -> String? {
        for index in words.indices {
            let next = { (distance: Int) in words.indices.contains(index + distance) ? words[index + distance] : "" }
            let previous = index > 0 ? words[index - 1] : ""
            switch words[index] {
            case "NSFetchRequest", "FetchRequest", "SectionedFetchRequest":
                if next(1) == "<" { return words[index] == "SectionedFetchRequest" ? next(4) : name(next(2)) }
            case "entityName", "fetchRequestWithEntityName", "initWithEntityName":
                if next(1) == ":" { return text(next(2)) }
            case "entity": if next(1) == ":", next(3) == ".", next(4) == "entity" { return name(next(2)) }
            case "fetchRequest":
                if previous == ".", index > 1 { return name(words[index - 2]) }
                if let own = name(previous) { return own }
            case "objects":
                if next(1) == "(", next(3) == ".", next(4) == "self" { return name(next(2)) }
            case "objectsWhere": return name(previous)
            default: break
            }
        }
        return nil
    }

    /// The word if it is the name of a type, else nil.
    private static func name(_ word: String) -> String? {
        guard let first = word.first, first.isUppercase, word != "Self", word != "NSManagedObject",
            word != "NSFetchRequestResult", word != "NSFetchRequest"
        else { return nil }
        return word
    }

    private static func text(_ literal: String) -> String? {
        let name = literal.drop { $0 == "@" || $0 == "\"" }.prefix { $0 != "\"" }
        return literal.contains("\"") && !name.isEmpty ? String(name) : nil
    }
}
