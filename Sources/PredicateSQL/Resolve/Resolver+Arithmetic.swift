import PredicateSyntax

/// A function of two numbers.
enum BinaryOperation: Equatable {
    case add, subtract, multiply, divide, remainder, power
    case bits(SQLArithmetic)

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
    /// Two numbers put together: integers exactly, or an error; a double beside anything as doubles.
    func binary(
        _ operation: BinaryOperation, _ left: Value, _ right: Value, _ place: Place
    ) throws(Fault) -> Value {
        if left.kind == .decimal || right.kind == .decimal { throw Fault(.decimalArithmetic, at: place) }
        if case .bits(let bits) = operation { return try self.bits(bits, left, right, place) }
        if case .power = operation { return try power(left, right, place) }
        if left.kind == .integer, right.kind == .integer { return try integers(operation, left, right, place) }
        return try doubles(operation, operand(left), operand(right), place)
    }

    /// An operand of an operation on doubles; a known integer becomes a double now.
    private func operand(_ value: Value) -> Value {
        guard value.kind == .integer else { return value }
        guard let number = value.knownInteger else { return double(value) }
        return Value(form: form(.double(Double(number)), .double), kind: .double, mayBeNil: false)
    }

    private func integers(
        _ operation: BinaryOperation, _ left: Value, _ right: Value, _ place: Place
    ) throws(Fault) -> Value {
        if let known = try known(operation, left, right, place) { return known }
        let form: ValueForm
        switch operation {
        case .add: form = .arithmetic(.add, left.form, right.form)
        case .subtract: form = .arithmetic(.subtract, left.form, right.form)
        case .multiply: form = .arithmetic(.multiply, left.form, right.form)
        case .divide: form = try arithmetic(.divideIntegers, left.form, right.form, place)
        case .remainder:
            let form = try arithmetic(.remainderOfIntegers, left.checked.form, right.checked.form, place)
            return Value(form: form, kind: .integer, mayBeNil: false, failures: [form])
        case .power, .bits: throw Fault(.kindDependsOnRow, at: place)
        }
        return Value(form: form, kind: .integer, mayBeNil: false, failures: [form], isUnchecked: true)
    }

    /// What two known integers come to: `60 * 60` is bound as 3600. Nil where one is not known.
    private func known(
        _ operation: BinaryOperation, _ left: Value, _ right: Value, _ place: Place
    ) throws(Fault) -> Value? {
        guard let second = right.knownInteger else { return nil }
        let isDivision = operation == .divide || operation == .remainder
        if isDivision, second == 0 {
            throw Fault(.expected("a divisor other than 0", found: "0"), at: place.child(1))
        }
        guard let first = left.knownInteger, let (number, isPast) = operation.result(first, second) else { return nil }
        if isPast { throw Fault(.expected("an integer of 64 bits", found: "one past them"), at: place) }
        return Value(form: form(.integer(number), .integer), kind: .integer, mayBeNil: false)
    }

    private func doubles(
        _ operation: BinaryOperation, _ left: Value, _ right: Value, _ place: Place
    ) throws(Fault) -> Value {
        let form: ValueForm
        switch operation {
        case .add: form = .arithmetic(.add, left.form, right.form)
        case .subtract: form = .arithmetic(.subtract, left.form, right.form)
        case .multiply: form = .arithmetic(.multiply, left.form, right.form)
        case .divide where right.isNonZero: form = try arithmetic(.divideDoubles, left.form, right.form, place)
        case .divide: form = try call(.divide, [left.form, right.form], "division by what may be zero", place)
        case .remainder: form = try call(.remainder, [left.form, right.form], "modulus:by:", place)
        case .power, .bits: throw Fault(.kindDependsOnRow, at: place)
        }
        return real(form, left.requirements + right.requirements)
    }

    private func real(_ form: ValueForm, _ requirements: [ValueForm]) -> Value {
        Value(form: form, kind: .double, mayBeNil: false, failures: requirements, mayBeNaN: true)
    }

    private func arithmetic(
        _ operation: SQLArithmetic, _ left: ValueForm, _ right: ValueForm, _ place: Place
    ) throws(Fault) -> ValueForm {
        guard dialect.templates.arithmetic(operation) != nil else {
            throw Fault(.function("this operation", dialect: dialect.name), at: place)
        }
        return .arithmetic(operation, left, right)
    }

