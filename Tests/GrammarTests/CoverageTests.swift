import Foundation
import PredicateReference
@testable import PredicateConformance
@testable import PredicateSyntax
import Testing

/// The grammar, the parser's sources, the tables of spellings and the cases hold the same things.
struct CoverageTests {
    private static let grammar = Result { try GrammarFile.grammar.get() }

    /// Functions of the parser that are parts of productions, with the productions that they are parts of.
    private static let parts = [
        // An operator of a compound and the clauses after it.
        "compound": ["disjunction", "conjunction"], "chain": ["disjunction", "conjunction"],
        "part": ["disjunction", "conjunction"],
        // Comparisons that begin with a key or a literal, and all others.
        "leafComparison": ["comparison"], "longComparison": ["comparison"],
        // The part after the first operand.
        "rightSide": ["comparison", "binary"],
        // An atom of one token, what may follow an atom, and expressions that begin with an operator.
        "leaf": ["atom"], "rest": ["path", "binary"], "longExpression": ["expression"],
        // Lists of literals alone, and others.
        "literals": ["aggregate"], "manyLiterals": ["aggregate"], "literal": ["aggregate"], "elements": ["aggregate"],
        // The keys of a path after its dots, and the indexes after them.
        "keys": ["path"], "indexes": ["path"],
        // The text of one token.
        "name": ["atom"],
    ]

    @Test("every production of tokens is a function of the parser, and every such function a production")
    func productions() throws {
        let sources = try ProjectFile.paths(in: "Sources/Language/PredicateSyntax/Parsing", extension: "swift")
            .map(ProjectFile.text).joined(separator: "\n")
        let names = Set(sources.matches(of: /func (\w+)[<(]/).map { String($0.1) })
        let parsing = names.filter { $0.hasPrefix("parse") }.map {
            $0.dropFirst(5).prefix(1).lowercased() + $0.dropFirst(6)
        }
        let productions = Set(try Self.grammar.get().syntacticNames)
        #expect(Set(parsing.filter { !$0.isEmpty }).subtracting(Self.parts.keys).subtracting(productions).isEmpty)
        #expect(productions.subtracting(parsing).subtracting(names).isEmpty)
        #expect(Set(Self.parts.keys).isSubset(of: parsing))
        #expect(Set(Self.parts.values.joined()).isSubset(of: productions))
        #expect(!names.contains { $0.hasPrefix("read") }, "a function that parses is named after its production")
    }

    @Test("every production is of use")
    func reachable() throws {
        let grammar = try Self.grammar.get()
        let starts = FormatRecogniser.Start.allCases.map(\.rawValue) + ["Token", "Space"]
        let reached = starts.reduce(into: Set<String>()) { $0.formUnion(grammar.names(reachableFrom: $1)) }
        #expect(Set(grammar.names).subtracting(reached).isEmpty)
    }

    @Test("keywords, symbols, operators and option letters are those of the tables")
    func spellings() throws {
        let grammar = try Self.grammar.get()
        func texts(_ name: String) -> Set<String> {
            Set((grammar.productions[name]?.terminals ?? []).map(\.text))
        }
        #expect(texts("Keyword") == Set(Keyword.allCases.map(\.rawValue)))
        #expect(texts("Symbol") == Set(Symbol.allCases.map(\.rawValue)))
        #expect(texts("binary") == Set(BinaryOperator.allCases.map(\.spelling)))
        #expect(texts("key") == ["TERNARY", "FUNCTION", "UNION", "INTERSECT", "MINUS"])
        let letters = ComparisonOptions.letters.map(\.letter) + ComparisonOptions.lettersWithoutEffect
        #expect(texts("OptionLetter") == Set(letters.map(String.init)))
        let comparisons = Symbol.allCases.filter { ComparisonOperator($0) != nil }.map(\.rawValue)
        let words = StringOperator.allCases.map(\.spelling) + [Keyword.between.rawValue, Keyword.in.rawValue]
        #expect(texts("operator") == Set(comparisons + words))
    }

    @Test("every keyword and every symbol occurs in a case")
    func words() throws {
        let recogniser = try GrammarFile.recogniser.get()
        let tokens = Set(try CaseFiles.formats().flatMap { recogniser.scan($0) ?? [] }.map { $0.text.uppercased() })
        let wanted = Keyword.allCases.map(\.rawValue) + Symbol.allCases.map { $0.rawValue.uppercased() }
        #expect(Set(wanted).subtracting(tokens).isEmpty)
    }

    @Test("every production of tokens is needed for a case")
    func productionsInCases() throws {
        let recogniser = try GrammarFile.recogniser.get()
        let formats = try CaseFiles.formats()
        for name in recogniser.book.grammar.syntacticNames {
            let without = FormatRecogniser(recogniser.book.grammar.without(name))
            let isNeeded = formats.contains { format in
                FormatRecogniser.Start.allCases.contains {
                    recogniser.accepts(format, as: $0) && !without.accepts(format, as: $0)
                }
            }
            #expect(isNeeded, "\(name)")
        }
    }

    @Test("every code of an error occurs in a case")
    func errorCodes() throws {
        let found = Set(try CaseFiles.records().flatMap(\.expectedErrorCodes))
        // No case has a policy.
        let format = Set(FormatErrorName.allCases.map(\.rawValue)).subtracting(["refused"])
        #expect(format.subtracting(found).isEmpty)
        // Errors of the host, and of what only its objects can be, need a host.
        let evaluation = Set(EvaluationErrorName.allCases.map(\.rawValue))
            .subtracting(["host", "unlistedKeys", "notEncodable", "untrackedKey", "unreadWrapper", "refused"])
        #expect(evaluation.subtracting(found).isEmpty)
    }

    @Test("every statement is cited by a case or a test, and every citation has its statement")
    func statements() throws {
        let statements = try self.statementNumbers()
        #expect(statements == statements.sorted() && Set(statements).count == statements.count)
        let cited = Set(try CaseFiles.records().flatMap(\.citedStatements)).union(try Self.citations(in: "Tests"))
        #expect(Set(statements).subtracting(cited).isEmpty)
        #expect(cited.subtracting(statements).isEmpty)
        #expect(try Self.citations(in: "Sources").subtracting(statements).isEmpty)
    }

    private func statementNumbers() throws -> [String] {
        let text = try ProjectFile.text("Grammar/Statements.md")
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("- **NSP-") }
        let pattern = /- \*\*(NSP-\d{3})\*\* \((?:A|D|M|P|\?|ours)[^)]*\) \S.*/
        return lines.compactMap { line in
            let match = line.wholeMatch(of: pattern)
            #expect(match != nil, "no grade: \(line)")
            return match.map { String($0.1) }
        }
    }

    /// The statements that Swift files below a folder cite, as `[NSP-001]`.
    private static func citations(in folder: String) throws -> Set<String> {
        let folder = ProjectFile.root.appendingPathComponent(folder)
        var found: Set<String> = []
        for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            ?? .init()
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            found.formUnion(text.matches(of: /\[(NSP-\d{3})\]/).map { String($0.1) })
        }
        return found
    }
}
