/// The parsed words of a command line.
///
/// `filter -v --first=3 'age >= 21' people.csv`
///
/// Options may be anywhere; `--` ends them. Letters may be joined, `-vq`, and the value of a letter may follow
/// directly, `-aVALUE`.
struct ArgumentReader<Option: CommandOption> {
    /// The words that are not options, in order.
    private(set) var positionals: [String] = []
    private var found: [(option: Option, value: String?)] = []
    private var rest: ArraySlice<String>
    private let command: Command

    /// Throws a ``UsageError`` for the first invalid word, and for `--help`.
    init(_ words: ArraySlice<String>, _ command: Command) throws(CommandFailure) {
        self.command = command
        rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                positionals += rest
                return
            }
            try read(word)
        }
    }

    /// Returns true if an option was given.
    func has(_ option: Option) -> Bool {
        found.contains { $0.option == option }
    }

    /// Returns the value of an option; the last one if it was given more than once.
    func value(of option: Option) -> String? {
        values(of: option).last
    }

    /// Returns all values of an option, in order.
    func values(of option: Option) -> [String] {
        found.compactMap { $0.option == option ? $0.value : nil }
    }

    private mutating func read(_ word: String) throws(CommandFailure) {
        if !word.isOption {
            positionals.append(word)
        } else if word.hasPrefix("--") {
            try readName(word)
        } else {
            try readLetters(word)
        }
    }

    /// `--count`, `--arg VALUE`, `--arg=VALUE`
    private mutating func readName(_ word: String) throws(CommandFailure) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        if name == "help" { throw .helpRequested(command) }
        guard let option = Option.allCases.first(where: { $0.declaration.name == name }) else {
            throw .usage(UsageError(unknownOption: "--" + name, in: command, names: Self.names))
        }
        try add(option, value: parts.count > 1 ? String(parts[1]) : nil, spelling: "--" + name)
    }

    /// `-v`, `-vq`, `-a VALUE`, `-aVALUE`
    private mutating func readLetters(_ word: String) throws(CommandFailure) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            if letter == "h" { throw .helpRequested(command) }
            guard let option = Option.allCases.first(where: { $0.declaration.letter == letter }) else {
                throw .usage(UsageError(unknownOption: "-\(letter)", in: command, names: Self.names))
            }
            if option.declaration.value == .none || letters.isEmpty {
                try add(option, value: nil, spelling: "-\(letter)")
            } else {
                return try add(option, value: String(letters), spelling: "-\(letter)")
            }
        }
    }

    /// Adds an option; a missing value is taken from the next word.
    private mutating func add(_ option: Option, value: String?, spelling: String) throws(CommandFailure) {
        var value = value
        switch option.declaration.value {
        case .none:
            if value != nil { throw .usage(UsageError("\(spelling) takes no value", in: command)) }
        case .required(let placeholder):
            value = value ?? rest.popFirst()
            if value == nil {
                throw .usage(UsageError("\(spelling) needs a value: \(spelling) \(placeholder)", in: command))
            }
        case .number:
            if value == nil, let next = rest.first, Int(next) != nil { value = rest.popFirst() }
        }
        found.append((option, value))
    }

    private static var names: [String] {
        Option.allCases.map { "--" + $0.declaration.name } + ["--help"]
    }
}
