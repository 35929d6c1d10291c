import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

extension Session {
    /// Returns a table of the keys of a file, of all its records: types, nil, different values, the least and the greatest.
    ///
    /// `path` restricts it to a key and the keys of its values. Sentences about the columns follow the table.
    package func description(of path: String?) throws(SessionError) -> String {
        try requireObjects()
        let ranges = ValueRanges(path)
        var statistics = KeyStatistics(in: zone)
        for row in 0..<table.count { statistics.add(table[row], ranges.add) }
        rest?.forEach { record in statistics.add(.value(record.value), ranges.add) }
        statistics.finish(table.columns)
        let keys = statistics.keys.filter { ranges.contains($0.path) }
        guard !keys.isEmpty else { throw unknownKey(path ?? "", statistics) }
        let summary = "\(Count.of(statistics.count, "object")), \(Count.of(keys.count, "key"))"
        let reasons = keys.compactMap { columnTypes[$0.path]?.reason($0.path) }
        let notes = loadNotes.filter { $0.column.map(ranges.contains) ?? false }.map(\.message) + reasons
        return ([summary] + descriptionTable(keys, ranges) + notes.map { "note: \($0)" }).joined(separator: "\n")
    }

    private func unknownKey(_ path: String, _ statistics: KeyStatistics) -> SessionError {
        guard !path.isEmpty else { return SessionError("the objects have no keys") }
        return SessionError(
            "no object has the key '\(path)'",
            hints: NearMiss.hints(NearMiss.candidates(for: path, among: statistics.keys.map(\.path))))
    }

    private func descriptionTable(_ keys: [KeyFacts], _ ranges: ValueRanges) -> [String] {
        func cells(_ body: (ValueRange) -> PredicateValue) -> [String] {
            keys.map { facts in
                guard let range = ranges[facts.path] else { return "" }
                return ValueText.literal(.value(body(range)), in: zone).cut(toColumns: 40)
            }
        }
        let types = keys.map { columnTypes[$0.path]?.name ?? $0.typeText }
        let range = [
            TextTable.Column("different", keys.map { ranges[$0.path]?.differentText ?? "" }, alignsRight: true),
            TextTable.Column("least", cells(\.least)), TextTable.Column("greatest", cells(\.greatest)),
        ]
        return TextTable(Self.columns(of: keys, types: types, range), width: settings.width).lines(painter)
    }

    /// Returns the columns of a table of keys; others stand before the examples.
    static func columns(
        of keys: [KeyFacts], types: [String], _ others: [TextTable.Column] = []
    ) -> [TextTable.Column] {
        let facts = [
            TextTable.Column("key path", keys.map { $0.path.printable }), TextTable.Column("type", types),
            TextTable.Column("nil", keys.map { Count.share($0.nils, of: $0.total) }, alignsRight: true),
        ]
        let examples = keys.map { $0.examples.joined(separator: ", ").cut(toColumns: 60) }
        return facts + others + [TextTable.Column("examples", examples)]
    }
}

/// The type of a column of CSV, and why it has this type.
struct ColumnTypeFacts {
    let reading: ColumnReading
    let exception: ColumnException?

    /// Returns the facts about the columns under a header, by name.
    static func all(of header: RecordHeader?) -> [String: ColumnTypeFacts] {
        var facts: [String: ColumnTypeFacts] = [:]
        for (column, reading) in zip(header?.columns ?? [], header?.readings ?? []) {
            facts[column] = ColumnTypeFacts(reading: reading, exception: header?.exceptions[column])
        }
        return facts
    }

    /// `integer`, `date (dmy)`, `double (decimal comma)`
    var name: String {
        if let notation = reading.dateNotation { return "\(reading.type.rawValue) (\(notation.rawValue))" }
        return reading.type.rawValue + (reading.hasDecimalComma ? " (decimal comma)" : "")
    }

    /// A sentence about a column of strings that one cell keeps from having another type; nil for other columns.
    func reason(_ column: String) -> String? {
        exception.map { "'\(column)' is \(reading.type.noun), \($0.reason)" }
    }
}

/// The ranges of the values of some keys.
private final class ValueRanges {
    private var ranges: [String: ValueRange] = [:]
    private let path: String?
    /// The number of different values that may still be held, of all keys together.
    private var room = 2_000_000

    init(_ path: String?) { self.path = path }

    subscript(path: String) -> ValueRange? { ranges[path] }

    func contains(_ path: String) -> Bool {
        self.path.map { path == $0 || path.hasPrefix($0 + ".") } ?? true
    }

    func add(_ path: String, _ value: KeyedValue) {
        guard contains(path), value.entries == nil, !value.isNull, let value = value.predicateValue else { return }
        ranges[path, default: ValueRange()].add(value, room: &room)
    }
}

/// The least and the greatest of some values, and the number of different ones. [NSP-510] [NSP-511]
private struct ValueRange {
    private var minimum = Accumulator(.minimum)
    private var maximum = Accumulator(.maximum)
    /// Nil if there are too many different values to count.
    private var different: Accumulator? = Accumulator(.countDistinct)
    private var differentCount = 0

    /// The maximum number of different values that are held to count them.
    private static let mostDifferent = 100_000

    var least: PredicateValue { minimum.value }
    var greatest: PredicateValue { maximum.value }

    /// `12`, or `> 100,000` if there are too many to count
    var differentText: String {
        different == nil ? "> \(Count.grouped(differentCount - 1))" : Count.grouped(differentCount)
    }

    /// Adds a value. `room` is the number of different values that may still be held.
    mutating func add(_ value: PredicateValue, room: inout Int) {
        _ = (minimum.add(value), maximum.add(value), different?.add(value))
        guard case .integer(let count)? = different?.value else { return }
        room -= Int(count) - differentCount
        differentCount = Int(count)
        guard differentCount > Self.mostDifferent || room < 0 else { return }
        room += differentCount
        different = nil
    }
}
