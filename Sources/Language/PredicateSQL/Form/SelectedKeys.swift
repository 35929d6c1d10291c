import PredicateSyntax

/// The foreign keys of the rows that a condition selects, as the right operand of IN. A database may start from them.
///
///     t0."id" IN (SELECT t1."user_id" FROM "orders" AS t1 WHERE t1."total" > ?1)
///     t0."id" IN (SELECT t1."user_id" FROM "orders" AS t1 GROUP BY t1."user_id" HAVING COUNT(*) >= ?1)
struct SelectedKeys {
    /// The tables of the rows. The first one has no join condition.
    let scope: TableScope
    let key: ColumnForm
    let condition: ConditionForm
    /// The condition on all rows with the same key; nil if one row is enough.
    let group: GroupCondition?
    /// True if the set may be tested for each row: the database hashes it.
    var isHashed = true
}

/// `HAVING SUM(t1."qty") > ?1`; negated, `HAVING (SUM(t1."qty") > ?1) IS NOT TRUE`
struct GroupCondition {
    let aggregate: AggregateForm
    let relation: RelationOperator
    let number: ValueForm
    let isNegated: Bool
}

/// Replaces tests of related rows, which a database repeats for every object, with sets of keys, which it computes once.
///
/// `orders.@sum.qty > 50`: `t0."id" IN (SELECT t1."user_id" FROM "orders" AS t1 GROUP BY t1."user_id" HAVING …)`.
/// An object without related rows is in no group. If it satisfies the comparison, as in `orders.@count < 3`, the
/// groups that do not are excluded: `(t0."id" IN (SELECT … HAVING …)) IS NOT TRUE`.
///
/// `user.city == "Oslo" OR total > 5`: `t0."user_id" IN (SELECT t1."id" FROM "users" AS t1 WHERE …) OR t0."total" > ?2`, or
/// the union of the keys of both sides. ``SelectionRules`` decides.
///
/// A set needs rows that a number or bytes join to a row of the scope, and that refer to no other rows: equal strings may
/// differ under the collation of another column.
struct KeySelection {
    /// The tables of the rows that the condition selects.
    let scope: TableScope
    let rules: SelectionRules
    let selectivity: Selectivity
    /// The key of the selected objects; nil inside a subquery, and for rows without a key.
    let key: ColumnForm?

    /// The number of forms above which a condition is not rewritten: rewriting visits each form at several levels.
    private static let limit = 100_000
    /// The number of tables above which each row of a long path is joined: the parser of SQLite holds few nested subqueries.
    private static let mostNested = 8

    /// Returns the condition that selects objects, and removes the joins that it no longer needs.
    static func selectingKeys(
        _ condition: ConditionForm, of object: ObjectForm, _ rules: SelectionRules, _ selectivity: Selectivity
    ) -> ConditionForm {
        if NamedRows.hasMoreForms(than: limit, condition) { return condition }
        let hasKey = !object.reference.primaryKeyKind.mayBeText && !object.entity.numbersRows
        let key = hasKey ? object.key : nil
        let selection = KeySelection(scope: object.scope, rules: rules, selectivity: selectivity, key: key)
        let rows = TestedRows(selectivity.rows(of: object.reference.table))
        let result = selection.selectingKeys(condition, .joined, rows)
        object.scope.keepJoins(of: NamedRows.rows(of: result))
        if rules.joinsNeededRows { object.scope.markNeeded(by: result) }
        return result
    }

