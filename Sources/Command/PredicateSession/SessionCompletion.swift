import PredicateChecks
import PredicateEvaluation
import PredicateQuery
import PredicateSQL
import PredicateSyntax

package struct LineCompletion {
    /// The number of bytes before the cursor that the words replace.
    package let length: Int
    /// The words that replace the bytes, in order.
    package let words: [String]

    /// No completion.
    package static var none: LineCompletion { LineCompletion(length: 0, words: []) }

    init(length: Int, words: [String]) {
        self.length = length
        self.words = words
    }

    /// Adds a space after a single word, unless it can be continued.
    init(length: Int, finishing words: [String]) {
        let isWhole = words.count == 1 && !"./(:".contains(words[0].last ?? " ")
        self.init(length: length, words: isWhole ? [words[0] + " "] : words)
    }

    /// Returns the characters that separate words in a line. After a command that takes a file, these are only white space.
    package static func wordBreaks(of line: String) -> String {
        guard let blank = line.firstIndex(where: \.isWhitespace),
            let command = (try? SessionCommandLine(String(line[..<blank])))?.command, command.argument == .file
        else { return UnfinishedFormat.wordBreaks }
        return " \t\n"
    }
}

extension Session {
    /// Returns the completions for a line that ends at the cursor. `files` returns the file names with a prefix.
    package func completion(of line: String, files: (String) -> [String] = { _ in [] }) -> LineCompletion {
        if line.hasPrefix(":"), let command = commandCompletion(of: line, files: files) { return command }
        return formatCompletion(of: line.hasPrefix(":") ? String(line.drop { !$0.isWhitespace }) : line)
    }

    /// Returns the part of the line after the last white space, or from an unclosed quote on.
    private static func lastArgument(of line: String) -> String {
        let quotes = line.indices.filter { line[$0] == "\"" }
        if !quotes.count.isMultiple(of: 2), let last = quotes.last { return String(line[last...]) }
        return String(line.reversed().prefix { !$0.isWhitespace }.reversed())
    }

    /// Completes the name or the arguments of a command; nil if the argument is a format.
    private func commandCompletion(of line: String, files: (String) -> [String]) -> LineCompletion? {
        guard let blank = line.firstIndex(where: \.isWhitespace) else {
            let names = SessionCommand.allCases.map { ":" + $0.rawValue }
            return LineCompletion(length: line.utf8.count, finishing: names.filter { $0.hasPrefix(line.lowercased()) })
        }
        guard let command = (try? SessionCommandLine(String(line[..<blank])))?.command else { return nil }
        let word = Self.lastArgument(of: line)
        let words = argumentWords(of: command, startingWith: word, files)
        let isFirst = String(line[blank...]).trimmed == word
        if command.takesFormat, words.isEmpty || word.isEmpty || !isFirst { return nil }
        return LineCompletion(length: word.utf8.count, words: words)
    }

    private func argumentWords(
        of command: SessionCommand, startingWith word: String, _ files: (String) -> [String]
    ) -> [String] {
        switch command.argument {
        case .file: fileWords(startingWith: word, files)
        case .keys: sortWords(startingWith: word)
        case .table: tableNames.filter { $0.hasPrefix(word) }
        case .dialect: SQLEngine.allCases.map(\.rawValue).filter { $0.hasPrefix(word) }
        case .topic:
            (SessionCommand.allCases.map(\.rawValue) + LanguageTopic.all.map(\.name)).filter { $0.hasPrefix(word) }
        case .variable: context.variables.keys.sorted().filter { $0.hasPrefix(word) }
        case .keyPath: statistics.keys.map(\.path).filter { $0.hasPrefix(word) }
        case .none, .format: []
        }
    }

    /// Returns the files whose names begin with a word. Names with spaces are quoted; after a quote, all names are quoted.
    private func fileWords(startingWith word: String, _ files: (String) -> [String]) -> [String] {
        let isQuoted = word.hasPrefix("\"")
        return files(isQuoted ? String(word.dropFirst()) : word).map { name in
            guard isQuoted || name.contains(where: \.isWhitespace) else { return name }
            return "\"" + name + (name.hasSuffix("/") ? "" : "\"")
        }
    }

    /// Completes the last key in `name,-age.`.
    private func sortWords(startingWith word: String) -> [String] {
        let list = word.lastIndex(of: ",").map { word[...$0] } ?? ""
        let start = list + word[list.endIndex...].prefix { $0 == "-" }
        return statistics.keys.map { start + $0.path }.filter { $0.hasPrefix(word) }
    }
}

// Completion inside a format: keys, operators, functions, variables, and strings that are values of a key.

