import Foundation
import PredicateSession
import PredicateSyntax
import Testing

/// The pages about the language are true.
struct LanguageHelpTests {
    static let names = LanguageTopic.all.map(\.name)
    private static let people = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Demo/people.csv").path()

    @Test(arguments: names) func everyExampleMatches(topic: String) throws {
        let topic = try #require(LanguageTopic.named(topic))
        #expect(!topic.examples.isEmpty || !topic.commands.isEmpty)
        for example in topic.examples {
            let outcome =
                topic.record.map { predicate("filter", "-c", example.format, input: $0 + "\n") }
                ?? predicate("filter", "-c", example.format, Self.people)
            #expect(outcome.status == 0, "\(example.format): \(outcome.error)")
            #expect(outcome.error == "", "\(example.format)")
        }
    }

    @Test(arguments: [
        ("nil", "age != 34", 9), ("nil", "NOT age > 34", 5), ("strings", "name BEGINSWITH[cd] \"jo\"", 5),
        ("operators", "age != nil AND age / 10 == 3", 2),
        ("dates", "joined BETWEEN {\"2018-01-01\", \"2018-12-31\"}", 1),
        ("functions", "age != nil AND modulus:by:(age, 2) == 0", 4),
    ])
    func examplesMeanWhatTheySay(topic: String, format: String, count: Int) throws {
        #expect(LanguageTopic.named(topic)?.examples.contains { $0.format == format } == true)
        #expect(predicate("filter", "-c", format, Self.people).output == "\(count)\n")
    }

    @Test(arguments: names) func everyCommandMatches(topic: String) throws {
        for example in try #require(LanguageTopic.named(topic)).commands {
            let outcome = Self.run(example.command)
            #expect(example.command.hasPrefix("predicate "))
            #expect(outcome.status == 0, "\(example.command): \(outcome.error)")
            #expect(outcome.output != "" && outcome.error == "", "\(example.command): \(outcome.error)")
        }
    }

    /// Runs a command with the files of the demo.
    private static func run(_ command: String) -> Outcome {
        let demo = URL(filePath: people).deletingLastPathComponent().path() + "/"
        let words = words(of: command).dropFirst().map { word in
            word.replacing(/(people|orders)\.csv|access\.log|runs\.json/) { demo + $0.output.0 }
        }
        return predicate(Array(words), source: silence)
    }

    /// The words of a command, some in single quotes.
    private static func words(of command: String) -> [String] {
        command.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }

    @Test(arguments: [
        ("'age > 40'", "Ann Taylor,52"), ("'name IN $BUYERS'", "Zoë Martin,41"),
        ("'customer.age > 40'", "2,Zoë Martin"),
        ("'level == \"error\"'", "R1"), ("--pattern", "ann"), ("'status >= 500'", "/search?q=a"),
    ])
    func commandsMeanWhatTheySay(part: String, output: String) throws {
        let topic = try #require(LanguageTopic.named("files"))
        let command = try #require(topic.commands.first { $0.command.contains(part) }).command
        #expect(Self.run(command).output.contains(output))
    }

    @Test(arguments: names) func everyPageIsShown(topic: String) throws {
        let page = predicate(["help", topic], source: silence)
        #expect(page.status == 0)
        #expect(page.error == "")
        let lines = page.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count > 8)
        #expect(lines.count < 40)
        #expect(lines.filter { $0.count > 79 || $0.hasSuffix(" ") } == [])
        #expect(predicate("help", "--man").output.contains("THE LANGUAGE: \(topic.uppercased())"))
        #expect(predicate("help").output.contains("  \(topic) "))
        #expect(predicate("help", "language").output.contains("  \(topic) ") || topic == "language")
    }

    @Test func everyFunctionIsNamed() {
        let page = predicate("help", "functions").output
        for function in FunctionExpression.Predefined.allCases { #expect(page.contains(function.rawValue)) }
    }

    @Test(arguments: [
        ("regex", "strings"), ("JOIN", "files"), ("csv", "files"), ("null", "nil"), ("date", "dates"),
        ("select", "where"), ("any", "collections"),
    ])
    func wordsLeadToTopics(word: String, topic: String) {
        #expect(predicate("help", word) == predicate("help", topic))
        #expect(predicate("help", word).status == 0)
    }

    @Test func theSessionShowsTopics() {
        #expect(predicate("repl", input: ":help strings\n").output.contains("[d] ignores accents"))
        #expect(predicate("help", "strnigs").error.contains("did you mean"))
    }
}
