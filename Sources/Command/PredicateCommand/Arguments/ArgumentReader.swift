import PredicateEvaluation
import PredicateSyntax

/// The parsed words of a command line.
///
/// `filter -v --first=3 'age >= 21' people.csv`
///
/// Options may be anywhere; `--` ends them. One-letter options may be joined, as in `-vq`, and their value may follow without a
/// space, as in `-aVALUE`.
struct ArgumentReader {
    /// The subcommand that the words belong to.
    let command: Subcommand
    /// The context of predicates, whose date functions use the zone of `--zone`.
    var context = PredicateContext.standard
    /// The words that are not options, in order.
    private(set) var operands: [String] = []
    /// The options without a value that directly precede an operand, by the index of the operand.
    private(set) var optionsBefore: [Int: CommandOption] = [:]
    private var found: [(name: String, value: String?)] = []
    private var rest: ArraySlice<String>
    /// The option without a value that was just read.
    private var lastOption: CommandOption?

    /// Throws a ``UsageError`` for the first invalid word. Throws `helpRequested` for `--help`.
    init(_ words: ArraySlice<String>, _ command: Subcommand) throws(CommandFailure) {
        self.command = command
        rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            try read(word)
        }
    }

    /// Returns true if the option was given.
    func has(_ option: CommandOption) -> Bool {
        found.contains { $0.name == option.name }
    }

    /// Returns the value of an option. If it was given more than once, the last value counts.
    func value(of option: CommandOption) -> String? {
        values(of: option).last
    }

    /// Returns all values of an option, in the order of the command line.
    func values(of option: CommandOption) -> [String] {
        found.compactMap { $0.name == option.name ? $0.value : nil }
    }

    /// Returns the names and values of these options, in the order of the command line.
    func values(of options: [CommandOption]) -> [(name: String, value: String)] {
        found.compactMap { found in
            guard let value = found.value, options.contains(where: { $0.name == found.name }) else { return nil }
            return (found.name, value)
        }
    }

    /// Returns the names in the lists of an option, such as `name,age`.
    func names(of option: CommandOption) throws(CommandFailure) -> [String] {
        let lists = values(of: option)
        let names = lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        if names.contains("") { throw failure("--\(option.name) takes keys separated by commas") }
        return names
    }

    /// Returns the value of an option that takes one of a few words; nil if the option was not given.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        of option: CommandOption
    ) throws(CommandFailure) -> Value? {
        try choice(of: option, among: Array(Value.allCases))
    }

    func choice<Value: RawRepresentable<String>>(
        of option: CommandOption, among values: [Value]
    ) throws(CommandFailure) -> Value? {
        guard let word = value(of: option) else { return nil }
        if let value = values.first(where: { $0.rawValue == word.lowercased() }) { return value }
        let names = values.map(\.rawValue)
        throw failure(
            "--\(option.name) takes \(names.list("or")), found '\(word)'",
            hints: UsageError.suggestions(for: word, among: names))
    }

    func failure(_ message: String, hints: [String] = []) -> CommandFailure {
        .usage(UsageError(message, hints: hints, in: command))
    }

    /// The failure for a first operand that is not one of these words: `expected one of list, show, found 'sow'`
    func failure(expectedOneOf words: [String]) -> CommandFailure {
        let expected = "expected one of \(words.joined(separator: ", "))"
        guard let word = operands.first else { return failure(expected) }
        return failure("\(expected), found '\(word)'", hints: UsageError.suggestions(for: word, among: words))
    }

    private mutating func read(_ word: String) throws(CommandFailure) {
        if !word.isOption {
            if let option = lastOption { optionsBefore[operands.count] = option }
            operands.append(word)
            lastOption = nil
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
        guard let option = command.options.first(where: { $0.name == name }) else {
            throw .usage(UsageError(unknownOption: "--" + name, in: command))
        }
        try add(option, value: parts.count > 1 ? String(parts[1]) : nil, spelling: "--" + name)
    }

    /// `-v`, `-vq`, `-a VALUE`, `-aVALUE`
    private mutating func readLetters(_ word: String) throws(CommandFailure) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            if letter == "h" { throw .helpRequested(command) }
            guard let option = command.options.first(where: { $0.letter == letter }) else {
                throw .usage(UsageError(unknownOption: "-\(letter)", in: command))
            }
            if option.value == .none || letters.isEmpty {
                try add(option, value: nil, spelling: "-\(letter)")
            } else {
                return try add(option, value: String(letters), spelling: "-\(letter)")
            }
        }
    }

    /// Adds an option. If its value is missing, the next word is the value.
    private mutating func add(_ option: CommandOption, value: String?, spelling: String) throws(CommandFailure) {
        var value = value
        switch option.value {
        case .none:
            if value != nil { throw failure("\(spelling) takes no value") }
        case .required(let placeholder):
            value = value ?? rest.popFirst()
            if value == nil { throw failure("\(spelling) needs a value: \(spelling) \(placeholder)") }
        case .number:
            if value == nil, let next = rest.first, Int(next) != nil { value = rest.popFirst() }
        }
        found.append((option.name, value))
        lastOption = value == nil ? option : nil
    }
}
