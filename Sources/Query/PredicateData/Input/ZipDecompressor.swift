import CZlib

/// Unpacks a zip archive of one data file: `flights.csv.zip`
///
/// Archives of several files, workbooks and encrypted files are refused, as foreign files. Entries of `__MACOSX/`,
/// which macOS adds, are ignored.
final class ZipDecompressor: Decompressor {
    /// zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var state = State.header
    /// The bytes of a header that have been read so far.
    private var header: [UInt8] = []
    private var entry = Entry()
    private var checksum: uLong = 0
    /// The number of files that the directory at the end of the archive has named so far.
    private var fileCount = 0

    private enum State {
        /// Before the data of the file.
        case header
        case data
        /// After the data: the checksum of a streamed archive, and the next header.
        case trailer
        case rest
    }

    /// The contents of a local header, which precedes a file.
    private struct Entry {
        var isStored = false
        /// True if checksum and sizes follow the data.
        var isStreamed = false
        var checksum: uLong = 0
        /// The number of stored bytes that are left.
        var size = 0
    }

    private static let signature: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    private static let headerLength = 30
    private static let directorySignature: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
    private static let directoryHeaderLength = 46

    init() throws(DataError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        if predicates_inflate_raw(stream) != Z_OK { throw DataError(.invalidCompression(.zip, "not enough memory")) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    var isAtEnd: Bool { state == .rest }

    func reset() {
        inflateReset(stream)
        (state, header, checksum, fileCount) = (.header, [], 0, 0)
    }

    func unpack(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(DataError) -> (consumed: Int, written: Int) {
        switch state {
        case .header: return (try readHeader(input), 0)
        case .data: return entry.isStored ? try copy(input, into: output) : try inflate(input, into: output)
        case .trailer: return (try readTrailer(input), 0)
        case .rest: return (try readRest(input), 0)
        }
    }
}

// MARK: - Headers

extension ZipDecompressor {
    /// Reads the local header, with the name of the file and the extra field.
    private func readHeader(_ input: UnsafeRawBufferPointer) throws(DataError) -> Int {
        let count = min(input.count, headerEnd - header.count)
        header += input[..<count]
        guard header.count >= Self.headerLength, header.count == headerEnd else { return count }
        try check()
        (state, checksum) = (.data, crc32(0, nil, 0))
        return count
    }

    /// The length of the header, as far as it is known.
    private var headerEnd: Int {
        guard header.count >= Self.headerLength else { return Self.headerLength }
        return Self.headerLength + number(at: 26, 2) + number(at: 28, 2)
    }

    private func check() throws(DataError) {
        let name = String(decoding: header[Self.headerLength...].prefix(number(at: 26, 2)), as: UTF8.self)
        let (flags, method) = (number(at: 6, 2), number(at: 8, 2))
        let isData = DataFormat(fileName: name) != nil || name.hasSuffix(".txt") || name.hasSuffix(".log")
        entry = Entry(
            isStored: method == 0, isStreamed: flags & 8 != 0, checksum: uLong(number(at: 14, 4)),
            size: number(at: 18, 4))
        let isKnown = method == 8 || method == 0 && !entry.isStreamed && entry.size < 0xFFFF_FFFF
        guard isData, isKnown, flags & 1 == 0 else { throw DataError(.foreignFile(.zip)) }
    }

    /// Returns a number of the header, least significant byte first.
    private func number(at index: Int, _ length: Int) -> Int {
        header[index..<index + length].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads what follows the data up to the next header. Throws if that is the header of another file.
    private func readTrailer(_ input: UnsafeRawBufferPointer) throws(DataError) -> Int {
        // A data descriptor has 12 to 24 bytes; a local header after it has its name.
        let count = min(input.count, 64 - min(header.count, 64))
        header += input.prefix(count)
        if !input.isEmpty, header.count < 64 { return count }
        try checkTrailer()
        state = .rest
        return count
    }

    /// Reads the directory at the end of the archive. Throws if it names a second file.
    private func readRest(_ input: UnsafeRawBufferPointer) throws(DataError) -> Int {
        header += input
        var index = 0
        while index + Self.directoryHeaderLength <= header.count {
            guard header[index] == 0x50, header[index...].starts(with: Self.directorySignature) else {
                index += 1
                continue
            }
            let end = index + Self.directoryHeaderLength + number(at: index + 28, 2)
            if end > header.count { break }
            let name = header[(index + Self.directoryHeaderLength)..<end]
            if !name.starts(with: "__MACOSX/".utf8) { fileCount += 1 }
            if fileCount > 1 { throw DataError(.foreignFile(.zip)) }
            index = end
        }
        header.removeFirst(index)
        return input.count
    }

    private func checkTrailer() throws(DataError) {
        let hasSignature = header.starts(with: [0x50, 0x4B, 0x07, 0x08])
        let expected =
            !entry.isStreamed ? entry.checksum : header.count < 8 ? 0 : uLong(number(at: hasSignature ? 4 : 0, 4))
        if expected != checksum { throw DataError(.invalidCompression(.zip, "incorrect data check")) }
        let starts = entry.isStreamed ? [12, 16, 20, 24] : [0]
        for start in starts where header.dropFirst(start).starts(with: Self.signature) {
            let name = header.dropFirst(start + Self.headerLength)
            if !name.starts(with: "__MACOSX/".utf8) { throw DataError(.foreignFile(.zip)) }
        }
    }
}

// MARK: - Data

extension ZipDecompressor {
    private func copy(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(DataError) -> (consumed: Int, written: Int) {
        let count = min(input.count, output.count, entry.size)
        output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
        add(output, count)
        entry.size -= count
        if entry.size == 0 { finishData() }
        return (count, count)
    }

    private func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(DataError) -> (consumed: Int, written: Int) {
        let (inputCount, outputCount) = (min(input.count, 1 << 30), min(output.count, 1 << 30))
        // zlib only reads these bytes, although the pointer type is mutable.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: Bytef.self).baseAddress)
        stream.pointee.avail_in = UInt32(inputCount)
        stream.pointee.next_out = output.bindMemory(to: Bytef.self).baseAddress
        stream.pointee.avail_out = UInt32(outputCount)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        let written = outputCount - Int(stream.pointee.avail_out)
        add(output, written)
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: finishData()
        default:
            let text = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
            throw DataError(.invalidCompression(.zip, text))
        }
        return (inputCount - Int(stream.pointee.avail_in), written)
    }

    private func finishData() {
        (state, header) = (.trailer, [])
    }

    private func add(_ output: UnsafeMutableRawBufferPointer, _ count: Int) {
        checksum = crc32(checksum, output.bindMemory(to: Bytef.self).baseAddress, UInt32(count))
    }
}
