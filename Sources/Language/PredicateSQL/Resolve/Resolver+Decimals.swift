import PredicateSyntax

/// Arithmetic of decimal numbers: `price * qty`, `total - 5`, `-balance`. [NSP-411]
///
/// A database with a type for decimals of any length computes every result. One whose type has limited digits computes a result
/// exactly if its operands have few digits: casts and tests of the operands ensure that, and the result is NULL otherwise. A
/// database without the type calls functions, which compute as the evaluator does.
extension Resolver {
    /// True if the database limits the digits of decimals, so that a result with too many digits is NULL.
    private var limitsDigits: Bool { dialect.templates.cast[.decimalToFactor] != nil }

    func decimals(
        _ operation: BinaryOperation, _ left: TypedValue, _ right: TypedValue, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        let wholes = (left.kind == .integer, right.kind == .integer)
        let (left, right) = (decimalOperand(left), decimalOperand(right))
        let form: ValueForm
        switch operation {
        case .add: form = try decimal(.addDecimals, .decimalAdd, left, right, path)
        case .subtract: form = try decimal(.subtractDecimals, .decimalSubtract, left, right, path)
        case .multiply:
            let product = try decimal(.multiplyDecimals, .decimalMultiply, left, right, path)
            form = isProven(product) ? product : longProduct(product, left, right, wholes) ?? product
        case .divide:
            guard !dialect.features.contains(.decimalType) else { throw CompilationFault(.decimalArithmetic, at: path) }
            form = try decimalCall(.decimalDivide, left, right, path)
        case .power: throw CompilationFault(.function("** of decimal numbers", dialect: dialect.name), at: path)
        case .remainder, .bits: throw CompilationFault(.decimalArithmetic, at: path)
        }
        return TypedValue(form: form, kind: .decimal, failures: [form], isUnchecked: true)
    }

    private func decimal(
        _ operation: SQLPiece.Arithmetic, _ function: SQLFunction, _ left: ValueForm, _ right: ValueForm,
        _ path: TreePath
    ) throws(CompilationFault) -> ValueForm {
        guard dialect.features.contains(.decimalType) else { return try decimalCall(function, left, right, path) }
        guard dialect.templates.arithmetic[operation] != nil else {
            throw CompilationFault(.decimalArithmetic, at: path)
        }
        guard limitsDigits else { return .arithmetic(operation, left, right) }
        if let plain = plain(operation, left, right) { return plain }
        let cast = CastForm.type(operation == .multiplyDecimals ? .decimalToFactor : .decimalToTerm)
        return .arithmetic(operation, .cast(left, cast), .cast(right, cast))
    }

    /// Returns an operation on values without casts, if the database is proven to keep all digits of every result; otherwise
    /// nil.
    private func plain(_ operation: SQLPiece.Arithmetic, _ left: ValueForm, _ right: ValueForm) -> ValueForm? {
        let cast = operation == .multiplyDecimals || !addsFreely ? SQLPiece.Cast.decimalToFactor : .decimalToTerm
        let (left, right) = (left.bareOperand(cast), right.bareOperand(cast))
        let form = ValueForm.arithmetic(operation, left, right)
        guard let digits = form.range?.digits, isProven(form) else { return nil }
        let widest = max(left.range?.digits ?? 0, right.range?.digits ?? 0)
        let isWide = widest > dialect.limits.narrowDigits || left.isConstantOperand || right.isConstantOperand
        return isWide || digits <= dialect.limits.narrowDigits ? form : nil
    }

    /// True if a sum of decimals has all digits.
    private var addsFreely: Bool { dialect.templates.cast[.decimalToTerm]?.isOperandItself == true }

    /// Returns true if a result is proven to have no more digits than the database computes.
    private func isProven(_ form: ValueForm) -> Bool {
        form.range?.isWithin(whole: dialect.limits.wholeDigits, fraction: dialect.limits.fractionDigits) == true
    }

