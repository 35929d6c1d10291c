/// Finds the entity of a predicate, if the source shows it.
///
///     // predicate:entity Person
///     let request = NSFetchRequest<Person>(entityName: "Person")
///     request.predicate = NSPredicate(format: "age > 18")
///     @FetchRequest(sortDescriptors: [], predicate: NSPredicate(format: "age > 18")) var people: FetchedResults<Person>
///     realm.objects(Person.self).filter("age > 18")
///     [Person MR_findAllWithPredicate:[NSPredicate predicateWithFormat:@"age > 18"]]
///
/// A predicate in a variable or an array is traced to the statements that use it. If these have different entities, the result
/// is nil.
struct EntityFinder {
    let reader: TextReader
    let hosts: HostTable
    /// True to search only for fetches, not for other uses of a predicate.
    var findsFetches = false
    /// The uses of variables and functions that may still be looked at for one predicate.
    let work = ReadingWork()

    /// The maximum number of bytes of a statement that are searched.
    private static let reach = 512
    /// The maximum distance to later uses of a variable in bytes.
    static let laterReach = 4096
    /// The maximum distance to the calls of a function in bytes.
    private static let farReach = 16_384
    /// The maximum number of assignments from one variable to the next.
    static let deepest = 3
    /// The maximum number of variables, and of calls in a function, that are followed for one predicate.
    static let mostFollowed = 8

    /// What a statement does with the predicate in it.
    private enum Use {
        case entity(String)
        /// The statement stores the predicate in a variable.
        case stored(Range<Int>)
        case unknown
    }

    var bytes: Bytes { reader.bytes }
    var language: CodeLanguage { reader.language }
    var declarations: Declarations { reader.declarations }

    func entity(of call: FoundCall, literal: Range<Int>) -> String? {
        let whole = whole(of: call, literal: literal) ?? marked(call)
        guard let found = whole, hosts.hasParts(found) else { return whole }
        let scope = declarations.scopes.innermost(at: call.name.lowerBound)
        let end = min(scope.end, bytes.count, call.range.upperBound + Self.laterReach)
        let words = Set(tokens(in: call.name.lowerBound..<max(end, call.range.upperBound)).map { bytes.text($0.range) })
        return hosts.part(of: found, words) ?? found
    }

    /// The entity, or a host that may have several parts.
    private func whole(of call: FoundCall, literal: Range<Int>) -> String? {
        let comments = reader.comments
        if let named = comments.name(near: literal.lowerBound) ?? comments.name(near: call.name.lowerBound) {
            return named
        }
        if call.kind == .custom {
            let receiver = call.receiver.name.flatMap { reader.schema?.entity(named: bytes.text($0)) }
            let own = receiver ?? passedOn(by: call).flatMap { whole(of: $0, literal: $0.range) }
            if own != nil { return own }
        }
        let name = call.name.lowerBound
        if call.kind == .keys, let use = KeyUse(call, bytes) {
            let own =
                call.receiver.name.flatMap { entity(ofObject: $0, near: name) ?? typed($0) } ?? controlled(by: call)
            if use == .object || own != nil { return own }
        }
        // The target of `request.propertiesToFetch = …` is part of the call.
        let sign = bytes.blankEnd(from: call.name.upperBound)
        let end = call.kind == .keys && bytes[sign] == UInt8(ascii: "=") ? sign + 1 : name
        var words = tokens(in: max(call.statement, name - Self.reach)..<end)
        if bytes.equals("init", call.name), words.last?.is(".") ?? false { words.removeLast() }
        if call.kind == .realm { return ofCollection(words, call) }
        return used(words, call)
    }

    /// The host whose constants are among the arguments of a call: `HKPredicateKeyPathStartDate`
    private func marked(_ call: FoundCall) -> String? {
        guard bytes.firstOffset(of: "HKPredicateKeyPath", in: call.range) != nil else { return nil }
        return tokens(in: call.range).lazy.compactMap { hosts.host(marked: bytes.text($0.range)) }.first
    }

    /// The entity of the statement that contains a call.
    private func used(_ words: [CodeToken], _ call: FoundCall) -> String? {
        let name = call.name.lowerBound
        switch use(words, after: call.range.upperBound) {
        case .entity(let entity): return entity
        case .stored(let variable):
            var followed: Set<String> = []
            return usedLater(variable, after: call.range.upperBound, &followed, depth: 0)
        case .unknown:
            let isWhole = bytes[bytes.spaceEnd(from: call.range.upperBound)] != UInt8(ascii: ".")
            return isWhole && isResult(words) ? ofResult(at: name) : nil
        }
    }

