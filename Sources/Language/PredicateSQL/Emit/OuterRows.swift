/// The names under which a subquery refers to rows of enclosing scopes, in a database where a subquery sees only the
/// next enclosing scope.
///
/// `ANY phones.calls.seconds > age` refers to the person two scopes further out. The scope in between repeats that
/// row, joined by its primary key:
///
///     EXISTS (SELECT 1 FROM `phone` AS t1 JOIN `person` AS t3 ON t3.`id` = t0.`id` WHERE …
///         EXISTS (SELECT 1 FROM `call` AS t2 WHERE … t2.`seconds` > t3.`age`))
///
/// A key refers to at most one row, so no row is counted twice. A left-joined row, which may be missing, is joined
/// again from the repeated row. If the only column needed is the key that joins the scope in between, a column of
/// that scope already has its value:
///
///     EXISTS (SELECT 1 FROM `phone` AS t1 WHERE t1.`owner` = t0.`id` AND EXISTS (SELECT 1 FROM `phone` AS t2 WHERE t2.`owner` = t1.`owner` …))
///
/// The repeated row replaces the outer one everywhere in the scope in between except in its join condition. Spark
/// cannot plan a condition with both an outer row and a subquery, so ``NamedRows`` also counts the outer rows of such
/// conditions.
struct OuterRows {
    /// The enclosing scopes, from the outermost.
    private var scopes: [TableScope]
    /// The rows that this scope repeats, with their join conditions.
    private(set) var repeated: [TableScope.Table] = []
    /// The aliases of rows outside this scope, if they are repeated there.
    private var aliases: [Int: Int] = [:]
    /// The aliases of rows inside this scope and its subqueries, except in its join conditions.
    private var aliasesInside: [Int: Int] = [:]
    /// A column of another row with the same value, for a row of which only that column is needed.
    private typealias Equal = (column: ColumnReference, alias: Int)
    /// The equal columns outside this scope.
    private var equals: [Int: Equal] = [:]
    /// The equal columns inside this scope and its subqueries, except in its join conditions.
    private var equalsInside: [Int: Equal] = [:]
    private(set) var aliasCount: Int
    /// True if a row is needed that has no key to join it by: a group of rows.
    private(set) var lacksKey = false

    init(root: TableScope, aliasCount: Int) {
        scopes = [root]
        self.aliasCount = aliasCount
    }

    /// Returns the column at the current place: of the row itself, of its repetition, or of another row with the same
    /// value.
    func name(of column: ColumnReference, _ alias: Int) -> (column: ColumnReference, alias: Int) {
        if let equal = equalsInside[alias] { return equal }
        return aliasesInside[alias].map { (column, $0) } ?? nameInTie(of: column, alias)
    }

    /// Returns a column in a join condition of this scope, where the scope's repetitions do not apply.
    func nameInTie(of column: ColumnReference, _ alias: Int) -> (column: ColumnReference, alias: Int) {
        equals[alias] ?? (column, aliases[alias] ?? alias)
    }

    /// Enters a scope in which some rows of outer scopes must be repeated.
    mutating func enter(_ scope: TableScope, naming rows: [(row: Int, columns: [ColumnReference])]) {
        scopes.append(scope)
        (aliases, aliasesInside, repeated) = (aliasesInside, [:], [])
        (equals, equalsInside) = (equalsInside, [:])
        for (row, columns) in rows {
            if let equal = equal(of: row, columns, in: scope) {
                equalsInside[row] = equal
            } else {
                repeatRow(row)
            }
        }
    }

    /// Returns the column of a scope that equals a row's key, if no other column of the row is needed.
    private func equal(of row: Int, _ columns: [ColumnReference], in scope: TableScope) -> Equal? {
        guard let start = scope.sources.first, let tie = start.tie, tie.value.alias == row,
            let key = source(of: row)?.primaryKey?.name.text
        else { return nil }
        let isKey = (columns + [tie.value.column]).allSatisfy { $0.name.text.hasSameCodePoints(as: key) }
        return isKey ? (tie.column, start.alias) : nil
    }

    private func source(of row: Int) -> TableScope.Table? {
        scopes.lazy.flatMap(\.sources).first { $0.alias == row }
    }

    /// Returns to the state before a scope. Aliases are not reused.
    mutating func leave(to outer: OuterRows) {
        let count = aliasCount
        self = outer
        aliasCount = count
    }

