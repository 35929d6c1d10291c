import PredicateSyntax

/// The vectorized execution of bytecode over columns: each instruction reads a typed array and yields a bitmap.
///
/// `age > 21 AND dept == "Sales"`: the ages, the codes of the departments, and for each 64 rows the rows with both bits set.
///
/// All jumps are forward, so one pass over the instructions brings every row to acceptance or rejection.
final class ColumnSweep {
    /// The size of a chunk: small enough for the bitmaps to stay in the cache.
    static let width = 1024
    private static let wordCount = width / 64
    /// The maximum number of instructions: longer programs are run row by row.
    private static let most = 64

    /// A leaf with the null bitmaps of its columns.
    private struct VectorStep {
        let leaf: ColumnLeaf
        let nulls: [UnsafePointer<UInt64>]
        let ifNull: LeafResult
    }

    private let program: Program
    private let slots: [EvaluationContext.Slot]
    private let steps: [VectorStep]
    /// The bitmaps: for each instruction the rows that reach it, then the accepted rows, the rejected rows, the
    /// results of the current instruction, and the rows that it leaves undecided.
    private let bitmaps: UnsafeMutablePointer<UInt64>
    private let bitmapCount: Int

    /// Nil for a program that runs faster row by row.
    init?(_ program: Program, _ slots: [EvaluationContext.Slot]) {
        guard program.code.count <= Self.most else { return nil }
        self.program = program
        self.slots = slots
        steps = program.code.map(Self.step)
        bitmapCount = program.code.count + 4
        bitmaps = .allocate(capacity: bitmapCount * Self.wordCount)
        bitmaps.initialize(repeating: 0, count: bitmapCount * Self.wordCount)
    }

    deinit {
        bitmaps.deallocate()
    }

    private static func step(_ instruction: Instruction) -> VectorStep {
        let test = instruction.test.pointee
        if instruction.opcode == .numeric, let numeric = instruction.numeric?.takeUnretainedValue(),
            let formula = ColumnFormula(numeric, test)
        {
            return VectorStep(leaf: .formula(formula), nulls: formula.nulls, ifNull: .unknown)
        }
        guard instruction.opcode == .fetched,
            let column = (instruction.source?.takeUnretainedValue() as? ColumnSource)?.column
        else { return VectorStep(leaf: .rows, nulls: [], ifNull: .unknown) }
        let leaf = ColumnLeaf(test, of: column)
        if case .rows = leaf { return VectorStep(leaf: .rows, nulls: [], ifNull: .unknown) }
        return VectorStep(leaf: leaf, nulls: column.nulls.map { [$0] } ?? [], ifNull: test.null)
    }

    private func bitmap(_ number: Int) -> UnsafeMutablePointer<UInt64> { bitmaps + number &* Self.wordCount }

    private var acceptBitmap: UnsafeMutablePointer<UInt64> { bitmap(bitmapCount &- 4) }
    private var rejectBitmap: UnsafeMutablePointer<UInt64> { bitmap(bitmapCount &- 3) }
    private var resultBitmap: UnsafeMutablePointer<UInt64> { bitmap(bitmapCount &- 2) }
    private var unknownBitmap: UnsafeMutablePointer<UInt64> { bitmap(bitmapCount &- 1) }

    private func bitmap(of target: Int32) -> UnsafeMutablePointer<UInt64> {
        target >= 0 ? bitmap(Int(target)) : target == Instruction.accept ? acceptBitmap : rejectBitmap
    }

    /// The number of matching rows; valid once ``run(_:)`` has returned true.
    var acceptedCount: Int {
        (0..<Self.wordCount).reduce(0) { $0 &+ acceptBitmap[$1].nonzeroBitCount }
    }

    /// Calls `body` with the matching rows in order; valid once ``run(_:)`` has returned true.
    func forEachAccepted(of rows: Range<Int>, _ body: (Int) -> Void) {
        RowBitmap.forEach(acceptBitmap, Self.wordCount, from: rows.lowerBound, body)
    }

    /// Evaluates at most ``width`` rows, starting at a multiple of it. Returns false if the evaluation of one of them fails;
    /// evaluating row by row then finds the first.
    func run(_ rows: Range<Int>) -> Bool {
        bitmaps.update(repeating: 0, count: bitmapCount &* Self.wordCount)
        let wordCount = (rows.count &+ 63) / 64
        for word in 0..<wordCount { bitmaps[word] = .max }
        if rows.count & 63 != 0 { bitmaps[wordCount &- 1] = .max &>> UInt64(64 &- rows.count & 63) }
        guard let code = program.code.baseAddress else { return false }
        for number in 0..<program.code.count {
            let rows = RowBitmap(
                start: rows.lowerBound, wordCount: wordCount, selected: UnsafePointer(bitmap(number)),
                results: resultBitmap)
            guard (0..<wordCount).contains(where: { rows.selected[$0] != 0 }) else { continue }
            let step = code + number
            guard execute(steps[number], step, rows) else { return false }
            let (yes, no) = (bitmap(of: step.pointee.whenTrue), bitmap(of: step.pointee.whenFalse))
            for word in 0..<wordCount {
                yes[word] |= rows.selected[word] & rows.results[word]
                no[word] |= rows.selected[word] & ~rows.results[word]
            }
        }
        return true
    }

