import Foundation
import PredicateSyntax

/// The builder of a column. It chooses the encoding by the kind that the values share.
final class ColumnBuilder {
    private enum Kind {
        case undecided, integers, doubles, numbers, dates, bools, strings, lists, members, values
    }

    /// The maximum depth at which nested dictionaries and lists get columns.
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

    /// Makes a column that begins with a number of nil rows.
    init(depth: Int = 0, nulls count: Int = 0) {
        self.depth = depth
        self.count = count
        hasNulls = count > 0
        nulls = Array(repeating: .max, count: (count + 63) / 64)
        if count & 63 != 0 { nulls[nulls.count - 1] = .max >> UInt64(64 - count & 63) }
    }

    /// Appends the value of the next row.
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

    /// Appends the dictionary of the next row, given as keys and values.
    func append(keys: [String], values: ArraySlice<PredicateValue>) {
        if kind == .undecided { decide(.dictionary([:])) }
        let pairs = zip(keys, values).lazy.map { (key: $0, value: $1) }
        guard kind == .members, let members, members.append(pairs, count: keys.count) else {
            return append(.dictionary(Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })))
        }
        if count & 63 == 0 { nulls.append(0) }
        count += 1
    }

    /// The first value that is not nil determines the kind, also for the nil rows before it.
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

    /// Appends nil or a value of the determined kind; returns false for another kind.
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

    /// Appends to a column of integers and doubles. Both arrays get an element; the unused one is 0.
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

    /// Appends a list whose values are of the same kind as all elements so far.
    private func append(_ list: [PredicateValue]) -> Bool {
        let elements = elements ?? ColumnBuilder(depth: depth + 1)
        self.elements = elements
        for element in list where !elements.appendElement(element) { return false }
        guard elements.count <= UInt32.max else { return false }
        offsets.append(elements.count)
        return true
    }

    /// Lists contain no nil and only values with a column encoding; dictionaries in them have a column for each key.
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

    /// Returns a value that was appended before the kinds turned out to be mixed.
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

    /// Returns the column of the appended values.
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
        // All values are nil, so the type is irrelevant.
        case .undecided: return .bools(arena.storePadded([UInt8](repeating: 0, count: count)))
        case .values: return .values(values)
        }
    }

    private func strings(_ arena: Arena) -> TextRun {
        TextRun(bytes: arena.storePadded(bytes), offsets: arena.storePadded(offsets))
    }

    /// Returns the dictionary encoding of the strings if there are few distinct ones.
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

// MARK: - Columns of dictionaries

/// The columns of dictionaries: one for each key that some of them have.
///
/// `{"name": "jo", "dept": {"name": "Sales"}}` has the columns `name` and `dept`, and `dept` has another column
/// `name`.
struct MemberColumns {
    let names: [String]
    let columns: [Column]
    /// For each column the bitmap of rows whose dictionary lacks the key; nil if no dictionary lacks it.
    let absent: [UnsafePointer<UInt64>?]
    /// The number of dictionaries, including nil rows.
    let count: Int

    /// Returns the slot of a key by its code points, which is how dictionaries distinguish keys.
    func slot(of name: String) -> Int? {
        names.firstIndex { $0.utf8.elementsEqual(name.utf8) }
    }

    /// Returns the value of a key; nil if the row's dictionary lacks the key.
    func value(of slot: Int, _ row: Int) -> PredicateValue? {
        if let absent = absent[slot], absent[row >> 6] >> UInt64(row & 63) & 1 != 0 { return nil }
        return columns[slot].value(row)
    }

    func dictionary(_ row: Int) -> [String: PredicateValue] {
        var members: [String: PredicateValue] = [:]
        members.reserveCapacity(names.count)
        for slot in names.indices {
            if let value = value(of: slot, row) { members[names[slot]] = value }
        }
        return members
    }

    /// Returns the column of a key, in which missing keys are nil.
    func column(_ key: String) -> Column? {
        slot(of: key).map { columns[$0] }
    }

