/// Finds the fields of rows before a line feed, which stops every loop without bounds checks.
///
/// Up to eight bytes after the last line feed are read and not used.
struct FieldScan {
    typealias Pointer = UnsafePointer<UInt8>

    /// A field, and the delimiter or line feed after it.
    struct QuickField {
        let start: Pointer
        let end: Pointer
        let next: Pointer
        var isQuoted = false
        var hasDoubledQuotes = false

        @inline(__always)
        var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: end - start) }
    }

    let dialect: DelimitedDialect
    /// The end of the last row, after its line feed.
    let end: Pointer

    /// Returns the field at a pointer; nil if it is not understood. `high` collects the bytes of the row.
    @inline(__always)
    func field(_ start: Pointer, _ high: inout UInt64) -> QuickField? {
        if dialect.isQuoted, start.pointee == Byte.quote { return quotedField(start + 1, &high) }
        let end = fieldEnd(start, &high)
        switch end.pointee {
        case Byte.lineFeed:
            let hasReturn = end > start && end[-1] == Byte.carriageReturn
            return QuickField(start: start, end: hasReturn ? end - 1 : end, next: end)
        case dialect.delimiter: return QuickField(start: start, end: end, next: end)
        default: return nil
        }
    }

    /// Returns the line feed after a row that is not understood; nil if it is not in memory.
    func lineFeed(after start: Pointer) -> Pointer? {
        let rest = UnsafeBufferPointer(start: start, count: end - start)
        var boundary = dialect.makeBoundary()
        return boundary.end(in: rest, from: 0).map { start + ($0 - 1) }
    }

    /// Returns the first delimiter, line feed or quote; quotes have no meaning in TSV.
    @inline(__always)
    private func fieldEnd(_ start: Pointer, _ high: inout UInt64) -> Pointer {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let delimiters = ones &* UInt64(dialect.delimiter)
        let quotes = ones &* UInt64(dialect.isQuoted ? Byte.quote : dialect.delimiter)
        var pointer = start
        while true {
            let word = pointer.word
            let stops =
                Self.zeros(word ^ delimiters) | Self.zeros(word ^ quotes)
                | Self.zeros(word ^ (ones &* UInt64(Byte.lineFeed)))
            if stops != 0 {
                let bits = stops.trailingZeroBitCount & ~7
                high |= word & ((1 &<< UInt64(truncatingIfNeeded: bits)) &- 1)
                return pointer + bits &>> 3
            }
            high |= word
            pointer += 8
        }
    }

    /// Returns the high bits of zero bytes; bits after the first may be wrong.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// Reads a quoted field, which may contain line ends.
    @inline(never)
    private func quotedField(_ start: Pointer, _ high: inout UInt64) -> QuickField? {
        high = .max
        let rest = UnsafeBufferPointer(start: start, count: end - start)
        var index = 0
        var hasDoubledQuotes = false
        while let quote = rest.firstIndex(of: Byte.quote, from: index) {
            var next = start + quote + 1
            if next.pointee == Byte.quote {
                hasDoubledQuotes = true
                index = quote + 2
                continue
            }
            if next.pointee == Byte.carriageReturn, next[1] == Byte.lineFeed { next += 1 }
            guard next.pointee == dialect.delimiter || next.pointee == Byte.lineFeed else { return nil }
            return QuickField(
                start: start, end: start + quote, next: next, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
        }
        return nil
    }
}
