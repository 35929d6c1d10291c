import PredicateJSON

/// Finds the fields of rows before a line feed, sixteen bytes at a time. The line feed ends every loop, so no bounds are
/// checked.
///
/// Up to sixteen bytes after the last line feed are read and ignored.
struct FieldScan {
    typealias Pointer = UnsafePointer<UInt8>

    /// A field, and the delimiter or line feed after it.
    struct QuickField {
        let start: Pointer
        let end: Pointer
        let next: Pointer
        var isQuoted = false
        var hasDoubledQuotes = false

        /// Returns the content, which is empty if the text of the field stands for nil.
        @inline(__always)
        func content(_ dialect: DelimitedDialect) -> UnsafeBufferPointer<UInt8> {
            let bytes = UnsafeBufferPointer(start: start, count: end - start)
            return isQuoted || !dialect.nilTexts.contains(bytes) ? bytes : UnsafeBufferPointer(start: start, count: 0)
        }
    }

    /// How far a row has been read.
    struct Place {
        /// Eight bytes, and the high bits of the delimiters, quotes and line feeds among them that have not been passed.
        fileprivate var (word, stops): (Pointer, UInt64)
        /// The same for the next eight bytes.
        fileprivate var laterStops: UInt64 = 0
        /// The end of the bytes that were read.
        fileprivate var end: Pointer
        /// The bits that are set in any of the bytes read, including bytes after the row.
        fileprivate var bits = SIMD16<UInt8>()

        fileprivate init(_ start: Pointer) { (word, stops, end) = (start, 0, start) }

        /// True if all bytes that were read are ASCII.
        @inline(__always)
        var isASCII: Bool { (bits & SIMD16(repeating: 0x80)).isZero }
    }

    let dialect: DelimitedDialect
    /// The end of the last row, after its line feed.
    let end: Pointer
    /// Delimiters, and quotes, which are ordinary characters in TSV.
    private let (delimiters, quotes): (SIMD16<UInt8>, SIMD16<UInt8>)

    init(_ dialect: DelimitedDialect, end: Pointer) {
        (self.dialect, self.end) = (dialect, end)
        delimiters = SIMD16(repeating: dialect.delimiter)
        quotes = SIMD16(repeating: dialect.isQuoted ? Byte.quote : dialect.delimiter)
    }

    /// Returns the place at the first byte of a row.
    @inline(__always)
    func place(at start: Pointer) -> Place {
        var place = Place(start)
        read(&place)
        return place
    }

    /// Returns the field that begins at a pointer, where `place` must be; nil if the field needs the full reader.
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

    /// Passes the next delimiter, line feed or quote, and returns it.
    @inline(__always)
    private func stop(_ place: inout Place) -> Pointer {
        while place.stops == 0 {
            if place.laterStops == 0 {
                read(&place)
            } else {
                place.word += 8
                (place.stops, place.laterStops) = (place.laterStops, 0)
            }
        }
        let stop = place.word + place.stops.trailingZeroBitCount &>> 3
        place.stops &= place.stops &- 1
        return stop
    }

    @inline(__always)
    private func read(_ place: inout Place) {
        place.word = place.end
        place.end += 16
        let bytes = place.word.sixteenBytes
        let one = SIMD16<UInt8>(repeating: 1)
        let lineFeeds = SIMD16(repeating: Byte.lineFeed)
        // Of ASCII bytes, only those that are sought have the high bit here.
        let sought = ((bytes ^ delimiters) &- one) | ((bytes ^ quotes) &- one) | ((bytes ^ lineFeeds) &- one)
        let stops = unsafeBitCast(sought & ~bytes, to: SIMD2<UInt64>.self) & SIMD2(repeating: 0x8080_8080_8080_8080)
        (place.stops, place.laterStops) = (stops.x.littleEndian, stops.y.littleEndian)
        place.bits |= bytes
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
            place.bits = SIMD16(repeating: .max)
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
