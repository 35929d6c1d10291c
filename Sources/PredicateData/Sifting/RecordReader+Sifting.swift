import Dispatch
import PredicateSyntax

extension RecordReader {
    /// Sifts the complete lines in memory, without reading more input; many lines of JSON Lines are sifted on two
    /// cores.
    ///
    /// The runs that are kept are read with ``text(of:in:)`` and ``read(_:in:)``, in order, and then dropped; adjacent
    /// matches are one run if `joiningMatches` is true.
    package func sift(
        with sieve: LineSieve, joiningMatches: Bool, _ matches: @Sendable (UnsafePointer<FlatValue>) -> Bool?
    ) -> SiftedLines {
        let bytes = window.bytes
        let end = bytes.prefix(Self.siftedLength).lastIndex(of: Byte.lineFeed).map { $0 + 1 } ?? 0
        let lines = SiftedLines(
            bytes.slice(0..<end), start: window.position, firstRecord: count, joinsMatches: joiningMatches)
        if let secondSieve = sieve.secondSieve, end >= Self.sharedLength {
            return sift(lines, with: sieve, secondSieve, matches)
        }
        var sifted = lines
        sieve.sift(&sifted, matches)
        return sifted
    }

    /// The maximum number of bytes to sift at once, and the minimum for using a second core.
    private static var siftedLength: Int { 1 << 20 }
    private static var sharedLength: Int { 96 << 10 }

    private func sift(
        _ lines: SiftedLines, with sieve: LineSieve, _ secondSieve: LineSieve,
        _ matches: @Sendable (UnsafePointer<FlatValue>) -> Bool?
    ) -> SiftedLines {
        var (first, second) = lines.halves
        withUnsafeMutablePointer(to: &first) { first in
            withUnsafeMutablePointer(to: &second) { second in
                // Each half has its own sieve to write to; the lines and the closure are only read.
                nonisolated(unsafe) let halves = [(sieve, first), (secondSieve, second)]
                DispatchQueue.concurrentPerform(iterations: 2) { number in
                    halves[number].0.sift(&halves[number].1.pointee, matches)
                }
            }
        }
        first.append(second)
        return first
    }

    /// Returns the text of a run.
    package func text(of run: SiftedRun, in sifted: SiftedLines) -> UnsafeBufferPointer<UInt8> {
        sifted.bytes.slice(run.text)
    }

    /// Reads the first record of a run in full. Throws a ``DataError``, like ``next()``.
    package func read(_ run: SiftedRun, in sifted: SiftedLines) throws(DataError) -> SourceRecord? {
        window.dropLines(before: sifted.position(at: run.text.lowerBound, line: run.linesBefore))
        count = sifted.firstRecord + run.recordsBefore
        return try next()
    }

    /// Continues after the sifted lines.
    package func drop(_ sifted: SiftedLines) {
        window.dropLines(before: sifted.position(at: sifted.length, line: sifted.lineCount))
        count = sifted.firstRecord + sifted.recordCount
    }
}
