import PredicateSyntax

/// The columns of dictionaries: one for each key that some of them have.
///
/// `{"name": "jo", "dept": {"name": "Sales"}}` has the columns `name` and `dept`, which has the column `name` again.
struct MemberColumns {
    let names: [String]
    let columns: [Column]
    /// For each column the bitmap of rows whose dictionary lacks the key; nil if all have it.
    let absent: [UnsafePointer<UInt64>?]
    /// The number of dictionaries, with those rows that are nil.
    let count: Int

    /// The slot of a key by its code points, as dictionaries tell keys apart.
    func slot(of name: String) -> Int? {
        names.firstIndex { $0.utf8.elementsEqual(name.utf8) }
    }

    /// The value of a key; nil where the row's dictionary has no such key.
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

    /// The column of a key, in which missing keys are nil.
    func column(_ key: String) -> Column? {
        slot(of: key).map { columns[$0] }
    }

    /// The key paths of all columns that have no columns of their own: `dept.name`.
    var keyPaths: [String] {
        zip(names, columns).flatMap { name, column in
            guard case .members(let inner) = column.storage else { return [name] }
            return inner.keyPaths.map { "\(name).\($0)" }
        }
    }
}

/// The builder of the columns of dictionaries.
final class MemberColumnsBuilder {
    /// The most keys, and the most gaps: past them keys are data and not the names of columns.
    private static let mostKeys = 1024
    private static let fewKeys = 64
    private static let mostGaps = 4

    private var names: [String] = []
    private var slots: [String: Int] = [:]
    private var columns: [ColumnBuilder] = []
    private var absent: [[UInt64]?] = []
    private var count = 0
    /// The number of values without gaps.
    private var present = 0
    private let depth: Int

    init(depth: Int, count: Int) {
        self.depth = depth
        self.count = count
    }

    /// Takes the dictionary of the next row; false for one whose keys are no names of columns.
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

    /// A row that is nil.
    func appendNull() {
        count += 1
        fillGaps(isAbsent: false)
    }

    /// The slot of a key: most dictionaries have the same keys in the same order.
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

    /// As many bits as rows, all of them set.
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

    /// The dictionary of a row that was appended.
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
