import Foundation
import PredicateSyntax

/// `$0.name.starts(with: "Jo")`
extension PredicateExpressions.SequenceStartsWith: ConvertibleNode {
    var operands: [any PredicateExpression] { [base, prefix] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        let types: [Any.Type] = [Base.Output.self, Prefix.Output.self]
        return .condition(try walk.search(.beginsWith, base, prefix, types, "SequenceStartsWith", scope))
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        printer.write(".starts(with: ")
        printer.argument(1, of: self)
        printer.write(")")
    }
}

/// `$0.name.contains("o")`
extension PredicateExpressions.CollectionContainsCollection: ConvertibleNode {
    var operands: [any PredicateExpression] { [base, other] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        let types: [Any.Type] = [Base.Output.self, Other.Output.self]
        return .condition(try walk.search(.contains, base, other, types, "CollectionContainsCollection", scope))
    }

    func print(to printer: inout SourcePrinter) { printer.call("contains", self) }
}

extension Walk {
    /// A search in a text. The language never finds the empty text, Swift always does.
    fileprivate func search(
        _ operator: StringOperator, _ text: any PredicateExpression, _ needle: any PredicateExpression,
        _ types: [Any.Type], _ node: String, _ scope: Scope
    ) throws(Refusal) -> PredicateNode {
        if let other = types.first(where: { !ValueType.isText($0) }) {
            throw Refusal(.unsupported(node: node, .sequenceSearch(type: "\(other)")))
        }
        let text = try value(text, at: 0, scope)
        let needle = try value(needle, at: 1, scope)
        let found = PredicateNode.matching(text, `operator`, needle)
        guard case .constantValue(let constant) = needle else {
            return .any([found, .comparing(needle, .equalTo, .constantValue(.string("")))])
        }
        return constant == .string("") ? .constant(true) : found
    }
}

/// `$0.name.contains(/J.*n/)`
extension PredicateExpressions.StringContainsRegex: ConvertibleNode {
    var operands: [any PredicateExpression] { [subject, regex] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        let text = try walk.value(subject, at: 0, scope)
        guard ValueType.isText(Subject.Output.self) else {
            throw Refusal(.unsupported(node: "StringContainsRegex", .sequenceSearch(type: "\(Subject.Output.self)")))
        }
        guard let node = regex as? any ConvertibleNode, FreeVariables.none(in: node),
            let pattern = try? regex.evaluate(PredicateBindings()),
            let literal = PredicateExpressions.PredicateRegex(pattern)?.stringRepresentation
        else { throw Refusal(.unsupported(node: "StringContainsRegex", .variablePattern)).below(1) }
        var swift = SwiftPattern(literal)
        let whole = try swift.wholePattern()
        // An empty pattern matches nothing in the language.
        if whole.isEmpty { return .condition(.comparing(text, .equalTo, .constantValue(.string("")))) }
        return .condition(.matching(text, .matches, .constantValue(.string(whole))))
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        let pattern = (try? regex.evaluate(PredicateBindings())).flatMap { PredicateExpressions.PredicateRegex($0) }
        printer.write(".contains(/\(pattern?.stringRepresentation ?? "…")/)")
    }
}
