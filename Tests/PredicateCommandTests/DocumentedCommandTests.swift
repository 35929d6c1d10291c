import Foundation
@testable import PredicateCommand
import Testing

/// The documents name subcommands and options that the command has.
struct DocumentedCommandTests {
    /// `predicate filter --sort -age`, in a page.
    struct Mention: CustomTestStringConvertible {
        let page: String
        let words: [Substring]

        var testDescription: String { "\(page): \(words.joined(separator: " "))" }

        var options: [Substring] {
            words.filter { $0.hasPrefix("--") && $0.count > 2 }.map { $0.prefix { $0 != "=" && $0 != ")" } }
        }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let pages = Result {
        let guides = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path())
            .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted().map { "Sources/\($0)" }
        let others = [
            "Benchmarks/README.md", "Benchmarks/Spark/README.md", "CHANGELOG.md", "CONTRIBUTING.md",
            "Grammar/Editors.md",
            "Grammar/README.md", "README.md", "SECURITY.md",
        ]
        return try (others + guides).map {
            ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
        }
    }

    /// The code spans and the lines of fenced blocks of a page, continued lines joined.
    private static func code(of text: String) -> [Substring] {
        let joined = text.replacing(/\\\n */, with: "")
        var (isFenced, prose, code) = (false, "", [Substring]())
        for line in joined.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isFenced.toggle()
            } else if isFenced {
                code += line.split(separator: "|").map { $0.drop { "$ ".contains($0) } }
            } else {
                prose += line + "\n"
            }
        }
        return code + prose.matches(of: /`([^`]+)`/).map(\.1)
    }

    private static func mentions() throws -> [Mention] {
        try pages.get().flatMap { page, text in
            code(of: text).filter { $0.hasPrefix("predicate ") }.map { line in
                let command = line.prefix { $0 != "#" }
                return Mention(page: page, words: command.split { $0.isWhitespace }.dropFirst().map(\.self))
            }
        }
    }

    @Test func everySubcommandAndOptionExists() throws {
        let mentions = try Self.mentions()
        #expect(mentions.count > 40)
        for mention in mentions {
            guard let first = Subcommand.joiningName(in: mention.words.map(String.init)).first else { continue }
            // A format or an option in place of a command filters.
            let isFilter = first.hasPrefix("'") || first.hasPrefix("-")
            guard let command = isFilter ? Subcommand.filter : Subcommand.named(first) else {
                #expect(first.contains(".") || first == "FILE" || first == "[FILE]", "\(mention.testDescription)")
                continue
            }
            let known = Set(command.options.map { "--" + $0.name } + ["--help"])
            for option in mention.options { #expect(known.contains(String(option)), "\(mention.testDescription)") }
        }
    }

    @Test func everyOptionInProseExists() throws {
        let known = Set(Subcommand.all.flatMap(\.options).map { "--" + $0.name } + ["--help", "--version"])
        for (page, text) in try Self.pages.get() {
            for span in Self.code(of: text) where span.hasPrefix("--") && !span.hasPrefix("--filter ") {
                let option = span.prefix { $0.isLetter || $0 == "-" }
                #expect(known.contains(String(option)), "\(page) names \(option)")
            }
        }
    }

    @Test func theGuideNamesEverySubcommand() throws {
        let guide = try #require(try Self.pages.get().first { $0.0.hasSuffix("Command.md") }).1
        for command in Subcommand.all where command.name != "repl" {
            let isNamed = ["`predicate \(command.name)", "`\(command.word)`"].contains { guide.contains($0) }
            #expect(isNamed, "Command.md lacks \(command.name)")
        }
    }

    // MARK: - Output

    /// A command of a page, with the lines that the page shows as its output.
    private struct Example {
        let page: String
        let command: String
        var output: [String] = []

        /// The words of the command after `predicate`. Paths are those of the file `people.csv`.
        var words: [String] {
            var (words, quote) = ([""], Character?.none)
            for character in command {
                switch (quote, character) {
                case (nil, " "): words.append("")
                case (nil, "'"), (nil, "\""): quote = character
                case (let open?, _) where open == character: quote = nil
                default: words[words.count - 1].append(character)
                }
            }
            return words.dropFirst().filter { !$0.isEmpty }.map { word in
                word.hasSuffix("people.csv") ? root.appending(path: "Tests/Demo/people.csv").path() : word
            }
        }
    }

    private static func examples() throws -> [Example] {
        try pages.get().flatMap { page, text in
            var examples: [Example] = []
            for block in text.replacing(/\\\n */, with: "").matches(of: /(?s)```console\n(.*?)```/).map(\.1) {
                for line in block.split(separator: "\n") {
                    if line.hasPrefix("$ ") {
                        examples.append(Example(page: page, command: String(line.dropFirst(2))))
                    } else if !examples.isEmpty {
                        examples[examples.count - 1].output.append(String(line))
                    }
                }
            }
            return examples.filter {
                !$0.output.isEmpty && $0.command.contains(/^predicate (filter|sql) .*(people\.csv|--table)/)
            }
        }
    }

    /// The lines that a page shows are lines of the output, in their order.
    @Test func theOutputIsThatOfTheCommand() throws {
        let examples = try Self.examples()
        #expect(examples.count >= 4)
        for example in examples {
            let outcome = predicate(example.words, source: silence)
            var rest = outcome.output.split(separator: "\n").map(String.init)[...]
            for line in example.output {
                let found = rest.firstIndex { $0.trimmedEnd == line.trimmedEnd[...] }
                #expect(found != nil, "\(example.page): '\(example.command)' does not print '\(line)'")
                if let found { rest = rest[(found + 1)...] }
            }
        }
    }

    @Test func theFindingOfTheGuideIsThatOfTheLinter() throws {
        let guide = try #require(try Self.pages.get().first { $0.0.hasSuffix("Linting.md") }).1
        let shown = try #require(guide.firstMatch(of: /(?s)\$ predicate lint Sources\n(.*?)```/)).1
        let source = try #require(shown.split(separator: "\n").dropFirst().first).dropFirst(4)
        try withFiles(["Store.swift": String(repeating: "\n", count: 40) + source]) { paths in
            let path = try #require(paths["Store.swift"])
            let outcome = predicate("lint", path)
            #expect(outcome.output.replacing(path, with: "Sources/Store.swift") == shown)
        }
    }

    @Test func theSessionOfTheGuideIsThatOfTheCommand() throws {
        let guide = try #require(try Self.pages.get().first { $0.0.hasSuffix("Command.md") }).1
        let shown = try #require(guide.firstMatch(of: /(?s)\$ predicate people.csv\n(.*?)```/)).1.split(separator: "\n")
        let prompt = "predicate> "
        let input = shown.filter { $0.hasPrefix(prompt) }.map { $0.dropFirst(prompt.count) + "\n" }.joined()
        let file = Self.root.appending(path: "Tests/Demo/people.csv").path()
        let outcome = predicate("repl", file, input: input)
        #expect(
            outcome.output.replacing(file, with: "people.csv").split(separator: "\n")
                == shown.filter { !$0.hasPrefix(prompt) })
    }

    @Test func theChangelogBeginsWithTheVersion() throws {
        let changelog = try #require(try Self.pages.get().first { $0.0 == "CHANGELOG.md" }).1
        #expect(changelog.firstMatch(of: /(?m)^## (\S+)/)?.1 == CommandLineTool.version[...])
    }
}

extension String {
    fileprivate var trimmedEnd: Substring { lastIndex { $0 != " " }.map { self[...$0] } ?? "" }
}
