import PredicateChecks
import PredicateData
import PredicateSyntax

/// Notes that are shown with the results of a predicate. They are findings of the checks.
///
/// For `zip == "99999"`, where zips are integers, the cures are to remove the quotes or to read zips as strings.
package enum PredicateNotes {
    /// Returns notes about comparisons with constants of a kind other than the key's, which hold for no value or for every
    /// value. `mayRead` returns true if the strings of a key can be read as a type, so that an option is suggested only if it
    /// helps; if `mayRead` is nil, no options are suggested.
    package static func mismatches(
        _ predicate: FormatPredicate, _ scope: CheckScope, mayRead: ((_ key: String, ColumnType) -> Bool)?
    ) -> [String] {
        let unequal = KindChecks.unequal(in: predicate, scope: scope)
        if unequal.isEmpty { return [] }
        let found = Checker.findings(in: predicate, scope: scope).filter { $0.code == .kindMismatch }
        let kept = Set(found.map(\.range))
        return unequal.filter { kept.contains($0.1.range) }.map { comparison, finding in
            let cure = mayRead.flatMap { option(comparison, $0) }
            let hints = [finding.hint.map(RecordErrorText.plain), cure].compactMap(\.self)
            return (["\(comparison.node.text): \(finding.message)"] + hints).joined(separator: "; ")
        }
    }

    /// Returns notes about divisions of integers that drop a fraction where it would matter; they are rarely intended.
    package static func divisions(_ predicate: FormatPredicate, _ scope: CheckScope) -> [String] {
        Checker.divisions(in: predicate, scope: scope).map(note)
    }

    /// Returns notes about functions of lists that are applied to a single value: `age == max(age)`
    package static func aggregates(_ predicate: FormatPredicate, _ scope: CheckScope) -> [String] {
        TreeNode.predicate(predicate.node).nodes.compactMap { node in
            guard case .expression(.function(let call)) = node, case .predefined(let function) = call.function,
                let option = options[function],
                let list = call.arguments.first, call.arguments.count == 1, case .keyPath = list,
                scope.type(of: list).isSingle
            else { return nil }
            let key = list.expressionFormat
            return
                "\(function.rawValue.dropLast())(\(key)) is over a list in each record, and \(key) is a single value;"
                + " \(option) \(key) prints the result for all records"
        }
    }

    private static let options: [FunctionExpression.Predefined: String] = [
        .sum: "--sum", .min: "--min", .max: "--max", .average: "--avg", .median: "--median",
    ]

    /// Returns notes about columns that are compared with dates, but are text because of a cell that is none:
    /// `d > "2024-01-31"` over `25.12.2023, unknown`
    package static func textBesideDates(_ tree: TreeNode, _ header: RecordHeader) -> [String] {
        let dated = TextReadings.datedKeys(of: [tree])
        return header.columns.compactMap { column in
            guard dated.contains(RecordsPath.text(of: [column])), header.exceptions[column]?.type == .date else {
                return nil
            }
            return header.facts[column]?.reason(column).map { "\($0), and its cells are compared with a date as text" }
        }
    }

    /// Returns true if a comparison of strings respects case: the data may have these strings in another case.
    package static func respectsCase(_ predicate: FormatPredicate) -> Bool {
        TreeNode.predicate(predicate.node).nodes.contains {
            if case .predicate(let node) = $0 { !node.foldings.isEmpty } else { false }
        }
    }

    /// Returns reasons why nothing may match, except those that other notes give.
    package static func reasons(_ predicate: FormatPredicate, _ scope: CheckScope) -> [String] {
        Checker.findings(in: predicate, scope: scope).filter { finding in
            finding.level != .note && ![.kindMismatch, .wholeDivision, .unknownKey].contains(finding.code)
                || finding.code == .likeWithoutWildcard
        }.map(note)
    }

    /// Returns a finding in one line, after the part of the predicate that it is about.
    package static func note(_ finding: PredicateFinding) -> String {
        let place = finding.range.map { String(decoding: Array(finding.format.utf8)[$0], as: UTF8.self) + ": " } ?? ""
        return place + finding.message + (finding.hint.map { "; " + RecordErrorText.plain($0) } ?? "")
    }

    /// Returns the option that gives both sides the same kind: `--types 'zip=string'`
    private static func option(
        _ comparison: CheckedComparison, _ mayRead: (_ key: String, ColumnType) -> Bool
    ) -> String? {
        for (key, constant) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
            guard let path = key.keys, path.count == 1, let value = constant.type.constant,
                let type = value.kind.flatMap(ColumnType.init), key.type.kinds != [.string] || mayRead(path[0], type)
            else { continue }
            return "--types '\(path[0])=\(type.rawValue)'"
        }
        return nil
    }
}

