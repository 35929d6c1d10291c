import CZlib
import CZstd

/// A decompressor that works piece by piece.
protocol Decompressor: AnyObject {
    /// Unpacks some bytes. Returns the number of bytes consumed and written.
    func unpack(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(DataError) -> (consumed: Int, written: Int)
    /// True between two compressed parts, where the input may end.
    var isAtEnd: Bool { get }
    /// Prepares for the first byte of the input.
    func reset()
}

/// The unpacked bytes of a gzip or Zstandard file, or of the file in a zip archive.
///
/// Only a buffer is kept in memory, so a small file that unpacks to terabytes takes time but no memory.
final class UnpackedSource: ByteSource {
    private let base: any ByteSource
    private let decompressor: any Decompressor
    private let format: CompressionFormat
    private var input = [UInt8](repeating: 0, count: 64 << 10)
    private var pending = 0..<0
    private var isBaseAtEnd = false

    init(_ base: any ByteSource, _ format: CompressionFormat) throws(DataError) {
        self.base = base
        self.format = format
        decompressor =
            switch format {
            case .gzip: try GzipDecompressor()
            case .zstandard: try ZstandardDecompressor()
            case .zip: try ZipDecompressor()
            }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        while true {
            if pending.isEmpty, !isBaseAtEnd { try refill() }
            let (consumed, written) = try input.withUnsafeBytes { bytes in
                Result { () throws(DataError) in
                    try decompressor.unpack(UnsafeRawBufferPointer(rebasing: bytes[pending]), into: buffer)
                }
            }.get()
            pending = pending.lowerBound + consumed..<pending.upperBound
            if written > 0 { return written }
            if isBaseAtEnd, consumed == 0 {
                if decompressor.isAtEnd { return 0 }
                throw DataError(.truncatedCompression(format))
            }
        }
    }

    private func refill() throws(DataError) {
        let count = try base.read(into: &input)
        pending = 0..<count
        isBaseAtEnd = count == 0
    }

    var canRestart: Bool { base.canRestart }

    func restart() throws(DataError) {
        try base.restart()
        decompressor.reset()
        (pending, isBaseAtEnd) = (0..<0, false)
    }
}

/// The supported compression formats.
package enum CompressionFormat: String, Hashable, Sendable, CaseIterable {
    case gzip
    case zstandard = "Zstandard"
    /// An archive of one file
    case zip

    /// Creates the format of a file that begins with these bytes.
    init?(_ bytes: some Collection<UInt8>) {
        guard let found = Self.allCases.first(where: { bytes.starts(with: $0.beginning) }) else { return nil }
        self = found
    }

    /// Returns true if more bytes could identify a format.
    static func needsMore(than bytes: ArraySlice<UInt8>) -> Bool {
        allCases.contains { $0.beginning.count > bytes.count && $0.beginning.starts(with: bytes) }
    }

    private var beginning: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .zstandard: [0x28, 0xB5, 0x2F, 0xFD]
        case .zip: [0x50, 0x4B, 0x03, 0x04]
        }
    }

    /// The extensions of file names: `people.csv.gz`
    package static let fileExtensions: Set<String> = ["gz", "zst", "zstd", "zip"]
}

/// Unpacks gzip files, including files with several members.
final class GzipDecompressor: Decompressor {
    /// zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private(set) var isAtEnd = true
    /// True after trailing data that is not a gzip member, which gzip ignores as well.
    private var ignoresRest = false

    init() throws(DataError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The largest window, with a gzip header.
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
        // zlib only reads these bytes, although the pointer type is mutable.
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

/// Unpacks Zstandard files, including files with several frames. The library's own limit for the window, 128 MiB,
/// bounds memory.
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
