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
    /// Every other leaf: row by row.
    case rows

    /// A test of the values of a column that are not nil.
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
                self = test.texts.simple != nil ? .patterns(texts, test.texts) : .rows
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
    /// The codes of the rarer result, if there are at most four: they are compared and not looked up.
    private let rare: (UInt8, UInt8, UInt8, UInt8)?
    private let isNegated: Bool

    /// Nil if the test leaves one of the words undecided.
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
        // 255 is the code of no word.
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
    /// Evaluates the selected strings: in a loop for each text operation.
    func evaluate(_ texts: TextRun, _ rows: RowBitmap) {
        guard let needle = needles.first else { return rows.fill(isNegated) }
        guard operation == .matches else { return rows.test { holds(texts[$0]) } }
        match.withPaddedTest { holds in rows.test { holds(needle, texts[$0]) } }
        if isNegated { rows.negate() }
    }

    /// Evaluates the selected strings by a regular expression; sets the bits of those that it leaves undecided.
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
