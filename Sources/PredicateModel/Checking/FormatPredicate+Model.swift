public import PredicateSyntax

extension FormatPredicate {
    /// Checks the predicate against an entity of a model.
    ///
    ///     let predicate = try FormatPredicate("ANY books.titel == %@", "Emma")
    ///     for finding in try predicate.check(against: model, entity: "Author") { print(finding) }
    ///
    /// Found are keys that do not exist, values that never match, keys of several values that are compared as one, and more:
    /// ``ModelFinding/Code``. Findings stand in source order. A variable may have any value, but for `$FETCH_SOURCE`, which is
    /// an object of `fetchSource` where that is given.
    /// - Throws: ``ModelError`` where the model has no entity of the name.
    public func check(
        against model: ManagedObjectModel, entity: String, fetchSource: String? = nil
    ) throws(ModelError) -> [ModelFinding] {
        try model.requireEntity(entity)
        var scope = ModelScope(model, entity: entity)
        scope.isFetch = true
        if let fetchSource {
            try model.requireEntity(fetchSource)
            scope.variables["FETCH_SOURCE"] = KnownValue(sort: .object(fetchSource))
        }
        return findings(in: scope, at: [])
    }

    /// The findings in source order.
    func findings(in scope: ModelScope, at path: [String]) -> [ModelFinding] {
        var typing = PredicateTyping(self, scope, at: path)
        typing.visit(node)
        return typing.findings.inSourceOrder
    }
}

extension FormatExpression {
    /// Checks the expression against an entity of a model, as ``FormatPredicate/check(against:entity:fetchSource:)`` does.
    ///
    /// `try FormatExpression("books.@avg.price").check(against: model, entity: "Author")`
    /// - Throws: ``ModelError`` where the model has no entity of the name.
    public func check(against model: ManagedObjectModel, entity: String) throws(ModelError) -> [ModelFinding] {
        try model.requireEntity(entity)
        return findings(in: ModelScope(model, entity: entity), at: []).findings
    }

    /// The findings in source order, and what is known of the value.
    func findings(in scope: ModelScope, at path: [String]) -> (findings: [ModelFinding], value: KnownValue) {
        var typing = PredicateTyping(self, scope, at: path)
        let value = typing.visit(node)
        return (typing.findings.inSourceOrder, value)
    }
}

extension [ModelFinding] {
    /// Each once, ordered by the start of its range.
    var inSourceOrder: [ModelFinding] {
        var seen: Set<ModelFinding> = []
        return enumerated().filter { seen.insert($0.element).inserted }
            .sorted { ($0.element.range?.lowerBound ?? 0, $0.offset) < ($1.element.range?.lowerBound ?? 0, $1.offset) }
            .map(\.element)
    }
}

extension ModelPredicate {
    /// The findings, or the error of a text that is no predicate.
    func findings(in scope: ModelScope, at path: [String]) -> [ModelFinding] {
        do throws(PredicateFormatError) {
            return try predicate().findings(in: scope, at: path)
        } catch {
            return [.notAPredicate(error, at: path)]
        }
    }
}

extension ModelExpression {
    /// The findings, or the error of a text that is no expression; and what is known of the value.
    func findings(in scope: ModelScope, at path: [String]) -> (findings: [ModelFinding], value: KnownValue) {
        do throws(PredicateFormatError) {
            return try expression().findings(in: scope, at: path)
        } catch {
            return ([.notAPredicate(error, at: path)], .unknown)
        }
    }
}

extension ModelFinding {
    fileprivate static func notAPredicate(_ error: PredicateFormatError, at path: [String]) -> ModelFinding {
        ModelFinding(
            .notAPredicate, error.title, hint: error.hints.first, at: path, format: error.text, range: error.range)
    }
}
