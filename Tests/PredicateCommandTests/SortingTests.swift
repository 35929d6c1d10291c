import Foundation
import PredicateData
import PredicateEvaluation
import PredicateSyntax
import Testing

@testable import PredicateCommand
@testable import PredicateQuery

/// Sorting in memory and in a temporary file. [NSP-491]
struct SortingTests {
    private static let values: [PredicateValue] = [
        .null, .bool(true), .integer(.max), .integer(.max - 1), .integer(-3), .double(2.5), .double(-0.0), .integer(0),
        .double(.nan), .double(.infinity), .decimal(Decimal(25) / 10), .date(Date(timeIntervalSinceReferenceDate: 1.5)),
        .string(""), .string("é"), .string("e\u{301}"), .string("a\"b\\\n"),
        .string(String(repeating: "x", count: 300)),
        .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))), .data(Data([255, 0, 62])),
        .array([.integer(1), .string("x")]), .dictionary(["k": .null]), .url(URL(fileURLWithPath: "/a b\"c")),
    ]
    private static let order = [ValueOrder(SortKey("a")), ValueOrder(SortKey("b", ascending: false))]

    private func sorted(_ count: Int, mostBytes: Int) throws -> [[UInt8]] {
        let sorter = RecordSorter(Self.order, limit: nil, mostBytes: mostBytes)
        var state: UInt64 = 7
        for number in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let first = Self.values[Int(state >> 33) % Self.values.count]
            let second = Self.values[Int(state >> 48) % 4]
            sorter.append(first)
            sorter.append(second)
            try sorter.add(Array("\(number) \(first)".utf8))
        }
        var records: [[UInt8]] = []
        try sorter.passOn { (record) throws(CommandFailure) in records.append(Array(record)) }
        return records
    }

    @Test(arguments: [1, 3_000, 100_000])
    func aFileSortsAsMemoryDoes(mostBytes: Int) throws {
        for count in [0, 1, 2, 3_000] {
            #expect(try sorted(count, mostBytes: mostBytes) == sorted(count, mostBytes: .max))
        }
    }

    /// Flat values have the same order as values of the library, and so have the first records within a limit.
    @Test func flatValuesSortAsOthersDo() throws {
        let texts = (0..<400).map { PredicateValue.string("a long text with a number at its end \($0 * 7 % 90)") }
        let values = Self.values + texts
        for limit in [nil, 1, 10, 600] {
            let (plain, flat) = (RecordSorter(Self.order, limit: limit), RecordSorter(Self.order, limit: limit))
            for number in 0..<4_000 {
                let (first, second) = (values[number * 31 % values.count], values[number * 17 % values.count])
                for value in [first, second] {
                    plain.append(value)
                    if !Self.append(value, to: flat) { flat.append(value) }
                }
                let record = Array("\(number)".utf8)
                try plain.add(record)
                try flat.add(record)
            }
            var (expected, found): ([[UInt8]], [[UInt8]]) = ([], [])
            try plain.passOn { (record) throws(CommandFailure) in expected.append(Array(record)) }
            try flat.passOn { (record) throws(CommandFailure) in found.append(Array(record)) }
            #expect(found == expected)
            #expect(found.count == min(limit ?? 4_000, 4_000))
        }
    }

    /// Adds the flat form of a value; returns false if it has none.
    private static func append(_ value: PredicateValue, to sorter: RecordSorter) -> Bool {
        switch value {
        case .null: sorter.append(flat: .null)
        case .bool(let value): sorter.append(flat: .bool(value))
        case .integer(let number): sorter.append(flat: .integer(number))
        case .double(let number): sorter.append(flat: .double(number))
        case .date(let date): sorter.append(flat: .date(date.timeIntervalSinceReferenceDate))
        case .string(var text): text.withUTF8 { sorter.append(flat: .text($0)) }
        case .nullObject, .decimal, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object,
            .expression, .predicate:
            false
        }
    }

    /// Pieces of a run that are read at once end within matches.
    @Test func matchesMayBeLongerThanAPiece() throws {
        let sorter = RecordSorter(Self.order, limit: nil, mostBytes: 3 << 20)
        for number in 0..<40 {
            let text = [UInt8](repeating: UInt8(65 + number % 26), count: number * 20_000)
            sorter.append(PredicateValue.integer(Int64(number * 7 % 40)))
            sorter.append(PredicateValue.null)
            try sorter.add(text)
        }
        var lengths: [Int] = []
        try sorter.passOn { (record) throws(CommandFailure) in lengths.append(record.count) }
        #expect(lengths == (0..<40).sorted { $0 * 7 % 40 < $1 * 7 % 40 }.map { $0 * 20_000 })
    }

    @Test func theFileHasNoName() throws {
        let runs = try SortRuns()
        let held = HeldRecords()
        held.append([], [1])
        try runs.append([0], of: held)
        let names = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
        #expect(!names.contains { $0.hasPrefix("predicate-sort-") })
    }
}
