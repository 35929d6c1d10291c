import PredicateSyntax
import PredicateText

/// Turns a tree into the typed form: resolves keys and kinds, and folds constants.
///
/// One for each compilation.
final class Resolver {
    let schema: SchemaIndex
    let dialect: CompilerDialect
    /// The object that SELF and bare keys mean.
    private(set) var root: ObjectForm
    private var variables: [String: PredicateValue]
    /// The variables of the enclosing SUBQUERYs, innermost last.
    var bound: [(name: String, element: Resolved)] = []
    /// Levels and nodes of the expressions that variables are bound to.
    private var boundDepth = 0
    private var boundNodes = 0
    /// The to-many steps around the node at hand.
    private var toManySteps = 0
    /// The number of forks at TERNARYs so far.
    private var forks = 0
    /// The number of aliases so far, that of the root among them.
    private(set) var aliasCount = 1
    private(set) var parameterCount: Int
    /// True if a part that SQL cannot express is left out, for a residual.
    private let leavesOut: Bool
    let limits: PredicateLimits
    /// The locale of `[l]`; nil where it has no effect.
    let locale: String?
    private var hasLeftOut = false
    /// True inside expressions, where nothing may be left out.
    private var isExact = false
    /// True where a column of ``SQLType/any`` may stand.
    private(set) var useOfAnyKind = AnyKindUse.none
    /// The names of the results that the root stands for; none where it is an object.
    let resultNames: [String]

    init(
        _ compiler: SQLCompiler, _ entity: EntityReference, _ variables: [String: PredicateValue],
        parameters: Int = 0, resultNames: [String] = []
    ) {
        parameterCount = parameters
        self.resultNames = resultNames
        limits = compiler.limits
        locale = compiler.locale?.identifier
        schema = compiler.index
        dialect = compiler.writing
        self.variables = variables
        leavesOut = compiler.mode == .residual
        root = ObjectForm(startingFrom: entity, alias: 0)
    }

    /// Continues a compiled query, for keys that a statement adds: the tables in scope are the same, and numbers go on.
    init(continuing query: SQLQuery) {
        schema = query.compiler.index
        dialect = query.compiler.writing
        variables = [:]
        resultNames = []
        leavesOut = false
        limits = query.compiler.limits
        locale = query.compiler.locale?.identifier
        aliasCount = query.body.aliasCount
        parameterCount = query.bindings.count
        let entity = query.entityReference
        let key = ColumnForm(alias: 0, column: entity.primaryKey, isNullable: false)
        root = ObjectForm(entity, key: key, mayBeNil: false, alias: 0, scope: Scope(copying: query.body.scope))
    }

    // MARK: Modes

