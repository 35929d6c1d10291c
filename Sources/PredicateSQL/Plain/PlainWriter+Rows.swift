import PredicateSyntax
import PredicateText

/// Writes what else is asked of rows.
typealias PlainFilter = (inout PlainWriter, PlainRows) throws(NotPlain) -> Void

/// Rows that a to-many relationship leads to: whether there are any, and how many.
extension PlainWriter {
    /// `ANY tags.name == "swift"`
    mutating func writeAny(
        _ collection: ExpressionNode, _ question: Question, _ constant: PredicateValue, _ mode: FoldMode,
        _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        guard !constant.isNil, case .keyPath(let path) = collection, case .keys(let first, let last) = path.steps else {
            throw NotPlain()
        }
        let rows = try rows(first)
        let column = try column(last, of: rows.row)
        try openExists(rows, isNegated)
        writer.write(" AND ")
        let start = writer.beginOperand()
        let written = try ask(column, question, constant, mode, false)
        // Otherwise rows where it is NULL are to be left out first.
        guard written.rejectsNull || !column.isNullable else { throw NotPlain() }
        writer.endOperand(start, written.precedence, .and)
        writer.write(")")
        return isNegated ? .not : .atom
    }

    /// `EXISTS (SELECT 1 FROM "tag" AS t1 WHERE t1."person_id" = t0."id" AND …)`
    mutating func writeExists(
        _ rows: PlainRows, isNegated: Bool, where filter: PlainFilter
    ) throws(NotPlain) -> SQLText.Precedence {
        try openExists(rows, isNegated)
        try filter(&self, rows)
        writer.write(")")
        return isNegated ? .not : .atom
    }

    private mutating func openExists(_ rows: PlainRows, _ isNegated: Bool) throws(NotPlain) {
        if isNegated { writer.write("NOT EXISTS (SELECT 1") } else { writer.write("EXISTS (SELECT 1") }
        try writeTables(of: rows)
    }

    /// `(SELECT COUNT(*) FROM "tag" AS t1 WHERE t1."person_id" = t0."id")`
    mutating func writeCount(_ rows: PlainRows, where filter: PlainFilter) throws(NotPlain) -> SQLText.Precedence {
        writer.write("(SELECT COUNT(*)")
        try writeTables(of: rows)
        try filter(&self, rows)
        writer.write(")")
        return .atom
    }

    /// ` FROM … WHERE …`
    private mutating func writeTables(of rows: PlainRows) throws(NotPlain) {
        let (row, destination) = (rows.row, rows.row.entity.pointee)
        guard let rootKey = root.entity.pointee.primaryKey else { throw NotPlain() }
        if let pairs = rows.pairing.pointee.pairs {
            guard let primaryKey = destination.primaryKey else { throw NotPlain() }
            try write(" FROM ", pairs.table, rows.pairs)
            try write(" JOIN ", destination.table, row.alias)
            writer.write(" ON ")
            writer.write(primaryKey, of: row.alias)
            writer.write(" = ")
            writer.write(pairs.row, of: rows.pairs)
        } else {
            try write(" FROM ", destination.table, row.alias)
        }
        writer.write(" WHERE ")
        writer.write(rows.pairing.pointee.owner, of: rows.pairs)
        writer.write(" = ")
        writer.write(rootKey, of: root.alias)
    }

    /// What a SUBQUERY asks of the rows.
    mutating func writeFilter(
        of rows: PlainRows, _ variable: String, _ predicate: PredicateNode
    ) throws(NotPlain) {
        writer.write(" AND ")
        let start = writer.beginOperand()
        element = (variable, rows.row)
        writer.endOperand(start, try write(predicate, isNegated: false), .and)
        element = nil
    }

    // MARK: Reading

    /// The rows of a collection, where it is a relationship.
    mutating func rows(_ collection: ExpressionNode) throws(NotPlain) -> PlainRows {
        guard case .keyPath(let path) = collection, case .key(let key) = path.steps else { throw NotPlain() }
        return try rows(key)
    }

    /// The rows of a relationship of the root; inside a SUBQUERY there is no other one.
    mutating func rows(_ key: String) throws(NotPlain) -> PlainRows {
        guard element == nil, case .toMany(let destination, let pairing)? = root.entity.pointee.properties[key] else {
            throw NotPlain()
        }
        let pairs = pairing.pointee.pairs == nil ? nil : newAlias()
        let row = PlainRow(entity: destination, alias: newAlias())
        return PlainRows(row: row, pairing: pairing, pairs: pairs ?? row.alias)
    }

    /// What a count beside a number comes to: whether there are rows, whether there are none, or nil for neither.
    func isExistence(_ relation: RelationOperator, _ number: Int64) -> Bool? {
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
    @inline(never)
    mutating func writeReal(_ call: FunctionExpression.Call) throws(NotPlain) -> SQLText.Precedence {
        guard let infix = realOperation(call).flatMap(dialect.plain.arithmetic) else { throw NotPlain() }
        try writeReal(call.first, infix.left)
        writer.write(infix.sign)
        try writeReal(call.second, infix.right)
        return infix.precedence
    }

    @inline(__always)
    private func realOperation(_ call: FunctionExpression.Call) -> SQLArithmetic? {
        guard case .predefined(let function) = call.function, call.rest == nil,
            isReal(call.first) || isReal(call.second)
        else { return nil }
        return SQLArithmetic(real: function, by: call.second)
    }

    @inline(never)
    private mutating func writeReal(
        _ operand: ExpressionNode?, _ least: SQLText.Precedence
    ) throws(NotPlain) {
        let start = writer.beginOperand()
        let precedence: SQLText.Precedence
        switch operand {
        case .function(let call): precedence = try writeReal(call.call)
        case .constantValue(let constant):
            guard let number = constant.plainOperand else { throw NotPlain() }
            precedence = writer.write(parameter: .double(number), .double)
        case .keyPath(let path):
            precedence = try writeReal(path.steps)
        case .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol, .subquery,
            .conditional, .set, .assignment, .anyKey, .fetch, nil:
            throw NotPlain()
        }
        writer.endOperand(start, precedence, least)
    }

    /// `t0."score"`
    @inline(__always)
    private mutating func writeReal(_ steps: KeyPathExpression.Steps) throws(NotPlain) -> SQLText.Precedence {
        switch steps {
        case .key(let key):
            let column = try column(key, of: root)
            guard case .double = column.kind else { throw NotPlain() }
            return write(column)
        case .keys, .basedKey, .components, .based: throw NotPlain()
        }
    }

    /// Whether an operand makes doubles of both; a call does if it is plain at all.
    @inline(__always)
    private func isReal(_ operand: ExpressionNode?) -> Bool {
        switch operand {
        case .keyPath, .function: true
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .fetch, nil:
            false
        }
    }
}

extension SQLArithmetic {
    /// The operation on doubles; a division only by what is known and not zero.
    @inline(__always)
    fileprivate init?(real function: FunctionExpression.Predefined, by divisor: ExpressionNode?) {
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
