import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

/// The outcome of a predicate for an object.
enum ObjectOutcome {
    case no, yes
    case failed(EvaluationError)

    init(_ evaluator: PredicateEvaluator, _ object: PredicateValue) {
        do throws(EvaluationError) {
            self = try evaluator.evaluate(with: object) ? .yes : .no
        } catch {
            self = .failed(error)
        }
    }

    var isYes: Bool { if case .yes = self { true } else { false } }
}

/// An object for which a predicate failed.
struct ObjectError {
    /// The number of objects before it.
    var index: Int
    var error: EvaluationError
}

/// An object that a pass takes.
struct TakenObject {
    /// The number of objects before it.
    let index: Int
    /// The values of the pass. A value that cannot be computed is nil.
    let values: [PredicateValue]
    var failures: [(column: Int, error: EvaluationError)] = []
    /// The object, if the pass needs it.
    var object = KeyedValue.null
}

/// One pass over all objects: predicates are evaluated for each of them, and values computed for those for which all hold.
///
/// `@unchecked`: one thread uses it.
final class ObjectPass: @unchecked Sendable {
    let predicates: [PredicateEvaluator]
    let values: [ExpressionEvaluator]
    /// True if the objects that are taken are needed as a whole.
    let needsObjects: Bool
    let variables: [String: PredicateValue]
    private let note: ([ObjectOutcome], Int) -> Void
    private let take: ((TakenObject) -> Void)?
    /// The number of objects so far.
    private(set) var count = 0

    /// `note` receives the outcomes of the predicates for an object, and the number of objects before it. `take` receives the
    /// objects for which all predicates hold.
    init(
        _ predicates: [PredicateEvaluator], values: [ExpressionEvaluator] = [], needsObjects: Bool = false,
        _ context: PredicateContext, note: @escaping ([ObjectOutcome], Int) -> Void = { _, _ in },
        take: ((TakenObject) -> Void)? = nil
    ) {
        (self.predicates, self.values, self.needsObjects) = (predicates, values, needsObjects)
        (self.note, self.take, variables) = (note, take, context.variables)
    }

    /// The keys of the objects that the pass reads; nil for all of them.
    var keys: Set<String>? {
        if needsObjects { return nil }
        let roots =
            predicates.map { RecordPaths($0.predicate.node, variables: variables).roots }
            + values.map { RecordPaths($0.expression.node).roots }
        return roots.reduce([]) { union, keys in keys.flatMap { union?.union($0) } }
    }

    /// A Boolean value that indicates whether the objects for which all predicates hold are taken.
    var takesObjects: Bool { take != nil }

    /// The columns whose slots are taken in place of objects, and the function that takes them.
    private(set) var slots: (columns: [String], take: (UnsafePointer<FlatValue>) -> Bool)?

    /// Takes the slots of columns in place of an object, unless `take` returns false.
    func takesSlots(of columns: [String], _ take: @escaping (UnsafePointer<FlatValue>) -> Bool) {
        slots = (columns, take)
    }

    /// Notes the outcomes for an object. Takes its values, if they are known and all predicates hold.
    func see(_ outcomes: [ObjectOutcome], _ index: Int, _ values: [PredicateValue]? = nil) {
        count += 1
        note(outcomes, index)
        if let values { take?(TakenObject(index: index, values: values)) }
    }

    /// Notes the outcomes for an object, and takes it if all predicates hold.
    func see(_ outcomes: [ObjectOutcome], _ index: Int, _ object: @autoclosure () -> KeyedValue) {
        see(outcomes, index)
        guard let take, outcomes.allSatisfy(\.isYes) else { return }
        take(TakenObject(object(), index, values))
    }

    /// Evaluates the predicates for an object, and takes it if all hold.
    func see(_ object: PredicateValue, _ index: Int) {
        see(predicates.map { ObjectOutcome($0, object) }, index, .value(object))
    }
}

extension TakenObject {
    /// Computes the values of an object.
    init(_ object: KeyedValue, _ index: Int, _ values: [ExpressionEvaluator]) {
        var (found, failures): ([PredicateValue], [(column: Int, error: EvaluationError)]) = ([], [])
        for (column, value) in values.enumerated() {
            do throws(EvaluationError) {
                found.append(try value.valueOrNil(object))
            } catch {
                found.append(.null)
                failures.append((column, error))
            }
        }
        self.init(index: index, values: found, failures: failures, object: object)
    }
}

// MARK: - Records of a file

/// A pass over the records of a reader. Lines and rows are sifted as by `predicate filter`, without creating their values.
///
/// `@unchecked`: one thread uses it.
final class RecordPass: @unchecked Sendable {
    private let pass: ObjectPass
    private let reader: RecordReader
    private let slots: PassSlots?
    /// Takes the errors of records that cannot be read, with the number of records before them.
    private let fail: (DataError, Int) -> Void

    init(_ pass: ObjectPass, _ reader: RecordReader, fail: @escaping (DataError, Int) -> Void) {
        (self.pass, self.reader, self.fail) = (pass, reader, fail)
        slots = PassSlots(pass, reader)
    }

    /// Reads all records. Throws an error after which the rest of the file cannot be read.
    func run(_ didRead: () -> Void) throws(DataError) {
        while let record = try reader.nextReadable(fail) {
            pass.see(record.value, record.index)
            if let slots { sift(with: slots) }
            didRead()
        }
    }