    /// Runs `body` without leaving anything out: an approximation inside an expression would be a wrong value.
    func exact<Result>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
        let outer = isExact
        isExact = true
        defer { isExact = outer }
        return try body()
    }

    /// Runs `body` with columns of ``SQLType/any`` allowed or refused.
    func accepting<Result, Failure: Error>(
        anyKind: AnyKindUse, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = useOfAnyKind
        useOfAnyKind = anyKind
        defer { useOfAnyKind = outer }
        return try body()
    }

    /// A condition, and true if a part of the predicate was left out of it.
    func conditionNotingOmissions(
        _ node: PredicateNode, _ path: TreePath
    ) throws(Fault) -> (ConditionForm, isPartial: Bool) {
        hasLeftOut = false
        return (try condition(node, path), hasLeftOut)
    }

    // MARK: Conditions

    /// A condition that holds where the predicate does; where something is left out, for `isPositive` wherever the
    /// predicate might.
    func condition(_ node: PredicateNode, _ path: TreePath, isPositive: Bool = true) throws(Fault) -> ConditionForm {
        switch node {
        case .constant(let value): return .constant(value)
        case .compound(let compound): return try condition(compound, path, isPositive)
        case .comparison, .string, .block:
            do throws(Fault) {
                let condition = try comparison(node, path)
                try checkPieces(for: condition, path)
                return condition
            } catch {
                guard leavesOut, !isExact, error.code.leavesResidual else { throw error }
                hasLeftOut = true
                return .constant(isPositive)
            }
        }
    }

    /// Throws for a condition with a piece or a function that the dialect lacks.
    private func checkPieces(for condition: ConditionForm, _ path: TreePath) throws(Fault) {
        guard dialect.mayLackPieces else { return }
        var writer = SQLWriter(dialect)
        writer.writeCondition(condition)
        if writer.isTooLong { throw Fault(.size(limit: dialect.limits.length), at: path) }
        if let piece = writer.missingPiece { throw Fault(.function(piece, dialect: dialect.name), at: path) }
        if let function = writer.unregistered { throw Fault(.unregisteredFunction(function), at: path) }
    }

    private func condition(
        _ compound: CompoundPredicate, _ path: TreePath, _ isPositive: Bool
    ) throws(Fault) -> ConditionForm {
        if compound.type == .not {
            guard compound.subpredicates.count == 1, let inner = compound.subpredicates.first else {
                throw Fault(.subpredicateCount(found: compound.subpredicates.count), at: path)
            }
            return try condition(inner, path.child(0), isPositive: !isPositive).negated
        }
        var conditions: [ConditionForm] = []
        conditions.reserveCapacity(compound.subpredicates.count)
        for (index, inner) in compound.subpredicates.enumerated() {
            conditions.append(try condition(inner, path.child(index), isPositive: isPositive))
        }
        return compound.type == .and ? .all(conditions) : .any(conditions)
    }

    /// Runs `body` for the elements of a collection. Within a limit of work the rows of collections in collections are bounded by the
    /// number of steps, each of which may lead to a hundred rows or more: two steps within 10,000.
    func entering<Result>(
        _ collection: CollectionForm, _ path: TreePath, _ body: () throws(Fault) -> Result
    ) throws(Fault) -> Result {
        let outer = toManySteps
        defer { toManySteps = outer }
        toManySteps += collection.steps
        guard toManySteps <= limits.mostToManySteps else { throw Fault(excess(.evaluationSteps), at: path) }
        return try body()
    }

    /// Counts a fork at a TERNARY whose branches are compared one by one: forks inside forks multiply.
    func countFork(at path: TreePath) throws(Fault) {
        forks += 1
        // Comparisons of choices take some hundreds of bytes for each pair of branches.
        guard forks <= min(limits.nodes, dialect.limits.length / 512) else {
            throw Fault(.size(limit: dialect.limits.length), at: path)
        }
    }

    // MARK: Names

    /// An entity by its name.
    func entity(_ name: String, _ path: TreePath) throws(Fault) -> EntityReference {
        if let entity = schema.entity(name) { return entity }
        let nearMisses = NearMiss.candidates(for: name, among: schema.schema.entities.keys)
        throw Fault(.unknownEntity(name, nearMisses: nearMisses), at: path)
    }

    func newAlias() -> Int {
        aliasCount += 1
        return aliasCount - 1
    }

    /// The value of a variable: an element of a SUBQUERY, or a value that was given.
    func variable(_ name: String, _ path: TreePath) throws(Fault) -> Resolved {
        if let inner = bound.last(where: { $0.name.hasSameCodePoints(as: name) }) { return inner.element }
        guard let value = variables[exactly: name] else { throw Fault(.unboundVariable(name), at: path) }
        guard case .expression(let node) = value else { return .constant(value) }
        return try resolve(bound: node, path)
    }

    /// An expression that a variable is bound to: variables in it mean the values that were given, not the elements
    /// of a SUBQUERY around it. It counts as that much more nesting, so that one bound to itself is an error.
    private func resolve(bound node: ExpressionNode, _ path: TreePath) throws(Fault) -> Resolved {
        let outer = (elements: bound, depth: boundDepth)
        defer { (bound, boundDepth) = outer }
        try count(.expression(node), path)
        bound = []
        return try resolve(node, path)
    }

    /// Runs `body` for the predicate of a fetch request: SELF is the fetched object, variables are those of the request,
    /// and nothing may be left out. It counts as that much more nesting.
    func fetching<Result>(
        _ object: ObjectForm, _ predicate: FormatPredicate, _ values: [String: PredicateValue], _ path: TreePath,
        _ body: () throws(Fault) -> Result
    ) throws(Fault) -> Result {
        let outer = (root, variables, bound, boundDepth)
        defer { (root, variables, bound, boundDepth) = outer }
        try count(.predicate(predicate.node), path)
        (root, variables, bound) = (object, values, [])
        return try accepting(anyKind: .none) { () throws(Fault) in try exact(body) }
    }

    /// Adds a tree that stands behind a constant or a variable to levels and nodes.
    private func count(_ tree: TreeNode, _ path: TreePath) throws(Fault) {
        let review: TreeReview
        do throws(TreeExcess) {
            review = try TreeReview(tree, limits)
        } catch {
            throw Fault(excess(error.limit), at: path)
        }
        boundDepth += review.depth
        boundNodes += review.nodes
        guard boundDepth <= limits.nesting else { throw Fault(excess(.nesting), at: path) }
        guard boundNodes <= limits.nodes else { throw Fault(excess(.nodes), at: path) }
    }

    func excess(_ limit: PredicateLimits.Limit) -> SQLCompilationError.Code {
        limit == .nesting ? .nestingTooDeep(limit: limits.nesting) : .exceeds(limit, limit: limits[limit])
    }

    // MARK: Parameters

    func parameter(_ binding: SQLBinding, _ type: SQLBinding.ParameterType) -> SQLParameter {
        parameterCount += 1
        return SQLParameter(number: parameterCount, binding: binding, type: type)
    }

    func form(_ binding: SQLBinding, _ type: SQLBinding.ParameterType) -> ValueForm {
        .parameter(parameter(binding, type))
    }

    /// A text as a parameter, refused where the database cannot hold it.
    func form(_ text: String, _ path: TreePath) throws(Fault) -> ValueForm {
        try check(text, path)
        return form(.text(text), .text)
    }

    /// What stands before U+0000 in a text that the database cannot hold; nil for one that it can.
    func beforeNUL(_ text: String) -> String? {
        if dialect.features.contains(.nulInText) { return nil }
        guard let end = text.utf8.firstIndex(of: 0) else { return nil }
        return String(text[..<end])
    }

    /// Refuses a text that the database cannot hold.
    func check(_ text: String, _ path: TreePath) throws(Fault) {
        if !holds(text) { throw Fault(.nulInText, at: path) }
    }

    func holds(_ text: String) -> Bool {
        dialect.features.contains(.nulInText) || !text.utf8.contains(0)
    }

    /// A call of a function, refused where the dialect has none.
    func call(
        _ function: SQLFunction, _ arguments: [ValueForm], _ name: String, _ path: TreePath
    ) throws(Fault) -> ValueForm {
        guard dialect.templates.call(function) != nil else {
            throw Fault(.function(name, dialect: dialect.name), at: path)
        }
        return .call(function, arguments)
    }

    /// A value folded for `[c]` and `[d]`.
    func folded(_ form: ValueForm, _ mode: FoldMode, _ path: TreePath) throws(Fault) -> ValueForm {
        guard let fold = SQLFunction(folding: mode) else { return form }
        return try call(fold, [form], "[\(mode.letters)]", path)
    }
}

extension PredicateLimits {
    /// True if the work for one object is limited more than by default, as it is for untrusted predicates.
    var boundStatements: Bool { evaluationSteps < PredicateLimits.standard.evaluationSteps }

    /// The to-many steps that may stand within one another.
    fileprivate var mostToManySteps: Int {
        guard boundStatements else { return .max }
        var (steps, rest) = (0, evaluationSteps)
        while rest >= 100 { (steps, rest) = (steps + 1, rest / 100) }
        return max(steps, 1)
    }
}

extension ComparisonOptions {
    /// The differences of strings that are ignored: `[n]` overrides `[c]` and `[d]`, `[l]` with a locale is refused.
    @inline(__always)
    var foldMode: FoldMode {
        if self == [] || contains(.normalized) { return .none }
        // The letters have the same bits.
        return FoldMode(rawValue: UInt8(truncatingIfNeeded: rawValue & 3)) ?? .none
    }
}
