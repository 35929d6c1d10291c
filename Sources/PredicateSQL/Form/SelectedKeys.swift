/// The foreign keys of rows that a condition selects, as the right side of IN: a database may start from them.
///
///     t0."id" IN (SELECT t1."user_id" FROM "orders" AS t1 WHERE t1."total" > ?1)
///     t0."id" IN (SELECT t1."user_id" FROM "orders" AS t1 GROUP BY t1."user_id" HAVING COUNT(*) >= ?1)
struct SelectedKeys {
    /// The tables of the rows, the first of which is tied to no other.
    let scope: Scope
    let key: ColumnForm
    let condition: ConditionForm
    /// How the number of rows with one key stands to a number of at least 1; nil where one row is enough.
    let count: (relation: RelationOperator, number: ValueForm)?
}

extension ConditionForm {
    /// The condition as a membership in selected keys, where it is one about the rows tied to the primary key of the selected objects, and
    /// where nothing beside it may select fewer of these. Otherwise row by row is what costs least.
    func selectingKeys(of object: ObjectForm, startsFromSubqueries: Bool) -> ConditionForm {
        switch self {
        case .exists(let scope, let condition) where startsFromSubqueries && !condition.isAlways:
            return Self.isAmong(scope, condition, of: object, nil) ?? self
        case .compare(.aggregate(.countRows, let scope, let condition), let relation, .parameter(let parameter)):
            guard case .integer(let number) = parameter.binding, relation.admitsOnly(from: 1, beside: number) else {
                return self
            }
            return Self.isAmong(scope, condition, of: object, (relation, .parameter(parameter))) ?? self
        default: return self
        }
    }

    private static func isAmong(
        _ scope: Scope, _ condition: ConditionForm, of object: ObjectForm,
        _ count: (relation: RelationOperator, number: ValueForm)?
    ) -> ConditionForm? {
        guard var start = scope.sources.first, let tie = start.tie, let alias = object.alias,
            tie.value.alias == alias, tie.value.column === object.key.column, !object.reference.primaryKeyKind.isText
        else { return nil }
        start.tie = nil
        let alone = Scope(start: start)
        for source in scope.sources.dropFirst() { alone.add(source) }
        guard NamedRows.areAlone(alone, condition) else { return nil }
        let key = ColumnForm(alias: start.alias, column: tie.column, isNullable: true)
        return .isAmong(object.key, SelectedKeys(scope: alone, key: key, condition: condition, count: count))
    }
}

extension RelationOperator {
    /// True if only numbers from a least one on stand in the relation to a number.
    fileprivate func admitsOnly(from least: Int64, beside number: Int64) -> Bool {
        switch self {
        case .equal, .greaterOrEqual: number >= least
        case .greater: number >= least - 1
        case .notEqual, .less, .lessOrEqual: false
        }
    }
}

extension SQLWriter {
    /// `t0."id" IN (SELECT t1."user_id" FROM …)`
    mutating func writeMembership(of column: ColumnForm, among keys: SelectedKeys) -> SQLText.Precedence {
        writeOperand(.bit) { $0.writeValue(.column(column)) }
        write(" IN ")
        writeSubquery(over: keys.scope) { parts in
            parts.addConjuncts(of: keys.condition)
        } _: { writer in
            writer.write("(SELECT ")
            writer.writeColumn(keys.key.column, of: keys.key.alias)
            writer.writeTables(of: keys.scope, keys.condition)
            writer.writeGroups(of: keys)
            writer.write(")")
        }
        return .comparison
    }

    private mutating func writeGroups(of keys: SelectedKeys) {
        guard let count = keys.count else { return }
        write(" GROUP BY ")
        // With an index of the key SQLite would read all rows in its order, rather than those that the condition selects by another.
        if dialect.features.contains(.startsFromSubqueries), !keys.condition.isAlways { write("+") }
        writeColumn(keys.key.column, of: keys.key.alias)
        write(" HAVING COUNT(*)")
        writeSign(count.relation.sign)
        _ = writeOperand(.bit) { $0.writeValue(count.number) }
    }
}
