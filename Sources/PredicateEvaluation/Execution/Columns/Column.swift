import Foundation
import PredicateSyntax

/// The values of one key for all rows, one behind the other.
///
/// `@unchecked`: nothing changes once it is made.
final class Column: @unchecked Sendable {
    /// How the values are kept; numbers and offsets with room behind them, so that 64 rows can be read at once.
    enum Storage {
        /// With the least and the greatest of them.
        case integers(IntegerRun, ClosedRange<Int64>)
        case doubles(UnsafePointer<Double>)
        /// Whole numbers and doubles: each of them twice, and a bit for each row that is a double.
        case numbers(IntegerRun, UnsafePointer<Double>, isDouble: UnsafePointer<UInt64>)
        /// In seconds since 2001.
        case dates(UnsafePointer<Double>)
        case bools(UnsafePointer<UInt8>)
        case strings(TextRun)
        /// Few different strings, by number.
        case codes(UnsafePointer<UInt8>, words: [String])
        /// Lists of values of one kind: where each row's elements begin in a column of their own.
        case lists(offsets: UnsafePointer<UInt32>, elements: Column)
        /// Dictionaries.
        case members(MemberColumns)
        /// Values of several kinds, and all else.
        case values([PredicateValue])
    }

    let storage: Storage
    /// A bit for each row that is nil; nil where none is, and for ``Storage/values(_:)``.
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

    /// What a test says of a row.
    func answer(_ row: Int, _ test: UnsafePointer<LeafTest>) -> Answer {
        if isNull(row) { return test.pointee.null }
        switch storage {
        case .integers(let values, _): return test.pointee.answer(values[row])
        case .doubles(let values): return test.pointee.answer(values[row])
        case .numbers(let integers, let doubles, let isDouble):
            return isDouble.bit(row) ? test.pointee.answer(doubles[row]) : test.pointee.answer(integers[row])
        case .dates(let values):
            return test.pointee.knowsDates ? Answer(test.pointee.dates.holds(values[row])) : .unknown
        case .bools(let values): return test.pointee.answer(values[row] != 0)
        case .strings, .codes, .lists, .members: return test.pointee.answer(value(row))
        case .values(let values): return test.pointee.answer(values[row])
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
    /// Whether the bit of a row is set.
    @inline(__always)
    func bit(_ row: Int) -> Bool {
        self[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
    }
}

/// One run of UTF-8, and where in it each string begins; one place more for the end of the last.
struct TextRun {
    let bytes: UnsafePointer<UInt8>
    let offsets: UnsafePointer<Int>

    @inline(__always)
    subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + offsets[row], count: offsets[row &+ 1] &- offsets[row])
    }
}

/// A column as the source of a program's values: the object is the number of a row.
final class ColumnSource: Source {
    let column: Column

    init(_ column: Column) {
        self.column = column
    }

    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        column.answer(object.load(as: Int.self), test)
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        column.number(object.load(as: Int.self))
    }

    /// Numbers are compared many at a time, words by number; strings and lists are looked at one by one.
    override func cost(of test: LeafTest) -> Int? {
        if column.nulls != nil, test.null == .unknown { return nil }
        switch ColumnQuestion(test, of: column) {
        case .integers, .doubles, .numbers, .bools, .codes, .lengths: return 0
        case .elements: return 1
        case .texts: return test.texts.operation == .contains ? 4 : 2
        case .expressions, .formula, .rows: return nil
        }
    }
}
