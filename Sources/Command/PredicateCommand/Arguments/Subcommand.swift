import Foundation
import PredicateData

/// A subcommand of `predicate`. Dispatch, help pages, the manual page and shell completion are derived from it.
///
/// To add a subcommand, write a file with a value of this type and the type that runs it, and add the value to ``all``.
struct Subcommand: Sendable {
    /// The words after `predicate`: `filter`, `store migrate`
    let name: String
    /// One line for the overview.
    let summary: String
    /// The synopses: `predicate parse [OPTION...] FORMAT [VALUE...]`
    let usage: [String]
    /// The completions of the operands. Operands after the last one are completed like the last one.
    let operands: [WordCompletion]
    let options: [CommandOption]
    private let help: [HelpPage.Block]
    private let body: @Sendable (ArgumentReader, Console) throws(CommandFailure) -> ExitStatus

    init(
        _ name: String, _ summary: String, usage: [String], operands: [WordCompletion] = [.files],
        options: [[CommandOption]], help: [HelpPage.Block],
        _ body: @escaping @Sendable (ArgumentReader, Console) throws(CommandFailure) -> ExitStatus
    ) {
        (self.name, self.summary, self.usage, self.operands) = (name, summary, usage, operands)
        self.options = options.flatMap(\.self)
        (self.help, self.body) = (help, body)
    }

    /// The subcommands of the overview, in its order.
    static let overview: [Subcommand] = [
        .parse, .filter, .describe, .explain, .check, .sql, .schema, .store, .model, .lint, .repl, .lsp, .completion,
        .help,
    ]

    /// All subcommands; those of `predicate store` directly follow it.
    static let all = overview.flatMap { $0.name == store.name ? [$0] + storeVerbs : [$0] }

    /// The subcommands of `predicate store`.
    static let storeVerbs: [Subcommand] = [.create, .insert, .update, .delete, .metadata, .migrate, .export, .diff]

    /// Returns the subcommand with this name; nil if there is none.
    static func named(_ name: String) -> Subcommand? { all.first { $0.name == name } }

    /// The last word of the name: `migrate`
    var word: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// Joins the two words of `store migrate` into one.
    static func joiningName(in words: [String]) -> [String] {
        let name = words.prefix(2).joined(separator: " ")
        return words.count > 1 && named(name) != nil ? [name] + words.dropFirst(2) : words
    }

    /// Runs the subcommand with the words after its name.
    func run(_ words: ArraySlice<String>, _ console: Console) throws(CommandFailure) -> ExitStatus {
        var reader = try ArgumentReader(words, self)
        if options.contains(where: { $0.name == CommandOption.zone.name }) {
            reader.context.registry.registerCalendarFunctions(timeZone: try TimeZone.ofOption(reader))
            reader.context.registry.registerRounding()
        }
        return try body(reader, console)
    }

    /// The page of `predicate help NAME` and `predicate NAME --help`.
    var page: HelpPage {
        let rows = options.map { ($0.synopsis, $0.help) } + [("-h, --help", "Show this page")]
        let blocks = help.map { block in
            if case .options = block { HelpPage.Block.rows("Options", rows) } else { block }
        }
        return HelpPage(usage: usage, blocks)
    }
}

struct CommandOption: Sendable {
    enum ValueRule: Equatable, Sendable {
        /// `--count`
        case none
        /// `--arg VALUE`, `--arg=VALUE`
        case required(String)
        /// `--first`, `--first 3`, `--first=3`: the next word is the value if it is an integer.
        case number(String)
    }

    /// The name without the hyphens.
    let name: String
    let letter: Character?
    let value: ValueRule
    /// The shell's completion of the value.
    let completion: WordCompletion
    let help: String

    init(_ name: String, _ letter: Character? = nil, _ value: ValueRule = .none, help: String) {
        (self.name, self.letter, self.value, completion, self.help) = (name, letter, value, .none, help)
    }

    /// Creates an option with a required value: `CommandOption("model", value: "FILE", .files, help: "…")`
    init(
        _ name: String, _ letter: Character? = nil, value placeholder: String, _ completion: WordCompletion = .none,
        help: String
    ) {
        (self.name, self.letter, value) = (name, letter, .required(placeholder))
        (self.completion, self.help) = (completion, help)
    }

    /// The value in help and errors: `KEY,...`
    var placeholder: String {
        switch value {
        case .none: ""
        case .required(let placeholder), .number(let placeholder): placeholder
        }
    }

    /// A Boolean value that indicates whether the value is a word that is neither a file name nor free text.
    var takesWord: Bool {
        guard case .required(let placeholder) = value else { return false }
        return !["FILE", "VALUE", "TEXT", "REGEX", "CHAR"].contains(where: placeholder.contains)
    }

    /// Returns true for a word that begins with the name or the letter of the option: `--first=3`, `-vq`
    func isGiven(by word: String) -> Bool {
        let given = word.drop { $0 == "-" }.prefix { $0 != "=" }
        return word.hasPrefix("--") ? given == name : letter != nil && given.first == letter
    }

    /// The option in a help page: `-c, --count`, ` --first [N]`.
    var synopsis: String {
        let short = letter.map { "-\($0), " } ?? "    "
        return switch value {
        case .none: "\(short)--\(name)"
        case .required(let placeholder): "\(short)--\(name) \(placeholder)"
        case .number(let placeholder): "\(short)--\(name) [\(placeholder)]"
        }
    }
}

/// The shell's completion of an operand or of the value of an option.
enum WordCompletion: Sendable {
    case none
    case files
    case words([String])
    /// The subcommands, and the topics of the language.
    case topics
    /// The key at the end of a predicate.
    case predicate
    /// Comma-separated keys of the file: `name,-age`
    case keys
    /// `name=string,age=integer`
    case types
    /// The tables of a SQLite file.
    case tables

    /// The cases of an enumeration.
    static func values<Value: RawRepresentable<String> & CaseIterable>(of _: Value.Type) -> WordCompletion {
        .words(Value.allCases.map(\.rawValue))
    }
}

/// Options that several subcommands share.
enum OptionGroup {}

extension String {
    /// A Boolean value that indicates whether a word of a command line is an option. `-`, `-1` and `-.5` are values.
    var isOption: Bool {
        guard first == "-", let second = dropFirst().first else { return false }
        return !(second.isASCII && second.isNumber) && second != "."
    }
}