    /// An integer to a power that is known to be whole and not negative is an integer; doubles give doubles.
    private func power(_ left: Value, _ right: Value, _ place: Place) throws(Fault) -> Value {
        let form = try call(.power, [left.checked.form, right.checked.form], "**", place)
        if left.kind == .double || right.kind == .double {
            return real(form, left.checked.requirements + right.checked.requirements)
        }
        guard let exponent = right.knownInteger else { throw Fault(.kindDependsOnRow, at: place) }
        if exponent < 0 { return real(form, left.checked.requirements) }
        return Value(form: form, kind: .integer, mayBeNil: false, failures: [form])
    }

    private func bits(
        _ operation: SQLArithmetic, _ left: Value, _ right: Value, _ place: Place
    ) throws(Fault) -> Value {
        let (left, right) = (try integer(left, place.child(0)), try integer(right, place.child(1)))
        if operation == .shiftLeft || operation == .shiftRight {
            // Past 63 bits, and below none, databases do what they like.
            guard let count = right.knownInteger, (0...63).contains(count) else {
                throw Fault(.construct("a shift by anything but 0 to 63 bits"), at: place.child(1))
            }
        }
        let form = try arithmetic(operation, left.form, right.form, place)
        return Value(form: form, kind: .integer, mayBeNil: false, failures: left.requirements + right.requirements)
    }

    /// An operand of bit operations: a double that is known may be a whole number.
    private func integer(_ value: Value, _ place: Place) throws(Fault) -> Value {
        if value.kind == .integer { return value.checked }
        if case .parameter(let parameter) = value.form, case .double(let number) = parameter.binding {
            guard let whole = Int64(exactly: number) else {
                throw Fault(.expected("an integer", found: "a fraction"), at: place)
            }
            return Value(form: form(.integer(whole), .integer), kind: .integer, mayBeNil: false)
        }
        throw Fault(.construct("an operation on the bits of \(value.kind.name)"), at: place)
    }

    /// A function of one number.
    func unary(_ function: FunctionExpression.Predefined, _ value: Value, _ place: Place) throws(Fault) -> Value {
        if value.kind == .decimal { throw Fault(.decimalArithmetic, at: place) }
        switch function {
        case .negate where value.kind == .integer:
            return try integers(.subtract, Value(form: .word("0"), kind: .integer, mayBeNil: false), value, place)
        case .negate: return try doubles(.multiply, value, try number(.constant(.double(-1)), place), place)
        case .abs: return try rounded(.absolute, value.checked, "abs:", place)
        case .floor, .ceiling, .trunc:
            let function: SQLFunction = function == .floor ? .floor : function == .ceiling ? .ceiling : .truncate
            // Of an integer it is the integer, and nil an error all the same.
            if value.kind == .integer { return failing(value) }
            return try rounded(function, value, function.name, place)
        case .onesComplement:
            let operand = try integer(value, place)
            let form = ValueForm.arithmetic(.subtract, .word("-1"), operand.form)
            return Value(form: form, kind: .integer, mayBeNil: false, failures: operand.requirements)
        case .sqrt: return try real(.squareRoot, value, "sqrt:", place)
        case .ln: return try real(.naturalLogarithm, value, "ln:", place)
        case .log: return try real(.decimalLogarithm, value, "log:", place)
        case .exp: return try real(.exponential, value, "exp:", place)
        default: throw Fault(.construct(function.rawValue), at: place)
        }
    }

    private func failing(_ value: Value) -> Value {
        var copy = value
        copy.failures = value.requirements
        copy.mayBeNil = false
        return copy
    }

    private func rounded(
        _ function: SQLFunction, _ value: Value, _ name: String, _ place: Place
    ) throws(Fault) -> Value {
        let form = try call(function, [value.form], name, place)
        if value.kind == .double { return real(form, value.requirements) }
        return Value(form: form, kind: .integer, mayBeNil: false, failures: [form])
    }

    private func real(
        _ function: SQLFunction, _ value: Value, _ name: String, _ place: Place
    ) throws(Fault) -> Value {
        let operand = operand(value)
        return real(try call(function, [operand.form], name, place), operand.requirements)
    }
}

extension BinaryOperation {
    /// What it makes of two integers, and whether that lies past 64 bits; nil of what is not worked out here.
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
    /// An integer that is known.
    fileprivate var knownInteger: Int64? {
        guard case .parameter(let parameter) = form, case .integer(let number) = parameter.binding else { return nil }
        return number
    }

    /// A double that is known and not zero.
    fileprivate var isNonZero: Bool {
        guard case .parameter(let parameter) = form, case .double(let number) = parameter.binding else { return false }
        return number != 0 && !number.isNaN
    }
}
