import PredicateSyntax
import PredicateText

extension Resolver {
    /// A value of a sort key in a form that the database can order.
    func orderTerm(_ value: Value, _ key: SortKey) throws(Fault) -> OrderTerm {
        let value = value.stored
        return OrderTerm(
            form: try orderable(value, key), isText: value.kind == .string, ascending: key.ascending,
            nullsFirst: key.putsNilFirst)
    }

    private func orderable(_ value: Value, _ key: SortKey) throws(Fault) -> ValueForm {
        switch value.kind {
        case .string:
            try checkLocale(key.options, .root)
            let form = try folded(value.form, key.options.foldMode, .root)
            if case .call = form, !dialect.features.contains(.ordersByFunctions) {
                throw Fault(.function("an order of folded texts", dialect: dialect.name), at: .root)
            }
            guard dialect.templates.comparable(form, ordered: true) != nil else {
                throw Fault(.function("an order of texts", dialect: dialect.name), at: .root)
            }
            return form
        // Without a type for moments a column may hold texts and numbers.
        case .date(.timestamp) where dialect.timestamps == nil: return try inSeconds(value, .root).form
        case .date(.iso8601): return try inSeconds(value, .root).form
        case .decimal where !dialect.features.contains(.decimalType):
            throw Fault(.storage(.decimal), at: .root)
        case .integer, .double, .power, .decimal, .boolean, .date, .uuid, .data, .any: return value.checked.form
        }
    }
}
