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
}

/// `HAVING SUM(t1."qty") > ?1`; negated, `HAVING (SUM(t1."qty") > ?1) IS NOT TRUE`
struct GroupCondition {
    let aggregate: AggregateForm
    let relation: RelationOperator
    let number: ValueForm
    let isNegated: Bool
}

/// Replaces tests of related rows, which a database repeats for every object, by sets of keys, which it makes once.
///
/// `orders.@sum.qty > 50`: `t0."id" IN (SELECT t1."user_id" FROM "orders" AS t1 GROUP BY t1."user_id" HAVING …)`.
/// An object without related rows is in no group. If it satisfies the comparison, as in `orders.@count < 3`, the
/// groups that do not are excluded: `(t0."id" IN (SELECT … HAVING …)) IS NOT TRUE`.
///
/// Next to a condition that selects few objects, it is cheaper to test each of them. No statistics are known here, so the
/// planners' defaults decide: few objects have a given value, a prefix, or a value between two bounds.
///
/// Only rows that are joined to the primary key of the selected objects, and that refer to no other rows, have sets.
struct KeySelection {
    let object: ObjectForm
    let features: SQLFeatures

    /// The place of a condition.
    private enum Place {
        /// The whole condition, or a part of a conjunction: databases join an EXISTS or a set there.
        case joined
        /// Directly under NOT at such a place: databases join the negation of an EXISTS.
        case negated
        /// Under OR, or elsewhere under NOT, where an EXISTS is evaluated row by row.
        case evaluated
    }

    func selectingKeys(_ condition: ConditionForm) -> ConditionForm {
        selectingKeys(condition, .joined)
    }

    private func selectingKeys(_ condition: ConditionForm, _ place: Place) -> ConditionForm {
        switch condition {
        case .and(let parts):
            if parts.selectsFew { return condition }
            return .and(parts.map { selectingKeys($0, place == .joined ? .joined : .evaluated) })
        case .or(let parts): return .or(parts.map { selectingKeys($0, .evaluated) })
        case .not(let inner): return selectingKeys(inner, place == .joined ? .negated : .evaluated).negated
        case .exists(let scope, let inner):
            guard !inner.isAlways, makesSetOfRows(at: place) else { return condition }
            return isAmong(scope, inner, nil) ?? condition
        case .compare(.aggregate(let aggregate, let scope, let inner), let relation, .parameter(let number)):
            guard place != .evaluated || features.contains(.hashesSets) else { return condition }
            return grouped(aggregate, scope, inner, relation, number) ?? condition
        case .constant, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayBegin, .matches, .finds,
            .isStored, .bound, .truth, .isIn, .isInList, .isAmong, .isOnPage, .mayContain,
            .ifUnknown:
            return condition
        }
    }

    /// True if a set is better than an EXISTS at a place.
    private func makesSetOfRows(at place: Place) -> Bool {
        switch place {
        case .joined, .negated: features.contains(.startsFromSubqueries)
        case .evaluated: features.contains(.hashesSets)
        }
    }

    /// Returns the condition on an aggregate as membership in groups; nil if it is unknown whether objects without
    /// related rows satisfy it.
    private func grouped(
        _ aggregate: AggregateForm, _ scope: TableScope, _ inner: ConditionForm, _ relation: RelationOperator,
        _ number: SQLParameter
    ) -> ConditionForm? {
        guard let holds = aggregate.holdsWithoutRows(relation, number.binding) else { return nil }
        let group = GroupCondition(
            aggregate: aggregate, relation: relation, number: .parameter(number), isNegated: holds)
        let keys = isAmong(scope, inner, group)
        return holds ? keys.map(ConditionForm.not) : keys
    }

    private func isAmong(_ scope: TableScope, _ condition: ConditionForm, _ group: GroupCondition?) -> ConditionForm? {
        guard var start = scope.sources.first, let tie = start.tie, let alias = object.alias,
            tie.value.alias == alias, tie.value.column === object.key.column, !object.reference.primaryKeyKind.isText
        else { return nil }
        start.tie = nil
        let alone = TableScope(start: start)
        for source in scope.sources.dropFirst() { alone.add(source) }
        guard NamedRows.areAlone(alone, condition, group?.aggregate) else { return nil }
        let key = ColumnForm(alias: start.alias, column: tie.column, isNullable: true)
        return .isAmong(object.key, SelectedKeys(scope: alone, key: key, condition: condition, group: group))
    }
}

