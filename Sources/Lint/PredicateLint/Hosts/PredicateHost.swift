import PredicateSyntax

/// What the documentation of an API that takes predicates says about its objects, as a table of lines.
///
///     host Feed
///       words an entry of the feed
///       in FeedQuery
///       strings title author kind
///       values kind news sport
///       refuses OR || : cannot be queried with OR
///       source https://example.com/feed
///
/// `HostTable` contains the tables that are built in; a team can write tables of its own in `.predicate-lint`.
package struct PredicateHost: Hashable, Sendable {
    /// The name of the entity: `PHFetchOptions`
    let name: String
    /// The noun in messages: `a fetch of Photos`
    private(set) var words: String
    /// The names in a source that show that it uses the host.
    private(set) var marks: Set<String> = []
    /// The host whose keys this host has, too, and the calls that show that objects are of this host.
    private(set) var parent: String?
    private(set) var calls: Set<String> = []
    /// The documented keys with their properties. Without documented keys, the program defines the keys.
    private(set) var properties: [String: PredicateProperty] = [:]
    /// The allowed values of keys that have a closed set of values.
    private(set) var values: [String: [String]] = [:]
    /// Undocumented keys that programs use. They are not reported, and not suggested either.
    private(set) var known: Set<String> = []
    /// The correct keys, by keys of other APIs that are written by mistake.
    private(set) var instead: [String: String] = [:]
    /// True if there are no undocumented keys; otherwise, only misspelled keys are reported.
    private(set) var isClosed = false
    private(set) var refusals: [HostRefusal] = []
    /// The address of the documentation.
    private(set) var source = ""

    init(_ name: String) {
        self.name = name
        words = name
    }

    /// Adds a line of the table; returns false for an invalid line.
    mutating func add(_ part: Substring, _ rest: String) -> Bool {
        let list = rest.split(separator: " ").map(String.init)
        switch part {
        case "words": words = rest
        case "source": source = rest
        case "in": marks.formUnion(list)
        case "of": (parent, calls) = (list.first, Set(list.dropFirst()))
        case "strings": add(list, PredicateProperty(.string))
        case "numbers": add(list, PredicateProperty(.number))
        case "dates": add(list, PredicateProperty(.date))
        case "booleans": add(list, PredicateProperty(.boolean))
        case "lists": add(list, PredicateProperty(.string, isToMany: true))
        case "measures": add(list, PredicateProperty(objects: "HKQuantity", isToMany: false))
        case "keys": add(list, PredicateProperty())
        case "objects":
            guard list.count == 2 else { return false }
            properties[list[0]] = PredicateProperty(objects: list[1], isToMany: true)
        case "values":
            guard list.count > 1 else { return false }
            add(values: list.dropFirst(), of: list[0])
        case "known": known.formUnion(list)
        case "write":
            guard list.count > 2, list[1] == "for" else { return false }
            for key in list.dropFirst(2) { instead[key] = list[0] }
        case "refuses":
            guard let colon = list.firstIndex(of: ":"), colon > 0, colon + 1 < list.count else { return false }
            refusals.append(
                HostRefusal(parts: Set(list[..<colon]), reason: list[(colon + 1)...].joined(separator: " ")))
        case "closed": isClosed = true
        default: return false
        }
        return part == "closed" || !list.isEmpty
    }

    private mutating func add(_ keys: [String], _ property: PredicateProperty) {
        for key in keys { properties[key] = property }
    }

    /// The reason why the host refuses a part of the language; nil if it does not.
    func refusal(of part: String) -> String? { refusals.first { $0.parts.contains(part) }?.reason }

    /// Adds what the table says about another host of the same objects.
    mutating func join(_ other: PredicateHost) {
        properties.merge(other.properties) { own, _ in own }
        values.merge(other.values) { own, _ in own }
        instead.merge(other.instead) { own, _ in own }
        known.formUnion(other.known)
        isClosed = isClosed || other.isClosed
        if source.isEmpty { source = other.source }
    }

    /// `values type XCUIElementType+ Button Cell`: a first word that ends with `+` begins each value.
    private mutating func add(values list: ArraySlice<String>, of key: String) {
        let prefix = list.first?.last == "+" ? String(list[list.startIndex].dropLast()) : nil
        values[key] = prefix.map { start in list.dropFirst().map { start + $0 } } ?? Array(list)
        if properties[key] == nil { properties[key] = PredicateProperty() }
    }
}

/// Parts of the language that a host refuses.
struct HostRefusal: Hashable, Sendable {
    /// Operators, `.` for key paths, `TEXT` for a search in a string with CONTAINS, `FORMAT` for any format, and `BLOCK` for a
    /// predicate that is a block.
    var parts: Set<String>
    /// `cannot be queried with OR`
    var reason: String
}