extension KnownType {
    /// True for values that are known to be no list.
    fileprivate var isSingle: Bool { !kinds.isEmpty && !isToMany && entity == nil && !kinds.contains(.array) }
}

extension ColumnType {
    /// Creates the type of a column for values of a kind; nil if there is none.
    fileprivate init?(_ kind: PredicateValue.Kind) {
        switch kind {
        case .string: self = .string
        case .number: self = .double
        case .boolean: self = .boolean
        case .date: self = .date
        case .uuid: self = .uuid
        case .data: self = .data
        case .url, .array, .dictionary, .object: return nil
        }
    }

    /// The kind of a column's values; nil if they may have several.
    package var kind: PredicateValue.Kind? {
        switch self {
        case .string: .string
        case .integer, .double, .decimal: .number
        case .boolean: .boolean
        case .date: .date
        case .uuid: .uuid
        case .data: .data
        case .automatic: nil
        }
    }
}

/// Finds keys that are probably meant as strings: a single key on the right side of a comparison with a key.
///
/// `name == John`
package enum UnquotedText {
    /// Returns a hint for an unquoted word that is not a key; nil if the word is not on the right side of such a comparison.
    package static func hint(_ word: String, in node: PredicateNode) -> String? {
        guard keys(in: node).contains(word) else { return nil }
        if let moment = moment(word == "date" ? "today" : word) { return moment }
        return switch word.lowercased() {
        case "undefined", "none", "nan", "na", "missing", "empty":
            "write nil for a missing value, \"\(word)\" for a string"
        default: "a string needs quotes: \"\(word)\""
        }
    }

    /// Returns a hint for a name that means a point in time in another language, as a word or as a function; nil for other
    /// names: `joined > today()`
    package static func moment(_ word: String) -> String? {
        switch word.lowercased() {
        case "today", "current_date", "curdate":
            "write date:truncatedTo:(now(), \"day\") for the beginning of today"
        case "current_timestamp", "current_time", "sysdate", "localtimestamp", "getdate", "now": "write now()"
        case "yesterday": "write date:truncatedTo:(ago(1, \"day\"), \"day\") for the beginning of yesterday"
        default: nil
        }
    }

    package static func keys(in node: PredicateNode) -> Set<String> {
        switch node {
        case .comparison(let comparison): keys(comparison.leftExpression, comparison.rightExpression)
        case .string(let comparison): keys(comparison.leftExpression, comparison.rightExpression)
        case .compound(let compound): compound.subpredicates.reduce(into: []) { $0.formUnion(keys(in: $1)) }
        case .constant, .block: []
        }
    }

    private static func keys(_ left: ExpressionNode, _ right: ExpressionNode) -> Set<String> {
        guard case .keyPath = left else { return [] }
        switch right {
        case .keyPath(let path): return path.singleKey.map { [$0] } ?? []
        case .aggregate(let elements):
            return Set(elements.compactMap { if case .keyPath(let path) = $0 { path.singleKey } else { nil } })
        case .constantValue, .evaluatedObject, .variable, .member, .function, .message, .cast, .index, .symbol,
            .subquery,
            .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return []
        }
    }
}
