/// Finds the end of a line, including the line feed.
struct LineBoundary: BoundaryScanner {
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        bytes.firstIndex(of: Byte.lineFeed, from: start).map { $0 + 1 }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes without the line feed at the end, and without the carriage return before it.
    var withoutLineEnd: UnsafeBufferPointer<UInt8> {
        var count = count
        guard count > 0, self[count - 1] == Byte.lineFeed else { return self }
        count -= 1
        if count > 0, self[count - 1] == Byte.carriageReturn { count -= 1 }
        return slice(0..<count)
    }
}
