import PredicateJSON

/// Bytes that every matching line contains: those of `reset` or `retry`, and those of `lost` or `failed`, for `SELF
/// MATCHES ".*(reset|retry).*(lost|failed).*"`.
struct RequiredBytes {
    /// A line contains one string of each list. The first list is the one that is probably the rarest.
    let lists: [ByteStrings]

    /// Nil if there are no lists that can be searched for. The beginning of the input shows which of the most promising lists is
    /// rare. Reads up to ``ByteWindow/margin`` bytes after the beginning.
    init?(_ lists: [[String]], beginning: UnsafeBufferPointer<UInt8>) {
        let lists = lists.compactMap { ByteStrings($0.map { Array($0.utf8) }) }.sorted { $0.frequency < $1.frequency }
        guard !lists.isEmpty else { return nil }
        let counted = lists.prefix(Self.mostCounted).map { ($0, lines: RequiredBytes($0).lineCount(in: beginning)) }
        self.lists = counted.sorted { $0.lines < $1.lines }.map(\.0) + lists.dropFirst(Self.mostCounted)
    }

    private static let mostCounted = 8

    private init(_ list: ByteStrings) { lists = [list] }

    /// Returns the number of complete lines that contain the bytes.
    private func lineCount(in text: UnsafeBufferPointer<UInt8>) -> Int {
        guard let last = text.lastIndex(of: Byte.lineFeed) else { return 0 }
        let lines = text.slice(0..<last + 1)
        var (count, start) = (0, 0)
        while let line = line(in: lines, from: start) { (count, start) = (count + 1, line.upperBound) }
        return count
    }

    /// Returns the first line that contains the bytes, with its line feed; nil if there is none. The line at `start`
    /// is the first, and the last line ends with a line feed. Reads up to ``ByteWindow/margin`` bytes after the text.
    func line(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        var start = start
        while let first = lists[0].place(in: text, start..<text.count) {
            let lineStart = text[start..<first].lastIndex(of: Byte.lineFeed).map { $0 + 1 } ?? start
            let lineFeed = text.firstIndex(of: Byte.lineFeed, from: first) ?? text.count - 1
            if lists.dropFirst().allSatisfy({ $0.place(in: text, lineStart..<lineFeed) != nil }) {
                return lineStart..<lineFeed + 1
            }
            start = lineFeed + 1
        }
        return nil
    }
}

/// Strings, any of which is searched for.
struct ByteStrings {
    /// Two adjacent bytes of a string; for a string of one byte, the second one may be any.
    private struct Probe {
        let first: SIMD16<UInt8>
        let second: SIMD16<UInt8>
        let secondMask: SIMD16<UInt8>
    }

    let strings: [[UInt8]]
    /// The indices of the two bytes in each string that are probably the rarest.
    private let offsets: [Int]
    private let probes: [Probe]
    /// About how often the probes occur in text.
    let frequency: Int

    private static let most = 8

    /// Nil if a string is empty or contains a line end, and if there are no strings or too many.
    init?(_ strings: [[UInt8]]) {
        let canBeFound = strings.allSatisfy { string in
            !string.isEmpty && !string.contains { $0 == Byte.lineFeed || $0 == Byte.carriageReturn }
        }
        guard canBeFound, !strings.isEmpty, strings.count <= Self.most else { return nil }
        self.strings = strings
        offsets = strings.map { string in
            string.indices.dropLast(string.count > 1 ? 1 : 0).min {
                Self.frequency(string, $0) < Self.frequency(string, $1)
            } ?? 0
        }
        frequency = zip(strings, offsets).reduce(0) { $0 + Self.frequency($1.0, $1.1) }
        let pairs = zip(strings, offsets).map { string, offset in
            [string[offset], string.count > 1 ? string[offset + 1] : nil]
        }
        probes = Set(pairs).map { pair in
            Probe(
                first: SIMD16(repeating: pair[0] ?? 0), second: SIMD16(repeating: pair[1] ?? 0),
                secondMask: SIMD16(repeating: pair[1] == nil ? 0 : .max))
        }
    }

    /// Returns the place of a string in a range of the text, not necessarily the first place; nil if there is none.
    func place(in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        guard let base = text.baseAddress else { return nil }
        return probes.withUnsafeBufferPointer { probes in
            // Before `busyEnd` there is a hit somewhere.
            var (index, busyEnd) = (range.lowerBound, range.lowerBound)
            while index < range.upperBound {
                if index >= busyEnd, range.upperBound - index >= 64 {
                    busyEnd = index + 64
                    if Self.hits(at: base + index, probes, blocks: 4) == 0 {
                        index = busyEnd
                        continue
                    }
                }
                var hits = Self.hits(at: base + index, probes, blocks: 1)
                while hits != 0 {
                    let place = index + (hits.trailingZeroBitCount &>> 3)
                    if let start = start(of: place, in: text, range) { return start }
                    hits &= ~(0xFF &<< UInt128(truncatingIfNeeded: (place - index) &<< 3))
                }
                index += 16
            }
            return nil
        }
    }

    /// The bytes, of sixteen, at which a probe matches; of several blocks of sixteen bytes, in any of them.
    @inline(__always)
    private static func hits(
        at bytes: UnsafePointer<UInt8>, _ probes: UnsafeBufferPointer<Probe>, blocks: Int
    ) -> UInt128 {
        var hits = SIMDMask<SIMD16<Int8>>(repeating: false)
        for probe in probes {
            for block in 0..<blocks {
                let place = bytes + 16 * block
                let (here, next) = (place.sixteenBytes, (place + 1).sixteenBytes)
                let difference = (here ^ probe.first) | ((next ^ probe.second) & probe.secondMask)
                hits .|= difference .== SIMD16()
            }
        }
        return UInt128(littleEndian: unsafeBitCast(hits, to: UInt128.self))
    }

    /// Returns the beginning of a string whose probe is at a place.
    private func start(of place: Int, in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        for (string, offset) in zip(strings, offsets) {
            let start = place - offset
            guard start >= range.lowerBound, start + string.count <= range.upperBound else { continue }
            if text.equals(string, at: start..<start + string.count) { return start }
        }
        return nil
    }

    /// Returns about how often a byte and the next one occur in text and tables, from 0 to 15.
    private static func frequency(_ string: [UInt8], _ index: Int) -> Int {
        (frequency(string[index]) + 1) * (index + 1 < string.count ? frequency(string[index + 1]) + 1 : 4) - 1
    }

    /// Returns about how often a byte occurs, from 0 to 3.
    private static func frequency(_ byte: UInt8) -> Int {
        if "etaoinsr ,012".utf8.contains(byte) { return 3 }
        if byte &- 0x61 < 26 || byte.isDigit { return 2 }
        // Half of the letters that are not ASCII have the same first byte.
        return byte >= 0xC0 ? 2 : byte >= 0x80 ? 1 : 0
    }
}
