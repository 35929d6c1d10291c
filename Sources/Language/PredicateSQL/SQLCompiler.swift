public import PredicateSyntax

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A compiler from predicates to SQL. The SQL selects exactly the rows for which the evaluator's result is true,
/// including nil and diacritics.
///
/// ```swift
/// let compiler = SQLCompiler(schema: schema)
/// let query = try compiler.compile(FormatPredicate("age >= 21 AND name BEGINSWITH[cd] 'jo'"), entity: "Person")
/// query.where.text      // t0."age" >= ?1 AND predicates2_begins(t0."name", ?2, 'cd')
/// ```
///
/// Names of tables and columns come from the schema only, quoted and qualified. Every value is a bound parameter.
///
/// The compiler assumes that columns hold values of the types that the schema declares, that primary keys are never
/// NULL, that a foreign key refers to an existing row or is NULL, and that the pairs of a join table are unique.
/// `now()` is the time of compilation.
public struct SQLCompiler: Sendable {
    /// The handling of the parts of a predicate that SQL cannot express exactly.
    public enum Mode: Hashable, Sendable, CaseIterable {
        /// Such parts are errors, with the offending node and the reason.
        case exact
        /// Such parts are left out: the SQL may select too many rows, and ``SQLQuery/residual`` is evaluated for them
        /// in memory.
        case residual
    }

    package var schema: SQLSchema { index.schema }
    package var dialect: any SQLDialect { writing.base }
    /// The handling of the parts of a predicate that SQL cannot express exactly.
    package var mode: Mode
    /// The limits of a predicate: the number of nodes, their nesting, and the size of constants.
    package var limits: PredicateLimits { core.options.limits }

    /// The locale of `[l]`, whose collation no database implements; nil if `[l]` has no effect.
    package var locale: Locale? { core.locale }

    /// The zone of the date functions; nil if the host has none.
    package var calendarZone: TimeZone? { core.calendar?.zone }
    var calendar: ZonedCalendar? { core.calendar }
    /// The name of the zone in which the host reads dates without an offset in stored strings; nil for UTC, in which
    /// SQL reads them. [NSP-496]
    package var textZone: String? { core.textZone }

    private let core: Core
    var index: SchemaIndex { core.index }
    var writing: CompilerDialect { core.writing }

    /// The immutable part of a compiler. Copying a compiler retains one reference.
    private final class Core: Sendable {
        let index: SchemaIndex
        let writing: CompilerDialect
        /// The limits in the form that the parser takes.
        let options: FormatOptions
        /// True if statements have limits other than the database's.
        let limitsStatements: Bool
        let templates = TemplateCache()
        let locale: Locale?
        let calendar: ZonedCalendar?
        let textZone: String?

        init(
            _ index: SchemaIndex, _ writing: CompilerDialect, _ limits: PredicateLimits, _ locale: Locale?,
            _ calendar: ZonedCalendar?, _ textZone: String?
        ) {
            (self.calendar, self.textZone) = (calendar, textZone)
            self.index = index
            self.writing = writing
            self.locale = locale
            options = FormatOptions(limits: limits)
            limitsStatements = limits.limitsStatements
        }
    }

    /// Creates a compiler. It indexes the whole schema, so keep it for as long as the schema does not change.
    ///
    /// `SQLCompiler(schema: schema, mode: .residual, limits: .untrusted)`
    ///
    /// The limits also apply to the statements: their length, tables, searches and nested to-many relationships, and
    /// the repetitions of a pattern. If they have a `statementTime`, ``SQLQuery/setup`` sets it in databases that can
    /// end a statement. [NSP-421] [NSP-422] [NSP-423]
    ///
    /// Pass the locale of the evaluators of the same predicates, if they have one: `[l]` is then refused, or left to
    /// the residual. [NSP-184]
    ///
    /// Pass the zone of `EvaluationRegistry.registerCalendarFunctions(timeZone:)`, if the evaluators of the same predicates
    /// have the date functions: `year:(born) == 2020`. In UTC they become SQL; in another zone only calls with constants do.
    /// Without a zone they are functions that only the host knows. [NSP-416]
    public init(
        schema: SQLSchema, dialect: any SQLDialect = SQLiteDialect(), mode: Mode = .exact,
        limits: PredicateLimits = .standard, locale: Locale? = nil, calendarZone: TimeZone? = nil
    ) {
        self.init(
            schema: schema, dialect: dialect, mode: mode, limits: limits, locale: locale, calendarZone: calendarZone,
            textZone: nil)
    }

