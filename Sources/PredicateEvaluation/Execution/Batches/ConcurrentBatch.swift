import Dispatch
import Foundation
import PredicateSyntax

/// The evaluation of many objects on all cores.
///
/// Two pieces are evaluated and timed first, since the first of all finds memory cold; the rest is shared out only where
/// that promises to pay.
struct ConcurrentBatch {
    private let evaluator: PredicateEvaluator
    private let variables: PredicateVariables
    private let batch: Batch

    init(_ evaluator: PredicateEvaluator, _ variables: PredicateVariables) {
        self.evaluator = evaluator
        self.variables = variables
        batch = evaluator.batch(variables)
    }

    /// The objects of a piece that is timed, and the fewest of a piece of work.
    private static let pieceSize = 2_048
    /// The time that the rest must take for threads to pay, in nanoseconds.
    private static let worthwhile = 500_000.0
    /// Read once: the system call takes longer than some hundred objects.
    private static let cores = ProcessInfo.processInfo.activeProcessorCount
    /// The number of pieces for each core, so that one that is held up leaves work to the others.
    private static let piecesPerCore = 8

    /// The indices of the objects for which the predicate holds.
    func indices<Object>(
        _ objects: UnsafeBufferPointer<Object>, _ keyedValue: @escaping (Object) -> KeyedValue
    ) throws(EvaluationError) -> [Int] {
        let pieces = try pieces(objects) { (batch, range, objects) throws(EvaluationError) in
            try batch.indices(UnsafeBufferPointer(rebasing: objects[range]), from: range.lowerBound, keyedValue)
        }
        return pieces.count == 1 ? pieces[0] : Array(pieces.joined())
    }

    /// The number of objects for which the predicate holds.
    func count<Object>(
        _ objects: UnsafeBufferPointer<Object>, _ keyedValue: @escaping (Object) -> KeyedValue
    ) throws(EvaluationError) -> Int {
        let pieces = try pieces(objects) { (batch, range, objects) throws(EvaluationError) in
            try batch.count(UnsafeBufferPointer(rebasing: objects[range]), keyedValue)
        }
        return pieces.reduce(0, +)
    }

    private typealias Work<Object, Outcome> =
        (Batch, Range<Int>, UnsafeBufferPointer<Object>) throws(EvaluationError) -> Outcome

    /// The outcomes of the work for pieces of the objects, in their order; throws the error of the first piece with one.
    private func pieces<Object, Outcome>(
        _ objects: UnsafeBufferPointer<Object>, _ work: @escaping Work<Object, Outcome>
    ) throws(EvaluationError) -> [Outcome] {
        guard objects.count >= 4 * Self.pieceSize, Self.cores > 1 else {
            return [try work(batch, 0..<objects.count, objects)]
        }
        var found: [Outcome] = []
        var quickest = Double.infinity
        for start in [0, Self.pieceSize] {
            let began = DispatchTime.now().uptimeNanoseconds
            found.append(try work(batch, start..<(start + Self.pieceSize), objects))
            quickest = min(quickest, Double(DispatchTime.now().uptimeNanoseconds - began))
        }
        let rest = 2 * Self.pieceSize..<objects.count
        guard quickest * Double(rest.count) / Double(Self.pieceSize) > Self.worthwhile else {
            return found + [try work(batch, rest, objects)]
        }
        return found + (try shared(objects, rest, Self.cores * Self.piecesPerCore, work))
    }

    private func shared<Object, Outcome>(
        _ objects: UnsafeBufferPointer<Object>, _ range: Range<Int>, _ most: Int,
        _ work: @escaping Work<Object, Outcome>
    ) throws(EvaluationError) -> [Outcome] {
        let size = max(Self.pieceSize, (range.count + most - 1) / most)
        let starts = Array(stride(from: range.lowerBound, to: range.upperBound, by: size))
        let outcomes = UnsafeMutableBufferPointer<Result<Outcome, EvaluationError>?>.allocate(capacity: starts.count)
        outcomes.initialize(repeating: nil)
        defer {
            outcomes.deinitialize()
            outcomes.deallocate()
        }
        // Every thread writes to an element of its own, and all only read the rest. Bound expressions memoize their plan, so
        // each piece binds anew.
        nonisolated(unsafe) let slots = outcomes
        nonisolated(unsafe) let (variables, objects, work) = (variables, objects, work)
        let evaluator = evaluator
        DispatchQueue.concurrentPerform(iterations: starts.count) { number in
            let piece = starts[number]..<min(starts[number] + size, range.upperBound)
            slots[number] = Result { () throws(EvaluationError) in
                try work(evaluator.batch(variables), piece, objects)
            }
        }
        var found: [Outcome] = []
        for outcome in outcomes {
            if let outcome { found.append(try outcome.get()) }
        }
        return found
    }
}

/// Arrays that may be read from several threads at once.
extension Array where Element: KeyedValueConvertible & Sendable {
    /// The elements for which the predicate holds, in their order, found on all cores.
    ///
    /// `try people.concurrentlyFiltered(using: FormatPredicate("name CONTAINS[cd] 'an'"))`
    ///
    /// The result and the error are those of `filtered(using:)`. Few elements are evaluated on one core, where threads
    /// would cost more than they save. Functions of the registry and live objects among the variables are called from
    /// several threads.
    public func concurrentlyFiltered(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Element] {
        let indices = try concurrentIndices(matching: predicate, variables: variables)
        return withUnsafeBufferPointer { Array(concurrently: $0, at: indices) }
    }

    /// The indices of the elements for which the predicate holds, found on all cores:
    /// `try people.concurrentIndices(matching: predicate)`.
    ///
    /// The result and the error are those of `indices(matching:)`.
    public func concurrentIndices(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Int] {
        let evaluator = try predicate.evaluator()
        return try evaluator.locatingErrors { () throws(EvaluationError) in
            try withUnsafeBufferPointer { objects in
                Result { () throws(EvaluationError) in
                    try ConcurrentBatch(evaluator, variables).indices(objects) { $0.keyedValue }
                }
            }.get()
        }
    }

    /// For how many elements the predicate holds, counted on all cores:
    /// `try people.concurrentCount(matching: predicate)`.
    ///
    /// The result and the error are those of `count(matching:)`.
    public func concurrentCount(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Int {
        let evaluator = try predicate.evaluator()
        return try evaluator.locatingErrors { () throws(EvaluationError) in
            try withUnsafeBufferPointer { objects in
                Result { () throws(EvaluationError) in
                    try ConcurrentBatch(evaluator, variables).count(objects) { $0.keyedValue }
                }
            }.get()
        }
    }
}
