import PredicateModel

extension FileTables {
    /// The layout that a model has in the file: with the file's numbers of entities and its tables of pairs.
    package func layout(of model: ManagedObjectModel) -> StoreLayout {
        StoreLayout(model, numbers: numbers(for: model)).mapPairs { found($0) ?? $0 }
    }

    /// The name that a table of pairs has in the file; nil where no name fits.
    package func name(of table: JoinTable) -> String? {
        table.names.first { columns[$0]?.isSuperset(of: [table.sourceColumn, table.targetColumn]) ?? false }
    }

    /// A table of pairs with the names of the file; nil where no name fits.
    ///
    /// `Memory.representativeAssets` and `Suggestion.representativeAssets` both ask for the column `Z_3REPRESENTATIVEASSETS`.
    /// Which of them has `Z_3REPRESENTATIVEASSETS1` differs from one version of a Photos library to the next.
    private func found(_ table: JoinTable) -> JoinTable? {
        for name in table.names {
            guard let columns = columns[name],
                let source = Self.column(table.sourceColumn, among: columns),
                let target = Self.column(table.targetColumn, among: columns), source != target
            else { continue }
            var found = table
            (found.sourceColumn, found.targetColumn) = (source, target)
            if table.orderColumn != nil { found.orderColumn = JoinNames.order(target) }
            if table.inverseOrderColumn != nil { found.inverseOrderColumn = JoinNames.order(source) }
            return found
        }
        return nil
    }

    /// The column itself, or the only one that differs from it by the number at its end.
    private static func column(_ wanted: String, among columns: Set<String>) -> String? {
        if columns.contains(wanted) { return wanted }
        let near = columns.filter { withoutNumber($0) == withoutNumber(wanted) }
        return near.count == 1 ? near.first : nil
    }

    private static func withoutNumber(_ name: String) -> Substring {
        var stem = name[...]
        while stem.last?.isASCIIDigit ?? false { stem = stem.dropLast() }
        return stem
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
