import Foundation
import PredicateData
import PredicateSyntax
import Testing

struct DelimitedRecordsTests {
    private let csv = RecordOptions(format: .csv)

    @Test func readsRows() {
        let text = "\u{FEFF}name,age\r\njo,21\r\n\"a \"\"b\"\"\",\n\n\"x,\ny\",\"3\"\nlast,\"\""
        #expect(
            read(text, csv) == [
                .record(["name": "jo", "age": 21], text: "jo,21", line: 2, index: 0),
                .record(["name": "a \"b\"", "age": .null], text: "\"a \"\"b\"\"\",", line: 3, index: 1),
                .record(["name": "x,\ny", "age": 3], text: "\"x,\ny\",\"3\"", line: 5, index: 2),
                .record(["name": "last", "age": .null], text: "last,\"\"", line: 7, index: 3),
            ])
    }

    @Test func keepsTheHeader() throws {
        let reader = try RecordReader(source: MemorySource("\n\"a,b\",c\r\n1,2\n"), options: csv)
        #expect(reader.header?.columns == ["a,b", "c"])
        #expect(reader.header?.raw == Array("\"a,b\",c".utf8))
        #expect(try RecordReader(source: MemorySource(""), options: csv).header == nil)
    }

    @Test func goesOnBehindABadRow() {
        let bytes =
            Array("a,b\n1\n1,2,3\nx\"y,2\n\"x\"y,2\n\"x\n\"y,\"\n\"\n".utf8) + [0x61, 0xFF, 0x2C]
            + Array("\n4,5\n\"6,".utf8)
        var options = csv
        options.encoding = .utf8
        #expect(
            read(bytes, options) == [
                .error(.fieldCount(expected: 2, found: 1), line: 2, column: 1, isRecoverable: true),
                .error(.fieldCount(expected: 2, found: 3), line: 3, column: 1, isRecoverable: true),
                .error(.unexpectedQuote, line: 4, column: 2, isRecoverable: true),
                .error(.textAfterQuote, line: 5, column: 4, isRecoverable: true),
                .error(.textAfterQuote, line: 7, column: 2, isRecoverable: true),
                .error(.invalidUTF8, line: 9, column: 2, isRecoverable: true),
                .record(["a": "4", "b": 5], text: "4,5", line: 10, index: 6),
                .error(.unterminatedQuote, line: 11, column: 1, isRecoverable: true),
            ])
    }

    @Test(
        arguments: [
            ("a,\"b\n", DataError.Code.unterminatedQuote),
            ("a\"\n", .unexpectedQuote),
        ] as [(String, DataError.Code)])
    func refusesABadHeader(_ text: String, _ code: DataError.Code) {
        let outcomes = read(text, csv)
        #expect(outcomes.map(\.code) == [code])
        if case .error(_, _, _, let isRecoverable) = outcomes.first { #expect(!isRecoverable) }
        #expect(
            read("a,b\n1,2", RecordOptions(format: .csv, types: ["c": .date])).map(\.code) == [
                .unknownColumn("c", nearMisses: ["a", "b"])
            ])
    }

    @Test func readsTabsWithoutQuoting() {
        let text = "name\tnote\n\"jo\ta,b\r\n\\t\t\n\tx\n"
        #expect(
            read(text, RecordOptions(format: .tsv)).map(\.value) == [
                ["name": "\"jo", "note": "a,b"], ["name": "\\t", "note": .null], ["name": .null, "note": "x"],
            ])
    }

    @Test func oneColumnMayBeEmpty() {
        #expect(read("a\n1\n\n2\n", csv).map(\.value) == [["a": 1], ["a": .null], ["a": 2]])
    }

    @Test func readsOnlyWantedColumns() {
        let options = RecordOptions(format: .csv, types: ["b": .string], keys: ["b", "zz"])
        #expect(read("a,b,c\n1,2,3\n4,,6\n", options).map(\.value) == [["b": "2"], ["b": .null]])
    }

    @Test func readsAHugeField() {
        let long = String(repeating: "x\"\"\n,", count: 300_000)
        let outcomes = read("a,b\n\"\(long)\",1\n2,3\n", csv, piece: 65_536)
        #expect(outcomes.map { $0.value?.member("b") } == [1, 3])
        #expect(outcomes[0].value?.member("a") == .string(String(repeating: "x\"\n,", count: 300_000)))
        #expect(outcomes[1] == .record(["a": "2", "b": 3], text: "2,3", line: 300_003, index: 1))
    }

    @Test func limitsTheLengthOfARow() {
        let options = RecordOptions(format: .csv, maximumRecordLength: 12)
        let text = "a,b\n\"0123\n456\",789\n1,2\n"
        for piece in [1, 5, .max] {
            #expect(
                read(text, options, piece: piece) == [
                    .error(.recordTooLong(limit: 12), line: 2, column: 1, isRecoverable: true),
                    .record(["a": "1", "b": 2], text: "1,2", line: 4, index: 1),
                ])
        }
    }
}

