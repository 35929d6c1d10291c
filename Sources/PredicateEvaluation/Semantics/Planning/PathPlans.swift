import PredicateSyntax

/// A plan of a key path, which `ANY` and `ALL` look through.
protocol PathPlan: ExpressionPlan {
    /// The path for `ANY` and `ALL`, in which a to-many key after another one gives one collection.
    var flattened: any ExpressionPlan { get }
}

/// `dept.name`, `$person.name`, `friends.@count`: keys that are all constant.
final class KeyPathPlan: PathPlan {
    let node: Int
    private let base: (any ExpressionPlan)?
    private let path: ResolvedKeyPath
    /// True if a to-many key after another one gives one collection, as `ANY` looks through it.
    private let flattens: Bool

    init(_ base: (any ExpressionPlan)?, _ path: ResolvedKeyPath, flattens: Bool = false, node: Int) {
        self.base = base
        self.path = path
        self.flattens = flattens
        self.node = node
    }

    var flattened: any ExpressionPlan {
        KeyPathPlan(base, path, flattens: true, node: node)
    }

    /// Programs do not count the steps of a path through collections in collections.
    var shape: ExpressionShape {
        path.limits.needCounting && path.steps.count > 2 ? .opaque : .path(base: base, path.steps)
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let start = try base?.value(&context) ?? context.object
        do {
            return try path.value(from: start, union: flattens, in: &context)
        } catch {
            throw error.placed(at: node)
        }
    }
}

/// `Record1.$age`: a key path in which variables hold keys, put together anew for every object.
///
/// Throws `notAKey` where a variable holds no string.
final class DynamicKeyPathPlan: PathPlan {
    /// The origin of a key.
    enum Step: Sendable {
        case key(String)
        case value(PredicateValue)
        case variable(Int, String)
    }

    let node: Int
    private let base: (any ExpressionPlan)?
    private let steps: [Step]
    private let limits: PredicateLimits
    private let flattens: Bool

    init(_ base: (any ExpressionPlan)?, _ steps: [Step], _ limits: PredicateLimits, flattens: Bool = false, node: Int) {
        self.limits = limits
        self.base = base
        self.steps = steps
        self.flattens = flattens
        self.node = node
    }

    var flattened: any ExpressionPlan {
        DynamicKeyPathPlan(base, steps, limits, flattens: true, node: node)
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let start = try base?.value(&context) ?? context.object
        do {
            var keys: [String] = []
            for step in steps { keys.append(try key(for: step, &context)) }
            return try ResolvedKeyPath(components: keys, limits).value(from: start, union: flattens, in: &context)
        } catch {
            throw error.placed(at: node)
        }
    }

    private func key(for step: Step, _ context: inout EvaluationContext) throws(EvaluationError) -> String {
        let value: KeyedValue
        switch step {
        case .key(let name): return name
        case .value(let constant): value = .value(constant)
        case .variable(let slot, let name): value = try context.value(inSlot: slot, of: name)
        }
        guard let key = value.text else { throw EvaluationError(.notAKey(found: value.found.description)) }
        return key
    }
}
