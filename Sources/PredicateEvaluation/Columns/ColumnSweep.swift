import PredicateText

/// A sweep over rows of columns: each question reads one flat array.
///
/// `age > 21 AND dept == "Sales"`: first the ages, then the departments of those rows, by number.
final class ColumnSweep {
    private let lists: SweepLists
    private let program: Program
    private let slots: [EvaluationContext.Slot]
    /// For each instruction its column, if it is a test of one.
    private let columns: [Column?]
    /// For each instruction on a column of few strings the answers by their numbers; empty where one is unknown.
    private let answers: [[Bool]]

    /// For each instruction that works out doubles of one column, how.
    private let formulas: [ColumnFormula?]

    /// Nil for a program that is better run row by row.
    init?(_ program: Program, _ slots: [EvaluationContext.Slot]) {
        guard let lists = SweepLists(program) else { return nil }
        self.lists = lists
        self.program = program
        self.slots = slots
        columns = program.code.map { instruction in
            guard instruction.opcode == .fetched else { return nil }
            return (instruction.source?.takeUnretainedValue() as? ColumnSource)?.column
        }
        formulas = program.code.map { instruction in
            guard instruction.opcode == .numeric, instruction.test.pointee.knowsNumbers else { return nil }
            return instruction.numeric.flatMap { ColumnFormula($0.takeUnretainedValue()) }
        }
        answers = zip(program.code, columns).map { instruction, column in
            guard case .codes(_, let words)? = column?.storage else { return [] }
            let answers = words.map { instruction.test.pointee.answer($0) }
            return answers.contains(.unknown) ? [] : answers.map { $0 == .yes }
        }
    }

    /// For how many rows a program of one question about plain numbers holds, without a list of them; nil for others.
    func count(_ rows: Range<Int>) -> Int? {
        guard program.code.count == 1, let step = program.code.baseAddress, let column = columns[0],
            column.nulls == nil, step.pointee.whenTrue == Instruction.accept, step.pointee.test.pointee.knowsNumbers,
            step.pointee.whenFalse == Instruction.reject
        else { return nil }
        let test = step.pointee.test
        switch column.storage {
        case .integers(let values) where test.pointee.integers.members.isEmpty:
            return test.pointee.integers.count(values + rows.lowerBound, rows.count)
        case .doubles(let values) where !test.pointee.doubles.isMembership:
            return test.pointee.doubles.count(values + rows.lowerBound, rows.count)
        case .integers, .doubles, .dates, .bools, .strings, .codes, .values: return nil
        }
    }

    var acceptedCount: Int { lists.acceptedCount }
    var accepted: UnsafeBufferPointer<UInt16> { lists.accepted }

    /// Evaluates some rows, at most ``Sweep/width``; false where one of them ends in an error.
    func run(_ rows: Range<Int>) -> Bool {
        lists.run(rows.count) { number, step, split in
            if let formula = formulas[number] {
                formula.run(rows, step.pointee.test.pointee.doubles, &split)
                return true
            }
            if let column = columns[number] { return ask(column, number, step, rows.lowerBound, &split) }
            return askEach(step, rows.lowerBound, &split)
        }
    }

    private func ask(
        _ column: Column, _ number: Int, _ step: UnsafePointer<Instruction>, _ start: Int, _ split: inout Split
    ) -> Bool {
        let test = step.pointee.test
        if column.nulls != nil, test.pointee.null == .unknown { return askEach(step, start, &split) }
        let ifNull = test.pointee.null == .yes
        switch column.storage {
        case .integers(let values) where test.pointee.knowsNumbers:
            let integers = test.pointee.integers
            split.run(column, start, ifNull) { integers.holds(values[$0]) }
        case .doubles(let values) where test.pointee.knowsNumbers:
            let doubles = test.pointee.doubles
            split.run(column, start, ifNull) { doubles.holds(values[$0]) }
        case .dates(let values) where test.pointee.knowsDates:
            let dates = test.pointee.dates
            split.run(column, start, ifNull) { dates.holds(values[$0]) }
        case .bools(let values) where test.pointee.knowsNumbers:
            let (no, yes) = (test.pointee.integers.holds(0), test.pointee.integers.holds(1))
            split.run(column, start, ifNull) { values[$0] != 0 ? yes : no }
        case .codes(let codes, _) where !answers[number].isEmpty:
            answers[number].withUnsafeBufferPointer { answers in
                split.run(column, start, ifNull) { answers[Int(codes[$0])] }
            }
        case .strings(let bytes, let offsets) where test.pointee.texts.isCertain:
            askTexts(column, test.pointee.texts, start, ifNull, &split) { column.text($0, bytes, offsets) }
        case .strings(let bytes, let offsets) where test.pointee.texts.simple != nil:
            let (texts, whole) = (test.pointee.texts, split)
            var isKnown = true
            split.run(column, start, ifNull) { row in
                let answer = texts.answer(column.text(row, bytes, offsets))
                if answer == .unknown { isKnown = false }
                return answer == .yes
            }
            if isKnown { return true }
            split = whole
            return askEach(step, start, &split)
        case .integers, .doubles, .dates, .bools, .codes, .strings, .values: return askEach(step, start, &split)
        }
        return true
    }