extension PredicateValue {
    fileprivate func member(_ key: String) -> PredicateValue? {
        if case .dictionary(let members) = self { return members[key] }
        return nil
    }
}

struct ColumnTypeTests {
    private func value(_ field: String, as type: ColumnType) -> PredicateValue? {
        let outcome = read("x\n\(field)\n", RecordOptions(format: .csv, types: ["x": type])).first
        guard case .dictionary(let members) = outcome?.value else { return nil }
        return members["x"]
    }

    @Test(
        arguments: [
            ("42", PredicateValue.integer(42)), ("-7", -7), ("0", 0), ("004", "004"), ("+1", "+1"), ("1.", "1."),
            (".5", ".5"),
            ("1.0", 1.0), ("1e3", 1000.0), ("-1.5E-2", -0.015), ("true", true), ("FALSE", false), ("True", true),
            ("yes", "yes"),
            (" 1", " 1"), ("1 ", "1 "), ("-", "-"), ("1e400", "1e400"), ("-1e999", .double(-.infinity)),
            ("9223372036854775807", .integer(.max)),
            ("nan", "nan"),
            ("0x10", "0x10"), ("2001-01-01", "2001-01-01"), ("\"42\"", 42), ("\"\"", .null), ("", .null),
            ("tru\u{15}", "tru\u{15}"),
        ] as [(String, PredicateValue)])
    func decidesFieldByField(_ field: String, _ expected: PredicateValue) {
        #expect(value(field, as: .automatic) == expected)
    }

    @Test func keepsDigitsBeyondIntegers() throws {
        let decimal = try #require(Decimal(string: "123456789012345678901"))
        #expect(value("123456789012345678901", as: .automatic) == .decimal(decimal))
        let digits = String(repeating: "7", count: 50)
        #expect(value(digits, as: .automatic) == .string(digits))
    }

    @Test func convertsDeclaredColumns() throws {
        #expect(value("004", as: .string) == "004")
        #expect(value("", as: .string) == .null)
        #expect(value("\"\"", as: .string) == "")
        #expect(value("+007", as: .integer) == 7)
        #expect(value("", as: .integer) == .null)
        #expect(value("1", as: .double) == 1.0)
        #expect(value(".5", as: .double) == 0.5)
        #expect(value("-1e999", as: .double) == .double(-.infinity))
        #expect(value("", as: .data) == .null)
        #expect(value("\"\"", as: .data) == .data(Data()))
        #expect(value("\"\"", as: .date) == .null)
        #expect(value("Yes", as: .boolean) == true)
        #expect(value("0", as: .boolean) == false)
        #expect(value("1.10", as: .decimal) == Decimal(string: "1.1").map(PredicateValue.decimal))
        #expect(value("aGk=", as: .data) == .data(Data("hi".utf8)))
        let id = "137DECC8-B300-4954-A233-F89909F4FD89"
        #expect(value(id, as: .uuid) == UUID(uuidString: id).map(PredicateValue.uuid))
        #expect(value("2001-01-01T00:00:01Z", as: .date) == .date(Date(timeIntervalSinceReferenceDate: 1)))
    }

    @Test(
        arguments: [
            ("abc", ColumnType.integer), ("1.5", .integer), ("1,5.0", .double), ("nan", .double), ("0x10", .double),
            ("1e400", .double),
            ("abc", .decimal), ("1.2.3", .decimal), ("maybe", .boolean), ("2001-13-01", .date), ("137DECC8", .uuid),
            ("%%", .data),
            ("-", .integer), ("e", .double), (String(repeating: "7", count: 40), .decimal), ("1e-400", .decimal),
            ("1e400", .decimal),
        ] as [(String, ColumnType)])
    func refusesWhatDoesNotFit(_ field: String, _ type: ColumnType) {
        let outcome = read("a,x\n1,\"\(field)\"\n", RecordOptions(format: .csv, types: ["x": type])).first
        #expect(outcome?.code == .typeMismatch(column: "x", type: type, found: field))
        if case .error(_, let line, _, let isRecoverable) = outcome { #expect(line == 2 && isRecoverable) }
    }

    @Test func readsDeclarations() throws {
        #expect(
            try ColumnType.types("name=string,age=Integer,a=b=date") == [
                "name": .string, "age": .integer, "a=b": .date,
            ])
        #expect(try ColumnType.types("") == [:])
        #expect(
            try ColumnType.types("a=int,b=float,c=text,d=bool,e=str,f=number,g=datetime,h=Float64") == [
                "a": .integer, "b": .double, "c": .string, "d": .boolean, "e": .string, "f": .double, "g": .date,
                "h": .double,
            ])
        #expect(throws: DataError(.unknownColumnType("colour"), offset: 8, column: 8)) {
            try ColumnType.types("é=uuid,b=colour")
        }
        #expect(throws: DataError(.invalidTypeDeclaration("b"), offset: 7, column: 8)) {
            try ColumnType.types("a=uuid,b")
        }
        #expect(throws: DataError(.invalidTypeDeclaration("=date"))) { try ColumnType.types("=date") }
    }
}
