/// A sweep over rows of columns: each question reads one flat array, and answers with a bit for each row.
///
/// `age > 21 AND dept == "Sales"`: the ages, the departments by number, and of each 64 rows those that have both bits.
///
/// Jumps only lead forward, so one walk over the instructions brings every row to one of the two ends.
final class ColumnSweep {
    /// How many rows are dealt with at once: few enough for their bits to stay near.
    static let width = 1024
    private static let wordCount = width / 64
    /// Longer programs are left to the rows.
    private static let most = 64

    /// A question, and the rows that it is not about.
    private struct Leaf {
        let question: ColumnQuestion
        let nulls: [UnsafePointer<UInt64>]
        let ifNull: Answer
    }

    private let program: Program
    private let slots: [EvaluationContext.Slot]
    private let leaves: [Leaf]
    /// For each instruction the rows that come to it, then those accepted, those rejected, the answers of one
    /// instruction, and the rows that it does not know.
    private let masks: UnsafeMutablePointer<UInt64>
    private let maskCount: Int

    /// Nil for a program that is better run row by row.
    init?(_ program: Program, _ slots: [EvaluationContext.Slot]) {
        guard program.code.count <= Self.most else { return nil }
        self.program = program
        self.slots = slots
        leaves = program.code.map(Self.leaf)
        maskCount = program.code.count + 4
        masks = .allocate(capacity: maskCount * Self.wordCount)
        masks.initialize(repeating: 0, count: maskCount * Self.wordCount)
    }

    deinit {
        masks.deallocate()
    }

    private static func leaf(_ instruction: Instruction) -> Leaf {
        let test = instruction.test.pointee
        if instruction.opcode == .numeric, let numeric = instruction.numeric?.takeUnretainedValue(),
            let formula = ColumnFormula(numeric, test)
        {
            return Leaf(question: .formula(formula), nulls: formula.nulls, ifNull: .unknown)
        }
        guard instruction.opcode == .fetched,
            let column = (instruction.source?.takeUnretainedValue() as? ColumnSource)?.column
        else { return Leaf(question: .rows, nulls: [], ifNull: .unknown) }
        let question = ColumnQuestion(test, of: column)
        if case .rows = question { return Leaf(question: .rows, nulls: [], ifNull: .unknown) }
        return Leaf(question: question, nulls: column.nulls.map { [$0] } ?? [], ifNull: test.null)
    }

    private func mask(_ number: Int) -> UnsafeMutablePointer<UInt64> { masks + number &* Self.wordCount }

    private var acceptMask: UnsafeMutablePointer<UInt64> { mask(maskCount &- 4) }
    private var rejectMask: UnsafeMutablePointer<UInt64> { mask(maskCount &- 3) }
    private var answerMask: UnsafeMutablePointer<UInt64> { mask(maskCount &- 2) }
    private var unknownMask: UnsafeMutablePointer<UInt64> { mask(maskCount &- 1) }

    private func mask(of target: Int32) -> UnsafeMutablePointer<UInt64> {
        target >= 0 ? mask(Int(target)) : target == Instruction.accept ? acceptMask : rejectMask
    }

    /// For how many rows the predicate holds, once ``run(_:)`` has been true.
    var acceptedCount: Int {
        (0..<Self.wordCount).reduce(0) { $0 &+ acceptMask[$1].nonzeroBitCount }
    }

    /// Calls `body` with the rows for which the predicate holds, in their order, once ``run(_:)`` has been true.
    func forEachAccepted(of rows: Range<Int>, _ body: (Int) -> Void) {
        RowMask.forEach(acceptMask, Self.wordCount, from: rows.lowerBound, body)
    }

    /// Evaluates some rows, at most ``width`` from a multiple of it on; false where one of them ends in an error: which
    /// one comes first is then to be found out row by row.
    func run(_ rows: Range<Int>) -> Bool {
        masks.update(repeating: 0, count: maskCount &* Self.wordCount)
        let wordCount = (rows.count &+ 63) / 64
        for word in 0..<wordCount { masks[word] = .max }
        if rows.count & 63 != 0 { masks[wordCount &- 1] = .max &>> UInt64(64 &- rows.count & 63) }
        guard let code = program.code.baseAddress else { return false }
        for number in 0..<program.code.count {
            let rows = RowMask(
                start: rows.lowerBound, wordCount: wordCount, wanted: UnsafePointer(mask(number)), answers: answerMask)
            guard (0..<wordCount).contains(where: { rows.wanted[$0] != 0 }) else { continue }
            let step = code + number
            guard ask(leaves[number], step, rows) else { return false }
            let (yes, no) = (mask(of: step.pointee.whenTrue), mask(of: step.pointee.whenFalse))
            for word in 0..<wordCount {
                yes[word] |= rows.wanted[word] & rows.answers[word]
                no[word] |= rows.wanted[word] & ~rows.answers[word]
            }
        }
        return true
    }

