import Foundation
import PredicateEvaluation
import PredicateSyntax

/// `$0.age + 1`
extension PredicateExpressions.Arithmetic: InfixNode {
    var mayTrap: Bool { true }
    var trapsWithoutObject: Bool { Overflow.occurs(in: lhs, rhs, op.operation) }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .value(try walk.arithmetic(op.operation, lhs, rhs, LHS.Output.self, "Arithmetic", scope))
    }

    func print(to printer: inout SourcePrinter) { printer.infix(op.spelling, self) }
}

extension PredicateExpressions.ArithmeticOperator {
    fileprivate var operation: NumberOperation {
        switch self {
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
        @unknown default: .add
        }
    }

    fileprivate var spelling: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        @unknown default: "?"
        }
    }
}

/// `-$0.age`
extension PredicateExpressions.UnaryMinus: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped] }
    var mayTrap: Bool { true }
    var trapsWithoutObject: Bool { Overflow.occurs(inNegating: wrapped) }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        guard ValueType.isComputed(Wrapped.Output.self) else {
            throw ConversionRefusal(.unsupported(node: "UnaryMinus", .arithmetic(type: "\(Wrapped.Output.self)")))
        }
        return .value(.call(.negate, try walk.value(wrapped, at: 0, scope)))
    }

    func print(to printer: inout SourcePrinter) {
        printer.write("-")
        printer.operand(0, of: self)
    }
}

/// `$0.price / 2` of floating-point numbers
extension PredicateExpressions.FloatDivision: InfixNode {
    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .value(try walk.arithmetic(.divide, lhs, rhs, LHS.Output.self, "FloatDivision", scope))
    }

    func print(to printer: inout SourcePrinter) { printer.infix("/", self) }
}

/// `$0.age / 10` of integers: Swift and the language both truncate the fraction
extension PredicateExpressions.IntDivision: InfixNode {
    var mayTrap: Bool { true }
    var trapsWithoutObject: Bool { Overflow.occurs(in: lhs, rhs, .divide) }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        let quotient = try walk.arithmetic(.divide, lhs, rhs, LHS.Output.self, "IntDivision", scope)
        // An unsigned integer beyond 63 bits is a decimal number, whose quotient may have a fraction.
        return .value(ValueType.isWideUnsigned(LHS.Output.self) ? .call(.trunc, quotient) : quotient)
    }

    func print(to printer: inout SourcePrinter) { printer.infix("/", self) }
}

/// `$0.age % 10`: in Swift and in the language, the remainder has the sign of the dividend
extension PredicateExpressions.IntRemainder: InfixNode {
    var mayTrap: Bool { true }
    var trapsWithoutObject: Bool { Overflow.occurs(in: lhs, rhs, .remainder) }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .value(try walk.arithmetic(.remainder, lhs, rhs, LHS.Output.self, "IntRemainder", scope))
    }

    func print(to printer: inout SourcePrinter) { printer.infix("%", self) }
}

extension Walk {
    fileprivate func arithmetic(
        _ operation: NumberOperation, _ lhs: any PredicateExpression, _ rhs: any PredicateExpression,
        _ type: Any.Type, _ node: String, _ scope: ConversionScope
    ) throws(ConversionRefusal) -> ExpressionNode {
        guard ValueType.isComputed(type) else {
            throw ConversionRefusal(.unsupported(node: node, .arithmetic(type: "\(type)")))
        }
        let left = try value(lhs, at: 0, scope)
        let right = try value(rhs, at: 1, scope)
        // Both are constants if an element of a captured collection has replaced a variable.
        if case .constantValue(.integer(let left)) = left, case .constantValue(.integer(let right)) = right {
            let result = operation.result(left, right)
            guard !result.overflow else { throw ConversionRefusal(.overflow) }
            return .constantValue(.integer(result.partialValue))
        }
        return .call(operation.function, left, right)
    }
}

/// Constant arithmetic on which Swift would trap.
enum Overflow {
    static func occurs(
        in lhs: any PredicateExpression, _ rhs: any PredicateExpression, _ operation: NumberOperation
    ) -> Bool {
        guard let left = constant(lhs), let right = constant(rhs) else { return false }
        if let left = left as? any FixedWidthInteger { return occurs(left, right, operation) }
        if let left = left as? Decimal, let right = right as? Decimal, operation == .multiply {
            return left.exponent + right.exponent < -128
        }
        return false
    }

