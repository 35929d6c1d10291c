/// A column that may hold values of other kinds than its own, which are told by what they are stored as.
struct GuardedColumn {
    let column: ColumnForm
    /// The kind of the column's type.
    let kind: ValueKind
    let affinity: SQLAffinity
    /// The name of the column, for the error of a row.
    let name: SQLParameter

    /// The column beside texts.
    let textColumn: ColumnForm

    /// The column as it is stored.
    var bare: ValueForm { .column(column) }

    /// The column as it is stored, beside texts.
    var bareText: ValueForm { .column(textColumn) }

    /// A value of the column's kind as one; doubles and dates may be stored as integers.
    private var own: ValueForm {
        isRounded ? .cast(bare, .type(.integerToDouble)) : bare
    }

    /// True if an integer in the column stands for a double.
    var isRounded: Bool {
        switch kind {
        case .double, .date(.since2001), .date(.since1970): affinity != .real
        case .integer, .power, .boolean, .decimal, .string, .date(.iso8601), .date(.timestamp), .uuid, .data, .any:
            false
        }
    }

    /// The storage of the values of the column's kind.
    var storage: SQLPiece.Storage {
        switch kind {
        case .integer, .boolean: .integer
        case .double, .power, .date(.since2001), .date(.since1970): .number
        case .string, .date(.iso8601), .date(.timestamp), .uuid(.text), .uuid(.lowercaseText), .decimal: .text
        case .data, .uuid(.blob), .any: .data
        }
    }

    /// The column as it is stored, with equal moments as one number: a form in which SQLite takes equal values for one.
    var distinct: ValueForm {
        switch kind {
        case .date(.iso8601), .date(.timestamp):
            let seconds = ValueForm.cast(bare, .dateToSeconds(.iso8601))
            return .conditional(.isNull(seconds), bare, seconds)
        case .integer, .double, .power, .boolean, .decimal, .string, .date, .uuid, .data, .any: return bare
        }
    }

    /// A value of the column's kind; NULL for nil, and an error of the statement for every other one.
    var orError: ValueForm {
        .conditional(.isStored(column, storage), own, mixedKinds)
    }

    /// A value of the column's kind as an operand: NULL for nil and for what no operation takes. A double in a column of
    /// integers, which all operations take, is an error of the statement.
    var operand: ValueForm {
        guard storage == .integer else { return .conditional(.isStored(column, storage), own, .null) }
        return .conditional(
            .isStored(column, .integer), own, .conditional(.isStored(column, .double), mixedKinds, .null))
    }

    private var mixedKinds: ValueForm { .call(.mixedKinds, [bare, .parameter(name)]) }

    /// A form that is NULL for a value of another kind than the column's.
    var failure: ValueForm {
        .conditional(.any([.isNull(bare), .isStored(column, storage)]), .word("0"), .null)
    }
}

extension Value {
    /// The column that the value is, where it may hold values of other kinds.
    var guarded: GuardedColumn? {
        if case .guarded(let column) = form { column } else { nil }
    }

    /// The value as one of its kind, any other of which is an error of the statement.
    var ofOneKind: Value {
        guard let guarded else { return self }
        var copy = self
        copy.form = guarded.orError
        return copy
    }

    /// The value as it is stored.
    var stored: Value {
        guard let guarded else { return self }
        var copy = self
        copy.form = guarded.bare
        return copy
    }
}

extension ConditionForm {
    /// The condition; where it is the same for all values of a kind, one that is an error of the statement for a value of
    /// another kind all the same.
    func evaluating(_ value: ValueForm) -> ConditionForm {
        guard case .constant(let result) = self, value.mayBeError else { return self }
        let isNull = ConditionForm.isNull(value)
        return result ? .or([isNull, .not(isNull)]) : .and([isNull, .not(isNull)])
    }
}

extension ValueForm {
    /// True if a row whose column holds a value of another kind is an error of the statement.
    fileprivate var mayBeError: Bool {
        switch self {
        case .guarded, .call(.mixedKinds, _): true
        case .arithmetic(_, let left, let right): left.mayBeError || right.mayBeError
        case .checked(let value), .cast(let value, _): value.mayBeError
        case .call(_, let arguments): arguments.contains(where: \.mayBeError)
        case .conditional(_, let first, let second): first.mayBeError || second.mayBeError
        case .parameter, .word, .column, .null, .aggregate: false
        }
    }
}
