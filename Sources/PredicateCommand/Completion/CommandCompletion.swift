import PredicateData
import PredicateSQL
import PredicateSyntax

/// The completions of the last word of a command line.
///
/// `filter -k na` with `people.csv` behind it completes the columns; `filter 'age > 5 AND na` those inside a predicate.
struct CommandCompletion {
    /// Stands for the names of files, which the shell knows best.
    static let files = ":files"

    private let words: [String]
    private let last: String
    /// The words after the cursor, which may name the file.
    private let rest: [String]

    /// `words` are those after the name of the program; the one with the number `cursor` is completed.
    init(_ words: [String], cursor: Int) {
        let place = min(max(cursor - 1, 0), words.count)
        self.words = Array(words.prefix(place))
        last = words.dropFirst(place).first ?? ""
        rest = Array(words.dropFirst(place + 1))
    }

    /// The completions, each beginning with the last word.
    var candidates: [String] {
        guard let first = words.first else { return commands }
        guard let command = Command(rawValue: first) else { return [Self.files] }
        let declarations = command.declarations
        if let equals = last.firstIndex(of: "="), last.hasPrefix("--") {
            let name = last[last.index(last.startIndex, offsetBy: 2)..<equals]
            guard let option = declarations.first(where: { $0.name == name }) else { return [] }
            let start = last[...equals]
            return values(of: option, startingWith: String(last[last.index(after: equals)...])).map { start + $0 }
        }
        if let option = pendingOption(declarations) { return values(of: option, startingWith: last) }
        if last.hasPrefix("-"), !words.contains("--") { return options(declarations) }
        return positionals(of: command, declarations)
    }

    private var commands: [String] {
        let names = Command.allCases.map(\.rawValue) + ["--help", "--version"]
        return names.filter { $0.hasPrefix(last) }
    }

    private func options(_ declarations: [OptionDeclaration]) -> [String] {
        (declarations.map { "--" + $0.name } + ["--help"]).filter { $0.hasPrefix(last) }
    }

    /// Returns the option whose value the last word is.
    private func pendingOption(_ declarations: [OptionDeclaration]) -> OptionDeclaration? {
        guard let word = words.last, word.hasPrefix("-"), word.count > 1 else { return nil }
        let option =
            word.hasPrefix("--")
            ? declarations.first { "--" + $0.name == word }
            : declarations.first { $0.letter == word.last }
        guard let option, case .required = option.value else { return nil }
        return option
    }
}

extension CommandCompletion {
    private func values(of option: OptionDeclaration, startingWith text: String) -> [String] {
        switch option.completion {
        case .none: []
        case .files: [Self.files]
        case .words(let words): words.filter { $0.hasPrefix(text) }
        case .keys: list(keys, text, ending: "")
        case .types: text.hasTypeStart ? types(text) : list(keys, text, ending: "=")
        case .tables: tables.filter { $0.hasPrefix(text) }
        }
    }

    /// Completes the last name of a list such as `name,-age`.
    private func list(_ names: [String], _ text: String, ending: String) -> [String] {
        let comma = text.lastIndex(of: ",").map { text.index(after: $0) } ?? text.startIndex
        let start = text[comma...].hasPrefix("-") ? text.index(after: comma) : comma
        let typed = text[start...]
        return names.filter { $0.hasPrefix(typed) }.map { text[..<start] + $0 + ending }
    }

    private func types(_ text: String) -> [String] {
        guard let equals = text.lastIndex(of: "=") else { return [] }
        let typed = text[text.index(after: equals)...]
        return ColumnType.allCases.map(\.rawValue).filter { $0.hasPrefix(typed) }.map { text[...equals] + $0 }
    }

