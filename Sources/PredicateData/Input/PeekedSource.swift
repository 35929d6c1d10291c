/// A source whose first bytes can be looked at before they are read.
final class PeekedSource: ByteSource {
    private let base: any ByteSource
    private var bytes: [UInt8]
    private var index = 0

    /// Creates a source of some bytes that were read already, and of the rest.
    init(_ bytes: [UInt8] = [], _ base: any ByteSource) {
        self.base = base
        self.bytes = bytes
    }

    /// Returns the first bytes, some at least unless the input is empty; reads on while `needsMore` says so.
    func peek(while needsMore: (ArraySlice<UInt8>) -> Bool) throws(DataError) -> ArraySlice<UInt8> {
        while bytes.isEmpty || needsMore(bytes[index...]) {
            var piece = [UInt8](repeating: 0, count: 64 << 10)
            let length = try base.read(into: &piece)
            if length == 0 { break }
            bytes += piece[..<length]
        }
        return bytes[index...]
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        if index == bytes.count { return try base.read(into: buffer) }
        let count = min(bytes.count - index, buffer.count)
        buffer.copyBytes(from: bytes[index..<index + count])
        index += count
        if index == bytes.count { (bytes, index) = ([], 0) }
        return count
    }

    var canRestart: Bool { base.canRestart }

    func restart() throws(DataError) {
        (bytes, index) = ([], 0)
        try base.restart()
    }
}
