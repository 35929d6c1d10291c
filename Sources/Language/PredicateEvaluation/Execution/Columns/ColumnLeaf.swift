import PredicateSyntax
import PredicateText

/// A leaf vectorized over a column: the typed arrays that its test reads.
enum ColumnLeaf {
    /// `age > 21`
    case integers(IntegerRun, IntegerTest)
    /// `score < 1.5`, `born > %@`
    case doubles(UnsafePointer<Double>, DoubleTest)
    /// `score < 1.5` of integers and doubles
    case numbers(IntegerRun, UnsafePointer<Double>, LeafTest, isDouble: UnsafePointer<UInt64>)
    /// `active == YES`
    case bools(UnsafePointer<UInt8>, ifFalse: Bool, ifTrue: Bool)
    /// `dept == "Sales"`, by the codes of a dictionary encoding
    case codes(UnsafePointer<UInt8>, CodeTest)
    /// `name BEGINSWITH "jo"`
    case texts(TextRun, TextTest)
    /// `name MATCHES "J.*n"`, unknown for some strings
    case patterns(TextRun, TextTest)
    /// `tags.@count > 2`
    case lengths(UnsafePointer<UInt32>, IntegerTest)
    /// `ANY tags == "swift"`
    case elements(ElementsLeaf)
    /// `score * 2 + 1 > 50`
    case formula(ColumnFormula)
    /// Every other leaf, evaluated row by row.
    case rows

    /// Makes a test for the non-nil values of a column.
    init(_ test: LeafTest, of column: Column) {
        switch column.storage {
        case .integers(let values, _): self = test.decidesNumbers ? .integers(values, test.integers) : .rows
        case .doubles(let values): self = test.decidesNumbers ? .doubles(values, test.doubles) : .rows
        case .numbers(let integers, let doubles, let isDouble):
            self = test.decidesNumbers ? .numbers(integers, doubles, test, isDouble: isDouble) : .rows
        case .dates(let values): self = test.decidesDates ? .doubles(values, test.dates) : .rows
        case .bools(let values):
            let (no, yes) = (test.integers.holds(0), test.integers.holds(1))
            self = test.decidesNumbers ? .bools(values, ifFalse: no, ifTrue: yes) : .rows
        case .codes(let codes, let words):
            self = CodeTest(words) { test.result(text: $0) }.map { .codes(codes, $0) } ?? .rows
        case .strings(let texts):
            if test.texts.isTotal {
                self = .texts(texts, test.texts)
            } else {
                self = test.texts.expression?.pointee.isQuick == true ? .patterns(texts, test.texts) : .rows
            }
        case .lists(let offsets, let elements):
            self = Self.lists(test.lists, offsets, elements)
        case .members, .values: self = .rows
        }
    }

    private static func lists(
        _ test: ListTest, _ offsets: UnsafePointer<UInt32>, _ elements: Column
    ) -> ColumnLeaf {
        if test.mode == .count { return .lengths(offsets, test.counts) }
        return ElementsLeaf(test, offsets, elements).map { .elements($0) } ?? .rows
    }
}

/// The results of a test for the words of a dictionary encoding, by code.
struct CodeTest {
    /// 1 for the codes of words that satisfy the test.
    let table: [UInt8]
    /// The codes with the less frequent result, if there are at most four; comparing them is faster than a table
    /// lookup.
    private let rare: (UInt8, UInt8, UInt8, UInt8)?
    private let isNegated: Bool

    /// Nil if the test leaves a word undecided.
    init?(_ words: [String], _ result: (String) -> LeafResult) {
        var table = [UInt8](repeating: 0, count: 256)
        for (code, word) in words.enumerated() {
            guard let holds = result(word).decided else { return nil }
            table[code] = holds ? 1 : 0
        }
        self.table = table
        let yes = words.indices.filter { table[$0] == 1 }
        let no = words.indices.filter { table[$0] == 0 }
        isNegated = no.count < yes.count
        rare = Self.four(isNegated ? no : yes)
    }

