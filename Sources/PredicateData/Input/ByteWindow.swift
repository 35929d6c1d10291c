/// The part of the input that is in memory: what was read and not yet dropped.
///
/// It grows only as far as one record needs, so memory follows the longest record and not the input.
final class ByteWindow {
    private let source: any ByteSource
    private var storage: UnsafeMutableBufferPointer<UInt8>
    private var start = 0
    private var end = 0
    /// Whether the source has no more bytes.
    private(set) var isAtEnd = false
    /// Where the first byte in memory stands.
    private(set) var position = Position()

    /// What one read may bring, and the size to begin with.
    static let standardCapacity = 256 << 10

    /// How many bytes behind those in memory may be looked at, whatever stands there.
    static let margin = 16

    init(source: any ByteSource, capacity: Int = standardCapacity) {
        self.source = source
        storage = Self.allocate(max(capacity, 16))
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(start: .allocate(capacity: capacity + margin), count: capacity)
    }

    deinit {
        storage.deallocate()
    }

    /// The bytes in memory; they stay where they are until the next refill.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: storage[start..<end])
    }

    var isEmpty: Bool { start == end }

    /// Reads more behind what there is; false at the end of the input.
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

    /// Sees to room behind what is left: moves it to the beginning, and doubles the storage when that is not enough.
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

    /// Forgets bytes at the beginning.
    func drop(_ count: Int) {
        position.advance(over: bytes.slice(0..<count))
        start += count
    }

    /// Forgets one line; the only line end in these bytes is the last of them.
    func dropLine(_ count: Int) {
        position.advanceLine(by: count)
        start += count
    }

    /// Forgets all bytes before a place that begins a line.
    func dropLines(before place: Position) {
        start += place.offset - position.offset
        position = place
    }

    /// Drops white space; false when the input ends with it.
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

/// Finds where a record ends, in pieces: the state lives on from piece to piece.
protocol BoundaryScanner {
    /// The index past the record's last byte (and past its terminator, when that belongs to it); nil when the record
    /// goes on after these bytes. Bytes before `start` were seen before.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int?
}

/// What cutting a record gave.
enum Cut {
    /// The record is the first bytes of the window, still there.
    case whole(Int)
    /// The record went past the limit; its bytes are dropped.
    case tooLong
}

extension ByteWindow {
    /// Brings one whole record into memory. What the end of the input cuts short counts as a record too.
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