    @inline(__always)
    private func askTexts(
        _ column: Column, _ test: TextTest, _ start: Int, _ ifNull: Bool, _ split: inout Split,
        _ text: (Int) -> UnsafeBufferPointer<UInt8>
    ) {
        guard let needle = test.needles.first else {
            return split.run(column, start, ifNull) { _ in test.isNegated }
        }
        let isNegated = test.isNegated
        switch test.operation {
        case .prefix: split.run(column, start, ifNull) { needle.isPrefix(of: text($0)) != isNegated }
        case .suffix: split.run(column, start, ifNull) { needle.isSuffix(of: text($0)) != isNegated }
        case .contains: split.run(column, start, ifNull) { needle.isContained(in: text($0)) != isNegated }
        case .equal: split.run(column, start, ifNull) { needle.isEqual(to: text($0)) != isNegated }
        case .unknown, .never, .ordered, .tokens, .member, .expression:
            split.run(column, start, ifNull) { test.holds(text($0)) }
        }
    }

    /// Row by row; false for an error.
    private func askEach(_ step: UnsafePointer<Instruction>, _ start: Int, _ split: inout Split) -> Bool {
        var isRight = true
        split.runNumbers { number in
            let row = start + number
            return withUnsafePointer(to: row) { place in
                switch step.slowAnswer(UnsafeRawPointer(place)) {
                case .no: return false
                case .yes: return true
                case .unknown:
                    guard isRight, let answer = try? program.ask(step, UnsafeRawPointer(place), slots) else {
                        isRight = false
                        return false
                    }
                    return answer
                }
            }
        }
        return isRight
    }
}

/// `score * 2 + 1` over a column of doubles: one loop for each operation.
private struct ColumnFormula {
    private let values: UnsafePointer<Double>
    private let links: [(operation: ArithmeticPlan.Operation, constant: Double)]

    /// Nil for everything but a column of doubles, none of them nil, that meets constants.
    init?(_ question: NumericQuestion) {
        guard let chain = question.chain, let column = (chain.source as? ColumnSource)?.column, column.nulls == nil,
            case .doubles(let values) = column.storage
        else { return nil }
        self.values = values
        self.links = chain.links.map { ($0.operation, $0.constant.double) }
    }

    func run(_ rows: Range<Int>, _ test: DoubleTest, _ split: inout Split) {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: rows.count) { results in
            guard let results = results.baseAddress else { return }
            results.initialize(from: values + rows.lowerBound, count: rows.count)
            for (operation, constant) in links {
                switch operation {
                case .add: for index in 0..<rows.count { results[index] += constant }
                case .subtract: for index in 0..<rows.count { results[index] -= constant }
                case .multiply: for index in 0..<rows.count { results[index] *= constant }
                case .divide: for index in 0..<rows.count { results[index] /= constant }
                }
            }
            split.runNumbers { test.holds(results[$0]) }
        }
    }
}

extension IntegerTest {
    /// How many values the range holds.
    fileprivate func count(_ values: UnsafePointer<Int64>, _ count: Int) -> Int {
        var inside = 0
        for index in 0..<count { inside &+= low <= values[index] && values[index] <= high ? 1 : 0 }
        return isNegated ? count &- inside : inside
    }
}

extension DoubleTest {
    /// How many values the range holds.
    fileprivate func count(_ values: UnsafePointer<Double>, _ count: Int) -> Int {
        var inside = 0
        for index in 0..<count { inside &+= low <= values[index] && values[index] <= high ? 1 : 0 }
        return isNegated ? count &- inside : inside
    }
}

extension Split {
    /// Asks about rows of a column, of which those that are nil have their answer beforehand.
    @inline(__always)
    fileprivate mutating func run(_ column: Column, _ start: Int, _ ifNull: Bool, _ holds: (Int) -> Bool) {
        if column.nulls == nil {
            runNumbers { holds(start &+ $0) }
        } else {
            runNumbers { column.isNull(start &+ $0) ? ifNull : holds(start &+ $0) }
        }
    }
}
