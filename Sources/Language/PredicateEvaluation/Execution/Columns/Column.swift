import Foundation
import PredicateSyntax

/// A column: the values of one key for all rows in contiguous typed storage, with a null bitmap.
///
/// `@unchecked`: it is immutable after initialization.
final class Column: @unchecked Sendable {
    /// The encoding of the values. Numbers and offsets are padded, so that 64 rows can be read at once.
    enum Storage {
        /// Integers with their minimum and maximum.
        case integers(IntegerRun, ClosedRange<Int64>)
        case doubles(UnsafePointer<Double>)
        /// Integers and doubles: both arrays have an element for every row, and a bitmap marks the rows that are
        /// doubles.
        case numbers(IntegerRun, UnsafePointer<Double>, isDouble: UnsafePointer<UInt64>)
        /// Dates in seconds since 2001.
        case dates(UnsafePointer<Double>)
        case bools(UnsafePointer<UInt8>)
        case strings(TextRun)
        /// Dictionary encoding: few distinct strings, stored by number.
        case codes(UnsafePointer<UInt8>, words: [String])
        /// Lists of values of one kind: the offset of each row's elements in a column of elements.
        case lists(offsets: UnsafePointer<UInt32>, elements: Column)
        /// Dictionaries.
        case members(MemberColumns)
        /// Values of several kinds, and kinds without an encoding.
        case values([PredicateValue])
    }

    let storage: Storage
    /// The null bitmap; nil for a column without nil, and for ``Storage/values(_:)``.
    let nulls: UnsafePointer<UInt64>?
    private let arena: Arena

    init(_ storage: Storage, nulls: UnsafePointer<UInt64>?, _ arena: Arena) {
        self.storage = storage
        self.nulls = nulls
        self.arena = arena
    }

    @inline(__always)
    func isNull(_ row: Int) -> Bool {
        nulls?.bit(row) ?? false
    }

    func value(_ row: Int) -> PredicateValue {
        if isNull(row) { return .null }
        switch storage {
        case .integers(let values, _): return .integer(values[row])
        case .doubles(let values): return .double(values[row])
        case .numbers(let integers, let doubles, let isDouble):
            return isDouble.bit(row) ? .double(doubles[row]) : .integer(integers[row])
        case .dates(let values): return .date(Date(timeIntervalSinceReferenceDate: values[row]))
        case .bools(let values): return .bool(values[row] != 0)
        case .strings(let texts): return .string(String(decoding: texts[row], as: UTF8.self))
        case .codes(let codes, let words): return .string(words[Int(codes[row])])
        case .lists(let offsets, let elements):
            return .array((Int(offsets[row])..<Int(offsets[row + 1])).map(elements.value))
        case .members(let members): return .dictionary(members.dictionary(row))
        case .values(let values): return values[row]
        }
    }

    /// Returns the lists of a key's values, for lists of dictionaries that all have the key: `phones.number`. Returns nil if an
    /// element lacks the key, if a value is itself a list or a dictionary, or if arrays have a property with that name.
    func elements(of key: String) -> Column? {
        guard case .lists(let offsets, let elements) = storage, case .members(let members) = elements.storage,
            ValueProperty(rawValue: key) == nil, let slot = members.slot(of: key), members.absent[slot] == nil
        else { return nil }
        let values = members.columns[slot]
        switch values.storage {
        case .integers, .doubles, .numbers, .dates, .bools, .strings, .codes: break
        case .lists, .members, .values: return nil
        }
        return values.nulls == nil ? Column(.lists(offsets: offsets, elements: values), nulls: nulls, arena) : nil
    }

    /// True for a column of dictionaries.
    private var isDictionaries: Bool {
        if case .members = storage { true } else { false }
    }

    /// Tests the value of a row.
    func result(_ row: Int, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        if isNull(row) { return test.pointee.null }
        switch storage {
        case .integers(let values, _): return test.pointee.result(integer: values[row])
        case .doubles(let values): return test.pointee.result(double: values[row])
        case .numbers(let integers, let doubles, let isDouble):
            return isDouble.bit(row)
                ? test.pointee.result(double: doubles[row]) : test.pointee.result(integer: integers[row])
        case .dates(let values):
            return test.pointee.decidesDates ? LeafResult(test.pointee.dates.holds(values[row])) : .unknown
        case .bools(let values): return test.pointee.result(bool: values[row] != 0)
        case .lists(let offsets, let elements)
        where test.pointee.lists.mode == .filteredCount && elements.isDictionaries:
            return test.pointee.lists.filteredCount(ofRows: Int(offsets[row])..<Int(offsets[row + 1]))
        case .strings, .codes, .lists, .members: return test.pointee.result(of: value(row))
        case .values(let values): return test.pointee.result(of: values[row])
        }
    }

    func number(_ row: Int) -> NumericValue? {
        if isNull(row) { return nil }
        switch storage {
        case .integers(let values, _): return NumericValue(values[row])
        case .doubles(let values): return NumericValue(values[row])
        case .numbers(let integers, let doubles, let isDouble):
            return isDouble.bit(row) ? NumericValue(doubles[row]) : NumericValue(integers[row])
        case .bools(let values): return NumericValue(values[row] != 0)
        case .values(let values): return NumericValue(values[row])
        case .dates, .strings, .codes, .lists, .members: return nil
        }
    }
}

