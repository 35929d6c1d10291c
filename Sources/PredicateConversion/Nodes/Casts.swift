import Foundation
import PredicateSyntax

/// `$0.age as? Int`
extension PredicateExpressions.ConditionalCast: ConvertibleNode {
    var operands: [any PredicateExpression] { [input] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        try Casting.requireNoChange(from: Input.Output.self, to: Desired.self, "ConditionalCast")
        return try walk.convert(input, at: 0, scope)
    }

    func print(to printer: inout SourcePrinter) { printer.cast("as", mark: "?", Desired.self, self) }
}

/// `$0.age as Int`, forced
extension PredicateExpressions.ForceCast: ConvertibleNode {
    var operands: [any PredicateExpression] { [input] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        try Casting.requireNoChange(from: Input.Output.self, to: Desired.self, "ForceCast")
        return try walk.convert(input, at: 0, scope)
    }

    func print(to printer: inout SourcePrinter) { printer.cast("as", mark: "!", Desired.self, self) }
}

/// `$0.age is Int`
extension PredicateExpressions.TypeCheck: ConvertibleNode {
    var operands: [any PredicateExpression] { [input] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        try Casting.requireNoChange(from: Input.Output.self, to: Desired.self, "TypeCheck")
        let value = try walk.convert(input, at: 0, scope)
        return .condition(Casting.unwraps(Input.Output.self, to: Desired.self) ? value.isPresent : .constant(true))
    }

    func print(to printer: inout SourcePrinter) { printer.cast("is", mark: "", Desired.self, self) }
}

/// Casts that change nothing: to the type itself, to an optional of it, out of an optional, to a superclass.
enum Casting {
    static func requireNoChange<Source, Target>(
        from source: Source.Type, to target: Target.Type, _ node: String
    ) throws(Refusal) {
        guard isSame(source, target) || unwraps(source, to: target) else {
            throw Refusal(.unsupported(node: node, .cast(from: "\(source)", to: "\(target)")))
        }
    }

    /// True for a cast from an optional to what it wraps: nil is the value that does not pass.
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