    /// Creates a compiler for a host that reads stored strings as dates in a zone: SQL reads them in UTC, so they are then not
    /// compared in SQL. [NSP-496]
    package init(
        schema: SQLSchema, dialect: any SQLDialect = SQLiteDialect(), mode: Mode = .exact,
        limits: PredicateLimits = .standard, locale: Locale? = nil, calendarZone: TimeZone?, textZone: String?
    ) {
        let writing = CompilerDialect.of(dialect)
        core = Core(
            SchemaIndex(schema, writing), writing, limits, locale, calendarZone.map(ZonedCalendar.init), textZone)
        self.mode = mode
    }

    /// Returns the query that selects the objects of an entity for which a predicate is true.
    ///
    /// `try compiler.compile(FormatPredicate("age > $limit"), entity: "Person", variables: ["limit": 21])`
    /// - Throws: ``SQLCompilationError`` with the offending node, its source range and the reason.
    public func compile(
        _ predicate: FormatPredicate, entity name: String, variables: PredicateVariables = .init()
    ) throws(SQLCompilationError) -> SQLQuery {
        try review(predicate)
        let query = try query(predicate, name, variables)
        if core.limitsStatements, let limit = limits.exceeded(by: query.body, query.bindings) {
            let root = TreePath.root.nodeNumber(in: .predicate(predicate.node))
            throw SQLCompilationError(.exceeds(limit, limit: limits[limit]), node: root, in: predicate)
        }
        return query
    }

    /// Fills in the constants of a template, or compiles.
    private func query(
        _ predicate: FormatPredicate, _ name: String, _ variables: PredicateVariables
    ) throws(SQLCompilationError) -> SQLQuery {
        guard variables.isEmpty else { return try typed(predicate, name, variables.plainValues) }
        let fingerprint = ShapeFingerprint(predicate.node, entity: name).value
        if let template = core.templates.withSlot(of: fingerprint, { $0.template }),
            let bindings = template.bindings(for: predicate.node, entity: name)
        {
            return SQLQuery(
                residual: nil, compiler: self, entityReference: template.entity, body: template.body,
                bindings: bindings)
        }
        let query = try typed(predicate, name, [:])
        if query.residual == nil, !query.body.dependsOnConstants,
            core.templates.withSlot(of: fingerprint, { $0.misses(fingerprint) })
        {
            insertTemplate(of: predicate.node, name, query, fingerprint)
        }
        return query
    }
}

extension SQLCompiler {
    /// Compiles without a template.
    private func typed(
        _ predicate: FormatPredicate, _ name: String, _ variables: [String: PredicateValue]
    ) throws(SQLCompilationError) -> SQLQuery {
        guard let entity = index.entity(name) else {
            let nearMisses = NearMiss.candidates(for: name, among: schema.entities.keys)
            throw SQLCompilationError(.unknownEntity(name, nearMisses: nearMisses))
        }
        do throws(CompilationFault) {
            return try Compilation(self, predicate, entity, variables).query()
        } catch {
            let node = error.path.nodeNumber(in: .predicate(predicate.node))
            throw SQLCompilationError(error.code, node: node, in: predicate)
        }
    }

    /// A compiler that assumes an index for each fold of every string column, so that it writes conditions for these indexes.
    var assumingFoldIndexes: SQLCompiler {
        guard writing.features.contains(.storageClasses) else { return self }
        var entities = Array(schema.entities.values)
        for index in entities.indices {
            for (key, attribute) in entities[index].attributes where attribute.type == .string {
                entities[index].attributes[key]?.indexedFolds = Set(ComparisonOptions.foldModes)
            }
        }
        return SQLCompiler(
            schema: SQLSchema(entities), dialect: dialect, mode: mode, limits: limits, locale: locale,
            calendarZone: calendarZone, textZone: textZone)
    }

    /// Returns the typed form of a predicate, and the rows that it selects.
    func selection(
        of predicate: FormatPredicate, entity name: String, variables: PredicateVariables
    ) throws(SQLCompilationError) -> (condition: ConditionForm, scope: TableScope) {
        let query = try compile(predicate, entity: name, variables: variables)
        let form = index.entity(name).flatMap { entity in
            try? Compilation(self, predicate, entity, variables.plainValues).selection()
        }
        return form ?? (.always, query.body.scope)
    }

    /// Derives a template from a query, for predicates of the same shape.
    private func insertTemplate(of node: PredicateNode, _ name: String, _ query: SQLQuery, _ fingerprint: UInt64) {
        let template = StatementTemplate(node, entity: name, query) { node in
            try? Compilation(self, FormatPredicate(node), query.entityReference, [:]).query()
        }
        if let template { core.templates.withSlot(of: fingerprint) { $0.template = template } }
    }

    /// Refuses a tree that exceeds the limits. A tree that was parsed under the same limits does not exceed them.
    func review(_ predicate: FormatPredicate) throws(SQLCompilationError) {
        if predicate.isParsed(within: core.options) { return }
        try review(.predicate(predicate.node)) { SQLCompilationError($0, node: $1, in: predicate) }
    }

