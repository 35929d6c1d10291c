import Foundation
import PredicateSyntax

/// `tax.evaluate($0.price)` with a captured `#Expression`: its tree, with the arguments for its variables.
extension PredicateExpressions.ExpressionEvaluate: ConvertibleNode {
    var operands: [any PredicateExpression] {
        var operands: [any PredicateExpression] = [expression]
        for input in repeat each input { operands.append(input) }
        return operands
    }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        guard let node = expression as? any ConvertibleNode, FreeVariables.none(in: node),
            let inlined = try? expression.evaluate(PredicateBindings())
        else { throw Refusal(.unsupported(node: "ExpressionEvaluate", .variableExpression)).below(0) }
        var (inner, index) = (scope, 0)
        for (variable, input) in repeat (each inlined.variable, each input) {
            index += 1
            inner = inner.binding(variable.key, to: try walk.convert(input, at: index, scope))
        }
        do throws(Refusal) {
            return try walk.convert(inlined.expression, inner)
        } catch {
            // A node of the captured expression has no place in this text: the call stands for it.
            var refusal = error
            refusal.path = []
            throw refusal
        }
    }

    func print(to printer: inout SourcePrinter) {
        printer.write("expression.evaluate(")
        for index in operands.indices.dropFirst() {
            if index > 1 { printer.write(", ") }
            printer.argument(index, of: self)
        }
        printer.write(")")
    }
}
