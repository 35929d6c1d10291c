import Foundation
import PredicateGenerators
import PredicateSyntax
import Testing

/// The grammar and the parser agree on what is a format.
struct GrammarAndParserTests {
    /// The lines of a file of facts, with the one thing that matters here.
    private struct Fact: Decodable {
        let format: String?
    }

    @Test("they agree on every format that other suites and programs use", arguments: FormatRecogniser.Start.allCases)
    func facts(start: FormatRecogniser.Start) throws {
        let recogniser = try GrammarFile.recogniser.get()
        var findings = Findings()
        let formats = try self.formats()
        for format in formats { findings.check(format) { Self.agree(format, start, recogniser) } }
        #expect(formats.count > 1_000)
        #expect(findings.isEmpty, "\(findings)")
    }

    private func formats() throws -> Set<String> {
        var formats: Set<String> = []
        for path in try ProjectFile.paths(in: "Tests/Conformance/Facts", extension: "jsonl") {
            for line in try ProjectFile.text(path).split(separator: "\n") {
                let fact = try JSONDecoder().decode(Fact.self, from: Data(line.utf8))
                if let format = fact.format { formats.insert(format) }
            }
        }
        return formats
    }

    @Test("they agree on every format of the cases", arguments: FormatRecogniser.Start.allCases)
    func cases(start: FormatRecogniser.Start) throws {
        let recogniser = try GrammarFile.recogniser.get()
        let formats = try CaseFiles.formats()
        #expect(formats.count > 200)
        for format in formats {
            #expect(Self.agree(format, start, recogniser), "\(start.rawValue): \(format)")
        }
    }

    @Test("sentences of the grammar parse, and print as formats of equal trees")
    func generated() throws {
        let recogniser = try GrammarFile.recogniser.get()
        var sentences = SentenceGenerator(recogniser.book.grammar, recogniser, seed: 1)
        var findings = Findings()
        for number in 0..<4_000 {
            let text = sentences.sentence(.format, depth: 10 + number % 12)
            findings.check(text) {
                let predicate = try FormatPredicate(format: text, arguments: ParserVerdict.arguments(for: text))
                return predicate.node.readsBack ? try FormatPredicate(predicate.predicateFormat) == predicate : true
            }
        }
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test("sentences of expressions parse, and print as formats of equal trees")
    func generatedExpressions() throws {
        let recogniser = try GrammarFile.recogniser.get()
        var sentences = SentenceGenerator(recogniser.book.grammar, recogniser, seed: 2)
        var findings = Findings()
        for number in 0..<2_000 {
            let text = "(" + sentences.sentence(.expressionFormat, depth: 8 + number % 10) + ")"
            findings.check(text) {
                let expression = try FormatExpression(format: text, arguments: ParserVerdict.arguments(for: text))
                guard expression.node.readsBack else { return true }
                return try FormatExpression("(\(expression.expressionFormat))") == expression
            }
        }
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test("they agree on sentences with tokens left out, put in, changed and swapped")
    func mutated() throws {
        let recogniser = try GrammarFile.recogniser.get()
        var sentences = SentenceGenerator(recogniser.book.grammar, recogniser, seed: 3)
        var mutation = Mutation(recogniser.book.grammar, recogniser.book, seed: 4)
        var findings = Findings()
        var accepted = 0
        for number in 0..<2_000 {
            let start: FormatRecogniser.Start = number.isMultiple(of: 4) ? .expressionFormat : .format
            let sentence = sentences.sentence(start, depth: 7 + number % 10)
            let text = mutation.change(recogniser.scan(sentence)?.map(\.text) ?? [])
            if recogniser.accepts(text, as: start) { accepted += 1 }
            findings.check(text) { Self.agree(text, start, recogniser) }
        }
        #expect(findings.isEmpty, "\(findings)")
        // Both answers must be frequent, or little is tested.
        #expect((150...1_850).contains(accepted))
    }

    static func agree(_ text: String, _ start: FormatRecogniser.Start, _ recogniser: FormatRecogniser) -> Bool {
        switch ParserVerdict(text, as: start) {
        case .accepted: recogniser.accepts(text, as: start)
        case .refused(let error):
            ParserVerdict.isBeyondGrammar(error, recogniser) || !recogniser.accepts(text, as: start)
        }
    }
}