    private static func four(_ codes: [Int]) -> (UInt8, UInt8, UInt8, UInt8)? {
        let codes = codes.map { UInt8(truncatingIfNeeded: $0) }
        // No word has the code 255.
        func code(_ index: Int) -> UInt8 { index < codes.count ? codes[index] : codes.last ?? 255 }
        return codes.count > 4 ? nil : (code(0), code(1), code(2), code(3))
    }

    func evaluate(_ codes: UnsafePointer<UInt8>, _ rows: RowBitmap) {
        guard let (a, b, c, d) = rare else {
            return table.withUnsafeBufferPointer { table in rows.testWords { table[Int(codes[$0])] != 0 } }
        }
        if a == b {
            rows.testWords { codes[$0] == a }
        } else {
            rows.testWords { row in
                let code = codes[row]
                let first: UInt8 = (code == a ? 1 : 0) | (code == b ? 1 : 0)
                return first | (code == c ? 1 : 0) | (code == d ? 1 : 0) != 0
            }
        }
        if isNegated { rows.negate() }
    }
}

extension TextTest {
    /// Evaluates the selected strings, in a loop for each text operation.
    func evaluate(_ texts: TextRun, _ rows: RowBitmap) {
        guard let needle = needles.first else { return rows.fill(isNegated) }
        guard operation == .matches else { return rows.test { holds(texts[$0]) } }
        match.withPaddedTest { holds in rows.test { holds(needle, texts[$0]) } }
        if isNegated { rows.negate() }
    }

    /// Evaluates the selected strings with a regular expression; sets the bits of the undecided strings.
    func evaluate(_ texts: TextRun, _ rows: RowBitmap, unknown: UnsafeMutablePointer<UInt64>) {
        rows.test { row in
            let result = result(of: texts[row])
            if result == .unknown {
                unknown[(row &- rows.start) &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63)
            }
            return result == .yes
        }
    }
}

// MARK: - Elements of lists

/// A quantifier or a count over the elements of each row: `ANY tags == "swift"`, `SUBQUERY(tags, $t, $t BEGINSWITH
/// "s").@count > 1`.
///
/// It uses prefix sums of the results of all elements of 64 rows. A row's count is the difference of two sums, so
/// lists of any length need no branch.
final class ElementsLeaf {
    private enum RowTest {
        case some
        case all
        case count(IntegerTest)
    }

    private enum ElementTest {
        case integers(IntegerRun, IntegerTest)
        case doubles(UnsafePointer<Double>, DoubleTest)
        case bools(UnsafePointer<UInt8>, ifFalse: Bool, ifTrue: Bool)
        case codes(UnsafePointer<UInt8>, CodeTest)
        case texts(TextRun, TextTest)
    }

    /// The maximum number of elements in 64 rows. Beyond it, the plan evaluates row by row and counts its steps.
    private static let most = 100_000

    private let offsets: UnsafePointer<UInt32>
    private let condition: RowTest
    private let element: ElementTest
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

    private static func element(_ test: LeafTest, _ elements: Column) -> ElementTest? {
        switch ColumnLeaf(test, of: elements) {
        case .integers(let values, let test): .integers(values, test)
        case .doubles(let values, let test): .doubles(values, test)
        case .bools(let values, let no, let yes): .bools(values, ifFalse: no, ifTrue: yes)
        case .codes(let codes, let test): .codes(codes, test)
        case .texts(let texts, let test): .texts(texts, test)
        case .numbers, .patterns, .lengths, .elements, .formula, .rows: nil
        }
    }

    /// Returns a subquery's program as a test of elements. With a dictionary encoding, the program runs once for each word;
    /// otherwise it must be a single test.
    private static func element(_ program: UnsafePointer<Instruction>, _ elements: Column) -> ElementTest? {
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

    /// Evaluates the selected rows; sets the bits of undecided rows.
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

    /// Computes the results for 64 rows from the prefix sums.
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
    /// Tests the numbers of elements in the selected rows.
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
