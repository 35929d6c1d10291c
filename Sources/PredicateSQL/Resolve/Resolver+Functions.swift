#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateSyntax

extension Resolver {
    /// A call of a function by name.
    func resolve(_ call: FunctionExpression, _ path: TreePath) throws(Fault) -> Resolved {
        guard case .predefined(let function) = call.function else {
            throw Fault(.hostFunction(call.function.name), at: path)
        }
        guard function.arity.contains(call.arguments.count) else {
            throw Fault(
                .expected(.arguments(function.arity.lowerBound), found: "\(call.arguments.count)"), at: path)
        }
        var arguments: [Resolved] = []
        for (index, argument) in call.arguments.enumerated() {
            arguments.append(try resolve(argument, path.child(index)))
        }
        return try apply(function, arguments, path)
    }

    private func apply(
        _ function: FunctionExpression.Predefined, _ arguments: [Resolved], _ path: TreePath
    ) throws(Fault) -> Resolved {
        if let operation = BinaryOperation(function), arguments.count == 2 {
            return try lifting(arguments[0], arguments[1], path) { (left, right) throws(Fault) in
                if let result = try self.unbounded(operation, left, right, path) { return result }
                let left = try self.number(left, path.child(0))
                let value = try self.binary(operation, left, try self.number(right, path.child(1)), path)
                return self.withInfinities(value)
            }
        }
        guard let argument = arguments.first else {
            guard function == .now else { throw Fault(.construct(function.rawValue), at: path) }
            return .constant(.date(Date()))
        }
        return try lifting(argument, .constant(.null), path) { (argument, _) throws(Fault) in
            try self.apply(function, argument, path)
        }
    }

    private func apply(
        _ function: FunctionExpression.Predefined, _ argument: Resolved, _ path: TreePath
    ) throws(Fault) -> Resolved {
        if let result = unbounded(function, argument) { return result }
        switch function {
        case .noindex: return argument
        case .sum, .count: return try statistic(function, argument, path)
        case .uppercase: return try text(.uppercase, argument, .string, path)
        case .lowercase: return try text(.lowercase, argument, .string, path)
        case .length: return try text(.length, argument, .integer, path)
        case .negate, .abs, .floor, .ceiling, .trunc, .sqrt, .ln, .log, .exp, .onesComplement:
            return .value(try unary(function, try number(argument, path.child(0)), path))
        default: throw Fault(.construct(function.rawValue), at: path)
        }
    }

    private func text(
        _ function: SQLFunction, _ argument: Resolved, _ kind: ValueKind, _ path: TreePath
    ) throws(Fault) -> Resolved {
        if argument.isNil { return argument }
        let operand = try textValue(argument, path.child(0))
        if operand.kind == .any { throw Fault(.mixedKinds("of the rows"), at: path.child(0)) }
        let value = textOperand(operand)
        var result = try text(function, value, kind, "this function of texts", path)
        result.failures = value.failures
        return .value(result)
    }

    /// Applies `body` to both branches of a choice.
    func lifting<Result>(
        _ left: Resolved, _ right: Resolved, _ path: TreePath,
        _ body: (Resolved, Resolved) throws(Fault) -> Result
    ) throws(Fault) -> Result where Result: Choosable {
        if case .choice(let test, let first, let second) = left {
            try countFork(at: path)
            return .chosen(test, try lifting(first, right, path, body), try lifting(second, right, path, body))
        }
        if case .choice(let test, let first, let second) = right {
            try countFork(at: path)
            return .chosen(test, try lifting(left, first, path, body), try lifting(left, second, path, body))
        }
        return try body(left, right)
    }

    /// An operand of arithmetic.
    func number(_ operand: Resolved, _ path: TreePath) throws(Fault) -> Value {
        if operand.isNil { throw Fault(.nilOperand, at: path) }
        switch operand {
        case .value(let value) where value.kind.isNumber: return whole(numberOperand(value))
        case .constant(let constant):
            if let value = value(of: constant), value.kind.isNumber { return whole(value) }
            if case .double(let number) = constant, !holds(number) {
                throw Fault(.value("the double \(number)"), at: path)
            }
        case .choice: throw Fault(.kindDependsOnRow, at: path)
        case .value, .object, .collection, .list, .combined: break
        }
        throw Fault(.expected(.number, found: operand.name), at: path)
    }

