extension Resolver {
    /// The condition for the rows of a table that are objects of an entity: `t0."Z_ENT" IN (?1, ?2)`.
    func rows(of object: ObjectForm) -> ConditionForm {
        guard let (column, values) = object.reference.discriminator, let alias = object.alias else { return .always }
        let kind = ValueForm.column(ColumnForm(alias: alias, column: column, isNullable: false))
        let forms = values.map { form(.integer($0), .integer) }
        guard let first = forms.first else { return .never }
        return forms.count > 1 ? .isIn(kind, forms, isText: false) : .compare(kind, .equal, first)
    }
}
