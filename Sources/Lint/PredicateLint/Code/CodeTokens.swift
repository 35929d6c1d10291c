/// The tokens of a source or of an expression in it, with the partner of each bracket.
///
/// Lines such as `#if DEBUG` are left out, so the code of every branch is read.
struct CodeTokens {
    let bytes: Bytes
    let language: CodeLanguage
    private(set) var tokens: [CodeToken] = []
    /// For an opening bracket that is closed, the index after its partner; for any other token, the next index.
    private var ends: [Int] = []
    /// The brackets that are open while the tokens are read.
    private var open: [Int] = []
    /// True for an expression that a closure may follow: `names.map { "a == \($0)" }`
    private var mayTrail = false
    /// True for an expression that is too long, of which only the beginning is read.
    private(set) var isTooLong = false

    /// The maximum length of an expression in bytes. A string counts as 16.
    static let reach = 4096

    /// All tokens of a source of Swift.
    init(_ bytes: Bytes) {
        self.init(bytes, .swift)
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

    /// `endsWithLine` tells whether a statement ends with its line; without it, the tokens are not those of a statement.
    private mutating func read(from start: Int, reach: Int, endsWithLine: Bool? = nil) {
        var lexer = CodeLexer(bytes, language)
        var (offset, left) = (start, reach)
        while true {
            let token = lexer.token(at: offset)
            offset = token.end
            let isLine = token.kind == .condition || token.kind == .directive
            if token.kind == .end || endsWithLine.map({ isLine || isEnd(token, $0) }) ?? false { return }
            if isLine { continue }
            left -= token.kind == .string ? 16 : token.end - token.start
            isTooLong = left < 0
            if isTooLong { return }
            tokens.append(token)
            ends.append(tokens.count)
            match(token)
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
            open.append(tokens.count - 1)
        } else if token.is(")") || token.is("]") || token.is("}") {
            guard let start = open.last, Self.isPair(tokens[start], token) else { return }
            ends[start] = tokens.count
            open.removeLast()
        }
    }

    private static func isPair(_ open: CodeToken, _ close: CodeToken) -> Bool {
        open.is("(") && close.is(")") || open.is("[") && close.is("]") || open.is("{") && close.is("}")
    }

    var count: Int { tokens.count }

    /// The token at an index; outside the tokens, the end of the source.
    subscript(_ index: Int) -> CodeToken {
        tokens.indices.contains(index)
            ? tokens[index] : CodeToken(kind: .end, start: bytes.count, end: bytes.count)
    }

    func text(_ index: Int) -> String { bytes.text(self[index].range) }

    func isWord(_ index: Int, _ word: StaticString) -> Bool {
        self[index].kind == .word && bytes.equals(word, self[index].range)
    }

    /// The index after a token or, for a bracket, after its partner.
    func end(of index: Int) -> Int { ends.indices.contains(index) ? ends[index] : index + 1 }

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