    /// Returns the product of a decimal and a whole number in a form that allows more digits; nil if there is none.
    private func longProduct(
        _ product: ValueForm, _ left: ValueForm, _ right: ValueForm, _ wholes: (left: Bool, right: Bool)
    ) -> ValueForm? {
        guard wholes.left || wholes.right, dialect.templates.cast[.decimalToLongFactor] != nil,
            case .arithmetic(let operation, _, _) = product
        else { return nil }
        func factor(_ value: ValueForm, _ isWhole: Bool) -> ValueForm {
            let bare = value.bareOperand(.wholeToFactor)
            if isWhole, bare.range?.isWithin(whole: 10, fraction: 0) == true { return bare }
            return .cast(value, .type(isWhole ? .wholeToFactor : .decimalToLongFactor))
        }
        return .arithmetic(operation, factor(left, wholes.left), factor(right, wholes.right))
    }

    private func decimalCall(
        _ function: SQLFunction, _ left: ValueForm, _ right: ValueForm, _ path: TreePath
    ) throws(CompilationFault) -> ValueForm {
        guard dialect.templates.call[function] != nil else { throw CompilationFault(.decimalArithmetic, at: path) }
        return .call(function, [left, right])
    }

    /// Returns a number as a decimal. Functions accept whatever a column holds.
    private func decimalOperand(_ value: TypedValue) -> ValueForm {
        if let column = value.guarded { return column.bare }
        guard value.kind == .integer else { return value.form }
        if case .parameter(let parameter) = value.form, case .integer(let number) = parameter.binding {
            return form(.text(String(number)), .decimal)
        }
        return .cast(value.checked.form, .type(.integerToDecimal))
    }

    /// `-balance`
    func opposite(ofDecimal value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        try decimals(.subtract, TypedValue(form: .word("0"), kind: .decimal), value, path)
    }

    /// `abs(balance)`
    func magnitude(ofDecimal value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        let form = try call(.absolute, [value.guarded?.bare ?? value.checked.form], "abs:", path)
        return TypedValue(form: form, kind: .decimal, failures: [form])
    }
}

// MARK: - Aggregates

extension Resolver {
    /// Returns the exact sum of a value over rows, and the kind of the sum.
    func sum(
        of value: TypedValue, distinct: Bool, _ path: TreePath
    ) throws(CompilationFault) -> (form: AggregateForm, kind: ValueKind) {
        guard value.kind == .decimal else {
            let summand = try summand(value, path)
            guard summand.range?.addsUpInInt64 == true else { return (.sum(summand, distinct: distinct), .integer) }
            return (.narrowSum(summand, .integer, distinct: distinct), .integer)
        }
        guard dialect.features.contains(.decimalType) else {
            return (try function(.decimalSum, value, distinct: distinct, path), .decimal)
        }
        if limitsDigits, !addsFreely, value.form.range?.isWithin(whole: 9, fraction: 18) == true {
            return (.narrowSum(value.form, .decimal, distinct: distinct), .decimal)
        }
        guard dialect.templates.decimalSum[distinct] != nil else {
            throw CompilationFault(.decimalArithmetic, at: path)
        }
        return (.decimalSum(value.form, distinct: distinct), .decimal)
    }

    /// Returns the average of a value over rows, and the kind of the average.
    func average(
        of value: TypedValue, distinct: Bool, _ path: TreePath
    ) throws(CompilationFault) -> (form: AggregateForm, kind: ValueKind) {
        guard value.kind == .decimal else {
            return (.average(try summand(value, path), distinct: distinct), .double)
        }
        guard dialect.features.contains(.decimalType) else {
            return (try function(.decimalAverage, value, distinct: distinct, path), .decimal)
        }
        guard !distinct, dialect.templates.decimalExcess != nil else {
            throw CompilationFault(.decimalArithmetic, at: path)
        }
        return (.decimalAverage(value.form), .decimal)
    }

