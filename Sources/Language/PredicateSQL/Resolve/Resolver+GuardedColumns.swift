import PredicateSyntax
import PredicateText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A column that may hold values of types other than its own. Conditions test the storage class of each value.
struct GuardedColumn {
    let column: ColumnForm
    /// The kind of the column's type.
    let kind: ValueKind
    let affinity: SQLiteAffinity
    /// The name of the column, for the error of a row.
    let name: SQLParameter

    /// The column as it is compared with strings.
    let textColumn: ColumnForm

    /// The column in its stored form.
    var bare: ValueForm { .column(column) }

    /// The column in its stored form, compared with strings.
    var bareText: ValueForm { .column(textColumn) }

    /// A value of the column's type. Doubles and dates may be stored as integers.
    private var own: ValueForm {
        isRounded ? .cast(bare, .type(.integerToDouble)) : bare
    }

    /// True if an integer in the column represents a double.
    var isRounded: Bool {
        switch kind {
        case .double, .date(.since2001), .date(.since1970): affinity != .real
        case .integer, .power, .boolean, .decimal, .string, .date(.iso8601), .date(.timestamp), .uuid, .data, .any:
            false
        }
    }

    /// The storage class of values of the column's type.
    var storage: SQLPiece.Storage {
        switch kind {
        case .integer, .boolean: .integer
        case .double, .power, .date(.since2001), .date(.since1970): .number
        case .string, .date(.iso8601), .date(.timestamp), .uuid(.text), .uuid(.lowercaseText), .decimal: .text
        case .data, .uuid(.blob), .any: .data
        }
    }

    /// The form in which equal values are the same for SQLite: dates in strings as numbers, other values as stored.
    var distinct: ValueForm {
        switch kind {
        case .date(.iso8601), .date(.timestamp):
            let seconds = ValueForm.cast(bare, .dateToSeconds(.iso8601))
            return .conditional(.isNull(seconds), bare, seconds)
        case .integer, .double, .power, .boolean, .decimal, .string, .date, .uuid, .data, .any: return bare
        }
    }

    /// A value of the column's type; NULL for nil. A value of any other type makes the statement fail.
    var orError: ValueForm {
        .conditional(.isStored(column, storage), own, mixedKinds)
    }

    /// Returns a form of the column's value. If the form is NULL although the value is not, the statement fails.
    func orError(unless form: ValueForm) -> ValueForm {
        .conditional(.any([.isNull(bare), .not(.isNull(form))]), form, mixedKinds)
    }

    /// A value of the column's type as an operand: NULL for nil and for a value that no operation accepts. A double
    /// in an integer column, which all operations accept, makes the statement fail.
    var operand: ValueForm {
        guard storage == .integer else { return .conditional(.isStored(column, storage), own, .null) }
        return .conditional(
            .isStored(column, .integer), own, .conditional(.isStored(column, .double), mixedKinds, .null))
    }

    private var mixedKinds: ValueForm { .call(.mixedKinds, [bare, .parameter(name)]) }

    /// A form that is NULL for a value of another type.
    var failure: ValueForm {
        .conditional(.any([.isNull(bare), .isStored(column, storage)]), .word("0"), .null)
    }
}

extension TypedValue {
    /// The column, if the value is one that may hold values of other types.
    var guarded: GuardedColumn? {
        if case .guarded(let column) = form { column } else { nil }
    }

    /// The value. If its column holds a value of another type, the statement fails.
    var ofOneKind: TypedValue {
        guard let guarded else { return self }
        var copy = self
        copy.form = guarded.orError
        return copy
    }

    /// The value in its stored form.
    var stored: TypedValue {
        guard let guarded else { return self }
        var copy = self
        copy.form = guarded.bare
        return copy
    }
}

