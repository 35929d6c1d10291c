import PredicateEvaluation
import PredicateSyntax

/// The kinds of values that an expression can have.
struct KnownKinds {
    /// The kinds of its values, without nil.
    var kinds: Set<ValueKind>
    /// True if the expression has many values, each of one of the kinds.
    var isToMany = false

    init(_ kinds: Set<ValueKind>, isToMany: Bool = false) {
        self.kinds = kinds
        self.isToMany = isToMany
    }

    /// Returns true if a value of these kinds can equal a value of other kinds.
    func canEqual(_ other: Set<ValueKind>) -> Bool {
        kinds.contains { kind in other.contains { kind.canEqual($0) } }
    }

    /// `a number`, `a number or a string`
    var noun: String {
        kinds.sorted { $0.rawValue < $1.rawValue }.map(\.noun).joined(separator: " or ")
    }
}

extension CheckSubject {
    /// Returns the kinds of a node's values; nil if they are unknown.
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
            .block, .fetch:
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

    /// Returns the kinds of the trailing keys of a SUBQUERY element.
    private func kinds(ofPath keys: [String], own count: Int) -> KnownKinds? {
        guard case .facts(let facts)? = resolve(keys) else { return kinds(ofPath: keys) }
        let between = (keys.count - count + 1..<keys.count).map { keys[..<$0].joined(separator: ".") }
        let isMany = between.contains { data?[$0]?.kinds[.array] != nil }
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

    /// Looks up a key path; nil without data.
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

extension FunctionExpression {
    /// The kind of the result; nil if it depends on the arguments.
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
