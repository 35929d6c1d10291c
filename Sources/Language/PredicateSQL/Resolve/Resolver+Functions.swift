import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Resolver {
    /// A call of a function by name.
    func resolve(_ call: FunctionExpression, _ path: TreePath) throws(CompilationFault) -> Resolved {
        guard case .predefined(let function) = call.function else {
            if let calendar, let function = CalendarFunction(name: call.function.name) {
                return try resolve(function, call.arguments, calendar, path)
            }
            throw CompilationFault(.hostFunction(call.function.name), at: path)
        }
        guard function.arity.contains(call.arguments.count) else {
            throw CompilationFault(
                .expected(.arguments(function.arity.lowerBound), found: .other("\(call.arguments.count)")), at: path)
        }
        var arguments: [Resolved] = []
        for (index, argument) in call.arguments.enumerated() {
            arguments.append(try resolve(argument, path.child(index)))
        }
        return try apply(function, arguments, path)
    }

    private func apply(
        _ function: FunctionExpression.Predefined, _ arguments: [Resolved], _ path: TreePath
    ) throws(CompilationFault) -> Resolved {
        if let operation = BinaryOperation(function), arguments.count == 2 {
            return try lifting(arguments[0], arguments[1], path) { (left, right) throws(CompilationFault) in
                if let result = try self.unbounded(operation, left, right, path) { return result }
                let left = try self.number(left, path.child(0))
                let value = try self.binary(operation, left, try self.number(right, path.child(1)), path)
                return self.withInfinities(value)
            }
        }
        guard let argument = arguments.first else {
            guard function == .now else { throw CompilationFault(.construct(function.rawValue), at: path) }
            return .constant(.date(Date()))
        }
        return try lifting(argument, .constant(.null), path) { (argument, _) throws(CompilationFault) in
            try self.apply(function, argument, path)
        }
    }

    private func apply(
        _ function: FunctionExpression.Predefined, _ argument: Resolved, _ path: TreePath
    ) throws(CompilationFault) -> Resolved {
        if let result = unbounded(function, argument) { return result }
        switch function {
        case .noindex: return argument
        case .sum, .count: return try statistic(function, argument, path)
        case .uppercase: return try text(.uppercase, argument, .string, path)
        case .lowercase: return try text(.lowercase, argument, .string, path)
        case .length: return try text(.length, argument, .integer, path)
        case .negate, .abs, .floor, .ceiling, .trunc, .sqrt, .ln, .log, .exp, .onesComplement:
            return .value(try unary(function, try number(argument, path.child(0)), path))
        default: throw CompilationFault(.construct(function.rawValue), at: path)
        }
    }

    private func text(
        _ function: SQLFunction, _ argument: Resolved, _ kind: ValueKind, _ path: TreePath
    ) throws(CompilationFault) -> Resolved {
        if argument.isNil { return argument }
        let operand = try textValue(argument, path.child(0))
        if operand.kind == .any { throw CompilationFault(.mixedKinds("of the rows"), at: path.child(0)) }
        let value = textOperand(operand)
        var result = try text(function, value, kind, "this function of texts", path)
        result.failures = value.failures
        return .value(result)
    }

    /// Applies `body` to both branches of a choice.
    func lifting<Result>(
        _ left: Resolved, _ right: Resolved, _ path: TreePath,
        _ body: (Resolved, Resolved) throws(CompilationFault) -> Result
    ) throws(CompilationFault) -> Result where Result: Choosable {
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
    func number(_ operand: Resolved, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        if operand.isNil { throw CompilationFault(.nilOperand, at: path) }
        switch operand {
        case .value(let value) where value.kind.isNumber:
            try checkAverage(value, path)
            return whole(numberOperand(value))
        case .constant(let constant):
            if let value = value(of: constant), value.kind.isNumber { return whole(value) }
            if case .double(let number) = constant, !holds(number) {
                throw CompilationFault(.value("the double \(number)"), at: path)
            }
        case .choice: throw CompilationFault(.kindDependsOnRow, at: path)
        case .value, .object, .collection, .list, .combined: break
        }
        throw CompilationFault(.expected(.number, found: operand.operand), at: path)
    }

    /// `CAST(born, "NSNumber")`
    func resolve(_ cast: CastExpression, _ path: TreePath) throws(CompilationFault) -> Resolved {
        let operand = try resolve(cast.expression, path.child(0))
        if operand.isNil { return operand }
        let type = CastType(rawValue: cast.type)
        var value: TypedValue
        switch operand {
        case .value(let found): value = found.checked.ofOneKind
        case .constant(.string(let text)) where type == .date: return .constant(try date(text, path.child(0)))
        case .constant(let constant):
            guard let found = self.value(of: constant) else {
                throw CompilationFault(.cast(from: constant.operand.words, to: cast.type), at: path)
            }
            value = found
        case .object, .collection, .list, .choice, .combined:
            throw CompilationFault(.cast(from: operand.operand.words, to: cast.type), at: path)
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
        default: throw CompilationFault(.cast(from: value.kind.operand.words, to: cast.type), at: path)
        }
    }
}

extension Resolver {
    /// Casts a constant string to a date.
    private func date(_ text: String, _ path: TreePath) throws(CompilationFault) -> PredicateValue {
        guard let date = ISO8601.date(from: text) else {
            throw CompilationFault(.expected(.date, found: .other("a string that is not one")), at: path)
        }
        return .date(date)
    }

    /// Casts seconds since 2001 to a date. NaN, and seconds outside the calendar, are not dates.
    private func date(_ seconds: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        var value = seconds
        value.kind = .date(.since2001)
        value.mayBeNaN = false
        let limit = GregorianCalendar.mostSeconds
        if case .parameter(let parameter) = value.form, case .double(let constant) = parameter.binding {
            guard constant.magnitude <= limit else {
                throw CompilationFault(.expected(.date, found: .other("\(constant) seconds")), at: path)
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

    /// Marks a value that cannot be cast to a date as an error; nil gives nil.
    func date(_ form: ValueForm, of value: TypedValue) -> TypedValue {
        let failure = value.mayBeNil ? ValueForm.conditional(.isNull(value.form), .word("0"), form) : form
        return TypedValue(
            form: form, kind: .date(.since2001), mayBeNil: value.mayBeNil, failures: value.failures + [failure])
    }
}

/// A result that can be chosen by a condition.
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

extension Resolver {
    /// A property of a value, under Foundation's names: `name.length`, `born.timeIntervalSince1970`.
    func property(_ key: String, of value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        let value = value.checked
        if UniversalKey(rawValue: key) == .description, value.kind == .string { return value }
        switch value.kind {
        case .string: return try property(key, ofText: value, path)
        case .integer, .boolean: return try property(key, ofInteger: value, path)
        case .double: return try property(key, ofDouble: value, path)
        case .date: return try property(key, ofDate: try inSeconds(value, path), path)
        case .uuid(.text) where UUIDKey(rawValue: key) == .uuidString:
            return TypedValue(form: value.form, kind: .string, mayBeNil: value.mayBeNil)
        case .uuid, .data, .decimal, .power, .any: throw CompilationFault(.property(key), at: path)
        }
    }

    private func property(_ key: String, ofText value: TypedValue, _ path: TreePath) throws(CompilationFault)
        -> TypedValue
    {
        switch StringKey(rawValue: key) {
        case .length: return try text(.length, value, .integer, key, path)
        case .lowercaseString: return try text(.lowercase, value, .string, key, path)
        case .uppercaseString: return try text(.uppercase, value, .string, key, path)
        case .intValue, .integerValue, .longLongValue, .floatValue, .doubleValue, .boolValue, .capitalizedString,
            .lastPathComponent, .pathExtension, .stringByDeletingPathExtension, .stringByDeletingLastPathComponent,
            .pathComponents, .isAbsolutePath, nil:
            throw CompilationFault(.property(key), at: path)
        }
    }

    /// A function of a string; nil gives nil.
    func text(
        _ function: SQLFunction, _ value: TypedValue, _ kind: ValueKind, _ name: String, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        let form = try call(function, [value.form], name, path)
        return TypedValue(form: form, kind: kind, mayBeNil: value.mayBeNil)
    }

    private func property(_ key: String, ofInteger value: TypedValue, _ path: TreePath) throws(CompilationFault)
        -> TypedValue
    {
        let whole = whole(value)
        if UniversalKey(rawValue: key) == .description { return changed(whole, .integerToText, .string) }
        switch NumberKey(rawValue: key) {
        case .integerValue, .longValue, .longLongValue: return whole
        case .doubleValue: return double(whole)
        case .stringValue: return changed(whole, .integerToText, .string)
        case .boolValue: return try truth(of: whole, path)
        case .charValue, .shortValue, .intValue, .unsignedCharValue, .unsignedShortValue, .unsignedIntValue,
            .unsignedIntegerValue, .unsignedLongValue, .unsignedLongLongValue, .floatValue, .decimalValue, nil:
            throw CompilationFault(.property(key), at: path)
        }
    }

    private func property(_ key: String, ofDouble value: TypedValue, _ path: TreePath) throws(CompilationFault)
        -> TypedValue
    {
        switch NumberKey(rawValue: key) {
        case .doubleValue: return value
        case .boolValue: return try truth(of: value, path)
        case .charValue, .shortValue, .intValue, .integerValue, .longValue, .longLongValue, .unsignedCharValue,
            .unsignedShortValue, .unsignedIntValue, .unsignedIntegerValue, .unsignedLongValue, .unsignedLongLongValue,
            .floatValue, .decimalValue, .stringValue, nil:
            throw CompilationFault(.property(key), at: path)
        }
    }

    /// `flag.boolValue`: true unless it is zero, so also for NaN; nil stays nil.
    private func truth(of value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        let isZero = try relate(value, .equal, .integer(0), .none, path)
        let result = ValueForm.conditional(isZero, form(.boolean(false), .boolean), form(.boolean(true), .boolean))
        let requirements = value.requirements
        guard !requirements.isEmpty else { return TypedValue(form: result, kind: .boolean, mayBeNil: false) }
        let form = ValueForm.conditional(.all(requirements.map { .not(.isNull($0)) }), result, .null)
        return TypedValue(
            form: form, kind: .boolean, mayBeNil: value.mayBeNil, failures: value.failures.isEmpty ? [] : [form])
    }

    private func property(_ key: String, ofDate value: TypedValue, _ path: TreePath) throws(CompilationFault)
        -> TypedValue
    {
        var seconds = value
        seconds.kind = .double
        switch DateKey(rawValue: key) {
        case .timeIntervalSinceReferenceDate: return seconds
        case .timeIntervalSince1970:
            seconds.form = .arithmetic(.add, value.form, form(.double(978_307_200), .double))
            return seconds
        case .timeIntervalSinceNow, nil: throw CompilationFault(.property(key), at: path)
        }
    }

    // MARK: Changes of kind that keep the value

    /// Returns a Boolean as an integer.
    func whole(_ value: TypedValue) -> TypedValue {
        value.kind == .boolean ? changed(value, .booleanToInteger, .integer) : value
    }

    /// Returns a number as a double.
    func double(_ value: TypedValue) -> TypedValue {
        switch value.kind {
        case .boolean: changed(whole(value), .integerToDouble, .double)
        case .integer: changed(value.checked, .integerToDouble, .double)
        case .power: changed(value, .integerToDouble, .double)
        case .decimal: changed(value.checked, value.form.hasFewDigits ? .integerToDouble : .decimalToDouble, .double)
        case .double, .string, .date, .uuid, .data, .any: value
        }
    }

    private func changed(_ value: TypedValue, _ cast: SQLPiece.Cast, _ kind: ValueKind) -> TypedValue {
        var copy = value
        copy.form = .cast(value.form, .type(cast))
        copy.kind = kind
        return copy
    }

    /// Returns a date as seconds since 2001, and any other value unchanged.
    func inSeconds(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        guard case .date(let storage) = value.kind, storage != .since2001 else { return value }
        guard dialect.templates.seconds[storage] != nil else {
            throw CompilationFault(.storage(.date), at: path)
        }
        var copy = value
        copy.form = .cast(value.form, .dateToSeconds(storage))
        copy.kind = .date(.since2001)
        return copy
    }
}