    private static func occurs<Number: FixedWidthInteger>(
        _ left: Number, _ right: Any, _ operation: NumberOperation
    ) -> Bool {
        guard let right = right as? Number else { return true }
        return operation.result(left, right).overflow
    }

    static func occurs(inNegating operand: any PredicateExpression) -> Bool {
        guard let number = constant(operand) as? any FixedWidthInteger else { return false }
        return isLeast(number)
    }

    private static func isLeast<Number: FixedWidthInteger>(_ number: Number) -> Bool { number == Number.min }

    private static func constant(_ node: any PredicateExpression) -> Any? {
        func value<Node: PredicateExpression>(_ node: Node) -> Any? { try? node.evaluate(PredicateBindings()) }
        return value(node)
    }
}

/// The arithmetic operations on two numbers in Swift predicates.
enum NumberOperation {
    case add, subtract, multiply, divide, remainder

    /// The corresponding function of the language.
    var function: FunctionExpression.Predefined {
        switch self {
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .remainder: .modulus
        }
    }

    /// Returns the result and whether it overflows.
    func result<Number: FixedWidthInteger>(_ left: Number, _ right: Number) -> (partialValue: Number, overflow: Bool) {
        switch self {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        case .divide: left.dividedReportingOverflow(by: right)
        case .remainder: left.remainderReportingOverflow(dividingBy: right)
        }
    }
}

/// A node that is printed with a type after its operand.
protocol CastNode: ConvertibleNode {
    associatedtype Input: PredicateExpression
    var input: Input { get }
}

extension CastNode {
    var operands: [any PredicateExpression] { [input] }
    var isInfix: Bool { true }
}

/// `$0.age as? Int`
extension PredicateExpressions.ConditionalCast: CastNode {
    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        try Casting.requireNoChange(from: Input.Output.self, to: Desired.self, "ConditionalCast")
        return try walk.convert(input, at: 0, scope)
    }

    func print(to printer: inout SourcePrinter) { printer.cast("as", mark: "?", Desired.self, self) }
}

/// `$0.age as Int`, a forced cast
extension PredicateExpressions.ForceCast: CastNode {
    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        try Casting.requireNoChange(from: Input.Output.self, to: Desired.self, "ForceCast")
        return try walk.convert(input, at: 0, scope)
    }

    func print(to printer: inout SourcePrinter) { printer.cast("as", mark: "!", Desired.self, self) }
}

/// `$0.age is Int`
extension PredicateExpressions.TypeCheck: CastNode {
    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        try Casting.requireNoChange(from: Input.Output.self, to: Desired.self, "TypeCheck")
        let value = try walk.convert(input, at: 0, scope)
        return .condition(Casting.unwraps(Input.Output.self, to: Desired.self) ? value.isPresent : .constant(true))
    }

    func print(to printer: inout SourcePrinter) { printer.cast("is", mark: "", Desired.self, self) }
}

/// Casts that change nothing: to the same type, to or from its optional, to a superclass.
enum Casting {
    static func requireNoChange<Source, Target>(
        from source: Source.Type, to target: Target.Type, _ node: String
    ) throws(ConversionRefusal) {
        guard isSame(source, target) || unwraps(source, to: target) else {
            throw ConversionRefusal(.unsupported(node: node, .cast(from: "\(source)", to: "\(target)")))
        }
    }

    /// Returns true for a cast from an optional to its wrapped type, which fails only for nil.
    static func unwraps<Target>(_ source: Any.Type, to target: Target.Type) -> Bool {
        guard let source = source as? any OptionalValue.Type else { return false }
        return !(target is any OptionalValue.Type) && source.wrapped is Target.Type
    }

    private static func isSame<Target>(_ source: Any.Type, _ target: Target.Type) -> Bool {
        source is Target.Type || (target as? any OptionalValue.Type)?.wrapped == source
    }
}

extension SourcePrinter {
    /// `a as? B`
    fileprivate mutating func cast(_ word: String, mark: String, _ type: Any.Type, _ node: any ConvertibleNode) {
        operand(0, of: node)
        write(" \(word)\(mark) \(type)")
    }
}
