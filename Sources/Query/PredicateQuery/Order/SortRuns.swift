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

    /// Writes records, in the order of `places`, as a run.
    func append(_ places: [Int], of held: HeldRecords) throws(SpillError) {
        var bytes: [UInt8] = []
        for place in places {
            bytes.append(contentsOf: held[place].bytes)
            if bytes.count >= Self.pieceLength { try write(&bytes) }
        }
        try write(&bytes)
        ends.append(length)
    }

    private func write(_ bytes: inout [UInt8]) throws(SpillError) {
        do { try file.write(contentsOf: Data(bytes)) } catch { throw Self.failure(error) }
        length += bytes.count
        bytes.removeAll(keepingCapacity: true)
    }

    /// Passes the records of all runs to a closure, in order; equal records are in the order of the runs.
    func merge<Failure: Error>(
        _ order: [ValueOrder], _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void,
        failing: (SpillError) -> Failure
    ) throws(Failure) {
        func advance(_ cursor: inout RunCursor) throws(Failure) -> Bool {
            do throws(SpillError) { return try cursor.advance(self) } catch { throw failing(error) }
        }
        var cursors: [RunCursor] = []
        for (start, end) in zip([0] + ends, ends) {
            var cursor = RunCursor(start..<end, width: order.count)
            if try advance(&cursor) { cursors.append(cursor) }
        }
        while !cursors.isEmpty {
            var first = 0
            for index in cursors.indices.dropFirst()
            where order.compare(cursors[index].values, cursors[first].values) < 0 { first = index }
            try cursors[first].withRecord(body)
            if try !advance(&cursors[first]) { cursors.remove(at: first) }
        }
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

/// A position in a run, and the record there.
private struct RunCursor {
    /// The values of the record.
    private(set) var values: [OrderedValue]
    /// The range of the run that is not in memory yet, and the bytes that are.
    private var rest: Range<Int>
    private var bytes: [UInt8] = []
    /// The range of the record in memory.
    private var range = 0..<0

    init(_ run: Range<Int>, width: Int) { (rest, values) = (run, Array(repeating: .null, count: width)) }

    /// Reads the next record; returns false at the end of the run.
    mutating func advance(_ runs: SortRuns) throws(SpillError) -> Bool {
        range = range.upperBound..<range.upperBound
        guard try fill(HeldRecord.headLength, runs), let length = withHeld({ $0.bytes.count }), try fill(length, runs)
        else { return false }
        range = range.lowerBound..<range.lowerBound + length
        values = withHeld { held in values.indices.map(held.value) } ?? values
        return true
    }

    private func withHeld<Result>(_ body: (HeldRecord) -> Result) -> Result? {
        bytes.withUnsafeBytes { $0.baseAddress.map { body(HeldRecord(start: $0 + range.lowerBound)) } }
    }

    /// Passes the bytes of the record to a closure.
    func withRecord<Failure: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void) throws(Failure) {
        try withHeld { held in Result { () throws(Failure) in try body(held.record) } }?.get()
    }

    /// Reads until at least `count` bytes from the start of `range` are in memory; returns false if the run has no more.
    private mutating func fill(_ count: Int, _ runs: SortRuns) throws(SpillError) -> Bool {
        while bytes.count - range.lowerBound < count {
            let piece = try runs.read(rest.prefix(max(count, SortRuns.pieceLength)))
            if piece.isEmpty { return false }
            rest = rest.lowerBound + piece.count..<rest.upperBound
            bytes.removeFirst(range.lowerBound)
            range = 0..<0
            bytes += piece
        }
        return true
    }
}
