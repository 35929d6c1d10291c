import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSession
import PredicateSyntax

/// Collects notes about keys that no JSON record has: `nmae == 1 || age > 1`, `--keys nmae`, `--sort nmae`.
///
/// Files with columns have a header and do not need these notes.
struct KeyNotes {
    private var predicate: KeyPresence
    private var matches: KeyPresence
    /// The keys that are spelled like an expression or a path, which then stand for the value: `dep-delay`, `dept.name`
    private var spellings: KeyPresence
    private let query: OutputQuery
    private let files: [String]
    private var records = 0
    /// True if another note already explains why keys are missing.
    var isSilent = false
    /// The first record, whose keys are suggested.
    private var example: [UInt8]?
    /// The predicate as it was interpreted for the file, and the kinds of the values in the first record.
    var predicateOfFile: FormatPredicate
    private var kinds: RecordSchema?
    /// The declared types of keys.
    var types: [String: ColumnType] = [:]
    /// The columns of the last file, as the scope of checks.
    var scopeOfFile = CheckScope()
    private let context: PredicateContext

    init(_ predicate: FormatPredicate, _ settings: FilterSettings) {
        self.predicate = KeyPresence(RecordPaths(predicate.node).sorted.map(Self.withoutCollectionKey))
        query = settings.query
        matches = KeyPresence(settings.query.arranging.flatMap(\.paths))
        spellings = KeyPresence(settings.query.arranging.filter(\.hasOtherSpelling).map { [$0.text] })
        (files, context) = (settings.files, settings.context)
        predicateOfFile = predicate
    }

    /// Returns `friends` for `friends.count`, because `count` is a property of the array.
    private static func withoutCollectionKey(_ path: [String]) -> [String] {
        path.count > 1 && path.last.flatMap(CollectionKey.init) != nil ? path.dropLast() : path
    }

    /// Records the keys of a record that was parsed.
    mutating func see(_ record: SourceRecord, in reader: RecordReader) {
        guard reader.format.namesKeys else { return }
        records += 1
        if example == nil {
            // The value of the record has only the keys that the predicate needs.
            let whole = (try? JSONReader.parse(record.raw)) ?? record.value
            (example, kinds) = (record.raw, RecordSchema(whole, types))
        }
        predicate.see(record.value)
    }

    /// Records the keys that a sieve has seen, and those that the sieve of matches has seen if matches were not parsed.
    mutating func see(_ sieve: LineSieve, in reader: RecordReader, matches sieveOfMatches: LineSieve?) {
        guard reader.format.namesKeys else { return }
        predicate.see(sieve)
        if let sieveOfMatches {
            matches.see(sieveOfMatches)
            spellings.see(sieveOfMatches)
        }
    }

    mutating func seeMatch(_ record: SourceRecord) {
        guard example != nil else { return }
        matches.see(record.value)
        spellings.see(record.value)
    }

    /// Returns the notes. If the run ended early, only keys of written records are reported.
    func notes(isEarly: Bool, written: [String]) -> [String] {
        guard records > 0, !isSilent else { return [] }
        var paths = isEarly ? [] : predicate.missing
        let spelled = query.arranging.filter { $0.hasOtherSpelling && !spellings.missing.contains([$0.text]) }
        let found = spelled.flatMap(\.paths)
        paths += matches.missing.filter { path in
            !paths.contains(path) && !found.contains { $0.starts(with: path) }
        }
        paths += written.map(RecordsPath.keys).filter { !paths.contains($0) }
        return paths.map { path in
            let kind = predicate.missing.contains(path) && !isEarly ? "record" : "matching record"
            let name = RecordsPath.text(of: path)
            return "\(place)no \(kind) has the key '\(name)'"
                + ((suggestion(for: path) ?? quotes(for: path)).map { "; " + $0 } ?? "")
        }
    }

