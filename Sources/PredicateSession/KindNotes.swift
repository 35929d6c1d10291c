import PredicateChecks
import PredicateData
import PredicateSyntax

/// Notes about comparisons with constants of other kinds than a key has, which no value fulfils, or every one.
///
/// `zip == "99999"` where zips are integers: leave out the quotes, or read them as texts.
package enum KindNotes {
    /// Returns a note for each such comparison. `mayRead` says which type the texts of a key may have, so that options are
    /// named only where they help; nil names none.
    package static func notes(
        _ predicate: FormatPredicate, _ keys: any KeyKnowledge, mayRead: ((_ key: String, ColumnType) -> Bool)?
    ) -> [String] {
        KindChecks.unequal(in: predicate, keys: keys).map { comparison, finding in
            let cure = mayRead.flatMap { option(comparison, keys, $0) }
            return (["\(comparison.node.text): \(finding.message)"] + [finding.hint, cure].compactMap(\.self))
                .joined(separator: "; ")
        }
    }

    /// Returns the option with which both sides have one kind: `--types 'zip=string'`
    private static func option(
        _ comparison: CheckedComparison, _ keys: any KeyKnowledge, _ mayRead: (_ key: String, ColumnType) -> Bool
    ) -> String? {
        for (key, constant) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
            guard let path = key.expression?.keys(in: key.scope), path.count == 1,
                let kinds = keys.kinds(at: path, elementKeys: nil)?.kinds, let value = constant.expression?.constant,
                let type = ColumnType(holding: value), kinds != [.string] || mayRead(path[0], type)
            else { continue }
            return "--types '\(path[0])=\(type.rawValue)'"
        }
        return nil
    }
}

extension ColumnType {
    /// The type of a column that holds a constant; nil for those that none holds, and for collections.
    fileprivate init?(holding value: PredicateValue) {
        switch ValueKind(value) {
        case .string: self = .string
        case .number: self = .double
        case .boolean: self = .boolean
        case .date: self = .date
        case .uuid: self = .uuid
        case .data: self = .data
        case .url, .array, .dictionary, .other, nil: return nil
        }
    }
}