extension ConditionForm {
    /// Returns the condition. If it is constant, it still evaluates the value, so that the statement fails for a
    /// value of another type.
    func evaluating(_ value: ValueForm) -> ConditionForm {
        guard case .constant(let result) = self, value.mayBeError else { return self }
        let isNull = ConditionForm.isNull(value)
        return result ? .or([isNull, .not(isNull)]) : .and([isNull, .not(isNull)])
    }
}

extension ValueForm {
    /// True if the statement fails for a row whose column holds a value of another type.
    fileprivate var mayBeError: Bool {
        switch self {
        case .guarded, .call(.mixedKinds, _): true
        case .parameter, .word, .column, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate:
            operands.contains(where: \.mayBeError)
        }
    }
}

/// Comparisons of columns that may hold values of several types. The column represents one of several typed values,
/// and the storage class of the row decides which.
///
/// `age > 21` with `'abc'` among the ages: `t0."age" > ?1 AND likely(t0."age" <= 9e999)`, because SQLite orders
/// all strings above all numbers.
extension Resolver {
    /// Compares a column with a constant. If only one type can satisfy the comparison, the condition is sargable.
    func relate(
        _ column: GuardedColumn, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode,
        _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        if let condition = try direct(column, relation, constant, mode, path) { return condition }
        var conditions: [ConditionForm] = []
        var first: CompilationFault?
        for alternative in alternatives(of: column, beside: constant) {
            do throws(CompilationFault) {
                let condition = try relate(alternative.value, relation, constant, mode, path)
                conditions.append(.all([condition, alternative.test]))
            } catch {
                guard case .incomparable = error.code else { throw error }
                // An error for every value of the column's own type is an error of the predicate.
                if alternative.value.kind == column.kind { throw error }
                first = first ?? error
            }
        }
        if conditions.isEmpty, let first { throw first }
        return .any(conditions)
    }