    /// Compares a decimal with the digits of a constant. An average is compared by the sum of its values.
    func compare(
        decimal value: ValueForm, _ relation: RelationOperator, _ digits: String, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        let constant = form(.text(digits), .decimal)
        guard value.isDecimalAverage else {
            return estimating(
                .compare(value, relation, constant), TypedValue(form: value, kind: .decimal), relation,
                TypedValue(form: constant, kind: .decimal))
        }
        let whole = digits.utf8.drop { $0 == UInt8(ascii: "-") }.prefix { $0 != UInt8(ascii: ".") }
        if limitsDigits, whole.count > 9 {
            throw CompilationFault(.value("a decimal number with so many digits"), at: path)
        }
        return .compare(value.excess(over: constant), relation, .word("0"))
    }

    /// Refuses an average of decimals that is not compared with a constant.
    func checkAverage(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) {
        if value.form.isDecimalAverage { throw CompilationFault(.decimalArithmetic, at: path) }
    }

    /// Returns the least or the greatest value over rows, and the kind of the result.
    func extreme(
        _ isLeast: Bool, of value: TypedValue, _ path: TreePath
    ) throws(CompilationFault) -> (form: AggregateForm, kind: ValueKind) {
        if value.kind == .decimal, !dialect.features.contains(.decimalType) {
            let form = try function(isLeast ? .decimalLeast : .decimalGreatest, value, distinct: false, path)
            return (form, .decimal)
        }
        let value = try ordered(value, path)
        let isText = value.kind == .string
        let form: AggregateForm =
            isLeast ? .minimum(value.form, isText: isText) : .maximum(value.form, isText: isText)
        return (form, value.kind)
    }

    /// Equal decimals may be spelled in several ways, so a database without the type cannot find distinct ones.
    private func function(
        _ function: SQLFunction, _ value: TypedValue, distinct: Bool, _ path: TreePath
    ) throws(CompilationFault) -> AggregateForm {
        guard !distinct, dialect.templates.call[function] != nil else {
            throw CompilationFault(.decimalArithmetic, at: path)
        }
        return .function(function, value.form)
    }

    /// True if a sum may be NULL because of its digits.
    func mayFail(_ sum: AggregateForm) -> Bool {
        if case .narrowSum = sum { return false }
        return if case .decimalSum = sum { limitsDigits } else { true }
    }
}

// MARK: - Results with many digits

extension Resolver {
    /// Extends an ordering of exact results, which is NULL for results with more digits than the database computes: for these,
    /// doubles decide unless their difference may be a rounding error. [NSP-412]
    ///
    ///     COALESCE(price * qty > 100, p * q - 100e0 > (abs(p * q) + 100e0) * 1e-9)
    func estimating(
        _ exact: ConditionForm, _ left: TypedValue, _ relation: RelationOperator, _ right: TypedValue
    ) -> ConditionForm {
        guard relation.isOrdering, mayExceedDigits(left.form) || mayExceedDigits(right.form) else { return exact }
        let isLess = relation == .less || relation == .lessOrEqual
        let (first, second) = (estimate(of: isLess ? right : left), estimate(of: isLess ? left : right))
        let difference = ValueForm.arithmetic(.subtract, first.value, second.value)
        let error = ValueForm.arithmetic(
            .multiply, .arithmetic(.add, first.magnitude, second.magnitude), .word("1e-9"))
        // Two sides of magnitude 0, such as a product with 0 and the constant 0, are equal.
        let decides: RelationOperator = relation.admits(.equal) ? .greaterOrEqual : .greater
        return .ifUnknown(exact, .compare(difference, decides, error))
    }

    /// Returns a form that is NULL where the value is an error of its row, but not for a result with many digits,
    /// which equals no other number.
    func failure(_ form: ValueForm) -> ValueForm {
        mayExceedDigits(form) ? estimate(form).value : form
    }

    /// Refuses an operand of an operation on doubles that is NULL because of its digits.
    func checkDigits(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) {
        if value.kind == .decimal, mayExceedDigits(value.form) { throw CompilationFault(.decimalArithmetic, at: path) }
    }