    /// True for the words before a returned predicate: `return`, `return NSCompoundPredicate(`, or none.
    private func isResult(_ words: [CodeToken]) -> Bool {
        words.first.map { bytes.equals("return", $0.range) || bytes.equals("NSCompoundPredicate", $0.range) } ?? true
    }

    /// The entity of a predicate that the enclosing function or computed property returns, if all its uses have the same
    /// entity. One that is not private counts only if its own type uses it.
    private func ofResult(at offset: Int) -> String? {
        guard language == .swift, let name = declarations.function(at: offset), returnsPredicate(name) else {
            return nil
        }
        let owner = isPrivate(name) ? nil : reader.typeName(at: name.lowerBound)
        guard isPrivate(name) || owner != nil && owner != "NSPredicate" else { return nil }
        let near = max(0, name.lowerBound - Self.farReach)..<min(bytes.count, name.lowerBound + Self.farReach)
        var found: Set<String?> = []
        for (words, use) in uses(of: name, in: near) where words.last.map({ !isDeclaration($0) }) ?? true {
            guard work.take() else { return nil }
            if owner != nil, reader.typeName(at: use.start) != owner { return nil }
            switch self.use(words, after: use.end) {
            case .entity(let entity): found.insert(entity)
            case .stored(let variable):
                var followed: Set<String> = []
                found.insert(usedLater(variable, after: use.end, &followed, depth: 1))
            case .unknown: found.insert(nil)
            }
        }
        return found.count == 1 ? found.first ?? nil : nil
    }

    private func isDeclaration(_ word: CodeToken) -> Bool {
        bytes.equals("func", word.range) || bytes.equals("var", word.range)
    }

    private func isPrivate(_ name: Range<Int>) -> Bool {
        bytes.firstOffset(of: "private", in: bytes.lineStart(before: name.lowerBound)..<name.lowerBound) != nil
    }

    private func returnsPredicate(_ name: Range<Int>) -> Bool {
        let declaration = declarations.declaration(of: name, at: name.lowerBound + 1, bytes)
        guard let type = declarations.result(of: name, bytes) ?? declaration?.type?.lowerBound else { return false }
        return ["NSPredicate", "NSCompoundPredicate", "[NSPredicate"].contains {
            bytes[type..<min(bytes.count, type + $0.utf8.count)].elementsEqual($0.utf8)
        }
    }

    /// The entity of the request that a call gives its predicate: `request.predicate = NSPredicate { … }`
    func fetched(by call: FoundCall) -> String? {
        let name = call.name.lowerBound
        return used(tokens(in: max(call.statement, name - Self.reach)..<name), call)
    }

    /// The entity of an object, from the type of its name, as in `for order in customer.orders`.
    private func typed(_ name: Range<Int>) -> String? {
        guard let type = reader.type(of: .name(name)), !type.isCollection,
            reader.schema?.entity(named: type.name) != nil
        else { return nil }
        return type.name
    }

    /// The entity of the request of `NSFetchedResultsController(fetchRequest: request, …)`.
    private func controlled(by call: FoundCall) -> String? {
        let isSelector = bytes.equals("sectionNameKeyPath", call.name)
        guard let request = call.arguments.first,
            isSelector || request.label.map({ bytes.equals("fetchRequest", $0) }) ?? false
        else { return nil }
        return entity(ofRequest: request.value, near: request.value.lowerBound)
    }

    /// `people.filter("age > 18")`, `realm.objects(Person.self).filter("age > 18")`
    private func ofCollection(_ words: [CodeToken], _ call: FoundCall) -> String? {
        let all = words + [CodeToken(kind: .word, start: call.name.lowerBound, end: call.name.upperBound)]
        if let direct = name(in: all) { return direct }
        guard words.count > 1, words[words.count - 1].is("."), words[words.count - 2].kind == .word else { return nil }
        return entity(ofRequest: words[words.count - 2].range, near: call.name.lowerBound)
    }

    // MARK: Statements

    /// How the statement that begins with these words uses the predicate; `end` is the offset after the predicate.
    private func use(_ words: [CodeToken], after end: Int, depth: Int = 0) -> Use {
        if let target = target(of: words) {
            return entity(ofRequest: target, near: end).map(Use.entity) ?? .unknown
        }
        if let passed = passed(words, depth) { return .entity(passed) }
        if findsFetches {
            if let host = name(in: callers(words)), hosts.host(named: host)?.refusal(of: "BLOCK") != nil {
                return .entity(host)
            }
            return variable(in: words).map(Use.stored) ?? .unknown
        }
        if let object = evaluated(after: end) { return .entity(object) }
        if isElementQuery(words),
            isTestOfElements || (words + (words.first.map(declaredWords) ?? [])).contains(where: isElement)
        {
            return .entity(HostTable.query)
        }
        if isExpectation(words) { return .entity(expectation(after: end)) }
        if let direct = name(in: words) ?? filtered(words) ?? wrapped(words, after: end) ?? receiver(of: words) {
            return .entity(direct)
        }
        return variable(in: words).map(Use.stored) ?? .unknown
    }

