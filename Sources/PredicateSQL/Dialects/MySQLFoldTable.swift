import PredicateText

/// The table of the fold as literals of SQL, in which functions look a code point up by two substrings.
///
/// The digits of `blocks` say for each 128 code points which block of `records` they have, those of `records` which record a code
/// point has, and each record has a row in `decompositions`, `caseFolds` and `kinds`. Record 0 is that of plain code points.
struct MySQLFoldTable {
    /// A number of two bytes for each 128 code points, in `ucs2`.
    let blocks: String
    /// A number of two bytes for each code point of a block, in `ucs2`.
    let records: String
    /// Sixteen bytes for each record: up to four code points, and zeros after them.
    let decompositions: String
    /// Twelve bytes for each record: up to three code points, and zeros after them.
    let caseFolds: String
    /// A number of two bytes for each record, in `ucs2`.
    let kinds: String
    /// 48 bytes for each record: up to four code points, and zeros after them, that a text of its code point alone becomes under `[c]`,
    /// then under `[d]` and `[cd]`; zeros where it stays, and ``far`` for what folds together with its neighbours.
    let folds: String
    /// Twelve bytes for each composition: a base, a mark, and what they become.
    let compositions = Folding.compositions.map { composition in
        Hexadecimal.row([composition.base.value, composition.mark.value, composition.result.value], count: 3)
    }.joined()

    static let whole = MySQLFoldTable()

    private static let blockSize: UInt32 = 128

    private init() {
        var entries = Numbering([Folding.Entry.plain])
        var distinct = Numbering<[Int]>([])
        var blocks: [Int] = []
        var folds = [Self.folds(of: 0, .plain)]
        for start in stride(from: 0, to: Folding.entryLimit, by: Int(Self.blockSize)) {
            let block = (start..<start + Self.blockSize).map { value in
                let entry = Folding.entry(of: value)
                let number = entries.number(of: entry)
                if number == folds.count { folds.append(Self.folds(of: value, entry)) }
                return number
            }
            blocks.append(distinct.number(of: block))
        }
        self.folds = folds.joined()
        self.blocks = blocks.map { Hexadecimal.text(UInt32($0), 4) }.joined()
        records = distinct.values.joined().map { Hexadecimal.text(UInt32($0), 4) }.joined()
        decompositions = entries.values.map { Hexadecimal.row($0.decomposition, count: 4) }.joined()
        caseFolds = entries.values.map { Hexadecimal.row($0.caseFold, count: 3) }.joined()
        kinds = entries.values.map { Hexadecimal.text(UInt32($0.kind), 4) }.joined()
    }

    /// What stands in ``folds`` instead of a code point that is a mark, or begins with one; no code point folds to it.
    static let far: UInt32 = 0xFFFF

    private static func folds(of value: UInt32, _ entry: Folding.Entry) -> String {
        let kinds = entry.decomposition.map { Folding.entry(of: $0).kind }
        let isCharacter = kinds.first ?? 0 == 0 && kinds.dropFirst().allSatisfy { $0 & 1 != 0 }
        return FoldMode.near.map { mode in
            if entry.kind != 0 || !isCharacter { return Hexadecimal.row([far], count: 4) }
            let folded = Folding.fold(Unicode.Scalar(value).map { String($0) } ?? "", mode).unicodeScalars.map(\.value)
            return Hexadecimal.row(folded == [value] ? [] : folded, count: 4)
        }.joined()
    }
}

/// Numbers as digits of a literal of bytes.
enum Hexadecimal {
    /// Code points in four bytes each, and zeros up to a count.
    static func row(_ codePoints: [UInt32], count: Int) -> String {
        (0..<count).map { text($0 < codePoints.count ? codePoints[$0] : 0, 8) }.joined()
    }

    static func text(_ value: UInt32, _ width: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}

/// Values in the order in which they were first seen.
struct Numbering<Value: Hashable> {
    private(set) var values: [Value] = []
    private var numbers: [Value: Int] = [:]

    init(_ first: [Value]) {
        for value in first { _ = number(of: value) }
    }

    mutating func number(of value: Value) -> Int {
        if let number = numbers[value] { return number }
        numbers[value] = values.count
        values.append(value)
        return values.count - 1
    }
}
