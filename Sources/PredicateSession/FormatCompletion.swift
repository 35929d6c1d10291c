import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

// Completion of what stands in a format: keys, operators, functions, variables, and the texts that a key has.

extension Session {
    /// Returns the completions of a format up to the cursor.
    func formatCompletion(of format: String) -> Completion {
        let tokens = FormatToken.tokens(of: format)
        if let open = tokens.last, open.kind == .openString {
            return textCompletion(of: FormatText(format, tokens.dropLast()), from: open.range.lowerBound)
        }
        let word = String(format.reversed().prefix { !Completion.wordBreaks.contains($0) }.reversed())
        let text = FormatText(format, tokens[...])
        if word.isEmpty, text.endsWithValue {
            guard format.last?.isWhitespace == true else { return .none }
            return Completion(length: 0, words: text.hasComparison ? ["AND", "OR"] : Self.operators)
        }
        return Completion(length: word.utf8.count, finishing: formatWords(startingWith: word))
    }

    /// The operators, in the order in which they are needed.
    private static let operators: [String] =
        [Symbol.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual].map(\.rawValue)
        + Keyword.allCases.filter(\.isOperator).map(\.rawValue)

    private func formatWords(startingWith word: String) -> [String] {
        if word.hasPrefix("$") { return variables.keys.sorted().map { "$" + $0 }.filter { $0.hasPrefix(word) } }
        if let mark = word.lastIndex(of: "@") {
            return CollectionOperator.allCases.map { word[..<mark] + $0.rawValue }.filter { $0.hasPrefix(word) }
        }
        let paths = pathWords(startingWith: word)
        if word.contains(".") { return paths }
        let upper = word.uppercased()
        let keywords = word.isEmpty ? [] : Keyword.allCases.map(\.rawValue).filter { $0.hasPrefix(upper) }
        let functions = word.isEmpty ? [] : Self.functionNames.filter { $0.hasPrefix(word) }
        return paths + keywords + functions
    }

    /// Returns key paths up to the next dot, quoted where the language wants it: `dept.`, `#"first-name"`.
    private func pathWords(startingWith word: String) -> [String] {
        guard !table.isEmpty else { return [] }
        var words: [String] = []
        for facts in statistics.keys where facts.path.hasPrefix(word) || facts.written.hasPrefix(word) {
            let isPlain = facts.written == facts.path && facts.path.hasPrefix(word)
            let rest = facts.path.dropFirst(word.count)
            let next = isPlain ? word + (rest.firstIndex(of: ".").map { rest[...$0] } ?? rest) : facts.written
            if !words.contains(next) { words.append(next) }
        }
        return words.filter { !words.contains($0 + ".") } + valueKeys(startingWith: word)
    }

    /// The keys that values have by themselves: `name.length`
    private func valueKeys(startingWith word: String) -> [String] {
        guard let dot = word.lastIndex(of: "."), !word.hasPrefix("#") else { return [] }
        let path = word[..<dot].split(separator: ".").map(String.init)
        let type = DataChecker.scope(table, statistics).type(at: path)
        guard type.entity == nil, !path.isEmpty else { return [] }
        let names = Set(type.kinds.flatMap(\.ownKeys)).sorted()
        return names.filter { $0.hasPrefix(word[word.index(after: dot)...]) }.map { "\(word[...dot])\($0)" }
    }

    private static let functionNames = FunctionExpression.Predefined.allCases.map { function in
        function.arity.upperBound == 1 || function.arity.upperBound == .max
            ? String(function.rawValue.dropLast()) + "(" : function.rawValue + "("
    }
}

// MARK: - Texts

extension Session {
    private static let lookedAt = 5_000
    private static let shownTexts = 100

    /// Completes an open string: `#"first` to a key, `city == "Lo` to a text that the key has.
    private func textCompletion(of before: FormatText, from quote: Int) -> Completion {
        let open = before.rest(from: quote)
        if open.hasPrefix("#") { return Completion(length: open.utf8.count, finishing: pathWords(startingWith: open)) }
        guard let path = before.lastKeyPath, let mark = open.first else { return .none }
        let words = texts(at: path).filter { !$0.contains(mark) }.map { "\(mark)\($0)\(mark)" }
        return Completion(length: open.utf8.count, words: words.filter { $0.hasPrefix(open) })
    }

    /// The distinct texts of a key path in the first objects, sorted, those that need no escapes.
    private func texts(at path: String) -> [String] {
        guard let expression = try? FormatExpression(format: path, arguments: []),
            let evaluator = try? ExpressionEvaluator(expression)
        else { return [] }
        var texts: Set<String> = []
        for row in 0..<min(table.count, Self.lookedAt) where texts.count < Self.shownTexts {
            guard let value = try? evaluator.value(table[row]) else { continue }
            for case .value(.string(let text)) in value.elements ?? [value] where text == text.printable {
                if !text.contains("\\") { texts.insert(text) }
            }
        }
        return texts.sorted()
    }
}

/// The tokens of an unfinished format before the cursor.
private struct FormatText {
    private let bytes: [UInt8]
    private let tokens: [FormatToken]

    init(_ format: String, _ tokens: ArraySlice<FormatToken>) {
        bytes = Array(format.utf8)
        self.tokens = Array(tokens)
    }

    func rest(from start: Int) -> String { String(decoding: bytes[start...], as: UTF8.self) }

    /// True after a key, a constant or a closing bracket.
    var endsWithValue: Bool {
        guard let last = tokens.last else { return false }
        switch last.kind {
        case .key, .variable, .string, .number, .specifier: return true
        case .symbol: return [")", "}", "]"].contains(text(last))
        case .keyword: return keyword(last)?.isValue ?? false
        case .function, .openString, .invalid: return false
        }
    }

    /// True if an operator stands after the last AND, OR or parenthesis.
    var hasComparison: Bool {
        for token in tokens.reversed() {
            if isOperator(token) { return true }
            if keyword(token)?.role == .logical || text(token) == "(" { return false }
        }
        return false
    }

    /// The key path before the last operator: `dept.name` before `== "`, `[c] "` or `IN {"a", "`
    var lastKeyPath: String? {
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
}

extension Keyword {
    /// True for a word between two sides.
    fileprivate var isOperator: Bool {
        switch role {
        case .comparison, .text: true
        case .logical, .quantifier, .predicate, .bool, .null, .symbol, .selfObject, .anyKey, .call, .set, .reserved:
            false
        }
    }

    /// True for a word that is a whole operand.
    fileprivate var isValue: Bool {
        switch role {
        case .bool, .null, .selfObject, .anyKey: true
        case .logical, .quantifier, .comparison, .text, .predicate, .symbol, .call, .set, .reserved: false
        }
    }
}

extension KeyFacts {
    /// The key path as a format has it: `dept.name`, `#"first-name"`
    fileprivate var written: String {
        ExpressionNode.keyPath(KeyPathExpression(keys: path)).expressionFormat
    }
}
