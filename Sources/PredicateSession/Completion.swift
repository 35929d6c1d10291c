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

    /// The characters that separate the words of a line: only blanks, where a command takes a file.
    package static func wordBreaks(of line: String) -> String {
        guard let blank = line.firstIndex(where: \.isWhitespace),
            let command = (try? CommandLine(String(line[..<blank])))?.command, command.takesFile
        else { return wordBreaks }
        return " \t\n"
    }
}

extension Session {
    /// Returns the completions of a line up to the cursor. `files` returns the names of files with a prefix.
    package func completion(of line: String, files: (String) -> [String] = { _ in [] }) -> Completion {
        if line.hasPrefix(":"), let command = commandCompletion(of: line, files: files) { return command }
        return formatCompletion(of: line.hasPrefix(":") ? String(line.drop { !$0.isWhitespace }) : line)
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
        let words = argumentWords(of: command, startingWith: word, files)
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
        case .table: tableNames.filter { $0.hasPrefix(word) }
        case .sql: Dialect.allCases.map(\.rawValue).filter { $0.hasPrefix(word) }
        case .help: SessionCommand.allCases.map(\.rawValue).filter { $0.hasPrefix(word) }
        case .set: variables.keys.sorted().filter { $0.hasPrefix(word) }
        case .keys: statistics.keys.map(\.path).filter { $0.hasPrefix(word) }
        case .object, .sample, .limit, .more, .show, .args, .explain, .why, .whynot, .check, .tokens, .tree, .format,
            .fields, .bench, .history, .quit:
            []
        }
    }

    /// Files with a prefix. A name with blanks is quoted; after a quote all names are, and end with one.
    private func fileWords(startingWith word: String, _ files: (String) -> [String]) -> [String] {
        let isQuoted = word.hasPrefix("\"")
        return files(isQuoted ? String(word.dropFirst()) : word).map { name in
            guard isQuoted || name.contains(where: \.isWhitespace) else { return name }
            return "\"" + name + (name.hasSuffix("/") ? "" : "\"")
        }
    }

    /// `name,-age.`: the last of the keys.
    private func sortWords(startingWith word: String) -> [String] {
        let list = word.lastIndex(of: ",").map { word[...$0] } ?? ""
        let start = list + word[list.endIndex...].prefix { $0 == "-" }
        return statistics.keys.map { start + $0.path }.filter { $0.hasPrefix(word) }
    }
}
