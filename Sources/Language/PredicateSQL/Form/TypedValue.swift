import PredicateSyntax
import PredicateText

/// A value of a row in the typed form between the tree and the SQL.
///
/// It contains no SQL strings: the dialect writes each case.
enum ValueForm {
    /// `21`, `"jo"`
    case parameter(SQLParameter)
    /// A constant of the compiler, not of the user: a zero, the option letters of a function.
    case word(StaticString)
    /// `age`
    case column(ColumnForm)
    /// A column that may hold values of other types, read as a value of its own type: any other value makes the
    /// statement fail.
    case guarded(GuardedColumn)
    /// NULL. It has a kind only if it must be written.
    case null
    /// `a + b`
    indirect case arithmetic(SQLPiece.Arithmetic, ValueForm, ValueForm)
    /// The result of integer arithmetic; NULL if it exceeds 64 bits.
    indirect case checked(ValueForm)
    /// A number as a double, a Boolean as an integer, an integer as a string.
    indirect case cast(ValueForm, CastForm)
    /// `predicates_length(name)`, a fold
    indirect case call(SQLFunction, [ValueForm])
    /// `TERNARY(p, a, b)`
    indirect case conditional(ConditionForm, ValueForm, ValueForm)
    /// `friends.@count`
    indirect case aggregate(AggregateForm, TableScope, ConditionForm)
}

extension ValueForm {
    /// Returns true for a column with an index on a fold.
    func hasIndex(of fold: FoldMode) -> Bool {
        if case .column(let column) = self { column.column.hasIndex(of: fold) } else { false }
    }
}

extension ValueForm {
    /// True for a column, a parameter or a constant word, which may be written more than once.
    var isPlain: Bool {
        switch self {
        case .parameter, .word, .column, .null: true
        case .guarded, .arithmetic, .checked, .cast, .call, .conditional, .aggregate: false
        }
    }

