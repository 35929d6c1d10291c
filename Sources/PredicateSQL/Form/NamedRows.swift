/// The rows that the subqueries within a scope name, with their columns, and those that a condition of the scope names beside a
/// subquery.
struct NamedRows {
    /// The rows of the scope and of those within it.
    private var own: Set<Int>
    private var named: [Int: [ColumnReference]] = [:]
    /// The rows that the part at hand names outside of its subqueries.
    private var beside: [Int: [ColumnReference]] = [:]
    /// True if the part at hand has a subquery.
    private var hasSubquery = false
    /// The number of scopes entered within the scope.
    private var depth = 0

    init(_ scope: Scope) {
        own = Set(scope.sources.map(\.alias))
    }

    /// Those that belong to scopes outside, by number, each with the columns that are named.
    var toRepeat: [(row: Int, columns: [ColumnReference])] {
        named.filter { !own.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// True if a condition on the rows of a scope names those rows only.
    static func areAlone(_ scope: Scope, _ condition: ConditionForm) -> Bool {
        var rows = NamedRows(scope)
        rows.enter(scope) { $0.add(condition) }
        return rows.toRepeat.isEmpty
    }

    private mutating func enter(_ scope: Scope, _ body: (inout NamedRows) -> Void) {
        depth += 1
        hasSubquery = true
        for source in scope.sources {
            own.insert(source.alias)
            if let tie = source.tie { add(tie.value) }
        }
        body(&self)
        depth -= 1
    }

    private mutating func add(_ column: ColumnForm) {
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
        case .search(_, let value, .value(let needle)):
            add(value)
            add(needle)
        case .search(_, let value, .constant): add(value)
        case .isIn(let value, let elements, isText: _):
            add(value)
            for element in elements { add(element) }
        case .exists(let scope, let condition): enter(scope) { $0.add(condition) }
        case .isAmong(let column, let keys):
            add(column)
            enter(keys.scope) { $0.add(keys.condition) }
        case .isOnPage(let value, let page):
            add(value)
            enter(page.scope) { $0.add(page) }
        }
    }

    private mutating func add(_ value: ValueForm) {
        switch value {
        case .parameter, .word, .null: break
        case .column(let column): add(column)
        case .guarded(let column): add(column.column)
        case .arithmetic(_, let left, let right):
            add(left)
            add(right)
        case .checked(let inner), .cast(let inner, _): add(inner)
        case .call(_, let arguments): for argument in arguments { add(argument) }
        case .conditional(let test, let first, let second):
            add(test)
            add(first)
            add(second)
        case .aggregate(let aggregate, let scope, let condition):
            enter(scope) {
                $0.add(aggregate)
                $0.add(condition)
            }
        }
    }

    mutating func add(_ aggregate: AggregateForm) {
        switch aggregate {
        case .countRows: break
        case .countValues(let value), .countDistinct(let value, isText: _), .sum(let value, distinct: _),
            .average(let value, distinct: _),
            .minimum(let value, isText: _), .maximum(let value, isText: _):
            add(value)
        }
    }

    mutating func addParts(of page: PageForm) {
        addPart { $0.add(page.key) }
        addConjuncts(of: page.condition)
        for term in page.order { addPart { $0.add(term.form) } }
    }

    private mutating func add(_ page: PageForm) {
        add(page.key)
        add(page.condition)
        for term in page.order { add(term.form) }
    }
}