/// The built-in hosts and those of a configuration. Each host is an entity with the host's name.
package struct HostTable: WordedSchema {
    private var byName: [String: PredicateHost] = [:]
    /// The hosts without the keys of their parents and parts.
    private var own: [String: PredicateHost] = [:]
    private var byMark: [String: String] = [:]

    static let standard = HostTable(HostTable.parsed(lines))

    init(_ hosts: [PredicateHost]) {
        for host in hosts { add(host) }
    }

    /// The part of a host that one of the words identifies: `PHAsset` of `PHFetchOptions`
    func part(of name: String, _ words: Set<String>) -> String? {
        let found = byName.values.filter { $0.parent == name && !$0.calls.isDisjoint(with: words) }
        return found.count == 1 ? found[0].name : nil
    }

    func hasParts(_ name: String) -> Bool { byName.values.contains { $0.parent == name && !$0.calls.isEmpty } }

    private mutating func add(_ host: PredicateHost) {
        var joined = host
        if let parent = host.parent, let whole = own[parent] {
            joined.join(whole)
            // The objects that a fetch selects may be unknown, so the parent has the keys of all its parts.
            if !host.calls.isEmpty { byName[parent]?.join(host) }
        }
        (own[host.name], byName[host.name]) = (host, joined)
        for mark in host.marks { byMark[mark] = host.name }
    }

    /// The standard table with the hosts of a configuration.
    static func with(_ hosts: [PredicateHost]) -> HostTable {
        hosts.reduce(into: standard) { $0.add($1) }
    }

    private static func parsed(_ text: String) -> [PredicateHost] {
        var hosts: [PredicateHost] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            let rest = words.count > 1 ? String(words[1]) : ""
            if words.first == "host" {
                hosts.append(PredicateHost(rest))
            } else if let part = words.first {
                _ = hosts[hosts.count - 1].add(part, rest)
            }
        }
        return hosts
    }

    func host(named name: String) -> PredicateHost? { byName[name] }

    /// The host that a word of the source identifies.
    func host(marked word: String) -> String? { byMark[word] }

    /// True if a source names a host that refuses predicates that are blocks.
    func refuseBlocks(in bytes: Bytes) -> Bool {
        byMark.contains { byName[$1]?.refusal(of: "BLOCK") != nil && bytes.firstOffset(of: $0) != nil }
    }

    /// True if a source may use a host.
    func mayOccur(in bytes: Bytes) -> Bool {
        (Array(byMark.keys) + ["XCTest", "XCUI"]).contains { bytes.firstOffset(of: $0) != nil }
    }

    /// The documentation of each host, for the help of the rule.
    static var sources: String {
        standard.byName.values.filter { !$0.source.isEmpty }.sorted { $0.name < $1.name }
            .map { "\($0.name) (\($0.source))" }.joined(separator: ", ")
    }

    // MARK: Schema

    package var origin: SchemaOrigin { .declared }

    package func property(_ key: String, of entity: String) -> PredicateProperty? {
        guard let host = byName[entity], !host.properties.isEmpty, !host.known.contains(key) else {
            return PredicateProperty()
        }
        return host.properties[key]
    }

    package func keys(of entity: String) -> [String] { byName[entity]?.properties.keys.sorted() ?? [] }

    package func entity(named name: String) -> String? { byName[name]?.name }

    package func words(for entity: String) -> String? { byName[entity]?.words ?? entity }

    package func missing(_ key: String, in entity: String) -> SchemaAbsence? {
        let host = byName[entity]
        let ending = host?.isClosed ?? false ? " that is documented" : ""
        return SchemaAbsence(
            "\(noun(of: entity)) has no key '\(key)'\(ending)", isError: false,
            hint: (host?.instead[key] ?? knownKey(near: key, host)).map { "did you mean \($0)?" } ?? constant(key))
    }

    /// The undocumented key that a misspelled one probably is, if no documented one is as close.
    private func knownKey(near key: String, _ host: PredicateHost?) -> String? {
        guard let host else { return nil }
        let close = NearMiss.candidates(for: key, among: host.known.sorted() + host.properties.keys.sorted(), limit: 1)
        return close.first.flatMap { host.known.contains($0) ? $0 : nil }
    }

    /// The hint for a key that is the name of a constant: `NSMetadataItemFSNameKey`
    private func constant(_ key: String) -> String? {
        ["NSMetadataItem", "NSMetadataUbiquitous", "HKPredicateKeyPath"].contains(where: key.hasPrefix)
            ? "did you mean %K with the constant \(key)?" : nil
    }
}
