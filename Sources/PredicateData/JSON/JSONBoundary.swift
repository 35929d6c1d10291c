/// Finds the end of one JSON value without understanding it: brackets are counted, strings passed over.
///
/// A value inside brackets or quotes ends with them. Any other ends before white space, a comma or a closing bracket.
/// Whether it is well formed is for the parser to say; a record that is not still has an end, and the next begins.
struct JSONBoundary: BoundaryScanner {
    /// Brackets that are open.
    private var depth: Int
    private var isInString = false
    private var isEscaped = false

    /// Whether every bracket and quote is closed.
    var isClosed: Bool { depth == 0 && !isInString }

    /// `depth` brackets are open before the first byte.
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

    /// One byte outside strings; gives the end when this byte shows it.
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
                index = StringStops.skipPlain(bytes, from: index)
                if index == bytes.count { break }
                if bytes[index] == Byte.quote { return index }
            }
            isEscaped = !isEscaped && bytes[index] == Byte.backslash
            index += 1
        }
        return nil
    }
}