    /// Refuses an expression that exceeds the limits.
    func review(_ expression: FormatExpression) throws(SQLCompilationError) {
        try review(.expression(expression.node)) { SQLCompilationError($0, node: $1, in: expression) }
    }

    private func review(
        _ tree: TreeNode, _ error: (SQLCompilationError.Code, Int) -> SQLCompilationError
    ) throws(SQLCompilationError) {
        do throws(ExceededLimit) {
            _ = try TreeLimitCheck(tree, limits)
        } catch let found {
            guard found.limit != .nesting else { throw SQLCompilationError(.nestingTooDeep(limit: limits.nesting)) }
            let code = SQLCompilationError.Code.exceeds(found.limit, limit: limits[found.limit])
            throw found.node.map { error(code, $0) } ?? SQLCompilationError(code)
        }
    }
}

/// The state of one compilation.
private struct Compilation {
    let compiler: SQLCompiler
    let predicate: FormatPredicate
    let entity: EntityReference
    let resolver: Resolver
    private let selectivity = Selectivity()

    init(
        _ compiler: SQLCompiler, _ predicate: FormatPredicate, _ entity: EntityReference,
        _ variables: [String: PredicateValue]
    ) {
        self.compiler = compiler
        self.predicate = predicate
        self.entity = entity
        resolver = Resolver(compiler, entity, variables)
    }

    func query() throws(CompilationFault) -> SQLQuery {
        let (found, residual) = try condition()
        let condition = selecting(found)
        do throws(CompilationFault) {
            return try query(condition, residual)
        } catch {
            guard compiler.mode == .residual, error.code.leavesResidual else { throw error }
            let whole = Compilation(compiler, predicate, entity, [:])
            return try whole.query(whole.resolver.rows(of: whole.resolver.root), predicate)
        }
    }

    /// The condition that selects the objects of the entity.
    private func selecting(_ found: ConditionForm) -> ConditionForm {
        let rules = SelectionRules(compiler.writing.features)
        let selected = KeySelection.selectingKeys(found, of: resolver.root, rules, selectivity)
        return ConditionForm.all([selected, resolver.rows(of: resolver.root)])
    }

    func selection() throws(CompilationFault) -> (condition: ConditionForm, scope: TableScope) {
        (selecting(try condition().0), resolver.root.scope)
    }

    /// Writes the tables and the condition once, as the body that every statement wraps.
    private func query(_ condition: ConditionForm, _ residual: FormatPredicate?) throws(CompilationFault) -> SQLQuery {
        let scope = resolver.root.scope
        var writer = SQLWriter(compiler.writing)
        writer.begin(over: scope, aliasCount: resolver.aliasCount)
        writer.noteNumbers(of: scope, condition)
        writer.write("SELECT ")
        writer.writeList(entity.selectedKeys) { $0.writeColumn($1, of: 0) }
        writer.write(" FROM ")
        let tables = writer.count
        writer.writeSources(of: scope)
        let end = writer.count
        writer.write(" WHERE ")
        let start = writer.count
        writer.writeCondition(condition)
        try writer.checkLimits()
        let body = StatementBody(
            tables: writer.text(tables..<end), condition: writer.text(start..<writer.count),
            placeholders: writer.placeholders(from: start), bounds: writer.bounds(from: start),
            isAlways: condition.isAlways, hasSubqueries: writer.hasSubqueries,
            dependsOnConstants: writer.dependsOnConstants || selectivity.readsConstants, functions: writer.functions,
            size: writer.size, scope: scope, aliasCount: writer.outerRows?.aliasCount ?? resolver.aliasCount)
        return SQLQuery(
            residual: residual, compiler: compiler, entityReference: entity, body: body, bindings: writer.bindings)
    }

    /// Returns the condition, and the residual: the conjuncts that SQL does not express exactly.
    private func condition() throws(CompilationFault) -> (ConditionForm, FormatPredicate?) {
        guard case .compound(let compound) = predicate.node, compound.type == .and, compiler.mode == .residual else {
            let (whole, isPartial) = try resolver.conditionNotingOmissions(predicate.node, .root)
            return (whole, isPartial ? predicate : nil)
        }
        var conditions: [ConditionForm] = []
        var rest: [PredicateNode] = []
        for (index, node) in compound.subpredicates.enumerated() {
            let (condition, isPartial) = try resolver.conditionNotingOmissions(node, .child(.root, index))
            conditions.append(condition)
            if isPartial { rest.append(node) }
        }
        if rest.count == compound.subpredicates.count, !rest.isEmpty { return (.all(conditions), predicate) }
        let residual = rest.count > 1 ? .compound(CompoundPredicate(.and, rest)) : rest.first
        return (.all(conditions), residual.map { FormatPredicate($0) })
    }
}