    /// The request in `request.predicate = …`, `[request setPredicate:…]` and `controller.fetchRequest.predicate = …`.
    private func target(of tokens: [CodeToken]) -> Range<Int>? {
        for (index, token) in tokens.enumerated() where token.kind == .word && index > 0 {
            let isAssigned =
                Self.targets.contains { bytes.equals($0, token.range) } && tokens[index - 1].is(".")
                && index + 1 < tokens.count && tokens[index + 1].is("=")
            if isAssigned || Self.targets.contains(where: { bytes.isSetter(token.range, of: $0) }) {
                return owner(tokens[..<index])
            }
        }
        return nil
    }

    private static let targets: [StaticString] =
        ["predicate", "nsPredicate", "sortDescriptors"] + CallNames.keyProperties

    /// The last word, or the one before it in `controller.fetchRequest` and `[controller fetchRequest]`.
    private func owner(_ tokens: ArraySlice<CodeToken>) -> Range<Int>? {
        let words = tokens.suffix(4).filter { $0.kind == .word }
        guard let last = words.last, let before = words.dropLast().last else { return words.last?.range }
        // A variable may have the name of the property.
        let isMember = bytes[last.start - 1] == UInt8(ascii: ".") || tokens.last?.is("]") ?? false
        let isProperty = isMember && bytes.equals("fetchRequest", last.range) && !bytes.equals("self", before.range)
        return isProperty ? before.range : last.range
    }

    /// `@FetchRequest(…) var people: FetchedResults<Person>`, `_people = FetchRequest(…)`
    private func wrapped(_ words: [CodeToken], after end: Int) -> String? {
        guard language == .swift,
            let wrapper = words.lastIndex(where: {
                bytes.equals("FetchRequest", $0.range) || bytes.equals("SectionedFetchRequest", $0.range)
            }), wrapper > 0
        else { return nil }
        if words[wrapper - 1].is("@") { return name(in: attributed(from: end)) }
        guard words[wrapper - 1].is("="), wrapper > 1, bytes[words[wrapper - 2].start] == UInt8(ascii: "_") else {
            return nil
        }
        let storage = words[wrapper - 2].range
        return entity(ofRequest: storage.lowerBound + 1..<storage.upperBound, near: storage.lowerBound)
    }

    /// The declaration after an attribute, up to its body or the next attribute.
    private func attributed(from start: Int) -> [CodeToken] {
        Array(
            tokens(in: start..<min(bytes.count, start + Self.reach)).prefix {
                !$0.is("{") && !$0.is("}") && !$0.is(";") && !$0.is("@")
            })
    }

    /// True for the call of an element query: `matching(…)`, `containing(…)`, `element(matching: …)`,
    /// `elementMatchingPredicate:…`.
    private func isElementQuery(_ words: [CodeToken]) -> Bool {
        var words = words[...]
        if language == .objectiveC, words.count > 1, words.suffix(2).first?.is("[") == true { words.removeLast(2) }
        guard let mark = words.last, let label = words.dropLast().last else { return false }
        if language == .swift {
            if mark.is("(") { return bytes.equals("matching", label.range) || bytes.equals("containing", label.range) }
            // Collections have `index(matching: …)`.
            return mark.is(":") && bytes.equals("matching", label.range)
                && words.dropLast(3).last.map { bytes.equals("element", $0.range) } ?? false
        }
        return mark.is(":")
            && ["matchingPredicate", "containingPredicate", "elementMatchingPredicate"].contains {
                bytes.equals($0, label.range)
            }
    }

    private var isTestOfElements: Bool { bytes.firstOffset(of: "XCUI") != nil }

    /// True for `expectation(for: …)`, `XCTNSPredicateExpectation(predicate: …)`, `expectationForPredicate:…`.
    private func isExpectation(_ words: [CodeToken]) -> Bool {
        let names = words.suffix(8).filter { $0.kind == .word }.map { bytes.text($0.range) }
        let isCall = names.last == "for" && names.dropLast().last == "expectation"
        return words.last?.is("(") == false
            && (isCall || names.contains("expectationForPredicate") || names.contains(HostTable.expectation))
    }

