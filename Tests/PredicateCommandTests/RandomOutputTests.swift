import Foundation
import PredicateGenerators
import PredicateReference
import PredicateStore
import PredicateSyntax
import Testing

/// Random questions about the same rows in a CSV file, as JSON Lines, in a SQLite file, in a session, as dictionaries of a
/// store and in memory: each answer is that of the reference, which is written slowly and apart.
///
/// PREDICATES_OUTPUT_COUNT is the number of questions for each seed, and PREDICATES_OUTPUT_SEED the first seed.
struct RandomOutputTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["PREDICATES_OUTPUT_COUNT"].flatMap { Int($0) } ?? 60
    private static let seed = environment["PREDICATES_OUTPUT_SEED"].flatMap { UInt64($0) } ?? 1

    @Test(arguments: seed..<seed + 4, OutputRoad.allCases)
    func theReferenceAgrees(seed: UInt64, road: OutputRoad) throws {
        var random = RandomSource(seed: seed)
        let rows = OutputRows(40, &random)
        try withRoads(to: rows) { roads in
            let values = rows.values(on: road)
            var (asked, refused) = (0, 0)
            for _ in 0..<Self.count {
                let question = OutputQuestion(&random)
                guard let adapted = question.adapted(to: road) else { continue }
                asked += 1
                do throws(RoadRefusal) {
                    let answer = try roads.answer(adapted, on: road)
                    let expected = try Self.expected(adapted, values, road)
                    let difference = Self.difference(answer, expected, adapted)
                    #expect(difference == nil, "\(road), seed \(seed): \(adapted.line)\n\(difference ?? "")")
                } catch {
                    if case .notInSQL = error, road == .store {
                        refused += 1
                    } else {
                        Issue.record("\(road), seed \(seed): \(adapted.line)\n\(error)")
                    }
                }
            }
            // What a road does not answer is seen here and not passed over.
            #expect(asked * 10 >= Self.count, "\(road) was asked \(asked) questions")
            #expect(refused * 10 <= asked * 9, "\(road) refused \(refused) of \(asked) questions")
        }
    }

    /// The same text from files of three formats, in every format of the output, with digits and in other zones.
    @Test(arguments: seed..<seed + 2)
    func theOutputIsTheSame(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        try withRoads(to: OutputRows(40, &random)) { roads in
            for _ in 0..<Self.count / 2 {
                let question = OutputQuestion(&random)
                let form = Self.form(&random)
                // Records as they are differ with the file. Where SQL finds an error, the row does not match and is not told.
                guard !question.items.isEmpty || question.hasGroups, question.predicate?.contains("/") != true,
                    question.adapted(to: .csv) != nil
                else { continue }
                let csv = roads.output(question, form, on: .csv)
                for road in [OutputRoad.jsonLines, .sqlite] {
                    let output = roads.output(question, form, on: road)
                    #expect(output == csv, "\(road), seed \(seed): \(question.line) \(form)")
                }
            }
        }
    }

    private static func form(_ random: inout RandomSource) -> [String] {
        let zone = random.oneIn(3) ? ["--zone", random.pick("Europe/Berlin", "America/New_York")] : []
        let digits = random.oneIn(3) ? ["--digits", "\(random.below(4))"] : []
        return zone + digits + ["-o", random.pick("csv", "tsv", "json", "table", "jsonl")]
    }

    private func withRoads(to rows: OutputRows, _ body: (OutputRoads) throws -> Void) throws {
        let files = ["rows.csv": rows.csv, "rows.jsonl": rows.jsonLines]
        try withStore(rows.script, files) { store, paths in
            try body(OutputRoads(rows, paths: paths, database: store))
        }
    }

    private static func expected(
        _ question: OutputQuestion, _ rows: [[String: PredicateValue]], _ road: OutputRoad
    ) throws(RoadRefusal) -> ReferenceQuery.Answer {
        do {
            return try question.judged(on: road).answer(over: rows, registry: .ofOutputs)
        } catch {
            throw .failed("the reference: \(error)")
        }
    }

    // MARK: Differences

    /// The first difference of an answer; nil if there is none.
    private static func difference(
        _ answer: RoadAnswer, _ expected: ReferenceQuery.Answer, _ question: OutputQuestion
    ) -> String? {
        if let status = answer.status, let wanted = exitStatus(expected, question), status != wanted {
            return "status \(status), by the reference \(wanted)\n\(answer.note.prefix(300))"
        }
        if answer.isError { return expected.errors > 0 ? nil : "an error, by the reference none\n\(answer.note)" }
        if !answer.rows.isEmpty, answer.columns != expected.columns {
            return "columns \(answer.columns), by the reference \(expected.columns)"
        }
        for number in 0..<max(answer.rows.count, expected.rows.count) {
            let row = number < answer.rows.count ? answer.rows[number] : []
            let wanted = number < expected.rows.count ? expected.rows[number] : []
            guard row.count != wanted.count || !zip(row, wanted).allSatisfy({ $0.equals($1) }) else { continue }
            return """
                row \(number) of \(answer.rows.count): \(row.map(\.shown).joined(separator: " | "))
                by the reference, of \(expected.rows.count): \(wanted.map(\.shown).joined(separator: " | "))
                \(answer.note.prefix(300))
                """
        }
        return nil
    }

    /// The exit status of the command; nil if rows with errors may be unread.
    private static func exitStatus(_ expected: ReferenceQuery.Answer, _ question: OutputQuestion) -> Int32? {
        if expected.errors > 0 { return question.endsEarly ? nil : 2 }
        return expected.matches > 0 ? 0 : 1
    }
}
