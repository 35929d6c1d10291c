import PredicateEvaluation
import PredicateSyntax

/// What is known of the values that an expression gives.
struct KnownKinds {
    /// The kinds of its values, without nil.
    var kinds: Set<ValueKind>
    /// Whether it gives many values, each of one of the kinds.
    var isToMany = false

    init(_ kinds: Set<ValueKind>, isToMany: Bool = false) {
        self.kinds = kinds
        self.isToMany = isToMany
    }

    /// Whether some value here may equal some value there.
    func canEqual(_ other: Set<ValueKind>) -> Bool {
        kinds.contains { kind in other.contains { kind.canEqual($0) } }
    }

    /// `a number`, `a number or a string`
    var noun: String {
        kinds.sorted { $0.rawValue < $1.rawValue }.map(\.noun).joined(separator: " or ")
    }
}

extension CheckSubject {
    /// What is known of a part; nil where it may be anything.
    func kinds(of node: PlacedNode) -> KnownKinds? {
        guard let expression = node.expression, !isUnknown(node) else { return nil }
        switch expression {
        case .constantValue(let value): return ValueKind(value).map { KnownKinds([$0]) }
        case .keyPath(let path):
            return expression.keys(in: node.scope).flatMap { keys in
                if case .variable? = path.base { return kinds(ofPath: keys, own: path.components.count) }
                return kinds(ofPath: keys)
            }
        case .function(let call): return call.resultKind.map { KnownKinds([$0]) }
        case .cast(let cast): return cast.resultKind.map { KnownKinds([$0]) }
        case .aggregate, .subquery, .set: return KnownKinds([.array])
        case .evaluatedObject, .variable, .member, .message, .index, .symbol, .conditional, .assignment, .anyKey,
            .fetch:
            return nil
        }
    }

    private func kinds(ofPath keys: [String]) -> KnownKinds? {
        switch resolve(keys) {
        case .facts(let facts): return facts.knownKinds
        case .property(let kind): return kind.map { KnownKinds([$0]) }
        case .unknown, nil: return nil
        }
    }

    /// The same of one element of the collection that a SUBQUERY runs through, of which the last keys are asked.
    private func kinds(ofPath keys: [String], own count: Int) -> KnownKinds? {
        guard case .facts(let facts)? = resolve(keys) else { return kinds(ofPath: keys) }
        let between = (keys.count - count + 1..<keys.count).map { keys[..<$0].joined(separator: ".") }
        let isMany = between.contains { data?[$0]?.kinds[.array] != nil }
        return isMany ? facts.knownKinds : facts.kindsOfOne
    }

    /// What a key path leads to in the data.
    enum Resolution {
        case facts(KeyFacts)
        /// `name.length`, `tags.@count`: a property, with its kind where that is known
        case property(ValueKind?)
        /// A key that no object has, and those that stand beside where it would be
        case unknown(key: String, prefix: [String], siblings: [String])
    }

    /// Nil where nothing is known.
    func resolve(_ keys: [String]) -> Resolution? {
        guard let data, data.isComplete else { return nil }
        var facts: KeyFacts?
        for (index, key) in keys.enumerated() {
            if key.utf8.first == UInt8(ascii: "@") { return .property(Self.kind(ofOperator: key)) }
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
        let paths = data?.keys.map { $0.path.split(separator: ".").map(String.init) } ?? []
        return paths.filter { $0.count == prefix.count + 1 && $0.starts(with: prefix) }.compactMap(\.last)
    }

    private static func kind(ofOperator name: String) -> ValueKind? {
        switch CollectionOperator(rawValue: name) {
        case .count, .sum, .average: .number
        case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays, .distinctUnionOfSets,
            .unionOfSets, .allKeys, .allValues:
            .array
        case .minimum, .maximum, nil: nil
        }
    }

    private static func kind(ofProperty name: String) -> ValueKind? {
        name == "length" || name == "count" ? .number : nil
    }
}

extension KeyFacts {
    /// Arrays give what is in them, where ANY asks for it.
    fileprivate var knownKinds: KnownKinds? {
        isToMany && !kinds.isEmpty ? KnownKinds(Set(kinds.keys), isToMany: true) : kindsOfOne
    }

    /// The same where one element of the arrays on the way is asked.
    fileprivate var kindsOfOne: KnownKinds? {
        if kinds.isEmpty { return nil }
        let own = Set(kinds.keys)
        return own == [.array] ? KnownKinds(Set(elementKinds.keys), isToMany: true) : KnownKinds(own)
    }

    /// Whether every key is asked of a dictionary, which answers nothing but its keys.
    fileprivate var isDictionary: Bool { kinds.keys.elementsEqual([.dictionary]) }

    /// Whether keys below it can be known: it holds dictionaries, or arrays of them.
    fileprivate var leadsOn: Bool {
        kinds.isEmpty || kinds[.dictionary] != nil || elementKinds[.dictionary] != nil
    }
}

extension FunctionExpression {
    /// The kind of the result, where it is always the same.
    fileprivate var resultKind: ValueKind? {
        guard case .predefined(let function) = function else { return nil }
        switch function {
        case .sum, .count, .average, .median, .stddev, .add, .subtract, .multiply, .divide, .modulus, .sqrt, .log, .ln,
            .power, .exp, .floor, .ceiling, .abs, .trunc, .negate, .random, .randomn, .bitwiseAnd, .bitwiseOr,
            .bitwiseXor, .leftShift, .rightShift, .onesComplement, .length, .distance:
            return .number
        case .uppercase, .lowercase: return .string
        case .now: return .date
        case .mode: return .array
        case .min, .max, .noindex: return nil
        }
    }
}

extension CastExpression {
    fileprivate var resultKind: ValueKind? {
        switch type {
        case "NSString": .string
        case "NSNumber", "NSDecimalNumber": .number
        case "NSDate": .date
        default: nil
        }
    }
}
