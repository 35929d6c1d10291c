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

    /// Asks all objects; nil when the user broke it off.
    init?(_ evaluator: PredicateEvaluator, _ work: ChunkedWork, limit: Int) {
        guard let answers = work.map({ Self.ask($0, evaluator, limit: limit) }) else { return nil }
        for (number, answer) in answers.enumerated() {
            let offset = number * RowChunk.capacity
            matches += answer.matches
            failures += answer.failures
            first += answer.first.prefix(limit - first.count).map { $0 + offset }
            if firstFailure == nil, let (index, error) = answer.firstFailure {
                firstFailure = ObjectError(index: index + offset, error: error)
            }
        }
    }

    private struct Answer: Sendable {
        var matches = 0
        var first: [Int] = []
        var failures = 0
        var firstFailure: (Int, EvaluationError)?
    }

    private static func ask(_ chunk: RowChunk, _ evaluator: PredicateEvaluator, limit: Int) -> Answer {
        var answer = Answer()
        for index in 0..<chunk.count {
            do throws(EvaluationError) {
                guard try evaluator.evaluate(chunk.value(at: index)) else { continue }
                answer.matches += 1
                if answer.first.count < limit { answer.first.append(index) }
            } catch {
                answer.failures += 1
                if answer.firstFailure == nil { answer.firstFailure = (index, error) }
            }
        }
        return answer
    }
}
