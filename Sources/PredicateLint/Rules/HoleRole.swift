import PredicateSyntax

/// What a hole of a format stands for, by its place and by the stand-in with which the format parses.
enum HoleRole: Equatable {
    /// `"name == '\(x)'"`; the string with its quotes
    case quoted(Range<Int>)
    /// `"age > \(x)"`
    case value
    /// `"\(x) == 1"`, `"boss.\(x) == 1"`, `"$\(x) == 1"`
    case key
    /// `"age \(x) 1"`, `"name ==[\(x)] %@"`, `"\(x) AND a == 1"`
    case other

    /// The roles of the holes of a format that parses.
    static func roles(in parse: FormatParse) -> [HoleRole] {
        let tokens = TolerantToken.tokens(of: parse.text.text)
        return zip(parse.text.holes, parse.standIns).map { hole, standIn in
            role(of: hole.range, standIn: standIn, tokens, parse.text.bytes)
        }
    }

    private static func role(of hole: Range<Int>, standIn: String, _ tokens: [TolerantToken], _ bytes: [UInt8])
        -> HoleRole
    {
        guard let index = tokens.firstIndex(where: { $0.range.contains(hole.lowerBound) }) else { return .other }
        let token = tokens[index]
        if token.kind == .token(.string), token.range.upperBound >= hole.upperBound { return .quoted(token.range) }
        guard standIn == "x" || standIn == "1" || standIn == "'x'" else { return standIn == "{1}" ? .value : .other }
        let isWhole = token.range == hole
        let isPath = index + 1 < tokens.count && tokens[index + 1].isPath || index > 0 && tokens[index - 1].isPath
        guard isWhole, !isPath, index > 0 else { return isOption(tokens, index) ? .other : .key }
        return isValue(tokens, index) ? .value : isOption(tokens, index) ? .other : .key
    }

    /// True on the right side of a comparison, and in braces.
    private static func isValue(_ tokens: [TolerantToken], _ index: Int) -> Bool {
        let before = tokens[index - 1]
        if before.isComparison { return true }
        if before.isSymbol(.closeBracket) { return index > 3 && tokens[index - 4].isComparison }
        guard before.isSymbol(.openBrace) || before.isSymbol(.comma) else { return false }
        var depth = 0
        for token in tokens[..<index].reversed() {
            if token.isSymbol(.openBrace), depth == 0 { return true }
            if token.isSymbol(.openParenthesis) || token.isSymbol(.openBrace) || token.isSymbol(.openBracket) {
                if depth == 0 { return false }
                depth -= 1
            }
            if token.isSymbol(.closeParenthesis) || token.isSymbol(.closeBrace) || token.isSymbol(.closeBracket) {
                depth += 1
            }
        }
        return false
    }

    /// True for the letters in `==[…]`.
    private static func isOption(_ tokens: [TolerantToken], _ index: Int) -> Bool {
        index > 1 && tokens[index - 1].isSymbol(.openBracket) && tokens[index - 2].isComparison
    }
}

extension TolerantToken {
    fileprivate func isSymbol(_ symbol: Symbol) -> Bool { kind == .token(.symbol(symbol)) }

    fileprivate var isPath: Bool { isSymbol(.dot) }

    fileprivate var isComparison: Bool {
        switch kind {
        case .token(.symbol(let symbol)): return Self.comparisons.contains(symbol)
        case .token(.keyword(let keyword)):
            if case .text = keyword.role { return true }
            return keyword.role == .comparison
        case .token, .error: return false
        }
    }

    private static let comparisons: [Symbol] = [
        .equal, .singleEqual, .notEqual, .lessGreater, .less, .lessOrEqual, .equalLess, .greater, .greaterOrEqual,
        .equalGreater,
    ]
}
