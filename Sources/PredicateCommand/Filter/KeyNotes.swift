import PredicateChecks
import PredicateData
import PredicateSession
import PredicateSyntax

/// Gathers what is noted about keys that no record of JSON has.
///
/// `nmae == 1 || age > 1`, `--keys nmae`, `--sort nmae`: files of columns say so by their headers.
struct KeyNotes {
    private var predicate: KeyPresence
    private var matches: KeyPresence
    private let files: [String]
    private var records = 0
    /// True if another note says why keys are missing.
    var isSilent = false
    /// The first record, whose keys are suggested.
    private var example: [UInt8]?
    /// The predicate with its texts read as the file has it, and the kinds of the first record's values.
    var predicateOfFile: FormatPredicate
    private var kinds: RecordSchema?
    /// The types that keys are declared with.
    var types: [String: ColumnType] = [:]
    /// What the columns of the last file say.
    var scopeOfFile = CheckScope()

    init(_ predicate: FormatPredicate, _ settings: FilterSettings) {
        self.predicate = KeyPresence(RecordPaths.paths(of: predicate.node).map(Self.withoutCollectionKey))
        let names = settings.grouping?.allNames ?? settings.sortNames
        matches = KeyPresence(names.map { RecordsPath.keys($0).prefix { !$0.hasPrefix("@") } }.map(Array.init))
        files = settings.files
        predicateOfFile = predicate
    }

    /// `friends` of `friends.count`, a key of the array itself
    private static func withoutCollectionKey(_ path: [String]) -> [String] {
        path.count > 1 && path.last.flatMap(CollectionKey.init) != nil ? path.dropLast() : path
    }

    /// Looks at a record that was read in full.
    mutating func see(_ record: SourceRecord, in reader: RecordReader) {
        guard reader.format.isJSON else { return }
        records += 1
        if example == nil {
            // The value has the keys of the predicate only.
            let whole = (try? JSONReader.parse(record.raw)) ?? record.value
            (example, kinds) = (record.raw, RecordSchema(whole, types))
        }
        predicate.see(record.value)
    }

    mutating func see(_ sieve: LineSieve, in reader: RecordReader) {
        if reader.format.isJSON { predicate.see(sieve) }
    }

    mutating func seeMatch(_ record: SourceRecord) {
        if example != nil { matches.see(record.value) }
    }

    /// Returns the notes. After an early end only the keys of written records are known.
    func notes(isEarly: Bool, written: [String]) -> [String] {
        guard records > 0, !isSilent else { return [] }
        var paths = isEarly ? [] : predicate.missing
        paths += matches.missing.filter { !paths.contains($0) }
        paths += written.map(RecordsPath.keys).filter { !paths.contains($0) }
        return paths.map { path in
            let kind = predicate.missing.contains(path) && !isEarly ? "record" : "matching record"
            let name = RecordsPath.text(of: path)
            return "\(place)no \(kind) has the key '\(name)'"
                + ((suggestion(for: path) ?? quotes(for: path)).map { "; " + $0 } ?? "")
        }
    }

    /// Why no record matches: comparisons with values of other kinds than the first record has, and what else the checks find.
    var reasons: [String] {
        guard !isSilent else { return [] }
        let scope = kinds?.scope ?? scopeOfFile
        let mismatches = kinds.map { PredicateNotes.mismatches(predicateOfFile, $0.scope, mayRead: $0.mayRead) } ?? []
        return (mismatches + PredicateNotes.reasons(predicateOfFile, scope)).map { place + $0 }
    }

    /// Divisions of integers in the first record.
    var divisions: [String] {
        kinds.map { PredicateNotes.divisions(predicateOfFile, $0.scope).map { place + $0 } } ?? []
    }

    private var place: String { files.count == 1 ? files[0].displayName + ": " : "" }

    /// A text without quotes is a key: `name == John`
    private func quotes(for path: [String]) -> String? {
        guard path.count == 1, UnquotedText.keys(in: predicateOfFile.node).contains(path[0]) else { return nil }
        return "a string needs quotes: \"\(path[0])\""
    }

    private func suggestion(for path: [String]) -> String? {
        guard let example, let last = path.last, let value = try? JSONReader.parse(example) else { return nil }
        let keys = Self.keys(at: path.dropLast(), in: value)
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

extension DataFormat {
    /// True if records have keys of their own.
    fileprivate var isJSON: Bool {
        switch self {
        case .json, .jsonLines: true
        case .csv, .tsv, .lines: false
        }
    }
}

extension FilterSettings {
    /// The keys of `--sort`.
    var sortNames: [String] { sort?.keys.map(\.key.name) ?? [] }
}

extension Grouping {
    /// The keys of the groups and of the figures about them.
    var allNames: [String] { keys.map(\.name) + aggregates.map(\.key.name) }
}
