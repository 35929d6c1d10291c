import PredicateText

/// How one leaf of a program is put to many rows at once.
enum ColumnQuestion {
    /// `age > 21`
    case integers(IntegerRun, IntegerTest)
    /// `score < 1.5`, `born > %@`
    case doubles(UnsafePointer<Double>, DoubleTest)
    /// The same of whole numbers and doubles: both tests, and which of them counts.
    case numbers(IntegerRun, UnsafePointer<Double>, LeafTest, isDouble: UnsafePointer<UInt64>)
    /// `active == YES`
    case bools(UnsafePointer<UInt8>, ifFalse: Bool, ifTrue: Bool)
    /// `dept == "Sales"`, one of few words: answers by their numbers.
    case codes(UnsafePointer<UInt8>, WordAnswers)
    /// `name BEGINSWITH "jo"`
    case texts(TextRun, TextTest)
    /// `name MATCHES "J.*n"`, which has no answer for some strings.
    case expressions(TextRun, TextTest)
    /// `tags.@count > 2`
    case lengths(UnsafePointer<UInt32>, IntegerTest)
    /// `ANY tags == "swift"`
    case elements(ElementsQuestion)
    /// `score * 2 + 1 > 50`
    case formula(ColumnFormula)
    /// All else: row by row.
    case rows

    /// How a test is put to the values of a column that are not nil.
    init(_ test: LeafTest, of column: Column) {
        switch column.storage {
        case .integers(let values, _): self = test.knowsNumbers ? .integers(values, test.integers) : .rows
        case .doubles(let values): self = test.knowsNumbers ? .doubles(values, test.doubles) : .rows
        case .numbers(let integers, let doubles, let isDouble):
            self = test.knowsNumbers ? .numbers(integers, doubles, test, isDouble: isDouble) : .rows
        case .dates(let values): self = test.knowsDates ? .doubles(values, test.dates) : .rows
        case .bools(let values):
            let (no, yes) = (test.integers.holds(0), test.integers.holds(1))
            self = test.knowsNumbers ? .bools(values, ifFalse: no, ifTrue: yes) : .rows
        case .codes(let codes, let words):
            self = WordAnswers(words, test.answer).map { .codes(codes, $0) } ?? .rows
        case .strings(let texts):
            if test.texts.isCertain {
                self = .texts(texts, test.texts)
            } else {
                self = test.texts.simple != nil ? .expressions(texts, test.texts) : .rows
            }
        case .lists(let offsets, let elements):
            self = Self.lists(test.lists, offsets, elements)
        case .members, .values: self = .rows
        }
    }

    private static func lists(
        _ test: ListTest, _ offsets: UnsafePointer<UInt32>, _ elements: Column
    ) -> ColumnQuestion {
        if test.mode == .count { return .lengths(offsets, test.counts) }
        return ElementsQuestion(test, offsets, elements).map { .elements($0) } ?? .rows
    }
}

/// What a test says of each of a few words.
struct WordAnswers {
    /// By the number of a word; 1 for yes.
    let table: [UInt8]
    /// The numbers of those that have the rarer answer, if they are so few that they are best compared.
    private let few: (UInt8, UInt8, UInt8, UInt8)?
    private let isNegated: Bool

    /// Nil where one of the words has no answer.
    init?(_ words: [String], _ answer: (String) -> Answer) {
        var table = [UInt8](repeating: 0, count: 256)
        for (number, word) in words.enumerated() {
            switch answer(word) {
            case .yes: table[number] = 1
            case .no: break
            case .unknown: return nil
            }
        }
        self.table = table
        let yes = words.indices.filter { table[$0] == 1 }
        let no = words.indices.filter { table[$0] == 0 }
        isNegated = no.count < yes.count
        few = Self.few(isNegated ? no : yes)
    }

    private static func few(_ numbers: [Int]) -> (UInt8, UInt8, UInt8, UInt8)? {
        // A number that no word has stands for none.
        let numbers = numbers.map { UInt8(truncatingIfNeeded: $0) }
        func number(_ place: Int) -> UInt8 { place < numbers.count ? numbers[place] : numbers.last ?? 255 }
        return numbers.count > 4 ? nil : (number(0), number(1), number(2), number(3))
    }

    func ask(_ codes: UnsafePointer<UInt8>, _ rows: RowMask) {
        guard let (a, b, c, d) = few else {
            return table.withUnsafeBufferPointer { table in rows.fill { table[Int(codes[$0])] != 0 } }
        }
        if a == b {
            rows.fill { codes[$0] == a }
        } else {
            rows.fill { row in
                let code = codes[row]
                let first: UInt8 = (code == a ? 1 : 0) | (code == b ? 1 : 0)
                return first | (code == c ? 1 : 0) | (code == d ? 1 : 0) != 0
            }
        }
        if isNegated { rows.negate() }
    }
}

extension TextTest {
    /// Asks about the strings of wanted rows: a loop for each of the frequent questions.
    func ask(_ texts: TextRun, _ rows: RowMask) {
        guard let needle = needles.first else { return rows.fill(isNegated) }
        switch operation {
        case .prefix: rows.ask { needle.isPrefix(ofPadded: texts[$0]) }
        case .suffix: rows.ask { needle.isSuffix(of: texts[$0]) }
        case .contains: rows.ask { needle.isContained(inPadded: texts[$0]) }
        case .equal: rows.ask { needle.isEqual(to: texts[$0]) }
        case .unknown, .never, .ordered, .tokens, .member, .expression: return rows.ask { holds(texts[$0]) }
        }
        if isNegated { rows.negate() }
    }

    /// The same for an expression; sets the bits of the strings that it has no answer for.
    func ask(_ texts: TextRun, _ rows: RowMask, unknown: UnsafeMutablePointer<UInt64>) {
        rows.ask { row in
            let answer = answer(texts[row])
            if answer == .unknown {
                unknown[(row &- rows.start) &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63)
            }
            return answer == .yes
        }
    }
}