    /// - Parameter tested: About how many rows the condition is tested for, if other conditions are tested first.
    private func selectingKeys(_ condition: ConditionForm, _ place: SelectionRules.Place, _ tested: TestedRows)
        -> ConditionForm
    {
        if rules.refersToSets(at: place), place == .alternative || scope.sources.count <= Self.mostNested,
            let set = referred(condition, place == .alternative ? TestedRows(.infinity) : tested)
        {
            return set
        }
        switch condition {
        case .and(let parts):
            let plain = parts.map(isPlain)
            if !plain.contains(false) { return condition }
            let own = TestedRows(
                tested.count * selectivity.share(of: .and(zip(parts, plain).filter(\.1).map(\.0))))
            let joined = TestedRows(
                tested.count * selectivity.share(of: .and(parts.filter { !$0.hasRelatedRows })))
            let least = place == .joined ? leastSet(of: parts, joined) : nil
            return .and(
                parts.enumerated().map { index, part in
                    guard part.hasRelatedRows else { return selectingKeys(part, place.insideAnd, own) }
                    guard let least, least.index != index else { return selectingKeys(part, place.insideAnd, joined) }
                    return selectingKeys(part, place.insideAnd, TestedRows(min(joined.count, least.rows)))
                })
        case .or(let parts):
            if place == .joined, let united = united(parts, tested) { return united }
            let side: SelectionRules.Place = areOfOneLookup(parts) ? .evaluated : .alternative
            return .or(parts.map { selectingKeys($0, side, tested) })
        case .not(let inner):
            if let set = referred(inner, tested) { return set.negated }
            return selectingKeys(inner, place.insideNot, tested).negated
        case .exists(let scope, let inner):
            if inner.isAlways { return condition }
            if let set = keys(of: scope, where: inner, place, tested) { return membership(in: set) }
            if rules.startsFromSets { return condition }
            let copy = TableScope(copying: scope)
            return .exists(copy, inside(copy, inner))
        case .compare(.aggregate(let aggregate, let scope, let inner), let relation, .parameter(let number)):
            guard
                !searches(scope.sources.first, tested, insteadOf: scope, where: inner),
                place.isJoined || rules.hashesSet(of: selectivity.knownRows(of: scope, where: inner))
            else {
                return condition
            }
            return grouped(aggregate, scope, inner, relation, number).map { membership(in: $0) } ?? condition
        case .constant, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayBegin, .matches, .finds,
            .isStored, .bound, .truth, .isIn, .isInList, .isAmong, .isOnPage, .mayContain,
            .ifUnknown:
            return condition
        }
    }

    /// Returns the part of a joined conjunction that becomes a set of the fewest rows, if a database starts from it and there are
    /// others.
    private func leastSet(of parts: [ConditionForm], _ tested: TestedRows) -> (index: Int, rows: Double)? {
        guard rules.startsFromSets, parts.count(where: \.hasRelatedRows) > 1 else { return nil }
        let sets = parts.enumerated().compactMap { index, part -> (index: Int, rows: Double)? in
            guard case .exists(let scope, let inner) = part, !inner.isAlways,
                keys(of: scope, where: inner, .joined, tested) != nil
            else { return nil }
            return (index, selectivity.rows(of: scope, where: inner))
        }
        return sets.min { $0.rows < $1.rows }
    }

    /// Returns the keys of related rows if a set of them is better than an EXISTS.
    private func keys(
        of scope: TableScope, where inner: ConditionForm, _ place: SelectionRules.Place, _ tested: TestedRows
    ) -> Candidate? {
        guard rules.makesSet(at: place, of: selectivity.knownRows(of: scope, where: inner)),
            !searches(scope.sources.first, tested, insteadOf: scope, where: inner, toFirst: inner)
        else { return nil }
        return keys(scope, inner, nil)
    }

    /// Returns true if searching a related table for each tested row is cheaper than reading a set of its rows. Searches read all
    /// related rows of a row, or those up to the first that satisfies `first`.
    private func searches(
        _ table: TableScope.Table?, _ tested: TestedRows, insteadOf set: TableScope, where condition: ConditionForm,
        toFirst first: ConditionForm = .constant(false)
    ) -> Bool {
        rules.searches(
            selectivity.costOfSearches(tested.count, of: table, from: scope, toFirst: first),
            insteadOf: selectivity.costOfSet(in: set, where: condition))
    }

