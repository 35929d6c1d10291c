import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// The completions of a line.
package struct Completion {
    /// The number of bytes before the cursor that the words replace.
    package let length: Int
    /// The words, in order.
    package let words: [String]

    /// No completion.
    package static var none: Completion { Completion(length: 0, words: []) }

    init(length: Int, words: [String]) {
        self.length = length
        self.words = words
    }

    /// Adds a space to a single word, unless it can be continued.
    init(length: Int, finishing words: [String]) {
        let isWhole = words.count == 1 && !"./(:".contains(words[0].last ?? " ")
        self.init(length: length, words: isWhole ? [words[0] + " "] : words)
    }

    /// The characters that separate words in the editor; dots do not, so that key paths are completed as one word.
    package static let wordBreaks = " \t\n\"'`<>=;|&{}(),[]!+-*/^~"
}

extension Session {
    /// Returns the completions of a line up to the cursor. `files` returns the names of files with a prefix.
    package func completion(of line: String, files: (String) -> [String] = { _ in [] }) -> Completion {
        if line.hasPrefix(":"), let command = commandCompletion(of: line, files: files) { return command }
        let body = line.hasPrefix(":") ? String(line.drop { !$0.isWhitespace }) : line
        guard FormatToken.tokens(of: body).last?.kind != .openString else { return Completion(length: 0, words: []) }
        let word = Self.lastWord(of: line)
        return Completion(length: word.utf8.count, finishing: formatWords(startingWith: word))
    }

    private static func lastWord(of line: String) -> String {
        String(line.reversed().prefix { !Completion.wordBreaks.contains($0) }.reversed())
    }

    /// The text after the last blank, or from the quote on that is open.
    private static func lastArgument(of line: String) -> String {
        let quotes = line.indices.filter { line[$0] == "\"" }
        if !quotes.count.isMultiple(of: 2), let last = quotes.last { return String(line[last...]) }
        return String(line.reversed().prefix { !$0.isWhitespace }.reversed())
    }

    /// Completes the name or the arguments of a command; nil if the argument is a format.
    private func commandCompletion(of line: String, files: (String) -> [String]) -> Completion? {
        guard let blank = line.firstIndex(where: \.isWhitespace) else {
            let names = SessionCommand.allCases.map { ":" + $0.rawValue }
            return Completion(length: line.utf8.count, finishing: names.filter { $0.hasPrefix(line.lowercased()) })
        }
        guard let command = (try? CommandLine(String(line[..<blank])))?.command else { return nil }
        let word = Self.lastArgument(of: line)
        let words = argumentWords(of: command, startingWith: word, files).filter { $0.hasPrefix(word) }
        let isFirst = String(line[blank...]).trimmed == word
        if command.takesFormat, words.isEmpty || word.isEmpty || !isFirst { return nil }
        return Completion(length: word.utf8.count, words: words)
    }

    private func argumentWords(
        of command: SessionCommand, startingWith word: String, _ files: (String) -> [String]
    ) -> [String] {
        switch command {
        case .load, .save, .write: fileWords(startingWith: word, files)
        case .sort: sortWords(startingWith: word)
        case .table: tableNames
        case .sql: Dialect.allCases.map(\.rawValue)
        case .help: SessionCommand.allCases.map(\.rawValue)
        case .set: variables.keys.sorted()
        case .keys: statistics.keys.map(\.path)
        case .object, .sample, .limit, .more, .show, .args, .explain, .why, .whynot, .check, .tokens, .tree, .format,
            .fields, .bench, .history, .quit:
            []
        }
    }

    /// Files with a prefix; after a quote, which a name with blanks needs, the name ends with one.
    private func fileWords(startingWith word: String, _ files: (String) -> [String]) -> [String] {
        guard word.hasPrefix("\"") else { return files(word).filter { !$0.contains(where: \.isWhitespace) } }
        return files(String(word.dropFirst())).map { "\"" + $0 + ($0.hasSuffix("/") ? "" : "\"") }
    }

    /// `name,-age.`: the last of the keys.
    private func sortWords(startingWith word: String) -> [String] {
        let end = word.lastIndex { $0 == "," || $0 == "-" }.map { word.index(after: $0) } ?? word.startIndex
        return table.isEmpty ? [] : pathWords(startingWith: String(word[end...])).map { word[..<end] + $0 }
    }

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

    /// Returns key paths up to the next dot.
    private func pathWords(startingWith word: String) -> [String] {
        guard !table.isEmpty else { return [] }
        var words: [String] = []
        for facts in statistics.keys where facts.path.hasPrefix(word) && facts.path.isPlainPath {
            let rest = facts.path.dropFirst(word.count)
            let next = word + (rest.firstIndex(of: ".").map { rest[...$0] } ?? rest)
            if !words.contains(next) { words.append(next) }
        }
        return words.filter { !words.contains($0 + ".") }
    }

    private static let functionNames = FunctionExpression.Predefined.allCases.map { function in
        function.arity.upperBound == 1 || function.arity.upperBound == .max
            ? String(function.rawValue.dropLast()) + "(" : function.rawValue + "("
    }
}

extension String {
    /// True if the text is a key path without characters that need quotes.
    fileprivate var isPlainPath: Bool {
        split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39) || byte == 0x5F
                }
        }
    }
}
