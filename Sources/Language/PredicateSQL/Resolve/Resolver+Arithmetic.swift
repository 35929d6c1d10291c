import PredicateSyntax

/// An arithmetic operation on two numbers.
enum BinaryOperation: Equatable {
    case add, subtract, multiply, divide, remainder, power
    case bits(SQLPiece.Arithmetic)

    init?(_ function: FunctionExpression.Predefined) {
        switch function {
        case .add: self = .add
        case .subtract: self = .subtract
        case .multiply: self = .multiply
        case .divide: self = .divide
        case .modulus: self = .remainder
        case .power: self = .power
        case .bitwiseAnd: self = .bits(.bitAnd)
        case .bitwiseOr: self = .bits(.bitOr)
        case .bitwiseXor: self = .bits(.bitXor)
        case .leftShift: self = .bits(.shiftLeft)
        case .rightShift: self = .bits(.shiftRight)
        case .sum, .count, .min, .max, .average, .median, .mode, .stddev, .sqrt, .log, .ln, .exp, .floor, .ceiling,
            .abs, .trunc, .negate, .uppercase, .lowercase, .random, .randomn, .now, .onesComplement, .noindex,
            .length, .distance:
            return nil
        }
    }
}

extension Resolver {
    /// Combines two numbers. Two integers give an exact integer or an error, and so do a decimal and an integer or
    /// another decimal; if one operand is a double, both are converted to doubles. [NSP-344]
    func binary(
        _ operation: BinaryOperation, _ left: TypedValue, _ right: TypedValue, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        if left.kind == .decimal || right.kind == .decimal {
            if operation == .power || left.kind != .double && right.kind != .double {
                return try decimals(operation, left, right, path)
            }
        }
        if case .bits(let bits) = operation { return try self.bits(bits, left, right, path) }
        if case .power = operation { return try power(left, right, path) }
        if left.kind == .power && right.kind != .double || right.kind == .power && left.kind != .double {
            throw CompilationFault(.kindDependsOnRow, at: path)
        }
        if left.kind == .integer, right.kind == .integer { return try integers(operation, left, right, path) }
        for value in [left, right] { try checkDigits(value, path) }
        return try doubles(operation, operand(left), operand(right), path)
    }

    /// Returns an operand of an operation on doubles. A constant integer becomes a constant double.
    func operand(_ value: TypedValue) -> TypedValue {
        guard value.kind == .integer else { return double(value) }
        guard let number = value.constantInteger else { return double(value) }
        return TypedValue(form: form(.double(Double(number)), .double), kind: .double, mayBeNil: false)
    }

    private func integers(
        _ operation: BinaryOperation, _ left: TypedValue, _ right: TypedValue, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        if let constant = try constantResult(operation, left, right, path) { return constant }
        let form: ValueForm
        switch operation {
        case .add: form = .arithmetic(.addIntegers, left.form, right.form)
        case .subtract: form = .arithmetic(.subtractIntegers, left.form, right.form)
        case .multiply: form = .arithmetic(.multiplyIntegers, left.form, right.form)
        case .divide: form = try arithmetic(.divideIntegers, left.form, right.form, path)
        case .remainder:
            let form = try arithmetic(.remainderOfIntegers, left.checked.form, right.checked.form, path)
            return TypedValue(form: form, kind: .integer, mayBeNil: false, failures: [form])
        case .power, .bits: throw CompilationFault(.kindDependsOnRow, at: path)
        }
        return TypedValue(form: form, kind: .integer, mayBeNil: false, failures: [form], isUnchecked: true)
    }

