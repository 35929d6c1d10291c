/// A compressed stream that is unpacked piece by piece.
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

/// The unpacked bytes of a gzip or Zstandard file.
///
/// Nothing but a buffer is held, so a small file that unpacks to terabytes takes time and no memory.
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

/// A compression that is read directly.
package enum CompressionFormat: String, Hashable, Sendable, CaseIterable {
    case gzip
    case zstandard = "Zstandard"

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
        }
    }

    /// The extensions of file names: `people.csv.gz`
    package static let fileExtensions: Set<String> = ["gz", "zst", "zstd"]
}
