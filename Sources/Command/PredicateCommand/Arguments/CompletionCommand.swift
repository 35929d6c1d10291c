import PredicateChecks
import PredicateData
import PredicateJSON
import PredicateSQL
import PredicateQuery
import PredicateSession
import PredicateSyntax

extension Subcommand {
    static let completion = Subcommand(
        "completion", "Print a completion script for bash, zsh or fish", usage: ["predicate completion SHELL"],
        operands: [.values(of: Shell.self)],
        options: [[CompletionCommand.words, CompletionCommand.cursor, CompletionCommand.descriptions]],
        help: [
            .paragraph(
                "Print a script for bash, zsh or fish that completes commands, options, file names, and the keys of the"
                    + " file on the command line. 'make install' puts the scripts in place."),
            .options,
            .examples([
                "source <(predicate completion bash)",
                "predicate completion zsh > ~/.zfunc/_predicate",
                "predicate completion fish > ~/.config/fish/completions/predicate.fish",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try CompletionCommand(reader).run(console) }
}

/// `predicate completion bash`: prints the script that lets a shell complete commands, options, files and keys.
struct CompletionCommand {
    static let words = CommandOption(
        "words", help: "Print completions for the words of a command line, for the scripts themselves")
    static let cursor = CommandOption("cursor", value: "N", help: "With --words, complete the Nth (default: the last)")
    static let descriptions = CommandOption(
        "descriptions", help: "With --words, print a tab and the meaning after the names of commands and options")

    private let reader: ArgumentReader

    init(_ reader: ArgumentReader) { self.reader = reader }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let words = reader.operands
        if reader.has(Self.words) {
            let cursor = reader.value(of: Self.cursor).flatMap { Int($0) } ?? words.count
            let completion = CommandCompletion(words, cursor: cursor)
            let isDescribed = reader.has(Self.descriptions)
            let lines = completion.candidates.map { isDescribed ? completion.described($0) : $0 }
            try console.write(lines.map { $0 + "\n" }.joined())
            return .success
        }
        guard words.count == 1, let shell = Shell(rawValue: words[0]) else {
            throw reader.failure(expectedOneOf: Shell.allCases.map(\.rawValue))
        }
        try console.write(shell.script)
        return .success
    }
}

/// A shell, and the script that makes it call `predicate completion --words`.
///
/// Each line of the output is a completion. The line `:files` asks the shell to complete file names.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static let bashScript = """
        # Completion of predicate for bash: source it, or put it into a folder of bash-completion.
        _predicate() {
            local line
            local -a words=("${COMP_WORDS[@]:1}")
            words[COMP_CWORD - 1]=$2
            COMPREPLY=()
            while IFS= read -r line; do
                if [[ $line == :files ]]; then
                    compopt -o filenames
                    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$2")
                else
                    [[ $line == *= || $line == */ ]] && compopt -o nospace
                    COMPREPLY+=("$line")
                fi
            done < <("$1" completion --words --cursor "$COMP_CWORD" -- "${words[@]}" 2>/dev/null)
        }
        complete -F _predicate predicate

        """

    private static let zshScript = """
        #compdef predicate
        # Completion of predicate for zsh: put it as _predicate into a folder of fpath.
        _predicate() {
            local -a answer shown
            local prefix="${(Q)PREFIX}"
            answer=("${(@f)$(_call_program words predicate completion --words --descriptions \\
                --cursor $((CURRENT - 1)) -- ${(@q)${(@Q)words[2,CURRENT-1]}} ${(q)prefix} \\
                ${(@q)${(@Q)words[CURRENT+1,-1]}} 2>/dev/null)}")
            if (( ${answer[(I):files]} )); then
                _files
                answer=("${(@)answer:#:files}")
            fi
            answer=("${(@)answer:#}")
            shown=("${(@)answer/$'\t'/  -- }")
            if [[ "${(F)answer}" == *$'\t'* ]]; then
                compadd -U -l -d shown -- "${(@)answer%%$'\t'*}"
            elif (( $#answer )); then
                compadd -U -- "${answer[@]}"
            fi
        }
        if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _predicate "$@"; else compdef _predicate predicate; fi

        """

    private static let fishScript = """
        # Completion of predicate for fish: put it into ~/.config/fish/completions.
        function __predicate_words
            set -l before (commandline -opc)
            set -l after (commandline -o)
            set -l cursor (count $before)
            for line in (predicate completion --words --descriptions --cursor $cursor -- \\
                    $before[2..-1] (commandline -ct) $after[(math $cursor + 2)..-1] 2>/dev/null)
                if test "$line" = :files
                    __fish_complete_path (commandline -ct)
                else
                    echo $line
                end
            end
        end
        complete -c predicate -f -a '(__predicate_words)'

        """
}

/// Completes one word of a command line.
///
/// For `filter -k na people.csv` with the cursor after `na`, it completes names of columns. For `filter 'age > 5 AND
/// na` it completes keys inside the predicate.
struct CommandCompletion {
    /// The completion that tells the shell to complete file names itself.
    static let files = ":files"

    private let words: [String]
    private let last: String
    /// The words after the cursor. One of them may be the data file.
    private let rest: [String]

    /// Completes the word at the index `cursor`. `words` are the words after the name of the program.
    init(_ words: [String], cursor: Int) {
        let place = min(max(cursor - 1, 0), words.count)
        self.words = Subcommand.joiningName(in: Array(words.prefix(place)))
        last = words.dropFirst(place).first ?? ""
        rest = Array(words.dropFirst(place + 1))
    }

    /// The completions. Each begins with the word at the cursor.
    var candidates: [String] {
        guard let first = words.first else { return commands }
        guard let command = Subcommand.named(first) ?? CommandLineTool.commandLeftOut(words) else {
            return [Self.files]
        }
        if let equals = last.firstIndex(of: "="), last.hasPrefix("--") {
            let name = last[last.index(last.startIndex, offsetBy: 2)..<equals]
            guard let option = command.options.first(where: { $0.name == name }) else { return [] }
            let start = last[...equals]
            return completions(option.completion, of: String(last[last.index(after: equals)...])).map { start + $0 }
        }
        if let option = pendingOption(command.options) { return completions(option.completion, of: last) }
        if last.hasPrefix("-"), !words.contains("--") { return names(of: command.options) }
        return operands(of: command)
    }

    /// Returns a completion, followed by a tab and its meaning if it is the name of a command, a topic or an option.
    func described(_ candidate: String) -> String {
        meaning(of: candidate).map { candidate + "\t" + $0 } ?? candidate
    }

    private func meaning(of candidate: String) -> String? {
        let asked = words.first == Subcommand.help.name ? Array(words.dropFirst()) : words
        let name = (asked + [candidate]).joined(separator: " ")
        if let command = Subcommand.named(name) { return command.summary }
        guard let first = asked.first else { return LanguageTopic.all.first { $0.name == candidate }?.summary }
        let options = Subcommand.named(first)?.options ?? []
        guard let option = options.first(where: { "--" + $0.name == candidate }) else { return nil }
        return String(option.help.prefix { !":;(".contains($0) }).trimmed
    }

    private var commands: [String] {
        let names = Subcommand.overview.map(\.name) + ["--help", "--version"]
        return names.filter { $0.hasPrefix(last) }
    }

    private func names(of options: [CommandOption]) -> [String] {
        (options.map { "--" + $0.name } + ["--help"]).filter { $0.hasPrefix(last) }
    }

    /// Returns the option whose value is at the cursor.
    private func pendingOption(_ options: [CommandOption]) -> CommandOption? {
        guard let word = words.last, word.hasPrefix("-"), word.count > 1 else { return nil }
        let option =
            word.hasPrefix("--")
            ? options.first { "--" + $0.name == word }
            : options.first { $0.letter == word.last }
        guard let option, case .required = option.value else { return nil }
        return option
    }
}

extension CommandCompletion {
    private func completions(_ completion: WordCompletion, of text: String) -> [String] {
        switch completion {
        case .none: []
        case .files: [Self.files]
        case .words(let words): words.filter { $0.hasPrefix(text) }
        case .topics: topics.filter { $0.hasPrefix(text) }
        case .predicate: keysInPredicate
        case .keys: list(keys, text, ending: "")
        case .types: text.hasTypeStart ? types(text) : list(keys, text, ending: "=")
        case .tables: tables.filter { $0.hasPrefix(text) }
        }
    }

    private var topics: [String] {
        if words.last == Subcommand.store.name { return Subcommand.storeVerbs.map(\.word) }
        return Subcommand.overview.map(\.name) + LanguageTopic.all.map(\.name)
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

    private func operands(of command: Subcommand) -> [String] {
        let index = min(operands(among: command.options).count, command.operands.count - 1)
        return index < 0 ? [] : completions(command.operands[index], of: last)
    }

    /// Completes the key at the end of a predicate.
    private var keysInPredicate: [String] {
        let word = UnfinishedFormat(last).word
        return keys.filter { $0.hasPrefix(word) }.map { last.dropLast(word.count) + $0 }
    }

    /// Returns the operands before the cursor: the words after the subcommand that are neither options nor their values.
    private func operands(among options: [CommandOption]) -> [String] {
        var result: [String] = []
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if word == "--" { return result + rest }
            guard word.hasPrefix("-"), word.count > 1 else {
                result.append(word)
                continue
            }
            let option = CommandCompletion(["x", word, ""], cursor: 3).pendingOption(options)
            if option != nil, !word.contains("=") { _ = rest.popFirst() }
        }
        return result
    }
}

/// The keys and tables of the data files on the command line.
extension CommandCompletion {
    private static let sampledRecords = 50

    private var file: String? {
        (words.dropFirst() + rest).map { $0.trimmingQuotes }.last {
            FileAccess.size(of: FileAccess.expanded($0)) != nil
        }
        .map(FileAccess.expanded)
    }

    /// The keys of the file: the columns of a header, the keys of the first records, or the attributes of the table.
    private var keys: [String] {
        guard let file else { return [] }
        if let schema { return keys(of: schema) }
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

    /// The tables of a SQLite file, or the entities of a schema.
    private var schema: SQLSchema? {
        guard let file else { return nil }
        if SQLiteFile.isOne(file) { return try? SQLiteFile.introspect(SQLiteFile.open(file)).schema }
        return words.first == Subcommand.sql.name ? try? SchemaFile.load(file).schema : nil
    }

    private var tables: [String] { schema?.entities.values.map(\.table).sorted() ?? [] }

    private func keys(of schema: SQLSchema) -> [String] {
        let all = words + rest
        let options = ["--table", "--entity"]
        let named = all.indices.dropLast().first { options.contains(all[$0]) }.map { all[$0 + 1] }
        let entities = schema.entities
        let entity = named.flatMap { entities[$0] } ?? (entities.count == 1 ? entities.first?.value : nil)
        return entity?.keys ?? []
    }
}

extension String {
    /// The word without the quotes that a shell leaves around it.
    fileprivate var trimmingQuotes: String {
        guard count > 1, let first, first == last, first == "'" || first == "\"" else { return self }
        return String(dropFirst().dropLast())
    }

    /// A Boolean value that indicates whether the last declaration of `name=string,age=int` has its equals sign.
    fileprivate var hasTypeStart: Bool {
        guard let equals = lastIndex(of: "=") else { return false }
        return !self[equals...].contains(",")
    }
}
