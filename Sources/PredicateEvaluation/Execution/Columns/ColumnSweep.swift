/// The vectorized execution of bytecode over columns: each instruction reads one typed array, and yields a bitmap.
///
/// `age > 21 AND dept == "Sales"`: the ages, the codes of the departments, and of each 64 rows those with both bits.
///
/// Jumps only lead forward, so one walk over the instructions brings every row to one of the two ends.
final class ColumnSweep {
    /// The size of a chunk: few enough rows for their bitmaps to stay in the cache.
    static let width = 1024
    private static let wordCount = width / 64
    /// The most instructions: longer programs are run row by row.
    private static let most = 64

    /// A leaf, and the null bitmaps of its columns.
    private struct Step {
        let leaf: ColumnLeaf
        let nulls: [UnsafePointer<UInt64>]
        let ifNull: LeafResult
    }

    private let program: Program
    private let slots: [EvaluationContext.Slot]
    private let steps: [Step]
    /// The bitmaps: for each instruction the rows that come to it, then those accepted, those rejected, the results of one
    /// instruction, and the rows that it leaves undecided.
    private let bitmaps: UnsafeMutablePointer<UInt64>
    private let bitmapCount: Int

    /// Nil for a program that is better run row by row.
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

    private static func step(_ instruction: Instruction) -> Step {
        let test = instruction.test.pointee
        if instruction.opcode == .numeric, let numeric = instruction.numeric?.takeUnretainedValue(),
            let formula = ColumnFormula(numeric, test)
        {
            return Step(leaf: .formula(formula), nulls: formula.nulls, ifNull: .unknown)
        }
        guard instruction.opcode == .fetched,
            let column = (instruction.source?.takeUnretainedValue() as? ColumnSource)?.column
        else { return Step(leaf: .rows, nulls: [], ifNull: .unknown) }
        let leaf = ColumnLeaf(test, of: column)
        if case .rows = leaf { return Step(leaf: .rows, nulls: [], ifNull: .unknown) }
        return Step(leaf: leaf, nulls: column.nulls.map { [$0] } ?? [], ifNull: test.null)
    }

    private func bitmap(_ number: Int) -> UnsafeMutablePointer<UInt64> { bitmaps + number &* Self.wordCount }

    private var acceptBitmap: UnsafeMutablePointer<UInt64> { bitmap(bitmapCount &- 4) }
    private var rejectBitmap: UnsafeMutablePointer<UInt64> { bitmap(bitmapCount &- 3) }
    private var resultBitmap: UnsafeMutablePointer<UInt64> { bitmap(bitmapCount &- 2) }
    private var unknownBitmap: UnsafeMutablePointer<UInt64> { bitmap(bitmapCount &- 1) }

    private func bitmap(of target: Int32) -> UnsafeMutablePointer<UInt64> {
        target >= 0 ? bitmap(Int(target)) : target == Instruction.accept ? acceptBitmap : rejectBitmap
    }

    /// The number of rows for which the predicate holds, once ``run(_:)`` has been true.
    var acceptedCount: Int {
        (0..<Self.wordCount).reduce(0) { $0 &+ acceptBitmap[$1].nonzeroBitCount }
    }

    /// Calls `body` with the rows for which the predicate holds, in their order, once ``run(_:)`` has been true.
    func forEachAccepted(of rows: Range<Int>, _ body: (Int) -> Void) {
        RowBitmap.forEach(acceptBitmap, Self.wordCount, from: rows.lowerBound, body)
    }

    /// Evaluates some rows, at most ``width`` from a multiple of it on; false where one of them ends in an error: the
    /// first one is then found row by row.
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

    /// Executes one instruction for its rows; false for an error.
    private func execute(_ vector: Step, _ step: UnsafePointer<Instruction>, _ rows: RowBitmap) -> Bool {
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

    /// Evaluates integers, then doubles, and takes the results of the doubles where there are some.
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

    /// Executes the instruction, and where it does not decide its plan, for each unknown row; false for an error.
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
