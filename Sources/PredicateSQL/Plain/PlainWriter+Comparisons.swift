import PredicateSyntax
import PredicateText

extension PlainWriter {
    // Both are inlined, since a comparison that is handed on is copied with all that is in it.

    @inline(__always)
    mutating func write(
        _ comparison: ComparisonPredicate, isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        let mode = comparison.options.foldMode
        let question = try Question(plain: comparison.operator)
        guard comparison.modifier == .direct else {
            guard comparison.modifier == .any, case .constantValue(let constant) = comparison.rightExpression else {
                throw NotPlain()
            }
            return try writeAny(comparison.leftExpression, question, constant, mode, isNegated)
        }
        if case .constantValue(let constant) = comparison.rightExpression {
            let subject = try subject(comparison.leftExpression)
            return try write(subject, question, constant, mode, isNegated).precedence
        }
        guard case .constantValue(let constant) = comparison.leftExpression, case .relation(let relation) = question
        else { throw NotPlain() }
        let subject = try subject(comparison.rightExpression)
        return try write(subject, .relation(relation.mirrored), constant, mode, isNegated).precedence
    }

    @inline(__always)
    mutating func write(_ comparison: StringPredicate, isNegated: Bool) throws(NotPlain) -> SQLText.Precedence {
        guard case .constantValue(let constant) = comparison.rightExpression else { throw NotPlain() }
        let mode = comparison.options.foldMode
        let question = try Question(plain: comparison.operator)
        switch comparison.modifier {
        case .direct:
            let subject = try subject(comparison.leftExpression)
            return try write(subject, question, constant, mode, isNegated).precedence
        case .any: return try writeAny(comparison.leftExpression, question, constant, mode, isNegated)
        case .all: throw NotPlain()
        }
    }

    /// What a condition came to.
    struct Written {
        var precedence: SQLText.Precedence
        /// Whether a column that is NULL keeps it from holding, as the typed form sees it.
        var rejectsNull = false
    }

    mutating func write(
        _ subject: PlainSubject, _ question: Question, _ constant: PredicateValue, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        switch question {
        case .relation(.notEqual):
            // An operand that is an error makes inequality false too.
            if case .real = subject { throw NotPlain() }
            return try relate(subject, .equal, constant, mode, !isNegated)
        case .relation(let relation): return try relate(subject, relation, constant, mode, isNegated)
        case .between: return Written(precedence: try writeBetween(subject, constant, mode, isNegated))
        case .membership(isMirrored: false): return try writeMembership(subject, constant, mode, isNegated)
        case .membership(isMirrored: true), .text, .like, .matches:
            guard case .column(let column) = subject, column.kind == .string, case .string(let text) = constant else {
                throw NotPlain()
            }
            return try write(column, question, text, mode, isNegated)
        case .typeEquals: throw NotPlain()
        }
    }

    // MARK: Relations

    private mutating func relate(
        _ subject: PlainSubject, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode,
        _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        if constant.isNil {
            guard relation == .equal, case .column(let column) = subject else { throw NotPlain() }
            return try writeNull(column, isNegated)
        }
        if case .count(let rows) = subject, let exists = isExistence(relation, constant) {
            return Written(precedence: try writeExists(rows, isNegated: isNegated != !exists))
        }
        let known = try PlainConstant(constant, beside: subject.kind, relation, mode, dialect)
        return try write(subject, known, mode, isNegated)
    }

    /// `t0."age" IS NULL`
    private mutating func writeNull(_ column: PlainColumn, _ isNegated: Bool) throws(NotPlain) -> Written {
        guard column.isNullable else { throw NotPlain() }
        let start = writer.beginOperand()
        writer.write(column.column, of: column.alias)
        _ = writer.endOperand(start, .atom, .bit)
        writer.write(isNegated ? " IS NOT NULL" : " IS NULL")
        return Written(precedence: .comparison)
    }

