import PredicateSyntax
import PredicateText

/// A pass that turns a tree into the typed form: it resolves keys and kinds, and folds constants.
///
/// Each compilation has its own.
final class Resolver {
    let schema: SchemaIndex
    let dialect: CompilerDialect
    /// The object that SELF and bare keys refer to.
    private(set) var root: ObjectForm
    private var variables: [String: PredicateValue]
    /// The variables of the enclosing SUBQUERYs, innermost last.
    var bound: [(name: String, element: Resolved)] = []
    /// The levels and nodes of expressions that variables are bound to.
    private var boundDepth = 0
    private var boundNodes = 0
    /// The number of to-many steps around the current node.
    private var toManySteps = 0
    /// The number of TERNARYs resolved as choices so far.
    private var forks = 0
    /// The number of aliases so far, including the root's.
    private(set) var aliasCount = 1
    private(set) var parameterCount: Int
    /// True if parts that SQL cannot express are left out, for a residual.
    private let leavesOut: Bool
    let limits: PredicateLimits
    /// The locale of `[l]`; nil if it has no effect.
    let locale: String?
    /// The calendar of the date functions; nil if the host has none.
    let calendar: ZonedCalendar?
    /// The zone of dates in stored strings; nil for UTC.
    let textZone: String?
    private var hasLeftOut = false
    /// True inside expressions, where nothing may be left out.
    private var isExact = false
    /// The permitted use of a column of ``SQLType/any`` at this place.
    private(set) var useOfAnyKind = AnyKindUse.none
    /// True inside a comparison under NOT, where a row with an error must satisfy the comparison, so that NOT excludes the row.
    private(set) var isNegated = false
    /// The names of the results, if the root represents results instead of an object.
    let resultNames: DottedNames

    init(
        _ compiler: SQLCompiler, _ entity: EntityReference, _ variables: [String: PredicateValue],
        parameters: Int = 0, resultNames: DottedNames = DottedNames([])
    ) {
        parameterCount = parameters
        self.resultNames = resultNames
        limits = compiler.limits
        locale = compiler.locale?.identifier
        (calendar, textZone) = (compiler.calendar, compiler.textZone)
        schema = compiler.index
        dialect = compiler.writing
        self.variables = variables
        leavesOut = compiler.mode == .residual
        root = ObjectForm(startingFrom: entity, alias: 0)
    }

    /// Continues a compiled query, for keys that a statement adds. The tables in scope are the same, and aliases and
    /// parameters continue the query's numbers.
    convenience init(continuing query: SQLQuery, joins: Bool = true) {
        var compiler = query.compiler
        compiler.mode = .exact
        self.init(compiler, query.entityReference, [:], parameters: query.bindings.count)
        aliasCount = query.body.aliasCount
        let scope = TableScope(copying: query.body.scope)
        if !joins { scope.keepJoins(of: []) }
        root = ObjectForm(query.entityReference, key: root.key, mayBeNil: false, alias: 0, scope: scope)
    }

    // MARK: Modes

    /// Runs `body` without leaving anything out: an approximation inside an expression would be a wrong value.
    func exact<Result>(_ body: () throws(CompilationFault) -> Result) throws(CompilationFault) -> Result {
        let outer = isExact
        isExact = true
        defer { isExact = outer }
        return try body()
    }

    /// Runs `body` with a permitted use of columns of ``SQLType/any``.
    func accepting<Result, Failure: Error>(
        anyKind: AnyKindUse, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = useOfAnyKind
        useOfAnyKind = anyKind
        defer { useOfAnyKind = outer }
        return try body()
    }

    /// Returns a condition, and true if a part of the predicate was left out.
    func conditionNotingOmissions(
        _ node: PredicateNode, _ path: TreePath
    ) throws(CompilationFault) -> (ConditionForm, isPartial: Bool) {
        hasLeftOut = false
        return (try condition(node, path), hasLeftOut)
    }

    // MARK: Conditions

