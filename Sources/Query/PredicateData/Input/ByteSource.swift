import PredicateJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A source of bytes, read piece by piece.
///
/// `RecordReader(source: FileSource.standardInput())`
package protocol ByteSource: AnyObject {
    /// Reads the next bytes into `buffer`, which is never empty, and returns their number: 0 only at the end of the
    /// input. Throws ``DataError/Code/readFailed(errno:)``.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int
    /// True if ``restart()`` is possible: for files, not for pipes.
    var canRestart: Bool { get }
    /// Goes back to the first byte. Throws ``DataError/Code/readFailed(errno:)``.
    func restart() throws(DataError)
}

extension ByteSource {
    package var canRestart: Bool { false }

    package func restart() throws(DataError) { throw DataError(.readFailed(errno: ESPIPE)) }

    /// Reads all bytes up to the end.
    package func all() throws(DataError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try read(into: &piece)
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }

    /// Reads the next bytes into an array, at most as many as it has elements, and returns their number.
    package func read(into bytes: inout [UInt8]) throws(DataError) -> Int {
        try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(DataError) in try read(into: buffer) }
        }.get()
    }
}

/// A file, a pipe or standard input, read through its descriptor.
///
/// `try FileSource(path: "people.jsonl")`
package final class FileSource: ByteSource {
    private let descriptor: Int32
    private let closesDescriptor: Bool
    /// The offset of the first byte to read; nil for pipes.
    private let start: off_t?

    /// Creates a source for an open descriptor, which stays open.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        self.closesDescriptor = false
        start = Self.offset(of: descriptor)
    }

    /// Opens a file, which is closed when this object is released. Throws ``DataError/Code/openFailed(path:errno:)``.
    package init(path: String) throws(DataError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        closesDescriptor = true
        start = Self.offset(of: descriptor)
        if descriptor < 0 { throw DataError(.openFailed(path: path, errno: errno)) }
    }

    /// Returns true for a regular file, which can be opened again.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the current offset in a regular file; nil for anything else.
    private static func offset(of descriptor: Int32) -> off_t? {
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let offset = lseek(descriptor, 0, SEEK_CUR)
        return offset < 0 ? nil : offset
    }

    package var canRestart: Bool { start != nil }

    package func restart() throws(DataError) {
        guard let start, lseek(descriptor, start, SEEK_SET) == start else {
            throw DataError(.readFailed(errno: start == nil ? ESPIPE : errno))
        }
    }

    deinit {
        if closesDescriptor, descriptor >= 0 { close(descriptor) }
    }

    /// Returns the standard input of the process.
    package static func standardInput() -> FileSource {
        FileSource(descriptor: STDIN_FILENO)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        while true {
            let count = Self.readOnce(descriptor, buffer)
            if count >= 0 { return count }
            if errno != EINTR { throw DataError(.readFailed(errno: errno)) }
        }
    }

    private static func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
            Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }
}

/// Bytes in memory.
///
/// `MemorySource("name,age\njo,21\n")`
package final class MemorySource: ByteSource {
    private let bytes: [UInt8]
    private var index = 0
    private let maximumPiece: Int

    /// `maximumPiece` is the maximum for a single read, to simulate a slow pipe.
    package init(_ bytes: [UInt8], maximumPiece: Int = .max) {
        self.bytes = bytes
        self.maximumPiece = max(1, maximumPiece)
    }

    package convenience init(_ text: String, maximumPiece: Int = .max) {
        self.init(Array(text.utf8), maximumPiece: maximumPiece)
    }

    package var canRestart: Bool { true }

    package func restart() { index = 0 }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(bytes.count - index, buffer.count, maximumPiece)
        buffer.copyBytes(from: bytes[index..<index + count])
        index += count
        return count
    }
}

/// A function that writes bytes.
///
/// `RecordWriter(format: .jsonLines, sink: DescriptorSink.standardOutput)`
package typealias ByteSink = (UnsafeRawBufferPointer) throws(DataError) -> Void

/// Collects bytes, and passes them to a sink in large pieces.
package struct ByteOutput {
    package var bytes: [UInt8] = []
    private let sink: ByteSink
    private static let capacity = 64 << 10

    package init(_ sink: @escaping ByteSink) { self.sink = sink }

    /// Passes the bytes on if there are many, together with `count` bytes to come.
    package mutating func flushIfFull(adding count: Int = 0) throws(DataError) {
        if bytes.count + count >= Self.capacity { try flush() }
    }

    /// Passes the bytes on, if there are any. After an error they are gone.
    package mutating func flush() throws(DataError) {
        if bytes.isEmpty { return }
        defer { bytes.removeAll(keepingCapacity: true) }
        try bytes.withUnsafeBytes { bytes in Result { () throws(DataError) in try sink(bytes) } }.get()
    }
}

/// Sinks that write to descriptors.
package enum DescriptorSink {
    /// Standard output.
    package static func standardOutput(_ bytes: UnsafeRawBufferPointer) throws(DataError) {
        try write(bytes, to: STDOUT_FILENO)
    }

    /// Writes all bytes. Throws ``DataError/Code/writeFailed(errno:)``.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(DataError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = writeOnce(descriptor, rest)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                throw DataError(.writeFailed(errno: errno))
            }
        }
    }

    private static func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}

/// A source whose first bytes can be examined before they are read.
package final class PeekedSource: ByteSource {
    private let base: any ByteSource
    private var bytes: [UInt8]
    private var index = 0

    /// Creates a source of bytes that were already read, followed by the rest.
    package init(_ bytes: [UInt8] = [], _ base: any ByteSource) {
        self.base = base
        self.bytes = bytes
    }

    /// Returns the first bytes: at least one unless the input is empty, and more while `needsMore` returns true.
    package func peek(while needsMore: (ArraySlice<UInt8>) -> Bool) throws(DataError) -> ArraySlice<UInt8> {
        while bytes.isEmpty || needsMore(bytes[index...]) {
            var piece = [UInt8](repeating: 0, count: 64 << 10)
            let length = try base.read(into: &piece)
            if length == 0 { break }
            bytes += piece[..<length]
        }
        return bytes[index...]
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        if index == bytes.count { return try base.read(into: buffer) }
        let count = min(bytes.count - index, buffer.count)
        buffer.copyBytes(from: bytes[index..<index + count])
        index += count
        if index == bytes.count { (bytes, index) = ([], 0) }
        return count
    }

    package var canRestart: Bool { base.canRestart }

    package func restart() throws(DataError) {
        (bytes, index) = ([], 0)
        try base.restart()
    }
}

/// Converts carriage returns that end lines, as in files of Excel for the classic Mac OS, to line feeds.
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

    /// True if the first line ends, outside quotes, with a carriage return that is not followed by a line feed or by another
    /// carriage return.
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
