import Testing

@testable import PredicateCommand

/// What is derived from the values of the subcommands: help, completion and the manual page.
struct SubcommandTests {
    private static let names = Subcommand.all.map(\.name)

    private func subcommand(_ name: String) throws -> Subcommand { try #require(Subcommand.named(name)) }

    @Test func namesAreUnique() {
        #expect(Set(Self.names).count == Self.names.count)
    }

    @Test(arguments: names)
    func everySubcommandHasHelp(name: String) throws {
        let command = try subcommand(name)
        let page = predicate("help", name)
        #expect(page.status == 0)
        #expect(page.output.hasPrefix("Usage: predicate \(name)"))
        #expect(page.output.contains("\nOptions:\n"))
        let overview = command.word == name ? predicate("--help") : predicate("help", "store")
        #expect(overview.output.contains("  \(command.word) "))
        #expect(overview.output.contains(command.summary))
        #expect(predicate("help", "--man").output.contains("\n.SH PREDICATE \(name.uppercased())\n"))
    }

    @Test(arguments: names)
    func helpFitsATerminal(name: String) throws {
        let rows = try subcommand(name).page.blocks.filter { if case .lines = $0 { false } else { true } }
        let lines = HelpPage(usage: [], rows).text.split(separator: "\n")
        #expect(lines.filter { $0.count > 79 || $0.hasSuffix(" ") }.isEmpty)
    }

    @Test(arguments: names)
    func everyOptionIsInHelpAndCompletion(name: String) throws {
        let options = try subcommand(name).options
        let help = predicate("help", name).output
        let completions = predicate("completion", "--words", "--cursor", "2", "--", name, "--").output
            .split(separator: "\n").map(String.init)
        for option in options {
            #expect(help.contains("  \(option.synopsis)"))
            #expect(completions.contains("--\(option.name)"))
        }
        #expect(completions.last == "--help")
        #expect(completions.count == options.count + 1)
    }

    @Test(arguments: names)
    func optionsOfASubcommandDiffer(name: String) throws {
        let options = try subcommand(name).options
        let letters = options.compactMap(\.letter)
        #expect(Set(options.map(\.name)).count == options.count)
        #expect(Set(letters).count == letters.count)
        #expect(!letters.contains("h"))
    }

    /// The value of an option that takes words is completed to these words.
    @Test(arguments: names)
    func wordsCompleteValues(name: String) throws {
        for option in try subcommand(name).options {
            guard case .words(let words) = option.completion else { continue }
            let line = ["completion", "--words", "--cursor", "3", "--", name, "--\(option.name)", ""]
            #expect(predicate(line, source: silence).output.split(separator: "\n").map(String.init) == words)
        }
    }
}
