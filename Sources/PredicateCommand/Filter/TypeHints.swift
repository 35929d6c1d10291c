import PredicateChecks
import PredicateData
import PredicateEvaluation
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

/// The kinds of the keys of records: those of columns, or of the values in one record.
struct RecordKinds: KeyKnowledge {
    private let kinds: [String: ValueKind]
    /// The texts in the record.
    private let texts: [String: String]

    init(_ header: RecordHeader) {
        texts = [:]
        kinds = Dictionary(
            zip(header.columns, header.readings).compactMap { name, reading in
                ValueKind(reading.type).map { (name, $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    init(_ record: PredicateValue) {
        let members = if case .dictionary(let members) = record { members } else { [String: PredicateValue]() }
        kinds = members.compactMapValues { ValueKind($0) }
        texts = members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
    }

    func kinds(at path: [String], elementKeys: Int?) -> KnownKinds? {
        guard path.count == 1, elementKeys == nil, let kind = kinds[path[0]], kind != .array else { return nil }
        return KnownKinds([kind])
    }

    /// Returns true if the text of a key is a value of a type.
    func mayRead(_ key: String, _ type: ColumnType) -> Bool {
        texts[key].map { ColumnReading(type, .declared).value(of: $0) != nil } ?? false
    }

    func hasKey(_ key: String) -> Bool { kinds[key] != nil }

    func isWhole(at path: [String]) -> Bool? { nil }
}

extension ValueKind {
    /// The kind of a column's values; nil if they may have several.
    fileprivate init?(_ type: ColumnType) {
        switch type {
        case .string: self = .string
        case .integer, .double, .decimal: self = .number
        case .boolean: self = .boolean
        case .date: self = .date
        case .uuid: self = .uuid
        case .data: self = .data
        case .automatic: return nil
        }
    }
}
