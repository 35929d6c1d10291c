/// The tokens of a source or of an expression in it, with the partner of each bracket.
///
/// Lines such as `#if DEBUG` are left out, and so is a branch whose condition is always false; all other branches are read. A
/// branch that does not close its brackets does not change the nesting of the code after it.
struct CodeTokens {
    let bytes: Bytes
    let language: CodeLanguage
    private(set) var tokens: [CodeToken] = []
    /// The lines such as `#define NAME …` of Objective-C.
    private(set) var directives: [CodeToken] = []
    /// For an opening bracket that is closed, the index after its partner; for any other token, the next index.
    private var ends: [Int] = []
    /// For an opening bracket without a partner, the index of the token up to which it is open.
    private var limits: [Int: Int] = [:]
    /// The brackets that are open while the tokens are read.
    private var open: [Int] = []
    /// True for an expression that may end with a trailing closure: `names.map { "a == \($0)" }`
    private var mayTrail = false
    /// True for an expression that is too long and of which only the beginning is read.
    private(set) var isTooLong = false

    /// The maximum length of an expression in bytes. A string counts as 16.
    static let reach = 4096
    /// The maximum nesting of brackets, and the maximum number of unclosed brackets that a closing bracket may skip.
    private static let deepest = 4096, mostOpen = 64

    /// All tokens of a source.
    init(all bytes: Bytes, _ language: CodeLanguage) {
        self.init(bytes, language)
        tokens.reserveCapacity(bytes.count / 6)
        ends.reserveCapacity(bytes.count / 6)
        read(from: 0, reach: .max)
    }

    /// The tokens of an expression, or of another part of a source.
    init(_ bytes: Bytes, _ language: CodeLanguage, in range: Range<Int>, reach: Int = CodeTokens.reach) {
        self.init(bytes.upTo(range.upperBound), language)
        read(from: range.lowerBound, reach: reach)
    }

    /// The tokens of the expression that begins at an offset and ends with its statement.
    init(_ bytes: Bytes, _ language: CodeLanguage, from start: Int) {
        self.init(bytes, language)
        // The value of a `#define` ends with its line.
        let isDefined = bytes[bytes.blankEnd(from: bytes.lineStart(before: start))] == UInt8(ascii: "#")
        mayTrail = language == .swift && !bytes.isCondition(at: start)
        read(from: start, reach: Self.reach, endsWithLine: language == .swift || isDefined)
    }

    private init(_ bytes: Bytes, _ language: CodeLanguage) {
        self.bytes = bytes
        self.language = language
    }

    /// `endsWithLine` is true if a statement ends with its line, false if not, and nil for tokens that are not a statement.
    private mutating func read(from start: Int, reach: Int, endsWithLine: Bool? = nil) {
        var lexer = CodeLexer(bytes, language)
        var conditions = ConditionStack()
        var (offset, left) = (start, reach)
        defer { giveUp(to: 0) }
        while true {
            let token = lexer.token(at: offset)
            offset = token.end
            let isLine = token.kind == .condition || token.kind == .directive
            if token.kind == .end || endsWithLine.map({ isLine || isEnd(token, $0) }) ?? false { return }
            if token.kind == .condition {
                offset = condition(token, &conditions)
            } else if token.kind == .directive {
                directives.append(token)
            } else {
                left -= token.kind == .string ? 16 : token.end - token.start
                isTooLong = left < 0
                if isTooLong { return }
                tokens.append(token)
                ends.append(tokens.count)
                match(token)
            }
        }
    }

    /// Handles `#if`, `#else`, `#endif`; returns the offset at which reading continues.
    private mutating func condition(_ token: CodeToken, _ conditions: inout ConditionStack) -> Int {
        switch conditions.note(token.range, bytes, depth: open.count) {
        case .goOn(let depth):
            giveUp(to: depth ?? open.count)
            return token.end
        case .skip(let depth):
            giveUp(to: depth ?? open.count)
            return ConditionStack.branchEnd(bytes, from: token.end)
        }
    }

    /// True for a token that is not part of the expression before it.
    private func isEnd(_ token: CodeToken, _ endsWithLine: Bool) -> Bool {
        guard open.isEmpty else { return false }
        if token.is("{"), mayTrail, let last = tokens.last { return last.kind != .word && !last.is(")") }
        if token.is(";") || token.is(",") || token.is("{") || token.is("}") || token.is(")") || token.is("]")
            || endsWithLine && token.kind == .word && bytes.equals("else", token.range)
        {
            return true
        }
        guard let last = tokens.last, endsWithLine, bytes.hasLineBreak(in: last.end..<token.start) else { return false }
        let goesOn = token.is(".") || Self.joins(token) || token.kind == .string && language == .objectiveC
        return !goesOn && !Self.joins(last)
    }

    private static func joins(_ token: CodeToken) -> Bool { token.is("+") || token.is("?") || token.is(":") }

    private mutating func match(_ token: CodeToken) {
        if token.is("(") || token.is("[") || token.is("{") {
            if open.count < Self.deepest {
                open.append(tokens.count - 1)
            } else {
                limits[tokens.count - 1] = tokens.count
            }
        } else if token.is(")") || token.is("]") || token.is("}") {
            guard let index = partner(of: token) else { return }
            giveUp(to: index + 1, at: tokens.count - 1)
            ends[open[index]] = tokens.count
            open.removeLast()
        }
    }