    /// `CAST(born, "NSNumber")`
    func resolve(_ cast: CastExpression, _ path: TreePath) throws(Fault) -> Resolved {
        let operand = try resolve(cast.expression, path.child(0))
        if operand.isNil { return operand }
        let type = CastType(rawValue: cast.type)
        var value: Value
        switch operand {
        case .value(let found): value = found.checked.ofOneKind
        case .constant(.string(let text)) where type == .date: return .constant(try date(text, path.child(0)))
        case .constant(let constant):
            guard let found = self.value(of: constant) else {
                throw Fault(.cast(from: constant.columnKindName, to: cast.type), at: path)
            }
            value = found
        case .object, .collection, .list, .choice, .combined:
            throw Fault(.cast(from: operand.name, to: cast.type), at: path)
        }
        switch (value.kind, type) {
        case (.string, .string), (.integer, .number), (.double, .number), (.decimal, .number), (.boolean, .number),
            (.date, .date), (.uuid, .uuid), (.data, .data):
            return .value(value)
        case (.integer, .string): return .value(try property(NumberKey.stringValue.rawValue, of: value, path))
        case (.date, .number):
            return .value(try property(DateKey.timeIntervalSinceReferenceDate.rawValue, of: value, path))
        case (.integer, .date), (.double, .date), (.boolean, .date):
            return .value(try date(double(value), path.child(0)))
        case (.string, .date):
            let form = try call(.date, [value.form], "a cast to NSDate", path)
            return .value(date(form, of: value))
        default: throw Fault(.cast(from: value.kind.name, to: cast.type), at: path)
        }
    }
}

extension Resolver {
    /// A constant text, cast to a date.
    private func date(_ text: String, _ path: TreePath) throws(Fault) -> PredicateValue {
        guard let date = ISO8601.date(from: text) else {
            throw Fault(.expected(.date, found: "a string that is none"), at: path)
        }
        return .date(date)
    }

    /// Seconds since 2001 cast to a date: what is not a number, and what no calendar reaches, is no moment.
    private func date(_ seconds: Value, _ path: TreePath) throws(Fault) -> Value {
        var value = seconds
        value.kind = .date(.since2001)
        value.mayBeNaN = false
        let limit = GregorianCalendar.mostSeconds
        if case .parameter(let parameter) = value.form, case .double(let constant) = parameter.binding {
            guard constant.magnitude <= limit else {
                throw Fault(.expected(.date, found: "\(constant) seconds"), at: path)
            }
            return value
        }
        if seconds.mayBeNaN { value.failures.append(value.form) }
        let isDate = ConditionForm.all([
            .compare(value.form, .greaterOrEqual, form(.double(-limit), .double)),
            .compare(value.form, .lessOrEqual, form(.double(limit), .double)),
        ])
        return date(.conditional(isDate, value.form, .null), of: value)
    }

    /// A value cast to a date: nil gives nil, and what is no date is an error.
    private func date(_ form: ValueForm, of value: Value) -> Value {
        let failure = value.mayBeNil ? ValueForm.conditional(.isNull(value.form), .word("0"), form) : form
        return Value(
            form: form, kind: .date(.since2001), mayBeNil: value.mayBeNil, failures: value.failures + [failure])
    }
}

/// A result that may depend on a condition.
protocol Choosable {
    static func chosen(_ test: ConditionForm, _ first: Self, _ second: Self) -> Self
}

extension Resolved: Choosable {
    static func chosen(_ test: ConditionForm, _ first: Resolved, _ second: Resolved) -> Resolved {
        .choice(test, first, second)
    }
}

extension ConditionForm: Choosable {
    static func chosen(_ test: ConditionForm, _ first: ConditionForm, _ second: ConditionForm) -> ConditionForm {
        .any([.all([test, first]), .all([test.negated, second])])
    }
}
