import Dispatch
import PredicateSyntax

extension RecordReader {
    /// Sifts the whole lines that are in memory, and reads no more of the input for it: those of JSON Lines on two cores
    /// where there are many.
    ///
    /// What is kept is to be looked at with ``text(of:in:)`` and ``read(_:in:)``, in order, and then dropped; matches one
    /// behind the other are kept as one where that is wished.
    package func sift(
        with sieve: LineSieve, joiningMatches: Bool, _ isWanted: @Sendable (UnsafePointer<FlatValue>) -> Bool?
    ) -> SiftedLines {
        let bytes = window.bytes
        let end = bytes.prefix(Self.siftedLength).lastIndex(of: Byte.lineFeed).map { $0 + 1 } ?? 0
        let lines = SiftedLines(
            bytes.slice(0..<end), start: window.position, firstRecord: count, joinsMatches: joiningMatches)
        if let twin = sieve.twin, end >= Self.sharedLength { return sift(lines, with: sieve, twin, isWanted) }
        var sifted = lines
        sieve.sift(&sifted, isWanted)
        return sifted
    }

    /// The most bytes that are sifted at once, and the fewest that are worth a second core.
    private static var siftedLength: Int { 1 << 20 }
    private static var sharedLength: Int { 96 << 10 }

    private func sift(
        _ lines: SiftedLines, with sieve: LineSieve, _ twin: LineSieve,
        _ isWanted: @Sendable (UnsafePointer<FlatValue>) -> Bool?
    ) -> SiftedLines {
        var (first, second) = lines.halves
        withUnsafeMutablePointer(to: &first) { first in
            withUnsafeMutablePointer(to: &second) { second in
                // Each half has a sieve of its own to write to; the lines and the question are only read.
                nonisolated(unsafe) let halves = [(sieve, first), (twin, second)]
                DispatchQueue.concurrentPerform(iterations: 2) { number in
                    halves[number].0.sift(&halves[number].1.pointee, isWanted)
                }
            }
        }
        first.append(second)
        return first
    }

    /// The text of what was kept.
    package func text(of run: SiftedRun, in sifted: SiftedLines) -> UnsafeBufferPointer<UInt8> {
        sifted.bytes.slice(run.text)
    }

    /// Reads the first record of what was kept in full. Throws a ``DataError``, as ``next()`` does.
    package func read(_ run: SiftedRun, in sifted: SiftedLines) throws(DataError) -> SourceRecord? {
        window.dropLines(before: sifted.place(at: run.text.lowerBound, line: run.linesBefore))
        count = sifted.firstRecord + run.recordsBefore
        return try next()
    }

    /// Goes on behind the sifted lines.
    package func drop(_ sifted: SiftedLines) {
        window.dropLines(before: sifted.place(at: sifted.length, line: sifted.lineCount))
        count = sifted.firstRecord + sifted.recordCount
    }
}
