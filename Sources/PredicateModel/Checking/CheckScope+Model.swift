import PredicateChecks
import PredicateSyntax

/// What the predicates of a model are about.
extension CheckScope {
    /// Objects of an entity; a fetch asks for what a store has columns for.
    init(_ model: ManagedObjectModel, entity: String, isFetch: Bool = false) {
        self.init(ModelSchema([model], isFetch: isFetch), entity: entity)
    }

    /// Values of an attribute, which a validation rule is about.
    init(_ model: ManagedObjectModel, attribute: AttributeDescription) {
        self.init(ModelSchema([model]), valuesOf: SchemaProperty(attribute))
    }

    /// The scope with the variables of a fetched property of an entity.
    func forFetchedProperty(_ property: FetchedPropertyDescription, of entity: String) -> CheckScope {
        var copy = self
        copy.variables["FETCH_SOURCE"] = KnownType(entity: entity)
        copy.variables["FETCHED_PROPERTY"] = KnownType(entity: ModelSchema.fetchedProperty)
        guard var schema = copy.schema as? ModelSchema else { return copy }
        schema.userInfo = property.userInfo
        copy.schema = schema
        return copy
    }
}

extension ModelPredicate {
    /// The findings, or the error of a text that is no predicate.
    func findings(in scope: CheckScope, at path: [String]) -> [ModelFinding] {
        do throws(PredicateFormatError) {
            return Checker.findings(in: try predicate(), scope: scope).map { ModelFinding($0, at: path) }
        } catch {
            return [.notAPredicate(error, at: path)]
        }
    }
}

extension ModelExpression {
    /// The findings, or the error of a text that is no expression; and what is known of the value.
    func findings(in scope: CheckScope, at path: [String]) -> (findings: [ModelFinding], type: KnownType) {
        do throws(PredicateFormatError) {
            return try expression().findings(in: scope, at: path)
        } catch {
            return ([.notAPredicate(error, at: path)], .unknown)
        }
    }
}

extension FormatExpression {
    /// The findings in source order, and what is known of the value.
    func findings(in scope: CheckScope, at path: [String] = []) -> (findings: [ModelFinding], type: KnownType) {
        let (findings, type) = Checker.findings(in: self, scope: scope)
        return (findings.map { ModelFinding($0, at: path) }, type)
    }
}

extension ModelFinding {
    /// A finding about a predicate of the model.
    init(_ finding: PredicateFinding, at path: [String]) {
        self.init(
            .predicate(finding.code), finding.message, hint: finding.hint, at: path, format: finding.format,
            range: finding.range, isWarning: finding.level != .error)
    }

    fileprivate static func notAPredicate(_ error: PredicateFormatError, at path: [String]) -> ModelFinding {
        ModelFinding(
            .notAPredicate, error.title, hint: error.hints.first, at: path, format: error.text, range: error.range)
    }
}