    /// The host of an expectation, whose object follows its predicate: `evaluatedWith: app.buttons["OK"]`
    private func expectation(after end: Int) -> String {
        guard isTestOfElements else { return HostTable.expectation }
        let rest = Array(tokens(in: end..<min(bytes.count, end + Self.reach)).prefix(24))
        let labels: [StaticString] = ["evaluatedWith", "object", "evaluatedWithObject"]
        guard
            let label = rest.firstIndex(where: { token in labels.contains { bytes.equals($0, token.range) } }),
            label + 2 < rest.count, rest[label + 1].is(":")
        else { return HostTable.expectation }
        let object = rest[label + 2]
        let isSelf = bytes.equals("self", object.range) && reader.typeName(at: object.start) == HostTable.element
        return isSelf || ([object] + declaredWords(object)).contains(where: isElement)
            ? HostTable.element : HostTable.expectation
    }

    private func isElement(_ word: CodeToken) -> Bool {
        bytes.equals("app", word.range) || bytes.matches("XCUI", at: word.start)
    }

    /// The words of the declaration of a name.
    private func declaredWords(_ name: CodeToken) -> [CodeToken] {
        declarations.declaration(of: name.range, at: name.start, bytes).map(declared) ?? []
    }

    /// The class in `[Person MR_findAllWithPredicate:…]`, `Person.mr_findAll(with: …)` and `Person.all(predicate: …)`.
    private func receiver(of words: [CodeToken]) -> String? {
        var words = words[...]
        if language == .objectiveC, words.count > 1, words.suffix(2).first?.is("[") == true { words.removeLast(2) }
        guard let open = openBracket(of: words) else { return nil }
        let label = words.suffix(2).first.map { bytes.text($0.range) } ?? ""
        if words[open].is("[") {
            guard language == .objectiveC, words[words.endIndex - 1].is(":"), label.hasSuffix("Predicate"),
                open + 1 < words.endIndex
            else { return nil }
            return EntityName.type(bytes.text(words[open + 1].range))
        }
        if let entity = argument(words[(open + 1)...]) { return entity }
        guard open > 2, words[open].is("("), words[open - 2].is("."), words[open - 3].kind == .word else { return nil }
        let type = bytes.text(words[open - 3].range)
        if reader.schema?.entity(named: type) != nil { return type }
        let method = bytes.text(words[open - 1].range).lowercased()
        guard method.hasPrefix("mr_") || label == "predicate" || label == "matching" else { return nil }
        return EntityName.type(type)
    }

    /// The index of the innermost bracket that is open at the end.
    func openBracket(of words: ArraySlice<CodeToken>) -> Int? {
        var depth = 0
        for index in words.indices.reversed() {
            if words[index].is(")") || words[index].is("]") { depth += 1 }
            guard words[index].is("(") || words[index].is("[") else { continue }
            if depth == 0 { return index }
            depth -= 1
        }
        return nil
    }

    /// The words around the beginnings of the brackets that are open at the end: `CKQuery(…`, `[[CKQuery …`
    private func callers(_ words: [CodeToken]) -> [CodeToken] {
        var (found, rest): ([CodeToken], ArraySlice<CodeToken>) = ([], words[...])
        while let open = openBracket(of: rest) {
            found += language == .swift ? words[max(open - 1, 0)..<open] : rest[open...].prefix(3)
            rest = words[..<open]
        }
        return found
    }

    /// The variable that the statement assigns or extends: `let p = …`, `p += […]`, `p.append(…)`, `[p addObject:…]`.
    private func variable(in words: [CodeToken]) -> Range<Int>? {
        for (index, token) in words.enumerated() where index > 0 {
            let before = words[index - 1]
            if token.kind == .word, bytes.equals("let", before.range) || bytes.equals("var", before.range) {
                return token.range
            }
            if token.is("="), index + 1 == words.count || !words[index + 1].is("=") {
                // `sum.expression = …`, where `sum` is an expression description
                if bytes.equals("expression", before.range), index > 2, words[index - 2].is(".") {
                    return words[index - 3].kind == .word ? words[index - 3].range : nil
                }
                if before.is("+"), index > 1 { return words[index - 2].kind == .word ? words[index - 2].range : nil }
                return before.kind == .word && isOwn(words[..<(index - 1)]) ? before.range : nil
            }
            if Self.adders.contains(where: { bytes.equals($0, token.range) }) {
                let holder = before.is(".") && index > 1 ? words[index - 2] : before
                return holder.kind == .word ? holder.range : nil
            }
        }
        return nil
    }

    private static let adders: [StaticString] = ["append", "insert", "addObject"]

    // MARK: Variables

