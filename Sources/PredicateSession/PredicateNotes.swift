import PredicateChecks
import PredicateData
import PredicateSyntax

/// What the checks find in a predicate, as notes beside its results.
///
/// `zip == "99999"` where zips are integers: leave out the quotes, or read them as texts.
package enum PredicateNotes {
    /// Comparisons with constants of other kinds than a key has, which no value fulfils, or every one. `mayRead` says which
    /// type the texts of a key may have, so that options are named only where they help; nil names none.
    package static func mismatches(
        _ predicate: FormatPredicate, _ scope: CheckScope, mayRead: ((_ key: String, ColumnType) -> Bool)?
    ) -> [String] {
        let unequal = KindChecks.unequal(in: predicate, scope: scope)
        if unequal.isEmpty { return [] }
        let found = Checker.findings(in: predicate, scope: scope).filter { $0.code == .kindMismatch }
        let kept = Set(found.map(\.range))
        return unequal.filter { kept.contains($0.1.range) }.map { comparison, finding in
            let cure = mayRead.flatMap { option(comparison, $0) }
            return (["\(comparison.node.text): \(finding.message)"] + [finding.hint, cure].compactMap(\.self))
                .joined(separator: "; ")
        }
    }

    /// Divisions of integers whose fraction matters: they may be meant, but seldom are.
    package static func divisions(_ predicate: FormatPredicate, _ scope: CheckScope) -> [String] {
        Checker.divisions(in: predicate, scope: scope).map(note)
    }

    /// Why nothing may match, without what the other notes say.
    package static func reasons(_ predicate: FormatPredicate, _ scope: CheckScope) -> [String] {
        Checker.findings(in: predicate, scope: scope).filter { finding in
            finding.level != .note && ![.kindMismatch, .wholeDivision, .unknownKey].contains(finding.code)
                || finding.code == .likeWithoutWildcard
        }.map(note)
    }

    private static func note(_ finding: PredicateFinding) -> String {
        let place = finding.range.map { String(decoding: Array(finding.format.utf8)[$0], as: UTF8.self) + ": " } ?? ""
        return place + finding.message + (finding.hint.map { "; " + $0 } ?? "")
    }

    /// The option with which both sides have one kind: `--types 'zip=string'`
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

extension ColumnType {
    /// The type of a column that holds values of a kind; nil where none does.
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
