import PredicateSyntax
import PredicateText

/// Rows that a to-many relationship leads to: whether there are any, and how many.
extension PlainWriter {
    /// `ANY tags.name == "swift"`
    mutating func writeAny(
        _ collection: ExpressionNode, _ question: Question, _ constant: PredicateValue, _ mode: FoldMode,
        _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        guard !constant.isNil, case .keyPath(let path) = collection, path.base == nil, path.components.count == 2,
            case .key(let last) = path.components[1]
        else { throw NotPlain() }
        let rows = try rows(path.components[0])
        let column = try column(last, of: rows.row)
        return try writeExists(rows, isNegated: isNegated) { (plain) throws(NotPlain) in
            let written = try plain.write(.column(column), question, constant, mode, false)
            // Otherwise rows where it is NULL are to be left out first.
            guard written.rejectsNull || !column.isNullable else { throw NotPlain() }
            return written.precedence
        }
    }

    /// `EXISTS (SELECT 1 FROM "tag" AS t1 WHERE t1."person_id" = t0."id" AND …)`
    mutating func writeExists(
        _ rows: PlainRows, isNegated: Bool,
        _ condition: ((inout PlainWriter) throws(NotPlain) -> SQLText.Precedence)? = nil
    ) throws(NotPlain) -> SQLText.Precedence {
        writer.write(isNegated ? "NOT EXISTS (SELECT 1" : "EXISTS (SELECT 1")
        try writeTables(of: rows, condition)
        writer.write(")")
        return isNegated ? .not : .atom
    }

    /// `(SELECT COUNT(*) FROM "tag" AS t1 WHERE t1."person_id" = t0."id")`
    mutating func writeCount(_ rows: PlainRows) throws(NotPlain) -> SQLText.Precedence {
        writer.write("(SELECT COUNT(*)")
        try writeTables(of: rows, nil)
        writer.write(")")
        return .atom
    }

    /// ` FROM … WHERE …`
    private mutating func writeTables(
        of rows: PlainRows, _ condition: ((inout PlainWriter) throws(NotPlain) -> SQLText.Precedence)?
    ) throws(NotPlain) {
        let (destination, alias) = (rows.row.entity, rows.row.alias)
        switch rows.relationship {
        case .toMany(_, let inverse):
            write(" FROM ", destination.table, alias)
            writer.write(" WHERE ")
            writer.write(inverse, of: alias)
        case .manyToMany(_, let table, let source, let target):
            guard let pairs = rows.pairs else { throw NotPlain() }
            write(" FROM ", table, pairs)
            write(" JOIN ", destination.table, alias)
            writer.write(" ON ")
            writer.write(destination.primaryKey, of: alias)
            writer.write(" = ")
            writer.write(target, of: pairs)
            writer.write(" WHERE ")
            writer.write(source, of: pairs)
        case .attribute, .toOne: throw NotPlain()
        }
        writer.write(" = ")
        writer.write(root.entity.primaryKey, of: root.alias)
        try writeFilter(of: rows, condition)
    }

    private mutating func writeFilter(
        of rows: PlainRows, _ condition: ((inout PlainWriter) throws(NotPlain) -> SQLText.Precedence)?
    ) throws(NotPlain) {
        if condition == nil, rows.filter == nil { return }
        writer.write(" AND ")
        let start = writer.beginOperand()
        if let condition {
            _ = writer.endOperand(start, try condition(&self), .and)
        } else if let filter = rows.filter {
            element = (filter.variable, rows.row)
            _ = writer.endOperand(start, try write(filter.predicate, isNegated: false), .and)
            element = nil
        }
    }

    /// ` FROM "tag" AS t1`
    private mutating func write(_ word: StaticString, _ table: QuotedName, _ alias: Int) {
        writer.write(word)
        writer.write(table)
        writer.write(" AS ")
        writer.writeAlias(alias)
    }

    // MARK: Reading

