import PredicateSyntax
import PredicateText

/// Turns a tree into the typed form: finds what keys stand for, settles kinds, and works constants in.
///
/// One for each compilation.
final class Resolver {
    let schema: SQLSchema
    let dialect: any SQLDialect
    let root: ObjectForm
    private let variables: [String: PredicateValue]
    /// The variables of the SUBQUERYs around, innermost last.
    var bound: [(name: String, element: Resolved)] = []
    /// How many scopes are open.
    var level = 0
    private var aliasLevels: [Int] = []
    private var references: [String: EntityReference] = [:]
    private(set) var parameterCount = 0
    /// Whether what cannot be said is left out instead of refused, and whether something has been.
    let leavesOut: Bool
    let limits: Limits
    var hasLeftOut = false
    /// Set inside expressions, where nothing may be left out.
    var isExact = false

    init(
        _ schema: SQLSchema, _ dialect: any SQLDialect, _ entity: SQLEntity, _ variables: [String: PredicateValue],
        leavesOut: Bool, limits: Limits
    ) {
        self.limits = limits
        self.schema = schema
        self.dialect = dialect
        self.variables = variables
        self.leavesOut = leavesOut
        let scope = Scope(level: 0)
        scope.add(Scope.Source(kind: .start, table: entity.table, alias: 0, tie: nil))
        aliasLevels = [0]
        let key = ColumnForm(alias: 0, name: entity.primaryKey, isNullable: false)
        root = ObjectForm(EntityReference(entity), key: key, mayBeNil: false, alias: 0, scope: scope)
    }

    /// One that adds to what a condition needed: the tables in scope are the same, and numbers go on.
    init(_ schema: SQLSchema, _ dialect: any SQLDialect, _ entity: SQLEntity, continuing body: QueryBody) {
        self.schema = schema
        self.dialect = dialect
        variables = [:]
        leavesOut = false
        limits = .standard
        aliasLevels = Array(repeating: 0, count: body.aliasCount)
        parameterCount = body.parameterCount
        let key = ColumnForm(alias: 0, name: entity.primaryKey, isNullable: false)
        let scope = Scope(copying: body.scope.scope)
        root = ObjectForm(EntityReference(entity), key: key, mayBeNil: false, alias: 0, scope: scope)
    }

    // MARK: Conditions

    /// A condition that holds where the predicate does; where something is left out, for `isPositive` wherever the
    /// predicate might.
    func condition(_ node: PredicateNode, _ place: Place, isPositive: Bool = true) throws(Fault) -> ConditionForm {
        switch node {
        case .constant(let value): return .constant(value)
        case .compound(let compound): return try condition(compound, place, isPositive)
        case .comparison, .string:
            do throws(Fault) {
                return try comparison(node, place)
            } catch {
                guard leavesOut, !isExact, error.code.leavesResidual else { throw error }
                hasLeftOut = true
                return .constant(isPositive)
            }
        }
    }

    private func condition(
        _ compound: CompoundPredicate, _ place: Place, _ isPositive: Bool
    ) throws(Fault) -> ConditionForm {
        if compound.type == .not {
            guard compound.subpredicates.count == 1, let inner = compound.subpredicates.first else {
                throw Fault(.subpredicateCount(found: compound.subpredicates.count), at: place)
            }
            return try condition(inner, place.child(0), isPositive: !isPositive).negated
        }
        var conditions: [ConditionForm] = []
        conditions.reserveCapacity(compound.subpredicates.count)
        for (index, inner) in compound.subpredicates.enumerated() {
            conditions.append(try condition(inner, place.child(index), isPositive: isPositive))
        }
        return compound.type == .and ? .all(conditions) : .any(conditions)
    }

    // MARK: Names

    /// An entity by its name.
    func entity(_ name: String, _ place: Place) throws(Fault) -> EntityReference {
        if let known = references[name] { return known }
        guard let entity = schema.entities.exactly(name) else {
            let nearMisses = NearMiss.candidates(for: name, among: schema.entities.keys)
            throw Fault(.unknownEntity(name, nearMisses: nearMisses), at: place)
        }
        let reference = EntityReference(entity)
        references[name] = reference
        return reference
    }

    func newAlias(level: Int) -> Int {
        aliasLevels.append(level)
        return aliasLevels.count - 1
    }

    var aliasCount: Int { aliasLevels.count }

    /// Refuses a column that the database does not see from here.
    func check(_ alias: Int, _ place: Place) throws(Fault) {
        if dialect.features.contains(.skipLevelCorrelation) { return }
        if level - aliasLevels[alias] > 1 { throw Fault(.skipLevelCorrelation, at: place) }
    }

    /// What a variable stands for: an element of a SUBQUERY, or a value that was given.
    func variable(_ name: String, _ place: Place) throws(Fault) -> Resolved {
        if let inner = bound.last(where: { $0.name.hasSameCodePoints(as: name) }) { return inner.element }
        guard let value = variables[name] else { throw Fault(.unboundVariable(name), at: place) }
        if case .expression(let node) = value { return try resolve(node, place) }
        return .constant(value)
    }

    // MARK: Parameters

    func parameter(_ binding: SQLBinding, _ type: SQLParameterType) -> SQLParameter {
        parameterCount += 1
        return SQLParameter(number: parameterCount, binding: binding, type: type)
    }

    func form(_ binding: SQLBinding, _ type: SQLParameterType) -> ValueForm {
        .parameter(parameter(binding, type))
    }

    /// A text as a parameter, refused where the database cannot hold it.
    func form(_ text: String, _ place: Place) throws(Fault) -> ValueForm {
        if !dialect.features.contains(.nulInText), text.utf8.contains(0) { throw Fault(.nulInText, at: place) }
        return form(.text(text), .text)
    }

    /// A call of a function, refused where the dialect has none.
    func call(
        _ function: SQLFunction, _ arguments: [ValueForm], _ name: String, _ place: Place
    ) throws(Fault) -> ValueForm {
        let stand = Array(repeating: SQLText(stringLiteral: "0"), count: arguments.count)
        guard dialect.call(function, stand) != nil else {
            throw Fault(.function(name, dialect: dialect.name), at: place)
        }
        return .call(function, arguments)
    }

    /// A value as `[c]` and `[d]` see it.
    func folded(_ form: ValueForm, _ mode: FoldMode, _ place: Place) throws(Fault) -> ValueForm {
        mode == .none ? form : try call(.fold(mode), [form], "[\(mode.letters)]", place)
    }
}

extension ComparisonOptions {
    /// What strings overlook: `[n]` overrides `[c]` and `[d]`, `[l]` changes nothing.
    var foldMode: FoldMode {
        if contains(.normalized) { return .none }
        switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
        case (false, false): return .none
        case (true, false): return .caseInsensitive
        case (false, true): return .diacriticInsensitive
        case (true, true): return .caseAndDiacriticInsensitive
        }
    }
}