    /// The index of the innermost open bracket that a closing bracket matches. The search stops at a brace, and after many
    /// unmatched brackets.
    private func partner(of close: CodeToken) -> Int? {
        for index in open.indices.reversed().prefix(Self.mostOpen) {
            let start = tokens[open[index]]
            if start.is("(") && close.is(")") || start.is("[") && close.is("]") || start.is("{") && close.is("}") {
                return index
            }
            if start.is("{") { return nil }
        }
        return nil
    }

    /// Ends the search for partners of open brackets, at a token or at the next one.
    private mutating func giveUp(to depth: Int, at index: Int? = nil) {
        while open.count > depth { limits[open.removeLast()] = index ?? tokens.count }
    }

    var count: Int { tokens.count }

    /// The token at an index; outside the tokens, the beginning or the end of the source.
    subscript(_ index: Int) -> CodeToken {
        if tokens.indices.contains(index) { return tokens[index] }
        let place = index < 0 ? 0 : bytes.count
        return CodeToken(kind: .end, start: place, end: place)
    }

    func text(_ index: Int) -> String { bytes.text(self[index].range) }

    func isWord(_ index: Int, _ word: StaticString) -> Bool {
        self[index].kind == .word && bytes.equals(word, self[index].range)
    }

    /// The index after a token or, for a bracket, after its partner.
    func end(of index: Int) -> Int { ends.indices.contains(index) ? ends[index] : index + 1 }

    /// The index of the partner of a bracket or, without a partner, of the token up to which the bracket is open.
    func close(of open: Int) -> Int { limits[open] ?? end(of: open) - 1 }

    func isClosed(_ open: Int) -> Bool { limits[open] == nil }

    /// The index after a token and everything that it encloses.
    func next(after index: Int) -> Int { limits[index] ?? end(of: index) }

    /// The parts between commas in the brackets of a call or function: its arguments or parameters.
    func parts(_ range: Range<Int>) -> [Range<Int>] {
        var (parts, start, index): ([Range<Int>], Int, Int) = ([], range.lowerBound, range.lowerBound)
        while index < range.upperBound {
            if self[index].is(",") {
                parts.append(start..<index)
                start = index + 1
            }
            index = next(after: index)
        }
        return (parts + [start..<max(start, range.upperBound)]).filter { !$0.isEmpty }
    }

    /// The parameters of a closure, and the index after `in`: `item in`, `(item: Item) -> Bool in`, `[names] item in`; nil
    /// without `in`.
    func closureParameters(
        from start: Int, to end: Int
    ) -> (all: [(name: Range<Int>, type: Range<Int>?)], end: Int)? {
        var index = self[start].is("[") ? next(after: start) : start
        let isList = self[index].is("(")
        let limit = isList ? close(of: index) : min(end, index + 16)
        if isList { index += 1 }
        var found: [(name: Range<Int>, type: Range<Int>?)] = []
        while index < limit, self[index].kind == .word, !isWord(index, "in"), !isWord(index, "for") {
            let isTyped = self[index + 1].is(":") && self[index + 2].kind == .word
            found.append((self[index].range, isTyped ? self[index + 2].range : nil))
            index += 1
            while isList, index < limit, !self[index].is(",") { index = next(after: index) }
            if self[index].is(",") { index += 1 } else { break }
        }
        index = isList ? limit + 1 : index
        // `(item: Item) async throws -> Bool in`
        let last = min(end, index + 16)
        let hasResult = isList || self[index].is("-")
        while hasResult, index < last, !isWord(index, "in"),
            self[index].kind == .word || ".->?[]<>".utf8.contains(self[index].symbol)
        {
            index += 1
        }
        guard isWord(index, "in"), index < end else { return nil }
        return (found, index + 1)
    }

    /// The index after the generic arguments that begin at an index: `<A, B<C>>`. The index itself if there are none.
    func angleEnd(_ index: Int) -> Int {
        guard self[index].is("<") else { return index }
        var (next, depth) = (index, 0)
        while next < min(count, index + 64) {
            if self[next].is("<") { depth += 1 }
            if self[next].is(">"), !self[next - 1].is("-") { depth -= 1 }
            next = end(of: next)
            if depth == 0 { return next }
        }
        return index
    }

    /// True for `_Nullable` and `const` after the type of a variable of Objective-C.
    func isQualifier(_ index: Int) -> Bool {
        isWord(index, "_Nullable") || isWord(index, "_Nonnull") || isWord(index, "const")
    }

    /// True for a name after `let` or `var`.
    func isBinding(_ name: Range<Int>) -> Bool {
        let index = tokens.firstIndex(from: name.lowerBound, \.start)
        return isWord(index - 1, "let") || isWord(index - 1, "var")
    }

    /// True if the token is the first one on its line.
    func startsLine(_ index: Int) -> Bool {
        index == 0 || bytes.hasLineBreak(in: self[index - 1].end..<max(self[index - 1].end, self[index].start))
    }
}

extension Bytes {
    /// True at a value in a condition: `if let name = value {`, whose brace begins a block.
    fileprivate func isCondition(at offset: Int) -> Bool {
        var line = lineStart(before: offset)
        let words = text(line..<offset).split { !$0.isLetter }
        if words.contains(where: { ["if", "guard", "while", "switch", "for"].contains($0) }) { return true }
        while line > 0, self[line - 1].isSpace { line -= 1 }
        return self[line - 1] == UInt8(ascii: ",") || equals("guard", line - 5..<line) || equals("if", line - 2..<line)
    }
}