    /// Reasons why no record matches: comparisons with kinds of values that the first record does not have, and
    /// findings of the checks.
    var reasons: [String] {
        guard !isSilent else { return [] }
        let scope = (kinds?.scope ?? scopeOfFile).with(context)
        let mismatches = kinds.map { PredicateNotes.mismatches(predicateOfFile, $0.scope, mayRead: $0.mayRead) } ?? []
        return (mismatches + PredicateNotes.reasons(predicateOfFile, scope)).map { place + $0 }
    }

    /// Divisions of integers in the first record, and functions of lists that are applied to its single values.
    var surprises: [String] {
        kinds.map { kinds in
            (PredicateNotes.divisions(predicateOfFile, kinds.scope) + query.divisions(kinds.scope)
                + PredicateNotes.aggregates(predicateOfFile, kinds.scope)).map { place + $0 }
        } ?? []
    }

    private var place: String { files.count == 1 ? files[0].displayName + ": " : "" }

    /// Returns the hint for a word without quotes, which is a key: `name == John`
    private func quotes(for path: [String]) -> String? {
        path.count == 1 ? UnquotedText.hint(path[0], in: predicateOfFile.node) : nil
    }

    private func suggestion(for path: [String]) -> String? {
        guard let example, let last = path.last, let value = try? JSONReader.parse(example) else { return nil }
        let keys = Self.keys(at: path.dropLast(), in: value)
        if path.count == 1, let hint = predicateOfFile.node.keyWithDot(after: last, among: keys) { return hint }
        if let hint = SortOrder.hint(for: last, among: keys.sorted()) { return hint }
        let parents = path.dropLast().map { RecordsPath.text(of: $0) + "." }.joined()
        return UsageError.suggestions(for: last, among: keys.sorted()).first.map { text in
            parents.isEmpty ? text : text.replacingOccurrences(of: "mean ", with: "mean \(parents)")
        }
    }

    /// Returns the keys of the dictionaries at a path.
    private static func keys(at path: ArraySlice<String>, in value: PredicateValue) -> Set<String> {
        switch value {
        case .dictionary(let members):
            guard let key = path.first else { return Set(members.keys) }
            return members[key].map { keys(at: path.dropFirst(), in: $0) } ?? []
        case .array(let elements): return elements.reduce(into: []) { $0.formUnion(keys(at: path, in: $1)) }
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .set,
            .orderedSet, .object, .expression, .predicate:
            return []
        }
    }
}

extension PredicateNode {
    /// Returns the hint for a key with a dot in its name, of which the predicate reads a member: `k.x == 1`
    func keyWithDot(after first: String, among keys: some Collection<String>) -> String? {
        let names = RecordPaths(self).sorted.filter { $0.count > 1 && $0[0] == first }
            .flatMap { path in (2...path.count).map { path.prefix($0).joined(separator: ".") } }
        return names.sorted().first(where: keys.contains).map { "the dot is part of a name: write #\"\($0)\"" }
    }
}

extension DataFormat {
    /// A Boolean value that indicates whether each record contains its own keys.
    var namesKeys: Bool {
        switch self {
        case .json, .jsonLines, .logfmt, .deb822: true
        case .csv, .tsv, .lines, .log: false
        }
    }
}

/// Tracks which key paths of a predicate occur in the records. A path that no record has is probably mistyped.
///
/// With `phones.numbr == 1` and `{"phones": [{"number": 1}]}`, `phones` occurs and `phones.numbr` does not.
struct KeyPresence {
    private struct KeyNode {
        let key: String
        var children: [KeyNode]
        /// True if a dictionary was found where the key could be.
        var hadHolder = false
        var isPresent = false

        var isOpen: Bool { !isPresent || children.contains(where: \.isOpen) }
    }

    private var nodes: [KeyNode]
    /// False once every key has been found.
    private(set) var isOpen: Bool

    init(_ paths: some Collection<[String]>) {
        nodes = Self.nodes(paths.map { $0[...] })
        isOpen = !nodes.isEmpty
    }

