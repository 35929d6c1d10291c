import PredicateSyntax
import PredicateText

/// A quantifier or a count over the elements of each row: `ANY tags == "swift"`,
/// `SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1`.
///
/// Prefix sums of the results of all elements of 64 rows: a row's count is the difference of two sums, so that lists of
/// any length take no branch.
final class ElementsLeaf {
    private enum Condition {
        case some
        case all
        case count(IntegerTest)
    }

    private enum Element {
        case integers(IntegerRun, IntegerTest)
        case doubles(UnsafePointer<Double>, DoubleTest)
        case bools(UnsafePointer<UInt8>, ifFalse: Bool, ifTrue: Bool)
        case codes(UnsafePointer<UInt8>, CodeTest)
        case texts(TextRun, TextTest)
    }

    /// The most elements in 64 rows; past that the plan counts its steps, row by row.
    private static let most = 100_000

    private let offsets: UnsafePointer<UInt32>
    private let condition: Condition
    private let element: Element
    /// The prefix sums of the elements of 64 rows.
    private var sums = UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)

    /// Nil for a test that is evaluated row by row.
    init?(_ test: ListTest, _ offsets: UnsafePointer<UInt32>, _ elements: Column) {
        switch test.mode {
        case .unknown, .count: return nil
        case .any: condition = .some
        case .all: condition = .all
        case .filteredCount: condition = .count(test.counts)
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
        switch ColumnLeaf(test, of: elements) {
        case .integers(let values, let test): .integers(values, test)
        case .doubles(let values, let test): .doubles(values, test)
        case .bools(let values, let no, let yes): .bools(values, ifFalse: no, ifTrue: yes)
        case .codes(let codes, let test): .codes(codes, test)
        case .texts(let texts, let test): .texts(texts, test)
        case .numbers, .patterns, .lengths, .elements, .formula, .rows: nil
        }
    }

    /// The program of a subquery: evaluated once for each word of a dictionary encoding, else it must be one test.
    private static func element(_ program: UnsafePointer<Instruction>, _ elements: Column) -> Element? {
        if case .codes(let codes, let words) = elements.storage {
            let test = CodeTest(words) { word in
                withUnsafePointer(to: PredicateValue.string(word)) { program.run(UnsafeRawPointer($0)) }
            }
            return test.map { .codes(codes, $0) }
        }
        guard program.pointee.opcode == .fetched, program.pointee.decidesAll,
            program.pointee.source?.takeUnretainedValue() is OwnValueSource
        else { return nil }
        return element(program.pointee.test.pointee, elements)
    }

    /// Evaluates the selected rows; sets the bits of those that are left undecided.
    func evaluate(_ rows: RowBitmap, unknown: UnsafeMutablePointer<UInt64>) {
        switch element {
        case .integers(let values, let test): count(rows, unknown) { test.holds(values[$0]) }
        case .doubles(let values, let test): count(rows, unknown) { test.holds(values[$0]) }
        case .bools(let values, let no, let yes): count(rows, unknown) { values[$0] != 0 ? yes : no }
        case .codes(let codes, let test):
            test.table.withUnsafeBufferPointer { table in count(rows, unknown) { table[Int(codes[$0])] != 0 } }
        case .texts(let texts, let test): count(rows, unknown) { test.holds(texts[$0]) }
        }
    }

    @inline(__always)
    private func count(_ rows: RowBitmap, _ unknown: UnsafeMutablePointer<UInt64>, _ holds: (Int) -> Bool) {
        for word in 0..<rows.wordCount where rows.selected[word] != 0 {
            let offsets = offsets + (rows.start &+ word &<< 6)
            let (first, last) = (Int(offsets[0]), Int(offsets[64]))
            guard last &- first <= Self.most else {
                unknown[word] = rows.selected[word]
                continue
            }
            let sums = room(last &- first &+ 1)
            var sum: UInt32 = 0
            sums[0] = 0
            for element in first..<last {
                sum &+= holds(element) ? 1 : 0
                sums[element &- first &+ 1] = sum
            }
            rows.results[word] = results(offsets, sums - first)
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

    /// The results for 64 rows by the prefix sums.
    @inline(__always)
    private func results(_ offsets: UnsafePointer<UInt32>, _ sums: UnsafePointer<UInt32>) -> UInt64 {
        switch condition {
        case .some: RowBitmap.word { sums[Int(offsets[$0 &+ 1])] != sums[Int(offsets[$0])] }
        case .all:
            RowBitmap.word { sums[Int(offsets[$0 &+ 1])] &- sums[Int(offsets[$0])] == offsets[$0 &+ 1] &- offsets[$0] }
        case .count(let test):
            RowBitmap.word { test.holds(Int64(sums[Int(offsets[$0 &+ 1])] &- sums[Int(offsets[$0])])) }
        }
    }
}

extension IntegerTest {
    /// Evaluates the number of elements of the selected rows.
    func evaluate(lengths offsets: UnsafePointer<UInt32>, _ rows: RowBitmap) {
        guard members.isEmpty else {
            return rows.test { holds(Int64(offsets[$0 &+ 1] &- offsets[$0])) }
        }
        let (low, high) = (max(low, 0), min(high, Int64(UInt32.max)))
        guard low <= high else { return rows.fill(isNegated) }
        let (first, width) = (UInt32(low), UInt32(high &- low))
        rows.testWords { offsets[$0 &+ 1] &- offsets[$0] &- first <= width }
        if isNegated { rows.negate() }
    }
}
