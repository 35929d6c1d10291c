import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateSession
import PredicateSyntax

/// Hints beside an error of a predicate that compares keys with values of another kind.
///
/// `name > 5`, `zip BEGINSWITH "9"` where zips are integers
struct TypeHints {
    /// The header of CSV and TSV; nil for JSON.
    let header: RecordHeader?

    private static let reportedColumns = 3

    /// Returns hints for an error of an evaluation: the types of the columns in the predicate, and how to overrule them.
    func hints(for error: EvaluationError, _ predicate: PredicateNode) -> [String] {
        let paths = RecordPaths.paths(of: predicate).sorted { $0.lexicographicallyPrecedes($1) }
        guard isAboutTypes(error.code) else { return [] }
        guard let header else { return isDateBesideText(error.code) ? paths.compactMap(Self.dateHint) : [] }
        let names = Set(paths.compactMap(\.first))
        return header.columns.filter(names.contains).prefix(Self.reportedColumns).compactMap { hint($0, header) }
    }

    private func hint(_ column: String, _ header: RecordHeader) -> String? {
        guard let type = header.reading(of: column)?.type else { return nil }
        let start = "column '\(column)' is \(type.noun)"
        if type != .string { return "\(start); --types '\(column)=string' reads it as text" }
        guard let exception = header.exceptions[column] else { return start }
        let other = "--types '\(column)=\(exception.type.rawValue)' reports such cells"
        return "\(start), since '\(exception.text)' is not \(exception.type.noun); \(other)"
    }

    private static func dateHint(_ path: [String]) -> String? {
        guard path.count == 1 else { return nil }
        return "--types '\(path[0])=date' reads ISO 8601 texts of '\(path[0])' as dates"
    }

    private func isAboutTypes(_ code: EvaluationError.Code) -> Bool {
        switch code {
        case .notANumber(let found): found.valueClass != nil
        case .incomparable, .notAString: true
        default: false
        }
    }

    private func isDateBesideText(_ code: EvaluationError.Code) -> Bool {
        guard case .incomparable(let left, let right) = code else { return false }
        return Set([left.valueClass, right.valueClass]) == [.date, .string]
    }
}

/// Records as what predicates are checked against: the columns of a file, or the values in one record. Other keys may lead to
/// anything; that they are missing is noted by those that read all records.
struct RecordSchema: PredicateSchema {
    private let properties: [String: SchemaProperty]
    /// The texts in the record.
    private let texts: [String: String]

    /// The entity of the records.
    private static let record = "record"

    var origin: SchemaOrigin { .observed }

    init(_ header: RecordHeader) {
        texts = [:]
        properties = Dictionary(
            zip(header.columns, header.readings).map { ($0, SchemaProperty($1.type)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The values of a record; a key with a declared type has values of that type.
    init(_ record: PredicateValue, _ types: [String: ColumnType]) {
        let members = if case .dictionary(let members) = record { members } else { [String: PredicateValue]() }
        var properties: [String: SchemaProperty] = [:]
        Self.visit(members, "", depth: 0, &properties)
        for (name, type) in types where type != .automatic { properties[name] = SchemaProperty(type) }
        self.properties = properties
        texts = members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
    }

    /// Levels of dictionaries that are looked at, and the elements of an array.
    private static let mostLevels = 6, mostElements = 20

    private static func visit(
        _ members: [String: PredicateValue], _ prefix: String, depth: Int, _ properties: inout [String: SchemaProperty]
    ) {
        guard depth < mostLevels else { return }
        for (key, value) in members {
            let path = prefix + key
            var property = properties[path] ?? SchemaProperty()
            property.isToMany = value.kind == .array
            for element in property.isToMany ? Array((value.elements ?? []).prefix(mostElements)) : [value] {
                if let kind = element.kind { property.kinds.insert(kind) }
                if case .integer = element { property.isWhole = property.isWhole ?? true }
                if case .dictionary(let inner) = element {
                    property.entity = path
                    visit(inner, path + ".", depth: depth + 1, &properties)
                }
            }
            properties[path] = property
        }
    }

    /// The scope of predicates about the records.
    var scope: CheckScope { CheckScope(self, entity: Self.record) }

    func property(_ key: String, of entity: String) -> SchemaProperty? {
        properties[entity == Self.record ? key : "\(entity).\(key)"] ?? SchemaProperty()
    }

    func keys(of entity: String) -> [String] {
        entity == Self.record ? properties.keys.filter { !$0.contains(".") }.sorted() : []
    }

    func noun(of entity: String) -> String { "a dictionary" }

    /// True if the text of a key is a value of a type.
    func mayRead(_ key: String, _ type: ColumnType) -> Bool {
        texts[key].map { ColumnReading(type, .declared).value(of: $0) != nil } ?? false
    }
}

extension SchemaProperty {
    /// The values of a column.
    fileprivate init(_ type: ColumnType) {
        self.init()
        kinds = type.kind.map { [$0] } ?? []
        if kinds == [.number] { isWhole = type == .integer }
    }
}
