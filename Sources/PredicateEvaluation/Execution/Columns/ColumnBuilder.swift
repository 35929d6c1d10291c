import Foundation
import PredicateSyntax

/// The builder of a column: it chooses the encoding by the kind that all values have.
final class ColumnBuilder {
    private enum Kind {
        case undecided, integers, doubles, numbers, dates, bools, strings, lists, members, values
    }

    /// Dictionaries and lists in one another have columns down to here.
    private static let mostDepth = 16

    private let depth: Int
    private var kind = Kind.undecided
    private(set) var count: Int
    private var hasNulls: Bool
    private var nulls: [UInt64]
    private var integers: [Int64] = []
    private var bounds: ClosedRange<Int64> = 0...0
    private var doubles: [Double] = []
    private var bytes: [UInt8] = []
    /// The offsets of strings in the bytes, or of lists in the elements.
    private var offsets: [Int] = [0]
    private var elements: ColumnBuilder?
    private var members: MemberColumnsBuilder?
    private var values: [PredicateValue] = []
    /// A bit for each row of ``Kind/numbers`` that is a double.
    private var isDouble: [UInt64] = []

    /// A column that begins with a number of rows that are nil.
    init(depth: Int = 0, nulls count: Int = 0) {
        self.depth = depth
        self.count = count
        hasNulls = count > 0
        nulls = Array(repeating: .max, count: (count + 63) / 64)
        if count & 63 != 0 { nulls[nulls.count - 1] = .max >> UInt64(64 - count & 63) }
    }

    /// Takes the value of the next row.
    func append(_ value: PredicateValue) {
        if count & 63 == 0 { nulls.append(0) }
        if kind == .undecided { decide(value) }
        if kind != .values, !appendTyped(value) {
            values = (0..<count).map(self.value)
            kind = .values
            (members, elements) = (nil, nil)
        }
        if kind == .values { values.append(value) }
        count += 1
    }