    /// The key paths of all columns that have no nested columns: `dept.name`.
    var keyPaths: [String] {
        zip(names, columns).flatMap { name, column in
            guard case .members(let inner) = column.storage else { return [name] }
            return inner.keyPaths.map { "\(name).\($0)" }
        }
    }
}

/// The builder of the columns of dictionaries.
final class MemberColumnsBuilder {
    /// The limits on keys and on gaps between values. Beyond them, keys are data rather than column names.
    private static let mostKeys = 1024
    private static let fewKeys = 64
    private static let mostGaps = 4

    private var names: [String] = []
    private var slots: [String: Int] = [:]
    private var columns: [ColumnBuilder] = []
    private var absent: [[UInt64]?] = []
    private var count = 0
    /// The number of values that are present.
    private var present = 0
    private let depth: Int

    init(depth: Int, count: Int) {
        self.depth = depth
        self.count = count
    }

    /// Appends the dictionary of the next row; returns false if its keys are not column names.
    func append(_ members: some Sequence<(key: String, value: PredicateValue)>, count memberCount: Int) -> Bool {
        for (position, member) in members.enumerated() {
            guard let slot = slot(of: member.key, at: position) else { return false }
            columns[slot].append(member.value)
        }
        present += memberCount
        count += 1
        if memberCount < columns.count { fillGaps(isAbsent: true) }
        return true
    }

    /// Appends a nil row.
    func appendNull() {
        count += 1
        fillGaps(isAbsent: false)
    }

    /// Returns the slot of a key. Most dictionaries have the same keys in the same order.
    private func slot(of key: String, at position: Int) -> Int? {
        if position < names.count, names[position].utf8.elementsEqual(key.utf8) { return position }
        if let slot = slots[key] { return names[slot].utf8.elementsEqual(key.utf8) ? slot : nil }
        guard names.count < Self.mostKeys,
            names.count < Self.fewKeys || present * Self.mostGaps > names.count * count
        else { return nil }
        slots[key] = names.count
        names.append(key)
        columns.append(ColumnBuilder(depth: depth + 1, nulls: count))
        absent.append(count > 0 ? Self.bits(count) : nil)
        return names.count - 1
    }

    /// Returns one set bit for each row.
    private static func bits(_ count: Int) -> [UInt64] {
        var bits = [UInt64](repeating: .max, count: (count + 63) / 64)
        if count & 63 != 0 { bits[bits.count - 1] = .max >> UInt64(64 - count & 63) }
        return bits
    }

    private func fillGaps(isAbsent: Bool) {
        for slot in columns.indices where columns[slot].count < count {
            columns[slot].append(.null)
            if isAbsent { noteAbsence(slot) }
        }
    }

    private func noteAbsence(_ slot: Int) {
        var bits = absent[slot] ?? []
        absent[slot] = nil
        while bits.count <= (count - 1) >> 6 { bits.append(0) }
        bits[(count - 1) >> 6] |= 1 << UInt64((count - 1) & 63)
        absent[slot] = bits
    }

    /// Returns the dictionary of a row that was appended.
    func dictionary(_ row: Int) -> [String: PredicateValue] {
        var members: [String: PredicateValue] = [:]
        for slot in names.indices where !isAbsent(slot, row) { members[names[slot]] = columns[slot].value(row) }
        return members
    }

    private func isAbsent(_ slot: Int, _ row: Int) -> Bool {
        guard let bits = absent[slot], row >> 6 < bits.count else { return false }
        return bits[row >> 6] >> UInt64(row & 63) & 1 != 0
    }

    func members(in arena: Arena) -> MemberColumns {
        let wordCount = (count + 63) / 64
        let absent = absent.map { bits in
            bits.map { arena.storePadded($0 + Array(repeating: 0, count: wordCount - $0.count)) }
        }
        return MemberColumns(names: names, columns: columns.map { $0.column() }, absent: absent, count: count)
    }
}