    /// Executes an instruction for its rows; returns false for an error.
    private func execute(_ vector: VectorStep, _ step: UnsafePointer<Instruction>, _ rows: RowBitmap) -> Bool {
        let unknown = unknownBitmap
        unknown.update(repeating: 0, count: rows.wordCount)
        switch vector.leaf {
        case .integers(let values, let test): values.evaluate(test, rows)
        case .doubles(let values, let test): test.evaluate(values, rows)
        case .numbers(let integers, let doubles, let test, let isDouble):
            evaluate(integers, doubles, test, isDouble + rows.start / 64, rows)
        case .bools(let values, let no, let yes):
            if no == yes { rows.fill(yes) } else { rows.testWords { (values[$0] != 0) == yes } }
        case .codes(let codes, let test): test.evaluate(codes, rows)
        case .texts(let texts, let test): test.evaluate(texts, rows)
        case .patterns(let texts, let test): test.evaluate(texts, rows, unknown: unknown)
        case .lengths(let offsets, let test): test.evaluate(lengths: offsets, rows)
        case .elements(let elements): elements.evaluate(rows, unknown: unknown)
        case .formula(let formula): formula.evaluate(rows)
        case .rows: unknown.update(from: rows.selected, count: rows.wordCount)
        }
        for nulls in vector.nulls { apply(nulls + rows.start / 64, vector.ifNull, rows, unknown) }
        return executeEach(step, rows, unknown)
    }

    /// Evaluates integers, then doubles, and takes the results of the doubles for the rows that hold a double.
    private func evaluate(
        _ integers: IntegerRun, _ doubles: UnsafePointer<Double>, _ test: LeafTest,
        _ isDouble: UnsafePointer<UInt64>, _ rows: RowBitmap
    ) {
        integers.evaluate(test.integers, rows)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.wordCount) { results in
            guard let results = results.baseAddress else { return }
            results.update(from: rows.results, count: rows.wordCount)
            test.doubles.evaluate(doubles, rows)
            for word in 0..<rows.wordCount {
                rows.results[word] = rows.results[word] & isDouble[word] | results[word] & ~isDouble[word]
            }
        }
    }

    /// Applies the result for nil to the rows of a null bitmap.
    private func apply(
        _ nulls: UnsafePointer<UInt64>, _ ifNull: LeafResult, _ rows: RowBitmap, _ unknown: UnsafeMutablePointer<UInt64>
    ) {
        for word in 0..<rows.wordCount {
            switch ifNull {
            case .yes: rows.results[word] |= nulls[word]
            case .no: rows.results[word] &= ~nulls[word]
            case .unknown: unknown[word] |= nulls[word]
            }
            if ifNull != .unknown { unknown[word] &= ~nulls[word] }
        }
    }

    /// Executes the instruction for each unknown row, and its plan if the instruction does not decide; returns false
    /// for an error.
    private func executeEach(
        _ step: UnsafePointer<Instruction>, _ rows: RowBitmap, _ unknown: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        for word in 0..<rows.wordCount {
            var rest = unknown[word] & rows.selected[word]
            while rest != 0 {
                let bit = UInt64(truncatingIfNeeded: rest.trailingZeroBitCount)
                rest &= rest &- 1
                guard let result = result(step, rows.start &+ word &<< 6 &+ Int(bit)) else { return false }
                rows.results[word] = (rows.results[word] & ~(1 &<< bit)) | ((result ? 1 : 0) &<< bit)
            }
        }
        return true
    }

    private func result(_ step: UnsafePointer<Instruction>, _ row: Int) -> Bool? {
        withUnsafePointer(to: row) { address in
            step.genericResult(for: UnsafeRawPointer(address)).decided
                ?? (try? program.evaluatePlan(of: step, UnsafeRawPointer(address), slots))
        }
    }
}

// MARK: - Scans

/// The scan of a table by a predicate, one range of rows at a time. After an error it continues with the next row.
package struct ColumnScan: Sendable {
    /// Ranges begin at multiples of this number.
    package static let step = 4 * ColumnSweep.width

    private let table: ColumnTable
    private let evaluator: PredicateEvaluator
    private let query: ColumnQuery

    package init(_ evaluator: PredicateEvaluator, _ table: ColumnTable) {
        self.table = table
        self.evaluator = evaluator
        query = ColumnQuery(table, evaluator.batch([:]))
    }

    /// Calls `match` with each matching row of a range and `failure` with each row whose evaluation fails, in the order of the
    /// rows within a chunk.
    package func ask(
        _ rows: Range<Int>, match: (Int) -> Void, failure: (Int, EvaluationError) -> Void
    ) {
        query.evaluate(rows, evaluator.batch([:])) { sweep, rows in
            sweep.forEachAccepted(of: rows, match)
        } each: { row, result in
            switch result {
            case .success(let holds): if holds { match(row) }
            case .failure(let error): failure(row, error.located(in: evaluator.predicate))
            }
            return true
        }
    }
}

