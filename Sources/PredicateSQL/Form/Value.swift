import PredicateText

/// A value of a row in the typed form between the tree and the text.
///
/// Nothing in it is SQL text: the dialect writes each case.
enum ValueForm {
    /// `21`, `"jo"`
    case parameter(SQLParameter)
    /// A fixed word that is no value of the user: a zero, the option letters of a function.
    case word(StaticString)
    /// `age`
    case column(ColumnForm)
    /// A column that may hold values of other kinds than its own, as a value of its kind: any other is an error of the
    /// statement.
    case guarded(GuardedColumn)
    /// Of a kind with a value only where NULL must be written out.
    case null
    /// `a + b`
    indirect case arithmetic(SQLPiece.Arithmetic, ValueForm, ValueForm)
    /// The result of integer arithmetic, NULL where 64 bits cannot hold it.
    indirect case checked(ValueForm)
    /// A number as a double, a Boolean as an integer, an integer as text.
    indirect case cast(ValueForm, CastForm)
    /// `length(name)`, a fold
    indirect case call(SQLFunction, [ValueForm])
    /// `TERNARY(p, a, b)`
    indirect case conditional(ConditionForm, ValueForm, ValueForm)
    /// `friends.@count`
    indirect case aggregate(AggregateForm, Scope, ConditionForm)
}

extension ValueForm {
    /// True for a column whose fold has an index.
    func hasIndex(of fold: FoldMode) -> Bool {
        if case .column(let column) = self { column.column.hasIndex(of: fold) } else { false }
    }
}

extension ValueForm {
    /// True for a column, a parameter or a word: a text as short as any name for it.
    var isPlain: Bool {
        switch self {
        case .parameter, .word, .column, .null: true
        case .guarded, .arithmetic, .checked, .cast, .call, .conditional, .aggregate: false
        }
    }
}

/// A column of a row in scope.
struct ColumnForm {
    let column: ColumnReference
    private let number: Int32
    let isNullable: Bool

    init(alias: Int, column: ColumnReference, isNullable: Bool) {
        self.column = column
        number = Int32(truncatingIfNeeded: alias)
        self.isNullable = isNullable
    }

    var alias: Int { Int(number) }
}

enum CastForm: Hashable, Sendable {
    case type(SQLPiece.Cast)
    /// A column of texts with the collation of code points, beside a text that may have another: `t0."name" COLLATE "C"`
    case collated
    /// A date column as seconds since 2001.
    case dateToSeconds(SQLType.DateStorage)
}

/// An aggregate over the rows of a scope.
indirect enum AggregateForm {
    /// `friends.@count`
    case countRows
    /// `COUNT(t0."effort")`: the values of a group that are not NULL
    case countValues(ValueForm)
    /// `friends.name.@count`: values that differ
    case countDistinct(ValueForm, isText: Bool)
    /// `friends.@sum.age`, 0 of none
    case sum(ValueForm, distinct: Bool)
    /// `friends.@avg.age`; nil counts as 0
    case average(ValueForm, distinct: Bool)
    /// `friends.@min.age`
    case minimum(ValueForm, isText: Bool)
    /// `friends.@max.age`
    case maximum(ValueForm, isText: Bool)
}

/// A value form with its kind and the meaning of its NULL.
struct Value {
    var form: ValueForm
    var kind: ValueKind
    /// True if NULL may stand for nil.
    var mayBeNil = false
    /// Forms whose NULL means that the evaluator would report an error for the row: an overflow, arithmetic on nil.
    /// A comparison of such a value counts as false.
    var failures: [ValueForm] = []
    /// True if NULL may stand for a double that is not a number.
    var mayBeNaN = false
    /// Integers past 64 bits have not been made NULL yet, so that a chain of sums is checked once.
    var isUnchecked = false

    /// The value as an operand of anything but a further sum.
    var checked: Value {
        guard isUnchecked else { return self }
        var copy = self
        copy.form = .checked(form)
        copy.failures = [copy.form]
        copy.isUnchecked = false
        return copy
    }

    /// The forms that must not be NULL where the operation raises for nil.
    var requirements: [ValueForm] {
        failures + (mayBeNil ? [form] : [])
    }
}

extension ValueForm {
    /// The results of a chain of operations on integers, inner ones first, which 64 bits have to hold.
    var integerSteps: [ValueForm] {
        guard case .arithmetic(let operation, let left, let right) = self else { return [] }
        switch operation {
        case .addIntegers, .subtractIntegers, .multiplyIntegers, .divideIntegers:
            return left.integerSteps + right.integerSteps + [self]
        case .add, .subtract, .multiply, .remainderOfIntegers, .divideDoubles, .bitAnd, .bitOr, .bitXor, .shiftLeft,
            .shiftRight:
            return []
        }
    }
}
