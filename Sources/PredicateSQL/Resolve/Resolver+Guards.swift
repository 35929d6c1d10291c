#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateSyntax
import PredicateText

/// Comparisons of columns that may hold values of several kinds: the same column is one of several values, told by the
/// storage of the row's value.
///
/// `age > 21` with `'abc'` among the ages: `t0."age" > ?1 AND t0."age" <= 9e999`, since in SQLite's order all texts stand above
/// all numbers.
extension Resolver {
    /// A column beside a constant. Where the column stands for one kind of values it is sargable.
    func relate(
        _ column: GuardedColumn, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode,
        _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        if let condition = try direct(column, relation, constant, mode, path) { return condition }
        var conditions: [ConditionForm] = []
        var first: Fault?
        for alternative in alternatives(of: column, beside: constant) {
            do throws(Fault) {
                let condition = try relate(alternative.value, relation, constant, mode, path)
                conditions.append(.all([condition, alternative.test]))
            } catch {
                guard case .incomparable = error.code else { throw error }
                // What is an error for every value of the column's kind is one for the predicate.
                if alternative.value.kind == column.kind { throw error }
                first = first ?? error
            }
        }
        if conditions.isEmpty, let first { throw first }
        return .any(conditions)
    }

    /// Two values, one of which at least is such a column. Kinds that have no order, or no equality, are left out.
    func relateGuarded(
        _ left: Value, _ relation: RelationOperator, _ right: Value, _ mode: FoldMode, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        if relation.isOrdering, !(left.kind.isComparable(with: right.kind) && left.kind.isOrdered) {
            throw Fault(.incomparable(left: left.kind.name, right: right.kind.name), at: path)
        }
        if relation == .equal, let condition = sameStorage(left, right, mode) { return condition }
        var conditions: [ConditionForm] = []
        for first in try alternatives(of: left, beside: right, path) {
            for second in try alternatives(of: right, beside: left, path)
            where first.value.kind.isComparable(with: second.value.kind) {
                if relation.isOrdering, !first.value.kind.isOrdered { continue }
                let condition = try relate(first.value, relation, second.value, mode, path)
                conditions.append(.all([first.test, second.test, condition]))
            }
        }
        return .any(conditions)
    }

    /// Columns of one kind that are equal just where their stored values are.
    private func sameStorage(_ left: Value, _ right: Value, _ mode: FoldMode) -> ConditionForm? {
        guard left.kind == right.kind, mode == .none, left.keepsTexts, right.keepsTexts else { return nil }
        switch left.kind {
        case .string, .uuid(.text), .uuid(.lowercaseText):
            return .compareText(left.stored.form, .equal, right.stored.form)
        case .data, .uuid(.blob): return .compare(left.stored.form, .equal, right.stored.form)
        case .integer, .double, .power, .boolean, .decimal, .date, .any: return nil
        }
    }

    /// A value that may be looked into as a text, and the test for it.
    func searched(_ text: Value) -> (text: Value, test: ConditionForm) {
        guard let column = text.guarded else { return (text, .always) }
        let value = Value(form: column.bareText, kind: .string, mayBeNil: text.mayBeNil)
        return (value, .isStored(column.column, column.affinity == .text ? .noData : .text))
    }

    /// A text as the operand of a function, which has no result for other values.
    func textOperand(_ text: Value) -> Value {
        guard let column = text.guarded else { return text }
        var value = text
        value.form = column.operand
        value.failures = [column.failure]
        return value
    }

    /// A number as an operand, which nil and other values are not.
    func numberOperand(_ number: Value) -> Value {
        guard let column = number.guarded, number.kind != .decimal else { return number }
        var value = number
        value.form = column.operand
        value.failures = [value.form]
        value.mayBeNil = false
        return value
    }
}

// MARK: - Columns that stay bare

