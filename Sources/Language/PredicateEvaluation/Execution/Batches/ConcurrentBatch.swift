import Foundation
public import PredicateSyntax

#if canImport(Dispatch)
    import Dispatch
#endif

/// Calls a closure with each number below a count, on all cores. This is the only use of Dispatch, which WebAssembly lacks.
private func concurrently(_ count: Int, _ work: @Sendable (Int) -> Void) {
    #if canImport(Dispatch)
        DispatchQueue.concurrentPerform(iterations: count, execute: work)
    #else
        for number in 0..<count { work(number) }
    #endif
}

/// Returns what a closure returns for each number below a count, on all cores.
package func concurrentResults<Outcome>(_ count: Int, _ work: @Sendable (Int) -> Outcome) -> [Outcome] {
    Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
        // Each thread initializes its own elements.
        nonisolated(unsafe) let base = buffer.baseAddress
        concurrently(count) { number in
            let outcome = work(number)
            base.map { ($0 + number).initialize(to: outcome) }
        }
        initializedCount = count
    }
}

/// The evaluation of many objects on all cores.
///
/// Two pieces are evaluated and timed first, since the very first one runs with a cold cache. The rest is distributed
/// only if threads are expected to pay off.
struct ConcurrentBatch {
    private let evaluator: PredicateEvaluator
    private let variables: PredicateVariables
    private let batch: Batch

    init(_ evaluator: PredicateEvaluator, _ variables: PredicateVariables) {
        self.evaluator = evaluator
        self.variables = variables
        batch = evaluator.batch(variables)
    }

    /// The number of objects in a timed piece, and the minimum size of a piece of work.
    private static let pieceSize = 2_048
    /// The time that the rest must take for threads to pay off.
    private static let worthwhile = Duration.microseconds(500)
    /// Read once: the system call takes longer than evaluating hundreds of objects.
    private static let cores = ProcessInfo.processInfo.activeProcessorCount
    /// The number of pieces for each core, so that a core that is delayed leaves work to the others.
    private static let piecesPerCore = 8

    /// Returns the indices of the matching objects.
    func indices<Object>(
        _ objects: UnsafeBufferPointer<Object>, _ keyedValue: @escaping (Object) -> KeyedValue
    ) throws(EvaluationError) -> [Int] {
        let pieces = try pieces(objects) { (batch, range, objects) throws(EvaluationError) in
            try batch.indices(UnsafeBufferPointer(rebasing: objects[range]), from: range.lowerBound, keyedValue)
        }
        return pieces.count == 1 ? pieces[0] : Array(pieces.joined())
    }

    /// Returns the number of matching objects.
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

    /// Returns the outcomes for pieces of the objects, in order; throws the error of the first piece that has one.
    private func pieces<Object, Outcome>(
        _ objects: UnsafeBufferPointer<Object>, _ work: @escaping Work<Object, Outcome>
    ) throws(EvaluationError) -> [Outcome] {
        // Reads are tracked on the current thread only.
        guard objects.count >= 4 * Self.pieceSize, Self.cores > 1, !ObservationScope.isTracking else {
            return [try work(batch, 0..<objects.count, objects)]
        }
        var found: [Outcome] = []
        var quickest = Duration.seconds(Int.max)
        for start in [0, Self.pieceSize] {
            let began = ContinuousClock.now
            found.append(try work(batch, start..<(start + Self.pieceSize), objects))
            quickest = min(quickest, began.duration(to: .now))
        }
        let rest = 2 * Self.pieceSize..<objects.count
        guard quickest * (rest.count / Self.pieceSize) > Self.worthwhile else {
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
        // Threads only read what they share. Bound expressions memoize their plan, so each piece binds the variables anew.
        nonisolated(unsafe) let (variables, objects, work) = (variables, objects, work)
        let evaluator = evaluator
        let outcomes = concurrentResults(starts.count) { number in
            let piece = starts[number]..<min(starts[number] + size, range.upperBound)
            return Result { () throws(EvaluationError) in try work(evaluator.batch(variables), piece, objects) }
        }
        var found: [Outcome] = []
        for outcome in outcomes {
            found.append(try outcome.get())
        }
        return found
    }
}

/// Arrays that may be read on several threads at once.
extension Array where Element: KeyedValueConvertible & Sendable {
    /// Returns the elements for which the predicate holds, in order, evaluated on all cores.
    ///
    /// `try people.concurrentlyFiltered(using: FormatPredicate("name CONTAINS[cd] 'an'"))`
    ///
    /// The result and the error are the same as for `filtered(using:)`. Small arrays are evaluated on one core, since threads
    /// would cost more than they save. Registered functions, and live objects among the variables, are used on several threads.
    public func concurrentlyFiltered(
        using predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Element] {
        let indices = try concurrentIndices(matching: predicate, variables: variables)
        return withUnsafeBufferPointer { Array(concurrently: $0, at: indices) }
    }

