import PredicateEvaluation

/// Records in memory with the values by which they are sorted, one after the other. They are never moved.
final class HeldRecords {
    private var pieces: [UnsafeMutableRawPointer] = []
    /// The end of the last record in the last piece, and the length of this piece.
    private var (end, capacity) = (0, 0)
    private var records: [HeldRecord] = []
    /// The number of bytes in all pieces.
    private var length = 0

    private static let pieceLength = 256 << 10

    deinit { for piece in pieces { piece.deallocate() } }

    var count: Int { records.count }

    /// The approximate number of bytes in memory, with those that a sort needs.
    var size: Int { length + 64 * count }

    subscript(index: Int) -> HeldRecord { records[index] }

    func append(_ values: [UInt8], _ record: [UInt8]) {
        let start = room(for: HeldRecord.headLength + values.count + record.count)
        start.storeBytes(of: values.count, as: Int.self)
        start.storeBytes(of: record.count, toByteOffset: MemoryLayout<Int>.size, as: Int.self)
        let target = start + HeldRecord.headLength
        values.withUnsafeBytes { if let bytes = $0.baseAddress { target.copyMemory(from: bytes, byteCount: $0.count) } }
        record.withUnsafeBytes {
            if let bytes = $0.baseAddress { (target + values.count).copyMemory(from: bytes, byteCount: $0.count) }
        }
    }

    /// Appends a copy of a record that is held elsewhere.
    func append(_ record: HeldRecord) {
        room(for: record.bytes.count).copyMemory(from: record.start, byteCount: record.bytes.count)
    }

    /// Returns memory for the next record.
    private func room(for size: Int) -> UnsafeMutableRawPointer {
        if capacity - end < size {
            capacity = max(size, Self.pieceLength)
            pieces.append(.allocate(byteCount: capacity, alignment: 1))
            (end, length) = (0, length + capacity)
        }
        let start = pieces[pieces.count - 1] + end
        end += size
        records.append(HeldRecord(start: UnsafeRawPointer(start)))
        return start
    }
}

/// A record and the values by which it is sorted, as bytes: the length of the values, that of the record, the values, and the
/// record.
struct HeldRecord {
    let start: UnsafeRawPointer

    static let headLength = 2 * MemoryLayout<Int>.size

    private var lengths: (values: Int, record: Int) {
        (start.loadUnaligned(as: Int.self), (start + MemoryLayout<Int>.size).loadUnaligned(as: Int.self))
    }

    private var values: UnsafeRawPointer { start + Self.headLength }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Self.headLength + lengths.values + lengths.record)
    }

    /// The bytes of the record.
    var record: UnsafeBufferPointer<UInt8> {
        let start = (values + lengths.values).assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: lengths.record)
    }

    /// Returns the value by which the record is sorted in a column.
    func value(_ column: Int) -> OrderedValue {
        var reader = SortedValueReader(values)
        for _ in 0..<column { reader.skip() }
        return reader.value()
    }
}
