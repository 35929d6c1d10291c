/// The options of a command: one table for parsing arguments and for the help page.
protocol CommandOption: CaseIterable, Equatable {
    /// `-c, --count    Print how many …`
    var declaration: OptionDeclaration { get }
}

/// One option.
struct OptionDeclaration {
    /// The value of an option.
    enum Value: Equatable {
        /// `--count`
        case none
        /// `--arg VALUE`, `--arg=VALUE`
        case required(String)
        /// `--first`, `--first 3`, `--first=3`: the next word belongs to the option if it is an integer.
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

    /// The synopsis in the help page: `-c, --count`, `    --first [N]`.
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
    /// True if a word of a command line is an option, not a value such as `-`, `-1` or `-.5`.
    var isOption: Bool {
        guard first == "-", let second = dropFirst().first else { return false }
        return !(second.isASCII && second.isNumber) && second != "."
    }
}
