import CZlib

/// Unpacks gzip, also several members in one file.
final class GzipDecompressor: Decompressor {
    /// zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private(set) var isAtEnd = true
    /// True after a member that was followed by something else, which gzip ignores as well.
    private var ignoresRest = false

    init() throws(DataError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The largest window, and the header of gzip.
        let status = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        if status != Z_OK { throw DataError(.invalidCompression(.gzip, "not enough memory")) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func reset() {
        inflateReset(stream)
        (isAtEnd, ignoresRest) = (true, false)
    }

    func unpack(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(DataError) -> (consumed: Int, written: Int) {
        if ignoresRest || input.isEmpty && isAtEnd { return (input.count, 0) }
        let (inputCount, outputCount) = (min(input.count, 1 << 30), min(output.count, 1 << 30))
        // zlib reads these bytes only, although its type is not constant.
        let bytes = input.bindMemory(to: Bytef.self).baseAddress
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes)
        stream.pointee.avail_in = UInt32(inputCount)
        stream.pointee.next_out = output.bindMemory(to: Bytef.self).baseAddress
        stream.pointee.avail_out = UInt32(outputCount)
        let isFirst = isAtEnd && stream.pointee.total_in == 0
        let status = inflate(stream, Z_NO_FLUSH)
        let consumed = inputCount - Int(stream.pointee.avail_in)
        let written = outputCount - Int(stream.pointee.avail_out)
        try check(status, isFirst: isFirst)
        return ignoresRest ? (input.count, written) : (consumed, written)
    }

    private var hasReadMember = false

    private func check(_ status: Int32, isFirst: Bool) throws(DataError) {
        switch status {
        case Z_OK, Z_BUF_ERROR: isAtEnd = false
        case Z_STREAM_END:
            (isAtEnd, hasReadMember) = (true, true)
            inflateReset(stream)
        case _ where isFirst && hasReadMember: (isAtEnd, ignoresRest) = (true, true)
        default:
            let text = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
            throw DataError(.invalidCompression(.gzip, text))
        }
    }
}