    /// Returns true for a condition on nothing but the rows that the scope starts from.
    private func isPlain(_ condition: ConditionForm) -> Bool {
        if condition.hasRelatedRows { return false }
        return scope.sources.count == 1 || scope.joins(of: NamedRows.rows(of: condition)).isEmpty
    }

    /// Returns true for conditions that all refer to one joined row, so that the database makes an inner join.
    private func areOfOneLookup(_ parts: [ConditionForm]) -> Bool {
        let rows = Set(parts.map { NamedRows.rows(of: $0) })
        return rows.count == 1 && rows.allSatisfy { scope.lookup(of: $0) != nil }
    }

    /// Returns the condition of a subquery's rows, and removes the joins that it does not need.
    private func inside(
        _ scope: TableScope, _ condition: ConditionForm, beside aggregate: AggregateForm? = nil
    ) -> ConditionForm {
        let rows = scope.sources.first.map { selectivity.rows(of: $0.table) } ?? 0
        let result = KeySelection(scope: scope, rules: rules, selectivity: selectivity, key: nil)
            .selectingKeys(condition, .joined, TestedRows(rows))
        scope.keepJoins(of: NamedRows.rows(of: result, aggregate))
        if rules.joinsNeededRows { scope.markNeeded(by: result) }
        return result
    }

    /// Keys of rows whose condition has not been rewritten, and the column that they are compared with.
    private typealias Candidate = (column: ColumnForm, keys: SelectedKeys)

    /// `t0."id" IN (SELECT …)`, or its negation if the groups are those that do not satisfy the condition.
    private func membership(in set: Candidate) -> ConditionForm {
        let isAmong = ConditionForm.isAmong(set.column, [rewritten(set.keys)])
        return set.keys.group?.isNegated == true ? .not(isAmong) : isAmong
    }

    private func rewritten(_ keys: SelectedKeys) -> SelectedKeys {
        let condition = inside(keys.scope, keys.condition, beside: keys.group?.aggregate)
        return SelectedKeys(
            scope: keys.scope, key: keys.key, condition: condition, group: keys.group, isHashed: keys.isHashed)
    }

    /// Returns the groups that satisfy a condition on an aggregate, or the groups that do not; nil if it is unknown whether the
    /// condition holds without related rows.
    private func grouped(
        _ aggregate: AggregateForm, _ scope: TableScope, _ inner: ConditionForm, _ relation: RelationOperator,
        _ number: SQLParameter
    ) -> Candidate? {
        aggregate.holdsWithoutRows(relation, number.binding).flatMap { holds in
            let number = ValueForm.parameter(number)
            let group = GroupCondition(aggregate: aggregate, relation: relation, number: number, isNegated: holds)
            return keys(scope, inner, group)
        }
    }

    /// Returns the keys of rows that are joined to a row of this scope.
    private func keys(_ scope: TableScope, _ condition: ConditionForm, _ group: GroupCondition?) -> Candidate? {
        guard let start = scope.sources.first, let tie = start.tie, !start.hasTextKey,
            self.scope.sources.contains(where: { $0.alias == tie.value.alias })
        else { return nil }
        let alone = TableScope(start: start.first, scope.sources.dropFirst())
        guard NamedRows.areAlone(alone, condition, group?.aggregate) else { return nil }
        let key = ColumnForm(alias: start.alias, column: tie.column, isNullable: true)
        let isHashed = rules.hashesSet(of: selectivity.knownRows(of: alone, where: condition))
        let keys = SelectedKeys(scope: alone, key: key, condition: condition, group: group, isHashed: isHashed)
        return (tie.value, keys)
    }