    /// The values of the same row from which the value is computed.
    var operands: [ValueForm] {
        switch self {
        case .parameter, .word, .null, .column, .guarded, .aggregate: []
        case .arithmetic(_, let left, let right): [left, right]
        case .checked(let inner), .cast(let inner, _): [inner]
        case .call(_, let arguments): arguments
        case .conditional(_, let first, let second): [first, second]
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
    /// A string column under the code point collation, compared with a string that may have another collation:
    /// `t0."name" COLLATE "C"`
    case collated
    /// A date column as seconds since 2001.
    case dateToSeconds(SQLType.DateStorage)
    /// A part of a date, or the first moment of a unit, from seconds since 2001: `month:(due)`
    case calendar(SQLPiece.Calendar)
    /// A part of a date from a column of the database's own type
    case part(SQLPiece.Calendar)
}

/// An aggregate over the rows of a scope.
indirect enum AggregateForm {
    /// `friends.@count`
    case countRows
    /// `COUNT(t0."effort")`: the values of a group that are not NULL
    case countValues(ValueForm)
    /// `friends.name.@count`: the number of distinct values
    case countDistinct(ValueForm, isText: Bool)
    /// `friends.@sum.age`; 0 without rows
    case sum(ValueForm, distinct: Bool)
    /// A sum of numbers so small that the sum over all rows fits in the database's type; 0 without rows
    case narrowSum(ValueForm, SQLPiece.Addend, distinct: Bool)
    /// `orders.@sum.total` of decimal numbers; 0 without rows
    case decimalSum(ValueForm, distinct: Bool)
    /// `orders.@avg.total` of decimal numbers, which no SQL computes: it can only be compared with a constant
    case decimalAverage(ValueForm)
    /// `orders.@avg.total > 10`: the sum, less the constant for each row, is compared with 0
    case decimalExcess(ValueForm, over: ValueForm)
    /// `friends.@avg.age`; nil counts as 0
    case average(ValueForm, distinct: Bool)
    /// `predicates_decimal_max(t1."total")`: an aggregate that the application registers
    case function(SQLFunction, ValueForm)
    /// The value of the only row, which a foreign key refers to
    case only(ValueForm)
    /// `friends.@min.age`
    case minimum(ValueForm, isText: Bool)
    /// `friends.@max.age`
    case maximum(ValueForm, isText: Bool)
    /// An aggregate that only groups have.
    case ofGroup(GroupAggregateForm)
}

/// An aggregate over the rows of a group, which ignores NULL and is NULL without values. [NSP-512]
enum GroupAggregateForm {
    /// `predicates_percentile(t0."age", 95.0)`: a function that the application registers
    case function(SQLFunction, ValueForm, [ValueForm])
    /// `SUM(t0."age")::int8`
    case total(ValueForm, SQLPiece.Addend)
    /// `SUM(t0."age")::float8 / NULLIF(COUNT(t0."age"), 0)`
    case mean(ValueForm, SQLPiece.Addend)
    /// `string_agg(t0."name", $1 ORDER BY t0."id")`
    case joined(ValueForm, separator: ValueForm, by: ValueForm, keyIsText: Bool)
    /// `bool_and(t0."member")`
    case truthExtreme(ValueForm, isLeast: Bool)
    /// The least or the greatest double in a database with NaN, which is between the negative numbers and 0
    case extremeOfDoubles(ValueForm, isLeast: Bool)
}

/// A value form with its kind and the meanings of its NULL.
struct TypedValue {
    var form: ValueForm
    var kind: ValueKind
    /// True if NULL may mean nil.
    var mayBeNil = false
    /// Forms whose NULL means that the evaluator would report an error for the row: an overflow, arithmetic on nil. A
    /// comparison of such a value is false.
    var failures: [ValueForm] = []
    /// True if NULL may mean NaN.
    var mayBeNaN = false
    /// True if a result may still exceed 64 bits, or be an inexact decimal, because no check has replaced it with NULL. A chain
    /// of operations is checked once.
    var isUnchecked = false
    /// The member of a JSON object that the value is; nil for any other value.
    var member: MemberForm?

    /// The value as an operand of any operation but a sum, a difference or a product.
    var checked: TypedValue {
        guard isUnchecked else { return self }
        var copy = self
        copy.form = kind == .decimal ? form.exactDecimal : form.provenInteger ?? .checked(form)
        copy.failures = [copy.form]
        copy.isUnchecked = false
        return copy
    }

    /// The forms that must not be NULL for an operation that fails for nil.
    var requirements: [ValueForm] {
        failures + (mayBeNil ? [form] : [])
    }
}

extension ValueForm {
    /// The value without its check, if it is a single integer operation and the other value is a constant: a result beyond 64
    /// bits equals no constant. (In SQLite it is a double, which may equal the least integer.)
    func unchecked(beside other: ValueForm) -> ValueForm {
        guard case .checked(let inner) = self, inner.integerSteps.count == 1, case .parameter(let parameter) = other,
            case .integer(let value) = parameter.binding, value > .min
        else { return self }
        return inner
    }

    /// The results of a chain of integer operations, which must fit in 64 bits, inner ones first.
    var integerSteps: [ValueForm] {
        guard case .arithmetic(let operation, let left, let right) = self else { return [] }
        switch operation {
        case .addIntegers, .subtractIntegers, .multiplyIntegers, .divideIntegers:
            return left.integerSteps + right.integerSteps + [self]
        case .add, .subtract, .multiply, .addDecimals, .subtractDecimals, .multiplyDecimals, .remainderOfIntegers,
            .divideDoubles, .bitAnd, .bitOr, .bitXor, .shiftLeft,
            .shiftRight:
            return []
        }
    }
}

/// The kind of a value according to the schema, before any row is read. It decides every comparison of kinds.
enum ValueKind: Hashable, Sendable {
    case integer
    case double
    /// `age ** 2`: an integer, or a double if it exceeds 64 bits [NSP-175]
    case power
    /// 0 or 1, or the database's own type; every operator treats it as a number
    case boolean
    case decimal
    case string
    case date(SQLType.DateStorage)
    case uuid(SQLType.UUIDStorage)
    case data
    /// A kind that differs from row to row
    case any

    /// The kind of the values of a type; for an array, the kind of its elements.
    init(_ type: SQLType) {
        switch type {
        case .integer: self = .integer
        case .double, .single: self = .double
        case .decimal: self = .decimal
        case .boolean: self = .boolean
        case .string, .paddedString: self = .string
        case .date(let storage): self = .date(storage)
        case .uuid(let storage): self = .uuid(storage)
        case .data: self = .data
        case .array(let element, _): self = ValueKind(element)
        case .any, .json: self = .any
        }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .double, .power, .boolean, .decimal: true
        case .string, .date, .uuid, .data, .any: false
        }
    }

    /// True if values are stored and compared as strings, whatever the column's collation.
    var isText: Bool {
        switch self {
        case .string, .uuid(.text), .uuid(.lowercaseText): true
        case .integer, .double, .power, .boolean, .decimal, .date, .uuid(.blob), .data, .any: false
        }
    }

    /// True if some values may be strings, which a column compares under its collation.
    var mayBeText: Bool { isText || self == .any }

    /// True for a 64-bit integer.
    var isWhole: Bool { self == .integer || self == .boolean }

    /// Returns true if values of the two kinds can be equal.
    func isComparable(with other: ValueKind) -> Bool {
        switch (self, other) {
        case (.string, .string), (.date, .date), (.uuid, .uuid), (.data, .data): true
        case (.integer, _), (.double, _), (.power, _), (.boolean, _), (.decimal, _): other.isNumber
        case (.string, _), (.date, _), (.uuid, _), (.data, _), (.any, _): false
        }
    }

    /// The operand in an error.
    var operand: SQLCompilationError.Operand {
        switch self {
        case .integer: .integer
        case .double: .double
        case .power: .power
        case .boolean: .boolean
        case .decimal: .decimal
        case .string: .string
        case .date: .date
        case .uuid: .uuid
        case .data: .data
        case .any: .any
        }
    }
}

/// The tables that a statement or subquery reads: the one it starts from, inner joins and left joins.
///
/// `FROM "phone" AS t1 LEFT JOIN "person" AS t2 ON t2."id" = t1."owner_id"`
final class TableScope {
    /// A table, and the condition that joins it to an earlier table.
    struct Table {
        enum Kind { case start, needed, lookedUp }

