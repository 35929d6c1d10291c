import PredicateSyntax

/// A function of two numbers.
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
    /// Two numbers put together: integers exactly, or an error; a double beside anything as doubles. [NSP-344]
    func binary(
        _ operation: BinaryOperation, _ left: Value, _ right: Value, _ path: TreePath
    ) throws(Fault) -> Value {
        if left.kind == .decimal || right.kind == .decimal {
            if operation == .power { throw Fault(.function("** of decimal numbers", dialect: dialect.name), at: path) }
            if left.kind != .double, right.kind != .double { throw Fault(.decimalArithmetic, at: path) }
        }
        if case .bits(let bits) = operation { return try self.bits(bits, left, right, path) }
        if case .power = operation { return try power(left, right, path) }
        if left.kind == .power && right.kind != .double || right.kind == .power && left.kind != .double {
            throw Fault(.kindDependsOnRow, at: path)
        }
        if left.kind == .integer, right.kind == .integer { return try integers(operation, left, right, path) }
        return try doubles(operation, operand(left), operand(right), path)
    }

    /// An operand of an operation on doubles; a constant integer becomes a constant double.
    func operand(_ value: Value) -> Value {
        guard value.kind == .integer else { return double(value) }
        guard let number = value.constantInteger else { return double(value) }
        return Value(form: form(.double(Double(number)), .double), kind: .double, mayBeNil: false)
    }

    private func integers(
        _ operation: BinaryOperation, _ left: Value, _ right: Value, _ path: TreePath
    ) throws(Fault) -> Value {
        if let constant = try constantResult(operation, left, right, path) { return constant }
        let form: ValueForm
        switch operation {
        case .add: form = .arithmetic(.addIntegers, left.form, right.form)
        case .subtract: form = .arithmetic(.subtractIntegers, left.form, right.form)
        case .multiply: form = .arithmetic(.multiplyIntegers, left.form, right.form)
        case .divide: form = try arithmetic(.divideIntegers, left.form, right.form, path)
        case .remainder:
            let form = try arithmetic(.remainderOfIntegers, left.checked.form, right.checked.form, path)
            return Value(form: form, kind: .integer, mayBeNil: false, failures: [form])
        case .power, .bits: throw Fault(.kindDependsOnRow, at: path)
        }
        return Value(form: form, kind: .integer, mayBeNil: false, failures: [form], isUnchecked: true)
    }

    /// The result for two constant integers: `60 * 60` is bound as 3600. Nil where one is not constant.
    private func constantResult(
        _ operation: BinaryOperation, _ left: Value, _ right: Value, _ path: TreePath
    ) throws(Fault) -> Value? {
        guard let second = right.constantInteger else { return nil }
        let isDivision = operation == .divide || operation == .remainder
        if isDivision, second == 0 {
            throw Fault(.expected(.nonzeroDivisor, found: "0"), at: path.child(1))
        }
        guard let first = left.constantInteger, let (number, isPast) = operation.result(first, second) else {
            return nil
        }
        if isPast { throw Fault(.expected(.integerOf64Bits, found: "one past them"), at: path) }
        return Value(form: form(.integer(number), .integer), kind: .integer, mayBeNil: false)
    }

    private func doubles(
        _ operation: BinaryOperation, _ left: Value, _ right: Value, _ path: TreePath
    ) throws(Fault) -> Value {
        let form: ValueForm
        switch operation {
        case .add: form = .arithmetic(.add, left.form, right.form)
        case .subtract: form = .arithmetic(.subtract, left.form, right.form)
        case .multiply: form = .arithmetic(.multiply, left.form, right.form)
        case .divide where right.isNonZero || dialect.features.contains(.finiteDoubles):
            form = try arithmetic(.divideDoubles, left.form, right.form, path)
        case .divide: form = try call(.divide, [left.form, right.form], "division by what may be zero", path)
        case .remainder: form = try call(.remainder, [left.form, right.form], "modulus:by:", path)
        case .power, .bits: throw Fault(.kindDependsOnRow, at: path)
        }
        return real(form, left.requirements + right.requirements)
    }

    func real(_ form: ValueForm, _ requirements: [ValueForm]) -> Value {
        Value(form: form, kind: .double, mayBeNil: false, failures: requirements, mayBeNaN: true)
    }

    private func arithmetic(
        _ operation: SQLPiece.Arithmetic, _ left: ValueForm, _ right: ValueForm, _ path: TreePath
    ) throws(Fault) -> ValueForm {
        guard dialect.templates.arithmetic(operation) != nil else {
            throw Fault(.function("this operation", dialect: dialect.name), at: path)
        }
        return .arithmetic(operation, left, right)
    }

    /// An integer to a power that is a constant, whole and not negative is an integer where 64 bits hold it; doubles give
    /// doubles. [NSP-175]
    private func power(_ left: Value, _ right: Value, _ path: TreePath) throws(Fault) -> Value {
        if left.kind == .power || right.kind == .power { throw Fault(.kindDependsOnRow, at: path) }
        if let base = left.constantInteger, let power = right.constantInteger.flatMap(base.exactPower) {
            return Value(form: self.form(.integer(power), .integer), kind: .integer)
        }
        let form = try call(.power, [left.checked.form, right.checked.form], "**", path)
        if left.kind == .double || right.kind == .double {
            return real(form, left.checked.requirements + right.checked.requirements)
        }
        guard let exponent = right.constantInteger else { throw Fault(.kindDependsOnRow, at: path) }
        if exponent < 0 { return real(form, left.checked.requirements) }
        return Value(form: form, kind: exponent < 2 ? .integer : .power, failures: left.checked.requirements)
    }

    private func bits(
        _ operation: SQLPiece.Arithmetic, _ left: Value, _ right: Value, _ path: TreePath
    ) throws(Fault) -> Value {
        let (left, right) = (try integer(left, path.child(0)), try integer(right, path.child(1)))
        if operation == .shiftLeft || operation == .shiftRight {
            guard let count = right.constantInteger, (0...63).contains(count) else {
                return try shift(operation, left, by: right, path)
            }
        }
        let form = try arithmetic(operation, left.form, right.form, path)
        return Value(form: form, kind: .integer, mayBeNil: false, failures: left.requirements + right.requirements)
    }

    /// A shift by a number of bits that the row decides: past 63 zeros are left, or the sign, and below none it is an error, where
    /// databases do what they like. [NSP-342]
    private func shift(
        _ operation: SQLPiece.Arithmetic, _ value: Value, by count: Value, _ path: TreePath
    ) throws(Fault) -> Value {
        if let count = count.constantInteger, count < 0 {
            throw Fault(.construct("a shift by a number below 0"), at: path.child(1))
        }
        let (none, width) = (form(.integer(0), .integer), form(.integer(64), .integer))
        let isPast = ConditionForm.all([.compare(count.form, .greaterOrEqual, width), .not(.isNull(value.form))])
        let isWithin = ConditionForm.all([
            .compare(count.form, .greaterOrEqual, none), .compare(count.form, .less, width),
        ])
        let sign = try arithmetic(.shiftRight, value.form, form(.integer(63), .integer), path)
        let rest = ValueForm.conditional(isPast, operation == .shiftLeft ? none : sign, .null)
        let shifted = ValueForm.conditional(isWithin, try arithmetic(operation, value.form, count.form, path), rest)
        return Value(form: shifted, kind: .integer, mayBeNil: false, failures: [shifted])
    }

    /// An operand of bit operations: a constant double may be a whole number.
    private func integer(_ value: Value, _ path: TreePath) throws(Fault) -> Value {
        if value.kind == .integer { return value.checked }
        if case .parameter(let parameter) = value.form, case .double(let number) = parameter.binding {
            guard let whole = Int64(exactly: number) else {
                throw Fault(.expected(.integer, found: "a fraction"), at: path)
            }
            return Value(form: form(.integer(whole), .integer), kind: .integer, mayBeNil: false)
        }
        throw Fault(.construct("an operation on the bits of \(value.kind.name)"), at: path)
    }

    /// A function of one number.
    func unary(_ function: FunctionExpression.Predefined, _ value: Value, _ path: TreePath) throws(Fault) -> Value {
        if value.kind == .decimal, function != .sqrt { throw Fault(.decimalArithmetic, at: path) }
        if value.kind == .power, [.negate, .abs, .onesComplement].contains(function) {
            throw Fault(.kindDependsOnRow, at: path)
        }
        switch function {
        case .negate where value.kind == .integer:
            return try opposite(of: value, path)
        case .negate: return try doubles(.multiply, value, try number(.constant(.double(-1)), path), path)
        case .abs where value.kind == .integer: return try magnitude(of: value.checked, path)
        case .abs: return try rounded(.absolute, value.checked, "abs:", path)
        case .floor, .ceiling, .trunc:
            let function: SQLFunction = function == .floor ? .floor : function == .ceiling ? .ceiling : .truncate
            // Of an integer it is the integer, and nil an error all the same.
            if value.kind == .integer || value.kind == .power { return failing(value) }
            return try rounded(function, value, function.name, path)
        case .onesComplement:
            let operand = try integer(value, path)
            let form = ValueForm.arithmetic(.subtract, .word("-1"), operand.form)
            return Value(form: form, kind: .integer, mayBeNil: false, failures: operand.requirements)
        case .sqrt: return try real(.squareRoot, value, "sqrt:", path)
        case .ln: return try real(.naturalLogarithm, value, "ln:", path)
        case .log: return try real(.decimalLogarithm, value, "log:", path)
        case .exp: return try real(.exponential, value, "exp:", path)
        default: throw Fault(.construct(function.rawValue), at: path)
        }
    }

    private func opposite(of value: Value, _ path: TreePath) throws(Fault) -> Value {
        try integers(.subtract, Value(form: .word("0"), kind: .integer, mayBeNil: false), value, path)
    }

    /// The integer or its opposite, which 64 bits may not hold: databases end the statement where they do not.
    private func magnitude(of value: Value, _ path: TreePath) throws(Fault) -> Value {
        let isPositive = ConditionForm.compare(value.form, .greaterOrEqual, .word("0"))
        let form = ValueForm.conditional(isPositive, value.form, try opposite(of: value, path).checked.form)
        return Value(form: form, kind: .integer, mayBeNil: false, failures: [form])
    }

    private func failing(_ value: Value) -> Value {
        var copy = value
        copy.failures = value.requirements
        copy.mayBeNil = false
        return copy
    }

    private func rounded(
        _ function: SQLFunction, _ value: Value, _ name: String, _ path: TreePath
    ) throws(Fault) -> Value {
        let form = try call(function, [value.form], name, path)
        if value.kind == .double { return real(form, value.requirements) }
        return Value(form: form, kind: .integer, mayBeNil: false, failures: [form])
    }

    private func real(
        _ function: SQLFunction, _ value: Value, _ name: String, _ path: TreePath
    ) throws(Fault) -> Value {
        let operand = operand(value)
        return real(try call(function, [operand.form], name, path), operand.requirements)
    }
}

extension Int64 {
    /// This integer to a power; nil for a negative one, and where 64 bits do not hold the result.
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
    /// The result for two integers, and its overflow; nil for an operation that is not folded.
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

extension Value {
    /// The value of a constant integer; nil for other values.
    fileprivate var constantInteger: Int64? {
        guard case .parameter(let parameter) = form, case .integer(let number) = parameter.binding else { return nil }
        return number
    }

    /// True for a constant double that is not zero.
    var isNonZero: Bool {
        guard case .parameter(let parameter) = form, case .double(let number) = parameter.binding else { return false }
        return number != 0 && !number.isNaN
    }
}