extension Session {
    /// Returns the completions of a format up to the cursor.
    func formatCompletion(of text: String) -> LineCompletion {
        let format = UnfinishedFormat(text)
        if let open = format.openString { return textCompletion(of: format, open) }
        let word = format.word
        if word.isEmpty, format.endsWithValue {
            guard text.last?.isWhitespace == true else { return .none }
            return LineCompletion(
                length: 0, words: format.hasComparison ? ["AND", "OR"] : UnfinishedFormat.operators)
        }
        let values = format.wantsValue ? format.comparedKeyPath.map(values) ?? [] : []
        return LineCompletion(length: word.utf8.count, finishing: values + words(for: format))
    }

    private func words(for format: UnfinishedFormat) -> [String] {
        let word = format.word
        if word.hasPrefix("$") {
            return context.variables.keys.sorted().map { "$" + $0 }.filter { $0.hasPrefix(word) }
        }
        if let mark = word.lastIndex(of: "@") {
            return KeyPathOperator.allCases.map { word[..<mark] + $0.rawValue }.filter { $0.hasPrefix(word) }
        }
        let paths = pathWords(startingWith: word) + valueKeys(of: format)
        guard format.isSingleKey, !word.isEmpty else { return paths }
        let upper = word.uppercased()
        return paths + format.keywords.filter { $0.hasPrefix(upper) }
            + UnfinishedFormat.functions.filter { $0.hasPrefix(word) }
    }

    /// Returns key paths up to the next dot, quoted if necessary: `dept.`, `#"first-name"`.
    private func pathWords(startingWith word: String) -> [String] {
        guard !table.isEmpty else { return [] }
        var words: [String] = []
        for facts in statistics.keys where facts.path.hasPrefix(word) || facts.written.hasPrefix(word) {
            let isPlain = facts.written == facts.path && facts.path.hasPrefix(word)
            let rest = facts.path.dropFirst(word.count)
            let next = isPlain ? word + (rest.firstIndex(of: ".").map { rest[...$0] } ?? rest) : facts.written
            if !words.contains(next) { words.append(next) }
        }
        return words.filter { !words.contains($0 + ".") }
    }

    /// Returns the keys that plain values have: `name.length`
    private func valueKeys(of format: UnfinishedFormat) -> [String] {
        let type = DataChecker.scope(table, statistics).type(at: format.path)
        guard type.entity == nil, !format.path.isEmpty, !format.word.hasPrefix("#") else { return [] }
        let names = Set(type.kinds.flatMap(\.ownKeys)).sorted()
        return names.filter { $0.hasPrefix(format.key) }.map { format.word.dropLast(format.key.count) + $0 }
    }
}

// MARK: - Texts

extension Session {
    private static let lookedAt = 5_000
    private static let shownTexts = 100
    private static let shownNumbers = 20

    /// Completes an unclosed string: `#"first` as a key, `city == "Lo` as one of the key's strings.
    private func textCompletion(of format: UnfinishedFormat, _ open: String) -> LineCompletion {
        if open.hasPrefix("#") {
            return LineCompletion(length: open.utf8.count, finishing: pathWords(startingWith: open))
        }
        guard let path = format.comparedKeyPath, let mark = open.first else { return .none }
        let words = texts(at: path).filter { !$0.contains(mark) }.map { "\(mark)\($0)\(mark)" }
        return LineCompletion(length: open.utf8.count, words: words.filter { $0.hasPrefix(open) })
    }

    /// Returns the distinct strings at a key path in the first objects, sorted. Strings that need escapes are left out.
    private func texts(at path: String) -> [String] {
        var texts: Set<String> = []
        forEachValue(at: path) { value in
            if case .string(let text) = value, text == text.printable, !text.contains("\\") { texts.insert(text) }
            return texts.count < Self.shownTexts
        }
        return texts.sorted()
    }

    /// Returns the strings at a key path in quotes; the numbers and Booleans if few of them are distinct.
    private func values(at path: String) -> [String] {
        let texts = texts(at: path).filter { !$0.contains("\"") }.map { "\"\($0)\"" }
        if !texts.isEmpty { return texts }
        var numbers: [PredicateValue] = []
        forEachValue(at: path) { value in
            if [.number, .boolean].contains(value.kind), !numbers.contains(value) { numbers.append(value) }
            return numbers.count <= Self.shownNumbers
        }
        return numbers.count > Self.shownNumbers
            ? [] : numbers.map { ExpressionNode.constantValue($0).expressionFormat }
    }

    /// Passes the values at a key path in the first objects, and the elements of arrays, while `body` returns true.
    private func forEachValue(at path: String, _ body: (PredicateValue) -> Bool) {
        guard let expression = try? FormatExpression(format: path, arguments: []),
            let evaluator = try? ExpressionEvaluator(expression, context: context)
        else { return }
        for row in 0..<min(table.count, Self.lookedAt) {
            guard let value = try? evaluator.value(table[row]) else { continue }
            for case .value(let element) in value.elements ?? [value] where !body(element) { return }
        }
    }
}

extension KeyFacts {
    /// The key path as it is written in a format: `dept.name`, `#"first-name"`
    fileprivate var written: String {
        KeyPathExpression(keys: path).keysFormat
    }
}