    /// Takes the dictionary of the next row, apart.
    func append(keys: [String], values: ArraySlice<PredicateValue>) {
        if kind == .undecided { decide(.dictionary([:])) }
        let pairs = zip(keys, values).lazy.map { (key: $0, value: $1) }
        guard kind == .members, let members, members.append(pairs, count: keys.count) else {
            return append(.dictionary(Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })))
        }
        if count & 63 == 0 { nulls.append(0) }
        count += 1
    }

    /// The first value that is not nil decides, and so do all the nils before it.
    private func decide(_ value: PredicateValue) {
        switch value {
        case .null: return
        case .integer: kind = .integers
        case .bool: kind = .bools
        case .double: kind = .doubles
        case .date: kind = .dates
        case .string: kind = .strings
        case .array: kind = depth < Self.mostDepth ? .lists : .values
        case .dictionary: kind = depth < Self.mostDepth ? .members : .values
        case .nullObject, .decimal, .data, .uuid, .url, .type, .set, .orderedSet, .object, .expression, .predicate:
            kind = .values
        }
        switch kind {
        case .integers, .bools: integers = Array(repeating: 0, count: count)
        case .doubles, .dates: doubles = Array(repeating: 0, count: count)
        case .strings, .lists: offsets = Array(repeating: 0, count: count + 1)
        case .members:
            members = MemberColumnsBuilder(depth: depth, count: count)
        case .values: values = Array(repeating: .null, count: count)
        case .undecided, .numbers: break
        }
    }

    /// Appends a value of the kind that was decided on, or nil; false for another kind.
    private func appendTyped(_ value: PredicateValue) -> Bool {
        if case .null = value {
            nulls[count >> 6] |= 1 << UInt64(count & 63)
            hasNulls = true
            appendFiller()
            return true
        }
        switch (kind, value) {
        case (.integers, .integer(let value)): append(value)
        case (.integers, .double), (.doubles, .integer), (.numbers, .integer), (.numbers, .double):
            append(number: value)
        case (.bools, .bool(let value)): integers.append(value ? 1 : 0)
        case (.doubles, .double(let value)): doubles.append(value)
        case (.dates, .date(let value)): doubles.append(value.timeIntervalSinceReferenceDate)
        case (.strings, .string(let value)):
            bytes.append(contentsOf: value.utf8)
            offsets.append(bytes.count)
        case (.lists, .array(let list)): return append(list)
        case (.members, .dictionary(let dictionary)):
            return members?.append(dictionary, count: dictionary.count) ?? false
        case (.undecided, _), (.integers, _), (.bools, _), (.doubles, _), (.numbers, _), (.dates, _), (.strings, _),
            (.lists, _), (.members, _), (.values, _):
            return false
        }
        return true
    }

    private func append(_ value: Int64) {
        integers.append(value)
        bounds = min(bounds.lowerBound, value)...max(bounds.upperBound, value)
    }

    /// Appends to a column of integers and doubles: both arrays have every row, 0 in the one of the other kind.
    private func append(number value: PredicateValue) {
        if kind == .integers { doubles = Array(repeating: 0, count: count) }
        if kind == .doubles {
            integers = Array(repeating: 0, count: count)
            isDouble = Array(repeating: .max, count: (count + 63) / 64)
            if count & 63 != 0 { isDouble[isDouble.count - 1] = .max >> UInt64(64 - count & 63) }
        }
        kind = .numbers
        while isDouble.count <= count >> 6 { isDouble.append(0) }
        if case .double(let value) = value {
            integers.append(0)
            doubles.append(value)
            isDouble[count >> 6] |= 1 << UInt64(count & 63)
        } else if case .integer(let value) = value {
            append(value)
            doubles.append(0)
        }
    }

    /// Appends a list of values that are of the kind of all elements so far.
    private func append(_ list: [PredicateValue]) -> Bool {
        let elements = elements ?? ColumnBuilder(depth: depth + 1)
        self.elements = elements
        for element in list where !elements.appendElement(element) { return false }
        guard elements.count <= UInt32.max else { return false }
        offsets.append(elements.count)
        return true
    }

    /// Lists hold no nil, and nothing that has no column of its own; dictionaries in them have a column for each key.
    private func appendElement(_ value: PredicateValue) -> Bool {
        if kind == .undecided { decide(value) }
        switch kind {
        case .undecided, .values: return false
        case .integers, .doubles, .numbers, .dates, .bools, .strings, .lists, .members: break
        }
        if case .null = value { return false }
        if count & 63 == 0 { nulls.append(0) }
        guard appendTyped(value) else { return false }
        count += 1
        return true
    }

    private func appendFiller() {
        switch kind {
        case .integers, .bools: integers.append(0)
        case .doubles, .dates: doubles.append(0)
        case .numbers: append(number: .integer(0))
        case .strings: offsets.append(bytes.count)
        case .lists: offsets.append(elements?.count ?? 0)
        case .members: members?.appendNull()
        case .undecided, .values: break
        }
    }

    /// A value that was appended before the kind turned out to be none.
    func value(_ row: Int) -> PredicateValue {
        if nulls[row >> 6] >> UInt64(row & 63) & 1 != 0 { return .null }
        switch kind {
        case .integers: return .integer(integers[row])
        case .bools: return .bool(integers[row] != 0)
        case .doubles: return .double(doubles[row])
        case .numbers:
            return isDouble[row >> 6] >> UInt64(row & 63) & 1 != 0 ? .double(doubles[row]) : .integer(integers[row])
        case .dates: return .date(Date(timeIntervalSinceReferenceDate: doubles[row]))
        case .strings: return .string(String(decoding: bytes[offsets[row]..<offsets[row + 1]], as: UTF8.self))
        case .lists: return .array((offsets[row]..<offsets[row + 1]).compactMap { elements?.value($0) })
        case .members: return .dictionary(members?.dictionary(row) ?? [:])
        case .values: return values[row]
        case .undecided: return .null
        }
    }

    /// The column of what was appended.
    func column() -> Column {
        let arena = Arena()
        let isTyped = kind != .values
        return Column(storage(arena), nulls: hasNulls && isTyped ? arena.storePadded(nulls) : nil, arena)
    }

    private func storage(_ arena: Arena) -> Column.Storage {
        switch kind {
        case .integers: return .integers(IntegerRun(integers, bounds, in: arena), bounds)
        case .bools: return .bools(arena.storePadded(integers.map { UInt8(truncatingIfNeeded: $0) }))
        case .doubles: return .doubles(arena.storePadded(doubles))
        case .numbers:
            return .numbers(
                IntegerRun(integers, bounds, in: arena), arena.storePadded(doubles),
                isDouble: arena.storePadded(isDouble))
        case .dates: return .dates(arena.storePadded(doubles))
        case .strings: return codes(arena) ?? .strings(strings(arena))
        case .lists:
            let starts = arena.storePadded(offsets.map { UInt32(truncatingIfNeeded: $0) })
            return .lists(offsets: starts, elements: (elements ?? ColumnBuilder()).column())
        case .members: return members.map { .members($0.members(in: arena)) } ?? .values([])
        // All of them are nil, whatever else they would be.
        case .undecided: return .bools(arena.storePadded([UInt8](repeating: 0, count: count)))
        case .values: return .values(values)
        }
    }

    private func strings(_ arena: Arena) -> TextRun {
        TextRun(bytes: arena.storePadded(bytes), offsets: arena.storePadded(offsets))
    }

    /// The strings by number, where few of them differ.
    private func codes(_ arena: Arena) -> Column.Storage? {
        bytes.withUnsafeBufferPointer { bytes in
            var words = WordNumbers(bytes)
            var codes: [UInt8] = []
            codes.reserveCapacity(count)
            for row in 0..<count {
                guard let number = words.number(of: offsets[row]..<offsets[row + 1]) else { return nil }
                codes.append(number)
            }
            guard words.ranges.count < 16 || words.ranges.count * 4 < count else { return nil }
            let texts = words.ranges.map { String(decoding: UnsafeBufferPointer(rebasing: bytes[$0]), as: UTF8.self) }
            return .codes(arena.storePadded(codes), words: texts)
        }
    }
}