    /// The rows of a relationship of the root; inside a SUBQUERY there is no other one.
    private mutating func rows(
        _ component: KeyPathComponent, filter: SubqueryExpression? = nil
    ) throws(NotPlain) -> PlainRows {
        guard element == nil, case .key(let key) = component,
            let relationship = root.entity.plainRelationship(key), let name = relationship.toManyDestination,
            let destination = schema.entity(name)
        else { throw NotPlain() }
        var pairs: Int?
        if case .manyToMany = relationship { pairs = newAlias() }
        let row = PlainRow(entity: destination, alias: newAlias())
        return PlainRows(relationship, row, pairs: pairs, filter: filter)
    }

    /// What `@count` stands behind: a relationship, or a SUBQUERY of one.
    mutating func countedRows(_ path: KeyPathExpression) throws(NotPlain) -> PlainRows {
        let components = path.components
        guard let base = path.base else {
            guard components.count == 2 else { throw NotPlain() }
            return try rows(components[0])
        }
        guard components.count == 1, case .subquery(let subquery) = base,
            case .keyPath(let collection) = subquery.collection, let key = collection.singleKey
        else { throw NotPlain() }
        return try rows(.key(key), filter: subquery)
    }

    /// What a count beside a number comes to: whether there are rows, whether there are none, or nil for neither.
    func isExistence(_ relation: RelationOperator, _ constant: PredicateValue) -> Bool? {
        guard let number = constant.plainInteger else { return nil }
        // Counts are 0, 1, 2, …: what matters is whether the answer changes at 1 and never again.
        let answers = (
            relation.admits(0, number), relation.admits(1, number), relation.admits(2, number),
            relation.admits(Int64.max, number)
        )
        if answers == (false, true, true, true) { return true }
        return answers == (true, false, false, false) ? false : nil
    }
}

// MARK: - Arithmetic

extension PlainWriter {
    /// `t0."score" * ?1 + ?2`: of doubles, and of numbers beside a double.
    mutating func writeReal(_ call: FunctionExpression) throws(NotPlain) -> SQLText.Precedence {
        guard case .predefined(let function) = call.function, call.arguments.count == 2,
            let operation = SQLArithmetic(real: function, by: call.arguments[1]),
            isReal(call.arguments[0]) || isReal(call.arguments[1])
        else { throw NotPlain() }
        return try write(dialect.templates.arithmetic(operation)) { (plain, operand) throws(NotPlain) in
            try plain.writeReal(call.arguments[operand])
        }
    }

    private mutating func writeReal(_ operand: ExpressionNode) throws(NotPlain) -> SQLText.Precedence {
        switch operand {
        case .function(let call): return try writeReal(call)
        case .constantValue(let constant):
            guard let number = constant.plainOperand else { throw NotPlain() }
            return writer.write(parameter: .double(number), .double)
        case .keyPath(let path):
            let column = try path.singleKey.map { key throws(NotPlain) in try self.column(key, of: root) }
            guard let column, column.kind == .double else { throw NotPlain() }
            writer.write(column.column, of: column.alias)
            return .atom
        case .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol, .subquery,
            .conditional, .set, .assignment, .anyKey, .fetch:
            throw NotPlain()
        }
    }

    /// Whether an operand makes doubles of both; a call does if it is plain at all.
    private func isReal(_ operand: ExpressionNode) -> Bool {
        switch operand {
        case .keyPath, .function: true
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .fetch:
            false
        }
    }
}

extension SQLArithmetic {
    /// The operation on doubles; a division only by what is known and not zero.
    fileprivate init?(real function: PredefinedFunction, by divisor: ExpressionNode) {
        switch function {
        case .add: self = .add
        case .subtract: self = .subtract
        case .multiply: self = .multiply
        case .divide:
            guard case .constantValue(let constant) = divisor, let number = constant.plainOperand, number != 0 else {
                return nil
            }
            self = .divideDoubles
        default: return nil
        }
    }
}

extension PredicateValue {
    /// A number that is known; Booleans are none, since they change their kind first.
    fileprivate var plainOperand: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value.isNaN ? nil : value
        case .null, .nullObject, .bool, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set,
            .orderedSet, .dictionary, .object, .expression, .predicate:
            nil
        }
    }
}
