import PredicateSyntax
import PredicateText

extension PlainWriter {
    @inline(never)
    mutating func write(
        _ left: ExpressionNode, _ question: Question, _ right: ExpressionNode, _ modifier: ComparisonModifier,
        _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        guard case .constantValue(let constant) = right else {
            guard modifier == .direct, case .constantValue(let constant) = left,
                case .relation(let relation) = question
            else { throw NotPlain() }
            return try ask(right, .relation(relation.mirrored), constant, mode, isNegated)
        }
        switch modifier {
        case .direct: return try ask(left, question, constant, mode, isNegated)
        case .any: return try writeAny(left, question, constant, mode, isNegated)
        case .all: throw NotPlain()
        }
    }

    private mutating func ask(
        _ node: ExpressionNode, _ question: Question, _ constant: PredicateValue, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        try write(try subject(node), node, question, constant, mode, isNegated).precedence
    }

    /// What a condition came to.
    struct Written {
        var precedence: SQLText.Precedence
        /// Whether a column that is NULL keeps it from holding, as the typed form sees it.
        var rejectsNull = false
    }

    mutating func write(
        _ subject: PlainSubject, _ node: ExpressionNode, _ question: Question, _ constant: PredicateValue,
        _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        switch question {
        case .relation(.notEqual):
            // An operand that is an error makes inequality false too.
            if case .real = subject { throw NotPlain() }
            return try relate(subject, node, .equal, constant, mode, !isNegated)
        case .relation(let relation): return try relate(subject, node, relation, constant, mode, isNegated)
        case .between, .membership(isMirrored: false):
            guard case .column(let column) = subject, case .array(let elements) = constant else { throw NotPlain() }
            if case .between = question { return try writeBetween(column, elements, mode, isNegated) }
            return try writeMembership(column, elements, mode, isNegated)
        case .membership(isMirrored: true), .text, .like, .matches:
            guard case .column(let column) = subject, column.isText, case .string(let text) = constant else {
                throw NotPlain()
            }
            return try write(column, question, text, mode, isNegated)
        case .typeEquals: throw NotPlain()
        }
    }

    // MARK: Relations

    private mutating func relate(
        _ subject: PlainSubject, _ node: ExpressionNode, _ relation: RelationOperator, _ constant: PredicateValue,
        _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        if constant.isNil {
            guard relation == .equal, case .column(let column) = subject else { throw NotPlain() }
            return try writeNull(column, isNegated)
        }
        if case .count(let rows) = subject, let exists = isExistence(relation, constant) {
            return Written(precedence: try writeExists(rows, filteredBy: node, isNegated: isNegated != !exists))
        }
        let known = try PlainConstant(constant, beside: subject.kind, relation, mode, dialect)
        return try write(subject, node, known, mode, isNegated)
    }

    /// `t0."age" IS NULL`
    private mutating func writeNull(_ column: PlainColumn, _ isNegated: Bool) throws(NotPlain) -> Written {
        guard column.isNullable else { throw NotPlain() }
        writer.write(column.text.pointee.bare, of: column.alias)
        if isNegated { writer.write(" IS NOT NULL") } else { writer.write(" IS NULL") }
        return Written(precedence: .comparison)
    }

    /// `t0."age" >= ?1`; an equality has an opposite of its own that is never NULL.
    mutating func write(
        _ subject: PlainSubject, _ node: ExpressionNode, _ known: PlainConstant, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        guard isNegated, known.relation == .equal else {
            let start = beginNegation(isNegated)
            let precedence = try writeComparison(subject, node, known.relation.sign, known, mode)
            return Written(precedence: endNegation(start, precedence), rejectsNull: !isNegated)
        }
        if case .column(let column) = subject, !column.isNullable, mode == .none || !column.isText {
            return Written(precedence: try writeComparison(subject, node, "<>", known, mode))
        }
        let precedence = try write(dialect.plain.notSame) { (plain, operand) throws(NotPlain) in
            if operand == 0 { return try plain.write(subject, node, mode, ordered: false) }
            return plain.writer.write(parameter: known.binding, known.type)
        }
        return Written(precedence: precedence)
    }

    private mutating func writeComparison(
        _ subject: PlainSubject, _ node: ExpressionNode, _ sign: StaticString, _ known: PlainConstant, _ mode: FoldMode
    ) throws(NotPlain) -> SQLText.Precedence {
        let start = writer.beginOperand()
        writer.endOperand(start, try write(subject, node, mode, ordered: known.relation.isOrdering), .bit)
        writer.write(sign: sign)
        _ = writer.write(parameter: known.binding, known.type)
        return .comparison
    }

    /// The subject as an operand of a comparison, a text as the dialect compares texts.
    private mutating func write(
        _ subject: PlainSubject, _ node: ExpressionNode, _ mode: FoldMode, ordered: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        switch subject {
        case .column(let column): try write(column, mode, ordered: ordered)
        case .count(let rows): try writeCount(rows, filteredBy: node)
        case .real: try writeReal(node)
        }
    }

    private mutating func write(
        _ column: PlainColumn, _ mode: FoldMode, ordered: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        if column.isText { return try write(column, mode, ordered ? .ordered : .unordered) }
        return writer.write(column.text.pointee.bare, of: column.alias)
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

    private mutating func writeBound(
        _ column: PlainColumn, _ relation: RelationOperator, _ bound: PredicateValue, _ mode: FoldMode
    ) throws(NotPlain) {
        let known = try PlainConstant(bound, beside: column.kind, relation, mode, dialect)
        let start = writer.beginOperand()
        let precedence = try writeComparison(.column(column), .evaluatedObject, known.relation.sign, known, mode)
        writer.endOperand(start, precedence, .and)
    }

    /// `t0."age" IN (?1, ?2, ?3)`
    private mutating func writeMembership(
        _ column: PlainColumn, _ elements: [PredicateValue], _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        guard elements.count <= dialect.limits.listElements else { throw NotPlain() }
        if elements.count < 2 {
            guard let only = elements.first else { throw NotPlain() }
            let known = try PlainConstant(only, beside: column.kind, .equal, mode, dialect)
            return try write(.column(column), .evaluatedObject, known, mode, isNegated)
        }
        let start = beginNegation(isNegated)
        let left = writer.beginOperand()
        writer.endOperand(left, try write(column, mode, ordered: false), .bit)
        writer.write(" IN (")
        for index in elements.indices {
            if index > 0 { writer.write(", ") }
            let known = try PlainConstant(elements[index], beside: column.kind, .equal, mode, dialect)
            _ = writer.write(parameter: known.binding, known.type)
        }
        writer.write(")")
        return Written(precedence: endNegation(start, .comparison), rejectsNull: !isNegated)
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
