import Foundation
import PredicateEvaluation
import PredicateSyntax

/// A predicate with its evaluator, which the first evaluation makes. The parts of an object, such as its operands,
/// are read from the tree, so there is no second copy of them.
final class PredicateCore: Sendable {
    let predicate: FormatPredicate
    /// The closure of a predicate that consists of one.
    let foreign: ForeignBlock?
    private let kept = KeptObject()

    init(_ predicate: FormatPredicate) {
        self.predicate = predicate
        foreign = nil
    }

    init(foreign block: @escaping ForeignBlock.Call) {
        predicate = FormatPredicate(foreign: block)
        foreign = ForeignBlock(call: block)
    }

    var node: PredicateNode { predicate.node }

    var evaluator: PredicateEvaluator {
        get throws(EvaluationError) {
            try kept.evaluator { () throws(EvaluationError) in
                try PredicateEvaluator(predicate, context: PredicateSettings.current.context)
            }
        }
    }

    func evaluate(with object: Any?, bindings: [String: Any]?) -> Bool {
        // A closure receives the object as it was passed, not as the language represents it.
        if let foreign { return foreign.call(object, bindings) }
        if let result = kept.quickResult(of: object) { return result }
        return answer(object, bindings)
    }

    @inline(never)
    private func answer(_ object: Any?, _ bindings: [String: Any]?) -> Bool {
        let variables = bindings.map { PredicateVariables(bridging: $0) } ?? PredicateVariables()
        do throws(EvaluationError) {
            return try evaluator.evaluate(with: object, variables: variables)
        } catch {
            return PredicateSettings.answer(false, for: error)
        }
    }
}

/// An expression with its evaluator, which the first evaluation makes.
final class ExpressionCore: Sendable {
    let expression: FormatExpression
    private let kept = KeptObject()

    init(_ expression: FormatExpression) {
        self.expression = expression
    }

    private var evaluator: ExpressionEvaluator {
        get throws(EvaluationError) {
            try kept.evaluator { () throws(EvaluationError) in
                try ExpressionEvaluator(expression, context: PredicateSettings.current.context)
            }
        }
    }

    func keyedValue(with object: Any?) throws(EvaluationError) -> KeyedValue {
        try evaluator.value(with: object)
    }

    func value(with object: Any?, context: NSMutableDictionary?) -> Any? {
        do throws(EvaluationError) {
            let evaluator = try evaluator
            guard let context else { return try evaluator.value(with: object).foundationObject }
            var variables = PredicateVariables(context: context)
            let value = try evaluator.value(with: object, variables: &variables)
            variables.copy(evaluator.assigned, to: context)
            return value.foundationObject
        } catch {
            return PredicateSettings.answer(nil, for: error)
        }
    }
}

/// A closure or an object of the program as a leaf of a tree.
///
/// Its type does not guarantee thread safety. As with Apple's classes, a predicate that contains one may be used
/// on several threads only if the closure may.
struct ForeignBlock: @unchecked Sendable {
    typealias Call = (_ object: Any?, _ bindings: [String: Any]?) -> Bool

    let call: Call
}

extension FormatPredicate {
    /// Makes a leaf from a closure in Foundation's form, or from an object that evaluates a tree in its own way.
    init(foreign call: @escaping ForeignBlock.Call, evaluating tree: PredicateNode? = nil) {
        let foreign = ForeignBlock(call: call)
        let block: Block = { object, variables in
            foreign.call(object.foundationObject, variables.foundationBindings)
        }
        let body = BlockBody(name: "NSPredicate", block, evaluating: tree.map(TreeNode.predicate))
        self.init(.block(BlockPredicate(body)))
    }
}

/// A closure of the program that returns a value, as a leaf of a tree; see ``ForeignBlock`` about threads.
struct ForeignExpression: @unchecked Sendable {
    typealias Call = (_ object: Any?, _ context: NSMutableDictionary?) -> Any?

    let call: Call
}

extension FormatExpression {
    /// Makes a leaf from a closure in Foundation's form, or from an object that evaluates a tree in its own way.
    init(foreign call: @escaping ForeignExpression.Call, evaluating tree: ExpressionNode? = nil) {
        let foreign = ForeignExpression(call: call)
        let block: Block = { object, _, variables in
            let context = variables.foundationBindings.map { NSMutableDictionary(dictionary: $0) }
            return KeyedValue(bridging: foreign.call(object.foundationObject, context))
        }
        let body = BlockBody(name: "NSExpression", block, evaluating: tree.map(TreeNode.expression))
        self.init(.block(BlockExpression(body, [])))
    }
}