        var kind: Kind
        var table: QuotedName
        var alias: Int
        /// The join condition: a column of this table, and the value it equals; nil for the root.
        var tie: (column: ColumnReference, value: ColumnForm)?
        /// The primary key of the table; nil for a join table, whose rows only their own scope refers to.
        var primaryKey: ColumnReference?
        /// The array whose elements are the rows; nil for the rows of a table.
        var array: ArrayForm?
        /// True if the join condition compares strings.
        var hasTextKey = false
        /// True for a joined row without which the condition on the scope is not true: `JOIN` instead of `LEFT JOIN`
        var isNeeded = false

        /// The table as the first of a scope of its own, without its join condition.
        var first: Table {
            var table = self
            (table.kind, table.tie) = (.start, nil)
            return table
        }
    }

    private(set) var sources: [Table]

    init() {
        sources = []
    }

    /// Creates a scope that starts from a table.
    init(start: Table, _ others: ArraySlice<Table> = []) {
        sources = [start] + others
    }

    /// Creates a copy, to which a statement may add tables.
    init(copying other: TableScope) {
        sources = other.sources
    }

    func add(_ source: Table) {
        sources.append(source)
    }

    /// Returns the alias of the row that a foreign key refers to. Each foreign key of a row is joined once.
    func lookUp(
        _ key: ColumnForm, of reference: EntityReference, alias makeAlias: () -> Int
    ) -> Int {
        let (table, primaryKey) = (reference.table, reference.primaryKey)
        for source in sources where source.kind == .lookedUp && source.table.isSame(as: table) {
            if let value = source.tie?.value, value.alias == key.alias,
                value.column.name.text.hasSameCodePoints(as: key.column.name.text)
            {
                return source.alias
            }
        }
        let alias = makeAlias()
        sources.append(
            Table(
                kind: .lookedUp, table: table, alias: alias, tie: (primaryKey, key), primaryKey: primaryKey,
                hasTextKey: reference.primaryKeyKind.mayBeText))
        return alias
    }

    /// Returns the joined tables of rows, and the tables through which these are joined.
    func joins(of rows: Set<Int>) -> [Table] {
        var needed = rows
        let joins = sources.reversed().filter { source in
            guard source.kind == .lookedUp, needed.contains(source.alias), let tie = source.tie else { return false }
            needed.insert(tie.value.alias)
            return true
        }
        return joins.reversed()
    }

    /// Returns the table that one foreign key joins, if all rows are its rows or joined to them; nil for other rows.
    func lookup(of rows: Set<Int>) -> Table? {
        let joins = joins(of: rows)
        guard let first = joins.first, Set(joins.map(\.alias)).isSuperset(of: rows) else { return nil }
        let aliases = Set(joins.map(\.alias))
        return joins.dropFirst().allSatisfy { aliases.contains($0.tie?.value.alias ?? first.alias) } ? first : nil
    }

    /// Marks the joined tables without whose rows a condition cannot be true.
    func markNeeded(by condition: ConditionForm) {
        for index in sources.indices where sources[index].kind == .lookedUp {
            var missing: Set = [sources[index].alias]
            for source in sources[index...] {
                if let tie = source.tie, missing.contains(tie.value.alias) { missing.insert(source.alias) }
            }
            sources[index].isNeeded = condition.isUntrue { missing.contains($0.alias) }
        }
    }

