import Foundation
import PredicateGenerators
import PredicateSyntax
import Testing

@testable import PredicateEvaluation
@testable import PredicateText

/// The states of regular expressions: their time, their memory and their sets of code points. [NSP-490]
@Suite struct PatternAutomatonTests {
    private func automaton(_ pattern: String, mostEntries: Int = 1 << 16) throws -> PatternAutomaton {
        let program = try #require(PatternProgram(PatternTree(pattern), ignoringCase: false))
        return try #require(PatternAutomaton(program, mostEntries: mostEntries))
    }

    private func visits(_ automaton: PatternAutomaton, _ text: String) -> Int {
        var visits = 0
        _ = automaton.outcome(of: text, &visits, atMost: .max)
        return visits
    }

    // MARK: Time

    /// With almost no memory, nearly every code point takes a step of the simulation. Twice the length takes twice the
    /// steps.
    @Test func hostilePatternsTakeLinearTime() throws {
        var source = RandomSource(seed: PatternDraw.seed(9))
        var patterns: Set<String> = []
        while patterns.count < 200 {
            let pattern = PatternDraw.hostile(&source)
            guard let program = PatternProgram(PatternTree(pattern), ignoringCase: false) else { continue }
            patterns.insert(pattern)
            for unit in ["a", "ab", "aab", "b", "abbaa"] {
                let text = { (count: Int) in String(repeating: unit, count: count / unit.count) }
                let visits = try [2_000, 4_000].map { count in
                    self.visits(try #require(PatternAutomaton(program, mostEntries: 1)), text(count))
                }
                let slack = 8 * program.steps.count
                #expect(visits[1] <= 2 * visits[0] + slack, "\(pattern) on \(unit): \(visits)")
                #expect(visits[0] <= 2_001 * 6 * program.steps.count, "\(pattern)")
                // With states that are kept, a string has no more steps.
                #expect(self.visits(try #require(PatternAutomaton(program)), text(4_000)) <= visits[1], "\(pattern)")
            }
        }
    }

    @Test func stepsAreLimited() throws {
        let automaton = try automaton("(a|b)*a(a|b){200}", mostEntries: 1)
        let text = String(repeating: "aab", count: 1_000)
        var visits = 0
        #expect(automaton.outcome(of: text, &visits, atMost: 10_000) == .tooCostly)
        #expect(visits < 20_000)
        let pattern = "(a|b)*a(a|b){200}"
        let evaluator = try PredicateEvaluator(
            FormatPredicate("SELF MATCHES %@", pattern), limits: PredicateLimits(patternSteps: 1_000))
        let error = #expect(throws: EvaluationError.self) { try evaluator.evaluate(.value(.string(text))) }
        #expect(error?.code == .patternTooCostly(pattern))
    }

    // MARK: Memory

    /// The states of this pattern are all sets of thirteen positions, so they are removed again and again.
    @Test(arguments: [1, 500, 1 << 16]) func statesAreBounded(_ mostEntries: Int) throws {
        let automaton = try automaton("(a|b)*a(a|b){12}", mostEntries: mostEntries)
        var source = RandomSource(seed: 4)
        for _ in 0..<20 {
            let text = (0..<2_000).map { _ in source.oneIn(2) ? "a" : "b" }
            var visits = 0
            let outcome = automaton.outcome(of: text.joined(), &visits, atMost: .max)
            #expect(outcome == (text[text.count - 13] == "a" ? .matches : .fails))
        }
    }

    @Test func threadsShareStates() async throws {
        let automaton = try automaton("(?:x|y)*(a|b)*a(a|b){9}", mostEntries: 2_000)
        let results = await withTaskGroup(of: Bool.self) { group in
            for seed in 0..<8 {
                group.addTask {
                    var source = RandomSource(seed: UInt64(seed))
                    return (0..<200).allSatisfy { _ in
                        let text = (0..<100).map { _ in source.oneIn(2) ? "a" : "b" }
                        var visits = 0
                        let outcome = automaton.outcome(of: text.joined(), &visits, atMost: .max)
                        return outcome == (text[90] == "a" ? .matches : .fails)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: true, count: 8))
    }

    @Test func programsAreBounded() {
        for pattern in ["(){999999999}", "((){99999}){99999}", "(a{99}){999}", "(?:(?:a{0}){9999}){9999}"] {
            #expect(PatternProgram(PatternTree(pattern), ignoringCase: false) == nil, "\(pattern)")
        }
        let letters = (0x4E00..<0x5E00).compactMap(Unicode.Scalar.init).map(String.init)
        let program = PatternProgram(PatternTree(letters.joined()), ignoringCase: false)
        #expect(program.flatMap { PatternAutomaton($0) } == nil)
    }

    // MARK: Sets

    /// The tables of classes are ICU's, and so are the code points that ``ICUSets`` does not match one by one.
    @Test func setsAreICUs() throws {
        for (name, set) in [
            ("\\d", CodePointSet.digits), ("\\s", .spaces), ("\\w", .words), ("\\v", CodePointSet.line.inverted),
        ] {
            #expect(ICUSets.set(of: name, ignoringCase: false) == set, "\(name)")
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: (0...CodePointSet.last).lazy.compactMap(Unicode.Scalar.init))
        let whole = NSRange(location: 0, length: text.utf16.count)
        for name in ["\\p{L}", "\\p{Cn}", "\\p{Co}", "[[:graph:]]", "\\p{Default_Ignorable_Code_Point}", "\\p{Any}"] {
            let set = try #require(ICUSets.set(of: name, ignoringCase: false)).endingOutsideSurrogates
            let judge = try NSRegularExpression(pattern: name)
            #expect(judge.numberOfMatches(in: text, range: whole) == set.ranges.reduce(0) { $0 + $1.count }, "\(name)")
        }
    }

    /// A letter matches its other cases exactly if they do so for ICU.
    @Test func lettersFoldAsInICU() throws {
        let changing = CaseMapping.upper.changes + CaseMapping.lower.changes
        for (letter, mapped) in changing where letter.value >= 0x80 || mapped.contains(where: { $0.value >= 0x80 }) {
            let pattern = NSRegularExpression.escapedPattern(for: String(letter))
            let judge = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: .caseInsensitive)
            let program = try #require(PatternProgram(PatternTree(pattern), ignoringCase: true))
            let automaton = try #require(PatternAutomaton(program))
            let mapping = String(String.UnicodeScalarView(mapped))
            for text in [String(letter), mapping, mapping.lowercased(), mapping.uppercased(), "ß", "K"] {
                let range = NSRange(location: 0, length: text.utf16.count)
                let expected = judge.firstMatch(in: text, range: range) != nil
                var visits = 0
                let outcome = automaton.outcome(of: text, &visits, atMost: .max)
                #expect((outcome == .matches) == expected, "\(letter) on \(text.debugDescription)")
            }
        }
    }
}
