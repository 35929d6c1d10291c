import PredicateChecks
import PredicateData
import PredicateSyntax

/// The schema of records, for checks: it describes the columns of a file, or the values in one record.
///
/// Unknown keys may have any value. Missing keys are reported separately, after all records have been read.
package struct RecordSchema: WordedSchema {
    private let properties: [String: PredicateProperty]
    /// The strings in the record, by key.
    private let texts: [String: String]

    /// The name of the entity.
    private static let record = "record"

    package var origin: SchemaOrigin { .observed }

    /// Creates the schema of a header. Columns in `others` are replaced by records of other files.
    package init(_ header: RecordHeader, without others: Set<String> = []) {
        texts = [:]
        let columns = zip(header.columns, header.readings).filter { !others.contains($0.0) }
        properties = Dictionary(
            columns.map { ($0, PredicateProperty($1.type)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Creates the schema of one record. A declared type takes precedence over the value.
    package init(_ record: PredicateValue, _ types: [String: ColumnType]) {
        let members = if case .dictionary(let members) = record { members } else { [String: PredicateValue]() }
        var statistics = KeyStatistics(in: nil)
        statistics.add(.value(record))
        var properties = statistics.properties
        for (name, type) in types where type != .automatic { properties[name] = PredicateProperty(type) }
        self.properties = properties
        texts = members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
    }

    /// Creates the schema of keys whose values have certain kinds.
    init(_ kinds: [String: PredicateValue.Kind]) {
        texts = [:]
        properties = kinds.mapValues { kind in
            var property = PredicateProperty()
            property.kinds = [kind]
            return property
        }
    }

    /// The scope for checks of predicates about the records.
    package var scope: CheckScope { CheckScope(self, entity: Self.record) }

    package func property(_ key: String, of entity: String) -> PredicateProperty? {
        properties[entity == Self.record ? key : "\(entity).\(key)"] ?? PredicateProperty()
    }

    package func keys(of entity: String) -> [String] {
        guard entity == Self.record else { return [] }
        // The member x of k is at k.x, unless there is no k: then the dot is part of a name.
        return properties.keys.filter { !$0.contains(".") || properties[String($0.prefix { $0 != "." })] == nil }
            .sorted()
    }

    package func words(for entity: String) -> String? { "a dictionary" }

    /// Returns true if the string at a key can be read as a value of a type.
    package func mayRead(_ key: String, _ type: ColumnType) -> Bool {
        texts[key].map { ColumnReading(type, .declared).value(of: $0) != nil } ?? false
    }
}

extension PredicateProperty {
    /// Creates the property for a column of a type.
    fileprivate init(_ type: ColumnType) {
        self.init()
        kinds = type.kind.map { [$0] } ?? []
        if kinds == [.number] { isWhole = type == .integer }
    }
}
