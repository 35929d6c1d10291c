import PredicateData
import Testing

/// Rows that `--distinct -k` and `--distinct-on` leave out are found while lines are sifted: also in files of several read
/// buffers, which two cores share.
struct RepeatedRowTests {
    private static let count = 40_000

    /// A value that comes again and again, in no order.
    private static func value(_ id: Int) -> Int { id * id % 1_009 }

    /// Every third value is written as a double.
    private static func text(_ id: Int) -> String { id % 3 == 0 ? "\(value(id)).0" : "\(value(id))" }

    private static let inputs = [
        "jsonl": (1...count).map { "{\"id\": \($0), \"v\": \(text($0)), \"name\": \"name \(value($0) % 300)\"}\n" },
        "csv": ["id,v,name\n"] + (1...count).map { "\($0),\(text($0)),name \(value($0) % 300)\n" },
    ]

    /// The first rows of each key.
    private static func ids(_ limit: Int, from first: Int = 1, of key: (Int) -> Int?) -> [Int] {
        var counts: [Int?: Int] = [:]
        return (first...count).filter { id in
            counts[key(id), default: 0] += 1
            return counts[key(id), default: 0] <= limit
        }
    }

    private static let ofNames = ids(1) { value($0) % 300 }
    private static let questions: [(words: [String], ids: [Int])] = [
        (["--distinct-on", "v"], ids(1, of: value)), (["--distinct-on", "v", "--each", "30"], ids(30, of: value)),
        (["--distinct-on", "name", "--each", "2"], ids(2) { value($0) % 300 }),
        (["--distinct-on", "name,v", "--each", "70"], ids(70, of: value)),
        (["--distinct-on", "TERNARY(v > 500, v, nil)"], ids(1) { value($0) > 500 ? value($0) : nil }),
        (["id > 20000", "--distinct-on", "v", "--each", "2"], ids(2, from: 20_001, of: value)),
        (["--distinct-on", "v", "--each", "60", "--last", "5"], ids(60, of: value).suffix(5)),
        (
            ["--distinct-on", "v", "--each", "60", "--offset", "29000", "--first", "9"],
            ids(60, of: value).dropFirst(29_000).prefix(9) + []
        ),
        (
            ["--distinct-on", "v", "--each", "3", "--sort", "-id"],
            (1...count).reversed().reduce(into: (ids: [Int](), counts: [Int: Int]())) { found, id in
                found.counts[value(id), default: 0] += 1
                if found.counts[value(id), default: 0] <= 3 { found.ids.append(id) }
            }.ids
        ),
    ]

    @Test(arguments: ["jsonl", "csv"])
    func repeatedMatchesAreLeftOut(format: String) {
        for (words, ids) in Self.questions {
            let outcome = filter(words + ["-k", "id", "-o", "tsv"], format)
            #expect(outcome == .success("id\n" + ids.map { "\($0)\n" }.joined()), "\(words)")
            let pieces = filter(words + ["-k", "id", "-o", "tsv"], format, maximumPiece: 99_999)
            #expect(pieces == outcome, "\(words)")
        }
    }

    @Test(arguments: ["jsonl", "csv"])
    func repeatedRowsAreLeftOut(format: String) {
        let names = Self.ofNames.map { "name \(Self.value($0) % 300)\n" }
        for pieces in [1 << 20, 99_999] {
            let written = filter(["--distinct", "-k", "name", "-o", "tsv"], format, maximumPiece: pieces)
            #expect(written == .success("name\n" + names.joined()))
            let sorted = ["--distinct", "-k", "name", "--sort", "name", "--first", "7", "-o", "tsv"]
            let first = filter(sorted, format, maximumPiece: pieces)
            #expect(first == .success("name\n" + names.sorted().prefix(7).joined()))
            let count = filter(["--distinct", "-k", "v, name", "-c"], format, maximumPiece: pieces)
            #expect(count == .success("\(Self.ids(1, of: Self.value).count)\n"))
        }
    }

    private func filter(_ words: [String], _ format: String, maximumPiece: Int = .max) -> Outcome {
        let input = Array(Self.inputs[format, default: []].joined().utf8)
        return predicate(
            ["filter", "-f", format] + words, source: MemorySource(input, maximumPiece: maximumPiece))
    }
}
