#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateSyntax

extension Resolver {
    /// A call of a function by name.
    func resolve(_ call: FunctionExpression, _ place: Place) throws(Fault) -> Resolved {
        guard case .predefined(let function) = call.function else {
            throw Fault(.hostFunction(call.function.name), at: place)
        }
        guard function.arity.contains(call.arguments.count) else {
            throw Fault(
                .expected("\(function.arity.lowerBound) arguments", found: "\(call.arguments.count)"), at: place)
        }
        var arguments: [Resolved] = []
        for (index, argument) in call.arguments.enumerated() {
            arguments.append(try resolve(argument, place.child(index)))
        }
        return try apply(function, arguments, place)
    }

    private func apply(
        _ function: FunctionExpression.Predefined, _ arguments: [Resolved], _ place: Place
    ) throws(Fault) -> Resolved {
        if let operation = BinaryOperation(function), arguments.count == 2 {
            return try lifting(arguments[0], arguments[1], place) { (left, right) throws(Fault) in
                let left = try self.number(left, place.child(0))
                return .value(try self.binary(operation, left, try self.number(right, place.child(1)), place))
            }
        }
        guard let argument = arguments.first else {
            guard function == .now else { throw Fault(.construct(function.rawValue), at: place) }
            return .constant(.date(Date()))
        }
        return try lifting(argument, .constant(.null), place) { (argument, _) throws(Fault) in
            try self.apply(function, argument, place)
        }
    }

    private func apply(
        _ function: FunctionExpression.Predefined, _ argument: Resolved, _ place: Place
    ) throws(Fault) -> Resolved {
        switch function {
        case .noindex: return argument
        case .sum, .count: return try statistic(function, argument, place)
        case .uppercase: return try text(.uppercase, argument, .string, place)
        case .lowercase: return try text(.lowercase, argument, .string, place)
        case .length: return try text(.length, argument, .integer, place)
        case .negate, .abs, .floor, .ceiling, .trunc, .sqrt, .ln, .log, .exp, .onesComplement:
            return .value(try unary(function, try number(argument, place.child(0)), place))
        default: throw Fault(.construct(function.rawValue), at: place)
        }
    }

    private func text(
        _ function: SQLFunction, _ argument: Resolved, _ kind: ValueKind, _ place: Place
    ) throws(Fault) -> Resolved {
        if argument.isNil { return argument }
        let value = try textValue(argument, place.child(0))
        return .value(try text(function, value, kind, "this function of texts", place))
    }

    /// Asks the same of both branches of a choice.
    func lifting<Result>(
        _ left: Resolved, _ right: Resolved, _ place: Place,
        _ body: (Resolved, Resolved) throws(Fault) -> Result
    ) throws(Fault) -> Result where Result: Choosable {
        if case .choice(let test, let first, let second) = left {
            try divide(place)
            return .chosen(test, try lifting(first, right, place, body), try lifting(second, right, place, body))
        }
        if case .choice(let test, let first, let second) = right {
            try divide(place)
            return .chosen(test, try lifting(left, first, place, body), try lifting(left, second, place, body))
        }
        return try body(left, right)
    }

    /// An operand of arithmetic.
    func number(_ operand: Resolved, _ place: Place) throws(Fault) -> Value {
        if operand.isNil { throw Fault(.nilOperand, at: place) }
        switch operand {
        case .value(let value) where value.kind.isNumber: return whole(value)
        case .constant(let constant):
            if let value = value(of: constant), value.kind.isNumber { return whole(value) }
        case .choice: throw Fault(.kindDependsOnRow, at: place)
        case .value, .object, .collection, .list, .combined: break
        }
        throw Fault(.expected("a number", found: operand.name), at: place)
    }

    /// `CAST(born, "NSNumber")`
    func resolve(_ cast: CastExpression, _ place: Place) throws(Fault) -> Resolved {
        let operand = try resolve(cast.expression, place.child(0))
        if operand.isNil { return operand }
        var value: Value
        switch operand {
        case .value(let found): value = found.checked
        case .constant(.string(let text)) where cast.type == "NSDate": return .constant(try date(text, place.child(0)))
        case .constant(let constant):
            guard let found = self.value(of: constant) else {
                throw Fault(.cast(from: constant.kindName, to: cast.type), at: place)
            }
            value = found
        case .object, .collection, .list, .choice, .combined:
            throw Fault(.cast(from: operand.name, to: cast.type), at: place)
        }
        switch (value.kind, cast.type) {
        case (.string, "NSString"), (.integer, "NSNumber"), (.double, "NSNumber"), (.decimal, "NSNumber"),
            (.boolean, "NSNumber"), (.date, "NSDate"), (.uuid, "NSUUID"), (.data, "NSData"):
            return .value(value)
        case (.integer, "NSString"): return .value(try property("stringValue", of: value, place))
        case (.date, "NSNumber"): return .value(try property("timeIntervalSinceReferenceDate", of: value, place))
        case (.integer, "NSDate"), (.double, "NSDate"), (.boolean, "NSDate"):
            value = double(value)
            value.kind = .date(.since2001)
            return .value(value)
        case (.string, "NSDate"):
            let form = try call(.date, [value.form], "a cast to NSDate", place)
            return .value(date(form, of: value))
        default: throw Fault(.cast(from: value.kind.name, to: cast.type), at: place)
        }
    }
}

extension Resolver {
    /// A text that is known, cast to a date.
    private func date(_ text: String, _ place: Place) throws(Fault) -> PredicateValue {
        guard let date = ISO8601.date(from: text) else {
            throw Fault(.expected("a date such as \"2016-03-02\"", found: "a string that is none"), at: place)
        }
        return .date(date)
    }

    /// A text cast to a date: nil gives nil, and a text that is no date is an error.
    private func date(_ form: ValueForm, of text: Value) -> Value {
        let failure = text.mayBeNil ? ValueForm.conditional(.isNull(text.form), .word("0"), form) : form
        return Value(form: form, kind: .date(.since2001), mayBeNil: text.mayBeNil, failures: text.failures + [failure])
    }
}

/// What may depend on a condition.
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
