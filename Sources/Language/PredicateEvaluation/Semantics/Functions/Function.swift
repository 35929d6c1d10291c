import Foundation
import PredicateSyntax

/// The implementation of a function of the language. Planning has checked the number of arguments.
typealias BuiltInFunction = @Sendable (_ arguments: [KeyedValue]) throws(Fault) -> KeyedValue

extension FunctionExpression.Predefined {
    /// The implementation of the function: the table of all functions.
    var body: BuiltInFunction {
        switch self {
        case .sum: Statistics.sum
        case .count: Statistics.count
        case .min: Statistics.minimum
        case .max: Statistics.maximum
        case .average: Statistics.average
        case .median: Statistics.median
        case .mode: Statistics.mode
        case .stddev: Statistics.standardDeviation
        case .add: Arithmetic.binary { (a, b) throws(EvaluationError) in try a.adding(b) }
        case .subtract: Arithmetic.binary { (a, b) throws(EvaluationError) in try a.subtracting(b) }
        case .multiply: Arithmetic.binary { (a, b) throws(EvaluationError) in try a.multiplied(by: b) }
        case .divide: Arithmetic.binary { (a, b) throws(EvaluationError) in try a.divided(by: b) }
        case .modulus: Arithmetic.binary { (a, b) throws(EvaluationError) in try a.remainder(dividingBy: b) }
        case .power: Arithmetic.binary { (a, b) throws(EvaluationError) in a.power(b) }
        case .negate: Arithmetic.unary { (a) throws(EvaluationError) in try a.negated() }
        case .abs: Arithmetic.unary { (a) throws(EvaluationError) in try a.magnitude() }
        case .floor: Arithmetic.rounding(.down)
        case .ceiling: Arithmetic.rounding(.up)
        case .trunc: Arithmetic.rounding(.towardZero)
        case .sqrt: Arithmetic.real { $0.squareRoot() }
        case .log: Arithmetic.real { Foundation.log10($0) }
        case .ln: Arithmetic.real { Foundation.log($0) }
        case .exp: Arithmetic.real { Foundation.exp($0) }
        case .random: Arithmetic.random
        case .randomn: Arithmetic.randomBelow
        case .bitwiseAnd: Bits.binary { $0 & $1 }
        case .bitwiseOr: Bits.binary { $0 | $1 }
        case .bitwiseXor: Bits.binary { $0 ^ $1 }
        case .leftShift: Bits.leftShift
        case .rightShift: Bits.rightShift
        case .onesComplement: Bits.complement
        case .uppercase: TextFunctions.uppercase
        case .lowercase: TextFunctions.lowercase
        case .length: TextFunctions.length
        case .now: { (_) throws(Fault) in .value(.date(Date())) }
        case .distance: Location.distance
        case .noindex: { (arguments) throws(Fault) in arguments.first ?? .null }
        }
    }

    /// True if equal arguments always give equal results, so that a call with constant arguments can be folded.
    var isPure: Bool {
        switch self {
        case .random, .randomn, .now: false
        case .sum, .count, .min, .max, .average, .median, .mode, .stddev, .add, .subtract, .multiply, .divide,
            .modulus, .sqrt, .log, .ln, .power, .exp, .floor, .ceiling, .abs, .trunc, .negate, .uppercase, .lowercase,
            .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement, .noindex, .length,
            .distance:
            true
        }
    }
}

/// `sum:(prices)`, `sqrt(2)`: a function of the language.
final class FunctionPlan: ExpressionPlan {
    let node: Int
    private let function: FunctionExpression.Predefined
    private let body: BuiltInFunction
    private let arguments: [any ExpressionPlan]
    private let limits: PredicateLimits

    init(
        _ function: FunctionExpression.Predefined, _ arguments: [any ExpressionPlan], _ limits: PredicateLimits,
        node: Int
    ) {
        self.limits = limits
        (self.function, body) = (function, function.body)
        self.arguments = arguments
        self.node = node
    }

    var shape: ExpressionShape { .call(plain, arguments) { try? self.result($0) } }

    /// The form of the function that programs execute. Programs do not check the size of results.
    private var plain: PlainFunction? {
        limits.resultSize < PredicateLimits.standard.resultSize ? nil : Self.plain[function]
    }

    private static let plain: [FunctionExpression.Predefined: PlainFunction] = [
        .length: .length, .uppercase: .mapped(.upper), .lowercase: .mapped(.lower),
    ]

    private func result(_ values: [KeyedValue]) throws(Fault) -> KeyedValue {
        let result = try body(values)
        if let text = result.text { try ResultLimit.check(text.utf8.count, limits) }
        return result
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let values = try context.values(of: arguments, at: node)
        do {
            return try result(values)
        } catch {
            throw EvaluationError(error, operands: arguments.map(\.node), whole: node)
        }
    }
}

