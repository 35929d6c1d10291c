import Foundation
import PredicateSyntax

/// Gathers the values of one key, and chooses how to keep them: by the kind that all of them have.
final class ColumnBuilder {
    private enum Kind {
        case undecided, integers, doubles, dates, bools, strings, lists, values
    }

    private var kind = Kind.undecided
    private(set) var count = 0
    private var hasNulls = false
    private var nulls: [UInt64] = []
    private var integers: [Int64] = []
    private var bounds: ClosedRange<Int64> = 0...0
    private var doubles: [Double] = []
    private var bytes: [UInt8] = []
    /// Where strings begin in the bytes, or lists in the elements.
    private var offsets: [Int] = [0]
    private var elements: ColumnBuilder?
    private var values: [PredicateValue] = []

    /// Takes the value of the next row.
    func append(_ value: PredicateValue) {
        if count & 63 == 0 { nulls.append(0) }
        if kind == .undecided { decide(value) }
        if kind != .values, !appendTyped(value) {
            values = (0..<count).map(self.value)
            kind = .values
        }
        if kind == .values { values.append(value) }
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
        case .array: kind = .lists
        case .nullObject, .decimal, .data, .uuid, .url, .type, .set, .orderedSet, .dictionary, .object, .expression,
            .predicate:
            kind = .values
        }
        switch kind {
        case .integers, .bools: integers = Array(repeating: 0, count: count)
        case .doubles, .dates: doubles = Array(repeating: 0, count: count)
        case .strings, .lists: offsets = Array(repeating: 0, count: count + 1)
        case .values: values = Array(repeating: .null, count: count)
        case .undecided: break
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
        case (.integers, .integer(let value)):
            integers.append(value)
            bounds = min(bounds.lowerBound, value)...max(bounds.upperBound, value)
        case (.bools, .bool(let value)): integers.append(value ? 1 : 0)
        case (.doubles, .double(let value)): doubles.append(value)
        case (.dates, .date(let value)): doubles.append(value.timeIntervalSinceReferenceDate)
        case (.strings, .string(let value)):
            bytes.append(contentsOf: value.utf8)
            offsets.append(bytes.count)
        case (.lists, .array(let list)): return append(list)
        case (.undecided, _), (.integers, _), (.bools, _), (.doubles, _), (.dates, _), (.strings, _), (.lists, _),
            (.values, _):
            return false
        }
        return true
    }

    /// Appends a list of values that are of the kind of all elements so far.
    private func append(_ list: [PredicateValue]) -> Bool {
        let elements = elements ?? ColumnBuilder()
        self.elements = elements
        for element in list where !elements.appendElement(element) { return false }
        guard elements.count <= UInt32.max else { return false }
        offsets.append(elements.count)
        return true
    }

    /// Lists hold no nil, no lists, and nothing that has no column of its own.
    private func appendElement(_ value: PredicateValue) -> Bool {
        if kind == .undecided { decide(value) }
        switch kind {
        case .undecided, .lists, .values: return false
        case .integers, .doubles, .dates, .bools, .strings: break
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
        case .strings: offsets.append(bytes.count)
        case .lists: offsets.append(elements?.count ?? 0)
        case .undecided, .values: break
        }
    }

    /// A value that was appended before the kind turned out to be none.
    private func value(_ row: Int) -> PredicateValue {
        if nulls[row >> 6] >> UInt64(row & 63) & 1 != 0 { return .null }
        switch kind {
        case .integers: return .integer(integers[row])
        case .bools: return .bool(integers[row] != 0)
        case .doubles: return .double(doubles[row])
        case .dates: return .date(Date(timeIntervalSinceReferenceDate: doubles[row]))
        case .strings: return .string(String(decoding: bytes[offsets[row]..<offsets[row + 1]], as: UTF8.self))
        case .lists: return .array((offsets[row]..<offsets[row + 1]).compactMap { elements?.value($0) })
        case .undecided, .values: return .null
        }
    }

    /// The column of what was appended.
    func column() -> Column {
        let arena = Arena()
        let isTyped = kind != .undecided && kind != .values
        return Column(storage(arena), nulls: hasNulls && isTyped ? arena.storePadded(nulls) : nil, arena)
    }

    private func storage(_ arena: Arena) -> Column.Storage {
        switch kind {
        case .integers: return .integers(IntegerRun(integers, bounds, in: arena), bounds)
        case .bools: return .bools(arena.storePadded(integers.map { UInt8(truncatingIfNeeded: $0) }))
        case .doubles: return .doubles(arena.storePadded(doubles))
        case .dates: return .dates(arena.storePadded(doubles))
        case .strings: return codes(arena) ?? .strings(strings(arena))
        case .lists:
            let places = arena.storePadded(offsets.map { UInt32(truncatingIfNeeded: $0) })
            return .lists(offsets: places, elements: (elements ?? ColumnBuilder()).column())
        case .undecided: return .values(Array(repeating: .null, count: count))
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
                guard let number = words.number(of: offsets[row]..<offsets[row + 1]),
                    words.ranges.count < 16 || words.ranges.count * 4 < row
                else { return nil }
                codes.append(number)
            }
            let texts = words.ranges.map { String(decoding: UnsafeBufferPointer(rebasing: bytes[$0]), as: UTF8.self) }
            return .codes(arena.storePadded(codes), words: texts)
        }
    }
}

/// Numbers for different words, in the order in which they are met.
private struct WordNumbers {
    /// As many may differ: the last number is that of no word.
    private static let most = 255
    private static let size = 1024

    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where each word stands first.
    private(set) var ranges: [Range<Int>] = []
    /// The number of a word and 1, at a place by its hash or behind it; 0 where there is none.
    private var places = [UInt16](repeating: 0, count: size)

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The number of a word; nil where there are too many.
    mutating func number(of range: Range<Int>) -> UInt8? {
        var place = hash(range) & (Self.size - 1)
        while places[place] != 0 {
            let number = Int(places[place]) - 1
            if isEqual(ranges[number], range) { return UInt8(truncatingIfNeeded: number) }
            place = (place + 1) & (Self.size - 1)
        }
        guard ranges.count < Self.most else { return nil }
        ranges.append(range)
        places[place] = UInt16(truncatingIfNeeded: ranges.count)
        return UInt8(truncatingIfNeeded: ranges.count - 1)
    }

    private func hash(_ range: Range<Int>) -> Int {
        var hash = UInt64(truncatingIfNeeded: range.count) &* 0x9E37_79B9_7F4A_7C15
        for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ (hash &>> 29)) & 0xFFFF_FFFF)
    }

    private func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<left.count where bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset] {
            return false
        }
        return true
    }
}
