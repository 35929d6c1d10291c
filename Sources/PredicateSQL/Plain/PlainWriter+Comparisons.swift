import PredicateSyntax
import PredicateText

extension PlainWriter {
    @inline(never)
    mutating func write(
        _ left: ExpressionNode, _ question: Question, _ right: ExpressionNode, _ modifier: ComparisonModifier,
        _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        // Switches copy nothing here, where a pattern in a condition would copy the whole expression.
        switch right {
        case .constantValue(let constant):
            switch modifier {
            case .direct: return try ask(left, question, constant, mode, isNegated)
            case .any: return try writeAny(left, question, constant, mode, isNegated)
            case .all: throw NotPlain()
            }
        case .keyPath, .function:
            guard modifier == .direct, case .relation(let relation) = question,
                case .constantValue(let constant) = left
            else { throw NotPlain() }
            return try ask(right, .relation(relation.mirrored), constant, mode, isNegated)
        case .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol, .subquery,
            .conditional, .set, .assignment, .anyKey, .fetch:
            throw NotPlain()
        }
    }

    @inline(__always)
    private mutating func ask(
        _ node: ExpressionNode, _ question: Question, _ constant: PredicateValue, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        switch node {
        case .keyPath(let path): return try ask(path.steps, question, constant, mode, isNegated)
        case .function(let call): return try compareSum(call.call, question, constant, isNegated)
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .fetch:
            throw NotPlain()
        }
    }

    /// `age > 2`, `tags.@count > 2`, `SUBQUERY(tags, $t, …).@count > 2`
    @inline(__always)
    private mutating func ask(
        _ steps: KeyPathExpression.Steps, _ question: Question, _ constant: PredicateValue, _ mode: FoldMode,
        _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        switch steps {
        case .keys(let collection, CollectionOperator.count.rawValue):
            return try compareCount(of: try rows(collection), question, constant, isNegated) { _, _ in }
        case .basedKey(.subquery(let subquery), CollectionOperator.count.rawValue):
            return try compareCount(of: try rows(subquery.collection), question, constant, isNegated) {
                (plain, rows) throws(NotPlain) in
                try plain.writeFilter(of: rows, subquery.variable, subquery.predicate)
            }
        case .key, .keys, .basedKey, .components, .based:
            return try ask(try column(steps), question, constant, mode, isNegated).precedence
        }
    }

    // MARK: Columns

    /// What a condition came to.
    struct Written {
        var precedence: SQLText.Precedence
        /// Whether a column that is NULL keeps it from holding, as the typed form sees it.
        var rejectsNull = false
    }

    mutating func ask(
        _ column: PlainColumn, _ question: Question, _ constant: PredicateValue, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        switch question {
        case .relation(.notEqual): return try relate(column, .equal, constant, mode, !isNegated)
        case .relation(let relation): return try relate(column, relation, constant, mode, isNegated)
        case .between, .membership(isMirrored: false):
            guard case .array(let elements) = constant else { throw NotPlain() }
            if case .between = question { return try writeBetween(column, elements, mode, isNegated) }
            return try writeMembership(column, elements, mode, isNegated)
        case .membership(isMirrored: true), .text, .like, .matches:
            guard column.isText, case .string(let text) = constant else { throw NotPlain() }
            return try write(column, question, text, mode, isNegated)
        case .typeEquals: throw NotPlain()
        }
    }

    private mutating func relate(
        _ column: PlainColumn, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode,
        _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        if constant.isNil {
            guard relation == .equal, column.isNullable else { throw NotPlain() }
            return writeNull(column, isNegated)
        }
        return try compare(column, relation, constant, mode, isNegated)
    }

    /// `t0."age" IS NULL`
    private mutating func writeNull(_ column: PlainColumn, _ isNegated: Bool) -> Written {
        write(column)
        if isNegated { writer.write(" IS NOT NULL") } else { writer.write(" IS NULL") }
        return Written(precedence: .comparison)
    }

    /// `t0."age" >= ?1`; an equality has an opposite of its own that is never NULL.
    mutating func compare(
        _ column: PlainColumn, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode,
        _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        let sign = relation.sign(of: column)
        let isOpposite = isNegated && sign == .equal
        if isOpposite, column.isNullable || (mode != .none && column.isText) {
            return try writeNotSame(column, relation, constant, mode)
        }
        let start = beginNegation(isNegated && !isOpposite)
        try writeComparison(column, isOpposite ? .notEqual : sign, relation, constant, mode)
        return Written(precedence: endNegation(start, .comparison), rejectsNull: !isNegated)
    }

    /// `t0."age" IS NOT ?1`
    @inline(never)
    private mutating func writeNotSame(
        _ column: PlainColumn, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode
    ) throws(NotPlain) -> Written {
        let precedence = try write(dialect.plain.notSame) { (plain, operand) throws(NotPlain) in
            if operand == 0 { return try plain.write(column, mode, ordered: false) }
            return try plain.bind(constant, beside: column.kind, relation, mode)
        }
        return Written(precedence: precedence)
    }