    private func positionals(of command: Command, _ declarations: [OptionDeclaration]) -> [String] {
        let position = positionalWords(declarations).count
        switch command {
        case .help: return Command.allCases.map(\.rawValue).filter { $0.hasPrefix(last) }
        case .completion: return Shell.allCases.map(\.rawValue).filter { $0.hasPrefix(last) }
        case .parse: return []
        case .model where position == 0: return ModelVerb.allCases.map(\.rawValue).filter { $0.hasPrefix(last) }
        case .filter, .explain, .check, .sql, .update, .delete:
            return position == 0 ? keysInPredicate : [Self.files]
        default: return [Self.files]
        }
    }

    /// Completes the key at the end of a predicate.
    private var keysInPredicate: [String] {
        let breaks = " \t\n\"'`<>=;|&{}(),[]!+-*/^~"
        let start = last.lastIndex { breaks.contains($0) }.map { last.index(after: $0) } ?? last.startIndex
        let typed = last[start...]
        return keys.filter { $0.hasPrefix(typed) }.map { last[..<start] + $0 }
    }

    /// The words that are no options nor their values, after the command.
    private func positionalWords(_ declarations: [OptionDeclaration]) -> [String] {
        var result: [String] = []
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if word == "--" { return result + rest }
            guard word.hasPrefix("-"), word.count > 1 else {
                result.append(word)
                continue
            }
            let option = CommandCompletion(["x", word, ""], cursor: 3).pendingOption(declarations)
            if option != nil, !word.contains("=") { _ = rest.popFirst() }
        }
        return result
    }
}

/// What the named files hold.
extension CommandCompletion {
    private static let sampledRecords = 50

    private var file: String? {
        (words.dropFirst() + rest).map { $0.trimmingQuotes }.last {
            FileAccess.size(of: FileAccess.expanded($0)) != nil
        }
        .map(FileAccess.expanded)
    }

    /// The keys of the file: columns, keys of the first records, or attributes of the table.
    private var keys: [String] {
        guard let file else { return [] }
        if SQLiteFile.isOne(file) { return storeKeys(file) }
        var options = RecordOptions(format: DataFormat(fileName: file), keys: [])
        guard let header = try? RecordReader(source: FileSource(path: file), options: options).header else {
            options.keys = nil
            return recordKeys(file, options)
        }
        return header.columns
    }

    private func recordKeys(_ file: String, _ options: RecordOptions) -> [String] {
        guard let reader = try? RecordReader(source: FileSource(path: file), options: options) else { return [] }
        var names: [String] = []
        for _ in 0..<Self.sampledRecords {
            guard let record = try? reader.next() else { break }
            for member in JSONScanner.members(of: record.raw) ?? [] {
                let path = RecordsPath.text(of: member.key)
                names.append(path)
                let inner = member.text.first == UInt8(ascii: "{") ? JSONScanner.members(of: member.text) ?? [] : []
                names += inner.map { path + "." + RecordsPath.text(of: $0.key) }
            }
        }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    private var tables: [String] {
        guard let file, SQLiteFile.isOne(file), let schema = try? SQLiteFile.introspect(SQLiteFile.open(file)).schema
        else { return [] }
        return schema.entities.keys.sorted()
    }

    private func storeKeys(_ file: String) -> [String] {
        guard let schema = try? SQLiteFile.introspect(SQLiteFile.open(file)).schema else { return [] }
        let all = words + rest
        let named = all.indices.dropLast().first { all[$0] == "--table" }.map { all[$0 + 1] }
        let entity =
            named.flatMap { schema.entities[$0] } ?? (schema.entities.count == 1 ? schema.entities.first?.value : nil)
        return entity?.keys ?? []
    }
}

extension String {
    /// The text without the quotes that a shell leaves around a word.
    fileprivate var trimmingQuotes: String {
        guard count > 1, let first, first == last, first == "'" || first == "\"" else { return self }
        return String(dropFirst().dropLast())
    }

    /// True if the last declaration of `name=string,age=int` has its equals sign.
    fileprivate var hasTypeStart: Bool {
        guard let equals = lastIndex(of: "=") else { return false }
        return !self[equals...].contains(",")
    }
}
