extension SQLWriter {
    /// The longest chain that is written flat. A longer one is divided in halves, for databases that parse a chain as
    /// a deep tree.
    private static let longestChain = 64

    @discardableResult
    mutating func writeCondition(_ condition: ConditionForm) -> SQLText.Precedence {
        guard hasRoom() else { return .atom }
        switch condition {
        case .constant(let value): return writeTemplate(templates.constant[value], or: "TRUE") { _, _ in .atom }
        case .and(let conditions): return writeChain(conditions[...], .and, " AND ")
        case .or(let conditions): return writeChain(conditions[...], .or, " OR ")
        case .not(let inner): return writeNegation(inner)
        case .isNull(let value): return writeNull(value, " IS NULL")
        case .same(let left, let right): return writeSame(left, right, templates.same)
        case .sameText(let left, let right): return writeSameText(left, right, templates.same)
        case .compare(let left, let relation, let right):
            let left = relation == .equal ? left.unchecked(beside: right) : left
            return writeComparison(left, relation.sign, right)
        case .compareText(let left, let relation, let right):
            if relation == .equal, let column = ownColumn(left, [right]) {
                return writeComparison("=", { $0.writeValue(.column(column)) }, { $0.writeOwn(right, of: column) })
            }
            let native = relation == .equal && right.isConstant ? left.nativeColumn : nil
            return writeTest(of: native, [right]) {
                $0.writeText(left, relation.sign, right, ordered: relation.isOrdering)
            }
        case .search(let search, let value, let needle): return writeSearch(search, value, needle)
        case .like(let value, let pattern): return writeFit(of: value, pattern, templates.like)
        case .matches(let value, let pattern):
            noteSearch()
            return writeFit(of: value, pattern, templates.matches)
        case .finds(let value, let pattern):
            noteSearch()
            return writeFit(of: value, pattern, templates.finds)
        case .mayBegin(let value, let pattern):
            return writeTemplate(templates.mayBegin, or: "a prefix of a string") { writer, operand in
                writer.writeValue(operand == 0 ? value : pattern)
            }
        case .mayContain(let array, let element):
            return writeTemplate(array.reference.containment, or: "an element of an array") { writer, operand in
                writer.writeValue(operand == 0 ? .column(array.column) : element)
            }
        case .isStored(let column, let storage): return writeStorage(column, storage)
        case .bound(let column, let storage):
            let start = count
            let precedence = writeStorage(column, storage)
            noteBound(column, storage, from: start)
            return precedence
        case .truth(let value): return writeValue(value)
        case .isIn(let value, let elements, let isText):
            if isText, let column = ownColumn(value, elements) {
                writeColumn(column.column, of: column.alias)
                write(" IN (")
                writeList(elements) { _ = $0.writeOwn($1, of: column) }
                write(")")
                return .comparison
            }
            return writeTest(of: value.nativeColumn, elements) {
                $0.writeMembership(value, elements, isText: isText)
            }
        case .isInList(let value, let list, let type): return writeListMembership(value, list, type)
        case .exists(let scope, let condition):
            writeSubquery(over: scope) { parts in
                parts.addConjuncts(of: condition)
            } _: { writer in
                writer.write("EXISTS (SELECT 1")
                writer.writeTables(of: scope, condition)
                writer.write(")")
            }
            return .atom
        case .isAmong(let column, let sets): return writeMembership(of: column, among: sets)
        case .isOnPage(let value, let page): return writeMembership(of: value, on: page)
        case .ifUnknown(let first, let second):
            write("COALESCE(")
            writeOperand(.or) { $0.writeCondition(first) }
            write(", ")
            writeOperand(.or) { $0.writeCondition(second) }
            write(")")
            return .atom
        }
    }