    /// Passes over the lines in the read buffer, which two cores share.
    private func sift(with slots: PassSlots) {
        let start = reader.count
        let sifted = reader.sift(with: slots.sieve, joiningMatches: false) { values, place in
            slots[place.half].add(values, place.recordsBefore) ? false : nil
        }
        var lines = SeenLines(slots, sifted.firstHalfCount)
        for run in sifted.kept {
            lines.pass(before: run.recordsBefore, to: pass, from: start)
            do throws(DataError) {
                guard let record = try reader.read(run, in: sifted) else { continue }
                pass.see(record.value, start + run.recordsBefore)
            } catch {
                fail(error, start + run.recordsBefore)
            }
        }
        lines.pass(before: .max, to: pass, from: start)
        slots.removeAll()
        reader.drop(sifted)
    }
}

/// What is known of a sifted line: the number of records before it in its half, which predicates hold, and the values if it is
/// taken.
private typealias SeenLine = (position: Int, holding: UInt64, values: [PredicateValue]?)

/// The sifted lines of both halves, in order.
private struct SeenLines {
    private let halves: [[SeenLine]]
    private let firstCount: Int
    private var (half, next) = (0, 0)
    private var outcomes: [ObjectOutcome]

    /// `firstCount` is the number of records in the first half.
    init(_ slots: PassSlots, _ firstCount: Int) {
        halves = [slots[.first].lines, slots[.second].lines]
        self.firstCount = firstCount
        outcomes = Array(repeating: .no, count: slots.width)
    }

    /// Passes on the lines before a record.
    mutating func pass(before position: Int, to pass: ObjectPass, from start: Int) {
        while half < 2 {
            guard next < halves[half].count else {
                (half, next) = (half + 1, 0)
                continue
            }
            let line = halves[half][next]
            let place = line.position + (half == 1 ? firstCount : 0)
            if place >= position { return }
            for index in outcomes.indices { outcomes[index] = line.holding >> UInt64(index) & 1 == 1 ? .yes : .no }
            pass.see(outcomes, start + place, line.values)
            next += 1
        }
    }
}

extension RecordReader {
    /// Returns the next record that can be read; nil at the end. Throws an error after which the rest of the input cannot be
    /// read.
    func nextReadable(_ fail: (DataError, Int) -> Void) throws(DataError) -> SourceRecord? {
        while true {
            let index = count
            do throws(DataError) {
                return try next()
            } catch {
                guard error.isRecoverable else { throw error }
                fail(error, index)
            }
        }
    }
}

/// The sieve for a pass, and the evaluation of each half of the lines.
///
/// `@unchecked`: each half is used by one thread at a time.
private struct PassSlots: @unchecked Sendable {
    let sieve: LineSieve
    /// The number of predicates.
    let width: Int
    private let first: PassHalf
    private let second: PassHalf

    /// Nil if records must be read in full.
    init?(_ pass: ObjectPass, _ reader: RecordReader) {
        let (inColumns, layout) = (reader.header != nil, FlatLayout())
        for column in pass.slots?.columns ?? [] { _ = layout.slot(of: [column]) }
        let flats = pass.predicates.compactMap {
            let known = RecordPaths($0.predicate.node, variables: pass.variables).known(inColumns: inColumns)
            return FlatEvaluator($0, known: known, layout)
        }
        guard flats.count == pass.predicates.count, flats.count <= UInt64.bitWidth else { return nil }
        let places = SlotPlaces(pass.values, inColumns: inColumns, layout)
        let halves = (0..<2).map { _ in PassHalf(pass, flats, places) }
        guard let sieve = reader.sieve(layout.paths, isShared: pass.slots == nil) else { return nil }
        (self.sieve, width, first, second) = (sieve, flats.count, halves[0], halves[1])
    }

    subscript(half: SiftedHalf) -> PassHalf { half == .first ? first : second }

    func removeAll() {
        for half in [first, second] { half.lines.removeAll(keepingCapacity: true) }
    }
}

extension SlotPlaces {
    /// Creates the places of values; nil if one of them may read any key.
    fileprivate init?(_ values: [ExpressionEvaluator], inColumns: Bool, _ layout: FlatLayout) {
        self.init()
        for value in values {
            guard let known = RecordPaths(value.expression.node).known(inColumns: inColumns) else { return nil }
            if case .keyPath(let path) = value.expression.node, let key = path.singleKey {
                add([key], spelling: nil, in: layout)
            } else {
                add(value, known: known, spelling: nil, in: layout)
            }
        }
    }
}

/// The evaluation of one half of the lines.
private final class PassHalf {
    private let evaluators: [FlatEvaluator]
    private let all: UInt64
    /// The places of the values; nil if records must be read for them.
    private let places: SlotPlaces?
    private let takes: Bool
    private let takeSlots: ((UnsafePointer<FlatValue>) -> Bool)?
    var lines: [SeenLine] = []

    init(_ pass: ObjectPass, _ flats: [FlatEvaluator], _ places: SlotPlaces?) {
        evaluators = flats
        all = flats.indices.reduce(0) { $0 | 1 << UInt64($1) }
        (takes, self.places) = (pass.takesObjects, pass.needsObjects ? nil : places)
        takeSlots = pass.slots?.take
    }

    /// Evaluates the predicates for a line; returns false if it must be read in full.
    func add(_ slots: UnsafePointer<FlatValue>, _ position: Int) -> Bool {
        var holding: UInt64 = 0
        for index in evaluators.indices {
            guard let holds = evaluators[index].holds(slots) else { return false }
            if holds { holding |= 1 << UInt64(index) }
        }
        let isTaken = takes && holding == all
        if isTaken, let takeSlots, !takeSlots(slots) { return false }
        guard isTaken, takeSlots == nil else {
            lines.append((position, holding, nil))
            return true
        }
        guard let values = places?.values(slots) else { return false }
        lines.append((position, holding, values))
        return true
    }
}