    /// The sign is that of the relation, or of what it comes to.
    @inline(__always)
    private mutating func writeComparison(
        _ column: PlainColumn, _ sign: RelationOperator, _ relation: RelationOperator, _ constant: PredicateValue,
        _ mode: FoldMode
    ) throws(NotPlain) {
        let start = writer.beginOperand()
        writer.endOperand(start, try write(column, mode, ordered: sign.isOrdering), .bit)
        writer.write(sign)
        _ = try bind(constant, beside: column.kind, relation, mode)
    }

    /// A column as an operand of a comparison, a text as the dialect compares texts.
    @inline(__always)
    private mutating func write(
        _ column: PlainColumn, _ mode: FoldMode, ordered: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        column.isText ? try write(column, mode, ordered ? .ordered : .unordered) : write(column)
    }

    /// `t0."age"`
    @discardableResult
    @inline(__always)
    mutating func write(_ column: PlainColumn) -> SQLText.Precedence {
        writer.write(column.text.pointee.bare, of: column.alias)
    }

    // MARK: Numbers

    /// What is asked of the rows besides is written by `filter`.
    private mutating func compareCount(
        of rows: PlainRows, _ question: Question, _ constant: PredicateValue, _ isNegated: Bool,
        where filter: PlainFilter
    ) throws(NotPlain) -> SQLText.Precedence {
        guard case .relation(var relation) = question, let number = constant.plainInteger else { throw NotPlain() }
        var isNegated = isNegated
        if relation == .notEqual { (relation, isNegated) = (.equal, !isNegated) }
        if let exists = isExistence(relation, number) {
            return try writeExists(rows, isNegated: isNegated != !exists, where: filter)
        }
        return try compare(.integer, relation, .integer(number), isNegated) { (plain) throws(NotPlain) in
            try plain.writeCount(rows, where: filter)
        }
    }

    /// `score * 2 + 1 > 50`; an operand that is an error makes inequality false too, which takes more.
    private mutating func compareSum(
        _ call: FunctionExpression.Call, _ question: Question, _ constant: PredicateValue, _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        guard case .relation(let relation) = question, relation != .notEqual else { throw NotPlain() }
        return try compare(.double, relation, constant, isNegated) { (plain) throws(NotPlain) in
            try plain.writeReal(call)
        }
    }

    /// A number that may be NULL beside another one.
    private mutating func compare(
        _ kind: ValueKind, _ relation: RelationOperator, _ constant: PredicateValue, _ isNegated: Bool,
        _ number: (inout PlainWriter) throws(NotPlain) -> SQLText.Precedence
    ) throws(NotPlain) -> SQLText.Precedence {
        if isNegated, relation == .equal {
            return try write(dialect.plain.notSame) { (plain, operand) throws(NotPlain) in
                operand == 0 ? try number(&plain) : try plain.bind(constant, beside: kind, relation, .none)
            }
        }
        let start = beginNegation(isNegated)
        let left = writer.beginOperand()
        writer.endOperand(left, try number(&self), .bit)
        writer.write(relation)
        _ = try bind(constant, beside: kind, relation, .none)
        return endNegation(start, .comparison)
    }

    // MARK: Several constants

    /// `t0."age" >= ?1 AND t0."age" <= ?2`
    private mutating func writeBetween(
        _ column: PlainColumn, _ pair: [PredicateValue], _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        guard pair.count == 2 else { throw NotPlain() }
        try count()
        let start = beginNegation(isNegated)
        try writeBound(column, .greaterOrEqual, pair[0], mode)
        writer.write(" AND ")
        try writeBound(column, .lessOrEqual, pair[1], mode)
        return Written(precedence: endNegation(start, .and))
    }

    @inline(never)
    private mutating func writeBound(
        _ column: PlainColumn, _ relation: RelationOperator, _ bound: PredicateValue, _ mode: FoldMode
    ) throws(NotPlain) {
        let start = writer.beginOperand()
        try writeComparison(column, relation.sign(of: column), relation, bound, mode)
        writer.endOperand(start, .comparison, .and)
    }

    /// `t0."age" IN (?1, ?2, ?3)`
    private mutating func writeMembership(
        _ column: PlainColumn, _ elements: [PredicateValue], _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        guard elements.count <= dialect.limits.listElements else { throw NotPlain() }
        if elements.count < 2 {
            guard let only = elements.first else { throw NotPlain() }
            return try compare(column, .equal, only, mode, isNegated)
        }
        let start = beginNegation(isNegated)
        let left = writer.beginOperand()
        writer.endOperand(left, try write(column, mode, ordered: false), .bit)
        writer.write(" IN (")
        for index in elements.indices {
            if index > 0 { writer.write(", ") }
            _ = try bind(elements[index], beside: column.kind, .equal, mode)
        }
        writer.write(")")
        return Written(precedence: endNegation(start, .comparison), rejectsNull: !isNegated)
    }
}

extension RelationOperator {
    /// The relation as it is written: a Boolean is equal to the one that satisfies it.
    @inline(__always)
    fileprivate func sign(of column: PlainColumn) -> RelationOperator {
        if case .boolean = column.kind { .equal } else { self }
    }
}

extension Question {
    init(plain operator: ComparisonOperator) throws(NotPlain) {
        do { self = try Question(`operator`) } catch { throw NotPlain() }
    }

    init(plain operator: StringOperator) throws(NotPlain) {
        do { self = try Question(`operator`) } catch { throw NotPlain() }
    }
}
