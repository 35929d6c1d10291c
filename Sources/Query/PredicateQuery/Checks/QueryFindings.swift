public import PredicateChecks
import PredicateEvaluation
public import PredicateSyntax

extension FormatQuery {
    /// Returns the parts of the query that are legal but probably mistaken, as `FormatPredicate.check()` does for a predicate.
    /// The range of a finding refers to its ``/PredicateChecks/PredicateFinding/format``, the part of the query.
    public func check() -> [PredicateFinding] { findings(CheckScope()) }

    /// Returns the probable mistakes in the query when it is used with objects of an entity: unknown keys, kinds that are never
    /// equal, unknown names of results in HAVING, and everything that ``check()`` finds.
    public func check(against schema: some PredicateSchema, entity: String) -> [PredicateFinding] {
        findings(CheckScope(schema, entity: entity))
    }

    /// Returns the probable mistakes in the query when it is used with values of a type: one with a table of key paths or,
    /// except on Apple's platforms, any struct.
    public func check<Root>(against type: Root.Type) -> [PredicateFinding] {
        let schema = KeyPathSchema(type)
        return check(against: schema, entity: schema.root)
    }

    /// Returns the findings, in the order of the clauses.
    package func findings(_ scope: CheckScope) -> [PredicateFinding] {
        let results = ResultSchema(self, scope).scope
        var findings = expressions((keys ?? []).compactMap(\.operand), scope)
        if let predicate { findings += Checker.findings(in: predicate, scope: scope) }
        findings += expressions((groups ?? []).compactMap(\.operand), scope)
        if let having { findings += Checker.findings(in: having, scope: results) }
        let order = (limitByKey?.keys ?? []).compactMap(\.operand) + sortKeys.map(\.value)
        let names = NamedResults(self)
        for value in order {
            let isResult =
                groups != nil || TreeNode.expression(value.node).keyPaths.allSatisfy { names.result(at: $0) != nil }
            findings += expressions([value], isResult ? results : scope)
        }
        return findings
    }

    private func expressions(_ values: [FormatExpression], _ scope: CheckScope) -> [PredicateFinding] {
        values.flatMap { Checker.findings(in: $0, scope: scope).findings }
    }
}

/// The results of a query as the keys of one more entity, beside the entities of the queried objects.
private struct ResultSchema: WordedSchema {
    private let names: NamedResults
    /// The names, ordered by their bytes.
    private let sorted: [String]
    private let source: CheckScope
    private let base: (any PredicateSchema)?

    /// No entity of a schema has this name.
    private static let entity = "results of the query"

    init(_ query: FormatQuery, _ scope: CheckScope) {
        (names, source, base) = (NamedResults(query), scope, scope.schema)
        sorted = Array(names.results.keys).inCodePointOrder()
    }

    /// The scope of a predicate over results.
    var scope: CheckScope {
        var scope = CheckScope(self, entity: Self.entity)
        (scope.variables, scope.hostNames) = (source.variables, source.hostNames)
        return scope
    }

    var origin: SchemaOrigin { base?.origin ?? .declared }

    func property(_ key: String, of entity: String) -> PredicateProperty? {
        guard entity == Self.entity else { return base?.property(key, of: entity) }
        if let result = names.results[key] { return property(of: result) }
        let first = sorted.partitioningIndex { !$0.utf8.lexicographicallyPrecedes((key + ".").utf8) }
        return first < sorted.count && sorted[first].utf8.starts(with: (key + ".").utf8) ? PredicateProperty() : nil
    }

    private func property(of result: ResultKey) -> PredicateProperty {
        let type = result.operand.map { source.type(of: $0.node) } ?? .number
        guard result.isAggregate else { return property(of: type) }
        switch result.aggregate {
        case nil, .count, .countDistinct: return number(isWhole: true)
        case .sum: return number(isWhole: type.isWhole)
        case .average, .median, .standardDeviation, .percentile: return number(isWhole: nil)
        case .minimum, .maximum: return type.isToMany ? PredicateProperty() : property(of: type)
        case .joined: return PredicateProperty(.string)
        }
    }

    private func property(of type: KnownType) -> PredicateProperty {
        if let property = type.property { return property }
        var property = PredicateProperty(objects: type.entity, isToMany: type.isToMany)
        (property.kinds, property.isWhole) = (type.kinds, type.isWhole)
        return property
    }

    private func number(isWhole: Bool?) -> PredicateProperty {
        var property = PredicateProperty(.number)
        property.isWhole = isWhole
        return property
    }

    func keys(of entity: String) -> [String] { entity == Self.entity ? names.all : base?.keys(of: entity) ?? [] }

    func entity(named name: String) -> String? { base?.entity(named: name) }

    func isEntity(_ entity: String, kindOf other: String) -> Bool {
        base?.isEntity(entity, kindOf: other) ?? (entity == other)
    }

    func words(for entity: String) -> String? {
        entity == Self.entity ? "a row of the query" : base?.noun(of: entity) ?? "an object of \(entity)"
    }

    func missing(_ key: String, in entity: String) -> SchemaAbsence? {
        guard entity != Self.entity, let base else {
            return SchemaAbsence("the query has no result '\(key)'", isError: true)
        }
        return base.absence(of: key, in: entity)
    }
}
