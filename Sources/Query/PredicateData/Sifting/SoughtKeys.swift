import PredicateSyntax

/// A key that is needed from records: `dept`, with `name` inside it.
struct SoughtKey {
    let spelling: UnsafeBufferPointer<UInt8>
    /// The slot for the value; -1 if it has none.
    let slot: Int
    /// How the key's values are converted; nil if they are not. A pointer is tested and copied without counting references.
    let conversion: UnsafePointer<SlotConversion>?
    /// The needed keys inside the value.
    let children: UnsafeBufferPointer<SoughtKey>
    /// The number of the key among all needed keys.
    let number: Int
    /// The number of the value among the objects that have needed keys; the record itself is the first, with the number 0.
    let objectNumber: Int32
    /// True if a record with the key must be read in full.
    let isRefused: Bool

    /// Returns true if the bytes are this key.
    @inline(__always)
    func isSpelled(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == spelling.count else { return false }
        for index in 0..<bytes.count where bytes[index] != spelling[index] { return false }
        return true
    }

    /// Writes a value that is not an object into the slot. Keys inside nil are nil; keys inside other values are
    /// opaque.
    @inline(__always)
    func fill(_ slots: UnsafeMutablePointer<FlatValue>, with value: FlatValue) {
        if slot >= 0 { slots[slot] = value }
        if !children.isEmpty { fillChildren(slots, with: value) }
    }

    private func fillChildren(_ slots: UnsafeMutablePointer<FlatValue>, with value: FlatValue) {
        var inner = FlatValue.opaque
        if case .null = value { inner = .null }
        for child in children { child.fill(slots, with: inner) }
    }

    /// Clears the slots of an object's members.
    func emptyChildren(_ slots: UnsafeMutablePointer<FlatValue>) {
        for child in children { child.empty(slots) }
    }

    private func empty(_ slots: UnsafeMutablePointer<FlatValue>) {
        if slot >= 0 { slots[slot] = .null }
        for child in children { child.empty(slots) }
    }
}

/// What a slot contains instead of the value of its key.
enum SlotConversion {
    /// The value as a type that is declared for the key.
    case reading(ColumnReading)
    /// The JSON of the value.
    case spelling
}

/// The tree of keys that are needed from each record.
final class SoughtKeys {
    /// The names of the roots, in order.
    let names: [String]
    let roots: UnsafeBufferPointer<SoughtKey>
    /// The number of objects that have needed keys, including the record itself.
    let objectCount: Int
    private let blocks: [UnsafeMutableRawPointer]
    private let conversions: [UnsafeMutablePointer<SlotConversion>]

    /// Creates the tree of the keys in the options, and assigns each path the slot with its own index.
    ///
    /// Nil if the options list no keys, or if a path does not begin with a listed key or continues with a key that is not
    /// ASCII. Keys are compared by bytes, but in a dictionary é is one key, whether one code point or two.
    ///
    /// A record is read in full if it has a key at a path whose index is in `refused`. If `spelled` is true, slots contain the
    /// JSON of values.
    init?(_ paths: [[String]], _ options: RecordOptions, refused: Set<Int> = [], spelled: Bool = false) {
        guard let keys = options.keys else { return nil }
        for path in paths {
            guard let root = path.first, keys.contains(root) else { return nil }
            guard path.dropFirst().allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
        }
        let maker = Maker(spelled ? nil : options.readings.filter { $0.value.type.converts }, refused)
        names = keys.sorted()
        roots = maker.keys(names, paths.enumerated().map { ($0.offset, $0.element[...]) }, in: [])
        objectCount = maker.objectCount
        (blocks, conversions) = (maker.blocks, maker.stored)
    }

    deinit {
        for block in blocks { block.deallocate() }
        for conversion in conversions {
            conversion.deinitialize(count: 1)
            conversion.deallocate()
        }
    }

    /// Returns the key at a path.
    func key(at path: [String]) -> SoughtKey? {
        var keys = roots
        var found: SoughtKey?
        for name in path {
            guard let key = keys.first(where: { $0.spelling.elementsEqual(name.utf8) }) else { return nil }
            (found, keys) = (key, key.children)
        }
        return found
    }

    private final class Maker {
        /// The rest of a path, and the slot of the whole path.
        typealias Rest = (slot: Int, keys: ArraySlice<String>)

        /// How typed keys are read; nil if slots contain JSON.
        let readings: [String: ColumnReading]?
        let refused: Set<Int>
        var blocks: [UnsafeMutableRawPointer] = []
        var stored: [UnsafeMutablePointer<SlotConversion>] = []
        var count = 0
        var objectCount = 1

        init(_ readings: [String: ColumnReading]?, _ refused: Set<Int>) {
            (self.readings, self.refused) = (readings, refused)
        }