    /// Returns the alias of the repetition of a row, which is added if necessary; nil for a group of rows.
    @discardableResult
    private mutating func repeatRow(_ row: Int) -> Int? {
        if let alias = aliasesInside[row] { return alias }
        guard var source = source(of: row), let key = source.primaryKey, key.name.quoted != nil else {
            lacksKey = true
            return nil
        }
        switch (source.kind, source.tie) {
        case (.lookedUp, let tie?):
            guard let parent = repeatRow(tie.value.alias) else { return nil }
            source.tie?.value = ColumnForm(alias: parent, column: tie.value.column, isNullable: tie.value.isNullable)
        case (.start, _), (.needed, _), (.lookedUp, nil):
            source.kind = .needed
            source.tie = (key, ColumnForm(alias: row, column: key, isNullable: false))
        }
        source.alias = aliasCount
        aliasesInside[row] = aliasCount
        aliasCount += 1
        repeated.append(source)
        return source.alias
    }
}

extension SQLWriter {
    /// Starts with a root, whose rows the following conditions refer to.
    mutating func begin(over root: TableScope, aliasCount: Int) {
        guard !dialect.features.contains(.skipLevelCorrelation) else { return }
        outerRows = OuterRows(root: root, aliasCount: aliasCount)
    }

    /// Writes a subquery over a scope. `parts` collects the rows that it refers to.
    mutating func writeSubquery(
        over scope: TableScope, _ parts: (inout NamedRows) -> Void, _ body: (inout SQLWriter) -> Void
    ) {
        guard let outer = outerRows else { return body(&self) }
        // A statement with more forms is refused.
        var named = NamedRows(scope, limit: dialect.limits.length)
        parts(&named)
        outerRows?.enter(scope, naming: named.toRepeat)
        if outerRows?.lacksKey == true {
            note(missing: "a subquery that refers to a group beyond the next enclosing query")
        }
        body(&self)
        outerRows?.leave(to: outer)
    }
}

/// The rows that the subqueries of a scope refer to, with their columns, and the rows that a condition with a
/// subquery refers to.
struct NamedRows {
    /// The rows of the scopes around the current place.
    private var own: Set<Int>
    private var named: [Int: [ColumnReference]] = [:]
    /// The rows that the current part refers to outside of its subqueries.
    private var beside: [Int: [ColumnReference]] = [:]
    /// True if the current part has a subquery.
    private var hasSubquery = false
    /// The number of subqueries entered.
    private var depth = 0
    /// The number of forms visited. Forms share operands that the statement repeats, so it is exponential in their depth.
    private var count = 0
    private let limit: Int
    /// The tables of the subqueries.
    private var tables: [QuotedName] = []

    init(_ scope: TableScope = TableScope(), limit: Int = .max) {
        own = Set(scope.sources.map(\.alias))
        self.limit = limit
    }

    /// Returns true if a condition has more forms than a limit.
    static func hasMoreForms(than limit: Int, _ condition: ConditionForm) -> Bool {
        var rows = NamedRows(limit: limit)
        rows.add(condition)
        return rows.count > limit
    }

    /// Returns the tables of the subqueries in a condition.
    static func tables(in condition: ConditionForm) -> [QuotedName] {
        var rows = NamedRows()
        rows.add(condition)
        return rows.tables
    }

