import Foundation
import PredicateSyntax

/// A column: the values of one key for all rows in contiguous typed storage, with a null bitmap.
///
/// `@unchecked`: nothing changes once it is made.
final class Column: @unchecked Sendable {
    /// The encoding of the values; numbers and offsets are padded, so that 64 rows can be read at once.
    enum Storage {
        /// Integers, with their least and greatest.
        case integers(IntegerRun, ClosedRange<Int64>)
        case doubles(UnsafePointer<Double>)
        /// Integers and doubles: both arrays have every row, and a bitmap tells which rows are doubles.
        case numbers(IntegerRun, UnsafePointer<Double>, isDouble: UnsafePointer<UInt64>)
        /// In seconds since 2001.
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

    /// The lists of what a key of each element gives, for lists of dictionaries that all have it: `phones.number`; nil where
    /// an element has no such value, where the value is a list or a dictionary itself, and where arrays have a property of
    /// that name.
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
    /// True if the bit of a row is set.
    @inline(__always)
    func bit(_ row: Int) -> Bool {
        self[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
    }
}

/// Contiguous UTF-8 and the offset of each string in it; one more for the end of the last.
struct TextRun {
    let bytes: UnsafePointer<UInt8>
    let offsets: UnsafePointer<Int>

    @inline(__always)
    subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + offsets[row], count: offsets[row &+ 1] &- offsets[row])
    }
}

/// A column as the source of bytecode: the object is the index of a row.
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

    /// Numbers and dictionary codes are compared many at a time; strings and lists one by one.
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
