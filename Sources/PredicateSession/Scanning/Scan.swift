import PredicateEvaluation
import PredicateSyntax

/// An object that could not be asked, and why.
struct ObjectError {
    /// The position of the object.
    var index: Int
    var error: EvaluationError
}

/// What one predicate says about all objects.
struct Scan {
    /// How many objects the predicate holds for.
    private(set) var matches = 0
    /// The positions of the first ones.
    private(set) var first: [Int] = []
    /// How many objects ended in an error.
    private(set) var failures = 0
    private(set) var firstFailure: ObjectError?

    /// Asks all objects, by column where there are columns of them; nil when the user broke it off.
    init?(_ evaluator: PredicateEvaluator, _ work: ChunkedWork, _ columns: ColumnTable? = nil, limit: Int) {
        guard let columns else {
            guard let answers = work.map({ Self.ask($0, evaluator, limit: limit) }) else { return nil }
            for (number, answer) in answers.enumerated() { add(answer, number * RowChunk.capacity, limit) }
            return
        }
        let scan = ColumnScan(evaluator, columns)
        guard let answers = work.map(step: ColumnScan.step, { Self.ask($0, scan, limit: limit) }) else { return nil }
        for answer in answers { add(answer, 0, limit) }
    }

    private struct Answer: Sendable {
        var matches = 0
        var first: [Int] = []
        var failures = 0
        var firstFailure: (Int, EvaluationError)?

        mutating func note(_ match: Int, _ limit: Int) {
            matches += 1
            if first.count < limit { first.append(match) }
        }

        mutating func note(_ index: Int, _ error: EvaluationError) {
            failures += 1
            if firstFailure == nil { firstFailure = (index, error) }
        }
    }

    /// Adds what was found from a position on.
    private mutating func add(_ answer: Answer, _ offset: Int, _ limit: Int) {
        matches += answer.matches
        failures += answer.failures
        first += answer.first.prefix(limit - first.count).map { $0 + offset }
        if firstFailure == nil, let (index, error) = answer.firstFailure {
            firstFailure = ObjectError(index: index + offset, error: error)
        }
    }

    private static func ask(_ chunk: RowChunk, _ evaluator: PredicateEvaluator, limit: Int) -> Answer {
        var answer = Answer()
        for index in 0..<chunk.count {
            do throws(EvaluationError) {
                if try evaluator.evaluate(chunk.value(at: index)) { answer.note(index, limit) }
            } catch {
                answer.note(index, error)
            }
        }
        return answer
    }

    private static func ask(_ rows: Range<Int>, _ scan: ColumnScan, limit: Int) -> Answer {
        var (answer, failed) = (Answer(), Answer())
        scan.ask(rows) {
            answer.note($0, limit)
        } failure: {
            failed.note($0, $1)
        }
        (answer.failures, answer.firstFailure) = (failed.failures, failed.firstFailure)
        return answer
    }
}
