import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Sorted runs of matches in a temporary file.
///
/// The file has no name from the beginning, so it does not outlive the process, however that ends.
final class SortRuns {
    private let file: FileHandle
    private var length = 0
    /// The end of each run in the file.
    private var ends: [Int] = []

    /// About the number of bytes that are written or read at once.
    fileprivate static let pieceLength = 256 << 10

    init() throws(CommandFailure) {
        var path = Array((NSTemporaryDirectory() + "/predicate-sort-XXXXXX").utf8CString)
        let descriptor = mkstemp(&path)
        if descriptor < 0 { throw Self.failure(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)) }
        unlink(path)
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func failure(_ error: any Error) -> CommandFailure {
        .message(
            "--sort needs a temporary file in \(NSTemporaryDirectory()): \(error.localizedDescription)",
            hints: ["TMPDIR names another directory, and --first N sorts in memory"])
    }

    /// Writes a run.
    func append(_ entries: [RecordSorter<PreparedRecord>.Entry]) throws(CommandFailure) {
        var spilled = SpilledBytes()
        for entry in entries {
            spilled.append(entry.values, entry.record)
            if spilled.bytes.count >= Self.pieceLength { try write(&spilled) }
        }
        try write(&spilled)
        ends.append(length)
    }

    private func write(_ spilled: inout SpilledBytes) throws(CommandFailure) {
        do { try file.write(contentsOf: Data(spilled.bytes)) } catch { throw Self.failure(error) }
        length += spilled.bytes.count
        spilled = SpilledBytes()
    }

    /// Passes on the matches of all runs in order; those that are equal in the order of the runs.
    func merge(
        _ order: SortOrder, _ body: (PreparedRecord) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        var cursors: [RunCursor] = []
        for (start, end) in zip([0] + ends, ends) {
            var cursor = RunCursor(start..<end)
            if try cursor.advance(self) { cursors.append(cursor) }
        }
        while !cursors.isEmpty {
            var first = 0
            for index in cursors.indices.dropFirst()
            where order.compare(cursors[index].values, cursors[first].values) < 0 { first = index }
            try body(cursors[first].record)
            if try !cursors[first].advance(self) { cursors.remove(at: first) }
        }
    }

    /// Reads the bytes in a range, or the first of them.
    fileprivate func read(_ range: Range<Int>) throws(CommandFailure) -> [UInt8] {
        do {
            try file.seek(toOffset: UInt64(range.lowerBound))
            return Array(try file.read(upToCount: range.count) ?? Data())
        } catch {
            throw Self.failure(error)
        }
    }
}

/// A place in a run, with the match before it.
private struct RunCursor {
    private(set) var values: [OrderKey] = []
    private(set) var record = PreparedRecord.cells([])
    /// The bytes of the run that are not in memory yet.
    private var rest: Range<Int>
    private var spilled = SpilledReader([])

    init(_ run: Range<Int>) {
        rest = run
    }

    /// Reads the next match; returns false at the end of the run.
    mutating func advance(_ runs: SortRuns) throws(CommandFailure) -> Bool {
        guard try fill(SpilledBytes.wordLength, runs) else { return false }
        guard try fill(spilled.integer(), runs) else { return false }
        values = spilled.values()
        record = spilled.record()
        return true
    }

    /// Reads at least some bytes into memory; returns false if the run has no more.
    private mutating func fill(_ count: Int, _ runs: SortRuns) throws(CommandFailure) -> Bool {
        while spilled.count < count {
            let piece = try runs.read(rest.prefix(max(count, SortRuns.pieceLength)))
            if piece.isEmpty { return false }
            rest = rest.lowerBound + piece.count..<rest.upperBound
            spilled.append(piece)
        }
        return true
    }
}
