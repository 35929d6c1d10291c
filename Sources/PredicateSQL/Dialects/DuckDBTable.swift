/// A table of texts for code points, as an expression over lists of constants.
///
/// Code points are looked up in three steps, by their first bits, the next six and the last four. Blocks that are equal stand once,
/// and most of them are empty.
struct DuckDBTable {
    /// The block of numbers for the first bits.
    private let first: [Int]
    /// The blocks of numbers, one after another.
    private let middle: [Int]
    /// The texts of the last blocks, by column.
    private let columns: [[String]]

    /// A table of the code points below a limit. `texts` gives one text for each column; an empty one stands for the code point itself.
    init(columns count: Int, below limit: UInt32, _ texts: (Unicode.Scalar) -> [String]) {
        let nothing = [String](repeating: "", count: count)
        let all = (0..<0x110000 as Range<UInt32>).map { value in
            value < limit ? Unicode.Scalar(value).map(texts) ?? nothing : nothing
        }
        let (numbers, blocks) = Self.shared(all, 16)
        (first, middle) = Self.shared(numbers, 64)
        columns = (0..<count).map { column in blocks.map { $0[column] } }
    }

    /// The number of each block, and the blocks without those that stand before.
    private static func shared<Element: Hashable>(
        _ elements: [Element], _ size: Int
    ) -> (numbers: [Int], blocks: [Element]) {
        var (places, numbers, blocks): ([ArraySlice<Element>: Int], [Int], [Element]) = ([:], [], [])
        for start in stride(from: 0, to: elements.count, by: size) {
            let block = elements[start..<start + size]
            let place = places[block] ?? places.count
            if place == places.count { blocks += block }
            places[block] = place
            numbers.append(place)
        }
        return (numbers, blocks)
    }

    /// The texts of a column, between bars.
    func texts(_ column: Int) -> String { "'\(columns[column].joined(separator: "|"))'" }

    /// Pairs of a text and its code point, for the code points of an expression that stands for texts between bars.
    func pairs(of codePoints: String, _ texts: String) -> String {
        "list_zip(list_select(string_split(\(texts), '|'), [\(place) FOR c IN \(codePoints)]), \(codePoints))"
    }

    /// The place of a code point `c`.
    private var place: String {
        let block = "\(Self.list(first))[unicode(c) // 1024 + 1] * 64 + unicode(c) // 16 % 64 + 1"
        return "\(Self.list(middle))[\(block)] * 16 + unicode(c) % 16 + 1"
    }

    private static func list(_ numbers: [Int]) -> String {
        "CAST(string_split('\(numbers.map(String.init).joined(separator: ","))', ',') AS BIGINT[])"
    }
}