    /// `t0."user_id" IN (SELECT t1."id" FROM "users" AS t1 WHERE …)` for a condition on rows to which one foreign key refers,
    /// if it is not true without these rows; nil for any other condition.
    private func referred(_ condition: ConditionForm, _ tested: TestedRows) -> ConditionForm? {
        guard scope.sources.count > 1 else { return nil }
        let rows = NamedRows.rows(of: condition)
        guard let start = scope.lookup(of: rows), let tie = start.tie, !start.hasTextKey,
            condition.isUntrue(where: { rows.contains($0.alias) })
        else { return nil }
        let needed = scope.joins(of: rows).filter { $0.alias != start.alias }
        let alone = TableScope(start: start.first, needed[...])
        if searches(start, tested, insteadOf: alone, where: condition) { return nil }
        if !rules.hashesSet(of: selectivity.knownRows(of: alone, where: condition)) {
            var first = start
            first.kind = .start
            return .exists(TableScope(start: first, needed[...]), condition)
        }
        let key = ColumnForm(alias: start.alias, column: tie.column, isNullable: false)
        return membership(in: (tie.value, SelectedKeys(scope: alone, key: key, condition: condition, group: nil)))
    }

    /// `t0."id" IN (SELECT t0."id" FROM … UNION SELECT t1."user_id" FROM …)`: the keys of each side of OR; nil if they are not
    /// to be united. This is decided before any side is rewritten, because OR can be nested to any depth.
    private func united(_ parts: [ConditionForm], _ tested: TestedRows) -> ConditionForm? {
        guard rules.unitesKeys, let key, let start = scope.sources.first else { return nil }
        var sets: [SelectedKeys] = []
        var others: [(joins: [TableScope.Table], parts: [ConditionForm])] = []
        for part in parts {
            if let set = keys(of: key, selectedBy: part) {
                sets.append(set)
                continue
            }
            let rows = NamedRows.rows(of: part)
            let joins = scope.joins(of: rows)
            guard rows.allSatisfy({ row in scope.sources.contains { $0.alias == row } }) else { return nil }
            if let index = others.firstIndex(where: { $0.joins.map(\.alias) == joins.map(\.alias) }) {
                others[index].parts.append(part)
            } else {
                others.append((joins, [part]))
            }
        }
        guard sets.count + others.count > 1 else { return nil }
        let own = others.map { joins, parts in
            SelectedKeys(scope: TableScope(start: start, joins[...]), key: key, condition: .any(parts), group: nil)
        }
        let selected = (own + sets).reduce(0) { $0 + selectivity.rows(of: $1.scope, where: $1.condition) }
        return rules.unites(selected, of: tested.count) ? .isAmong(key, (own + sets).map { rewritten($0) }) : nil
    }

    /// Returns the keys of related rows that are keys of the objects.
    private func keys(of key: ColumnForm, selectedBy part: ConditionForm) -> SelectedKeys? {
        let set: Candidate?
        if case .exists(let scope, let inner) = part, !inner.isAlways {
            set = keys(scope, inner, nil)
        } else if case .compare(.aggregate(let aggregate, let scope, let inner), let relation, .parameter(let number)) =
            part
        {
            set = grouped(aggregate, scope, inner, relation, number)
        } else {
            set = nil
        }
        guard let set, set.keys.group?.isNegated != true, set.column.column === key.column,
            set.column.alias == key.alias
        else { return nil }
        return set.keys
    }
}

/// About how many rows a condition is tested for. It is estimated where a rule reads it: an estimate that depends on constants
/// leaves no template of the statement.
private final class TestedRows {
    private(set) lazy var count = estimate()
    private let estimate: () -> Double

    init(_ estimate: @autoclosure @escaping () -> Double) {
        self.estimate = estimate
    }
}

extension ConditionForm {
    /// True if a set may replace the condition or a part of it.
    fileprivate var hasRelatedRows: Bool {
        switch self {
        case .and(let parts), .or(let parts): parts.contains(where: \.hasRelatedRows)
        case .not(let inner): inner.hasRelatedRows
        case .exists, .compare(.aggregate, _, .parameter): true
        case .constant, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayBegin, .mayContain,
            .matches, .finds, .isStored, .bound, .truth, .isIn, .isInList, .isAmong, .isOnPage, .ifUnknown:
            false
        }
    }
}

