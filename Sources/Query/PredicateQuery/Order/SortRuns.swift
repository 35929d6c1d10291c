import Foundation
import PredicateEvaluation

/// A failure to write or read a temporary file.
package struct SpillError: Error {
    /// The system's message: `No space left on device`
    package let reason: String
    package let directory = NSTemporaryDirectory()
}

/// Sorted runs of records in a temporary file.
final class SortRuns {
    private let temporary: SpillFile
    private var file: FileHandle { temporary.handle }
    private var length = 0
    /// The end of each run in the file.
    private var ends: [Int] = []

    /// The approximate number of bytes that are written or read at once.
    fileprivate static let pieceLength = 256 << 10

    init() throws(SpillError) {
        do { temporary = try SpillFile() } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> SpillError { SpillError(reason: error.localizedDescription) }

    /// Writes the records of a sorter as a run, and removes them from it.
    func append<Record: SpilledRecord>(_ sorter: inout RecordSorter<Record>) throws(SpillError) {
        var spilled = SpilledBytes()
        try sorter.removeAll { (values, record) throws(SpillError) in
            spilled.append(values, record)
            if spilled.bytes.count >= Self.pieceLength { try write(&spilled) }
        }
        try write(&spilled)
        ends.append(length)
    }

    private func write(_ spilled: inout SpilledBytes) throws(SpillError) {
        do { try file.write(contentsOf: Data(spilled.bytes)) } catch { throw Self.failure(error) }
        length += spilled.bytes.count
        spilled = SpilledBytes()
    }

    /// Passes the records of all runs to a closure, in order; equal records are in the order of the runs.
    func merge<Record: SpilledRecord, Failure: Error>(
        _ order: [ValueOrder], _ body: (Record) throws(Failure) -> Void, failing: (SpillError) -> Failure
    ) throws(Failure) {
        var cursors = try cursors(Record.self, failing: failing)
        while !cursors.isEmpty {
            var first = 0
            for index in cursors.indices.dropFirst()
            where order.compare(cursors[index].values, cursors[first].values) < 0 { first = index }
            if let record = cursors[first].record { try body(record) }
            if try !advance(&cursors[first], failing: failing) { cursors.remove(at: first) }
        }
    }

    /// Returns a cursor at the first record of each run.
    private func cursors<Record: SpilledRecord, Failure: Error>(
        _ type: Record.Type, failing: (SpillError) -> Failure
    ) throws(Failure) -> [RunCursor<Record>] {
        var cursors: [RunCursor<Record>] = []
        for (start, end) in zip([0] + ends, ends) {
            var cursor = RunCursor<Record>(start..<end)
            if try advance(&cursor, failing: failing) { cursors.append(cursor) }
        }
        return cursors
    }

    private func advance<Record: SpilledRecord, Failure: Error>(
        _ cursor: inout RunCursor<Record>, failing: (SpillError) -> Failure
    ) throws(Failure) -> Bool {
        do throws(SpillError) { return try cursor.advance(self) } catch { throw failing(error) }
    }

    /// Reads the bytes in a range, or as many of them as one read returns.
    fileprivate func read(_ range: Range<Int>) throws(SpillError) -> [UInt8] {
        do {
            try file.seek(toOffset: UInt64(range.lowerBound))
            return Array(try file.read(upToCount: range.count) ?? Data())
        } catch {
            throw Self.failure(error)
        }
    }
}

/// A position in a run, and the record before it.
private struct RunCursor<Record: SpilledRecord> {
    private(set) var values: [OrderedValue] = []
    private(set) var record: Record?
    /// The range of the run that is not in memory yet.
    private var rest: Range<Int>
    private var spilled = SpilledReader([])

    init(_ run: Range<Int>) {
        rest = run
    }

    /// Reads the next record; returns false at the end of the run.
    mutating func advance(_ runs: SortRuns) throws(SpillError) -> Bool {
        guard try fill(SpilledBytes.wordLength, runs) else { return false }
        guard try fill(spilled.integer(), runs) else { return false }
        values = spilled.values()
        record = Record(from: &spilled)
        return true
    }

    /// Reads at least some bytes into memory; returns false if the run has no more.
    private mutating func fill(_ count: Int, _ runs: SortRuns) throws(SpillError) -> Bool {
        while spilled.count < count {
            let piece = try runs.read(rest.prefix(max(count, SortRuns.pieceLength)))
            if piece.isEmpty { return false }
            rest = rest.lowerBound + piece.count..<rest.upperBound
            spilled.append(piece)
        }
        return true
    }
}