    /// `a AND b AND c`, divided in halves if it is long.
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
            writeOperand(precedence) { $0.writeCondition(condition) }
        }
        return precedence
    }

    /// The negation, which is never NULL.
    private mutating func writeNegation(_ condition: ConditionForm) -> SQLText.Precedence {
        switch condition {
        case .constant(let value): return writeTemplate(templates.constant[!value], or: "TRUE") { _, _ in .atom }
        case .isNull(let value): return writeNull(value, " IS NOT NULL")
        case .same(let left, let right): return writeSame(left, right, templates.notSame)
        case .sameText(let left, let right): return writeSameText(left, right, templates.notSame)
        case .compare(let left, .equal, let right) where right.isConstant:
            if left.isNeverNull { return writeComparison(left, "<>", right) }
            return writeSame(left, right, templates.notSame)
        case .compareText(let left, .equal, let right) where right.isConstant && order(left, right) == nil:
            if let column = ownColumn(left, [right]) { return writeDifference(column, right) }
            if left.isNeverNull { return writeText(left, "<>", right, ordered: false) }
            return writeSameText(left, right, templates.notSame)
        case .exists:
            write("NOT ")
            writeCondition(condition)
            return .not
        case .isAmong(let column, let sets) where !sets.allSatisfy(\.isHashed):
            return writeAbsence(of: column, among: sets)
        case .and, .or, .not, .compare, .compareText, .search, .like, .mayBegin, .mayContain, .matches, .finds,
            .isStored, .bound, .truth, .isIn, .isInList, .isAmong, .isOnPage, .ifUnknown:
            if let negation = condition.sargableNegation { return writeCondition(negation) }
            return writeNotTrue(condition)
        }
    }

    private mutating func writeNotTrue(_ condition: ConditionForm) -> SQLText.Precedence {
        writeOperand(.bit) { $0.writeCondition(condition) }
        write(" IS NOT TRUE")
        return .comparison
    }

    private mutating func writeNull(_ value: ValueForm, _ test: StaticString) -> SQLText.Precedence {
        if case .guarded(let column) = value { return writeNull(.column(column.column), test) }
        writeOperand(.bit) { $0.writeValue(value) }
        write(test)
        return .comparison
    }

    private mutating func writeStorage(_ column: ColumnForm, _ storage: SQLPiece.Storage) -> SQLText.Precedence {
        writeTemplate(templates.isStored[storage], of: .column(column), or: "values of several types")
    }

    private mutating func writeSame(
        _ left: ValueForm, _ right: ValueForm, _ template: SQLTemplate?
    ) -> SQLText.Precedence {
        writeTemplate(template, or: "this comparison") { writer, operand in
            writer.writeValue(operand == 0 ? left : right)
        }
    }

    // MARK: Texts

    /// Returns the column if its own equality with the constants is equality of strings. Notes that the text depends on them.
    private mutating func ownColumn(_ value: ValueForm, _ constants: [ValueForm]) -> ColumnForm? {
        guard let column = value.bareColumn, column.column.hasOwnEquality else { return nil }
        dependsOnConstants = true
        let texts = constants.compactMap(\.constantText)
        return texts.count == constants.count && column.column.hasOwnEquality(texts) ? column : nil
    }

    /// `t0."state" <> $1::text::"order_state"`
    private mutating func writeDifference(_ column: ColumnForm, _ label: ValueForm) -> SQLText.Precedence {
        if !column.isNullable {
            return writeComparison("<>", { $0.writeValue(.column(column)) }, { $0.writeOwn(label, of: column) })
        }
        return writeTemplate(templates.notSame, or: "this comparison") { writer, operand in
            operand == 0 ? writer.writeValue(.column(column)) : writer.writeOwn(label, of: column)
        }
    }

    /// `$1::text::"order_state"`
    private mutating func writeOwn(_ label: ValueForm, of column: ColumnForm) -> SQLText.Precedence {
        writeTemplate(column.column.assigned, of: label, or: "a label")
    }

    /// `t0."email" = ANY (ARRAY[$1]::"citext"[]) AND t0."email"::text = $1`: a test in the column's own type, for its index,
    /// then the exact test. Without a column, only the exact test.
    private mutating func writeTest(
        of column: ColumnForm?, _ strings: [ValueForm], isJSON: Bool = false,
        _ exact: (inout SQLWriter) -> SQLText.Precedence
    ) -> SQLText.Precedence {
        let templates = column?.column.mayEqual
        guard let column, let template = isJSON ? templates?.json : templates?.list else { return exact(&self) }
        writeOperand(.and) { writer in
            writer.writeTemplate(template) { writer, operand in
                if operand == 0 { return writer.writeValue(.column(column)) }
                writer.writeList(strings) { $0.writeValue($1) }
                return .atom
            }
        }
        write(" AND ")
        writeOperand(.and, exact)
        return .and
    }

    /// `predicates2_compare(name, 'm', 'c')`: compares a folded value with a constant without creating a string per
    /// row; nil if an index serves the comparison of folds.
    private func order(_ left: ValueForm, _ right: ValueForm) -> ValueForm? {
        guard case .call(let fold, let arguments) = left, let mode = fold.foldMode, let text = arguments.first,
            right.isConstant, templates.call[.compare] != nil, !text.hasIndex(of: mode)
        else { return nil }
        return .call(.compare, [text, right, .word(mode.quotedLetters)])
    }

    private mutating func writeText(
        _ left: ValueForm, _ sign: StaticString, _ right: ValueForm, ordered: Bool
    ) -> SQLText.Precedence {
        if let order = order(left, right) { return writeComparison(order, sign, .word("0")) }
        let isComparable = comparableSides(left, right)
        let ordered = ordered || areTwoTexts(left, right)
        return writeComparison(sign) {
            isComparable.left ? $0.writeComparable(left, ordered: ordered) : $0.writeValue(left)
        } _: {
            isComparable.right ? $0.writeComparable(right, ordered: ordered) : $0.writeValue(right)
        }
    }

    private mutating func writeSameText(
        _ left: ValueForm, _ right: ValueForm, _ template: SQLTemplate?
    ) -> SQLText.Precedence {
        let (sides, ordered) = (comparableSides(left, right), areTwoTexts(left, right))
        return writeTemplate(template, or: "this comparison") { writer, operand in
            let (value, isComparable) = operand == 0 ? (left, sides.left) : (right, sides.right)
            return isComparable ? writer.writeComparable(value, ordered: ordered) : writer.writeValue(value)
        }
    }

    /// Returns true if both operands may have their own collations, so that equality must state one, as an order
    /// does.
    private func areTwoTexts(_ left: ValueForm, _ right: ValueForm) -> Bool { !left.isConstant && !right.isConstant }

    /// Returns which operands state a collation. One is enough: the column, or the other operand if only then an index serves
    /// the column. Where both operands need a collation, a parameter still has none.
    private func comparableSides(_ left: ValueForm, _ right: ValueForm) -> (left: Bool, right: Bool) {
        if dialect.features.contains(.comparesEqualCollations) { return (!left.isConstant, !right.isConstant) }
        let isLeft =
            left.isColumn == right.isColumn || left.isColumn != dialect.features.contains(.collatesConstants)
        return (isLeft, !isLeft)
    }

    mutating func writeComparable(_ value: ValueForm, ordered: Bool) -> SQLText.Precedence {
        guard let template = templates.comparable(value, ordered: ordered) else {
            note(missing: "a comparison of strings")
            return writeValue(value)
        }
        return writeTemplate(template) { writer, _ in writer.writeValue(value) }
    }

    /// `t0."name" LIKE $1`
    private mutating func writeFit(
        of value: ValueForm, _ pattern: ValueForm, _ template: SQLTemplate?
    ) -> SQLText.Precedence {
        writeTemplate(template, or: "a pattern of strings") { writer, operand in
            operand == 0 ? writer.writeArgument(value) : writer.writeValue(pattern)
        }
    }

    private mutating func writeSearch(
        _ search: SQLPiece.Search, _ value: ValueForm, _ needle: Needle
    ) -> SQLText.Precedence {
        let isConstant = if case .constant = needle { true } else { false }
        guard let template = templates.search(search, isConstant: isConstant) else {
            note(missing: "a search in strings")
            return writeCondition(.never)
        }
        return writeTemplate(template) { writer, operand in
            switch (operand, needle) {
            case (0, _): return writer.writeArgument(value)
            case (1, .constant(let text, _)): writer.writeParameter(text)
            case (_, .constant(_, let bytes?)): writer.writeParameter(bytes)
            case (_, .constant): break
            case (_, .value(let form)): return writer.writeArgument(form)
            }
            return .atom
        }
    }

    private mutating func writeMembership(
        _ value: ValueForm, _ elements: [ValueForm], isText: Bool
    ) -> SQLText.Precedence {
        let isElement = value.isColumn && dialect.features.contains(.collatesConstants)
        writeOperand(.bit) { isText && !isElement ? $0.writeComparable(value, ordered: false) : $0.writeValue(value) }
        write(" IN (")
        for (index, element) in elements.enumerated() {
            if index > 0 { write(", ") }
            let isComparable = isText && isElement && index == 0
            _ = isComparable ? writeComparable(element, ordered: false) : writeValue(element)
        }
        write(")")
        return .comparison
    }

    private mutating func writeListMembership(
        _ value: ValueForm, _ list: ValueForm, _ type: SQLPiece.ListType
    ) -> SQLText.Precedence {
        guard let template = templates.isIn[type] else {
            note(missing: "membership in a list")
            return writeCondition(.never)
        }
        return writeTest(of: value.nativeColumn, [list], isJSON: true) { writer in
            writer.writeTemplate(template) { writer, operand in
                if operand == 1 { return writer.writeValue(list) }
                return type == .text ? writer.writeComparable(value, ordered: false) : writer.writeValue(value)
            }
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
    /// True for a parameter, which is never NULL.
    fileprivate var isConstant: Bool {
        if case .parameter = self { true } else { false }
    }

    /// The column, also one that is read with its blanks, if its index needs a test in the column's own type.
    var nativeColumn: ColumnForm? { bareColumn.flatMap { $0.column.mayEqual.list == nil ? nil : $0 } }

    var bareColumn: ColumnForm? {
        switch self {
        case .column(let column), .cast(.column(let column), .type(.paddedToText)): column
        case .parameter, .word, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate: nil
        }
    }

    var isColumn: Bool {
        if case .column = self { true } else { false }
    }

    var isNeverNull: Bool {
        if case .column(let column) = self { !column.isNullable } else { isConstant }
    }
}