extension Resolver {
    /// The condition on the bare column where all values that satisfy it are of the constant's kind, or a bound makes them
    /// so; nil where kinds must be told apart.
    private func direct(
        _ column: GuardedColumn, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode,
        _ path: TreePath
    ) throws(Fault) -> ConditionForm? {
        let value = Value(form: column.bare, kind: column.kind)
        switch (column.kind, constant) {
        case (.string, .string(let text)), (.any, .string(let text)):
            let needle = try form(Folding.fold(text, mode), path)
            // What a function returns has no affinity, and an index of a fold is one of the bare column.
            let text = mode == .none ? column.bareText : try folded(column.bare, mode, path)
            let condition = ConditionForm.compareText(text, relation, needle)
            return bounded(condition, column, asText: relation, mode)
        case (.date(.since2001), .date(let date)), (.date(.since1970), .date(let date)):
            // A number beside a column of texts is compared as a text.
            guard date.timeIntervalSinceReferenceDate.isExactInSeconds, column.affinity != .text else { return nil }
            return bounded(try relate(value, relation, constant, mode, path), column, asNumber: relation)
        case (.date(.iso8601), .date(let date)):
            return try text(
                value, relation, date.timeIntervalSinceReferenceDate,
                besideNumbers: column.affinity == .text ? nil : column.column, path)
        case (.date(.timestamp), .date), (.uuid, .uuid): return try relate(value, relation, constant, mode, path)
        case (.data, .data), (.any, .data):
            guard relation == .equal, case .data(let data) = constant else { return nil }
            return .compare(column.bare, relation, form(.blob(data), .blob))
        case (.decimal, _):
            return ConstantNumber(constant) == nil ? nil : try relate(value, relation, constant, mode, path)
        case (.integer, _), (.boolean, _), (.double, _), (.any, _):
            guard let number = ConstantNumber(constant)?.exact else { return nil }
            if column.affinity == .text { return .never }
            let isDouble = column.kind == .double
            let condition = ConditionForm.compare(
                column.bare, relation, isDouble ? number.double(self) : number.own(self))
            return bounded(condition, column, asNumber: relation)
        case (.string, _), (.date, _), (.uuid, _), (.data, _), (.power, _): return nil
        }
    }

    /// Numbers stand below all texts.
    private func bounded(
        _ condition: ConditionForm, _ column: GuardedColumn, asNumber relation: RelationOperator
    ) -> ConditionForm {
        let isAbove = relation == .greater || relation == .greaterOrEqual
        return isAbove ? .all([condition, .bound(column.column, .number)]) : condition
    }

    /// Texts stand between numbers and data; what equals a text without a fold is one.
    private func bounded(
        _ condition: ConditionForm, _ column: GuardedColumn, asText relation: RelationOperator, _ mode: FoldMode
    ) -> ConditionForm {
        if mode == .none {
            if relation == .equal { return condition }
            let isBelow = relation == .less || relation == .lessOrEqual
            if column.affinity == .text {
                return isBelow ? condition : .all([condition, .bound(column.column, .noData)])
            }
        }
        return .all([condition, .isStored(column.column, column.affinity == .text ? .noData : .text)])
    }
}

// MARK: - Alternatives

/// One of the values that a column may be, and the test for it.
private struct Alternative {
    let value: Value
    var test: ConditionForm
}

extension Resolver {
    /// The values that a side of a comparison may be; one for a side that is no such column.
    private func alternatives(
        of value: Value, beside other: Value, _ path: TreePath
    ) throws(Fault) -> [Alternative] {
        guard let column = value.guarded else { return [Alternative(value: value, test: .always)] }
        // Which texts are UUIDs, and which data, only an evaluator knows.
        if case .uuid = column.kind, other.kind != column.kind {
            throw Fault(.mixedKinds(column.column.column.name.text), at: path)
        }
        return column.affinity.storages.flatMap { alternatives(column, $0) }
    }

    /// Those beside a constant, of which it is known whether the column's type reads it as another value.
    private func alternatives(of column: GuardedColumn, beside constant: PredicateValue) -> [Alternative] {
        switch (column.kind, constant) {
        case (.uuid(let storage), .string(let text)) where storage.uuid(text) == nil:
            [Alternative(column, .string, .text)]
        case (.uuid(.blob), .data(let data)) where data.count != 16: [Alternative(column, .data, .data)]
        default: column.affinity.storages.flatMap { alternatives(column, $0) }
        }
    }