extension UnsafePointer<UInt64> {
    /// Returns true if the bit of a row is set.
    @inline(__always)
    func bit(_ row: Int) -> Bool {
        self[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
    }
}

/// Contiguous UTF-8 with the offset of each string, and the end of the last one.
struct TextRun {
    let bytes: UnsafePointer<UInt8>
    let offsets: UnsafePointer<Int>

    @inline(__always)
    subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + offsets[row], count: offsets[row &+ 1] &- offsets[row])
    }
}

/// A column as a source for bytecode: the object is a row index.
final class ColumnSource: Source {
    let column: Column

    init(_ column: Column) {
        self.column = column
    }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        column.result(object.load(as: Int.self), test)
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        column.number(object.load(as: Int.self))
    }

    /// Numbers and dictionary codes are compared many at a time, strings and lists one by one.
    override func cost(of test: LeafTest) -> Int? {
        if column.nulls != nil, test.null == .unknown { return nil }
        switch ColumnLeaf(test, of: column) {
        case .integers, .doubles, .numbers, .bools, .codes, .lengths: return 0
        case .elements: return 1
        case .texts: return test.texts.match == .contains ? 4 : 2
        case .patterns, .formula, .rows: return nil
        }
    }
}

// MARK: - Bitmaps

/// A selection bitmap of rows and the result bitmap of one test: one bit for each row, starting at a multiple of 64.
///
/// Cheap tests are evaluated for all 64 rows of a word, since a branch-free loop takes many rows at a time. Other
/// tests are evaluated for the selected rows only.
struct RowBitmap {
    /// The row of the first bit.
    let start: Int
    let wordCount: Int
    let selected: UnsafePointer<UInt64>
    let results: UnsafeMutablePointer<UInt64>

    /// Evaluates all 64 rows of every word that has a selected row; columns are padded to a multiple of 64.
    @inline(__always)
    func testWords(_ holds: (Int) -> Bool) {
        for word in 0..<wordCount where selected[word] != 0 {
            let row = start &+ word &<< 6
            results[word] = Self.word { holds(row &+ $0) }
        }
    }

    /// Sets the same result for all rows.
    func fill(_ result: Bool) {
        results.update(repeating: result ? .max : 0, count: wordCount)
    }

    /// Evaluates each selected row.
    @inline(__always)
    func test(_ holds: (Int) -> Bool) {
        for word in 0..<wordCount {
            let row = start &+ word &<< 6
            var (rest, result) = (selected[word], UInt64(0))
            while rest != 0 {
                let bit = rest.trailingZeroBitCount
                rest &= rest &- 1
                result |= (holds(row &+ bit) ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
            }
            results[word] = result
        }
    }

    /// Negates the results.
    func negate() {
        for word in 0..<wordCount { results[word] = ~results[word] }
    }

    /// Calls `body` with each row whose bit is set in a range of words.
    @inline(__always)
    static func forEach(_ words: UnsafePointer<UInt64>, _ count: Int, from start: Int, _ body: (Int) -> Void) {
        for word in 0..<count {
            var rest = words[word]
            while rest != 0 {
                body(start &+ word &<< 6 &+ rest.trailingZeroBitCount)
                rest &= rest &- 1
            }
        }
    }

    /// Returns a word of 64 results. They are computed as bytes, so that SIMD instructions compare many at a time.
    @inline(__always)
    static func word(_ holds: (Int) -> Bool) -> UInt64 {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { block in
            guard let block = block.baseAddress else { return 0 }
            for index in 0..<64 {
                block.storeBytes(of: holds(index) ? 1 : 0, toByteOffset: index, as: UInt8.self)
            }
            return packed(block)
        }
    }

    /// Packs the lowest bits of 64 bytes. The factor moves the bits of eight bytes into the top byte without
    /// collisions.
    @inline(__always)
    private static func packed(_ block: UnsafeRawPointer) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<8 {
            let bytes = UInt64(littleEndian: block.load(fromByteOffset: index &* 8, as: UInt64.self))
            let byte = (bytes &* 0x0102_0408_1020_4080) &>> 56
            word |= byte &<< UInt64(truncatingIfNeeded: index &* 8)
        }
        return word
    }
}

// MARK: - Dictionary encoding

/// The builder of a dictionary encoding: a code for each distinct word, in the order of first use.
struct WordNumbers {
    /// The maximum number of distinct words; the last code denotes no word.
    private static let most = 255
    private static let size = 1024

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The first occurrence of each word.
    private(set) var ranges: [Range<Int>] = []
    /// An open-addressing hash table: the code of a word plus 1, or 0 for a free slot.
    private var slots = [UInt16](repeating: 0, count: size)

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Returns the code of a word; nil if there are too many words.
    mutating func number(of range: Range<Int>) -> UInt8? {
        var slot = hash(range) & (Self.size - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if isEqual(ranges[number], range) { return UInt8(truncatingIfNeeded: number) }
            slot = (slot + 1) & (Self.size - 1)
        }
        guard ranges.count < Self.most else { return nil }
        ranges.append(range)
        slots[slot] = UInt16(truncatingIfNeeded: ranges.count)
        return UInt8(truncatingIfNeeded: ranges.count - 1)
    }

    private func hash(_ range: Range<Int>) -> Int {
        var hash = UInt64(truncatingIfNeeded: range.count) &* 0x9E37_79B9_7F4A_7C15
        for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ (hash &>> 29)) & 0x7FFF_FFFF)
    }

    private func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<left.count where bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset] {
            return false
        }
        return true
    }
}
