import PredicateSyntax
import PredicateText

/// `ANY tags == "swift"`, `SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1`: for how many elements of each row.
///
/// The answers of all elements of 64 rows are added up, one behind the other; a row's number is the difference of two
/// sums, so that lists of any length take no branch.
final class ElementsQuestion {
    private enum Wanted {
        case some
        case all
        case count(IntegerTest)
    }

    private enum Element {
        case integers(IntegerRun, IntegerTest)
        case doubles(UnsafePointer<Double>, DoubleTest)
        case bools(UnsafePointer<UInt8>, ifFalse: Bool, ifTrue: Bool)
        case codes(UnsafePointer<UInt8>, WordAnswers)
        case texts(TextRun, TextTest)
    }

    /// So many elements in 64 rows are left to the rows: the plan counts its steps, and sums need room.
    private static let most = 100_000

    private let offsets: UnsafePointer<UInt32>
    private let wanted: Wanted
    private let element: Element
    /// Room for the sums up to each element of 64 rows.
    private var sums = UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)

    /// Nil for what has to be asked row by row.
    init?(_ test: ListTest, _ offsets: UnsafePointer<UInt32>, _ elements: Column) {
        switch test.mode {
        case .unknown, .count: return nil
        case .any: wanted = .some
        case .all: wanted = .all
        case .filteredCount: wanted = .count(test.counts)
        }
        let element =
            if test.mode == .filteredCount {
                test.valueProgram.flatMap { Self.element($0, elements) }
            } else {
                test.element.flatMap { Self.element($0.pointee, elements) }
            }
        guard let element else { return nil }
        self.offsets = offsets
        self.element = element
    }

    deinit {
        sums.deallocate()
    }

    private static func element(_ test: LeafTest, _ elements: Column) -> Element? {
        switch ColumnQuestion(test, of: elements) {
        case .integers(let values, let test): .integers(values, test)
        case .doubles(let values, let test): .doubles(values, test)
        case .bools(let values, let no, let yes): .bools(values, ifFalse: no, ifTrue: yes)
        case .codes(let codes, let answers): .codes(codes, answers)
        case .texts(let texts, let test): .texts(texts, test)
        case .numbers, .expressions, .lengths, .elements, .formula, .rows: nil
        }
    }

    /// The program of a subquery: of words it is asked beforehand, else it must be one test of the element.
    private static func element(_ program: UnsafePointer<Instruction>, _ elements: Column) -> Element? {
        if case .codes(let codes, let words) = elements.storage {
            let answers = WordAnswers(words) { word in
                withUnsafePointer(to: PredicateValue.string(word)) { program.run(UnsafeRawPointer($0)) }
            }
            return answers.map { .codes(codes, $0) }
        }
        guard program.pointee.opcode == .fetched, program.pointee.whenTrue == Instruction.accept,
            program.pointee.whenFalse == Instruction.reject,
            program.pointee.source?.takeUnretainedValue() is OwnValueSource
        else { return nil }
        return element(program.pointee.test.pointee, elements)
    }

    /// Asks about rows of a mask; sets the bits of those that have to be asked one by one.
    func ask(_ rows: RowMask, unknown: UnsafeMutablePointer<UInt64>) {
        switch element {
        case .integers(let values, let test): ask(rows, unknown) { test.holds(values[$0]) }
        case .doubles(let values, let test): ask(rows, unknown) { test.holds(values[$0]) }
        case .bools(let values, let no, let yes): ask(rows, unknown) { values[$0] != 0 ? yes : no }
        case .codes(let codes, let answers):
            answers.table.withUnsafeBufferPointer { table in ask(rows, unknown) { table[Int(codes[$0])] != 0 } }
        case .texts(let texts, let test): ask(rows, unknown) { test.holds(texts[$0]) }
        }
    }

    @inline(__always)
    private func ask(_ rows: RowMask, _ unknown: UnsafeMutablePointer<UInt64>, _ holds: (Int) -> Bool) {
        for word in 0..<rows.wordCount where rows.wanted[word] != 0 {
            let offsets = offsets + (rows.start &+ word &<< 6)
            let (first, last) = (Int(offsets[0]), Int(offsets[64]))
            guard last &- first <= Self.most else {
                unknown[word] = rows.wanted[word]
                continue
            }
            let sums = room(last &- first &+ 1)
            var sum: UInt32 = 0
            sums[0] = 0
            for element in first..<last {
                sum &+= holds(element) ? 1 : 0
                sums[element &- first &+ 1] = sum
            }
            rows.answers[word] = answers(offsets, sums - first)
        }
    }

    private func room(_ count: Int) -> UnsafeMutablePointer<UInt32> {
        if let start = sums.baseAddress, count <= sums.count { return start }
        sums.deallocate()
        let start = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * count)
        start.initialize(repeating: 0, count: 2 * count)
        sums = UnsafeMutableBufferPointer(start: start, count: 2 * count)
        return start
    }

    /// What the sums up to each element say of 64 rows.
    @inline(__always)
    private func answers(_ offsets: UnsafePointer<UInt32>, _ sums: UnsafePointer<UInt32>) -> UInt64 {
        switch wanted {
        case .some: RowMask.word { sums[Int(offsets[$0 &+ 1])] != sums[Int(offsets[$0])] }
        case .all:
            RowMask.word { sums[Int(offsets[$0 &+ 1])] &- sums[Int(offsets[$0])] == offsets[$0 &+ 1] &- offsets[$0] }
        case .count(let test):
            RowMask.word { test.holds(Int64(sums[Int(offsets[$0 &+ 1])] &- sums[Int(offsets[$0])])) }
        }
    }
}

extension IntegerTest {
    /// Asks how many elements there are in rows of a mask.
    func ask(lengths offsets: UnsafePointer<UInt32>, _ rows: RowMask) {
        guard members.isEmpty else {
            return rows.ask { holds(Int64(offsets[$0 &+ 1] &- offsets[$0])) }
        }
        let (low, high) = (max(low, 0), min(high, Int64(UInt32.max)))
        guard low <= high else { return rows.fill(isNegated) }
        let (first, width) = (UInt32(low), UInt32(high &- low))
        rows.fill { offsets[$0 &+ 1] &- offsets[$0] &- first <= width }
        if isNegated { rows.negate() }
    }
}
