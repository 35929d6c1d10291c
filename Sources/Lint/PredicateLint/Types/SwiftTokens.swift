/// The tokens of a source of Swift, with the partner of each bracket.
///
/// Lines such as `#if DEBUG` are left out, so the code of every branch is read.
struct SwiftTokens {
    let bytes: Bytes
    private(set) var tokens: [CodeToken] = []
    /// For an opening bracket that is closed, the index after its partner; for any other token, the next index.
    private var ends: [Int] = []

    init(_ bytes: Bytes) {
        self.bytes = bytes
        var lexer = CodeLexer(bytes, .swift)
        var open: [Int] = []
        var offset = 0
        while true {
            let token = lexer.token(at: offset)
            offset = token.end
            if token.kind == .end { break }
            if token.kind == .condition || token.kind == .directive { continue }
            tokens.append(token)
            ends.append(tokens.count)
            match(token, &open)
        }
    }

    private mutating func match(_ token: CodeToken, _ open: inout [Int]) {
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
