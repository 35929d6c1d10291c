import PredicateSyntax

/// Plain values gathered so that one equal to another is found at once.
///
/// `name IN {"jo", "al"}`
///
/// Strings and the numbers that are no decimals are looked up by hash, under a key that is the same for all spellings
/// of a number: `2`, `2.0`, `YES` for 1. Everything else is compared one by one, as `==` would.
struct ElementIndex: Sendable {
    private var keys: Set<PredicateValue> = []
    private var others: [PredicateValue] = []
    private var hashed: [PredicateValue] = []

    /// The index of the elements; nil when one of them is a live object, which is not to be kept.
    init?(_ elements: [KeyedValue]) {
        for element in elements {
            guard case .value(let value) = element else { return nil }
            insert(value)
        }
    }

    private mutating func insert(_ value: PredicateValue) {
        guard let key = Self.key(of: value) else { return others.append(value) }
        if keys.insert(key).inserted { hashed.append(value) }
    }

    func contains(_ value: KeyedValue) -> Bool {
        if case .value(let plain) = value, let key = Self.key(of: plain) {
            return keys.contains(key) || others.contains { isEqual(value, .value($0)) }
        }
        return others.contains { isEqual(value, .value($0)) } || hashed.contains { isEqual(value, .value($0)) }
    }

    /// What equal strings and equal numbers have in common. Past 2^53 an integer equals every floating-point number
    /// that it rounds to, which no key can say.
    private static func key(of value: PredicateValue) -> PredicateValue? {
        switch value {
        case .string: value
        case .bool, .integer: Number(value)?.exactInteger.flatMap { $0.magnitude < 1 << 53 ? .integer($0) : nil }
        case .double(let number):
            number.magnitude < 0x1p53 ? Int64(exactly: number).map(PredicateValue.integer) ?? value : nil
        case .null, .nullObject, .decimal, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            nil
        }
    }
}