    func mayExceedDigits(_ form: ValueForm) -> Bool {
        guard limitsDigits, !isProven(form) else { return false }
        let operations = form.decimalOperations
        if operations.contains(.multiplyDecimals) { return true }
        return !operations.isEmpty && !addsFreely
    }

    private func estimate(of value: TypedValue) -> DecimalEstimate {
        value.kind == .decimal ? estimate(value.form) : DecimalEstimate(double(value).form)
    }

    /// Returns the double near a decimal.
    private func estimate(_ form: ValueForm) -> DecimalEstimate {
        switch form {
        case .arithmetic(.addDecimals, let left, let right): return sum(.add, left, right)
        case .arithmetic(.subtractDecimals, let left, let right): return sum(.subtract, left, right)
        case .arithmetic(.multiplyDecimals, let left, let right): return product(estimate(left), estimate(right))
        case .cast(let value, .type(let cast)) where cast.exactDigits != nil: return estimate(value)
        case .conditional(_, let value, .null) where value.isDecimalResult,
            .conditional(_, let value, .conditional(_, .word, .null)) where value.isDecimalResult:
            return estimate(value)
        case .call(.absolute, let arguments) where arguments.count == 1 && form.isDecimalResult:
            let inner = estimate(arguments[0])
            return DecimalEstimate(.call(.absolute, [inner.value]), inner.magnitude)
        case .cast(let value, .type(.integerToDecimal)): return DecimalEstimate(.cast(value, .type(.integerToDouble)))
        case .parameter(let parameter):
            guard case .text(let digits) = parameter.binding, let number = Double(digits) else { break }
            return DecimalEstimate(
                self.form(.double(number), .double), self.form(.double(number.magnitude), .double))
        case .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate: break
        }
        return DecimalEstimate(.cast(form, .type(.decimalToDouble)))
    }

    private func sum(_ operation: SQLPiece.Arithmetic, _ left: ValueForm, _ right: ValueForm) -> DecimalEstimate {
        let (first, second) = (estimate(left), estimate(right))
        return DecimalEstimate(
            .arithmetic(operation, first.value, second.value), .arithmetic(.add, first.magnitude, second.magnitude))
    }

    private func product(_ first: DecimalEstimate, _ second: DecimalEstimate) -> DecimalEstimate {
        let value = ValueForm.arithmetic(.multiply, first.value, second.value)
        guard first.hasOwnMagnitude || second.hasOwnMagnitude else { return DecimalEstimate(value) }
        return DecimalEstimate(value, .arithmetic(.multiply, first.magnitude, second.magnitude))
    }
}

/// The double near a decimal, and the sum of the magnitudes of its terms, which bounds its error.
private struct DecimalEstimate {
    let value: ValueForm
    let magnitude: ValueForm
    /// True if the magnitude differs from the magnitude of the value.
    let hasOwnMagnitude: Bool

    init(_ value: ValueForm) {
        (self.value, magnitude, hasOwnMagnitude) = (value, .call(.absolute, [value]), false)
    }

    init(_ value: ValueForm, _ magnitude: ValueForm) {
        (self.value, self.magnitude, hasOwnMagnitude) = (value, magnitude, true)
    }
}

extension ValueForm {
    /// True for `orders.@avg.total`, also where it is nil because a row further out is nil.
    var isDecimalAverage: Bool {
        switch self {
        case .aggregate(.decimalAverage, _, _), .conditional(_, .aggregate(.decimalAverage, _, _), .null): true
        case .parameter, .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate:
            false
        }
    }

    /// The excess of a sum over a constant for each row, in place of an average.
    func excess(over constant: ValueForm) -> ValueForm {
        switch self {
        case .aggregate(.decimalAverage(let value), let scope, let condition):
            .aggregate(.decimalExcess(value, over: constant), scope, condition)
        case .conditional(let test, let value, .null): .conditional(test, value.excess(over: constant), .null)
        case .parameter, .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate:
            self
        }
    }

