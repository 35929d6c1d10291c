import Foundation
import PredicateSyntax

/// `a && b`, `a || b`
protocol JunctionNode: ConvertibleNode {
    var isConjunction: Bool { get }
}

extension PredicateExpressions.Conjunction: JunctionNode {
    var isConjunction: Bool { true }
    var operands: [any PredicateExpression] { [lhs, rhs] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        .condition(.all(try walk.chain(self, scope)))
    }

    func print(to printer: inout SourcePrinter) { printer.infix("&&", self) }
}

extension PredicateExpressions.Disjunction: JunctionNode {
    var isConjunction: Bool { false }
    var operands: [any PredicateExpression] { [lhs, rhs] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        .condition(.any(try walk.chain(self, scope)))
    }

    func print(to printer: inout SourcePrinter) { printer.infix("||", self) }
}

extension Walk {
    /// The predicates of a chain, which a loop that joins predicates makes as long as it likes: not by recursion.
    fileprivate func chain(_ root: any JunctionNode, _ scope: Scope) throws(Refusal) -> [PredicateNode] {
        var waiting: [(node: any PredicateExpression, path: [Int])] = [(root, [])]
        var predicates: [PredicateNode] = []
        while let (node, path) = waiting.popLast() {
            if let junction = node as? any JunctionNode, junction.isConjunction == root.isConjunction {
                let operands = junction.operands
                waiting += operands.indices.reversed().map { (operands[$0], path + [$0]) }
                continue
            }
            do throws(Refusal) {
                predicates.append(try convert(node, scope).predicate)
            } catch {
                throw path.reversed().reduce(error) { $0.below($1) }
            }
        }
        return predicates
    }
}

/// `!a`
extension PredicateExpressions.Negation: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        .condition(try walk.convert(wrapped, at: 0, scope).negated)
    }

    func print(to printer: inout SourcePrinter) {
        printer.write("!")
        printer.operand(0, of: self)
    }
}

/// `a ? b : c`, `if a { b } else { c }`
extension PredicateExpressions.Conditional: ConvertibleNode {
    var operands: [any PredicateExpression] { [test, trueBranch, falseBranch] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        let test = try walk.convert(test, at: 0, scope)
        let first = try walk.convert(trueBranch, at: 1, scope)
        let second = try walk.convert(falseBranch, at: 2, scope)
        guard Output.self == Bool.self else {
            return .value(.choice(test.predicate, first.expression, second.expression))
        }
        return .condition(.any([.all([test.predicate, first.predicate]), .all([test.negated, second.predicate])]))
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        printer.write(" ? ")
        printer.operand(1, of: self)
        printer.write(" : ")
        printer.operand(2, of: self)
    }
}