extension AggregateForm {
    /// Returns the result of a comparison with a number if there are no rows: a count and a sum are 0, all other
    /// aggregates are NULL. nil if the number is unknown.
    fileprivate func holdsWithoutRows(_ relation: RelationOperator, _ number: SQLBinding) -> Bool? {
        switch self {
        case .countValues, .average, .minimum, .maximum, .decimalAverage, .decimalExcess, .ofGroup: return false
        case .countRows, .countDistinct, .sum, .decimalSum: break
        case .function: return nil
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

extension [ConditionForm] {
    /// True if a part of the conjunction probably selects few objects.
    fileprivate var selectsFew: Bool {
        contains(where: \.selectsFew) || isRange
    }

    /// True if two parts are the bounds of one column.
    private var isRange: Bool {
        let lower = compactMap { $0.column(boundedBy: .greater, .greaterOrEqual) }
        return compactMap { $0.column(boundedBy: .less, .lessOrEqual) }.contains { upper in
            lower.contains { $0.alias == upper.alias && $0.column === upper.column }
        }
    }
}

extension ConditionForm {
    /// True for a column that has a given value or prefix.
    fileprivate var selectsFew: Bool {
        switch self {
        case .compare(let value, .equal, .parameter(let constant)): value.isColumn && constant.type != .boolean
        case .compareText(_, .equal, .parameter), .isIn, .isInList, .mayBegin, .search(.beginsWith, _, .constant): true
        case .and(let parts): parts.selectsFew
        case .constant, .or, .not, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayContain,
            .matches, .finds, .isStored, .bound, .truth, .exists, .isAmong, .isOnPage, .ifUnknown:
            false
        }
    }

    /// The column that has a constant bound by one of two relations.
    fileprivate func column(boundedBy relation: RelationOperator, _ other: RelationOperator) -> ColumnForm? {
        switch self {
        case .compare(.column(let column), let found, .parameter) where found == relation || found == other: column
        case .compareText(.column(let column), let found, .parameter) where found == relation || found == other: column
        case .constant, .and, .or, .not, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayBegin,
            .mayContain, .matches, .finds, .isStored, .bound, .truth, .isIn, .isInList, .exists, .isAmong, .isOnPage,
            .ifUnknown:
            nil
        }
    }
}

extension SQLWriter {
    /// `t0."id" IN (SELECT t1."user_id" FROM …)`
    mutating func writeMembership(of column: ColumnForm, among keys: SelectedKeys) -> SQLText.Precedence {
        writeOperand(.bit) { $0.writeValue(.column(column)) }
        write(" IN ")
        writeKeys(keys, areNamed: false)
        return .comparison
    }

    /// `NOT EXISTS (SELECT 1 FROM (SELECT t1."user_id" AS "k" FROM …) AS g WHERE g."k" = t0."id")`, which a database that does
    /// not hash every set can join.
    mutating func writeAbsence(of column: ColumnForm, among keys: SelectedKeys) -> SQLText.Precedence {
        write("NOT EXISTS (SELECT 1 FROM ")
        writeKeys(keys, areNamed: true)
        write(" AS g WHERE g.")
        writeQuoted("k")
        write(" = ")
        writeColumn(column.column, of: column.alias)
        write(")")
        return .not
    }

    private mutating func writeKeys(_ keys: SelectedKeys, areNamed: Bool) {
        writeSubquery(over: keys.scope) { parts in
            parts.addConjuncts(of: keys.condition)
            if let group = keys.group { parts.addPart { $0.add(group.aggregate) } }
        } _: { writer in
            writer.write("(SELECT ")
            writer.writeColumn(keys.key.column, of: keys.key.alias)
            if areNamed {
                writer.write(" AS ")
                writer.writeQuoted("k")
            }
            writer.writeTables(of: keys.scope, keys.condition)
            writer.writeGroups(of: keys)
            writer.write(")")
        }
    }

    private mutating func writeGroups(of keys: SelectedKeys) {
        guard let group = keys.group else { return }
        write(" GROUP BY ")
        // With an index on the key, SQLite would read all rows in the order of that index instead of using another index for
        // the condition, or the order of the table.
        let countsAllRows = if case .countRows = group.aggregate { keys.condition.isAlways } else { false }
        if dialect.features.contains(.startsFromSubqueries), !countsAllRows { write("+") }
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