        /// Returns the keys in the value at a path.
        func keys(_ names: [String], _ paths: [Rest], in path: [String]) -> UnsafeBufferPointer<SoughtKey> {
            let groups = Dictionary(grouping: paths) { $0.keys.first ?? "" }
            return store(names.map { key(path + [$0], groups[$0] ?? []) })
        }

        private func key(_ path: [String], _ paths: [Rest]) -> SoughtKey {
            let name = path.last ?? ""
            let rests = paths.map { Rest($0.slot, $0.keys.dropFirst()) }
            let inner = rests.filter { !$0.keys.isEmpty }
            let names = Set(inner.compactMap(\.keys.first)).sorted()
            count += 1
            let (number, objectNumber) = (count - 1, objectCount)
            if !names.isEmpty { objectCount += 1 }
            let slot = rests.first { $0.keys.isEmpty }?.slot ?? -1
            return SoughtKey(
                spelling: store(Array(name.utf8)), slot: slot,
                conversion: conversion(at: path).map { pointer(to: $0) }, children: keys(names, inner, in: path),
                number: number, objectNumber: Int32(truncatingIfNeeded: objectNumber), isRefused: refused.contains(slot)
            )
        }

        private func conversion(at path: [String]) -> SlotConversion? {
            guard let readings else { return .spelling }
            return readings.reading(at: path).map { .reading($0) }
        }

        private func pointer(to conversion: SlotConversion) -> UnsafePointer<SlotConversion> {
            let pointer = UnsafeMutablePointer<SlotConversion>.allocate(capacity: 1)
            pointer.initialize(to: conversion)
            stored.append(pointer)
            return UnsafePointer(pointer)
        }

        private func store<Value>(_ values: [Value]) -> UnsafeBufferPointer<Value> {
            let block = UnsafeMutablePointer<Value>.allocate(capacity: max(values.count, 1))
            let buffer = UnsafeMutableBufferPointer(start: block, count: values.count)
            _ = buffer.initialize(from: values)
            blocks.append(UnsafeMutableRawPointer(block))
            return UnsafeBufferPointer(buffer)
        }
    }
}

/// A column of CSV or TSV: its reading, and the index of its needed key.
struct SoughtColumn {
    /// How the scanner reads a cell.
    enum Use {
        /// Its value is not needed.
        case none
        /// Every cell is a string, except empty ones.
        case text
        /// Most cells have the form of JSON numbers.
        case integer, double
        case other
    }

    /// The index of the key among the roots; -1 if it is not needed.
    let root: Int
    /// The slot of the key; -1 if there is none, or if keys inside the key are needed.
    let slot: Int
    let use: Use
    let reading: ColumnReading

    init(_ reading: ColumnReading, _ root: Int?, in roots: UnsafeBufferPointer<SoughtKey>) {
        (self.reading, self.root) = (reading, root ?? -1)
        guard let root, roots[root].slot >= 0 || !roots[root].children.isEmpty || reading.mayFail else {
            (slot, use) = (-1, .none)
            return
        }
        slot = roots[root].children.isEmpty ? roots[root].slot : -1
        use = Self.use(reading)
    }

    private static func use(_ reading: ColumnReading) -> Use {
        if reading.isPlainText { return .text }
        if !reading.isPlainNumber { return .other }
        return reading.type == .double ? .double : .integer
    }
}

/// The columns of CSV or TSV, with the needed keys among them.
final class SoughtColumns {
    let keys: SoughtKeys
    let dialect: DelimitedDialect
    let columns: UnsafeBufferPointer<SoughtColumn>
    /// True if an empty row is not a record.
    let skipsEmptyRows: Bool

    init(_ header: RecordHeader, _ keys: SoughtKeys, skipsEmptyRows: Bool) {
        self.keys = keys
        self.skipsEmptyRows = skipsEmptyRows || header.columns.count != 1
        dialect = header.dialect
        let places = Dictionary(zip(keys.names, keys.names.indices)) { first, _ in first }
        let columns = zip(header.columns, header.readings).map { name, reading in
            SoughtColumn(reading, places[name], in: keys.roots)
        }
        let buffer = UnsafeMutableBufferPointer<SoughtColumn>.allocate(capacity: columns.count)
        _ = buffer.initialize(from: columns)
        self.columns = UnsafeBufferPointer(buffer)
    }

    deinit {
        UnsafeMutableBufferPointer(mutating: columns).deinitialize()
        columns.deallocate()
    }
}

extension ColumnType {
    /// True if JSON strings are converted to another type.
    var converts: Bool {
        switch self {
        case .string, .automatic: false
        case .integer, .double, .decimal, .boolean, .date, .uuid, .data: true
        }
    }
}