    /// `t0."age" >= ?1`; an equality has an opposite of its own that is never NULL.
    mutating func write(
        _ subject: PlainSubject, _ known: PlainConstant, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        if isNegated, known.relation == .equal {
            if subject.isNeverNull, mode == .none || subject.kind != .string {
                return Written(precedence: try writeComparison(subject, "<>", known, mode))
            }
            let precedence = try write(dialect.templates.notSame) { (plain, operand) throws(NotPlain) in
                if operand == 0 { return try plain.write(subject, mode, ordered: false) }
                return plain.writer.write(parameter: known.binding, known.type)
            }
            return Written(precedence: precedence)
        }
        let precedence = try negating(isNegated) { (plain) throws(NotPlain) in
            try plain.writeComparison(subject, known.relation.sign, known, mode)
        }
        return Written(precedence: precedence, rejectsNull: !isNegated)
    }

    private mutating func writeComparison(
        _ subject: PlainSubject, _ sign: StaticString, _ known: PlainConstant, _ mode: FoldMode
    ) throws(NotPlain) -> SQLText.Precedence {
        let start = writer.beginOperand()
        let left = try write(subject, mode, ordered: known.relation.isOrdering)
        _ = writer.endOperand(start, left, .bit)
        writer.write(sign: sign)
        let right = writer.beginOperand()
        _ = writer.endOperand(right, writer.write(parameter: known.binding, known.type), .bit)
        return .comparison
    }

    /// The subject as an operand of a comparison, a text as the dialect compares texts.
    mutating func write(
        _ subject: PlainSubject, _ mode: FoldMode, ordered: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        switch subject {
        case .column(let column):
            if column.kind == .string { return try writeComparable(column, mode, ordered: ordered) }
            writer.write(column.column, of: column.alias)
            return .atom
        case .count(let rows): return try writeCount(rows)
        case .real(let call): return try writeReal(call)
        }
    }

    // MARK: Several constants

    /// `t0."age" >= ?1 AND t0."age" <= ?2`
    private mutating func writeBetween(
        _ subject: PlainSubject, _ bounds: PredicateValue, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        guard case .array(let pair) = bounds, pair.count == 2, case .column = subject else { throw NotPlain() }
        try count()
        let least = try PlainConstant(pair[0], beside: subject.kind, .greaterOrEqual, mode, dialect)
        let most = try PlainConstant(pair[1], beside: subject.kind, .lessOrEqual, mode, dialect)
        return try negating(isNegated) { (plain) throws(NotPlain) in
            let first = plain.writer.beginOperand()
            _ = plain.writer.endOperand(first, try plain.write(subject, least, mode, false).precedence, .and)
            plain.writer.write(" AND ")
            let second = plain.writer.beginOperand()
            _ = plain.writer.endOperand(second, try plain.write(subject, most, mode, false).precedence, .and)
            return .and
        }
    }

    /// `t0."age" IN (?1, ?2, ?3)`
    private mutating func writeMembership(
        _ subject: PlainSubject, _ list: PredicateValue, _ mode: FoldMode, _ isNegated: Bool
    ) throws(NotPlain) -> Written {
        guard case .array(let elements) = list, !elements.isEmpty, elements.count <= dialect.limits.listElements,
            case .column = subject
        else { throw NotPlain() }
        if elements.count == 1 {
            let known = try PlainConstant(elements[0], beside: subject.kind, .equal, mode, dialect)
            return try write(subject, known, mode, isNegated)
        }
        let precedence = try negating(isNegated) { (plain) throws(NotPlain) in
            let start = plain.writer.beginOperand()
            _ = plain.writer.endOperand(start, try plain.write(subject, mode, ordered: false), .bit)
            plain.writer.write(" IN (")
            for index in elements.indices {
                if index > 0 { plain.writer.write(", ") }
                let known = try PlainConstant(elements[index], beside: subject.kind, .equal, mode, plain.dialect)
                _ = plain.writer.write(parameter: known.binding, known.type)
            }
            plain.writer.write(")")
            return .comparison
        }
        return Written(precedence: precedence, rejectsNull: !isNegated)
    }
}

extension PlainSubject {
    fileprivate var isNeverNull: Bool {
        switch self {
        case .column(let column): !column.isNullable
        case .count, .real: false
        }
    }
}

extension Question {
    fileprivate init(plain operator: ComparisonOperator) throws(NotPlain) {
        do { self = try Question(`operator`) } catch { throw NotPlain() }
    }

    fileprivate init(plain operator: StringOperator) throws(NotPlain) {
        do { self = try Question(`operator`) } catch { throw NotPlain() }
    }
}