    private static func nodes(_ paths: [ArraySlice<String>]) -> [KeyNode] {
        let groups = Dictionary(grouping: paths.filter { !$0.isEmpty }) { $0.first ?? "" }
        return groups.keys.sorted().map { key in
            KeyNode(key: key, children: nodes((groups[key] ?? []).map { $0.dropFirst() }))
        }
    }

    /// Records the keys of one record.
    mutating func see(_ record: PredicateValue) {
        guard isOpen else { return }
        Self.see(record, &nodes)
        isOpen = nodes.contains(where: \.isOpen)
    }

    private static func see(_ value: PredicateValue, _ nodes: inout [KeyNode]) {
        switch value {
        case .dictionary(let members):
            for index in nodes.indices where nodes[index].isOpen {
                nodes[index].hadHolder = true
                guard let value = members[nodes[index].key] else { continue }
                nodes[index].isPresent = true
                if !nodes[index].children.isEmpty { see(value, &nodes[index].children) }
            }
        case .array(let elements):
            for element in elements { see(element, &nodes) }
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .set,
            .orderedSet, .object, .expression, .predicate:
            break
        }
    }

    /// Adds the keys that a sieve has seen.
    mutating func see(_ sieve: LineSieve) {
        guard isOpen else { return }
        Self.see(sieve, [], &nodes)
        isOpen = nodes.contains(where: \.isOpen)
    }

    private static func see(_ sieve: LineSieve, _ path: [String], _ nodes: inout [KeyNode]) {
        for index in nodes.indices {
            guard let seen = sieve.presence(of: path + [nodes[index].key]) else { continue }
            nodes[index].hadHolder = nodes[index].hadHolder || seen.hadHolder
            nodes[index].isPresent = nodes[index].isPresent || seen.isPresent
            see(sieve, path + [nodes[index].key], &nodes[index].children)
        }
    }

    /// The shortest paths that no record has, among those whose parent was a dictionary.
    var missing: [[String]] { Self.missing(nodes, after: []) }

    private static func missing(_ nodes: [KeyNode], after path: [String]) -> [[String]] {
        nodes.flatMap { node in
            if node.isPresent { return missing(node.children, after: path + [node.key]) }
            return node.hadHolder ? [path + [node.key]] : []
        }
    }
}

/// Detects a file that was read as one record but is one document around an array of records.
///
/// `{"total": 2, "items": [{"name": "jo"}, {"name": "al"}]}`
struct DocumentHint {
    private var count = 0
    /// The first record.
    private var raw: [UInt8] = []

    /// Counts a record, and keeps it if it is the first.
    mutating func see(_ record: SourceRecord) {
        count += 1
        if count == 1 { raw = record.raw }
    }

    /// Counts `more` further records.
    mutating func see(_ more: Int) {
        count += more
    }

    private var members: [String: PredicateValue]? {
        if case .dictionary(let members) = try? JSONReader.parse(raw) { members } else { nil }
    }

    /// The hint for a record that is, or contains, a dictionary of records: `{"u1": {"age": 3}, "u2": {"age": 4}}`
    private static func dictionary(in members: [String: PredicateValue]) -> String? {
        let isOne = { (value: PredicateValue) in
            guard case .dictionary(let members) = value, members.count > 1 else { return false }
            return members.values.allSatisfy { if case .dictionary = $0 { true } else { false } }
        }
        let name = members.keys.sorted().first { key in members[key].map(isOne) ?? false }
        guard let path = isOne(.dictionary(members)) ? "*" : name.map({ RecordsPath.text(of: $0) + ".*" }) else {
            return nil
        }
        return "this is one record; --path '\(path)' reads the members in it, whose keys are @key"
    }

    /// The hint; nil if there was more than one record, or if the record contains no records.
    var text: String? {
        guard count == 1, let members else { return nil }
        let names = RecordsPath.candidates(in: members)
        guard let name = names.first else { return Self.dictionary(in: members) }
        let what = names.count == 1 ? "records" : "array"
        return "this is one record; --path \(RecordsPath.text(of: name)) reads the \(what) in it"
    }
}
