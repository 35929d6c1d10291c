public import PredicateEvaluation
public import PredicateSyntax

extension FormatPredicate {
    /// What is legal but probably wrong in the predicate, in source order.
    ///
    ///     try FormatPredicate("age > 5 AND age < 3").check().first?.message
    ///     // this and age > 5 never hold together
    ///
    /// Variables may have any value.
    public func check() -> [PredicateFinding] { Checker.findings(in: self) }

    /// What is probably wrong in the predicate for objects of an entity: keys that they do not have, kinds that are never
    /// equal, and all that ``check()`` finds.
    ///
    ///     for finding in predicate.check(against: shop, entity: "Order") { print(finding) }
    ///
    /// Variables may have any value. An entity that the schema does not know has no keys.
    public func check(against schema: some PredicateSchema, entity: String) -> [PredicateFinding] {
        Checker.findings(in: self, scope: CheckScope(schema, entity: entity))
    }
}

extension FormatPredicate {
    /// What is probably wrong in the predicate for values of a type with a table of key paths.
    ///
    ///     try FormatPredicate("boss.nmae == 'jo'").check(against: Person.self).first?.hint  // did you mean name?
    public func check<Root: KeyPathCoding>(against type: Root.Type) -> [PredicateFinding] {
        let schema = KeyPathSchema(type)
        return check(against: schema, entity: schema.root)
    }
}
