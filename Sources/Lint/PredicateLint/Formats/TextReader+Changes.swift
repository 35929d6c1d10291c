/// The changes of a variable that reach a place in the source.
extension TextReader {
    /// The maximum number of changes of a variable that are followed: those nearest to its use.
    private static let mostChanges = 64

    /// The changes of a variable that may determine its value at an offset: those before it that are not in another branch, from
    /// the last one that certainly replaces the value. `isReplaced` is true if the value of the declaration does not count.
    func changes(
        of declaration: Declarations.Declaration, before offset: Int
    ) -> (all: [Declarations.Assignment], isReplaced: Bool) {
        let before = declarations.assignments(to: declaration, and: offset, bytes)
        var all = before.suffix(Self.mostChanges).filter { !areAlternatives($0.offset, offset) }
        // A change that contains the offset is not over.
        if let last = all.last, offset < expression(from: last.value).range.upperBound { all.removeLast() }
        let last = all.lastIndex { isCertain($0, at: offset) && replaces($0, declaration) }
        let isCut = before.count > Self.mostChanges
        return isMember(declaration) ? (all, isCut) : (Array(all[(last ?? 0)...]), isCut || last != nil)
    }

    /// True for a property of a type, which other functions may change at any time.
    func isMember(_ declaration: Declarations.Declaration) -> Bool {
        declarations.scopes[declaration.scope].ownType != nil
    }

    /// The values that a variable may have at an offset, and the places at which it gets them: in its declaration, in changes
    /// before the offset, and in changes after it that happen before the code around the offset runs again.
    func values(of declaration: Declarations.Declaration, at offset: Int) -> [(start: Int, name: Range<Int>?)] {
        let (before, isReplaced) = changes(of: declaration, before: offset)
        let later = declarations.assignments(to: declaration, between: offset, bytes).prefix(Self.mostChanges).filter {
            isMember(declaration) || mayRunAgain($0.offset, before: offset, in: declaration.scope)
        }
        let changes = before.suffix(8) + later.prefix(8)
        let own = isReplaced ? nil : declaration.value.map { (start: $0, name: Optional(declaration.name)) }
        return [own].compactMap(\.self) + changes.map { ($0.value, nil) }
    }

    /// True for a change after a use in the same loop, and for a use in a closure, which may run later.
    private func mayRunAgain(_ change: Int, before use: Int, in outer: Int) -> Bool {
        let (scopes, tokens) = (declarations.scopes, source.tokens)
        var own = scopes.index(at: use)
        for _ in 0..<CodeTokens.mostBlocks where own != outer {
            let word = tokens.text(tokens.head(ofBlockAt: scopes[own].start))
            let isLoop = ["for", "while", "repeat"].contains(word)
            let isBranch = ["if", "else", "guard", "switch", "do", "catch", "{"].contains(word)
            if isLoop ? scopes[own].contains(change) : !isBranch { return true }
            own = scopes[own].parent ?? outer
        }
        return false
    }

    /// True if a variable certainly has another value at the second offset than at the first one.
    func isReplaced(_ variable: Declarations.Declaration, between start: Int, and end: Int) -> Bool {
        declarations.assignments(to: variable, between: start, and: end, bytes).suffix(Self.mostChanges).contains {
            isCertain($0, at: end) && !areAlternatives($0.offset, end) && replaces($0, variable)
        }
    }

    /// False for a value that is made from the old one: `p = NSCompoundPredicate(andPredicateWithSubpredicates: [p, other])`
    func replaces(_ change: Declarations.Assignment, _ variable: Declarations.Declaration) -> Bool {
        !change.isAddition && !mentions(bytes.text(variable.name), in: expression(from: change.value).range)
    }

    private func mentions(_ name: String, in range: Range<Int>) -> Bool {
        var offset = range.lowerBound
        while let found = bytes.firstOffset(of: name, in: offset..<range.upperBound) {
            offset = found + name.utf8.count
            if !bytes[found - 1].isName, !bytes[offset].isName { return true }
        }
        return false
    }

    /// True for a change that always happens before an offset is reached.
    func isCertain(_ change: Declarations.Assignment, at offset: Int) -> Bool {
        let scope = declarations.scopes.innermost(at: change.offset)
        return scope.contains(offset) && labels(between: change.offset, and: offset, inBlockAt: scope.start).isEmpty
    }

    // MARK: Branches

    /// True for two places in different branches of an `if` or `switch`, of which only one runs. Places that are far apart are
    /// not compared.
    func areAlternatives(_ first: Int, _ second: Int) -> Bool {
        guard second - first < CodeTokens.reach else { return false }
        let scopes = declarations.scopes
        var (scope, place) = (scopes.index(at: first), first)
        while !scopes[scope].contains(second), let parent = scopes[scope].parent {
            place = scopes[scope].end
            if elseBranches(after: place).contains(second) { return true }
            scope = parent
        }
        let labels = labels(between: place, and: second, inBlockAt: scopes[scope].start)
        return labels.contains { !source.tokens.isWord($0 - 1, "fallthrough") }
    }

    /// `else if … { … } else { … }` after the brace that closes a block
    private func elseBranches(after brace: Int) -> Range<Int> {
        let tokens = source.tokens
        let start = tokens.tokens.firstIndex(from: brace, \.start)
        var end = start + 1
        while tokens.isWord(end, "else") {
            while end < tokens.count, !tokens[end].is("{"), !tokens[end].is(";") { end = tokens.next(after: end) }
            end = tokens.next(after: end)
        }
        return tokens[start].end..<tokens[end - 1].end
    }

    /// The labels of other cases between two places of a `switch` of Swift.
    private func labels(between first: Int, and second: Int, inBlockAt start: Int) -> [Int] {
        let tokens = source.tokens
        let open = tokens.tokens.firstIndex(from: start, \.start)
        guard language == .swift, tokens.isWord(open + 1, "case") else { return [] }
        var (found, index): ([Int], Int) = ([], tokens.tokens.firstIndex(from: first, \.start))
        while index < tokens.count, tokens[index].start < second {
            let isDefault = tokens.isWord(index, "default") && tokens[index + 1].is(":")
            if isDefault || tokens.isWord(index, "case") && tokens.startsLine(index) { found.append(index) }
            index = tokens.next(after: index)
        }
        return found
    }
}

extension CodeTokens {
    /// The maximum number of blocks around a place, and of tokens before a block, that are looked at.
    fileprivate static let mostBlocks = 32, mostOfHead = 128

    /// The index of the first token of the statement whose block begins at an offset: `for`, `else`, or the name of a function.
    fileprivate func head(ofBlockAt start: Int) -> Int {
        var head = tokens.firstIndex(from: start, \.start)
        let least = max(0, head - Self.mostOfHead)
        while head > least, ![";", "{", "}"].contains(where: { self[head - 1].is($0) }),
            language == .objectiveC || !startsLine(head) || self[head - 1].is(",")
        {
            head -= 1
        }
        return head
    }
}