    /// Returns the predicate's condition. Parts that are left out become TRUE in a positive position, FALSE under
    /// NOT.
    func condition(_ node: PredicateNode, _ path: TreePath, isPositive: Bool = true) throws(CompilationFault)
        -> ConditionForm
    {
        switch node {
        case .constant(let value): return .constant(value)
        case .compound(let compound): return try condition(compound, path, isPositive)
        case .comparison, .string, .block:
            let outer = isNegated
            isNegated = !isPositive
            defer { isNegated = outer }
            do throws(CompilationFault) {
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

    /// Throws if the condition needs a piece or a function that the dialect lacks.
    private func checkPieces(for condition: ConditionForm, _ path: TreePath) throws(CompilationFault) {
        guard dialect.mayLackPieces else { return }
        var writer = SQLWriter(dialect)
        writer.writeCondition(condition)
        if writer.isTooLong { throw CompilationFault(.size(limit: dialect.limits.length), at: path) }
        if let piece = writer.missingPiece { throw CompilationFault(.function(piece, dialect: dialect.name), at: path) }
        if let function = writer.unregistered { throw CompilationFault(.unregisteredFunction(function), at: path) }
    }

    private func condition(
        _ compound: CompoundPredicate, _ path: TreePath, _ isPositive: Bool
    ) throws(CompilationFault) -> ConditionForm {
        if compound.type == .not {
            guard compound.subpredicates.count == 1, let inner = compound.subpredicates.first else {
                throw CompilationFault(.subpredicateCount(found: compound.subpredicates.count), at: path)
            }
            return try condition(inner, path.child(0), isPositive: !isPositive).negated
        }
        var conditions: [ConditionForm] = []
        conditions.reserveCapacity(compound.subpredicates.count)
        let years = compound.type == .and ? years(in: compound.subpredicates) : []
        for (index, inner) in compound.subpredicates.enumerated() {
            let path = path.child(index)
            if !years.isEmpty, let month = try month(inner, of: years, path) {
                conditions.append(month)
            } else {
                conditions.append(try condition(inner, path, isPositive: isPositive))
            }
        }
        return compound.type == .and ? .all(conditions) : .any(conditions)
    }

    /// Runs `body` for the elements of a collection. A limit on evaluation steps also limits nested to-many steps:
    /// each may multiply the rows by a hundred or more, so that 10,000 steps allow two.
    func entering<Result>(
        _ collection: CollectionForm, _ path: TreePath, _ body: () throws(CompilationFault) -> Result
    ) throws(CompilationFault) -> Result {
        let outer = toManySteps
        defer { toManySteps = outer }
        toManySteps += collection.steps
        guard toManySteps <= limits.mostToManySteps else { throw CompilationFault(excess(.evaluationSteps), at: path) }
        return try body()
    }

    /// Counts a TERNARY whose branches are compared one by one: nested ones multiply.
    func countFork(at path: TreePath) throws(CompilationFault) {
        forks += 1
        // Comparisons of choices take several hundred bytes per pair of branches.
        guard forks <= min(limits.nodes, dialect.limits.length / 512) else {
            throw CompilationFault(.size(limit: dialect.limits.length), at: path)
        }
    }

    // MARK: Names

    /// Returns an entity by its name.
    func entity(_ name: String, _ path: TreePath) throws(CompilationFault) -> EntityReference {
        if let entity = schema.entity(name) { return entity }
        let nearMisses = NearMiss.candidates(for: name, among: schema.schema.entities.keys)
        throw CompilationFault(.unknownEntity(name, nearMisses: nearMisses), at: path)
    }

    func newAlias() -> Int {
        aliasCount += 1
        return aliasCount - 1
    }

    /// Returns the value of a variable: an element of a SUBQUERY, or a given value.
    func variable(_ name: String, _ path: TreePath) throws(CompilationFault) -> Resolved {
        if let inner = bound.last(where: { $0.name.hasSameCodePoints(as: name) }) { return inner.element }
        guard let value = variables[exactly: name] else { throw CompilationFault(.unboundVariable(name), at: path) }
        guard case .expression(let node) = value else { return .constant(value) }
        return try resolve(bound: node, path)
    }

    /// Resolves an expression that a variable is bound to. Variables in it refer to given values, not to elements of
    /// an enclosing SUBQUERY. Its depth adds to the nesting, so that an expression bound to itself is an error.
    private func resolve(bound node: ExpressionNode, _ path: TreePath) throws(CompilationFault) -> Resolved {
        let outer = (elements: bound, depth: boundDepth)
        defer { (bound, boundDepth) = outer }
        try count(.expression(node), path)
        bound = []
        return try resolve(node, path)
    }

    /// Runs `body` for the predicate of a fetch request: SELF is the fetched object, variables are the request's, and
    /// nothing may be left out. Its depth adds to the nesting.
    func fetching<Result>(
        _ object: ObjectForm, _ predicate: FormatPredicate, _ values: [String: PredicateValue], _ path: TreePath,
        _ body: () throws(CompilationFault) -> Result
    ) throws(CompilationFault) -> Result {
        let outer = (root, variables, bound, boundDepth)
        defer { (root, variables, bound, boundDepth) = outer }
        try count(.predicate(predicate.node), path)
        (root, variables, bound) = (object, values, [])
        return try accepting(anyKind: .none) { () throws(CompilationFault) in try exact(body) }
    }

    /// Adds a tree inside a constant or variable to the counts of levels and nodes.
    private func count(_ tree: TreeNode, _ path: TreePath) throws(CompilationFault) {
        let review: TreeLimitCheck
        do throws(ExceededLimit) {
            review = try TreeLimitCheck(tree, limits)
        } catch {
            throw CompilationFault(excess(error.limit), at: path)
        }
        boundDepth += review.depth
        boundNodes += review.nodes
        guard boundDepth <= limits.nesting else { throw CompilationFault(excess(.nesting), at: path) }
        guard boundNodes <= limits.nodes else { throw CompilationFault(excess(.nodes), at: path) }
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

    /// Returns a string as a parameter. Refuses a string that the database cannot hold.
    func form(_ text: String, _ path: TreePath) throws(CompilationFault) -> ValueForm {
        try check(text, path)
        return form(.text(text), .text)
    }

    /// Returns the part before U+0000 of a string that the database cannot hold; nil for any other string.
    func beforeNUL(_ text: String) -> String? {
        if dialect.features.contains(.nulInText) { return nil }
        guard let end = text.utf8.firstIndex(of: 0) else { return nil }
        return String(text[..<end])
    }

    /// Refuses a string that the database cannot hold.
    func check(_ text: String, _ path: TreePath) throws(CompilationFault) {
        if !holds(text) { throw CompilationFault(.nulInText, at: path) }
    }

    func holds(_ text: String) -> Bool {
        dialect.features.contains(.nulInText) || !text.utf8.contains(0)
    }

    /// Returns a call of a function. Refuses a function that the dialect lacks.
    func call(
        _ function: SQLFunction, _ arguments: [ValueForm], _ name: String, _ path: TreePath
    ) throws(CompilationFault) -> ValueForm {
        guard dialect.templates.call[function] != nil else {
            throw CompilationFault(.function(name, dialect: dialect.name), at: path)
        }
        if function.readsText, boundsFolds, arguments.contains(where: \.isCall) {
            throw CompilationFault(.function("\(name) of a computed string", dialect: dialect.name), at: path)
        }
        return .call(function, arguments)
    }

    /// True if string functions must take a bounded time for each row, because nothing interrupts a statement in time.
    var boundsFolds: Bool { limits.boundStatements && dialect.base.regularExpressions?.foldsInMemory == true }

    /// Returns a value folded for `[c]` and `[d]`.
    func folded(_ form: ValueForm, _ mode: FoldMode, _ path: TreePath) throws(CompilationFault) -> ValueForm {
        guard let fold = SQLFunction(folding: mode) else { return form }
        return try call(fold, [form], "[\(mode.letters)]", path)
    }
}

extension PredicateLimits {
    /// True if the work per object is limited more strictly than by default, as for untrusted predicates.
    var boundStatements: Bool { evaluationSteps < PredicateLimits.standard.evaluationSteps }

    /// The maximum number of nested to-many steps.
    fileprivate var mostToManySteps: Int {
        guard boundStatements else { return .max }
        var (steps, rest) = (0, evaluationSteps)
        while rest >= 100 { (steps, rest) = (steps + 1, rest / 100) }
        return max(steps, 1)
    }
}

extension ComparisonOptions {
    /// The differences between strings that are ignored. `[n]` overrides `[c]` and `[d]`; `[l]` with a locale is
    /// refused.
    @inline(__always)
    var foldMode: FoldMode {
        if self == [] || contains(.normalized) { return .none }
        // `[c]` and `[d]` have the same bits in both types.
        return FoldMode(rawValue: UInt8(truncatingIfNeeded: rawValue & 3)) ?? .none
    }
}

extension Resolver {
    /// Returns the condition that selects the rows of an entity in a shared table: `t0."Z_ENT" IN (?1, ?2)`.
    func rows(of object: ObjectForm) -> ConditionForm {
        guard let (column, values) = object.reference.discriminator, let alias = object.alias else { return .always }
        let kind = ValueForm.column(ColumnForm(alias: alias, column: column, isNullable: false))
        let forms = values.map { form(.integer($0), .integer) }
        guard let first = forms.first else { return .never }
        return forms.count > 1 ? .isIn(kind, forms, isText: false) : .compare(kind, .equal, first)
    }
}

/// The path from the root of a tree to a node, by child indices. It is converted to a node number only for an error.
enum TreePath: Sendable {
    case root
    indirect case child(TreePath, Int)

    /// Returns the path to the child at an index.
    func child(_ index: Int) -> TreePath { .child(self, index) }

    /// Returns the postorder number of the node at the end of the path.
    func nodeNumber(in root: TreeNode) -> Int {
        var node = root
        var before = 0
        for index in indices {
            let children = node.children
            for sibling in children.prefix(index) { before += sibling.count }
            guard children.indices.contains(index) else { break }
            node = children[index]
        }
        return before + node.count - 1
    }

    private var indices: [Int] {
        switch self {
        case .root: []
        case .child(let parent, let index): parent.indices + [index]
        }
    }
}
