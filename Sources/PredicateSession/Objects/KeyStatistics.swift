import PredicateEvaluation
import PredicateSyntax

/// What is known of one key path of the loaded objects.
package struct KeyFacts: Sendable {
    /// The keys, with dots between them: `dept.name`
    package let path: String
    /// How many values of each kind were seen.
    package fileprivate(set) var kinds: [ValueKind: Int] = [:]
    /// How many elements of each kind arrays hold.
    package fileprivate(set) var elementKinds: [ValueKind: Int] = [:]
    /// How many of the objects above it hold nil, or have no such key.
    package fileprivate(set) var nils = 0
    /// How many objects there are above it.
    package fileprivate(set) var total = 0
    /// A few different values, as they print.
    package fileprivate(set) var examples: [String] = []
    /// Whether every number is an integer.
    package fileprivate(set) var isWhole = true
    /// Whether an array stands on the way, so that the path gives many values.
    package fileprivate(set) var isToMany: Bool

    static let maximumExamples = 3

    /// The kinds, the most frequent first.
    package var sortedKinds: [ValueKind] {
        kinds.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map(\.key)
    }
}

/// The key paths of the loaded objects: what they hold, how often they are nil.
package struct KeyStatistics: Sendable {
    /// How many objects were looked at; of many only some are.
    package let sampled: Int
    package let count: Int
    /// The facts in the order in which the data has the keys.
    package private(set) var keys: [KeyFacts] = []
    private var positions: [String: Int] = [:]

    private static let sampleSize = 100_000
    private static let maximumKeys = 2_000
    private static let maximumDepth = 6

    /// Looks at all objects, or at a hundred thousand spread over them.
    package init(_ table: ObjectTable) {
        count = table.count
        let indexes = table.spread(Self.sampleSize)
        sampled = indexes.count
        for index in indexes { visit(table[index], path: [], isToMany: false, depth: 0) }
        settle(objects: sampled)
        let ranks = Dictionary(zip(table.columns, table.columns.indices), uniquingKeysWith: { first, _ in first })
        keys.sort { RankedPath($0, ranks) < RankedPath($1, ranks) }
        positions = Dictionary(zip(keys.map(\.path), keys.indices), uniquingKeysWith: { first, _ in first })
    }

    /// What is known of a path; nil where no object has it.
    package subscript(path: String) -> KeyFacts? {
        positions[path].map { keys[$0] }
    }

    /// Whether every key was noted: false where there are too many to keep.
    package var isComplete: Bool { keys.count < Self.maximumKeys }

    private mutating func visit(_ object: KeyedValue, path: [String], isToMany: Bool, depth: Int) {
        guard depth < Self.maximumDepth, let entries = object.entries else { return }
        for (key, value) in entries {
            let keys = path + [key]
            note(value, keys.joined(separator: "."), isToMany)
            if value.entries != nil {
                visit(value, path: keys, isToMany: isToMany, depth: depth + 1)
            } else if value.collectionKind != nil, let elements = value.elements {
                for element in elements.prefix(20) { visit(element, path: keys, isToMany: true, depth: depth + 1) }
            }
        }
    }

    private mutating func note(_ value: KeyedValue, _ path: String, _ isToMany: Bool) {
        guard let position = position(of: path, isToMany) else { return }
        keys[position].isToMany = keys[position].isToMany || isToMany
        guard let kind = ValueKind(value) else { return keys[position].nils += 1 }
        keys[position].kinds[kind, default: 0] += 1
        if kind == .number { keys[position].isWhole = keys[position].isWhole && value.isInteger }
        if kind == .array { noteElements(value, position) }
        guard keys[position].examples.count < KeyFacts.maximumExamples else { return }
        let example = ValueText.literal(value)
        if !keys[position].examples.contains(example) { keys[position].examples.append(example) }
    }

    private mutating func noteElements(_ value: KeyedValue, _ position: Int) {
        for kind in (value.elements ?? []).prefix(20).compactMap(ValueKind.init) {
            keys[position].elementKinds[kind, default: 0] += 1
        }
    }

    private mutating func position(of path: String, _ isToMany: Bool) -> Int? {
        if let position = positions[path] { return position }
        guard keys.count < Self.maximumKeys else { return nil }
        positions[path] = keys.count
        keys.append(KeyFacts(path: path, isToMany: isToMany))
        return keys.count - 1
    }

    /// A key that an object lacks is nil there.
    private mutating func settle(objects: Int) {
        for index in keys.indices {
            let present = keys[index].kinds.values.reduce(keys[index].nils, +)
            let parent = keys[index].path.lastIndex(of: ".").map { String(keys[index].path[..<$0]) }
            let holders = parent.flatMap { positions[$0] }.flatMap { keys[$0].kinds[.dictionary] } ?? objects
            let total = keys[index].isToMany ? present : max(present, parent == nil ? objects : holders)
            keys[index].total = total
            keys[index].nils += total - present
        }
    }
}

extension KeyedValue {
    fileprivate var isInteger: Bool {
        if case .value(.integer) = self { true } else { false }
    }
}

/// Keys in the order of the columns, those below a key after it.
private struct RankedPath: Comparable {
    private let column: Int
    private let path: String

    init(_ facts: KeyFacts, _ ranks: [String: Int]) {
        column = ranks[String(facts.path.prefix { $0 != "." })] ?? ranks.count
        path = facts.path
    }

    static func < (left: RankedPath, right: RankedPath) -> Bool {
        (left.column, left.path) < (right.column, right.path)
    }
}
