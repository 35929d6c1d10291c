import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// The records of a file that follow those held by a session. They are read once and not kept.
///
/// `@unchecked`: one thread reads them.
package final class RestOfFile: @unchecked Sendable {
    private let reader: RecordReader
    /// The number of records, not counting those that could not be read.
    private(set) var count = 0
    /// The number of records that could not be read, and the first error.
    package private(set) var unreadable = 0
    package private(set) var firstError: DataError?

    init(_ reader: RecordReader) { self.reader = reader }

    /// Evaluates predicates for each record. Lines and rows are sifted as by `filter`, without creating their values.
    func evaluate(with tester: RecordTester) {
        let sieve = tester.paths.flatMap { reader.sieve($0, isShared: false) }
        while let record = next() {
            tester.test(record)
            if let sieve { sift(with: sieve, tester) }
        }
        count = tester.count
    }

    /// Passes each record to a closure.
    func forEach(_ body: (SourceRecord) -> Void) {
        while let record = next() { body(record) }
    }

    /// Evaluates the lines in the read buffer. Those that must be read in full come last, with the indices that they have in
    /// the file.
    private func sift(with sieve: LineSieve, _ tester: RecordTester) {
        let before = tester.count
        let sifted = reader.sift(with: sieve, joiningMatches: false) { slots, _ in tester.test(slots) ? false : nil }
        var lost = 0
        for run in sifted.kept {
            do throws(DataError) {
                guard let record = try reader.read(run, in: sifted) else { continue }
                tester.test(record, at: before + run.recordsBefore - lost)
            } catch {
                lost += 1
                note(error)
            }
        }
        reader.drop(sifted)
    }

    /// Returns the next record that can be read; nil at the end, and after an error that ends the file.
    private func next() -> SourceRecord? {
        while true {
            do throws(DataError) {
                return try reader.next()
            } catch {
                note(error)
                if !error.isRecoverable { return nil }
            }
        }
    }

    private func note(_ error: DataError) {
        unreadable += 1
        firstError = firstError ?? error
    }
}

/// The outcome of a predicate for a record.
enum RecordOutcome {
    case no, yes
    case failed(EvaluationError)
}

/// Evaluates several predicates for one record after another.
///
/// `@unchecked`: one thread uses it.
final class RecordTester: @unchecked Sendable {
    private let evaluators: [PredicateEvaluator]
    private let flats: [MappedEvaluator]?
    /// The key paths whose slots suffice to evaluate the predicates; nil if a predicate needs whole records.
    let paths: [[String]]?
    private let note: ([RecordOutcome], _ index: Int) -> Void
    private var outcomes: [RecordOutcome] = []
    private(set) var count = 0
    private let start: Int

    /// `note` receives the outcomes of the predicates for a record, and the number of records before it.
    init(
        _ evaluators: [PredicateEvaluator], after start: Int, note: @escaping ([RecordOutcome], _ index: Int) -> Void
    ) {
        (self.evaluators, self.start, self.note) = (evaluators, start, note)
        let flats = evaluators.compactMap { FlatEvaluator($0) }
        guard flats.count == evaluators.count else {
            (self.flats, paths) = (nil, nil)
            return
        }
        let paths = Array(Set(flats.flatMap(\.paths))).sorted { $0.lexicographicallyPrecedes($1) }
        self.paths = paths
        self.flats = flats.map { MappedEvaluator($0, paths) }
    }

    /// Evaluates the predicates for a record, by default the one after the last that was tested.
    func test(_ record: SourceRecord, at index: Int? = nil) {
        let outcomes = evaluators.map { evaluator in
            do throws(EvaluationError) {
                return try evaluator.evaluate(.value(record.value)) ? RecordOutcome.yes : .no
            } catch {
                return .failed(error)
            }
        }
        add(outcomes, at: index)
    }

    /// Evaluates the predicates for the values of a record; returns false if the record itself is needed.
    func test(_ slots: UnsafePointer<FlatValue>) -> Bool {
        guard let flats else { return false }
        outcomes.removeAll(keepingCapacity: true)
        for flat in flats {
            guard let holds = flat.holds(slots) else { return false }
            outcomes.append(holds ? .yes : .no)
        }
        add(outcomes, at: nil)
        return true
    }

    private func add(_ outcomes: [RecordOutcome], at index: Int?) {
        note(outcomes, start + (index ?? count))
        count += 1
    }
}

/// An evaluator that uses some of the slots that all evaluators share.
private final class MappedEvaluator {
    private let evaluator: FlatEvaluator
    private let places: [Int]
    private let slots: UnsafeMutablePointer<FlatValue>

    init(_ evaluator: FlatEvaluator, _ paths: [[String]]) {
        self.evaluator = evaluator
        places = evaluator.paths.map { paths.firstIndex(of: $0) ?? 0 }
        slots = .allocate(capacity: max(places.count, 1))
        slots.initialize(repeating: .null, count: max(places.count, 1))
    }

    deinit { slots.deallocate() }

    func holds(_ all: UnsafePointer<FlatValue>) -> Bool? {
        for (index, place) in places.enumerated() { slots[index] = all[place] }
        return evaluator.holds(slots)
    }
}