    /// Removes the joined tables that neither the rows nor other tables need.
    func keepJoins(of rows: Set<Int>) {
        let others = sources.filter { $0.kind != .lookedUp }.compactMap(\.tie?.value.alias)
        let needed = joins(of: rows.union(others))
        sources.removeAll { source in source.kind == .lookedUp && !needed.contains { $0.alias == source.alias } }
    }
}

/// A column that holds an array of plain values, and its elements.
struct ArrayForm {
    let column: ColumnForm
    let reference: ArrayReference
    let rows: SQLTemplate
    /// The array; NULL for nil.
    let whole: ValueForm

    /// The number of elements.
    var size: ValueForm {
        .cast(.column(column), .type(reference.storage == .native ? .arrayToSize : .jsonToSize))
    }

    /// Returns the constants that the element may equal, if an index can serve them: `t1."value" = $1`
    func elements(in condition: ConditionForm) -> [ValueForm]? {
        guard reference.containment != nil else { return nil }
        switch condition {
        case .compareText(let value, .equal, .parameter(let constant)),
            .compare(let value, .equal, .parameter(let constant)):
            return isElement(value) ? [.parameter(constant)] : nil
        case .isIn(let value, let elements, _): return isElement(value) ? elements : nil
        default: return nil
        }
    }

    func isElement(_ value: ValueForm) -> Bool {
        switch value {
        case .column(let column): column.column === reference.value
        case .cast(.column(let column), .type(let cast)):
            column.column === reference.value && cast == reference.conversion
        default: false
        }
    }

    /// An element, which may be nil, of the row under an alias.
    func element(_ alias: Int) -> TypedValue {
        let value = ValueForm.column(ColumnForm(alias: alias, column: reference.value, isNullable: true))
        let form = reference.conversion.map { ValueForm.cast(value, .type($0)) } ?? value
        return TypedValue(form: form, kind: reference.kind, mayBeNil: true)
    }
}

/// A page of the rows of a scope: `(SELECT t2."id" FROM "task" AS t2 WHERE … ORDER BY … LIMIT 3)`
struct PageForm {
    /// The primary key of the rows, which is the last sort key.
    let key: ColumnForm
    let scope: TableScope
    let condition: ConditionForm
    let order: [OrderTerm]
    let limit: ValueForm?
    let offset: ValueForm?
}

/// A value that rows are ordered by.
struct OrderTerm {
    /// A value that rows are ordered by before ``form``; nil if ``form`` alone decides.
    var group: ValueForm?
    let form: ValueForm
    let isText: Bool
    let ascending: Bool
    /// The place of NULL; nil for a column that is never NULL, whose index then serves in both directions.
    let nullsFirst: Bool?
}

/// A column of results in the typed form.
struct ResultForm {
    let name: String
    let content: Content
    let type: SQLType
    /// The entity of the objects whose primary keys the column holds; nil for values.
    let destination: EntityReference?
    let mayBeNil: Bool
    /// The affinity of a column that may hold values of several types. It may differ from the affinity of the source
    /// column.
    var affinity: SQLiteAffinity?

    enum Content {
        /// `t0."effort"`
        case value(ValueForm)
        /// `MAX(t0."effort")`
        case aggregate(AggregateForm)
    }

    /// The name of the column that it is; nil for a computed value.
    var columnName: String? {
        if case .value(.column(let column)) = content { column.column.name.text } else { nil }
    }

    /// True if its values are compared as strings.
    var isText: Bool { ValueKind(type).isText }
}

/// A value that rows are grouped by, and the column of the group's value.
struct GroupForm {
    /// `t0."name" COLLATE BINARY`
    let form: ValueForm
    let isText: Bool
    let column: ResultForm
    /// True for a value with parameters, which a positional placeholder would bind twice: rows are then grouped by the
    /// position of the selected column.
    var hasParameters = false
    /// The position of the column among the results, from 1; nil to write the form.
    var position: Int?
}

/// The columns and groups of a statement.
struct ResultsForm {
    /// The results, in order, then the values of groups that are not results.
    var columns: [ResultForm]
    /// The number of results.
    var count: Int
    /// The values that rows are grouped by; nil for one row per object.
    var groups: [GroupForm]?
    /// The columns whose values together identify a row, which order rows that no sort key distinguishes.
    var keys: [Int]
    /// The positions in ``keys`` of the values that rows are grouped by.
    var sources: [ResultSource: Int]
}