    /// The values of a column whose row has one of a storage.
    private func alternatives(_ column: GuardedColumn, _ storage: SQLPiece.Storage) -> [Alternative] {
        switch storage {
        case .integer, .double, .number: [number(column, storage)]
        case .text, .noData, .noNumber: texts(column)
        case .data: [Alternative(column, column.kind == .uuid(.blob) ? column.kind : .data, .data)]
        }
    }

    /// A text is what the column's type reads it as, and otherwise a text.
    private func texts(_ column: GuardedColumn) -> [Alternative] {
        switch column.kind {
        case .date(.iso8601), .date(.timestamp), .decimal:
            let unread = ConditionForm.isNull(
                .cast(column.bare, column.kind == .decimal ? .type(.decimalToDouble) : .dateToSeconds(.iso8601)))
            var text = Alternative(column, .string, .text)
            text.test = .all([text.test, unread])
            return [Alternative(column, column.kind, .text), text]
        case .uuid(.text), .uuid(.lowercaseText): return [Alternative(column, column.kind, .text)]
        case .integer, .double, .power, .boolean, .string, .date, .uuid, .data, .any:
            return [Alternative(column, .string, .text)]
        }
    }

    private func number(_ column: GuardedColumn, _ storage: SQLPiece.Storage) -> Alternative {
        let isInteger = storage == .integer
        switch column.kind {
        case .date(.iso8601), .date(.timestamp), .date(.since2001):
            return Alternative(column, .date(.since2001), storage, isRounded: isInteger)
        case .date(.since1970): return Alternative(column, column.kind, storage, isRounded: isInteger)
        case .decimal: return Alternative(column, .decimal, storage)
        case .double: return Alternative(column, .double, storage, isRounded: isInteger)
        case .integer, .power, .boolean, .string, .uuid, .data, .any:
            return Alternative(column, isInteger ? .integer : .double, storage)
        }
    }
}

extension Alternative {
    fileprivate init(_ column: GuardedColumn, _ kind: ValueKind, _ storage: SQLPiece.Storage, isRounded: Bool = false) {
        let bare = kind == .string ? column.bareText : column.bare
        let form = isRounded ? ValueForm.cast(bare, .type(.integerToDouble)) : bare
        value = Value(form: form, kind: kind)
        test = .isStored(column.column, storage)
    }
}

extension Value {
    /// True if a text in it stays one beside another column.
    fileprivate var keepsTexts: Bool { guarded?.affinity.keepsTexts ?? true }
}

extension ValueKind {
    /// True if its values have an order.
    fileprivate var isOrdered: Bool {
        switch self {
        case .uuid, .data, .any: false
        case .integer, .double, .power, .boolean, .decimal, .string, .date: true
        }
    }
}

// MARK: - Constants

/// A number that compares in one way with integers and doubles.
private struct ExactNumber {
    let number: ConstantNumber
    let value: Double

    func double(_ resolver: Resolver) -> ValueForm { resolver.form(.double(value), .double) }

    func own(_ resolver: Resolver) -> ValueForm {
        if case .integer(let integer) = number { return resolver.form(.integer(integer), .integer) }
        return double(resolver)
    }
}

extension ConstantNumber {
    /// The number where 53 bits hold it, so that integers compare with it as doubles do; nil for all others, and for
    /// decimals.
    fileprivate var exact: ExactNumber? {
        let limit = 0x1p53
        switch self {
        case .integer(let integer):
            let value = Double(integer)
            return value.magnitude < limit ? ExactNumber(number: self, value: value) : nil
        case .double(let value): return value.magnitude < limit ? ExactNumber(number: self, value: value) : nil
        case .decimal: return nil
        }
    }
}

extension Double {
    /// True for a number of seconds that integers compare with as doubles do, in 1970 and in 2001.
    fileprivate var isExactInSeconds: Bool { magnitude < 0x1p52 }
}
