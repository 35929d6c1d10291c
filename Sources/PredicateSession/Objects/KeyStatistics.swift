import Foundation
import PredicateEvaluation
import PredicateSyntax

/// The facts about one key path of the loaded objects.
package struct KeyFacts: Sendable {
    /// The keys, with dots between them: `dept.name`
    package let path: String
    /// The number of values of each kind.
    package fileprivate(set) var kinds: [PredicateValue.Kind: Int] = [:]
    /// The number of array elements of each kind.
    package fileprivate(set) var elementKinds: [PredicateValue.Kind: Int] = [:]
    /// The number of parent objects in which the key is nil or missing.
    package fileprivate(set) var nils = 0
    /// The number of parent objects.
    package fileprivate(set) var total = 0
    /// A few distinct values, as text.
    package fileprivate(set) var examples: [String] = []
    /// True if every number is an integer.
    package fileprivate(set) var isWhole = true
    /// True if a text has letters that composition would join: an e and a combining mark for `é`.
    package fileprivate(set) var isDecomposed = false
    /// True if the path leads through an array, so that it has many values.
    package fileprivate(set) var isToMany: Bool

    static let maximumExamples = 3

    /// The kinds, the most frequent first.
    package var sortedKinds: [PredicateValue.Kind] {
        kinds.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map(\.key)
    }
}

/// The key paths of the loaded objects, with facts about their values.
package struct KeyStatistics: Sendable {
    /// The number of objects that were examined: a sample of a large table.
    package let sampled: Int
    package let count: Int
    /// The facts in the order in which the data has the keys.
    package private(set) var keys: [KeyFacts] = []
    private var positions: [String: Int] = [:]

    private static let sampleSize = 100_000
    private static let maximumKeys = 2_000
    static let maximumDepth = 6

    /// Examines all objects, or a sample of a hundred thousand.
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

    /// Returns the facts about a path; nil if no object has it.
    package subscript(path: String) -> KeyFacts? {
        positions[path].map { keys[$0] }
    }

    /// False if there are too many keys to keep facts about all of them.
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
        guard let kind = value.kind else { return keys[position].nils += 1 }
        keys[position].kinds[kind, default: 0] += 1
        if kind == .number { keys[position].isWhole = keys[position].isWhole && value.isInteger }
        if kind == .array { noteElements(value, position) }
        if case .value(.string(let text)) = value, text.isDecomposed { keys[position].isDecomposed = true }
        guard keys[position].examples.count < KeyFacts.maximumExamples else { return }
        let example = ValueText.literal(value)
        if !keys[position].examples.contains(example) { keys[position].examples.append(example) }
    }

    private mutating func noteElements(_ value: KeyedValue, _ position: Int) {
        for kind in (value.elements ?? []).prefix(20).compactMap(\.kind) {
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

    /// Counts missing keys as nil.
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

extension String {
    /// True if composition would make it shorter. Texts without a byte of U+0300 or above are not looked at.
    fileprivate var isDecomposed: Bool {
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        return precomposedStringWithCanonicalMapping.utf8.count < utf8.count
    }
}

extension KeyedValue {
    fileprivate var isInteger: Bool {
        if case .value(.integer) = self { true } else { false }
    }
}

/// A key path in the order of the columns; a key comes before the keys of its values.
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
