import PredicateSyntax

/// A dictionary with a key that is no string: `[Int: String]`, `[UUID: Person]`, `[AnyHashable: Any]`.
///
/// `rooms[1]`, `people[%@]`
///
/// An index finds a key by the equality of the language, as `objectForKey:` does: 1, 1.0 and `YES` are one key, and `"1"` is
/// another. A key path finds the keys that are strings. Values are bridged on access. [NSP-171]
struct MixedDictionary: DictionaryCoding {
    private let values: [DistinctValue: Any]

    /// Makes a dictionary of keys and values. Of equal keys the first one in the order of ``orderedKeys`` counts: a number before a
    /// Boolean, whatever the order of a hash table.
    init(_ pairs: [(key: KeyedValue, value: Any)]) {
        let ordered = pairs.sorted { $0.key.precedesAsKey($1.key) }
        values = Dictionary(
            ordered.map { (DistinctValue($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    func value(forKey key: String) -> KeyedValue? { value(for: .value(.string(key))) }

    func value(for key: KeyedValue) -> KeyedValue? {
        values[DistinctValue(key)].map { Bridge.keyedValue($0, depth: 0) }
    }

    var allKeys: [String] {
        values.keys.compactMap { if case .value(.string(let name)) = $0.value { name } else { nil } }
    }

    var toleratesMissingKeys: Bool { true }

    var entries: [String: KeyedValue]? { nil }

    var entryCount: Int { values.count }

    /// Numbers in their order, then the other keys in the order of the code points of their descriptions.
    var orderedKeys: [KeyedValue] { values.keys.map(\.value).sorted { $0.precedesAsKey($1) } }
}

extension KeyedValue {
    /// The order of the keys of a dictionary that mixes them.
    fileprivate func precedesAsKey(_ other: KeyedValue) -> Bool {
        switch (keyNumber, other.keyNumber) {
        case (let left?, let right?):
            switch left.compare(right) {
            case .less: return true
            case .greater: return false
            case .equal: return !isBoolean && other.isBoolean
            }
        case (.some, nil): return true
        case (nil, .some): return false
        case (nil, nil): return descriptionText.utf8.lexicographicallyPrecedes(other.descriptionText.utf8)
        }
    }

    private var keyNumber: Number? {
        if case .value(let value) = self { Number(value) } else { nil }
    }

    private var isBoolean: Bool {
        if case .value(.bool) = self { true } else { false }
    }
}

extension Bridge {
    /// Bridges the entries of a dictionary of any keys: one whose keys are all strings has keys for key paths alone.
    static func dictionary(_ pairs: some Sequence<(key: Any, value: Any)>) -> KeyedValue {
        let bridged = pairs.map { (key: keyedValue($0.key, depth: 0), value: $0.value) }
        var named: [String: Any] = [:]
        for pair in bridged {
            guard case .value(.string(let name)) = pair.key else { return .object(MixedDictionary(bridged)) }
            named[name] = pair.value
        }
        return .object(named)
    }
}

extension KeyedValue {
    /// Makes a dictionary of keys and values.
    package init(dictionary pairs: [(key: KeyedValue, value: KeyedValue)]) {
        self = Bridge.dictionary(pairs.lazy.map { (key: $0.key as Any, value: $0.value as Any) })
    }
}
