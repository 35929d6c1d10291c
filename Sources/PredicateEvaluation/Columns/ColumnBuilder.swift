import Foundation
import PredicateSyntax

/// Gathers the values of one key, and chooses how to keep them: by the kind that all of them have.
struct ColumnBuilder {
    private enum Kind {
        case undecided, integers, doubles, dates, bools, strings, values
    }

    /// As many strings may differ for them to be kept by number.
    private static let mostWords = 255

    private var kind = Kind.undecided
    private var count = 0
    private var hasNulls = false
    private var nulls: [UInt64] = []
    private var integers: [Int64] = []
    private var doubles: [Double] = []
    private var bytes: [UInt8] = []
    private var offsets: [Int] = [0]
    private var values: [PredicateValue] = []

    mutating func append(_ value: PredicateValue) {
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
    private mutating func decide(_ value: PredicateValue) {
        switch value {
        case .null: return
        case .integer: kind = .integers
        case .bool: kind = .bools
        case .double: kind = .doubles
        case .date: kind = .dates
        case .string: kind = .strings
        case .nullObject, .decimal, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object,
            .expression, .predicate:
            values = Array(repeating: .null, count: count)
            kind = .values
        }
        switch kind {
        case .integers, .bools: integers = Array(repeating: 0, count: count)
        case .doubles, .dates: doubles = Array(repeating: 0, count: count)
        case .strings: offsets = Array(repeating: 0, count: count + 1)
        case .undecided, .values: break
        }
    }

    /// Appends a value of the kind that was decided on, or nil; false for another kind.
    private mutating func appendTyped(_ value: PredicateValue) -> Bool {
        if case .null = value {
            nulls[count >> 6] |= 1 << UInt64(count & 63)
            hasNulls = true
            appendFiller()
            return true
        }
        switch (kind, value) {
        case (.integers, .integer(let value)): integers.append(value)
        case (.bools, .bool(let value)): integers.append(value ? 1 : 0)
        case (.doubles, .double(let value)): doubles.append(value)
        case (.dates, .date(let value)): doubles.append(value.timeIntervalSinceReferenceDate)
        case (.strings, .string(let value)):
            bytes.append(contentsOf: value.utf8)
            offsets.append(bytes.count)
        case (.undecided, _), (.integers, _), (.bools, _), (.doubles, _), (.dates, _), (.strings, _), (.values, _):
            return false
        }
        return true
    }

    private mutating func appendFiller() {
        switch kind {
        case .integers, .bools: integers.append(0)
        case .doubles, .dates: doubles.append(0)
        case .strings: offsets.append(bytes.count)
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
        case .undecided, .values: return .null
        }
    }

    /// The column of what was appended.
    func column() -> Column {
        let arena = Arena()
        let isTyped = kind != .undecided && kind != .values
        return Column(storage(arena), nulls: hasNulls && isTyped ? arena.store(nulls).baseAddress : nil, arena)
    }

    private func storage(_ arena: Arena) -> Column.Storage {
        switch kind {
        case .integers: if let values = arena.store(integers).baseAddress { return .integers(values) }
        case .bools:
            if let values = arena.store(integers.map { UInt8(truncatingIfNeeded: $0) }).baseAddress {
                return .bools(values)
            }
        case .doubles: if let values = arena.store(doubles).baseAddress { return .doubles(values) }
        case .dates: if let values = arena.store(doubles).baseAddress { return .dates(values) }
        case .strings: if let texts = codes(arena) ?? strings(arena) { return texts }
        case .undecided: return .values(Array(repeating: .null, count: count))
        case .values: return .values(values)
        }
        return .values((0..<count).map(value))
    }

    private func strings(_ arena: Arena) -> Column.Storage? {
        guard let text = arena.store(bytes).baseAddress, let places = arena.store(offsets).baseAddress else {
            return nil
        }
        return .strings(text, offsets: places)
    }

    /// The strings by number, where few of them differ.
    private func codes(_ arena: Arena) -> Column.Storage? {
        var numbers: [ArraySlice<UInt8>: UInt8] = [:]
        var codes: [UInt8] = []
        codes.reserveCapacity(count)
        for row in 0..<count {
            let text = bytes[offsets[row]..<offsets[row + 1]]
            if let number = numbers[text] {
                codes.append(number)
                continue
            }
            guard numbers.count < Self.mostWords, numbers.count < 16 || numbers.count * 4 < row else { return nil }
            let number = UInt8(truncatingIfNeeded: numbers.count)
            numbers[text] = number
            codes.append(number)
        }
        let words = numbers.sorted { $0.value < $1.value }.map { String(decoding: $0.key, as: UTF8.self) }
        return arena.store(codes).baseAddress.map { .codes($0, words: words) }
    }
}
