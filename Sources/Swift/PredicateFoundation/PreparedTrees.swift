import Foundation
import PredicateEvaluation
import PredicateSyntax
import Synchronization

/// A predicate with its evaluator, which the first evaluation makes. The parts of an object, such as its operands,
/// are read from the tree, so there is no second copy of them.
final class PredicateCore: Sendable {
    let predicate: FormatPredicate
    /// The closure of a predicate that consists of one.
    let foreign: ForeignBlock?
    private let prepared = Prepared<PredicateEvaluator>()

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
        get throws(EvaluationError) { try prepared.evaluator { () throws(EvaluationError) in try make() } }
    }

    private func make() throws(EvaluationError) -> PredicateEvaluator {
        let settings = PredicateSettings.current
        return try PredicateEvaluator(
            predicate, registry: settings.registry, limits: settings.limits, locale: settings.locale)
    }

    func evaluate(with object: Any?, bindings: [String: Any]?) -> Bool {
        // A closure receives the object as it was passed, not as the language represents it.
        if let foreign { return foreign.call(object, bindings) }
        if let result = prepared.ready({ $0.quickResult(of: object) }) { return result }
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
    private let prepared = Prepared<PreparedExpression>()

    init(_ expression: FormatExpression) {
        self.expression = expression
    }

    private func prepare() throws(EvaluationError) -> PreparedExpression {
        try prepared.evaluator { () throws(EvaluationError) in try make() }
    }

    private func make() throws(EvaluationError) -> PreparedExpression {
        let settings = PredicateSettings.current
        let evaluator = try ExpressionEvaluator(
            expression, registry: settings.registry, limits: settings.limits, locale: settings.locale)
        return PreparedExpression(evaluator: evaluator, assigned: expression.node.assignedVariables)
    }

    func keyedValue(with object: Any?) throws(EvaluationError) -> KeyedValue {
        try prepare().evaluator.value(with: object)
    }

    func value(with object: Any?, context: NSMutableDictionary?) -> Any? {
        do throws(EvaluationError) {
            let prepared = try prepare()
            guard let context else { return try prepared.evaluator.value(with: object).foundationObject }
            var variables = PredicateVariables(context: context)
            let value = try prepared.evaluator.value(with: object, variables: &variables)
            variables.copy(prepared.assigned, to: context)
            return value.foundationObject
        } catch {
            return PredicateSettings.answer(nil, for: error)
        }
    }
}

/// An evaluator and the variables on the left of `:=`.
struct PreparedExpression: Sendable {
    let evaluator: ExpressionEvaluator
    let assigned: [String]
}

extension ExpressionNode {
    /// The variables on the left of `:=`; empty for a tree that exceeds the limits, which no evaluator accepts.
    fileprivate var assignedVariables: [String] {
        let assigned = (try? TreeLimitCheck(.expression(self), .standard))?.assigned ?? []
        return assigned.map(\.text)
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

/// The evaluator of an object, which the first evaluation makes and all later ones find with one atomic load.
///
/// An error from making it is kept too. The pointer is set once and never replaced, so references to its target
/// need not be counted.
struct Prepared<Evaluator: Sendable>: ~Copyable, Sendable {
    private typealias Outcome = Unmanaged<PreparationOutcome<Evaluator>>
    private let outcome = Atomic<Outcome?>(nil)

    deinit {
        outcome.load(ordering: .acquiring)?.release()
    }

    /// The evaluator; the first access creates it with `make`.
    @inline(__always)
    func evaluator(_ make: () throws(EvaluationError) -> Evaluator) throws(EvaluationError) -> Evaluator {
        let ready = outcome.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.evaluator }
        if let ready { return ready }
        return try prepare(make).get()
    }

    /// Calls a function with the evaluator without reference counting; nil before the first access.
    @inline(__always)
    func ready<Value>(_ body: (borrowing Evaluator) -> Value?) -> Value? {
        outcome.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { outcome in
            if let evaluator = outcome.evaluator { body(evaluator) } else { nil }
        }
    }

    /// Makes the evaluator, unless there is an outcome already or another thread makes one first.
    @inline(never)
    private func prepare(
        _ make: () throws(EvaluationError) -> Evaluator
    ) -> Result<Evaluator, EvaluationError> {
        if let earlier = outcome.load(ordering: .acquiring) {
            return earlier._withUnsafeGuaranteedRef { $0.result }
        }
        let made = PreparationOutcome(make)
        let kept = Outcome.passRetained(made)
        let exchange = outcome.compareExchange(expected: nil, desired: kept, ordering: .acquiringAndReleasing)
        if !exchange.exchanged { kept.release() }
        return made.result
    }
}

/// An evaluator, or the error from making it.
private final class PreparationOutcome<Evaluator: Sendable>: Sendable {
    let result: Result<Evaluator, EvaluationError>
    /// The evaluator unless there was an error; copying it costs one reference.
    let evaluator: Evaluator?

    init(_ make: () throws(EvaluationError) -> Evaluator) {
        result = Result(catching: make)
        evaluator = try? result.get()
    }
}
