import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Facts about one key path of the loaded objects.
package struct KeyFacts: Sendable {
    /// The keys, separated by dots: `dept.name`
    package let path: String
    /// The number of values of each kind.
    package fileprivate(set) var kinds: [PredicateValue.Kind: Int] = [:]
    /// The number of array elements of each kind.
    package fileprivate(set) var elementKinds: [PredicateValue.Kind: Int] = [:]
    /// The number of parent objects in which the key is nil or missing.
    package fileprivate(set) var nils = 0
    /// The number of parent objects.
    package fileprivate(set) var total = 0
    /// A few distinct values, formatted.
    package fileprivate(set) var examples: [String] = []
    /// True if every number is an integer.
    package fileprivate(set) var isWhole = true
    /// True if some string contains decomposed letters, such as an e and a combining mark for `é`.
    package fileprivate(set) var isDecomposed = false
    /// True if an array is on the path, so that an object can have several values.
    package fileprivate(set) var isToMany: Bool

    static let maximumExamples = 3

    /// The kinds, most frequent first.
    package var sortedKinds: [PredicateValue.Kind] {
        kinds.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map(\.key)
    }
}

/// Facts about the key paths of objects.
package struct KeyStatistics: Sendable {
    /// The number of objects that were examined. Large tables are sampled.
    package private(set) var sampled = 0
    package private(set) var count = 0
    /// The facts, in the order of the keys in the data.
    package private(set) var keys: [KeyFacts] = []
    private var positions: [String: Int] = [:]
    /// The zone of dates; nil for UTC.
    private let zone: LocalZone?

    private static let sampleSize = 100_000
    private static let maximumKeys = 2_000
    static let maximumDepth = 6

    /// Examines all objects, or a sample of a hundred thousand. `isPart` is true if a file has further objects.
    package init(_ table: ObjectTable, isPart: Bool, in zone: LocalZone?) {
        self.init(in: zone)
        for index in table.spread(Self.sampleSize) { add(table[index]) }
        finish(table.columns)
        count = table.count + (isPart ? 1 : 0)
    }

    /// Examines the objects that ``add(_:)`` is given, until ``finish(_:)``.
    init(in zone: LocalZone?) { self.zone = zone }

    /// Examines an object, and passes the values of the keys of which there are facts to a closure.
    mutating func add(_ object: KeyedValue, _ body: Visitor = { _, _ in }) {
        sampled += 1
        visit(object, path: "", isToMany: false, depth: 0, body)
    }

    /// Takes a key path and a value.
    typealias Visitor = (_ path: String, KeyedValue) -> Void

    /// Counts missing keys, and puts the keys in the order of the columns.
    mutating func finish(_ columns: [String]) {
        count = sampled
        settle(objects: sampled)
        let ranks = Dictionary(zip(columns, columns.indices), uniquingKeysWith: { first, _ in first })
        keys.sort { RankedPath($0, ranks) < RankedPath($1, ranks) }
        positions = Dictionary(zip(keys.map(\.path), keys.indices), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the facts about a path; nil if no object has it.
    package subscript(path: String) -> KeyFacts? {
        positions[path].map { keys[$0] }
    }

    /// False if there are too many keys to keep facts about all of them.
    package var isComplete: Bool { keys.count < Self.maximumKeys }

    private mutating func visit(
        _ object: KeyedValue, path: String, isToMany: Bool, depth: Int, _ body: Visitor
    ) {
        guard depth < Self.maximumDepth, let entries = object.entries else { return }
        for (key, value) in entries {
            let path = path.isEmpty ? key : "\(path).\(key)"
            if let position = position(of: path, isToMany) {
                note(value, position, isToMany)
                body(path, value)
            }
            if value.entries != nil {
                visit(value, path: path, isToMany: isToMany, depth: depth + 1, body)
            } else if value.collectionKind != nil, let elements = value.elements {
                for element in elements.prefix(20) {
                    visit(element, path: path, isToMany: true, depth: depth + 1, body)
                }
            }
        }
    }

    private mutating func note(_ value: KeyedValue, _ position: Int, _ isToMany: Bool) {
        keys[position].isToMany = keys[position].isToMany || isToMany
        guard let kind = value.kind else { return keys[position].nils += 1 }
        keys[position].kinds[kind, default: 0] += 1
        if kind == .number { keys[position].isWhole = keys[position].isWhole && value.isInteger }
        if kind == .array { noteElements(value, position) }
        if case .value(.string(let text)) = value, text.isDecomposed { keys[position].isDecomposed = true }
        guard keys[position].examples.count < KeyFacts.maximumExamples else { return }
        let example = ValueText.literal(value, in: zone)
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
    /// A Boolean value that indicates whether composition would make the string shorter. It cannot if there are no code points
    /// from U+0300 on.
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

/// The sort key of a key path: the position of its column, then its name. A key comes before the keys of its values.
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

/// The schema of the loaded objects: their keys and the kinds of their values.
///
/// An entity is the path to the dictionaries that have the keys, such as `dept`. The empty path stands for the objects
/// themselves.
struct DataSchema: WordedSchema {
    let data: KeyStatistics
    /// The keys of the objects, in the order of the data.
    let columns: [String]

    /// The entity of the loaded objects.
    static let root = ""

    var origin: SchemaOrigin { .observed }

    func property(_ key: String, of entity: String) -> PredicateProperty? {
        // If there are too many keys, or if the path is too deep, not all keys are known.
        guard data.isComplete, entity.split(separator: ".").count < KeyStatistics.maximumDepth else {
            return PredicateProperty()
        }
        if let facts = data[Self.path(key, of: entity)] { return facts.property }
        return entity.isEmpty && columns.contains(key) ? PredicateProperty() : nil
    }

    func keys(of entity: String) -> [String] {
        let names = data.keys.map(\.path).filter { path in
            entity.isEmpty
                ? !path.contains(".") : path.hasPrefix(entity + ".") && !path.dropFirst(entity.count + 1).contains(".")
        }
        if entity.isEmpty { return names + columns.filter { !names.contains($0) } }
        return names.map { String($0.dropFirst(entity.count + 1)) }
    }

    func words(for entity: String) -> String? { "a dictionary" }

    func missing(_ key: String, in entity: String) -> SchemaAbsence? {
        let holder = entity.isEmpty ? "no object has" : "\(entity) never has"
        let sample =
            data.sampled < data.count ? ", of \(Count.grouped(data.sampled)) objects that were examined" : ""
        return SchemaAbsence("\(holder) the key \(key)\(sample): it is nil", isError: false)
    }

    private static func path(_ key: String, of entity: String) -> String {
        entity.isEmpty ? key : "\(entity).\(key)"
    }
}

extension KeyFacts {
    /// The property for checks. If all values are arrays, it describes their elements.
    fileprivate var property: PredicateProperty {
        var property = PredicateProperty()
        let isList = kinds.keys.elementsEqual([.array])
        property.isToMany = isList
        property.kinds = Set(isList ? elementKinds.keys : kinds.keys)
        if kinds[.dictionary] != nil || elementKinds[.dictionary] != nil { property.entity = path }
        if kinds[.number] != nil { property.isWhole = isWhole }
        return property
    }
}