extension AggregateForm {
    /// Returns the result of a comparison with a number if there are no rows: a count and a sum are 0, all other
    /// aggregates are NULL. nil if the number is unknown.
    fileprivate func holdsWithoutRows(_ relation: RelationOperator, _ number: SQLBinding) -> Bool? {
        switch self {
        case .countValues, .average, .minimum, .maximum, .decimalAverage, .decimalExcess, .ofGroup: return false
        case .countRows, .countDistinct, .sum, .decimalSum, .narrowSum: break
        case .function, .only: return nil
        }
        let order: NumberOrder
        switch number {
        case .integer(let integer): order = integer > 0 ? .less : integer == 0 ? .equal : .greater
        case .double(let double) where !double.isNaN: order = NumberOrder(0, double)
        case .text(let digits):
            guard let double = Double(digits), !double.isNaN else { return nil }
            order = NumberOrder(0, double)
        default: return nil
        }
        return relation.admits(order)
    }
}

extension SQLWriter {
    /// `t0."id" IN (SELECT t1."user_id" FROM …)`, `t0."id" IN (SELECT "k" FROM (SELECT … AS "k" … UNION SELECT …) AS g)`
    mutating func writeMembership(of column: ColumnForm, among sets: [SelectedKeys]) -> SQLText.Precedence {
        writeOperand(.bit) { $0.writeValue(.column(column)) }
        write(" IN ")
        if sets.count > 1 {
            write("(SELECT ")
            writeQuoted("k")
            write(" FROM ")
        }
        writeKeys(sets, areNamed: sets.count > 1)
        if sets.count > 1 { write(" AS g)") }
        return .comparison
    }

    /// `NOT EXISTS (SELECT 1 FROM (SELECT t1."user_id" AS "k" FROM …) AS g WHERE g."k" = t0."id")`, which a database that does
    /// not hash every set can join.
    mutating func writeAbsence(of column: ColumnForm, among sets: [SelectedKeys]) -> SQLText.Precedence {
        write("NOT EXISTS (SELECT 1 FROM ")
        writeKeys(sets, areNamed: true)
        write(" AS g WHERE g.")
        writeQuoted("k")
        write(" = ")
        writeColumn(column.column, of: column.alias)
        write(")")
        return .not
    }

    /// `(SELECT t1."user_id" AS "k" FROM … UNION SELECT …)`
    private mutating func writeKeys(_ sets: [SelectedKeys], areNamed: Bool) {
        for (index, keys) in sets.enumerated() {
            write(index == 0 ? "(" : " UNION ")
            writeSubquery(over: keys.scope) { parts in
                parts.addConjuncts(of: keys.condition)
                if let group = keys.group { parts.addPart { $0.add(group.aggregate) } }
            } _: { writer in
                writer.write("SELECT ")
                writer.writeColumn(keys.key.column, of: keys.key.alias)
                if areNamed, index == 0 {
                    writer.write(" AS ")
                    writer.writeQuoted("k")
                }
                writer.writeTables(of: keys.scope, keys.condition)
                writer.writeGroups(of: keys)
            }
        }
        write(")")
    }

    private mutating func writeGroups(of keys: SelectedKeys) {
        guard let group = keys.group else { return }
        write(" GROUP BY ")
        // With an index on the key, SQLite would read all rows in the order of that index instead of using another index for
        // the condition, or the order of the table.
        let countsAllRows = if case .countRows = group.aggregate { keys.condition.isAlways } else { false }
        if dialect.features.contains(.storageClasses), !countsAllRows { write("+") }
        writeColumn(keys.key.column, of: keys.key.alias)
        write(" HAVING ")
        guard group.isNegated else { return _ = writeComparison(of: group) }
        writeOperand(.bit) { $0.writeComparison(of: group) }
        write(" IS NOT TRUE")
    }

    private mutating func writeComparison(of group: GroupCondition) -> SQLText.Precedence {
        writeComparison(group.relation.sign) {
            $0.writeAggregate(group.aggregate)
        } _: {
            $0.writeValue(group.number)
        }
    }
}
