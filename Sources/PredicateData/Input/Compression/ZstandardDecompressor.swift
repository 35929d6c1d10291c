import CZstd

/// Unpacks Zstandard, also several frames in one file. The library's own limit for the window, 128 MiB, bounds memory.
final class ZstandardDecompressor: Decompressor {
    private let stream: OpaquePointer
    private(set) var isAtEnd = true

    init() throws(DataError) {
        guard let stream = ZSTD_createDStream() else {
            throw DataError(.invalidCompression(.zstandard, "not enough memory"))
        }
        self.stream = stream
        ZSTD_initDStream(stream)
    }

    deinit { ZSTD_freeDStream(stream) }

    func reset() {
        ZSTD_initDStream(stream)
        isAtEnd = true
    }

    func unpack(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(DataError) -> (consumed: Int, written: Int) {
        if isAtEnd, input.isEmpty { return (0, 0) }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let rest = ZSTD_decompressStream(stream, &target, &source)
        if ZSTD_isError(rest) != 0 {
            throw DataError(.invalidCompression(.zstandard, String(cString: ZSTD_getErrorName(rest))))
        }
        isAtEnd = rest == 0
        return (source.pos, target.pos)
    }
}