    /// The entity of a variable, from the statements that use it after an offset.
    private func usedLater(
        _ variable: Range<Int>, after offset: Int, _ followed: inout Set<String>, depth: Int
    ) -> String? {
        guard depth < Self.deepest, followed.count < Self.mostFollowed,
            followed.insert(bytes.text(variable)).inserted
        else { return nil }
        let scope = declarations.declaration(of: variable, at: variable.lowerBound, bytes)?.scope
        let end = min(
            (scope.map { declarations.scopes[$0] } ?? declarations.scopes.innermost(at: offset)).end, bytes.count,
            offset + Self.laterReach)
        return offset < end ? agreed(on: variable, in: offset..<end, &followed, depth: depth) : nil
    }

    /// The entity of a variable, from the statements in a range that use it; nil if they have different entities, or none.
    func agreed(
        on variable: Range<Int>, in range: Range<Int>, _ followed: inout Set<String>, depth: Int
    ) -> String? {
        var found: Set<String> = []
        let own = declarations.declaration(of: variable, at: variable.lowerBound, bytes)
        for (words, use) in uses(of: variable, in: range) where mayReach(use.start, from: range.lowerBound, own) {
            guard work.take() else { return nil }
            switch self.use(words, after: use.end, depth: depth) {
            case .entity(let entity): found.insert(entity)
            case .stored(let next):
                if let entity = usedLater(next, after: use.end, &followed, depth: depth + 1) { found.insert(entity) }
            case .unknown: break
            }
        }
        return found.count == 1 ? found.first : nil
    }

    /// True if the value that a variable has at one offset may still be its value at another one.
    private func mayReach(_ use: Int, from start: Int, _ variable: Declarations.Declaration?) -> Bool {
        !reader.areAlternatives(start - 1, use)
            && !(variable.map { reader.isReplaced($0, between: start, and: use) } ?? false)
    }

    /// The occurrences of a variable, each with the words that precede it in its statement.
    private func uses(of variable: Range<Int>, in range: Range<Int>) -> [(words: [CodeToken], use: CodeToken)] {
        let all = tokens(in: range)
        var (start, depth) = (0, 0)
        var found: [(words: [CodeToken], use: CodeToken)] = []
        for (index, token) in all.enumerated() {
            if token.is("(") || token.is("[") { depth += 1 }
            if token.is(")") || token.is("]") { depth = max(depth - 1, 0) }
            if token.is("{") || token.is("}") || token.is(";") {
                (start, depth) = (index + 1, 0)
            } else if depth == 0, index > 0, language == .swift,
                bytes.beginsStatement(token, after: all[index - 1])
            {
                start = index
            }
            guard token.kind == .word, bytes[token.range].elementsEqual(bytes[variable]),
                start < index || bytes.matches(Self.evaluation, at: token.end),
                isOwn(all[..<index]), index + 1 == all.count || !all[index + 1].is(":")
            else { continue }
            found.append((Array(all[start..<index]), token))
        }
        return found
    }

    // MARK: Words

    func name(in words: [CodeToken]) -> String? {
        guard let first = words.first else { return nil }
        let own = declarations.scopes.innermost(at: first.start).type.map(bytes.text)
        let entity = EntityName(words.map { bytes.text($0.range) }, own: own, hosts).entity
        // After `typealias Thread = CommonThread`, a model may have an older entity with the other name.
        let other = entity.map { reader.resolved(TypeName(name: $0)) }
        return other?.kind == nil && other?.isCollection == false ? other?.name : entity
    }

    func tokens(in range: Range<Int>) -> [CodeToken] {
        let all = reader.source.tokens.tokens
        return Array(all[all.firstIndex(from: range.lowerBound, \.start)...].prefix { $0.end <= range.upperBound })
    }

    /// The words from an offset to the end of the statement or of the parameter.
    func statement(from start: Int) -> [CodeToken] {
        let all = tokens(in: start..<min(bytes.count, start + Self.reach))
        var (depth, angles) = (0, 0)
        for (index, token) in all.enumerated() {
            if token.is("<") { angles += 1 }
            if token.is(">") { angles -= 1 }
            if depth == 0 {
                let isNext = index > 0 && language == .swift && bytes.beginsStatement(token, after: all[index - 1])
                let ends = token.is(";") || token.is("{") || token.is("}") || token.is("]")
                let isSeparator = token.is(",") && angles <= 0 || token.is(")") && language == .swift
                if isNext || ends || isSeparator { return Array(all[..<index]) }
            }
            if token.is("(") || token.is("[") { depth += 1 }
            if token.is(")") || token.is("]") { depth = max(depth - 1, 0) }
        }
        return all
    }
}
