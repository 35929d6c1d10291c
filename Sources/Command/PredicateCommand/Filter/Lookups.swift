import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSession
import PredicateSyntax

/// The records of other files that become the values of keys: `--lookup user=users.csv:id`
struct Lookups {
    private let lookups: [Lookup]
    /// The names under which records are found.
    let names: Set<String>

    /// `origin, hour AS weather=weather.csv:origin,hour`
    private struct Lookup {
        let name: String
        let keys: [OutputValue]
        let records: [PredicateValue: PredicateValue]
        let path: String
        /// The note about records with equal keys.
        let note: String?
        /// True for a file with columns.
        var isTable: Bool { [.csv, .tsv].contains(DataFormat(fileName: path)) }
        /// True if the record replaces the value of the key by which it is found.
        var isInPlace: Bool { keys.count == 1 && keys[0].spelling == name }

        init(_ setting: String, _ context: PredicateContext) throws(CommandFailure) {
            let (items, file, records, repeated) = try OtherFile.table(setting, context)
            note = repeated.note(file.path)
            let others = file.keys
            keys = OutputList.items(items).map { OutputValue($0, context) }
            (name, path, self.records) = (Lookups.name(items), file.path, records)
            for key in keys { try key.check() }
            if keys.count != others.count {
                let hint = "--lookup a,b AS name=FILE:a,b takes as many keys as the file has"
                throw .message("--lookup: \(keys.count) and \(others.count) keys in '\(setting)'", hints: [hint])
            }
            if name.isEmpty || keys.count > 1 && keys.last?.name == keys.last?.text {
                let hint = "write a name after AS: --lookup '\(items) AS name=FILE:KEY'"
                throw .message("--lookup: several keys and expressions need a name", hints: [hint])
            }
        }

        /// The keys that some record has.
        var columns: Set<String> {
            records.values.reduce(into: []) { columns, record in
                if case .dictionary(let members) = record { columns.formUnion(members.keys) }
            }
        }

        /// Returns the record of the other file; nil if there is none.
        func record(for record: PredicateValue) -> PredicateValue? {
            LookupKey.of(keys.map { (try? $0.value(in: record)) ?? .null }).flatMap { records[$0] }
        }
    }

    init(_ settings: [String], _ context: PredicateContext) throws(CommandFailure) {
        var lookups: [Lookup] = []
        for setting in settings { lookups.append(try Lookup(setting, context)) }
        (self.lookups, names) = (lookups, Set(lookups.map(\.name)))
    }

    /// Returns the names that the options give to records: `user` for `--lookup user=users.csv:id`.
    static func names(_ reader: ArgumentReader) -> Set<String> {
        Set(reader.values(of: FilterOption.lookup).compactMap { OutputList.assignment($0).map { name($0.name) } })
    }

    /// Returns the name after AS, or else the key.
    private static func name(_ items: String) -> String {
        OutputList.items(items).last.map { OutputValue($0, .standard).name } ?? ""
    }

    var isEmpty: Bool { lookups.isEmpty }

    /// Notes about keys that several records of a file have.
    var notes: [String] { lookups.compactMap(\.note) }

    /// The keys of the filtered records by which records of other files are found.
    var keys: [OutputValue] { lookups.flatMap(\.keys) }

    /// Returns true if one of the paths begins with a name that is looked up.
    func concern(_ paths: [[String]]) -> Bool {
        !isEmpty && paths.contains { path in path.first.map(names.contains) ?? false }
    }

    /// Throws for a path to a column that the other file lacks: `user.nmae`. A key that no JSON object has is nil instead.
    func check(_ paths: [[String]]) throws(CommandFailure) {
        for lookup in lookups where !lookup.records.isEmpty && lookup.isTable {
            let keys = paths.filter { $0.count > 1 && $0[0] == lookup.name }.map { $0[1] }
            if keys.isEmpty { continue }
            let columns = lookup.columns
            guard let key = keys.first(where: { !columns.contains($0) && StringKey(rawValue: $0) == nil }) else {
                continue
            }
            throw .message(
                "--lookup \(lookup.name): no record of \(lookup.path) has the key '\(key)'",
                hints: ColumnMatch.hints(for: key, columns.sorted()))
        }
    }

    /// Returns a record with the records of other files inserted, in place of their keys or under names of their own. A record
    /// that is not found is nil.
    func resolved(_ record: SourceRecord) -> SourceRecord {
        guard !isEmpty, case .dictionary(let members) = record.value else { return record }
        var resolved = members
        for lookup in lookups where !lookup.isInPlace || members[lookup.name] != nil {
            resolved[lookup.name] = lookup.record(for: record.value) ?? .null
        }
        var record = record
        record.value = .dictionary(resolved)
        return record
    }
}
