import PredicateSQL

/// A primary key as it is stored, equal to another if the database takes them for the same: texts by their bytes.
struct StoredKey: Hashable {
    let binding: SQLBinding

    init(_ binding: SQLBinding) {
        self.binding = binding
    }

    static func == (left: StoredKey, right: StoredKey) -> Bool {
        guard case .text(let left) = left.binding, case .text(let right) = right.binding else {
            return left.binding == right.binding
        }
        return left.utf8.elementsEqual(right.utf8)
    }

    func hash(into hasher: inout Hasher) {
        guard case .text(let text) = binding else { return hasher.combine(binding) }
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// Primary keys in an order, each once.
struct StoredKeys {
    private(set) var list: [SQLBinding] = []
    private var all: Set<StoredKey> = []

    func contains(_ key: SQLBinding) -> Bool { all.contains(StoredKey(key)) }

    /// Adds a key that is not NULL; returns true for a new one.
    @discardableResult
    mutating func insert(_ key: SQLBinding) -> Bool {
        if case .null = key { return false }
        guard all.insert(StoredKey(key)).inserted else { return false }
        list.append(key)
        return true
    }
}
