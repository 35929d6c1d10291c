import Foundation
import PredicateSyntax

/// `$0.tags[0]`
extension PredicateExpressions.CollectionIndexSubscript: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped, index] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        guard ValueType.isArray(Wrapped.Output.self) else {
            let reason = PredicateConversionError.Reason.positions(type: "\(Wrapped.Output.self)")
            throw Refusal(.unsupported(node: "CollectionIndexSubscript", reason))
        }
        let base = try walk.value(wrapped, at: 0, scope)
        return .value(.index(IndexExpression(base: base, index: try walk.value(index, at: 1, scope))))
    }

    func print(to printer: inout SourcePrinter) { printer.subscripts(self) }
}

/// `$0.tags[1..<3]`
extension PredicateExpressions.CollectionRangeSubscript: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped, range] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        throw Refusal(.unsupported(node: "CollectionRangeSubscript", .slices))
    }

    func print(to printer: inout SourcePrinter) { printer.subscripts(self) }
}

/// `$0.scores["math"]`
extension PredicateExpressions.DictionaryKeySubscript: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped, key] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        guard !ValueType.isNestedOptional(Output.self) else {
            throw Refusal(.unsupported(node: "DictionaryKeySubscript", .nestedOptional(type: "\(Output.self)")))
        }
        let base = try walk.value(wrapped, at: 0, scope)
        return .value(.index(IndexExpression(base: base, index: try walk.value(key, at: 1, scope))))
    }

    func print(to printer: inout SourcePrinter) { printer.subscripts(self) }
}

/// `$0.scores["math", default: 0]`
extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped, key, `default`] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        guard !(Output.self is any OptionalValue.Type) else {
            let reason = PredicateConversionError.Reason.nestedOptional(type: "\(Output.self)?")
            throw Refusal(.unsupported(node: "DictionaryKeyDefaultValueSubscript", reason))
        }
        let base = try walk.value(wrapped, at: 0, scope)
        let entry = Converted.value(
            .index(IndexExpression(base: base, index: try walk.value(key, at: 1, scope))))
        let fallback = try walk.value(`default`, at: 2, scope)
        return .value(.choice(entry.isPresent, entry.expression, fallback))
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        printer.write("[")
        printer.argument(1, of: self)
        printer.write(", default: ")
        printer.argument(2, of: self)
        printer.write("]")
    }
}

extension SourcePrinter {
    /// `a[b]`
    fileprivate mutating func subscripts(_ node: any ConvertibleNode) {
        operand(0, of: node)
        write("[")
        argument(1, of: node)
        write("]")
    }
}