/// `+ - * /`: the arithmetic operators that programs execute.
enum ArithmeticOperator: Sendable {
    case add
    case subtract
    case multiply
    case divide
}

/// `a + b`: arithmetic on two numbers, without an array of arguments.
final class ArithmeticPlan: ExpressionPlan {
    let node: Int
    private let operation: ArithmeticOperator
    private let left: any ExpressionPlan
    private let right: any ExpressionPlan

    init(_ operation: ArithmeticOperator, _ left: any ExpressionPlan, _ right: any ExpressionPlan, node: Int) {
        self.operation = operation
        self.left = left
        self.right = right
        self.node = node
    }

    var shape: ExpressionShape { .arithmetic(operation, left, right) }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let leftNumber = try Self.number(of: left, &context)
        let rightNumber = try Self.number(of: right, &context)
        do {
            return .value(try result(leftNumber, rightNumber).predicateValue)
        } catch {
            throw error.placed(at: node)
        }
    }

    private func result(_ left: Number, _ right: Number) throws(EvaluationError) -> Number {
        switch operation {
        case .add: try left.adding(right)
        case .subtract: try left.subtracting(right)
        case .multiply: try left.multiplied(by: right)
        case .divide: try left.divided(by: right)
        }
    }

    private static func number(
        of plan: any ExpressionPlan, _ context: inout EvaluationContext
    ) throws(EvaluationError) -> Number {
        let value = try plan.value(&context)
        guard let number = value.number else {
            throw EvaluationError(.notANumber(found: value.found), node: plan.node)
        }
        return number
    }
}

/// `mgl_round(score)`: a function of the host.
final class HostFunctionPlan: ExpressionPlan {
    let node: Int
    private let name: String
    private let body: EvaluationRegistry.Function
    private let arguments: [any ExpressionPlan]
    /// The calendar, if the function is a date function that the host has not replaced.
    private let calendar: ZonedCalendar?

    init(
        _ body: @escaping EvaluationRegistry.Function, _ name: String, _ arguments: [any ExpressionPlan],
        _ calendar: ZonedCalendar?, node: Int
    ) {
        (self.body, self.calendar) = (body, calendar)
        self.name = name
        self.arguments = arguments
        self.node = node
    }

    var shape: ExpressionShape { .call(plain, arguments) { [body] in try? body($0) } }

    private var plain: PlainFunction? {
        guard let calendar, case .part(let part)? = CalendarFunction(name: name) else { return nil }
        return .part(part, calendar)
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let values = try context.values(of: arguments, at: node)
        do {
            return try body(values)
        } catch {
            throw EvaluationError(host: error, of: name, at: node)
        }
    }
}

/// The limit on results that are larger than their operands.
///
/// `$a := FUNCTION($a, "stringByAppendingString:", $a)` doubles the length of a string; forty of them in a row would
/// exhaust memory.
enum ResultLimit {
    /// The size of an element of a collection in bytes, not counting the bytes of a string.
    private static let elementSize = 16

    /// Checks the size of a string in bytes. Throws `resultTooLarge`.
    static func check(_ size: Int, _ limits: PredicateLimits) throws(Fault) {
        if size > limits.resultSize { throw Fault(.resultTooLarge(limit: limits.resultSize)) }
    }

    /// Checks the size of a value, including nested collections. Throws `resultTooLarge`.
    static func check(_ value: KeyedValue, _ limits: PredicateLimits) throws(Fault) {
        var size = 0
        var waiting = [value]
        while let next = waiting.popLast() {
            size += elementSize + (next.text?.utf8.count ?? 0)
            if next.isCompound, let elements = next.elements {
                try check(size + elementSize * (waiting.count + elements.count), limits)
                waiting += elements
            }
        }
        try check(size, limits)
    }

    /// Checks the size of the value's description, in which nested collections are indented. Throws `resultTooLarge`.
    static func check(descriptionOf value: KeyedValue, _ limits: PredicateLimits) throws(Fault) {
        guard value.isCompound else { return }
        var size = 0
        var waiting: [(value: KeyedValue, depth: Int)] = [(value, 0)]
        while let (next, depth) = waiting.popLast() {
            size += 4 * depth + (next.text?.utf8.count ?? 0)
            try check(size, limits)
            if depth < limits.nesting, next.isCompound, let elements = next.elements {
                waiting += elements.map { ($0, depth + 1) }
            }
        }
    }
}

extension KeyedValue {
    /// True for a collection or a dictionary.
    var isCompound: Bool {
        switch self {
        case .value(.array), .value(.set), .value(.orderedSet), .value(.dictionary), .collection: true
        case .object(let object): object is any DictionaryCoding
        case .value: false
        }
    }
}