    /// Returns the result for two constant integers, `60 * 60`, which is bound as 3600; nil if one is not constant.
    private func constantResult(
        _ operation: BinaryOperation, _ left: TypedValue, _ right: TypedValue, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue? {
        guard let second = right.constantInteger else { return nil }
        let isDivision = operation == .divide || operation == .remainder
        if isDivision, second == 0 {
            throw CompilationFault(.expected(.nonzeroDivisor, found: .other("0")), at: path.child(1))
        }
        guard let first = left.constantInteger, let (number, isPast) = operation.result(first, second) else {
            return nil
        }
        if isPast { throw CompilationFault(.expected(.integerOf64Bits, found: .other("a larger one")), at: path) }
        return TypedValue(form: form(.integer(number), .integer), kind: .integer, mayBeNil: false)
    }

    private func doubles(
        _ operation: BinaryOperation, _ left: TypedValue, _ right: TypedValue, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        let form: ValueForm
        switch operation {
        case .add: form = .arithmetic(.add, left.form, right.form)
        case .subtract: form = .arithmetic(.subtract, left.form, right.form)
        case .multiply: form = .arithmetic(.multiply, left.form, right.form)
        case .divide where right.isNonZero || dialect.features.contains(.finiteDoubles):
            form = try arithmetic(.divideDoubles, left.form, right.form, path)
        case .divide: form = try call(.divide, [left.form, right.form], "division by a value that may be zero", path)
        case .remainder: form = try call(.remainder, [left.form, right.form], "modulus:by:", path)
        case .power, .bits: throw CompilationFault(.kindDependsOnRow, at: path)
        }
        return real(form, left.requirements + right.requirements)
    }

    func real(_ form: ValueForm, _ requirements: [ValueForm]) -> TypedValue {
        TypedValue(form: form, kind: .double, mayBeNil: false, failures: requirements, mayBeNaN: true)
    }

    private func arithmetic(
        _ operation: SQLPiece.Arithmetic, _ left: ValueForm, _ right: ValueForm, _ path: TreePath
    ) throws(CompilationFault) -> ValueForm {
        guard dialect.templates.arithmetic[operation] != nil else {
            throw CompilationFault(.function("this operation", dialect: dialect.name), at: path)
        }
        return .arithmetic(operation, left, right)
    }

    /// An integer raised to a constant nonnegative integer is an integer if the result fits in 64 bits. A power of doubles is a
    /// double. [NSP-175]
    private func power(_ left: TypedValue, _ right: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue
    {
        if left.kind == .power || right.kind == .power { throw CompilationFault(.kindDependsOnRow, at: path) }
        if let base = left.constantInteger, let power = right.constantInteger.flatMap(base.exactPower) {
            return TypedValue(form: self.form(.integer(power), .integer), kind: .integer)
        }
        let form = try call(.power, [left.checked.form, right.checked.form], "**", path)
        if left.kind == .double || right.kind == .double {
            return real(form, left.checked.requirements + right.checked.requirements)
        }
        guard let exponent = right.constantInteger else { throw CompilationFault(.kindDependsOnRow, at: path) }
        if exponent < 0 { return real(form, left.checked.requirements) }
        return TypedValue(form: form, kind: exponent < 2 ? .integer : .power, failures: left.checked.requirements)
    }

    private func bits(
        _ operation: SQLPiece.Arithmetic, _ left: TypedValue, _ right: TypedValue, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        let (left, right) = (try integer(left, path.child(0)), try integer(right, path.child(1)))
        if operation == .shiftLeft || operation == .shiftRight {
            guard let count = right.constantInteger, (0...63).contains(count) else {
                return try shift(operation, left, by: right, path)
            }
        }
        let form = try arithmetic(operation, left.form, right.form, path)
        return TypedValue(form: form, kind: .integer, mayBeNil: false, failures: left.requirements + right.requirements)
    }

    /// A shift by a number of bits that varies by row. A shift by more than 63 bits leaves zeros, or the sign; a
    /// shift by a negative number is an error. Databases disagree in these cases. [NSP-342]
    private func shift(
        _ operation: SQLPiece.Arithmetic, _ value: TypedValue, by count: TypedValue, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        if let count = count.constantInteger, count < 0 {
            throw CompilationFault(.construct("a shift by a negative number"), at: path.child(1))
        }
        let (none, width) = (form(.integer(0), .integer), form(.integer(64), .integer))
        let isPast = ConditionForm.all([.compare(count.form, .greaterOrEqual, width), .not(.isNull(value.form))])
        let isWithin = ConditionForm.all([
            .compare(count.form, .greaterOrEqual, none), .compare(count.form, .less, width),
        ])
        let sign = try arithmetic(.shiftRight, value.form, form(.integer(63), .integer), path)
        let rest = ValueForm.conditional(isPast, operation == .shiftLeft ? none : sign, .null)
        let shifted = ValueForm.conditional(isWithin, try arithmetic(operation, value.form, count.form, path), rest)
        return TypedValue(form: shifted, kind: .integer, mayBeNil: false, failures: [shifted])
    }

    /// Returns a value as an operand of bit operations. A constant double must be a whole number.
    private func integer(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        if value.kind == .integer { return value.checked }
        if case .parameter(let parameter) = value.form, case .double(let number) = parameter.binding {
            guard let whole = Int64(exactly: number) else {
                throw CompilationFault(.expected(.integer, found: .other("a fraction")), at: path)
            }
            return TypedValue(form: form(.integer(whole), .integer), kind: .integer, mayBeNil: false)
        }
        throw CompilationFault(.construct("an operation on the bits of \(value.kind.operand.words)"), at: path)
    }

    /// A function of one number.
    func unary(_ function: FunctionExpression.Predefined, _ value: TypedValue, _ path: TreePath)
        throws(CompilationFault) -> TypedValue
    {
        if value.kind == .decimal {
            switch function {
            case .negate: return try opposite(ofDecimal: value, path)
            case .abs: return try magnitude(ofDecimal: value, path)
            case .sqrt: break
            default: throw CompilationFault(.decimalArithmetic, at: path)
            }
        }
        if value.kind == .power, [.negate, .abs, .onesComplement].contains(function) {
            throw CompilationFault(.kindDependsOnRow, at: path)
        }
        switch function {
        case .negate where value.kind == .integer:
            return try opposite(of: value, path)
        case .negate: return try doubles(.multiply, value, try number(.constant(.double(-1)), path), path)
        case .abs where value.kind == .integer: return try magnitude(of: value.checked, path)
        case .abs: return try rounded(.absolute, value.checked, "abs:", path)
        case .floor, .ceiling, .trunc:
            let function: SQLFunction = function == .floor ? .floor : function == .ceiling ? .ceiling : .truncate
            // The result for an integer is the integer itself, but nil is still an error.
            if value.kind.isWhole || value.kind == .power { return failing(whole(value)) }
            return try rounded(function, value, function.name, path)
        case .onesComplement:
            let operand = try integer(value, path)
            let form = ValueForm.arithmetic(.subtract, .word("-1"), operand.form)
            return TypedValue(form: form, kind: .integer, mayBeNil: false, failures: operand.requirements)
        case .sqrt: return try real(.squareRoot, value, "sqrt:", path)
        case .ln: return try real(.naturalLogarithm, value, "ln:", path)
        case .log: return try real(.decimalLogarithm, value, "log:", path)
        case .exp: return try real(.exponential, value, "exp:", path)
        default: throw CompilationFault(.construct(function.rawValue), at: path)
        }
    }

    private func opposite(of value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        try integers(.subtract, TypedValue(form: .word("0"), kind: .integer, mayBeNil: false), value, path)
    }

    /// Returns the absolute value of an integer. The negation of the least integer exceeds 64 bits, for which
    /// databases report an error.
    private func magnitude(of value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        let isPositive = ConditionForm.compare(value.form, .greaterOrEqual, .word("0"))
        let form = ValueForm.conditional(isPositive, value.form, try opposite(of: value, path).checked.form)
        return TypedValue(form: form, kind: .integer, mayBeNil: false, failures: [form])
    }

    private func failing(_ value: TypedValue) -> TypedValue {
        var copy = value
        copy.failures = value.requirements
        copy.mayBeNil = false
        return copy
    }

    private func rounded(
        _ function: SQLFunction, _ value: TypedValue, _ name: String, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        let form = try call(function, [value.form], name, path)
        if value.kind == .double { return real(form, value.requirements) }
        return TypedValue(form: form, kind: .integer, mayBeNil: false, failures: [form])
    }

    private func real(
        _ function: SQLFunction, _ value: TypedValue, _ name: String, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        try checkDigits(value, path)
        let operand = operand(value)
        return real(try call(function, [operand.form], name, path), operand.requirements)
    }
}

extension Int64 {
    /// Returns this integer to a power; nil for a negative exponent, and if the result exceeds 64 bits.
    fileprivate func exactPower(_ exponent: Int64) -> Int64? {
        guard exponent >= 0 else { return nil }
        var (result, square, rest): (Int64, Int64, Int64) = (1, self, exponent)
        while rest > 0 {
            if rest & 1 == 1 {
                let (product, overflows) = result.multipliedReportingOverflow(by: square)
                if overflows { return nil }
                result = product
            }
            rest >>= 1
            let (next, overflows) = square.multipliedReportingOverflow(by: square)
            if overflows, rest > 0 { return nil }
            square = next
        }
        return result
    }
}

extension BinaryOperation {
    /// Returns the result for two integers and its overflow; nil for an operation that is not folded.
    fileprivate func result(_ left: Int64, _ right: Int64) -> (partialValue: Int64, overflow: Bool)? {
        switch self {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        case .divide: left.dividedReportingOverflow(by: right)
        case .remainder, .power, .bits: nil
        }
    }
}

extension TypedValue {
    /// The value of a constant integer; nil for any other value.
    fileprivate var constantInteger: Int64? {
        guard case .parameter(let parameter) = form, case .integer(let number) = parameter.binding else { return nil }
        return number
    }

    /// True for a constant double other than zero.
    var isNonZero: Bool {
        guard case .parameter(let parameter) = form, case .double(let number) = parameter.binding else { return false }
        return number != 0 && !number.isNaN
    }
}