    /// A chain of operations on decimals, or NULL if a factor has too many digits for an exact product. Whatever the number of
    /// digits, a product is 0 if one of two values of a row is 0, or a factor that is a sum.
    var exactDecimal: ValueForm {
        let tests = factorTests
        guard !tests.isEmpty else { return self }
        return .conditional(.all(tests), self, zeroTest.map { .conditional($0, .word("0"), .null) } ?? .null)
    }

    /// `price == 0 AND qty != nil OR qty == 0 AND price != nil`; nil for anything but a product of two values of a row, or with
    /// a sum.
    private var zeroTest: ConditionForm? {
        guard case .arithmetic(.multiplyDecimals, .cast(let left, _), .cast(let right, _)) = self else { return nil }
        let areOfRow = left.isOfRow && right.isOfRow
        let tests = [(left, right), (right, left)].filter { areOfRow || $0.0.isDecimalResult }.map { factor, other in
            ConditionForm.all([.compare(factor, .equal, .word("0")), .not(.isNull(other))])
        }
        return tests.isEmpty ? nil : .any(tests)
    }

    /// True for a value of a row: neither a constant nor a result of arithmetic on decimals.
    private var isOfRow: Bool {
        if case .parameter = self { return false }
        return decimalOperations.isEmpty
    }

    /// The tests of the factors, inner ones first: a product is only computed if its factors are exact.
    private var factorTests: [ConditionForm] {
        switch self {
        case .arithmetic(.multiplyDecimals, let left, let right), .arithmetic(.addDecimals, let left, let right),
            .arithmetic(.subtractDecimals, let left, let right):
            return left.factorTests + right.factorTests
        case .cast(let value, .type(let cast)) where cast.exactDigits != nil:
            let isExact = cast == .decimalToTerm || range != nil
            return value.factorTests + (isExact ? [] : [.compare(value, .equal, self)])
        case .parameter, .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate:
            return []
        }
    }

    /// A column of integers without its cast, a constant with a cast to few digits, or any other operand unchanged.
    fileprivate func bareOperand(_ cast: SQLPiece.Cast) -> ValueForm {
        switch self {
        case .cast(.column(let column), .type(.integerToDecimal)): .column(column)
        case .parameter: .cast(self, .type(cast))
        case .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate: self
        }
    }

    /// True for a constant as ``bareOperand(_:)`` returns it. Its type may have more digits than the constant.
    fileprivate var isConstantOperand: Bool {
        if case .cast(.parameter, _) = self { true } else { false }
    }

    /// True for a constant with so few digits that every database can multiply it exactly.
    var isShortConstant: Bool {
        guard case .parameter(let parameter) = self, case .text(let text) = parameter.binding else { return false }
        let parts = text.utf8.drop { $0 == UInt8(ascii: "-") }.split(separator: UInt8(ascii: "."))
        return parts.count <= 2 && parts.allSatisfy { $0.count <= 9 }
    }

    /// True for the result of arithmetic on decimals, which may have more digits than a column.
    var isDecimalResult: Bool { !decimalOperations.isEmpty }

    /// The operations of a chain on decimals.
    fileprivate var decimalOperations: [SQLPiece.Arithmetic] {
        switch self {
        case .arithmetic(let operation, let left, let right) where operation.isOfDecimals:
            [operation] + left.decimalOperations + right.decimalOperations
        case .cast(let value, .type(let cast)) where cast.exactDigits != nil: value.decimalOperations
        case .conditional(_, let value, .null), .conditional(_, let value, .conditional(_, .word, .null)):
            value.decimalOperations
        case .call(.absolute, let arguments): arguments.flatMap(\.decimalOperations)
        case .parameter, .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate:
            []
        }
    }
}

extension SQLPiece.Arithmetic {
    var isOfDecimals: Bool {
        switch self {
        case .addDecimals, .subtractDecimals, .multiplyDecimals: true
        case .add, .subtract, .multiply, .addIntegers, .subtractIntegers, .multiplyIntegers, .divideIntegers,
            .remainderOfIntegers, .divideDoubles, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight:
            false
        }
    }
}
