import PredicateData
import PredicateJSON
import PredicateSyntax
import Testing

/// Readers give the same outcomes for any division of the input into pieces, and trap for no input.
struct PiecesTests {
    static let inputs: [(String, RecordOptions)] = [
        (
            "\u{FEFF}{\"a\": \"é😀\\n\\\"\\ud83d\\ude00\"}\r\n\n \n[1,{\"b\":[]}]\r\n{\"a\":}\n\"x",
            RecordOptions(format: .jsonLines)
        ),
        ("\u{FEFF} [ {\"a\":\"],}\\\\\"} ,\n1.5e3 , \"\\\"\",[[{}]] , tru,null ] \n", RecordOptions(format: .json)),
        ("{\"a\":\"\\\\\"}{\"b\":{\"c\":[1,2]}}\n3 \"é\" [4]", RecordOptions(format: .json)),
        (
            "{\"z\":{\"a\":1},\"x\":\"\\\"{\",\"a\" : {\"q\":[],\"b\" :\n[1 , {\"c\":2}]} , \"t\":[]}",
            RecordOptions(recordsPath: "a.b")
        ),
        (
            "\u{FEFF}\"na\"\"me\",b\r\n\"x\r\ny\"\"\",1\r\n\n\"\",\"\"\r\n\"a\"b,c\nd\"e,f\n1,2,3\né,\"",
            RecordOptions(format: .csv)
        ),
        ("a\tb\r\n1\t\r\n\t2\n\n3\n\"\t\\t", RecordOptions(format: .tsv)),
        (
            "1.1.1.1 - a b [10/Oct/2000:13:55:36 -0700] \"GET / x\" 200 -\r\nz=1 y=\"a\\\"b\" x\n",
            RecordOptions(format: .log)
        ),
        ("z=1 y=\"a\\\"b\" x\nq=\"\n\na=1 b=\n", RecordOptions()),
        ("# x\na,b\n1,2\n# y\n3,4\n", RecordOptions(format: .csv)),
        ("{\"r\":[{\"a\":[1,{\"x\":2}]},3,{\"b\":0},{\"a\":null}]}", RecordOptions(recordsPath: "r.a")),
        ("{\"r\":{\"k\":{\"x\":1},\"l\":[{},{\"x\":2}],\"m\":4}}", RecordOptions(recordsPath: "r.*")),
        ("[1,2,\n3]", RecordOptions()), ("a,b\n1,2\n", RecordOptions()), ("{\"a\":1}\n{\"a\":2}", RecordOptions()),
    ]

    @Test(arguments: inputs.indices)
    func piecesDoNotMatter(_ number: Int) {
        let (text, options) = Self.inputs[number]
        let whole = read(text, options)
        #expect(!whole.isEmpty)
        for piece in 1...17 {
            #expect(read(text, options, piece: piece) == whole)
        }
    }

    /// Every beginning of each input.
    @Test(arguments: inputs.indices)
    func everyBeginningIsRead(_ number: Int) {
        let (text, options) = Self.inputs[number]
        let bytes = Array(text.utf8)
        for count in bytes.indices {
            #expect(read(Array(bytes[..<count]), options) == read(Array(bytes[..<count]), options, piece: 3))
        }
    }

    /// Inputs with bytes changed, removed and doubled at random.
    @Test(arguments: inputs.indices)
    func damagedInputIsRead(_ number: Int) {
        var generator = SeededGenerator(seed: UInt64(number) + 11)
        let text = Self.inputs[number].0
        var options = Self.inputs[number].1
        options.maximumRecordLength = 40
        for _ in 0..<1500 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) { Self.damage(&bytes, &generator) }
            let whole = read(bytes, options)
            #expect(whole == read(bytes, options, piece: Int.random(in: 1...9, using: &generator)))
            let formats: [DataFormat?] = [nil, .json, .jsonLines, .csv, .tsv, .log, .logfmt]
            options.format = formats.randomElement(using: &generator) ?? nil
            options.recordsPath = [nil, nil, "a.b", "r.a", "*.*"].randomElement(using: &generator) ?? nil
            options.comment = Bool.random(using: &generator) ? "#" : nil
            options.hasExtraFields = Bool.random(using: &generator)
            options.keys = Bool.random(using: &generator) ? ["a"] : nil
        }
    }

    private static func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard let index = bytes.indices.randomElement(using: &generator) else { return }
        let signs: [UInt8] = Array("\"\\{}[],:\n\r\t 0-1e.u".utf8) + [0, 0xFF, 0xC3, 0xF0]
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.remove(at: index)
        case 1: bytes[index] = UInt8(truncatingIfNeeded: generator.next())
        case 2: bytes[index] = signs.randomElement(using: &generator) ?? 0
        default: bytes.insert(contentsOf: bytes[index...].prefix(7), at: index)
        }
    }

    /// Records written and read again are the same, in each format.
    @Test func readsBackRandomRecords() throws {
        var generator = SeededGenerator(seed: 23)
        let values = (0..<400).map { _ in JSONWriterTests.randomValue(depth: 0, &generator) }
        let lines = values.map { JSONWriter().text(of: $0) + "\n" }.joined()
        let array = "[" + values.map { JSONWriter(isPretty: true).text(of: $0) }.joined(separator: " ,") + "]"
        for piece in [1, 13, 500, .max] {
            #expect(read(lines, RecordOptions(format: .jsonLines), piece: piece).map(\.value) == values)
            #expect(read(array, RecordOptions(format: .json), piece: piece).map(\.value) == values)
        }
    }
}
