import PredicateJSON

/// Finds the fields of rows before a line feed, eight bytes at a time. The line feed ends every loop, so no bounds are
/// checked.
///
/// Up to eight bytes after the last line feed are read and ignored.
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

    /// The eight bytes of a row that were read last.
    struct Place {
        fileprivate var word: Pointer
        /// The high bits of the delimiters, quotes and line feeds among the eight bytes that were not passed.
        fileprivate var stops: UInt64 = 0
        /// The high bits of all bytes that were read, also after the row.
        fileprivate(set) var high: UInt64 = 0
    }

    let dialect: DelimitedDialect
    /// The end of the last row, after its line feed.
    let end: Pointer
    /// Eight delimiters, and eight quotes, which are ordinary characters in TSV.
    private let (delimiters, quotes): (UInt64, UInt64)

    init(_ dialect: DelimitedDialect, end: Pointer) {
        (self.dialect, self.end) = (dialect, end)
        delimiters = Self.eight(dialect.delimiter)
        quotes = Self.eight(dialect.isQuoted ? Byte.quote : dialect.delimiter)
    }

    private static func eight(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// Returns the place of a row at its first byte.
    @inline(__always)
    func place(at start: Pointer) -> Place {
        var place = Place(word: start)
        read(&place)
        return place
    }

    /// Returns the field at a pointer, which is the first after those before the place; nil if it needs the full reader.
    @inline(__always)
    func field(_ start: Pointer, _ place: inout Place) -> QuickField? {
        let stop = stop(&place)
        if stop.pointee == dialect.delimiter { return QuickField(start: start, end: stop, next: stop) }
        if stop.pointee == Byte.lineFeed {
            let hasReturn = stop > start && stop[-1] == Byte.carriageReturn
            return QuickField(start: start, end: hasReturn ? stop - 1 : stop, next: stop)
        }
        return stop == start ? quotedField(start + 1, &place) : nil
    }

    /// Returns the content of a field: none for one that stands for nil.
    @inline(__always)
    func content(of field: QuickField) -> UnsafeBufferPointer<UInt8> {
        let bytes = field.bytes
        if field.isQuoted || !dialect.nilTexts.contains(bytes) { return bytes }
        return UnsafeBufferPointer(start: field.start, count: 0)
    }

    /// Passes the next delimiter, line feed or quote, and returns it.
    @inline(__always)
    private func stop(_ place: inout Place) -> Pointer {
        while place.stops == 0 {
            place.word += 8
            read(&place)
        }
        let stop = place.word + place.stops.trailingZeroBitCount &>> 3
        place.stops &= place.stops &- 1
        return stop
    }

    @inline(__always)
    private func read(_ place: inout Place) {
        let word = place.word.word
        let others =
            Self.others(word ^ delimiters) & Self.others(word ^ quotes)
            & Self.others(word ^ (0x0101_0101_0101_0101 &* UInt64(Byte.lineFeed)))
        place.stops = ~others & 0x8080_8080_8080_8080
        place.high |= word
    }

    /// Returns the high bits of bytes other than zero.
    @inline(__always)
    private static func others(_ word: UInt64) -> UInt64 {
        ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | word
    }

    /// Reads a quoted field, which may contain line ends.
    @inline(never)
    private func quotedField(_ start: Pointer, _ place: inout Place) -> QuickField? {
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
            place = self.place(at: next)
            place.high = .max
            _ = stop(&place)
            return QuickField(
                start: start, end: start + quote, next: next, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
        }
        return nil
    }

    /// Returns the line feed of a row that needs the full reader; nil if it is not in memory.
    func lineFeed(after start: Pointer) -> Pointer? {
        let rest = UnsafeBufferPointer(start: start, count: end - start)
        var boundary = dialect.makeBoundary()
        return boundary.end(in: rest, from: 0).map { start + ($0 - 1) }
    }
}