// MARK: - Integers

/// Contiguous integers of equal size, stored in the fewest bytes that hold every one of them.
///
/// For example, an age takes one byte, so a count reads an eighth of the memory.
enum IntegerRun {
    case bytes(UnsafePointer<Int8>)
    case shorts(UnsafePointer<Int16>)
    case words(UnsafePointer<Int32>)
    case longs(UnsafePointer<Int64>)

    init(_ values: [Int64], _ bounds: ClosedRange<Int64>, in arena: Arena) {
        func fits<Value: FixedWidthInteger>(_ type: Value.Type) -> Bool {
            Value(exactly: bounds.lowerBound) != nil && Value(exactly: bounds.upperBound) != nil
        }
        if fits(Int8.self) {
            self = .bytes(arena.storePadded(values.map { Int8(truncatingIfNeeded: $0) }))
        } else if fits(Int16.self) {
            self = .shorts(arena.storePadded(values.map { Int16(truncatingIfNeeded: $0) }))
        } else if fits(Int32.self) {
            self = .words(arena.storePadded(values.map { Int32(truncatingIfNeeded: $0) }))
        } else {
            self = .longs(arena.storePadded(values))
        }
    }

    @inline(__always)
    subscript(row: Int) -> Int64 {
        switch self {
        case .bytes(let values): Int64(values[row])
        case .shorts(let values): Int64(values[row])
        case .words(let values): Int64(values[row])
        case .longs(let values): values[row]
        }
    }

    /// Evaluates the selected rows.
    func evaluate(_ test: IntegerTest, _ rows: RowBitmap) {
        switch self {
        case .bytes(let values): Self.evaluate(values, test, rows)
        case .shorts(let values): Self.evaluate(values, test, rows)
        case .words(let values): Self.evaluate(values, test, rows)
        case .longs(let values): Self.evaluate(values, test, rows)
        }
    }

    /// Every range is reduced to one unsigned comparison; the part of it outside the type cannot match.
    @inline(__always)
    private static func evaluate<Value: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
        _ values: UnsafePointer<Value>, _ test: IntegerTest, _ rows: RowBitmap
    ) {
        guard test.members.isEmpty else { return rows.test { test.holds(Int64(values[$0])) } }
        let (low, high) = (max(test.low, Int64(Value.min)), min(test.high, Int64(Value.max)))
        guard low <= high else { return rows.fill(test.isNegated) }
        let first = Value(truncatingIfNeeded: low)
        let width = Value.Magnitude(truncatingIfNeeded: high &- low)
        rows.testWords { Value.Magnitude(truncatingIfNeeded: values[$0] &- first) <= width }
        if test.isNegated { rows.negate() }
    }

    /// Copies 64 integers, starting at a row.
    func load(_ row: Int, into block: UnsafeMutablePointer<Int64>) {
        switch self {
        case .bytes(let values): for index in 0..<64 { block[index] = Int64(values[row &+ index]) }
        case .shorts(let values): for index in 0..<64 { block[index] = Int64(values[row &+ index]) }
        case .words(let values): for index in 0..<64 { block[index] = Int64(values[row &+ index]) }
        case .longs(let values): block.update(from: values + row, count: 64)
        }
    }
}

extension DoubleTest {
    /// Evaluates the selected rows.
    func evaluate(_ values: UnsafePointer<Double>, _ rows: RowBitmap) {
        if form == .members { return rows.test { holds(values[$0]) } }
        for word in 0..<rows.wordCount where rows.selected[word] != 0 {
            rows.results[word] = word64(values + (rows.start &+ word &<< 6))
        }
    }

    /// Returns the results for 64 values. Most ranges are open at one end and need only one comparison.
    @inline(__always)
    func word64(_ values: UnsafePointer<Double>) -> UInt64 {
        if form == .members { return RowBitmap.word { holds(values[$0]) } }
        let (low, high) = (low, high)
        if form == .rangeAroundZero {
            let outside = RowBitmap.word { values[$0] < low ? true : high < values[$0] }
            return isNegated ? outside : ~outside
        }
        let inside =
            if high == .infinity {
                RowBitmap.word { low <= values[$0] }
            } else if low == -.infinity {
                RowBitmap.word { values[$0] <= high }
            } else {
                RowBitmap.word { low <= values[$0] ? values[$0] <= high : false }
            }
        return isNegated ? ~inside : inside
    }
}