    /// Compares two values of which at least one is a column with values of several types. Combinations of types
    /// without an order or equality are left out.
    func relateGuarded(
        _ left: TypedValue, _ relation: RelationOperator, _ right: TypedValue, _ mode: FoldMode, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        if relation.isOrdering, !(left.kind.isComparable(with: right.kind) && left.kind.isOrdered) {
            throw CompilationFault(.incomparable(left: left.kind.operand, right: right.kind.operand), at: path)
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

    /// Compares columns of one type whose values are equal exactly if their stored values are.
    private func sameStorage(_ left: TypedValue, _ right: TypedValue, _ mode: FoldMode) -> ConditionForm? {
        guard left.kind == right.kind, mode == .none, left.keepsTexts, right.keepsTexts else { return nil }
        switch left.kind {
        case .string, .uuid(.text), .uuid(.lowercaseText):
            return .compareText(left.stored.form, .equal, right.stored.form)
        case .data, .uuid(.blob): return .compare(left.stored.form, .equal, right.stored.form)
        case .integer, .double, .power, .boolean, .decimal, .date, .any: return nil
        }
    }

    /// Returns a value as a string that can be searched, and the test that it is one.
    func searched(_ text: TypedValue) -> (text: TypedValue, test: ConditionForm) {
        guard let column = text.guarded else { return (text, .always) }
        let value = TypedValue(form: column.bareText, kind: .string, mayBeNil: text.mayBeNil)
        return (value, .isStored(column.column, column.affinity == .text ? .noData : .text))
    }

    /// Returns a string as the operand of a function, which has no result for values of other types.
    func textOperand(_ text: TypedValue) -> TypedValue {
        guard let column = text.guarded else { return text }
        var value = text
        value.form = column.operand
        value.failures = [column.failure]
        return value
    }

    /// Returns a number as an operand. Nil and values of other types are not operands.
    func numberOperand(_ number: TypedValue) -> TypedValue {
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
    /// Returns a condition on the bare column, if all values that satisfy it have the constant's type or an upper
    /// bound excludes the others; nil if storage classes must be tested.
    private func direct(
        _ column: GuardedColumn, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode,
        _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm? {
        let value = TypedValue(form: column.bare, kind: column.kind)
        switch (column.kind, constant) {
        case (.string, .string(let text)), (.any, .string(let text)):
            let needle = try form(Folding.fold(text, mode), path)
            // The result of a function has no affinity, and an index on a fold is an index on the bare column.
            let text = mode == .none ? column.bareText : try folded(column.bare, mode, path)
            let condition = ConditionForm.compareText(text, relation, needle)
            return bounded(condition, column, asText: relation, mode)
        case (.date(.since2001), .date(let date)), (.date(.since1970), .date(let date)):
            // A number compared with a TEXT column is compared as a string.
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

    /// Adds an upper bound that excludes strings, which are above all numbers.
    private func bounded(
        _ condition: ConditionForm, _ column: GuardedColumn, asNumber relation: RelationOperator
    ) -> ConditionForm {
        let isAbove = relation == .greater || relation == .greaterOrEqual
        return isAbove ? .all([condition, .bound(column.column, .number)]) : condition
    }

    /// Adds a test that excludes numbers, which are ordered below strings, and data, which is ordered above them.
    /// Equality with a string needs no test without a fold.
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

/// One of the values that a column may represent, and the test for it.
private struct Alternative {
    let value: TypedValue
    var test: ConditionForm
}

extension Resolver {
    /// Returns the values that an operand may represent; one for an operand that is not such a column.
    private func alternatives(
        of value: TypedValue, beside other: TypedValue, _ path: TreePath
    ) throws(CompilationFault) -> [Alternative] {
        guard let column = value.guarded else { return [Alternative(value: value, test: .always)] }
        // SQL cannot tell which strings or data are UUIDs.
        if case .uuid = column.kind, other.kind != column.kind {
            throw CompilationFault(.mixedKinds(column.column.column.name.text), at: path)
        }
        return column.affinity.storages.flatMap { alternatives(column, $0) }
    }

    /// Returns the alternatives for a comparison with a constant, which may exclude some.
    private func alternatives(of column: GuardedColumn, beside constant: PredicateValue) -> [Alternative] {
        switch (column.kind, constant) {
        case (.uuid(let storage), .string(let text)) where storage.uuid(text) == nil:
            [Alternative(column, .string, .text)]
        case (.uuid(.blob), .data(let data)) where data.count != 16: [Alternative(column, .data, .data)]
        default: column.affinity.storages.flatMap { alternatives(column, $0) }
        }
    }

    /// Returns the values of a column in rows of one storage class.
    private func alternatives(_ column: GuardedColumn, _ storage: SQLPiece.Storage) -> [Alternative] {
        switch storage {
        case .integer, .double, .number, .rareNumber: [number(column, storage)]
        case .text, .noData, .noNumber: texts(column)
        case .data: [Alternative(column, column.kind == .uuid(.blob) ? column.kind : .data, .data)]
        }
    }

    /// A string counts as a value of the column's type if it can be converted to that type; otherwise it remains a
    /// string.
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
        value = TypedValue(form: form, kind: kind)
        test = .isStored(column.column, storage)
    }
}

extension TypedValue {
    /// True if a string in the column is not converted when it is compared with another column.
    fileprivate var keepsTexts: Bool { guarded?.affinity.keepsTexts ?? true }
}

extension ValueKind {
    /// True if the values have an order.
    fileprivate var isOrdered: Bool {
        switch self {
        case .uuid, .data, .any: false
        case .integer, .double, .power, .boolean, .decimal, .string, .date: true
        }
    }
}

// MARK: - Constants

/// A number that compares equally with integers and doubles.
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
    /// The number if 53 bits hold it, so that integers compare with it as doubles do; nil for any other number and
    /// for decimals.
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
    /// True for seconds with which integers compare as doubles do, counted from 1970 or 2001.
    fileprivate var isExactInSeconds: Bool { magnitude < 0x1p52 }
}
