import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// What the loaded objects say about keys.
struct DataKnowledge: KeyKnowledge {
    let data: KeyStatistics

    func kinds(at path: [String], elementKeys: Int?) -> KnownKinds? {
        elementKeys.map { kinds(ofPath: path, own: $0) } ?? kinds(ofPath: path)
    }

    func hasKey(_ key: String) -> Bool { data[key] != nil }

    func isWhole(at path: [String]) -> Bool? {
        guard case .facts(let facts)? = resolve(path), facts.kinds[.number] != nil else { return nil }
        return facts.isWhole
    }

    private func kinds(ofPath keys: [String]) -> KnownKinds? {
        switch resolve(keys) {
        case .facts(let facts): return facts.knownKinds
        case .property(let kind): return kind.map { KnownKinds([$0]) }
        case .unknown, nil: return nil
        }
    }

    /// Returns the kinds of the trailing keys of a SUBQUERY element.
    private func kinds(ofPath keys: [String], own count: Int) -> KnownKinds? {
        guard case .facts(let facts)? = resolve(keys) else { return kinds(ofPath: keys) }
        let between = (keys.count - count + 1..<keys.count).map { keys[..<$0].joined(separator: ".") }
        let isMany = between.contains { data[$0]?.kinds[.array] != nil }
        return isMany ? facts.knownKinds : facts.kindsOfOne
    }

    /// The result of looking up a key path in the data.
    enum Resolution {
        case facts(KeyFacts)
        /// `name.length`, `tags.@count`: a property, with its kind where that is known
        case property(ValueKind?)
        /// A key that no object has, with the keys of the same dictionary
        case unknown(key: String, prefix: [String], siblings: [String])
    }

    /// Looks up a key path; nil if there are too many keys to know all.
    func resolve(_ keys: [String]) -> Resolution? {
        guard data.isComplete else { return nil }
        var facts: KeyFacts?
        for (index, key) in keys.enumerated() {
            if key.utf8.first == UInt8(ascii: "@") { return .property(CollectionOperator(rawValue: key)?.resultKind) }
            if let next = data[keys[...index].joined(separator: ".")] {
                facts = next
                continue
            }
            let isDictionary = facts?.isDictionary ?? !data.keys.isEmpty
            if !isDictionary, ValueProperty(rawValue: key) != nil { return .property(Self.kind(ofProperty: key)) }
            let prefix = Array(keys[..<index])
            let isLeaf = facts.map { !$0.leadsOn } ?? false
            return .unknown(key: key, prefix: prefix, siblings: isLeaf ? [] : siblings(below: prefix))
        }
        return facts.map(Resolution.facts)
    }

    private func siblings(below prefix: [String]) -> [String] {
        let paths = data.keys.map { $0.path.split(separator: ".").map(String.init) }
        return paths.filter { $0.count == prefix.count + 1 && $0.starts(with: prefix) }.compactMap(\.last)
    }

    private static func kind(ofProperty name: String) -> ValueKind? {
        name == "length" || name == "count" ? .number : nil
    }
}

extension KeyFacts {
    /// The kinds of the values, for ANY those of the elements of arrays.
    fileprivate var knownKinds: KnownKinds? {
        isToMany && !kinds.isEmpty ? KnownKinds(Set(kinds.keys), isToMany: true) : kindsOfOne
    }

    /// The kinds of the values for a single element of the arrays on the way.
    fileprivate var kindsOfOne: KnownKinds? {
        if kinds.isEmpty { return nil }
        let own = Set(kinds.keys)
        return own == [.array] ? KnownKinds(Set(elementKinds.keys), isToMany: true) : KnownKinds(own)
    }

    /// True if all values are dictionaries, which have no other properties than their keys.
    fileprivate var isDictionary: Bool { kinds.keys.elementsEqual([.dictionary]) }

    /// True if values can have keys: dictionaries, or arrays of them.
    fileprivate var leadsOn: Bool {
        kinds.isEmpty || kinds[.dictionary] != nil || elementKinds[.dictionary] != nil
    }
}
