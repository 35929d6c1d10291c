import PredicateSyntax

/// A key whose value is looked for in records: `dept`, and `name` inside it.
struct SoughtKey {
    let spelling: UnsafeBufferPointer<UInt8>
    /// The slot that the value goes into, -1 for none.
    let slot: Int
    /// What a string of this key is declared to be.
    let type: ColumnType?
    /// The keys inside.
    let children: UnsafeBufferPointer<SoughtKey>

    /// Whether the bytes from a place on are this key.
    @inline(__always)
    func isSpelled(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == spelling.count else { return false }
        for index in 0..<bytes.count where bytes[index] != spelling[index] { return false }
        return true
    }

    /// Puts a value that is no object into the slot; inside nil everything is nil, inside others only they know.
    func fill(_ slots: UnsafeMutablePointer<FlatValue>, with value: FlatValue) {
        if slot >= 0 { slots[slot] = value }
        if children.isEmpty { return }
        var inner = FlatValue.opaque
        if case .null = value { inner = .null }
        for child in children { child.fill(slots, with: inner) }
    }

    /// Empties the slots of an object's members; the object itself is more than a slot holds.
    func open(_ slots: UnsafeMutablePointer<FlatValue>) {
        if slot >= 0 { slots[slot] = .opaque }
        for child in children { child.empty(slots) }
    }

    private func empty(_ slots: UnsafeMutablePointer<FlatValue>) {
        if slot >= 0 { slots[slot] = .null }
        for child in children { child.empty(slots) }
    }
}

/// The keys that are looked for in each record, as a tree by pointer.
final class SoughtKeys {
    /// The names of the roots, in their order.
    let names: [String]
    let roots: UnsafeBufferPointer<SoughtKey>
    private var blocks: [UnsafeMutableRawPointer] = []

    /// The keys of the options with the paths that lead on from them; a path's number is that of its slot. Nil where a
    /// path cannot be found by comparing bytes: to a dictionary é is the same key in one code point and in two.
    init?(_ paths: [[String]], _ options: RecordOptions) {
        guard let keys = options.keys else { return nil }
        for path in paths {
            guard let root = path.first, keys.contains(root) else { return nil }
            guard path.dropFirst().allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
        }
        let maker = Maker(paths: paths, types: options.types.filter { $0.value.converts })
        names = keys.sorted()
        roots = maker.keys(names, after: [])
        blocks = maker.blocks
    }

    deinit {
        for block in blocks { block.deallocate() }
    }

    private final class Maker {
        let paths: [[String]]
        let types: [String: ColumnType]
        var blocks: [UnsafeMutableRawPointer] = []

        init(paths: [[String]], types: [String: ColumnType]) {
            self.paths = paths
            self.types = types
        }

        func keys(_ names: [String], after path: [String]) -> UnsafeBufferPointer<SoughtKey> {
            store(names.map { key($0, path + [$0]) })
        }

        private func key(_ name: String, _ path: [String]) -> SoughtKey {
            let inner = paths.filter { $0.count > path.count && $0.starts(with: path) }.map { $0[path.count] }
            return SoughtKey(
                spelling: store(Array(name.utf8)), slot: paths.firstIndex(of: path) ?? -1,
                type: path.count == 1 ? types[name] : nil, children: keys(Set(inner).sorted(), after: path))
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

/// What one column of CSV or TSV holds, and which of the sought keys it is.
struct SoughtColumn {
    /// The place of the key among the roots, -1 for none.
    let root: Int
    let type: ColumnType
}

/// The columns of CSV or TSV, by pointer, with the keys that are looked for among them.
final class SoughtColumns {
    let keys: SoughtKeys
    let delimiter: UInt8
    let columns: UnsafeBufferPointer<SoughtColumn>

    init(_ names: [String], _ keys: SoughtKeys, _ options: RecordOptions, delimiter: UInt8) {
        self.keys = keys
        self.delimiter = delimiter
        let columns = names.map { name in
            SoughtColumn(root: keys.names.firstIndex(of: name) ?? -1, type: options.types[name] ?? .automatic)
        }
        let buffer = UnsafeMutableBufferPointer<SoughtColumn>.allocate(capacity: columns.count)
        _ = buffer.initialize(from: columns)
        self.columns = UnsafeBufferPointer(buffer)
    }

    deinit { columns.deallocate() }
}

extension ColumnType {
    /// Whether strings in JSON become something else by it.
    var converts: Bool {
        switch self {
        case .string, .automatic: false
        case .integer, .double, .decimal, .boolean, .date, .uuid, .data: true
        }
    }
}
