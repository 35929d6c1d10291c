import PredicateJSON

/// Finds the end of a JSON value without parsing it: counts brackets and skips strings.
///
/// A value in brackets or quotes ends with them. Any other value ends before white space, a comma or a closing
/// bracket. The value may be invalid: its end is where the next record begins.
struct JSONBoundary: BoundaryScanner {
    /// The number of open brackets.
    private var depth: Int
    private var isInString = false
    private var isEscaped = false

    /// True if every bracket and quote is closed.
    var isClosed: Bool { depth == 0 && !isInString }

    /// Creates a scanner with `depth` brackets open before the first byte.
    init(depth: Int = 0) {
        self.depth = depth
    }

    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if isInString {
                guard let closing = closingQuote(in: bytes, from: index) else { return nil }
                isInString = false
                index = closing + 1
                if depth == 0 { return index }
                continue
            }
            if let end = step(bytes[index], at: index) { return end }
            index += 1
        }
        return nil
    }

    /// Reads one byte outside strings; returns the end if the byte determines it.
    private mutating func step(_ byte: UInt8, at index: Int) -> Int? {
        switch byte {
        case Byte.quote:
            isInString = true
        case Byte.openBrace, Byte.openBracket:
            depth += 1
        case Byte.closeBrace, Byte.closeBracket:
            if depth == 0 { return index }
            depth -= 1
            if depth == 0 { return index + 1 }
        case Byte.comma, Byte.space, Byte.tab, Byte.lineFeed, Byte.carriageReturn:
            if depth == 0 { return index }
        default:
            break
        }
        return nil
    }

    private mutating func closingQuote(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if !isEscaped {
                index = StringStops.skip(bytes, from: index)
                if index == bytes.count { break }
                if bytes[index] == Byte.quote { return index }
            }
            isEscaped = !isEscaped && bytes[index] == Byte.backslash
            index += 1
        }
        return nil
    }
}
