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
    /// True if every number is an integer, also in arrays.
    package fileprivate(set) var isWhole = true
    /// True if some string contains decomposed letters, such as an e and a combining mark for `é`.
    package fileprivate(set) var isDecomposed = false
    /// True if an array is on the path, so that an object can have several values.
    package fileprivate(set) var isToMany: Bool
    /// The least and the greatest value, and the number of distinct values; nil if they are not needed.
    fileprivate(set) var range: ValueRange?

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
    /// True if a header or a schema names the keys of all objects.
    fileprivate var hasHeader = false

    private static let sampleSize = 100_000
    private static let maximumKeys = 2_000
    static let maximumDepth = 6
    /// Element 0 has the positions of the objects' keys, element n + 1 those of the keys in the values of key n.
    private var children: [[String: Int]] = [[:]]
    /// Whether the values of a key path are compared and counted.
    private let measures: @Sendable (String) -> Bool
    /// The number of distinct values that may still be held, for all keys together.
    private var room = 2_000_000

    /// Examines all objects, or a sample of a hundred thousand. `isPart` is true if there are further objects.
    package init(_ table: ObjectTable, isPart: Bool, hasHeader: Bool, in zone: LocalZone?) {
        self.init(in: zone)
        self.hasHeader = hasHeader
        for index in table.spread(Self.sampleSize) { add(table[index]) }
        finish(table.columns)
        count = table.count + (isPart ? 1 : 0)
    }

    /// Prepares for the objects that ``add(_:)`` examines, until ``finish(_:)``. If `measures` returns true for a key path, its
    /// values are compared and counted.
    init(in zone: LocalZone?, measuring measures: @escaping @Sendable (String) -> Bool = { _ in false }) {
        (self.zone, self.measures) = (zone, measures)
    }

    mutating func add(_ object: KeyedValue) {
        sampled += 1
        visit(object, nil, isToMany: false, depth: 0)
    }

    /// Examines an object, given its values in the columns of a file, which come first in ``keys``. Returns false if the object
    /// itself is needed.
    mutating func add(_ slots: UnsafePointer<FlatValue>, _ columns: [String]) -> Bool {
        if sampled == 0 { for name in columns { _ = position(of: name, in: nil) } }
        let count = min(columns.count, keys.count)
        for index in 0..<count {
            switch slots[index] {
            case .list, .opaque: return false
            case .null, .bool, .integer, .double, .date, .text: continue
            }
        }
        sampled += 1
        for index in 0..<count { keys[index].note(flat: slots[index], &room, zone) }
        return true
    }

    /// Counts missing keys, and puts the keys in the order of the columns.
    mutating func finish(_ columns: [String]) {
        count = sampled
        index()
        settle(objects: sampled)
        let ranks = Dictionary(zip(columns, columns.indices), uniquingKeysWith: { first, _ in first })
        // A key comes before the keys of its values.
        let ranked = keys.map { ((ranks[String($0.path.prefix { $0 != "." })] ?? ranks.count, $0.path), $0) }
        keys = ranked.sorted { $0.0 < $1.0 }.map(\.1)
        index()
    }

    private mutating func index() {
        positions = Dictionary(zip(keys.map(\.path), keys.indices), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the facts about a path; nil if no object has it.
    package subscript(path: String) -> KeyFacts? {
        positions[path].map { keys[$0] }
    }

    /// The properties of the keys, by path.
    var properties: [String: PredicateProperty] {
        Dictionary(keys.map { ($0.path, $0.property) }, uniquingKeysWith: { first, _ in first })
    }

    /// False if there are too many keys to keep facts about all of them.
    package var isComplete: Bool { keys.count < Self.maximumKeys }

    /// Examines the values of an object's keys. `parent` is the position of its own key; nil for an object of the session.
    private mutating func visit(_ object: KeyedValue, _ parent: Int?, isToMany: Bool, depth: Int) {
        guard depth < Self.maximumDepth, let entries = object.entries else { return }
        for (key, value) in entries {
            guard let position = position(of: key, in: parent) else { continue }
            keys[position].note(value, isToMany, &room, zone)
            if value.entries != nil {
                visit(value, position, isToMany: isToMany, depth: depth + 1)
            } else if value.collectionKind != nil, let elements = value.elements {
                for element in elements.prefix(20) { visit(element, position, isToMany: true, depth: depth + 1) }
            }
        }
    }

    /// Returns the position of a key of an object; nil if there are too many keys.
    private mutating func position(of key: String, in parent: Int?) -> Int? {
        let place = parent.map { $0 + 1 } ?? 0
        if let position = children[place][key] { return position }
        guard keys.count < Self.maximumKeys else { return nil }
        let path = parent.map { "\(keys[$0].path).\(key)" } ?? key
        children[place][key] = keys.count
        children.append([:])
        keys.append(KeyFacts(path: path, isToMany: false, range: measures(path) ? ValueRange() : nil))
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

extension KeyFacts {
    /// Takes a value into account. `room` is the number of distinct values that may still be held.
    fileprivate mutating func note(_ value: KeyedValue, _ isToMany: Bool, _ room: inout Int, _ zone: LocalZone?) {
        self.isToMany = self.isToMany || isToMany
        guard let kind = value.kind else { return nils += 1 }
        kinds[kind, default: 0] += 1
        if kind == .number { isWhole = isWhole && value.isInteger }
        if kind == .array {
            for element in (value.elements ?? []).prefix(20) {
                guard let kind = element.kind else { continue }
                elementKinds[kind, default: 0] += 1
                if kind == .number { isWhole = isWhole && element.isInteger }
            }
        }
        if case .value(.string(let text)) = value, text.isDecomposed { isDecomposed = true }
        var isNew = true
        if value.entries == nil, let plain = value.predicateValue { isNew = range?.add(plain, &room) ?? true }
        if isNew { addExample(value, zone) }
    }

    /// Takes the value of a slot into account; it is neither a list nor opaque.
    fileprivate mutating func note(flat value: FlatValue, _ room: inout Int, _ zone: LocalZone?) {
        switch value {
        case .null, .list, .opaque: return nils += 1
        case .bool: kinds[.boolean, default: 0] += 1
        case .integer: kinds[.number, default: 0] += 1
        case .double:
            kinds[.number, default: 0] += 1
            isWhole = false
        case .date: kinds[.date, default: 0] += 1
        case .text(let text):
            kinds[.string, default: 0] += 1
            if !isDecomposed, text.mayBeDecomposed { isDecomposed = String(decoding: text, as: UTF8.self).isDecomposed }
        }
        guard range?.add(flat: value, &room) ?? true, examples.count < Self.maximumExamples else { return }
        addExample(.value(PredicateValue(flat: value)), zone)
    }

    private mutating func addExample(_ value: KeyedValue, _ zone: LocalZone?) {
        guard examples.count < Self.maximumExamples else { return }
        let example = ValueText.literal(value, in: zone)
        if !examples.contains(example) { examples.append(example) }
    }
}

extension Sequence<UInt8> {
    /// False if there are no code points from U+0300 on.
    fileprivate var mayBeDecomposed: Bool { contains { $0 >= 0xCC } }
}

extension String {
    /// A Boolean value that indicates whether composition would make the string shorter.
    fileprivate var isDecomposed: Bool {
        utf8.mayBeDecomposed && precomposedStringWithCanonicalMapping.utf8.count < utf8.count
    }
}

extension KeyedValue {
    fileprivate var isInteger: Bool {
        if case .value(.integer) = self { true } else { false }
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
        let isKnown = data.sampled == data.count || entity.isEmpty && data.hasHeader
        let sample = isKnown ? "" : ", of \(Count.grouped(data.sampled)) objects that were examined"
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
        if kinds[.number] != nil || elementKinds[.number] != nil { property.isWhole = isWhole }
        return property
    }
}
