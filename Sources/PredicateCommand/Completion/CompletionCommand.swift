import PredicateData

/// The options of `predicate completion`.
enum CompletionOption: CommandOption {
    case words
    case cursor

    var declaration: OptionDeclaration {
        switch self {
        case .words:
            .init("words", help: "Print completions for the words of a command line, for the scripts themselves")
        case .cursor: .init("cursor", value: .required("N"), help: "With --words, complete the Nth (default: the last)")
        }
    }
}

/// `predicate completion bash`: prints the script that lets a shell complete commands, options, files and keys.
struct CompletionCommand {
    private let words: [String]
    private let printsWords: Bool
    /// The number of the word to complete.
    private let cursor: Int

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<CompletionOption>(words, .completion)
        printsWords = reader.has(.words)
        self.words = reader.positionals
        cursor = reader.value(of: .cursor).flatMap { Int($0) } ?? reader.positionals.count
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        if printsWords {
            let lines = CommandCompletion(words, cursor: cursor).candidates
            try console.write(lines.map { $0 + "\n" }.joined())
            return .success
        }
        guard words.count == 1, let shell = Shell(rawValue: words[0]) else {
            let names = Shell.allCases.map(\.rawValue)
            let hints = words.first.map { UsageError.suggestions(for: $0, among: names) } ?? []
            throw .usage(UsageError("expected a shell: bash, zsh or fish", hints: hints, in: .completion))
        }
        try console.write(shell.script)
        return .success
    }
}

/// A shell, and the script that asks `predicate completion --words` for completions.
///
/// Each line of the answer is a completion; the line `:files` stands for the names of files.
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
            local -a answer
            local prefix="${(Q)PREFIX}"
            answer=("${(@f)$(_call_program words predicate completion --words \\
                --cursor $((CURRENT - 1)) -- ${(@q)${(@Q)words[2,CURRENT-1]}} ${(q)prefix} \\
                ${(@q)${(@Q)words[CURRENT+1,-1]}} 2>/dev/null)}")
            if (( ${answer[(I):files]} )); then
                _files
                answer=("${(@)answer:#:files}")
            fi
            answer=("${(@)answer:#}")
            (( $#answer )) && compadd -U -- "${answer[@]}"
        }
        if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _predicate "$@"; else compdef _predicate predicate; fi

        """

    private static let fishScript = """
        # Completion of predicate for fish: put it into ~/.config/fish/completions.
        function __predicate_words
            set -l before (commandline -opc)
            set -l after (commandline -o)
            set -l cursor (count $before)
            for line in (predicate completion --words --cursor $cursor -- \\
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
