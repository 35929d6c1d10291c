import PredicateSyntax
import PredicateText

/// Turns a tree into the typed form: finds what keys stand for, settles kinds, and works constants in.
///
/// One for each compilation.
final class Resolver {
    let schema: SchemaIndex
    let dialect: CompilerDialect
    let root: ObjectForm
    private let variables: [String: PredicateValue]
    /// The variables of the SUBQUERYs around, innermost last.
    var bound: [(name: String, element: Resolved)] = []
    /// Levels and nodes of the expressions that variables are bound to.
    private var boundDepth = 0
    private var boundNodes = 0
    /// How many times a choice has been divided.
    private var divisions = 0
    /// How many scopes are open.
    var level = 0
    /// The levels of all aliases but that of the root.
    private var aliasLevels: [Int] = []
    private(set) var parameterCount = 0
    /// Whether what cannot be said is left out instead of refused, and whether something has been.
    let leavesOut: Bool
    let limits: PredicateLimits
    var hasLeftOut = false
    /// Set inside expressions, where nothing may be left out.
    var isExact = false
    /// Set where a value of any kind will do.
    var takesAnyKind = false

    init(
        _ compiler: SQLCompiler, _ entity: EntityReference, _ variables: [String: PredicateValue]
    ) {
        limits = compiler.limits
        schema = compiler.index
        dialect = compiler.writing
        self.variables = variables
        leavesOut = compiler.mode == .residual
        let start = Scope.Source(kind: .start, table: entity.table, alias: 0, tie: nil)
        let key = ColumnForm(alias: 0, column: entity.primaryKey, isNullable: false)
        root = ObjectForm(entity, key: key, mayBeNil: false, alias: 0, scope: Scope(level: 0, start: start))
    }

    /// Continues a compiled query, for keys that a statement adds: the tables in scope are the same, and numbers go on.
    init(continuing query: SQLQuery) {
        schema = query.compiler.index
        dialect = query.compiler.writing
        variables = [:]
        leavesOut = false
        limits = query.compiler.limits
        aliasLevels = Array(repeating: 0, count: query.body.aliasCount - 1)
        parameterCount = query.bindings.count
        let entity = query.entityReference
        let key = ColumnForm(alias: 0, column: entity.primaryKey, isNullable: false)
        root = ObjectForm(entity, key: key, mayBeNil: false, alias: 0, scope: Scope(copying: query.body.scope))
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
                let condition = try comparison(node, place)
                try checkWords(for: condition, place)
                return condition
            } catch {
                guard leavesOut, !isExact, error.code.leavesResidual else { throw error }
                hasLeftOut = true
                return .constant(isPositive)
            }
        }
    }

    /// Refuses what a dialect of a host has no words for.
    private func checkWords(for condition: ConditionForm, _ place: Place) throws(Fault) {
        guard dialect.mayLackWords else { return }
        var writer = SQLWriter(dialect)
        writer.write(condition)
        if writer.isTooLong { throw Fault(.size(limit: dialect.limits.length), at: place) }
        if let lack = writer.lack { throw Fault(.function(lack, dialect: dialect.name), at: place) }
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

    /// Counts a choice of which both branches are asked: each doubles what is asked of the choices in them.
    func divide(_ place: Place) throws(Fault) {
        divisions += 1
        // Comparisons of choices take some hundreds of bytes for each pair of branches.
        guard divisions <= min(limits.nodes, dialect.limits.length / 512) else {
            throw Fault(.size(limit: dialect.limits.length), at: place)
        }
    }

    // MARK: Names

    /// An entity by its name.
    func entity(_ name: String, _ place: Place) throws(Fault) -> EntityReference {
        if let entity = schema.entity(name) { return entity }
        let nearMisses = NearMiss.candidates(for: name, among: schema.schema.entities.keys)
        throw Fault(.unknownEntity(name, nearMisses: nearMisses), at: place)
    }

    func newAlias(level: Int) -> Int {
        aliasLevels.append(level)
        return aliasLevels.count
    }

    var aliasCount: Int { aliasLevels.count + 1 }

    /// Refuses a column that the database does not see from here.
    func check(_ alias: Int, _ place: Place) throws(Fault) {
        if dialect.features.contains(.skipLevelCorrelation) { return }
        let own = alias == 0 ? 0 : aliasLevels[alias - 1]
        if level - own > 1 { throw Fault(.skipLevelCorrelation, at: place) }
    }

    /// What a variable stands for: an element of a SUBQUERY, or a value that was given.
    func variable(_ name: String, _ place: Place) throws(Fault) -> Resolved {
        if let inner = bound.last(where: { $0.name.hasSameCodePoints(as: name) }) { return inner.element }
        guard let value = variables[exactly: name] else { throw Fault(.unboundVariable(name), at: place) }
        guard case .expression(let node) = value else { return .constant(value) }
        return try resolve(bound: node, place)
    }

    /// An expression that a variable is bound to: variables in it mean the values that were given, not the elements
    /// of a SUBQUERY around the place. It counts as that much more nesting, so that one bound to itself is an error.
    private func resolve(bound node: ExpressionNode, _ place: Place) throws(Fault) -> Resolved {
        let review: TreeReview
        do throws(TreeExcess) {
            review = try TreeReview(.expression(node), limits)
        } catch {
            throw Fault(excess(error.limit), at: place)
        }
        let outer = (elements: bound, depth: boundDepth)
        (bound, boundDepth) = ([], boundDepth + review.depth)
        defer { (bound, boundDepth) = outer }
        boundNodes += review.nodes
        guard boundDepth <= limits.nesting else { throw Fault(excess(.nesting), at: place) }
        guard boundNodes <= limits.nodes else { throw Fault(excess(.nodes), at: place) }
        return try resolve(node, place)
    }

    private func excess(_ limit: PredicateLimits.Limit) -> SQLCompilationError.Code {
        limit == .nesting ? .nestingTooDeep(limit: limits.nesting) : .exceeds(limit, limit: limits[limit])
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
        try check(text, place)
        return form(.text(text), .text)
    }

    /// Refuses a text that the database cannot hold.
    func check(_ text: String, _ place: Place) throws(Fault) {
        if !dialect.features.contains(.nulInText), text.utf8.contains(0) { throw Fault(.nulInText, at: place) }
    }

    /// A call of a function, refused where the dialect has none.
    func call(
        _ function: SQLFunction, _ arguments: [ValueForm], _ name: String, _ place: Place
    ) throws(Fault) -> ValueForm {
        guard dialect.templates.call(function) != nil else {
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
    @inline(__always)
    var foldMode: FoldMode {
        if self == [] || contains(.normalized) { return .none }
        // The letters have the same bits.
        return FoldMode(rawValue: UInt8(truncatingIfNeeded: rawValue & 3)) ?? .none
    }
}