    /// Returns the indices of the elements for which the predicate holds, evaluated on all cores: `try
    /// people.concurrentIndices(matching: predicate)`.
    ///
    /// The result and the error are the same as for `indices(matching:)`.
    package func concurrentIndices(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Int] {
        try withBatch(predicate, variables) { (batch, objects) throws(EvaluationError) in
            try batch.indices(objects) { $0.keyedValue }
        }
    }

    /// Returns the number of elements for which the predicate holds, evaluated on all cores: `try
    /// people.concurrentCount(matching: predicate)`.
    ///
    /// The result and the error are the same as for `count(matching:)`.
    public func concurrentCount(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Int {
        try withBatch(predicate, variables) { (batch, objects) throws(EvaluationError) in
            try batch.count(objects) { $0.keyedValue }
        }
    }

    private func withBatch<Outcome>(
        _ predicate: some EvaluablePredicate, _ variables: PredicateVariables,
        _ work: (ConcurrentBatch, UnsafeBufferPointer<Element>) throws(EvaluationError) -> Outcome
    ) throws(EvaluationError) -> Outcome {
        let evaluator = try predicate.evaluator()
        return try evaluator.locatingErrors { () throws(EvaluationError) in
            let batch = ConcurrentBatch(evaluator, variables)
            return try withUnsafeBufferPointer { objects in
                Result { () throws(EvaluationError) in try work(batch, objects) }
            }.get()
        }
    }
}

/// Elements are copied by pointer: a subscript of a generic type allocates memory for each element.
extension Array {
    /// Copies the objects at the given indices.
    package init(_ objects: UnsafeBufferPointer<Element>, at indices: ArraySlice<Int>) {
        // Initializing an empty buffer would write to the empty array that all threads share.
        guard !indices.isEmpty else {
            self = []
            return
        }
        self.init(unsafeUninitializedCapacity: indices.count) { buffer, count in
            guard let start = buffer.baseAddress, let objects = objects.baseAddress else { return }
            start.initialize(from: objects, at: indices)
            count = indices.count
        }
    }
}

extension Array where Element: Sendable {
    /// The number of copies for which a thread pays off.
    private static var worthwhile: Int { 16_384 }

    /// Copies the objects at ascending indices on all cores.
    init(concurrently objects: UnsafeBufferPointer<Element>, at indices: [Int]) {
        let parts = indices.count / Self.worthwhile
        guard parts > 1, let first = objects.baseAddress else {
            self.init(objects, at: indices[...])
            return
        }
        self.init(unsafeUninitializedCapacity: indices.count) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            // Each thread writes only to its own memory and otherwise only reads.
            nonisolated(unsafe) let (target, source) = (start, first)
            concurrently(parts) { part in
                let range = indices.count * part / parts..<indices.count * (part + 1) / parts
                (target + range.lowerBound).initialize(from: source, at: indices[range])
            }
            count = indices.count
        }
    }
}

extension UnsafeMutablePointer {
    /// Fills memory with the objects at the given indices; adjacent objects are copied together.
    fileprivate func initialize(from objects: UnsafePointer<Pointee>, at indices: ArraySlice<Int>) {
        var (position, index) = (self, indices.startIndex)
        while index < indices.endIndex {
            let first = indices[index]
            let begin = index
            repeat { index += 1 } while index < indices.endIndex && indices[index] - first == index - begin
            position.initialize(from: objects + first, count: index - begin)
            position += index - begin
        }
    }
}
