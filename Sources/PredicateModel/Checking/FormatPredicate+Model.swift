public import PredicateChecks
public import PredicateSyntax

extension FormatPredicate {
    /// Checks the predicate against an entity of a model.
    ///
    ///     let predicate = try FormatPredicate("ANY books.titel == %@", "Emma")
    ///     for finding in try predicate.check(against: model, entity: "Author") { print(finding) }
    ///
    /// Finds keys that do not exist, values that never match, keys of several values that are compared as one, and all
    /// that `PredicateFinding.Code` lists. Findings stand in source order. A variable may have any value, but for
    /// `$FETCH_SOURCE`, which is an object of `fetchSource` where that is given.
    /// - Throws: ``ModelError`` where the model has no entity of the name.
    public func check(
        against model: ManagedObjectModel, entity: String, fetchSource: String? = nil
    ) throws(ModelError) -> [PredicateFinding] {
        try model.requireEntity(entity)
        var scope = CheckScope(model, entity: entity, isFetch: true)
        if let fetchSource {
            try model.requireEntity(fetchSource)
            scope.variables["FETCH_SOURCE"] = KnownType(entity: fetchSource)
        }
        return Checker.findings(in: self, scope: scope)
    }
}

extension FormatExpression {
    /// Checks the expression against an entity of a model, as ``FormatPredicate/check(against:entity:fetchSource:)`` does.
    ///
    /// `try FormatExpression("books.@avg.price").check(against: model, entity: "Author")`
    /// - Throws: ``ModelError`` where the model has no entity of the name.
    public func check(against model: ManagedObjectModel, entity: String) throws(ModelError) -> [PredicateFinding] {
        try model.requireEntity(entity)
        return Checker.findings(in: self, scope: CheckScope(model, entity: entity)).findings
    }
}
