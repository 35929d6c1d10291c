import PredicateSyntax

/// A key that is sought in records: `dept`, with `name` inside it.
struct SoughtKey {
    let spelling: UnsafeBufferPointer<UInt8>
    /// The slot for the value; -1 without one.
    let slot: Int
    /// The declared type of the key's strings.
    let type: ColumnType?
    /// The sought keys of the value.
    let children: UnsafeBufferPointer<SoughtKey>

    /// Returns true if the bytes are this key.
    @inline(__always)
    func isSpelled(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == spelling.count else { return false }
        for index in 0..<bytes.count where bytes[index] != spelling[index] { return false }
        return true
    }

    /// Writes a value that is not an object into the slot. Keys inside nil are nil; keys inside other values are
    /// opaque.
    func fill(_ slots: UnsafeMutablePointer<FlatValue>, with value: FlatValue) {
        if slot >= 0 { slots[slot] = value }
        if children.isEmpty { return }
        var inner = FlatValue.opaque
        if case .null = value { inner = .null }
        for child in children { child.fill(slots, with: inner) }
    }

    /// Clears the slots of an object's members; the object itself is opaque.
    func open(_ slots: UnsafeMutablePointer<FlatValue>) {
        if slot >= 0 { slots[slot] = .opaque }
        for child in children { child.empty(slots) }
    }

    private func empty(_ slots: UnsafeMutablePointer<FlatValue>) {
        if slot >= 0 { slots[slot] = .null }
        for child in children { child.empty(slots) }
    }
}

/// The tree of keys that are sought in each record.
final class SoughtKeys {
    /// The names of the roots, in order.
    let names: [String]
    let roots: UnsafeBufferPointer<SoughtKey>
    private var blocks: [UnsafeMutableRawPointer] = []

    /// Creates the keys of the options with the paths that begin with them; the index of a path is that of its slot.
    /// Nil if a path cannot be found by comparing bytes: for a dictionary, é is the same key in one code point and in
    /// two.
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

/// The type of one column of CSV or TSV, and the index of its sought key.
struct SoughtColumn {
    /// The index of the key among the roots; -1 if it is not sought.
    let root: Int
    let type: ColumnType
}

/// The columns of CSV or TSV, with the sought keys among them.
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
    /// True if JSON strings are converted to another type.
    var converts: Bool {
        switch self {
        case .string, .automatic: false
        case .integer, .double, .decimal, .boolean, .date, .uuid, .data: true
        }
    }
}