    /// The rows of outer scopes, by alias, with the columns that are needed.
    var toRepeat: [(row: Int, columns: [ColumnReference])] {
        named.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the rows that a condition and an aggregate refer to, without those of their subqueries.
    static func rows(of condition: ConditionForm, _ aggregate: AggregateForm? = nil) -> Set<Int> {
        Set(columns(of: condition, aggregate).keys)
    }

    /// Returns the columns in a condition and an aggregate, by row.
    static func columns(of condition: ConditionForm, _ aggregate: AggregateForm? = nil) -> [Int: [ColumnReference]] {
        var rows = NamedRows()
        rows.enter(TableScope()) {
            $0.add(condition)
            if let aggregate { $0.add(aggregate) }
        }
        return rows.named
    }

    /// Returns true if a condition on the rows of a scope, and an aggregate over them, refer to those rows only.
    static func areAlone(_ scope: TableScope, _ condition: ConditionForm, _ aggregate: AggregateForm?) -> Bool {
        let own = Set(scope.sources.map(\.alias))
        let tied = scope.sources.compactMap(\.tie?.value.alias) + scope.sources.compactMap(\.array?.column.alias)
        return rows(of: condition, aggregate).union(tied).isSubset(of: own)
    }

    private mutating func enter(_ scope: TableScope, _ body: (inout NamedRows) -> Void) {
        let outer = own
        depth += 1
        hasSubquery = true
        tables += scope.sources.map(\.table)
        own.formUnion(scope.sources.map(\.alias))
        for source in scope.sources {
            if let tie = source.tie { add(tie.value) }
            if let array = source.array { add(array.column) }
        }
        body(&self)
        depth -= 1
        own = outer
    }

    private mutating func add(_ column: ColumnForm) {
        if own.contains(column.alias) { return }
        if depth > 0 {
            named[column.alias, default: []].append(column.column)
        } else {
            beside[column.alias, default: []].append(column.column)
        }
    }

    // MARK: Parts of the scope

    mutating func addConjuncts(of condition: ConditionForm) {
        if case .and(let conditions) = condition {
            for condition in conditions { addPart { $0.add(condition) } }
        } else {
            addPart { $0.add(condition) }
        }
    }

    mutating func addPart(_ body: (inout NamedRows) -> Void) {
        (beside, hasSubquery) = ([:], false)
        body(&self)
        if hasSubquery { named.merge(beside, uniquingKeysWith: +) }
    }

    // MARK: Forms

    private mutating func add(_ condition: ConditionForm) {
        count += 1
        if count > limit { return }
        switch condition {
        case .constant: break
        case .and(let conditions), .or(let conditions): for condition in conditions { add(condition) }
        case .not(let inner): add(inner)
        case .isNull(let value), .truth(let value): add(value)
        case .isStored(let column, _), .bound(let column, _): add(column)
        case .same(let left, let right), .sameText(let left, let right), .compare(let left, _, let right),
            .compareText(let left, _, let right), .like(let left, let right), .matches(let left, let right),
            .finds(let left, let right), .mayBegin(let left, let right),
            .isInList(let left, let right, _):
            add(left)
            add(right)
        case .mayContain(let array, let element):
            add(array.column)
            add(element)
        case .search(_, let value, .value(let needle)):
            add(value)
            add(needle)
        case .search(_, let value, .constant): add(value)
        case .isIn(let value, let elements, isText: _):
            add(value)
            for element in elements { add(element) }
        case .exists(let scope, let condition): enter(scope) { $0.add(condition) }
        case .isAmong(let column, let sets):
            add(column)
            for keys in sets {
                enter(keys.scope) {
                    $0.add(keys.condition)
                    if let group = keys.group { $0.add(group.aggregate) }
                }
            }
        case .isOnPage(let value, let page):
            add(value)
            enter(page.scope) { $0.add(page) }
        case .ifUnknown(let first, let second):
            add(first)
            add(second)
        }
    }

    private mutating func add(_ value: ValueForm) {
        count += 1
        if count > limit { return }
        switch value {
        case .parameter, .word, .null, .arithmetic, .checked, .cast, .call: break
        case .column(let column): add(column)
        case .guarded(let column): add(column.column)
        case .conditional(let test, _, _): add(test)
        case .aggregate(let aggregate, let scope, let condition):
            enter(scope) {
                $0.add(aggregate)
                $0.add(condition)
            }
        }
        for operand in value.operands { add(operand) }
    }

    mutating func add(_ aggregate: AggregateForm) {
        switch aggregate {
        case .countRows, .ofGroup: break
        case .countValues(let value), .countDistinct(let value, isText: _), .sum(let value, distinct: _),
            .decimalSum(let value, distinct: _), .narrowSum(let value, _, distinct: _),
            .average(let value, distinct: _), .function(_, let value),
            .only(let value), .decimalAverage(let value), .decimalExcess(let value, over: _),
            .minimum(let value, isText: _), .maximum(let value, isText: _):
            add(value)
        }
    }

    mutating func addParts(of page: PageForm) {
        addPart { $0.add(page.key) }
        addConjuncts(of: page.condition)
        for term in page.order {
            addPart { $0.add(term.form) }
            if let group = term.group { addPart { $0.add(group) } }
        }
    }

    private mutating func add(_ page: PageForm) {
        add(page.key)
        add(page.condition)
        for term in page.order {
            add(term.form)
            if let group = term.group { add(group) }
        }
    }
}
