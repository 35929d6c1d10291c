import PredicateJSON

/// The part of the input in memory: bytes that were read and not yet dropped.
///
/// It grows to the length of the longest record, so memory does not depend on the length of the input.
final class ByteWindow {
    private let source: any ByteSource
    private var storage: UnsafeMutableBufferPointer<UInt8>
    private var start = 0
    private var end = 0
    /// True if the source has no more bytes.
    private(set) var isAtEnd = false
    /// The position of the first byte in memory.
    private(set) var position = InputPosition()

    /// The initial size, and the maximum for one read: large enough that two cores rarely wait for each other, and small enough
    /// for a cache.
    static let standardCapacity = 1 << 20
    /// The number of bytes at the beginning in which the format is looked for.
    static let beginningLength = 256 << 10

    /// The number of bytes that may be read beyond those in memory; their values are undefined.
    static let margin = 16

    init(source: any ByteSource) {
        self.source = source
        storage = Self.allocate(Self.standardCapacity)
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(start: .allocate(capacity: capacity + margin), count: capacity)
    }

    deinit {
        storage.deallocate()
    }

    /// The bytes in memory; valid until the next refill.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: storage[start..<end])
    }

    var isEmpty: Bool { start == end }

    /// Reads more bytes; returns false at the end of the input.
    func refill() throws(DataError) -> Bool {
        if isAtEnd { return false }
        makeRoom()
        let room = UnsafeMutableBufferPointer(rebasing: storage[end...])
        let count: Int
        do {
            count = try source.read(into: UnsafeMutableRawBufferPointer(room))
        } catch {
            isAtEnd = true
            throw error
        }
        end += min(max(count, 0), room.count)
        isAtEnd = count <= 0
        return !isAtEnd
    }

    /// Makes room after the remaining bytes: moves them to the beginning, or doubles the storage.
    private func makeRoom() {
        if end <= storage.count / 2 { return }
        let count = end - start
        var target = storage
        if count > storage.count / 2 { target = Self.allocate(storage.count * 2) }
        if count > 0, let from = storage.baseAddress, let to = target.baseAddress {
            UnsafeMutableRawPointer(to).copyMemory(from: from + start, byteCount: count)
        }
        if target.baseAddress != storage.baseAddress { storage.deallocate() }
        storage = target
        start = 0
        end = count
    }

    /// Drops bytes at the beginning.
    func drop(_ count: Int) {
        position.advance(over: bytes.slice(0..<count))
        start += count
    }

    /// Drops bytes without updating the position.
    func discard(_ count: Int) {
        start += count
    }

    /// Drops one line; its last byte is its only line end.
    func dropLine(_ count: Int) {
        position.advanceLine(by: count)
        start += count
    }

    /// Drops all bytes before a position at the beginning of a line.
    func dropLines(before next: InputPosition) {
        start += next.offset - position.offset
        position = next
    }

    /// Drops white space; returns false if the input ends with it.
    func skipWhitespace() throws(DataError) -> Bool {
        while true {
            let bytes = bytes
            let count = bytes.firstIndex { !$0.isWhitespace } ?? bytes.count
            let isFound = count < bytes.count
            drop(count)
            if isFound { return true }
            if try !refill() { return false }
        }
    }

    /// Drops a byte order mark.
    func skipByteOrderMark() throws(DataError) {
        while bytes.count < JSONReader.byteOrderMark.count, try refill() {}
        if bytes.starts(with: JSONReader.byteOrderMark) {
            start += JSONReader.byteOrderMark.count
            position.offset += JSONReader.byteOrderMark.count
        }
    }
}

/// Finds the end of a record incrementally. Its state carries over from one piece to the next.
protocol BoundaryScanner {
    /// Returns the index after the record's last byte, including a terminator; nil if the record continues after
    /// these bytes. Bytes before `start` were already scanned.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int?
}

/// The result of cutting a record.
enum Cut {
    /// The record is at the beginning of the window.
    case whole(Int)
    /// The record exceeded the limit, and its bytes were dropped.
    case tooLong
}

extension ByteWindow {
    /// Reads one complete record into memory. A truncated record at the end of the input counts as complete.
    func cut(with scanner: inout some BoundaryScanner, limit: Int) throws(DataError) -> Cut {
        var scanned = 0
        var isTooLong = false
        while true {
            let end = scanner.end(in: bytes, from: scanned)
            scanned = end ?? bytes.count
            isTooLong = isTooLong || scanned > limit
            if isTooLong {
                drop(scanned)
                scanned = 0
            }
            if end == nil, try refill() { continue }
            return isTooLong ? .tooLong : .whole(scanned)
        }
    }
}
