import PredicateSyntax

/// A format that ends at the cursor: its last word, what stands before it, and the words that may follow.
///
/// In `age > 5 AND boss.na`, the word is `boss.na`.
package struct UnfinishedFormat {
    /// The characters that separate words. Dots do not, so a key path is one word.
    package static let wordBreaks = " \t\n\r\"'`<>=;|&{}(),[]!+-*/^~?%"

    /// The last word: `SELF.boss.na`, `$limit`; empty after a separator.
    package let word: String
    private let bytes: [UInt8]
    private let tokens: ArraySlice<FormatToken>
    private let openToken: FormatToken?

    package init(_ format: String) {
        let tokens = FormatToken.tokens(of: format)
        openToken = tokens.last.flatMap { $0.kind == .openString ? $0 : nil }
        self.tokens = openToken == nil ? tokens[...] : tokens.dropLast()
        bytes = Array(format.utf8)
        word = String(format.reversed().prefix { !Self.wordBreaks.contains($0) }.reversed())
    }

    /// The text from the quote of an unclosed string on; nil outside a string.
    package var openString: String? {
        openToken.map { String(decoding: bytes[$0.range.lowerBound...], as: UTF8.self) }
    }

    // MARK: - The word

    /// The part of the word after its last dot: `na`
    package var key: String { word.lastIndex(of: ".").map { String(word[word.index(after: $0)...]) } ?? word }

    /// The keys before ``key``, without `SELF` and collection operators: `boss`
    package var path: [String] {
        let before = word.split(separator: ".", omittingEmptySubsequences: false).dropLast().map(String.init)
        let keys = before.first?.uppercased() == "SELF" ? before.dropFirst() : before[...]
        return keys.filter { !$0.hasPrefix("@") }
    }

    /// True if the word has no dot.
    package var isSingleKey: Bool { !word.contains(".") }

    // MARK: - What stands before it

    /// True directly after the bracket of an index: `tags[FI`
    private var isIndex: Bool { bytes.dropLast(word.utf8.count).last == UInt8(ascii: "[") }

    /// True if the last token is a key, a constant or a closing bracket.
    package var endsWithValue: Bool {
        guard let last = tokens.last else { return false }
        switch last.kind {
        case .key, .variable, .string, .number, .specifier: return true
        case .symbol: return [")", "}", "]"].contains(text(last))
        case .keyword: return keyword(last)?.isValue ?? false
        case .function, .openString, .invalid: return false
        }
    }

    /// True if a value of a key may follow: `city == `
    package var wantsValue: Bool { word.isEmpty && !isIndex && (tokens.last.map(isOperator) ?? false) }

    /// True if an operator follows the last AND, OR or opening parenthesis.
    package var hasComparison: Bool {
        for token in tokens.reversed() {
            if isOperator(token) { return true }
            if keyword(token)?.role == .logical || text(token) == "(" { return false }
        }
        return false
    }

    /// The key path before the last operator: `dept.name` before `== "`, `[c] "` or `IN {"a", "`
    package var comparedKeyPath: String? {
        guard let end = tokens.lastIndex(where: isOperator) else { return nil }
        let path = tokens[..<end].reversed().prefix { $0.kind == .key || text($0) == "." }
        guard let first = path.last, let last = path.first, first.kind == .key else { return nil }
        return String(decoding: bytes[first.range.lowerBound..<last.range.upperBound], as: UTF8.self)
    }

    private func isOperator(_ token: FormatToken) -> Bool {
        switch token.kind {
        case .keyword: keyword(token)?.isOperator ?? false
        case .symbol: Symbol(rawValue: text(token)).flatMap(ComparisonOperator.init) != nil
        case .key, .function, .variable, .string, .openString, .number, .specifier, .invalid: false
        }
    }

    private func keyword(_ token: FormatToken) -> Keyword? {
        token.kind == .keyword ? Keyword(word: text(token)) : nil
    }

    private func text(_ token: FormatToken) -> String { String(decoding: bytes[token.range], as: UTF8.self) }

    // MARK: - Words of the language

    /// The operators between two operands, the most common first.
    package static let operators: [String] =
        [Symbol.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual].map(\.rawValue)
        + Keyword.allCases.filter(\.isOperator).map(\.rawValue)

    /// The functions, each with its parenthesis: `sum(`, `modulus:by:(`
    package static let functions: [String] = FunctionExpression.Predefined.allCases.map { function in
        let takesList = function.arity.upperBound == 1 || function.arity.upperBound == .max
        return (takesList ? String(function.rawValue.dropLast()) : function.rawValue) + "("
    }

    /// The keywords that may replace the word: no reserved words, and symbols such as `FIRST` only in an index.
    package var keywords: [String] { Keyword.allCases.filter { $0.isUseful(isIndex) }.map(\.rawValue) }
}

extension Keyword {
    fileprivate func isUseful(_ isIndex: Bool) -> Bool {
        switch role {
        case .reserved: false
        case .symbol: isIndex
        case .logical, .quantifier, .comparison, .text, .predicate, .bool, .null, .selfObject, .anyKey, .call, .set:
            true
        }
    }

    /// True for a word that an operand follows: an operator, a quantifier, `AND`.
    var precedesOperand: Bool { isOperator || role == .logical || role == .quantifier }

    /// True for an operator between two operands.
    var isOperator: Bool {
        switch role {
        case .comparison, .text: true
        case .logical, .quantifier, .predicate, .bool, .null, .symbol, .selfObject, .anyKey, .call, .set, .reserved:
            false
        }
    }

    /// True for a word that is an operand.
    fileprivate var isValue: Bool {
        switch role {
        case .bool, .null, .selfObject, .anyKey: true
        case .logical, .quantifier, .comparison, .text, .predicate, .symbol, .call, .set, .reserved: false
        }
    }
}
