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

    private static func record(_ number: Int, _ value: PredicateValue) -> PreparedRecord {
        let text = Array(String(number).utf8)
        let cells: [RowCell] = [
            .value(.integer(Int64(number))), .value(value), .text(text), .json(Array("[1, {}]".utf8)),
            .day(Date(timeIntervalSinceReferenceDate: 86_400 * Double(number % 50))),
        ]
        switch number % 3 {
        case 0: return number % 2 == 0 ? .text(text) : .placed(text, position: [58])
        case 1: return .cells(cells.map(\.text))
        default: return .members(text)
        }
    }

    /// What is written of a record.
    private static func written(_ record: PreparedRecord) -> [[UInt8]] {
        switch record {
        case .text(let text), .members(let text): [text]
        case .placed(let text, let position): [text, position]
        case .cells(let cells): cells
        }
    }

    private func sorted(_ count: Int, mostBytes: Int) throws -> [[[UInt8]]] {
        let sorter = SpillingSorter<PreparedRecord>(Self.order, limit: nil, mostBytes: mostBytes)
        var state: UInt64 = 7
        for number in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let first = Self.values[Int(state >> 33) % Self.values.count]
            let second = Self.values[Int(state >> 48) % 4]
            try sorter.add(Self.record(number, first), values: [OrderedValue(first), OrderedValue(second)])
        }
        var records: [[[UInt8]]] = []
        try sorter.passOn { (record) throws(CommandFailure) in records.append(Self.written(record)) }
        return records
    }

    @Test(arguments: [1, 3_000, 100_000])
    func aFileSortsAsMemoryDoes(mostBytes: Int) throws {
        for count in [0, 1, 2, 3_000] {
            #expect(try sorted(count, mostBytes: mostBytes) == sorted(count, mostBytes: .max))
        }
    }

    /// Pieces of a run that are read at once end within matches.
    @Test func matchesMayBeLongerThanAPiece() throws {
        let sorter = SpillingSorter<PreparedRecord>(Self.order, limit: nil, mostBytes: 3 << 20)
        for number in 0..<40 {
            let text = [UInt8](repeating: UInt8(65 + number % 26), count: number * 20_000)
            try sorter.add(
                .text(text), values: [.number(.integer(Int64(number * 7 % 40))), .null])
        }
        var lengths: [Int] = []
        try sorter.passOn { (record) throws(CommandFailure) in lengths.append(record.size) }
        #expect(lengths == (0..<40).sorted { $0 * 7 % 40 < $1 * 7 % 40 }.map { $0 * 20_000 })
    }

    @Test func theFileHasNoName() throws {
        let runs = try SortRuns()
        var sorter = RecordSorter<PreparedRecord>(Self.order, limit: nil)
        sorter.add(.text([]), values: [.null, .null])
        try runs.append(&sorter)
        let names = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
        #expect(!names.contains { $0.hasPrefix("predicate-sort-") })
    }
}
