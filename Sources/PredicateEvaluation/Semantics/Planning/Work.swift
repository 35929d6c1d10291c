import PredicateSyntax

/// The count of work where loops over collections multiply.
///
/// `SUBQUERY(a, $x, SUBQUERY(a, $y, $y == $x).@count > 1).@count`: of a thousand elements a million comparisons.
///
/// A `SUBQUERY` begins to count, and everything inside of it does. Outside of one the work is bounded by the size of
/// the predicate and of the object, and nothing is counted, nor is anything in programs, which have no such loops.
extension EvaluationContext {
    /// Counts one step and what a value weighs; throws `exceeds`.
    @inline(__always)
    mutating func spend(on value: @autoclosure () -> KeyedValue, at node: Int) throws(EvaluationError) {
        if mostSteps != nil { try spend(1 + value().weight, at: node) }
    }

    /// The values of the arguments of a call, each counted.
    mutating func values(of arguments: [any ExpressionPlan], at node: Int) throws(EvaluationError) -> [KeyedValue] {
        var values: [KeyedValue] = []
        values.reserveCapacity(arguments.count)
        for argument in arguments {
            let value = try argument.value(&self)
            try spend(on: value, at: node)
            values.append(value)
        }
        return values
    }

    mutating func spend(_ count: Int, at node: Int) throws(EvaluationError) {
        guard let mostSteps else { return }
        steps += count
        if steps > mostSteps { throw EvaluationError(.exceeds(.evaluationSteps, limit: mostSteps), node: node) }
    }
}

extension KeyedValue {
    /// The number of steps that a whole value takes: one for 64 bytes of text and for each element.
    var weight: Int {
        if let text { return text.utf8.count / 64 }
        guard isCompound else { return 0 }
        var weight = 0
        var waiting = [self]
        while let next = waiting.popLast() {
            guard next.isCompound, let elements = next.elements else {
                weight += (next.text?.utf8.count ?? 0) / 64
                continue
            }
            weight += elements.count
            waiting += elements
        }
        return weight
    }
}

extension PredicateLimits {
    /// True if bytecode, which does not count, could do more than these limits allow.
    var needCounting: Bool { PathLimits(self).needCounting }
}
