/// The changes of a variable that reach a place in the source.
extension TextReader {
    /// The maximum number of changes of a variable that are followed.
    private static let mostChanges = 16

    /// The changes of a variable before the position of a name, without the change that contains the name, and without those in
    /// branches that exclude the position.
    func changes(
        of declaration: Declarations.Declaration, before name: Range<Int>
    ) -> [Declarations.Assignment] {
        declarations.assignments(to: declaration, bytes).prefix(Self.mostChanges).filter { change in
            change.offset < name.lowerBound
                && !(change.value <= name.lowerBound
                    && name.upperBound <= expression(from: change.value).range.upperBound)
                && !areAlternatives(change.offset, name.lowerBound)
        }
    }

    /// The values that replace the one of the declaration before an offset, from the last one that certainly does.
    func newValues(
        of declaration: Declarations.Declaration, at offset: Int
    ) -> (starts: [Int], isCertain: Bool) {
        let all = declarations.assignments(to: declaration, and: offset, bytes).suffix(Self.mostChanges).filter {
            !areAlternatives($0.offset, offset) && replaces($0, declaration)
        }
        let last = all.lastIndex { isCertain($0, at: offset) }
        return (all[(last ?? 0)...].map(\.value), last != nil)
    }

    /// True if a variable certainly has another value at the second offset than at the first one.
    func isReplaced(_ variable: Declarations.Declaration, between start: Int, and end: Int) -> Bool {
        declarations.assignments(to: variable, between: start, and: end, bytes).suffix(Self.mostChanges).contains {
            isCertain($0, at: end) && !areAlternatives($0.offset, end) && replaces($0, variable)
        }
    }

    /// False for a value that is made from the old one: `p = NSCompoundPredicate(andPredicateWithSubpredicates: [p, other])`
    private func replaces(_ change: Declarations.Assignment, _ variable: Declarations.Declaration) -> Bool {
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
        declarations.scopes.innermost(at: change.offset).contains(offset)
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
        return hasLabel(between: place, and: second, inBlockAt: scopes[scope].start)
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

    /// True for the label of another case between two places of a `switch` of Swift.
    private func hasLabel(between first: Int, and second: Int, inBlockAt start: Int) -> Bool {
        let tokens = source.tokens
        let open = tokens.tokens.firstIndex(from: start, \.start)
        guard language == .swift, tokens.isWord(open + 1, "case") else { return false }
        var index = tokens.tokens.firstIndex(from: first, \.start)
        while index < tokens.count, tokens[index].start < second {
            let isDefault = tokens.isWord(index, "default") && tokens[index + 1].is(":")
            if isDefault || tokens.isWord(index, "case") && tokens.startsLine(index) { return true }
            index = tokens.next(after: index)
        }
        return false
    }
}
