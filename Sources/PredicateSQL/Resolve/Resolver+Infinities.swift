import PredicateSyntax

/// Infinities in databases whose doubles are all finite: they are told apart before a value is worked out. [NSP-378]
extension Resolver {
    /// A quotient whose divisor may be 0 as a choice of an infinity, of what is not a number, and of the quotient.
    ///
    /// An operand that is nil is no choice: the quotient is NULL, and an error.
    func withInfinities(_ value: Value) -> Resolved {
        guard dialect.features.contains(.finiteDoubles),
            case .arithmetic(.divideDoubles, let dividend, let divisor) = value.form,
            !Value(form: divisor, kind: .double).isNonZero
        else { return .value(value) }
        let isZero = ConditionForm.all(
            value.failures.map { .not(.isNull($0)) } + [.compare(divisor, .equal, .word("0"))])
        return .choice(isZero, infinity(dividend, over: divisor), .value(value))
    }

    /// What a number divided by a zero is: it has the sign of both.
    private func infinity(_ dividend: ValueForm, over zero: ValueForm) -> Resolved {
        let (isNegative, isPositive) = (hasSign(zero, true), hasSign(zero, false))
        let above = ConditionForm.compare(dividend, .greater, .word("0"))
        let below = ConditionForm.compare(dividend, .less, .word("0"))
        let up = ConditionForm.any([.all([above, isPositive]), .all([below, isNegative])])
        let down = ConditionForm.any([.all([above, isNegative]), .all([below, isPositive])])
        return .choice(
            up, .constant(.double(.infinity)),
            .choice(down, .constant(.double(-.infinity)), .constant(.double(.nan))))
    }

    /// Tells the zeros apart; that of an integer has no sign.
    private func hasSign(_ zero: ValueForm, _ isNegative: Bool) -> ConditionForm {
        if case .cast(_, .type(.integerToDouble)) = zero { return .constant(!isNegative) }
        return .compare(.cast(zero, .type(.doubleToSign)), isNegative ? .greater : .equal, .word("0"))
    }
}

// MARK: Infinities as operands

extension Resolver {
    /// An operation on an infinity, or on what is not a number, which the database has not; nil for other operands.
    func unbounded(
        _ operation: BinaryOperation, _ left: Resolved, _ right: Resolved, _ path: TreePath
    ) throws(Fault) -> Resolved? {
        guard operation.isOfDoubles, dialect.features.contains(.finiteDoubles) else { return nil }
        if let first = left.unboundedNumber {
            if let second = right.unboundedNumber { return .constant(.double(operation.result(first, second))) }
            let other = try unboundedOperand(right, path, 1)
            return unbounded(other) { operation.result(first, $0) }
        }
        guard let second = right.unboundedNumber else { return nil }
        let other = try unboundedOperand(left, path, 0)
        // A remainder by an infinity is the number.
        if operation == .remainder, second.isInfinite { return .value(real(other.form, other.requirements)) }
        return unbounded(other) { operation.result($0, second) }
    }

    private func unboundedOperand(_ operand: Resolved, _ path: TreePath, _ index: Int) throws(Fault) -> Value {
        let value = try number(operand, path.child(index))
        if value.kind == .power { throw Fault(.kindDependsOnRow, at: path) }
        return self.operand(value.checked)
    }

    /// The result for a finite number depends on its sign alone. NULL is an error, or what is not a number.
    private func unbounded(_ value: Value, _ result: (Double) -> Double) -> Resolved {
        if case .parameter(let parameter) = value.form, case .double(let number) = parameter.binding {
            return .constant(.double(result(number)))
        }
        func test(_ relation: RelationOperator) -> ConditionForm { .compare(value.form, relation, .word("0")) }
        func constant(_ number: Double) -> Resolved { .constant(.double(result(number))) }
        let zero = Resolved.choice(hasSign(value.form, true), constant(-0.0), constant(0.0))
        return .choice(
            test(.greater), constant(1),
            .choice(
                test(.less), constant(-1),
                .choice(test(.equal), zero, .value(real(value.form, value.requirements)))))
    }

    /// A function of an infinity, or of what is not a number.
    func unbounded(_ function: FunctionExpression.Predefined, _ argument: Resolved) -> Resolved? {
        guard dialect.features.contains(.finiteDoubles), let number = argument.unboundedNumber else { return nil }
        switch function {
        case .negate: return .constant(.double(-number))
        case .abs: return .constant(.double(number.magnitude))
        case .floor, .ceiling, .trunc: return .constant(.double(number))
        case .sqrt: return .constant(.double(number.squareRoot()))
        default: return nil
        }
    }
}

extension Resolved {
    /// A constant that no database of finite doubles holds.
    fileprivate var unboundedNumber: Double? {
        if case .constant(.double(let number)) = self, !number.isFinite { number } else { nil }
    }
}

extension BinaryOperation {
    fileprivate var isOfDoubles: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .remainder: true
        case .power, .bits: false
        }
    }

    /// The result for two doubles.
    fileprivate func result(_ left: Double, _ right: Double) -> Double {
        switch self {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        case .remainder: left.truncatingRemainder(dividingBy: right)
        case .power, .bits: .nan
        }
    }
}