    /// Puts one question to its rows; false for an error.
    private func ask(_ leaf: Leaf, _ step: UnsafePointer<Instruction>, _ rows: RowMask) -> Bool {
        let unknown = unknownMask
        unknown.update(repeating: 0, count: rows.wordCount)
        switch leaf.question {
        case .integers(let values, let test): values.ask(test, rows)
        case .doubles(let values, let test): test.ask(values, rows)
        case .numbers(let integers, let doubles, let test, let isDouble):
            ask(integers, doubles, test, isDouble + rows.start / 64, rows)
        case .bools(let values, let no, let yes):
            if no == yes { rows.fill(yes) } else { rows.fill { (values[$0] != 0) == yes } }
        case .codes(let codes, let answers): answers.ask(codes, rows)
        case .texts(let texts, let test): test.ask(texts, rows)
        case .expressions(let texts, let test): test.ask(texts, rows, unknown: unknown)
        case .lengths(let offsets, let test): test.ask(lengths: offsets, rows)
        case .elements(let question): question.ask(rows, unknown: unknown)
        case .formula(let formula): formula.ask(rows)
        case .rows: unknown.update(from: rows.wanted, count: rows.wordCount)
        }
        for nulls in leaf.nulls { take(nulls + rows.start / 64, leaf.ifNull, rows, unknown) }
        return askEach(step, rows, unknown)
    }

    /// Asks whole numbers, then doubles, and takes the answers of the doubles where there are some.
    private func ask(
        _ integers: IntegerRun, _ doubles: UnsafePointer<Double>, _ test: LeafTest,
        _ isDouble: UnsafePointer<UInt64>, _ rows: RowMask
    ) {
        integers.ask(test.integers, rows)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.wordCount) { answers in
            guard let answers = answers.baseAddress else { return }
            answers.update(from: rows.answers, count: rows.wordCount)
            test.doubles.ask(doubles, rows)
            for word in 0..<rows.wordCount {
                rows.answers[word] = rows.answers[word] & isDouble[word] | answers[word] & ~isDouble[word]
            }
        }
    }

    /// What a question says of nil is known beforehand.
    private func take(
        _ nulls: UnsafePointer<UInt64>, _ ifNull: Answer, _ rows: RowMask, _ unknown: UnsafeMutablePointer<UInt64>
    ) {
        for word in 0..<rows.wordCount {
            switch ifNull {
            case .yes: rows.answers[word] |= nulls[word]
            case .no: rows.answers[word] &= ~nulls[word]
            case .unknown: unknown[word] |= nulls[word]
            }
            if ifNull != .unknown { unknown[word] &= ~nulls[word] }
        }
    }

    /// Asks the instruction, and where that does not know its plan, about each unknown row; false for an error.
    private func askEach(
        _ step: UnsafePointer<Instruction>, _ rows: RowMask, _ unknown: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        for word in 0..<rows.wordCount {
            var rest = unknown[word] & rows.wanted[word]
            while rest != 0 {
                let bit = UInt64(truncatingIfNeeded: rest.trailingZeroBitCount)
                rest &= rest &- 1
                guard let answer = answer(step, rows.start &+ word &<< 6 &+ Int(bit)) else { return false }
                rows.answers[word] = (rows.answers[word] & ~(1 &<< bit)) | ((answer ? 1 : 0) &<< bit)
            }
        }
        return true
    }

    private func answer(_ step: UnsafePointer<Instruction>, _ row: Int) -> Bool? {
        withUnsafePointer(to: row) { place in
            switch step.slowAnswer(UnsafeRawPointer(place)) {
            case .no: false
            case .yes: true
            case .unknown: try? program.ask(step, UnsafeRawPointer(place), slots)
            }
        }
    }
}
