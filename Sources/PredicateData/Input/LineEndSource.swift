/// Text whose lines end with a carriage return, as Excel for the classic Mac OS writes it, with line feeds.
final class LineEndSource: ByteSource {
    private let base: any ByteSource

    init(_ base: any ByteSource) {
        self.base = base
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        let count = try base.read(into: buffer)
        for index in 0..<count where buffer[index] == Byte.carriageReturn { buffer[index] = Byte.lineFeed }
        return count
    }

    var canRestart: Bool { base.canRestart }

    func restart() throws(DataError) { try base.restart() }

    /// True if the first line, outside quotes, ends with a carriage return that neither a line feed nor another carriage
    /// return follows.
    static func isNeeded(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var isInQuotes = false
        for (index, byte) in bytes.enumerated() {
            if byte == Byte.quote { isInQuotes.toggle() }
            if isInQuotes { continue }
            if byte == Byte.lineFeed { return false }
            guard byte == Byte.carriageReturn else { continue }
            return index + 1 < bytes.count && bytes[index + 1] != Byte.lineFeed
                && bytes[index + 1] != Byte.carriageReturn
        }
        return false
    }
}
