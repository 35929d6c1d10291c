/// The options of a command: one table, from which arguments are read and help is printed.
protocol CommandOption: CaseIterable, Equatable {
    /// `-c, --count    Print how many …`
    var declaration: OptionDeclaration { get }
}

/// One option.
struct OptionDeclaration {
    /// What follows the option.
    enum Value: Equatable {
        /// `--count`
        case none
        /// `--arg VALUE`, `--arg=VALUE`
        case required(String)
        /// `--first`, `--first 3`, `--first=3`: the next word belongs to the option when it is a whole number.
        case number(String)
    }

    /// Without the hyphens.
    let name: String
    let letter: Character?
    let value: Value
    let help: String

    init(_ name: String, _ letter: Character? = nil, value: Value = .none, help: String) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
    }

    /// How help shows it: `-c, --count`, `    --first [N]`.
    var synopsis: String {
        let short = letter.map { "-\($0), " } ?? "    "
        return switch value {
        case .none: "\(short)--\(name)"
        case .required(let placeholder): "\(short)--\(name) \(placeholder)"
        case .number(let placeholder): "\(short)--\(name) [\(placeholder)]"
        }
    }
}

extension String {
    /// Whether a word of a command line is an option, and no value such as `-`, `-1` or `-.5`.
    var isOption: Bool {
        guard first == "-", let second = dropFirst().first else { return false }
        return !(second.isASCII && second.isNumber) && second != "."
    }
}
