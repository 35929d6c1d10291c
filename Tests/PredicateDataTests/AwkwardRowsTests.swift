import Foundation
import PredicateData
import PredicateSyntax
import Testing

/// Rows with fewer fields than the header, stray quotes, and files without a header.
struct AwkwardRowsTests {
    private func options(ragged: Bool = false, lazy: Bool = false, header: Bool? = nil) -> RecordOptions {
        var options = RecordOptions(format: .csv)
        (options.isRagged, options.hasLazyQuotes, options.hasHeader) = (ragged, lazy, header)
        return options
    }

    private func values(_ text: String, _ options: RecordOptions) throws -> [[String: PredicateValue]] {
        let reader = try RecordReader(source: MemorySource(text), options: options)
        var rows: [[String: PredicateValue]] = []
        while let record = try reader.next() {
            if case .dictionary(let members) = record.value { rows.append(members) }
        }
        return rows
    }

    @Test func missingFieldsAreNil() throws {
        let text = "a,b,c\n1,x\n2,y,3.5\n4\n"
        #expect(
            try values(text, options(ragged: true)) == [
                ["a": 1, "b": "x", "c": .null], ["a": 2, "b": "y", "c": 3.5], ["a": 4, "b": .null, "c": .null],
            ])
        #expect(
            read("a,b\n1,2,3\n", options(ragged: true)) == [
                .error(.fieldCount(expected: 2, found: 3), line: 2, column: 1, isRecoverable: true)
            ])
    }

    /// The cells of rows with few fields decide types, too.
    @Test func raggedRowsHaveTypes() throws {
        #expect(try values("a,b\nx\n1,2\n", options(ragged: true)).map { $0["a"] } == ["x", "1"])
        #expect(try values("a;b;c\n1;2\n3;4\n", options(ragged: true)).map { $0["b"] } == [2, 4])
    }

    @Test(arguments: [
        ("a,b\nTV,55\" wide\nradio,3\n", ["55\" wide", "3"]),
        ("a,b\nx,\"say \"hi\" to\"\n", ["say \"hi\" to"]),
        ("a,b\nx,\"one \"\"two\"\" three\"\n", ["one \"two\" three"]),
        ("a,b\nx, \"y\" \n", ["y"]),
        ("a,b\nx,\"y\"\"\" z\"\n", ["y\"\" z"]),
        ("a,b\nx,\"1\n2\" \"3\"\ny,z\n", ["1\n2\" \"3", "z"]),
        ("a,b\r\nx,\"y\" \r\nz,w\r\n", ["y", "w"]),
        ("a,b\nx, y\"\n", [" y\""]),
    ])
    func lazyQuotesAreCharacters(text: String, cells: [String]) throws {
        #expect(try values(text, options(lazy: true)).map { $0["b"] } == cells.map { .string($0) })
    }

    @Test func lazyNumbersAreNumbers() throws {
        #expect(try values("a,b\n \"1\" ,2\n3,4\n", options(lazy: true)).map { $0["a"] } == [1, 3])
    }

    /// A row that cannot be divided is the one that is reported, not the header.
    @Test func oneBadRowLeavesTheDelimiter() {
        let text = "\"ColA\"|\"ColB\"\n\"s\"|\"A\nB\"\n\"s\"|\"A \"B\"\nA\"\n"
        #expect(
            read(text, options()) == [
                .record(["ColA": "s", "ColB": "A\nB"], text: "\"s\"|\"A\nB\"", line: 2, index: 0),
                .error(.textAfterQuote, line: 4, column: 9, isRecoverable: true),
                .error(.unexpectedQuote, line: 5, column: 2, isRecoverable: true),
            ])
    }

    @Test(arguments: [
        "1|Action|2006-02-15 04:46:27\n2|Animation|2006-02-15 04:46:27\n", "1,Jo\n2,Al\n", "5.5,x\n7,y\n",
        "2024-01-31,x\n2024-02-29,y\n", "\n7,Jo,3\n9,Al,5\n", "TRUE,a\nFALSE,b\n",
    ])
    func theFirstRowIsData(text: String) throws {
        let reader = try RecordReader(source: MemorySource(text), options: options())
        #expect(reader.header?.columns.prefix(2) == ["column1", "column2"])
        #expect(reader.header?.raw == nil)
        #expect(reader.notes == [.noHeader])
        #expect(try values(text, options()).count == 2)
        #expect(try values(text, options(header: true)).count == 1)
    }

    /// Words, years, numbers in succession, quoted names and empty cells are names of columns, and so are names that
    /// the caller uses.
    @Test(arguments: [
        "a,b\n1,2\n", "country,2019,2020\nDE,1,2\n", "x,1,2,3\nDE,1,2,3\n", "\"5\",\"x\"\n7,y\n", ",0,1\n0,5,6\n",
        "2020-01-01,2020-02-01\n1,2\n", "id,5\n1,2\n", "x,y\nu,v\n", "5,7\n", "t,b\nf,c\n", ",0\n0,5\n",
    ])
    func theFirstRowHasNames(text: String) throws {
        let reader = try RecordReader(source: MemorySource(text), options: options())
        #expect(reader.header?.raw != nil)
        #expect(!reader.notes.contains(.noHeader))
    }

    @Test func usedNamesAreNames() throws {
        var options = options()
        options.keys = ["5"]
        #expect(try values("5,9\n7,8\n", options).map { $0["5"] } == [7])
        #expect(try values("x\ny\n", self.options(header: false)).map { $0["column1"] } == ["x", "y"])
    }

    /// A header with all declared names decides the format, so that a slow pipe is read row by row.
    @Test func declaredNamesNeedNoSample() throws {
        let source = PieceSource(["a;b\n", "1;x\n", "2;y\n"])
        var options = RecordOptions(types: ["a": .integer])
        options.keys = ["a"]
        let reader = try RecordReader(source: source, options: options)
        #expect(reader.format == .csv)
        #expect(source.count < 3)
        #expect(try reader.next()?.value == ["a": 1])
        #expect(source.count < 3)
    }

    /// The share of valid sequences decides the encoding, wherever the invalid byte is.
    @Test func aBadByteIsTheErrorOfItsRow() {
        let good = Array("2,café\n3,naïve\n".utf8)
        let bad: [UInt8] = [0x31, 0x2C, 0xFF, 0x0A]
        for rows in [bad + good, good + bad] {
            let outcomes = read(Array("id,t\n".utf8) + rows, options())
            #expect(outcomes.compactMap(\.code) == [.invalidUTF8])
            #expect(outcomes.compactMap(\.value) == [["id": 2, "t": "café"], ["id": 3, "t": "naïve"]])
            let lines = read(rows, RecordOptions(format: .lines)).compactMap(\.text)
            #expect(Set(lines) == ["1,ÿ", "2,café", "3,naïve"])
        }
        #expect(read([0xE9, 0x20, 0xC3, 0xA9, 0x0A], RecordOptions(format: .lines)).count == 1)
        let latin = read(Array("id,t\n".utf8) + [0x31, 0x2C, 0x63, 0xE9, 0x0A], options())
        #expect(latin.compactMap(\.value) == [["id": 1, "t": "cé"]])
    }
}

/// A pipe that returns one piece at a time.
private final class PieceSource: ByteSource {
    private let pieces: [[UInt8]]
    private(set) var count = 0

    init(_ pieces: [String]) {
        self.pieces = pieces.map { Array($0.utf8) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard count < pieces.count else { return 0 }
        defer { count += 1 }
        buffer.copyBytes(from: pieces[count])
        return pieces[count].count
    }
}
