extension SQLWriter {
    /// A chain of more terms than this is divided, so that databases which parse it as a deep tree can follow.
    private static let longestChain = 64

    @discardableResult
    mutating func write(_ condition: ConditionForm) -> SQLText.Precedence {
        guard hasRoom() else { return .atom }
        switch condition {
        case .constant(let value): return write(templates.constant(value)) { _, _ in .atom }
        case .and(let conditions): return writeChain(conditions[...], .and, " AND ")
        case .or(let conditions): return writeChain(conditions[...], .or, " OR ")
        case .not(let inner): return writeNegation(inner)
        case .isNull(let value): return writeNull(value, " IS NULL")
        case .same(let left, let right): return writeSame(left, right, templates.same)
        case .sameText(let left, let right): return writeSameText(left, right, templates.same)
        case .compare(let left, let relation, let right):
            return writeComparison(relation.sign) {
                $0.write(left)
            } _: {
                $0.write(right)
            }
        case .compareText(let left, let relation, let right):
            return writeText(left, relation.sign, right, ordered: relation.isOrdering)
        case .text(let relation, let value, let needle): return writeSearch(relation, value, needle)
        case .like(let value, let pattern): return writeSame(value, pattern, templates.like)
        case .truth(let value): return write(value)
        case .isIn(let value, let elements, let isText): return writeMembership(value, elements, isText: isText)
        case .isInList(let value, let list, let type): return writeMembership(value, list, type)
        case .exists(let scope, let condition):
            write("EXISTS (SELECT 1")
            writeTables(of: scope, condition)
            write(")")
            return .atom
        }
    }

    /// `a AND b AND c`, in halves when there are many.
    private mutating func writeChain(
        _ conditions: ArraySlice<ConditionForm>, _ precedence: SQLText.Precedence, _ word: StaticString
    ) -> SQLText.Precedence {
        if conditions.count > Self.longestChain {
            let middle = conditions.startIndex + conditions.count / 2
            writeOperand(.atom) { $0.writeChain(conditions[..<middle], precedence, word) }
            write(word)
            writeOperand(.atom) { $0.writeChain(conditions[middle...], precedence, word) }
            return precedence
        }
        var isFirst = true
        for condition in conditions {
            if !isFirst { write(word) }
            isFirst = false
            writeOperand(precedence) { $0.write(condition) }
        }
        return precedence
    }

    /// The opposite, never NULL.
    private mutating func writeNegation(_ condition: ConditionForm) -> SQLText.Precedence {
        switch condition {
        case .constant(let value): return write(templates.constant(!value)) { _, _ in .atom }
        case .isNull(let value): return writeNull(value, " IS NOT NULL")
        case .same(let left, let right): return writeSame(left, right, templates.notSame)
        case .sameText(let left, let right): return writeSameText(left, right, templates.notSame)
        case .compare(let left, .equal, let right) where right.isKnown:
            if left.isNeverNull {
                return writeComparison("<>") {
                    $0.write(left)
                } _: {
                    $0.write(right)
                }
            }
            return writeSame(left, right, templates.notSame)
        case .compareText(let left, .equal, let right) where right.isKnown:
            if left.isNeverNull { return writeText(left, "<>", right, ordered: false) }
            return writeSameText(left, right, templates.notSame)
        case .exists:
            write("NOT ")
            write(condition)
            return .not
        case .and, .or, .not, .compare, .compareText, .text, .like, .truth, .isIn, .isInList:
            writeOperand(.bit) { $0.write(condition) }
            write(" IS NOT TRUE")
            return .comparison
        }
    }

    private mutating func writeNull(_ value: ValueForm, _ test: StaticString) -> SQLText.Precedence {
        writeOperand(.bit) { $0.write(value) }
        write(test)
        return .comparison
    }

    private mutating func writeSame(
        _ left: ValueForm, _ right: ValueForm, _ template: SQLTemplate
    ) -> SQLText.Precedence {
        write(template) { writer, operand in writer.write(operand == 0 ? left : right) }
    }

    // MARK: Texts

    private mutating func writeText(
        _ left: ValueForm, _ sign: StaticString, _ right: ValueForm, ordered: Bool
    ) -> SQLText.Precedence {
        let isLeft = Self.isLeftComparable(left, right)
        return writeComparison(sign) {
            isLeft ? $0.writeComparable(left, ordered: ordered) : $0.write(left)
        } _: {
            isLeft ? $0.write(right) : $0.writeComparable(right, ordered: ordered)
        }
    }

    private mutating func writeSameText(
        _ left: ValueForm, _ right: ValueForm, _ template: SQLTemplate
    ) -> SQLText.Precedence {
        let comparable = Self.isLeftComparable(left, right) ? 0 : 1
        return write(template) { writer, operand in
            let value = operand == 0 ? left : right
            return operand == comparable ? writer.writeComparable(value, ordered: false) : writer.write(value)
        }
    }

    /// One side says how texts compare: a column, since it would bring a collation of its own.
    private static func isLeftComparable(_ left: ValueForm, _ right: ValueForm) -> Bool {
        left.isColumn || !right.isColumn
    }

    mutating func writeComparable(_ value: ValueForm, ordered: Bool) -> SQLText.Precedence {
        guard let template = templates.comparable(value, ordered: ordered) else {
            note(lack: "a comparison of texts")
            return write(value)
        }
        return write(template) { writer, _ in writer.write(value) }
    }

    private mutating func writeSearch(
        _ relation: SQLTextRelation, _ value: ValueForm, _ needle: Needle
    ) -> SQLText.Precedence {
        let isKnown = if case .known = needle { true } else { false }
        guard let template = templates.search(relation, isKnown: isKnown) else {
            note(lack: "a search in texts")
            return write(ConditionForm.never)
        }
        return write(template) { writer, operand in
            switch (operand, needle) {
            case (0, _): return writer.write(value)
            case (1, .known(let text, _)): writer.write(text)
            case (_, .known(_, let bytes?)): writer.write(bytes)
            case (_, .known): break
            case (_, .value(let form)): return writer.write(form)
            }
            return .atom
        }
    }

    private mutating func writeMembership(
        _ value: ValueForm, _ elements: [ValueForm], isText: Bool
    ) -> SQLText.Precedence {
        writeOperand(.bit) { isText ? $0.writeComparable(value, ordered: false) : $0.write(value) }
        write(" IN (")
        var isFirst = true
        for element in elements {
            if !isFirst { write(", ") }
            isFirst = false
            write(element)
        }
        write(")")
        return .comparison
    }

    private mutating func writeMembership(
        _ value: ValueForm, _ list: ValueForm, _ type: SQLListType
    ) -> SQLText.Precedence {
        guard let template = templates.isIn(type) else {
            note(lack: "membership in a list")
            return write(ConditionForm.never)
        }
        return write(template) { writer, operand in
            if operand == 1 { return writer.write(list) }
            return type == .text ? writer.writeComparable(value, ordered: false) : writer.write(value)
        }
    }
}

extension RelationOperator {
    var sign: StaticString {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}

extension ValueForm {
    /// A parameter, which is never NULL.
    fileprivate var isKnown: Bool {
        if case .parameter = self { true } else { false }
    }

    fileprivate var isColumn: Bool {
        if case .column = self { true } else { false }
    }

    fileprivate var isNeverNull: Bool {
        switch self {
        case .parameter: true
        case .column(let column): !column.isNullable
        case .word, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate: false
        }
    }
}
